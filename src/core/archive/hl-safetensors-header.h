/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "core/base/hl-dtype.h"
#include "core/base/hl-shape.h"

G_BEGIN_DECLS

/**
 * HlSafetensorsEntry:
 * @name: the tensor's name
 * @dtype: the type of its elements, when @is_readable
 * @type_name: the type as the file spells it
 * @is_readable: whether the type is one that Headlight reads
 * @shape: its sizes
 * @begin: its first byte, counted from the end of the header
 * @end: one past its last byte
 *
 * What the header of a safetensors file says of one tensor.
 */
typedef struct
{
  char    *name;
  HlDType  dtype;
  char     type_name[16];
  gboolean is_readable;
  HlShape  shape;
  guint64  begin;
  guint64  end;
} HlSafetensorsEntry;

/**
 * HlSafetensorsHeader:
 * @entries: (element-type HlSafetensorsEntry): the tensors, by where their bytes lie
 * @index: (element-type utf8 HlSafetensorsEntry): the same by name
 * @metadata: (element-type utf8 utf8): the strings of `__metadata__`
 * @data_offset: where in the file the numbers begin
 *
 * A header that has been checked in full.
 */
typedef struct
{
  GPtrArray  *entries;
  GHashTable *index;
  GHashTable *metadata;
  guint64     data_offset;
} HlSafetensorsHeader;

HlSafetensorsHeader *hl_safetensors_header_parse (const char           *bytes,
                                                  gsize                 size,
                                                  GError              **error);
void                 hl_safetensors_header_free  (HlSafetensorsHeader  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlSafetensorsHeader, hl_safetensors_header_free)

G_END_DECLS
