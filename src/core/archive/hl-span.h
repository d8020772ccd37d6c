/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/tensor/hl-tensor.h"

G_BEGIN_DECLS

#define HL_TYPE_SPAN (hl_span_get_type ())
/**
 * HlSpan:
 *
 * A run of bytes: an open file, a part of one, or bytes in memory. Immutable; from any thread.
 */
G_DECLARE_FINAL_TYPE (HlSpan, hl_span, HL, SPAN, GObject)

HlSpan   *hl_span_open          (GFile          *file,
                                 GError        **error);
HlSpan   *hl_span_open_mapped   (GFile          *file,
                                 GError        **error);
HlSpan   *hl_span_new_for_bytes (GBytes         *bytes);
HlSpan   *hl_span_new_for_scratch (int          fd,
                                 HlSpan         *like,
                                 GError        **error);
HlSpan   *hl_span_slice         (HlSpan         *self,
                                 guint64         offset,
                                 guint64         size);
guint64   hl_span_get_size      (HlSpan         *self);
gboolean  hl_span_read          (HlSpan         *self,
                                 guint64         offset,
                                 void           *target,
                                 gsize           size,
                                 GError        **error);
GBytes   *hl_span_map           (HlSpan         *self,
                                 GError        **error);
gboolean  hl_span_check         (HlSpan         *self,
                                 GError        **error);
HlTensor *hl_span_open_tensor   (HlSpan         *self,
                                 HlDType         dtype,
                                 const HlShape  *shape,
                                 const gint64   *strides,
                                 gboolean        swapped,
                                 guint64         offset,
                                 GError        **error);

G_END_DECLS
