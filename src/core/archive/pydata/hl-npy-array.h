/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-tree-archive.h"
#include "core/archive/hl-span.h"

G_BEGIN_DECLS

typedef enum {
  HL_NPY_NUMBERS, /* that a tensor can hold */
  HL_NPY_UNICODE, /* strings of so many code points of 4 bytes */
  HL_NPY_BYTES,   /* strings of so many bytes */
  HL_NPY_OBJECTS, /* of Python */
} HlNpyKind;

typedef struct
{
  HlNpyKind kind;
  HlDType   dtype;   /* of numbers */
  gsize     size;    /* bytes of an element; 0 for objects */
  gboolean  swapped; /* whether they are in the byte order foreign to this machine */
} HlNpyType;

typedef struct
{
  HlNpyType type;
  HlShape   shape;
  gboolean  is_fortran;
  gsize     offset; /* where the elements begin */
} HlNpyHeader;

gboolean       hl_npy_type_parse          (HlNpyType          *self,
                                           const char         *code,
                                           GError            **error);
gboolean       hl_npy_header_recognise    (const guint8       *bytes,
                                           gsize               size);
gboolean       hl_npy_header_parse        (HlNpyHeader        *self,
                                           const guint8       *bytes,
                                           gsize               size,
                                           GError            **error);
gboolean       hl_npy_header_get_strides  (const HlNpyHeader  *self,
                                           gint64             *strides);
HlArchiveNode *hl_npy_node_new_for_text   (const HlNpyHeader  *header,
                                           HlSpan             *bytes,
                                           GError            **error);
HlArchiveNode *hl_npy_node_new_for_tensor (HlTensor           *tensor,
                                           GError            **error);

G_END_DECLS
