/* SPDX-License-Identifier: MIT */
/* The header of a safetensors file. */
#pragma once

#include "core/base/tensor/hl-dtype.h"
#include "core/base/tensor/hl-shape.h"

G_BEGIN_DECLS

/* What it says of one tensor. */
typedef struct
{
  char    *name;
  HlDType  dtype;         /* when it is readable */
  char     type_name[16]; /* as the file spells it */
  gboolean is_readable;   /* whether Headlight has such a type */
  gboolean is_float8;     /* whether its bytes are #HlFloat8Tensor's */
  gsize    element_size;
  HlShape  shape;
  guint64  begin; /* its first byte, counted from the end of the header */
  guint64  end;   /* one past its last byte */
} HlSafetensorsEntry;

/* A header that has been checked in full. */
typedef struct
{
  GPtrArray  *entries;     /* of HlSafetensorsEntry, by where their bytes lie */
  GHashTable *index;       /* the same by name */
  GHashTable *metadata;    /* the strings of `__metadata__` */
  guint64     data_offset; /* where in the file the numbers begin */
} HlSafetensorsHeader;

HlSafetensorsHeader *hl_safetensors_header_parse (const char           *bytes,
                                                  gsize                 size,
                                                  GError              **error);
void                 hl_safetensors_header_free  (HlSafetensorsHeader  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlSafetensorsHeader, hl_safetensors_header_free)

G_END_DECLS
