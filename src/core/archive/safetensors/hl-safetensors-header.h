/* SPDX-License-Identifier: MIT */
/* The header of a safetensors file. */
#pragma once

#include "core/archive/safetensors/hl-safetensors-entry.h"

G_BEGIN_DECLS

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
