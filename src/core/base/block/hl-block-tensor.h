/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/tensor/hl-tensor.h"

G_BEGIN_DECLS

#define HL_TYPE_BLOCK_TENSOR (hl_block_tensor_get_type ())
/**
 * HlBlockTensor:
 *
 * Quantised numbers in a mapped file. What is read of them becomes float32; nothing is unpacked before.
 */
G_DECLARE_FINAL_TYPE (HlBlockTensor, hl_block_tensor, HL, BLOCK_TENSOR, HlTensor)

gboolean  hl_block_shape_get_n_bytes (HlDType         dtype,
                                      const HlShape  *shape,
                                      guint64        *n_bytes);
HlTensor *hl_block_tensor_new        (HlDType         dtype,
                                      const HlShape  *shape,
                                      gboolean        swapped,
                                      HlMappedFile   *file,
                                      guint64         offset,
                                      GError        **error);

G_END_DECLS
