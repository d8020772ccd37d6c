/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/pydata/hl-zip-store.h"

G_BEGIN_DECLS

#define HL_TYPE_PACKED_TENSOR (hl_packed_tensor_get_type ())
/**
 * HlPackedTensor:
 *
 * Numbers inside deflated bytes, which are unpacked when the first of them is asked for, and kept.
 */
G_DECLARE_FINAL_TYPE (HlPackedTensor, hl_packed_tensor, HL, PACKED_TENSOR, HlTensor)

HlTensor *hl_packed_tensor_new (HlZipStore     *store,
                                guint64         place,
                                HlSpan         *packed,
                                guint64         size,
                                guint32         crc,
                                HlDType         dtype,
                                const HlShape  *shape,
                                const gint64   *strides,
                                gboolean        swapped,
                                guint64         offset);

G_END_DECLS
