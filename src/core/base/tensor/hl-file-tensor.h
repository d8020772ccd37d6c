/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/file/hl-file-version.h"
#include "core/base/tensor/hl-tensor.h"

G_BEGIN_DECLS

#define HL_TYPE_FILE_TENSOR (hl_file_tensor_get_type ())
G_DECLARE_FINAL_TYPE (HlFileTensor, hl_file_tensor, HL, FILE_TENSOR, HlTensor)

HlTensor *hl_file_tensor_new (HlDType             dtype,
                              const HlShape      *shape,
                              const gint64       *strides,
                              gboolean            swapped,
                              GObject            *owner,
                              int                 fd,
                              const HlFileVersion  *version,
                              guint64             offset,
                              GError            **error);

G_END_DECLS
