/* SPDX-License-Identifier: MIT */
/* The sizes of lists in lists, list by list, and which of those that differ have a meaning. */
#include "core/archive/json/hl-json-sizes.h"

#include <string.h>

#include "core/base/hl-limits.h"
#include "core/archive/hl-archive.h"

void
hl_json_sizes_clear (HlJsonSizes *self)
{
  g_clear_pointer (&self->layer_heads, g_array_unref);
  g_clear_pointer (&self->parts, g_array_unref);
}

/* The axis on which layers may differ: heads of [layer, head, query, key] or of [layer, batch, head, query, key]. */
static inline guint
get_heads_axis (const HlJsonSizes *self)
{
  return self->rank >= 4 && self->parts == NULL ? self->rank - 3 : G_MAXUINT;
}

/* The first axis' element is complete. Its heads are written down only once two layers differ. */
static gboolean
close_layer (HlJsonSizes *self,
             guint64      n_layers)
{
  const guint axis = get_heads_axis (self);

  if (!self->heads_known)
    return TRUE;
  self->heads_known = FALSE;
  if (!self->known[axis])
    {
      self->known[axis] = TRUE;
      self->dims[axis] = self->heads;
    }
  if (self->layer_heads == NULL && self->heads == self->dims[axis])
    return TRUE;
  if (n_layers >= HL_LIMIT_MEMBERS)
    return FALSE;
  if (self->layer_heads == NULL)
    {
      self->layer_heads = g_array_new (FALSE, FALSE, sizeof (guint64));
      for (guint64 i = 0; i < n_layers; i++)
        g_array_append_val (self->layer_heads, self->dims[axis]);
    }
  g_array_append_val (self->layer_heads, self->heads);
  return TRUE;
}

static void
add_part (HlJsonSizes *self)
{
  HlShape shape = { .rank = self->rank - 1 };

  for (guint i = 0; i < shape.rank; i++)
    shape.dims[i] = self->dims[i + 1];
  g_array_append_val (self->parts, shape);
}

static gboolean
are_zero (const guint64 *counts,
          guint          first,
          guint          last)
{
  for (guint i = first; i <= last; i++)
    if (counts[i] != 0)
      return FALSE;
  return TRUE;
}

/* The first map of an element has other queries or keys than the elements before: from here on, each has sizes of its
 * own. */
static gboolean
begin_parts (HlJsonSizes   *self,
             guint          axis,
             const guint64 *counts,
             guint64        size)
{
  const guint heads_axis = get_heads_axis (self);

  if (self->parts != NULL || self->first_row > 0 || self->rank < 3 || axis + 2 < self->rank || axis == 0 ||
      counts[1] == 0 || counts[1] >= HL_LIMIT_MEMBERS || size == 0 || self->dims[axis] == 0 ||
      !are_zero (counts, 2, axis))
    return FALSE;
  /* Of single maps, only those whose keys grow are likely to be meant so. */
  if (self->rank == 3 && (axis == 1 || size < self->dims[axis]))
    return FALSE;
  g_autoptr (GArray) layer_heads = g_steal_pointer (&self->layer_heads);
  self->parts = g_array_new (FALSE, FALSE, sizeof (HlShape));
  for (guint i = 0; i < counts[1]; i++)
    {
      if (layer_heads != NULL)
        self->dims[heads_axis] = g_array_index (layer_heads, guint64, i);
      add_part (self);
    }
  for (guint i = 1; i < axis; i++)
    self->known[i] = FALSE;
  self->heads_known = FALSE;
  self->dims[axis] = size;
  return TRUE;
}

/* The second row of the very first map is longer than the first by one. */
static gboolean
begin_triangle (HlJsonSizes   *self,
                guint          axis,
                const guint64 *counts,
                guint64        size)
{
  if (self->first_row > 0 || self->rank < 2 || axis + 1 != self->rank || self->dims[axis] == 0 ||
      size != self->dims[axis] + 1 || !are_zero (counts, 1, axis - 1) || counts[axis] != 1)
    return FALSE;
  self->first_row = self->dims[axis];
  return TRUE;
}

/* Takes note of a list of numbers, or of lists of them. */
gboolean
hl_json_sizes_close (HlJsonSizes   *self,
                     guint          depth,
                     const guint64 *counts,
                     guint64       *expected)
{
  const guint axis = depth - 1;
  const guint64 size = counts[depth];

  if (self->rank == 0)
    self->rank = depth; /* the first thing in it is an empty list */

  const gboolean is_heads = axis == get_heads_axis (self);
  gboolean *known = is_heads ? &self->heads_known : &self->known[axis];
  guint64 *wanted = is_heads ? &self->heads : &self->dims[axis];
  const guint64 growth = self->first_row > 0 && axis + 1 == self->rank ? counts[axis] : 0;
  if (self->first_row > 0 && axis + 1 == self->rank)
    *wanted = self->first_row + growth;
  if (!*known)
    {
      *known = TRUE;
      *wanted = size;
    }
  else if (*wanted != size && !begin_triangle (self, axis, counts, size) &&
           (is_heads || !begin_parts (self, axis, counts, size)))
    {
      *expected = *wanted;
      return FALSE;
    }
  if (depth != 2)
    return TRUE;
  if (self->parts != NULL)
    {
      if (self->parts->len >= HL_LIMIT_MEMBERS)
        {
          *expected = *wanted;
          return FALSE;
        }
      add_part (self);
      for (guint i = 1; i < self->rank; i++)
        self->known[i] = FALSE;
      return TRUE;
    }
  if (self->rank < 4 || close_layer (self, counts[1]))
    return TRUE;
  *expected = self->dims[get_heads_axis (self)];
  return FALSE;
}

/* Returns whether it was a map whose rows are to be made equally long, see hl_json_sizes_pad_map(). */
gboolean
hl_json_sizes_ends_map (HlJsonSizes *self,
                        guint        depth)
{
  return self->first_row > 0 && depth + 1 == self->rank;
}

/* Makes all rows of a map as long as the last; what they lack is 0. */
void
hl_json_sizes_pad_map (HlJsonSizes *self,
                       float       *numbers)
{
  const guint64 n_rows = self->dims[self->rank - 2];
  const guint64 width = self->first_row + n_rows - 1;
  guint64 dense = n_rows * self->first_row + n_rows * (n_rows - 1) / 2;

  for (guint64 row = n_rows; row-- > 0;)
    {
      const guint64 length = self->first_row + row;
      float *target = numbers + row * width;
      dense -= length;
      memmove (target, numbers + dense, length * sizeof (float));
      for (guint64 i = length; i < width; i++)
        target[i] = 0;
    }
  self->dims[self->rank - 1] = width;
}
