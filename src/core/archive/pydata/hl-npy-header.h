/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/pydata/hl-npy-type.h"
#include "core/base/hl-shape.h"

G_BEGIN_DECLS

/**
 * HL_NPY_MAX_HEADER:
 *
 * The most bytes that the header of an array can have.
 */
#define HL_NPY_MAX_HEADER 65536

/**
 * HlNpyHeader:
 * @type: what the elements are
 * @shape: the sizes
 * @is_fortran: whether the first axis is the fastest
 * @offset: where the elements begin
 *
 * What stands before the elements of a file of `numpy.save`.
 */
typedef struct
{
  HlNpyType type;
  HlShape   shape;
  gboolean  is_fortran;
  gsize     offset;
} HlNpyHeader;

gboolean hl_npy_header_recognise   (const guint8       *bytes,
                                    gsize               size);
gboolean hl_npy_header_parse       (HlNpyHeader        *self,
                                    const guint8       *bytes,
                                    gsize               size,
                                    GError            **error);
gboolean hl_npy_header_get_strides (const HlNpyHeader  *self,
                                    gint64             *strides);

G_END_DECLS
