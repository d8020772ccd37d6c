/* SPDX-License-Identifier: MIT */
/* The numbers of an array of JSON while it is read. */
#pragma once

#include "core/archive/hl-span.h"
#include "core/archive/json/hl-json-sizes.h"
#include "core/json/hl-json-reader.h"

G_BEGIN_DECLS

/**
 * HlJsonNumbers:
 * @budget: what they may take; one array at a time is read with it
 * @latest: those that are in memory, all or the latest
 * @n_latest: how many
 * @n_allocated: how many there is room for
 * @is_in_file: whether there are too many to be in memory, so that all but the latest are in the file
 * @n_written: how many these are
 * @place: where in the file the first is, in bytes
 *
 * Numbers, in memory as long as there is room, then in a file without a name.
 */
typedef struct
{
  HlJsonBudget *budget;
  float        *latest;
  gsize         n_latest;
  gsize         n_allocated;
  gboolean      is_in_file;
  guint64       n_written;
  guint64       place;
} HlJsonNumbers;

gboolean  hl_json_numbers_make_room (HlJsonNumbers  *self,
                                     GError        **error);
gboolean  hl_json_numbers_pad_map   (HlJsonNumbers  *self,
                                     HlJsonSizes    *sizes,
                                     GError        **error);
HlSpan   *hl_json_numbers_end       (HlJsonNumbers  *self,
                                     GError        **error);
void      hl_json_numbers_clear     (HlJsonNumbers  *self);

static inline gboolean
hl_json_numbers_add (HlJsonNumbers  *self,
                     float           number,
                     GError        **error)
{
  if (G_UNLIKELY (self->n_latest == self->n_allocated) && !hl_json_numbers_make_room (self, error))
    return FALSE;
  self->latest[self->n_latest++] = number;
  return TRUE;
}

G_END_DECLS
