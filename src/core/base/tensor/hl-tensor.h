/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/base/tensor/hl-dtype.h"
#include "core/base/file/hl-mapped-file.h"
#include "core/base/tensor/hl-shape.h"

G_BEGIN_DECLS

#define HL_TYPE_TENSOR (hl_tensor_get_type ())
G_DECLARE_DERIVABLE_TYPE (HlTensor, hl_tensor, HL, TENSOR, GObject)

/**
 * HlTensorClass:
 * @read_f32: reads the region @start, @count into @target, dense, last axis fastest. The region has been
 *   checked to lie within the shape. Called from any thread, also from several at once.
 * @get_data: (nullable): see hl_tensor_get_data()
 * @get_stored: (nullable): see hl_tensor_get_stored(); without it, all numbers are stored
 * @lies_apart: (nullable): see hl_tensor_lies_apart(); without it, it does not
 * @get_unpacked: (nullable): see hl_tensor_get_unpacked(); without it, as many as are announced
 *
 * Numbers that lie somewhere, of which regions can be had as float32. Immutable.
 */
struct _HlTensorClass
{
  GObjectClass parent_class;

  gboolean (*read_f32) (HlTensor      *self,
                        const guint64 *start,
                        const guint64 *count,
                        float         *target,
                        GCancellable  *cancellable,
                        GError       **error);
  const void *(*get_data) (HlTensor   *self);
  guint64 (*get_stored) (HlTensor     *self);
  gboolean (*lies_apart) (HlTensor    *self);
  guint64 (*get_unpacked) (HlTensor      *self,
                           const guint64 *count,
                           gboolean      *stays);
};

HlTensor      *hl_tensor_new_for_bytes (HlDType        dtype,
                                        const HlShape *shape,
                                        const gint64  *strides,
                                        gboolean       swapped,
                                        GBytes        *bytes,
                                        guint64        offset,
                                        GError       **error);
HlTensor      *hl_tensor_new_for_mapped_file (HlDType        dtype,
                                              const HlShape *shape,
                                              const gint64  *strides,
                                              gboolean       swapped,
                                              HlMappedFile  *file,
                                              GBytes        *bytes,
                                              guint64        offset,
                                              GError       **error);
HlDType        hl_tensor_get_dtype     (HlTensor *self);
const HlShape *hl_tensor_get_shape     (HlTensor *self);
gboolean       hl_tensor_is_in_memory  (HlTensor *self);
gboolean       hl_tensor_lies_apart    (HlTensor *self);
const void    *hl_tensor_get_data      (HlTensor *self);
guint64        hl_tensor_get_announced (HlTensor *self);
guint64        hl_tensor_get_stored    (HlTensor *self);
guint64        hl_tensor_get_unpacked  (HlTensor      *self,
                                        const guint64 *count,
                                        gboolean      *stays);
gboolean       hl_tensor_read_f32      (HlTensor      *self,
                                        const guint64 *start,
                                        const guint64 *count,
                                        float         *target,
                                        GCancellable  *cancellable,
                                        GError       **error);

/* For those who derive. */
void hl_tensor_set_layout (HlTensor      *self,
                           HlDType        dtype,
                           const HlShape *shape);

G_END_DECLS
