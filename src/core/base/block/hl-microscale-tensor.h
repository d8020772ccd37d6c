/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/file/hl-mapped-file.h"
#include "core/base/tensor/hl-tensor.h"

G_BEGIN_DECLS

#define HL_TYPE_MICROSCALE_TENSOR (hl_microscale_tensor_get_type ())
/**
 * HlMicroscaleTensor:
 *
 * Floating-point numbers of 4 bits with a power of two for each 32 (OCP Microscaling 1.0), two neighbours a byte, as model folders have them
 * in two tensors, and GGUF files of Ollama's in one. Those of other GGUF files are #HlBlockTensor.
 */
G_DECLARE_FINAL_TYPE (HlMicroscaleTensor, hl_microscale_tensor, HL, MICROSCALE_TENSOR, HlTensor)

HlTensor *hl_microscale_tensor_new          (HlTensor       *blocks,
                                             HlTensor       *scales,
                                             GError        **error);
HlTensor *hl_microscale_tensor_new_for_file (const HlShape  *shape,
                                             HlMappedFile   *file,
                                             guint64         offset,
                                             GError        **error);

G_END_DECLS
