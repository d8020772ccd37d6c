/* SPDX-License-Identifier: MIT */
/* What the header of a safetensors file says of one tensor. */
#pragma once

#include "core/base/hl-dtype.h"
#include "core/base/hl-shape.h"

G_BEGIN_DECLS

/**
 * HlSafetensorsEntry:
 * @name: the tensor's name
 * @dtype: the type of its elements, when @is_readable
 * @type_name: the type as the file spells it
 * @is_readable: whether the type is one that Headlight reads
 * @element_size: bytes of one element
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
  gsize    element_size;
  HlShape  shape;
  guint64  begin;
  guint64  end;
} HlSafetensorsEntry;

gboolean hl_safetensors_entry_set_type (HlSafetensorsEntry       *self,
                                        const char               *name);
gboolean hl_safetensors_entry_check    (const HlSafetensorsEntry *self,
                                        guint64                   n_data,
                                        GError                  **error);
gboolean hl_safetensors_entries_check  (GPtrArray                *entries,
                                        guint64                   n_data,
                                        GError                  **error);
void     hl_safetensors_entry_free     (gpointer                  data);

G_END_DECLS
