/* SPDX-License-Identifier: MIT */
/* What a heatmap knows of the head it shows. */
#include "draw/heatmap/hl-heatmap-data.h"

#include <math.h>
#include <string.h>

#include "core/source/hl-pool.h"

/* Heads whose extremes a source remembers. */
#define N_REMEMBERED 8

/* A head of 4096 × 4096: 64 MiB. Of larger ones the parts in view are read from the source. */
#define MAX_KEPT ((gsize) 16 * 1024 * 1024)

/* Weights read at a time where all are looked at: 4 MiB. */
#define MAX_BLOCK ((gsize) 1024 * 1024)

typedef struct
{
  HlHeatmapPart part; /* the source itself is not kept: this belongs to it */
  HlHeatmapExtremes extremes;
} Entry;

typedef struct
{
  Entry entries[N_REMEMBERED];
  guint n;
  guint next;
} Memory;

static GMutex memory_mutex;
static G_DEFINE_QUARK (hl - heatmap - extremes, memory)

  HlHeatmapPart hl_heatmap_part_of (const HlShown *shown)
{
  return (HlHeatmapPart){
    .source = shown->filtered,
    .layer = shown->layer,
    .head = shown->head,
    .queries = shown->queries,
    .keys = shown->keys,
    .off_diagonal = shown->value_scale == HL_VALUE_SCALE_OFF_DIAGONAL,
  };
}

gboolean
hl_heatmap_part_equal (const HlHeatmapPart *a,
                       const HlHeatmapPart *b)
{
  if (a->source == NULL || b->source == NULL)
    return a->source == b->source;
  return a->source == b->source && a->layer == b->layer && a->head == b->head &&
         hl_range_equal (a->queries, b->queries) && hl_range_equal (a->keys, b->keys) &&
         a->off_diagonal == b->off_diagonal;
}

void
hl_heatmap_extremes_join (HlHeatmapExtremes       *self,
                          const HlHeatmapExtremes *other)
{
  self->min = MIN (self->min, other->min);
  self->min_positive = MIN (self->min_positive, other->min_positive);
  self->max = MAX (self->max, other->max);
  self->whole_min = MIN (self->whole_min, other->whole_min);
  self->whole_max = MAX (self->whole_max, other->whole_max);
}

static void
take_row (HlHeatmapExtremes   *self,
          const HlRowExtremes *row)
{
  const HlHeatmapExtremes of_row = { row->min, row->min_positive, row->max, row->min, row->max };

  hl_heatmap_extremes_join (self, &of_row);
}

/* Takes in rows of a part, from @first of it on, but for the ends what is off the diagonal. */
static void
take_off_diagonal (HlHeatmapExtremes   *self,
                   const HlHeatmapPart *part,
                   gsize                first,
                   gsize                n,
                   const float         *weights)
{
  for (gsize i = 0; i < n; i++)
    {
      const float *row = weights + i * part->keys.n;
      const gsize own = part->queries.first + first + i;
      const gsize before = CLAMP (own, part->keys.first, part->keys.first + part->keys.n) - part->keys.first;
      const gsize after = own < part->keys.first ? 0 : MIN (before + 1, part->keys.n);
      const HlRowExtremes left = hl_row_extremes_find (row, before);
      const HlRowExtremes right = hl_row_extremes_find (row + after, part->keys.n - after);

      take_row (self, &left);
      take_row (self, &right);
      if (after > before && isfinite (row[before]))
        {
          self->whole_min = MIN (self->whole_min, row[before]);
          self->whole_max = MAX (self->whole_max, row[before]);
        }
    }
}

/* Reads a part, some rows at a time. */
static gboolean
read_off_diagonal (HlHeatmapExtremes   *self,
                   const HlHeatmapPart *part,
                   GCancellable        *cancellable,
                   GError             **error)
{
  const gsize n_rows = CLAMP (MAX_BLOCK / part->keys.n, 1, part->queries.n);
  g_autofree float *weights = g_new (float, n_rows * part->keys.n);

  for (gsize first = 0; first < part->queries.n; first += n_rows)
    {
      const gsize n = MIN (n_rows, part->queries.n - first);
      const HlAttentionRequest request = {
        .layer = part->layer,
        .head = part->head,
        .first_query = part->queries.first + first,
        .n_queries = n,
        .first_key = part->keys.first,
        .n_keys = part->keys.n,
        .n_rows = n,
        .n_columns = part->keys.n,
        .pooling = HL_POOLING_MAX,
      };

      if (!hl_attention_source_read (part->source, &request, weights, cancellable, error))
        return FALSE;
      take_off_diagonal (self, part, first, n, weights);
    }
  return TRUE;
}

/* With the memory_mutex held. */
static const Entry *
recall (const HlHeatmapPart *part)
{
  const Memory *memory = g_object_get_qdata (G_OBJECT (part->source), memory_quark ());

  for (guint i = 0; memory != NULL && i < memory->n; i++)
    if (hl_heatmap_part_equal (&memory->entries[i].part, part))
      return &memory->entries[i];
  return NULL;
}

/* What one picture has found the one beside it need not find again: a source remembers the last ones. From any
 * thread. */
static void
hl_heatmap_extremes_remember (const HlHeatmapPart     *part,
                              const HlHeatmapExtremes *extremes)
{
  g_return_if_fail (HL_IS_ATTENTION_SOURCE (part->source));

  g_mutex_lock (&memory_mutex);
  if (recall (part) == NULL)
    {
      Memory *memory = g_object_get_qdata (G_OBJECT (part->source), memory_quark ());
      if (memory == NULL)
        {
          memory = g_new0 (Memory, 1);
          g_object_set_qdata_full (G_OBJECT (part->source), memory_quark (), memory, g_free);
        }
      memory->entries[memory->next] = (Entry){ *part, *extremes };
      memory->next = (memory->next + 1) % N_REMEMBERED;
      memory->n = MIN (memory->n + 1, N_REMEMBERED);
    }
  g_mutex_unlock (&memory_mutex);
}

/* Recalls the extremes, or reads the part for them. From any thread. */
gboolean
hl_heatmap_extremes_find (const HlHeatmapPart *part,
                          HlHeatmapExtremes   *extremes,
                          GCancellable        *cancellable,
                          GError             **error)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (part->source), FALSE);

  g_mutex_lock (&memory_mutex);
  const Entry *entry = recall (part);
  const gboolean recalled = entry != NULL;
  if (recalled)
    *extremes = entry->extremes;
  g_mutex_unlock (&memory_mutex);
  if (recalled)
    return TRUE;

  *extremes = (HlHeatmapExtremes) HL_HEATMAP_EXTREMES_INIT;
  if (part->queries.n > 0 && part->keys.n > 0 && part->off_diagonal)
    {
      if (!read_off_diagonal (extremes, part, cancellable, error))
        return FALSE;
    }
  else if (part->queries.n > 0 && part->keys.n > 0)
    {
      const HlAttentionRequest request = {
        .layer = part->layer,
        .head = part->head,
        .first_query = part->queries.first,
        .n_queries = part->queries.n,
        .first_key = part->keys.first,
        .n_keys = part->keys.n,
        .n_rows = 1,
        .n_columns = 1,
      };
      g_autofree HlRowExtremes *rows = g_new (HlRowExtremes, part->queries.n);
      if (!hl_attention_source_examine (part->source, &request, NULL, rows, cancellable, error))
        return FALSE;
      for (gsize i = 0; i < part->queries.n; i++)
        take_row (extremes, &rows[i]);
    }
  hl_heatmap_extremes_remember (part, extremes);
  return TRUE;
}

static void
clear (HlSceneData *data)
{
  HlHeatmapData *self = (HlHeatmapData *) data;

  g_object_unref (self->source);
  g_clear_object (&self->whole);
  g_free (self->weights);
  g_free (self->unfiltered);
  g_free (self->row_max);
}

static gboolean
equal (const HlSceneData *self,
       const HlSceneData *other)
{
  const HlHeatmapData *a = (const HlHeatmapData *) self;
  const HlHeatmapData *b = (const HlHeatmapData *) other;

  return a->source == b->source && a->layer == b->layer && a->head == b->head &&
         hl_range_equal (a->queries, b->queries) && hl_range_equal (a->keys, b->keys) &&
         a->off_diagonal == b->off_diagonal;
}

static HlAttentionRequest
make_request (const HlHeatmapData *self,
              HlRange              rows,
              HlRange              columns,
              gsize                n_rows,
              gsize                n_columns)
{
  return (HlAttentionRequest){
    .layer = self->layer,
    .head = self->head,
    .first_query = self->queries.first + rows.first,
    .n_queries = rows.n,
    .first_key = self->keys.first + columns.first,
    .n_keys = columns.n,
    .n_rows = n_rows,
    .n_columns = n_columns,
    .pooling = HL_POOLING_MAX,
    .marks_masked = TRUE,
  };
}

/* Takes in what is known of a row. */
static void
examine (HlHeatmapData       *self,
         gsize                row,
         const HlRowExtremes *extremes)
{
  const float row_max = self->is_signed ? MAX (extremes->max, -extremes->min) : extremes->max;

  self->has_nan |= extremes->n_nan > 0;
  self->row_max[row] = isfinite (row_max) ? row_max : 0;
  if (!self->off_diagonal)
    take_row (&self->extremes, extremes);
}

/* What rows do not tell of the ends; remembered for the picture beside. */
static gboolean
finish_extremes (HlHeatmapData *self,
                 GCancellable  *cancellable,
                 GError       **error)
{
  const HlHeatmapPart part = { self->source, self->layer, self->head, self->queries, self->keys, self->off_diagonal };

  if (self->off_diagonal && self->weights == NULL)
    return hl_heatmap_extremes_find (&part, &self->extremes, cancellable, error);
  if (self->off_diagonal)
    take_off_diagonal (&self->extremes, &part, 0, self->queries.n, self->weights);
  hl_heatmap_extremes_remember (&part, &self->extremes);
  return TRUE;
}

static gboolean
find_masked (const HlHeatmapData *self,
             const float         *weights,
             gsize                n)
{
  const HlMask *mask = hl_attention_source_get_mask (self->source, self->layer);

  for (gsize i = 0; mask->scattered && i < n; i++)
    if (hl_weight_is_masked (mask, weights[i]))
      return TRUE;
  return FALSE;
}

/* Fills pooled with the whole as hl_heatmap_data_pool() does, if it is there: of a head that is not kept, whoever
 * wants both has them at the price of one. */
gboolean
hl_heatmap_data_read (HlHeatmapData *self,
                      gsize          n_rows,
                      gsize          n_columns,
                      float         *pooled,
                      GCancellable  *cancellable,
                      GError       **error)
{
  const HlRange rows = { 0, self->queries.n };
  const HlRange columns = { 0, self->keys.n };
  const gboolean is_kept = columns.n == 0 || rows.n <= MAX_KEPT / columns.n;

  self->row_max = g_new0 (float, MAX (rows.n, 1));
  self->extremes = (HlHeatmapExtremes) HL_HEATMAP_EXTREMES_INIT;
  if (rows.n == 0 || columns.n == 0)
    return TRUE;

  const HlAttentionRequest request = is_kept          ? make_request (self, rows, columns, rows.n, columns.n)
                                     : pooled != NULL ? make_request (self, rows, columns, n_rows, n_columns)
                                                      : make_request (self, rows, columns, 1, 1);
  g_autofree HlRowExtremes *extremes = g_new (HlRowExtremes, rows.n);
  if (is_kept)
    self->weights = g_new (float, rows.n *columns.n);
  if (!hl_attention_source_examine (self->source, &request, is_kept ? self->weights : pooled, extremes, cancellable,
                                    error))
    return FALSE;
  if (is_kept && self->whole != NULL)
    {
      self->unfiltered = g_new (float, rows.n *columns.n);
      if (!hl_attention_source_read (self->whole, &request, self->unfiltered, cancellable, error))
        return FALSE;
    }
  for (gsize i = 0; i < rows.n; i++)
    examine (self, i, &extremes[i]);
  if (is_kept)
    self->has_masked = find_masked (self, self->weights, rows.n * columns.n);
  else if (pooled != NULL)
    self->has_masked = find_masked (self, pooled, n_rows * n_columns);
  if (!finish_extremes (self, cancellable, error))
    return FALSE;
  return !is_kept || pooled == NULL ||
         hl_heatmap_data_pool (self, rows, columns, n_rows, n_columns, pooled, cancellable, error);
}

static gboolean
read_numbers (HlSceneData       *data,
              const HlSceneData *known,
              GCancellable      *cancellable,
              GError           **error)
{
  return hl_heatmap_data_read ((HlHeatmapData *) data, 0, 0, NULL, cancellable, error);
}

static const HlSceneDataClass data_class = { equal, read_numbers, clear };

HlHeatmapData *
hl_heatmap_data_new (const HlShown *shown)
{
  HlHeatmapData *self = g_atomic_rc_box_new0 (HlHeatmapData);

  self->parent.klass = &data_class;
  self->source = g_object_ref (shown->filtered);
  /* Cumulative mass is of what is left. */
  if (shown->filtered != shown->source && !shown->is_cumulative)
    self->whole = g_object_ref (shown->source);
  self->is_signed = hl_attention_source_is_signed (self->source);
  self->layer = shown->layer;
  self->head = shown->head;
  self->queries = shown->queries;
  self->keys = shown->keys;
  self->off_diagonal = shown->value_scale == HL_VALUE_SCALE_OFF_DIAGONAL;
  return self;
}

/* Rows of the weights that are kept, as one row of the answer. Where there is nothing but −∞ there is nothing to see. */
static void
pool_rows (const HlHeatmapData *self,
           HlPool              *pool,
           HlRange              rows,
           HlRange              columns,
           float               *target)
{
  for (gsize row = rows.first; row < rows.first + rows.n; row++)
    hl_pool_add (pool, self->weights + row * self->keys.n + columns.first);
  hl_pool_finish (pool, target);
  for (gsize j = 0; j < pool->n_columns && !self->is_signed; j++)
    if (target[j] == -INFINITY)
      target[j] = NAN;
}

/* A part of the head with cells that fall together as their largest, as HlAttentionRequest says: from memory if the
 * weights are kept, else from the source. */
gboolean
hl_heatmap_data_pool (const HlHeatmapData *self,
                      HlRange              rows,
                      HlRange              columns,
                      gsize                n_rows,
                      gsize                n_columns,
                      float               *target,
                      GCancellable        *cancellable,
                      GError             **error)
{
  const HlAttentionRequest request = make_request (self, rows, columns, n_rows, n_columns);
  g_auto (HlPool) pool = { 0 };

  if (self->weights == NULL)
    return hl_attention_source_read (self->source, &request, target, cancellable, error);
  if (!hl_pool_init (&pool, &request, self->is_signed, error))
    return FALSE;
  for (gsize i = 0; i < n_rows; i++)
    {
      const gsize row = hl_pool_get_bin_start (i, n_rows, rows.n);
      const gsize end = hl_pool_get_bin_start (i + 1, n_rows, rows.n);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (n_rows == rows.n && n_columns == columns.n)
        memcpy (target + i * n_columns, self->weights + (rows.first + row) * self->keys.n + columns.first,
                n_columns * sizeof (float));
      else
        pool_rows (self, &pool, (HlRange){ rows.first + row, end - row }, columns, target + i * n_columns);
    }
  return TRUE;
}
