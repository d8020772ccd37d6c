/* SPDX-License-Identifier: MIT */
/* Which positions hold weight, and so are not padding, whatever the lists of tokens say. */
#include "core/document/read/base/hl-dump-held.h"

#include <math.h>

/* Rows that are looked at at once; fewer where they are very long. */
#define MAX_ROWS 64
#define MAX_NUMBERS (1 << 22)

gsize
hl_dump_held_count_rows (const HlDumpHeld *self,
                         gsize             n_rows)
{
  return MIN (n_rows, CLAMP (MAX_NUMBERS / self->n_keys, 1, MAX_ROWS));
}

/* Whether a query stands at a key that none sees. What it attends to tells nothing: where it sees no key, a softmax gives the same to all. */
gboolean
hl_dump_held_is_padding (const HlDumpHeld *self,
                         const HlMask     *mask,
                         gsize             query)
{
  const gboolean is_generation = self->weights->is_generation;

  if (self->keys == NULL || (!is_generation && !mask->causal && self->n_queries != self->n_keys))
    return FALSE;
  const gint64 position = is_generation ? (gint64) (self->weights->first_query + query)
                                        : hl_mask_get_position (mask, self->n_queries, self->n_keys, query);
  return position >= 0 && position < (gint64) self->n_keys && self->keys[position] == 0;
}

/* Finds the first query that is no padding, and one past the last. */
void
hl_dump_held_find_text (const HlDumpHeld *self,
                        const HlMask     *mask,
                        gsize            *first_query,
                        gsize            *end_query)
{
  *first_query = 0;
  *end_query = self->n_queries;
  while (*first_query < *end_query && hl_dump_held_is_padding (self, mask, *first_query))
    ++*first_query;
  while (*end_query > *first_query && hl_dump_held_is_padding (self, mask, *end_query - 1))
    --*end_query;
}

/* What the softmax makes exactly 0 by intent becomes 0. */
static void
drop_masked (float   *row,
             gsize    n_keys,
             gboolean is_scores)
{
  float greatest = -INFINITY;

  for (gsize key = 0; is_scores && key < n_keys; key++)
    if (row[key] > greatest)
      greatest = row[key];
  for (gsize key = 0; key < n_keys; key++)
    if (is_scores)
      row[key] = hl_score_is_masked (row[key], greatest) ? 0 : 1;
    else if (row[key] == -INFINITY)
      row[key] = 0;
}

/* The first layer that has attention, or the last. */
guint
hl_dump_held_get_layer (const HlDumpHeld *self,
                        guint             which)
{
  guint found = which == 0 ? 0 : self->weights->n_layers - 1;

  while (hl_layer_tensor_get_n_heads (&self->weights->layers[found]) == 0)
    found = which == 0 ? found + 1 : found - 1;
  return found;
}

/* Reads rows of a head. What is masked in them is 0. */
gboolean
hl_dump_held_read_head (const HlDumpHeld    *self,
                        const HlDumpContext *context,
                        guint                layer_index,
                        guint64              head,
                        gsize                first_query,
                        gsize                n_rows,
                        float               *rows,
                        GError             **error)
{
  HlLayerTensor layer = self->weights->layers[layer_index];

  if (n_rows == 0)
    return TRUE;
  layer.batch = self->batch;
  if (!hl_layer_tensor_read (&layer, head, first_query, n_rows, 0, self->n_keys, rows, context->cancellable, error))
    return FALSE;
  for (gsize row = 0; row < n_rows; row++)
    {
      float *numbers = rows + row * self->n_keys;
      gsize first, end;

      drop_masked (numbers, self->n_keys, self->has_scores);
      hl_mask_get_visible (&self->mask, self->n_queries, self->n_keys, first_query + row, &first, &end);
      for (gsize key = 0; key < self->n_keys; key++)
        if (key < first || key >= end)
          numbers[key] = 0;
    }
  return TRUE;
}

/* Reads rows of the first head of the first layer, or of the last head of the last: the two that differ most. */
gboolean
hl_dump_held_read (const HlDumpHeld    *self,
                   const HlDumpContext *context,
                   guint                which,
                   gsize                first_query,
                   gsize                n_rows,
                   float               *rows,
                   GError             **error)
{
  const guint layer = hl_dump_held_get_layer (self, which);
  const guint64 head = which == 0 ? 0 : hl_layer_tensor_get_n_heads (&self->weights->layers[layer]) - 1;

  return hl_dump_held_read_head (self, context, layer, head, first_query, n_rows, rows, error);
}

/* Tells one past the last key, and one past the last of @n_rows, that hold weight. */
static gboolean
look_at_rows (const HlDumpHeld    *self,
              const HlDumpContext *context,
              gsize                first_query,
              gsize                n_rows,
              gsize               *end_key,
              gsize               *end_row,
              GError             **error)
{
  const gsize n_keys = self->n_keys;
  g_autofree float *rows = g_new (float, MAX (n_rows * n_keys, 1));

  for (guint i = 0; i < HL_DUMP_HELD_N_HEADS; i++)
    {
      if (!hl_dump_held_read (self, context, i, first_query, n_rows, rows, error))
        return FALSE;
      for (gsize at = 0; at < n_rows * n_keys; at++)
        if (rows[at] != 0)
          {
            *end_key = MAX (*end_key, at % n_keys + 1);
            *end_row = MAX (*end_row, at / n_keys + 1);
          }
    }
  return TRUE;
}

/* One past the last key that one of the first @n_queries attends to. Some of the rows are read. What follows from queries and keys is above 0
 * wherever the mask lets it. */
gboolean
hl_dump_held_find_keys (const HlDumpHeld    *self,
                        const HlDumpContext *context,
                        gsize                n_queries,
                        gsize               *end_key,
                        GError             **error)
{
  const gsize n_rows = hl_dump_held_count_rows (self, n_queries);
  gsize first, unused = 0;

  *end_key = 0;
  if (n_queries == 0)
    return TRUE;
  if (self->weights->n_layers == 0)
    {
      hl_mask_get_visible (&self->mask, self->n_queries, self->n_keys, n_queries - 1, &first, end_key);
      return TRUE;
    }
  /* In a causal map only the last rows reach far. */
  return look_at_rows (self, context, self->mask.causal ? n_queries - n_rows : 0, n_rows, end_key, &unused, error);
}

/* One past the last query, of those from @first_query on, that attends to anything. Some of the rows are read. */
gboolean
hl_dump_held_find_queries (const HlDumpHeld    *self,
                           const HlDumpContext *context,
                           gsize                first_query,
                           gsize               *end_query,
                           GError             **error)
{
  const gsize n_rows = hl_dump_held_count_rows (self, self->n_queries - first_query);
  gsize unused = 0, end_row = 0;

  *end_query = self->n_queries;
  if (self->weights->n_layers == 0 || n_rows == 0)
    return TRUE;
  if (!look_at_rows (self, context, first_query, n_rows, &unused, &end_row, error))
    return FALSE;
  /* Where all that were read attend to something, so will those that were not. */
  if (end_row < n_rows)
    *end_query = end_row > 0 ? first_query + end_row : 0;
  return TRUE;
}
