/* SPDX-License-Identifier: MIT */
/* The maps of a generation: where the queries and keys of each step stand among those of all, and what all layers of
 * them are together. */
#include "core/document/read/base/hl-dump-steps.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/document/attention/hl-attention.h"

/**
 * HlStepsPart:
 * @layer: the maps of one step, of one layer
 * @first_row: the row of the whole that its first query is
 * @n_rows: how many of its queries are taken
 * @first_column: the column of the whole that its first key is
 * @n_columns: how many of its keys are taken
 * @items: (nullable) (array): for each item of the whole's batch, which of the part's it is, or -1 if the step has
 *   nothing for it; %NULL if they
 *   are the same
 *
 * Some rows of a map that comes in parts.
 */
typedef struct
{
  HlLayerTensor layer;
  guint64 first_row;
  guint64 n_rows;
  guint64 first_column;
  guint64 n_columns;
  const gint64 *items;
} HlStepsPart;

#define HL_TYPE_STEPS_TENSOR (hl_steps_tensor_get_type ())
/**
 * HlStepsTensor:
 *
 * The maps of a layer over the steps of a generation, each step's rows below those of the step before. What no step
 * says is 0. Put together when
 * it is read.
 */
G_DECLARE_FINAL_TYPE (HlStepsTensor, hl_steps_tensor, HL, STEPS_TENSOR, HlTensor)

struct _HlStepsTensor
{
  HlTensor parent_instance;

  HlStepsPart *parts; /* in the order of their rows, which do not overlap */
  guint n_parts;
  GBytes *items; /* what the parts' items point into */
};

G_DEFINE_FINAL_TYPE (HlStepsTensor, hl_steps_tensor, HL_TYPE_TENSOR)

/* The first part that has rows at @row or below. */
static guint
find_part (HlStepsTensor *self,
           guint64        row)
{
  guint low = 0, high = self->n_parts;

  while (low < high)
    {
      const guint middle = low + (high - low) / 2;
      const HlStepsPart *part = &self->parts[middle];
      if (part->first_row + part->n_rows <= row)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Copies what a part has of a region. */
static gboolean
read_part (const HlStepsPart *part,
           guint64            item,
           guint64            head,
           const guint64     *start,
           const guint64     *count,
           float             *target,
           GCancellable      *cancellable,
           GError           **error)
{
  const guint64 top = MAX (start[2], part->first_row);
  const guint64 bottom = MIN (start[2] + count[2], part->first_row + part->n_rows);
  const guint64 left = MAX (start[3], part->first_column);
  const guint64 right = MIN (start[3] + count[3], part->first_column + part->n_columns);
  const gint64 own_item = part->items != NULL ? part->items[item] : (gint64) item;
  HlLayerTensor layer = part->layer;

  if (own_item < 0 || top >= bottom || left >= right)
    return TRUE;
  layer.batch = (guint64) own_item;
  target += (top - start[2]) * count[3] + (left - start[3]);
  const guint64 width = right - left, height = bottom - top;
  if (width == count[3] || height == 1)
    return hl_layer_tensor_read (&layer, head, top - part->first_row, height, left - part->first_column, width, target,
                                 cancellable, error);

  g_autofree float *rows = g_try_malloc_n (height * width, sizeof (float));
  if (rows == NULL)
    return hl_error_set_no_memory (error);
  if (!hl_layer_tensor_read (&layer, head, top - part->first_row, height, left - part->first_column, width, rows,
                             cancellable, error))
    return FALSE;
  for (guint64 row = 0; row < height; row++)
    memcpy (target + row * count[3], rows + row * width, width * sizeof (float));
  return TRUE;
}

static gboolean
hl_steps_tensor_read_f32 (HlTensor      *tensor,
                          const guint64 *start,
                          const guint64 *count,
                          float         *target,
                          GCancellable  *cancellable,
                          GError       **error)
{
  HlStepsTensor *self = HL_STEPS_TENSOR (tensor);
  const guint64 n_numbers = count[2] * count[3];

  if (count[0] == 0 || count[1] == 0 || n_numbers == 0)
    return TRUE;
  for (guint64 item = 0; item < count[0]; item++)
    for (guint64 head = 0; head < count[1]; head++)
      {
        memset (target, 0, n_numbers * sizeof (float));
        for (guint i = find_part (self, start[2]); i < self->n_parts && self->parts[i].first_row < start[2] + count[2];
             i++)
          if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
              !read_part (&self->parts[i], start[0] + item, start[1] + head, start, count, target, cancellable, error))
            return FALSE;
        target += n_numbers;
      }
  return TRUE;
}

static guint64
hl_steps_tensor_get_stored (HlTensor *tensor)
{
  HlStepsTensor *self = HL_STEPS_TENSOR (tensor);
  guint64 stored = 0;

  for (guint i = 0; i < self->n_parts; i++)
    if (!g_uint64_checked_add (&stored, stored, hl_tensor_get_stored (self->parts[i].layer.tensor)))
      return G_MAXUINT64;
  /* What no step has is zero, and made here: never nothing at all, which would be one number all over. */
  return MAX (stored, 1);
}

static void
hl_steps_tensor_finalize (GObject *object)
{
  HlStepsTensor *self = HL_STEPS_TENSOR (object);

  for (guint i = 0; i < self->n_parts; i++)
    g_object_unref (self->parts[i].layer.tensor);
  g_free (self->parts);
  g_clear_pointer (&self->items, g_bytes_unref);
  G_OBJECT_CLASS (hl_steps_tensor_parent_class)->finalize (object);
}

static void
hl_steps_tensor_class_init (HlStepsTensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_steps_tensor_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = hl_steps_tensor_read_f32;
  HL_TENSOR_CLASS (klass)->get_stored = hl_steps_tensor_get_stored;
}

static void
hl_steps_tensor_init (HlStepsTensor *self)
{
}

static HlTensor *
hl_steps_tensor_new (const HlStepsPart *parts,
                     guint              n_parts,
                     guint64            n_batch,
                     guint64            n_rows,
                     guint64            n_columns,
                     GBytes            *items)
{
  HlStepsTensor *self = g_object_new (HL_TYPE_STEPS_TENSOR, NULL);
  const HlShape shape = { 4, { n_batch, hl_layer_tensor_get_n_heads (&parts->layer), n_rows, n_columns } };

  self->parts = g_memdup2 (parts, n_parts * sizeof *parts);
  self->n_parts = n_parts;
  for (guint i = 0; i < n_parts; i++)
    g_object_ref (parts[i].layer.tensor);
  self->items = items != NULL ? g_bytes_ref (items) : NULL;
  hl_tensor_set_layout (HL_TENSOR (self), hl_tensor_get_dtype (parts->layer.tensor), &shape);
  return HL_TENSOR (self);
}

/* Rows are read so many numbers at a time. */
#define BAND_NUMBERS (1u << 20)

/* Maps of so many numbers are read whole: it takes no longer than two of their rows, which lie apart. */
#define SMALL_NUMBERS (1u << 12)

typedef struct
{
  HlArchive *archive;
  const HlLayoutAttention *attention;
  GCancellable *cancellable;
  guint per_step;         /* tensors of a step */
  HlDumpMaps *steps;      /* of each step, all layers or the first tensor only */
  guint64 *n_queries;     /* of each step, without rows that only fill it up */
  guint64 *first_queries; /* of each step, and behind the last one where a next would begin */
  gboolean keys_move; /* whether keys end at the query, as they do with a cache; else all are there from the start */
  int layer;          /* by which is told how far steps are filled; -1 if none has a weight */
  guint64 n_batch;
  GBytes *items; /* of each step, for each sequence, the item of the batch */
} Steps;

static void
clear_steps (Steps *self)
{
  for (guint i = 0; i < self->attention->n_steps; i++)
    hl_dump_maps_clear (&self->steps[i]);
  g_free (self->steps);
  g_free (self->n_queries);
  g_free (self->first_queries);
  g_clear_pointer (&self->items, g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Steps, clear_steps)

static gboolean
fail_sizes (const char *path,
            const char *first,
            GError    **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
               _ ("“%s” does not have the heads, queries and batch items that go with “%s”"), path, first);
  return FALSE;
}

/* Adds the layers of one tensor to those of its step. */
static gboolean
open_tensor (Steps   *self,
             guint    step,
             guint    index,
             GError **error)
{
  HlLayoutAttention attention = hl_layout_attention_get_step (self->attention, step);
  const char *first = attention.paths[0];
  char *path = attention.paths[index];
  char *paths[] = { path, NULL };
  HlDumpMaps *maps = &self->steps[step];
  g_auto (HlDumpMaps) part = { 0 };

  attention.paths = paths;
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error) ||
      !hl_dump_maps_open_layout (&part, self->archive, &attention, self->cancellable, error))
    return FALSE;
  if (maps->n_layers > 0 && (part.n_layers > 1 || part.n_batch != maps->n_batch ||
                             hl_layer_tensor_get_n_rows (part.layers) != hl_layer_tensor_get_n_rows (maps->layers)))
    return fail_sizes (path, first, error);
  maps->layers = g_renew (HlLayerTensor, maps->layers, maps->n_layers + part.n_layers);
  for (guint i = 0; i < part.n_layers; i++)
    {
      maps->layers[maps->n_layers + i] = part.layers[i];
      g_object_ref (part.layers[i].tensor);
    }
  maps->n_layers += part.n_layers;
  maps->n_batch = part.n_batch;
  return TRUE;
}

static gboolean
open_rest (Steps   *self,
           guint    step,
           GError **error)
{
  if (!hl_limit_check (self->attention->paths[0], self->per_step, HL_LIMIT_LAYERS, _ ("layers"), error))
    return FALSE;
  for (guint i = 1; i < self->per_step; i++)
    if (!open_tensor (self, step, i, error))
      return FALSE;
  return TRUE;
}

/* How far rows of a layer are filled on @side: the place behind the last on it where any head of any item has a weight; 0 if none has one. A head
 * may be switched off, or give all its weight to one key, so that one alone does not tell. Heads are read together, and items: one by one, what is
 * packed together would be unpacked for each of them. */
static gboolean
find_end (const Steps *self,
          guint        step,
          guint        layer_index,
          guint64      first_row,
          guint64      n_rows,
          HlSide       side,
          guint64     *end,
          GError     **error)
{
  const HlLayerTensor *layer = &self->steps[step].layers[layer_index];
  const HlShape *shape = hl_tensor_get_shape (layer->tensor);
  const guint64 n_heads = hl_layer_tensor_get_n_heads (layer), n_items = self->steps[step].n_batch;
  const guint64 n_columns = hl_layer_tensor_get_n_columns (layer);
  const guint64 band = CLAMP (BAND_NUMBERS / (n_rows * n_columns), 1, n_heads);
  const guint64 item_band = CLAMP (BAND_NUMBERS / (n_rows * n_columns) / n_heads, 1, n_items);
  const guint64 n_most = side == HL_QUERIES ? n_rows : n_columns;
  const guint axis = (guint) (side == HL_QUERIES ? layer->row_axis : layer->column_axis);
  guint64 start[HL_LIMIT_RANK] = { 0 }, count[HL_LIMIT_RANK];
  g_autofree float *weights = g_try_malloc_n (item_band * band * n_rows, n_columns * sizeof (float));

  if (weights == NULL)
    return hl_error_set_no_memory (error);
  for (guint i = 0; i < shape->rank; i++)
    count[i] = 1;
  if (layer->layer_axis >= 0)
    start[layer->layer_axis] = layer->layer;
  start[layer->row_axis] = first_row;
  count[layer->row_axis] = n_rows;
  count[layer->column_axis] = n_columns;
  *end = 0;
  for (guint64 item = 0; item < n_items; item += item_band)
    for (guint64 head = 0; head < n_heads && *end < n_most; head += band)
      {
        const guint64 n_read = MIN (band, n_heads - head), n_items_read = MIN (item_band, n_items - item);
        guint64 stride = 1;

        if (layer->batch_axis >= 0)
          {
            start[layer->batch_axis] = item;
            count[layer->batch_axis] = n_items_read;
          }
        if (layer->head_axis >= 0)
          {
            start[layer->head_axis] = head;
            count[layer->head_axis] = n_read;
          }
        if (!hl_tensor_read_f32 (layer->tensor, start, count, weights, self->cancellable, error))
          return FALSE;
        for (guint i = axis + 1; i < shape->rank; i++)
          stride *= count[i];
        for (guint64 i = 0; i < n_items_read * n_read * n_rows * n_columns; i++)
          if (weights[i] != 0)
            *end = MAX (*end, i / stride % n_most + 1);
      }
  return TRUE;
}

/* The layer by which is told how far steps are filled: the first that has weights. Of steps that have a tensor for each layer the first of these
 * is there in any case, others need not be. */
static gboolean
find_layer (Steps   *self,
            GError **error)
{
  const guint64 n_rows = hl_layer_tensor_get_n_rows (self->steps[0].layers);
  guint n_layers = self->per_step > 1 ? 1 : self->steps[0].n_layers;

  self->layer = -1;
  for (guint i = 1; i < self->attention->n_steps; i++)
    n_layers = MIN (n_layers, self->steps[i].n_layers);
  for (guint layer = 0; layer < n_layers && self->layer < 0; layer++)
    {
      guint64 first, last;

      if (!find_end (self, 0, layer, 0, 1, HL_KEYS, &first, error) ||
          !find_end (self, 0, layer, n_rows - 1, 1, HL_KEYS, &last, error))
        return FALSE;
      if (first > 0 || last > 0)
        self->layer = (int) layer;
    }
  return TRUE;
}

/* How many of @row's keys there are up to the last that has a weight. */
static gboolean
count_used (const Steps *self,
            guint        step,
            guint64      row,
            guint64     *n_used,
            GError     **error)
{
  return find_end (self, step, (guint) self->layer, row, 1, HL_KEYS, n_used, error);
}

/* How many rows there are up to the last that has a weight, which is the second or a later one; the last of all has none.
 * Read in bands: row by row, what is packed together would be unpacked for each of them. */
static gboolean
find_last_row (const Steps *self,
               guint        step,
               guint64     *n,
               GError     **error)
{
  const HlLayerTensor *layer = &self->steps[step].layers[self->layer];
  const guint64 band = MAX (BAND_NUMBERS / hl_layer_tensor_get_n_columns (layer), 1);
  guint64 end = 0;

  *n = hl_layer_tensor_get_n_rows (layer) - 1;
  while (*n > 2 && end == 0)
    {
      const guint64 first = *n > band + 2 ? *n - band : 2;

      if (!find_end (self, step, (guint) self->layer, first, *n - first, HL_QUERIES, &end, error))
        return FALSE;
      *n = first + end;
    }
  return TRUE;
}

/* Counts the queries of a step. In a tensor that all steps share, those that have fewer than others are filled up with
 * rows of zeros: most often all but the first, which is of a prompt, have only one. */
static gboolean
count_queries (Steps   *self,
               guint    step,
               GError **error)
{
  guint64 *n = &self->n_queries[step];
  guint64 n_used;

  *n = hl_layer_tensor_get_n_rows (self->steps[step].layers);
  if (self->attention->outer == 0 || *n == 1 || self->layer < 0)
    return TRUE;
  if (*n <= SMALL_NUMBERS / hl_layer_tensor_get_n_columns (self->steps[step].layers))
    {
      if (!find_end (self, step, (guint) self->layer, 0, *n, HL_QUERIES, &n_used, error))
        return FALSE;
      *n = MAX (n_used, 1);
      return TRUE;
    }
  if (!count_used (self, step, *n - 1, &n_used, error))
    return FALSE;
  if (n_used > 0)
    return TRUE;
  if (!count_used (self, step, 1, &n_used, error))
    return FALSE;
  if (n_used > 0)
    return find_last_row (self, step, n, error);
  /* Only the first has weights. */
  *n = 1;
  return TRUE;
}

/* The first query of steps that have room for all keys from the start: what stands before it follows from the keys that
 * have weights, if these become more with each query. */
static gboolean
find_first_query (Steps   *self,
                  GError **error)
{
  const guint last = self->attention->n_steps - 1;
  guint64 n_first, n_last, n_later = 0;

  if (self->layer < 0)
    return TRUE;
  if (!count_used (self, 0, self->n_queries[0] - 1, &n_first, error) ||
      !count_used (self, last, self->n_queries[last] - 1, &n_last, error))
    return FALSE;
  for (guint i = 1; i <= last; i++)
    n_later += self->n_queries[i];
  if (n_first > self->n_queries[0] && n_last == n_first + n_later)
    self->first_queries[0] = n_first - self->n_queries[0];
  return TRUE;
}

static void
keep_places (const Steps *self)
{
  const gsize n_steps = self->attention->n_steps;
  guint64 *places = g_new (guint64, n_steps + 3);
  g_autoptr (GBytes) bytes = g_bytes_new_take (places, (n_steps + 3) * sizeof *places);

  memcpy (places, self->first_queries, (n_steps + 1) * sizeof *places);
  places[n_steps + 1] = (guint64) self->keys_move;
  places[n_steps + 2] = (guint64) (self->layer + 1);
  /* Another thread may have counted them meanwhile. */
  if (g_atomic_pointer_compare_and_exchange (self->attention->places, NULL, bytes))
    g_steal_pointer (&bytes);
}

/* Takes the places that were found when a step was opened before. Returns whether there are any. */
static gboolean
take_places (Steps *self)
{
  const gsize n_steps = self->attention->n_steps;
  GBytes *kept = g_atomic_pointer_get (self->attention->places);
  const guint64 *places = kept != NULL ? g_bytes_get_data (kept, NULL) : NULL;

  if (places == NULL)
    return FALSE;
  memcpy (self->first_queries, places, (n_steps + 1) * sizeof *places);
  for (gsize i = 0; i < n_steps; i++)
    self->n_queries[i] = places[i + 1] - places[i];
  self->keys_move = places[n_steps + 1] != 0;
  self->layer = (int) places[n_steps + 2] - 1;
  return TRUE;
}

/* Where the queries of each step stand: behind those of the step before. The first may come after keys of which there
 * are no queries. */
static gboolean
place_queries (Steps   *self,
               GError **error)
{
  const guint n_steps = self->attention->n_steps;
  const guint64 n_queries = hl_layer_tensor_get_n_rows (self->steps[0].layers);
  const guint64 n_keys = hl_layer_tensor_get_n_columns (self->steps[0].layers);

  if (take_places (self))
    return TRUE;
  self->keys_move = n_queries == n_keys && n_queries > 1;
  for (guint i = 1; i < n_steps; i++)
    self->keys_move |= hl_layer_tensor_get_n_columns (self->steps[i].layers) != n_keys;
  self->keys_move &= self->attention->kind != HL_ATTENTION_CROSS;
  self->first_queries[0] = self->keys_move && n_keys > n_queries ? n_keys - n_queries : 0;
  if (!find_layer (self, error))
    return FALSE;
  for (guint i = 0; i < n_steps; i++)
    if (!count_queries (self, i, error))
      return FALSE;
  if (!self->keys_move && self->attention->kind != HL_ATTENTION_CROSS && !find_first_query (self, error))
    return FALSE;
  for (guint i = 0; i < n_steps; i++)
    self->first_queries[i + 1] = self->first_queries[i] + self->n_queries[i];
  if (!hl_limit_check (self->attention->paths[0], self->first_queries[n_steps], HL_LIMIT_POSITIONS, _ ("queries"),
                       error))
    return FALSE;
  keep_places (self);
  return TRUE;
}

/* The first key of a step: keys of a sliding window end at the last query. */
static guint64
get_first_key (const Steps         *self,
               guint                step,
               const HlLayerTensor *layer)
{
  const guint64 end = self->first_queries[step + 1];
  const guint64 n_keys = hl_layer_tensor_get_n_columns (layer);

  return self->keys_move && n_keys < end ? end - n_keys : 0;
}

/* The keys of steps @from to @to, which have all their layers. */
static gboolean
count_keys (const Steps *self,
            guint        from,
            guint        to,
            guint64     *n_keys,
            GError     **error)
{
  const guint64 end = self->first_queries[to];
  guint64 n_used = G_MAXUINT64;

  *n_keys = 0;
  for (guint step = from; step < to; step++)
    for (guint i = 0; i < self->steps[step].n_layers; i++)
      {
        const HlLayerTensor *layer = &self->steps[step].layers[i];
        *n_keys = MAX (*n_keys, get_first_key (self, step, layer) + hl_layer_tensor_get_n_columns (layer));
      }
  /* Room that a cache has, but nothing is in it yet, is without weight in the last row. */
  if (self->attention->kind != HL_ATTENTION_CROSS && !self->keys_move && self->layer >= 0 &&
      hl_layer_tensor_get_n_columns (self->steps[to - 1].layers) > end &&
      !count_used (self, to - 1, self->n_queries[to - 1] - 1, &n_used, error))
    return FALSE;
  if (n_used <= end)
    *n_keys = end;
  return hl_limit_check (self->attention->paths[0], *n_keys, HL_LIMIT_POSITIONS, _ ("keys"), error);
}

/* Which item of the batch each sequence is at each step, where beams change places. Numbers that cannot be that are
 * left out. */
static gboolean
read_beams (Steps   *self,
            GError **error)
{
  g_autoptr (HlTensor) tensor =
    self->attention->beams != NULL ? hl_archive_open_tensor (self->archive, self->attention->beams, NULL) : NULL;
  const HlShape *shape = tensor != NULL ? hl_tensor_get_shape (tensor) : NULL;
  const guint64 n_items = self->n_batch;

  if (shape == NULL || shape->rank != 2 || shape->dims[0] == 0 || shape->dims[1] < self->attention->n_steps ||
      shape->dims[0] > HL_LIMIT_BATCH_ITEMS / self->attention->n_steps)
    return TRUE;
  const guint64 n = shape->dims[0], n_steps = self->attention->n_steps;
  const guint64 start[] = { 0, 0 }, count[] = { n, n_steps };
  g_autofree float *numbers = g_new (float, n *n_steps);
  g_autofree gint64 *items = g_new (gint64, n * n_steps);
  if (!hl_tensor_read_f32 (tensor, start, count, numbers, self->cancellable, error))
    return FALSE;
  for (guint64 i = 0; i < n; i++)
    for (guint64 step = 0; step < n_steps; step++)
      {
        const float item = numbers[i * n_steps + step];
        if (!(item >= -1 && item < (float) n_items))
          return TRUE;
        items[step * n + i] = (gint64) item;
      }
  self->items = g_bytes_new_take (g_steal_pointer (&items), n * n_steps * sizeof (gint64));
  self->n_batch = n;
  return TRUE;
}

/* One layer of steps @from to @to. */
static gboolean
join_layer (const Steps   *self,
            guint          from,
            guint          to,
            guint          index,
            guint64        n_keys,
            HlLayerTensor *layer,
            GError       **error)
{
  const gint64 *items = self->items != NULL ? g_bytes_get_data (self->items, NULL) : NULL;
  g_autofree HlStepsPart *parts = g_new0 (HlStepsPart, to - from);

  for (guint step = from; step < to; step++)
    {
      const HlDumpMaps *maps = &self->steps[step];
      HlStepsPart *part = &parts[step - from];

      part->layer = maps->layers[index];
      part->first_row = self->first_queries[step] - self->first_queries[from];
      part->n_rows = self->n_queries[step];
      part->first_column = get_first_key (self, step, &part->layer);
      part->n_columns = MIN (hl_layer_tensor_get_n_columns (&part->layer), n_keys - part->first_column);
      part->items = items != NULL ? items + step * self->n_batch : NULL;
      if (hl_layer_tensor_get_n_heads (&part->layer) != hl_layer_tensor_get_n_heads (&parts->layer))
        return fail_sizes (hl_layout_attention_get_step (self->attention, step).paths[0],
                           hl_layout_attention_get_step (self->attention, from).paths[0], error);
    }
  *layer = (HlLayerTensor){
    .tensor = hl_steps_tensor_new (parts, to - from, self->n_batch, self->first_queries[to] - self->first_queries[from],
                                   n_keys, self->items),
    .layer_axis = -1,
    .batch_axis = 0,
    .head_axis = 1,
    .row_axis = 2,
    .column_axis = 3,
  };
  return TRUE;
}

static gboolean
check_n_steps (const HlLayoutAttention *attention,
               guint                    n_layers,
               GError                 **error)
{
  return hl_limit_check (attention->paths[0], attention->n_steps, HL_LIMIT_PARTS / MAX (n_layers, 1), _ ("steps"),
                         error);
}

static gboolean
open_steps (Steps   *self,
            gint64   only,
            GError **error)
{
  for (guint step = 0; step < self->attention->n_steps; step++)
    {
      if (!open_tensor (self, step, 0, error) ||
          (step == 0 && !check_n_steps (self->attention, self->steps[0].n_layers, error)) ||
          ((only == HL_DUMP_ALL_STEPS || only == step) && !open_rest (self, step, error)))
        return FALSE;
      if (self->steps[step].n_batch != self->steps[0].n_batch ||
          (only == HL_DUMP_ALL_STEPS && self->steps[step].n_layers != self->steps[0].n_layers))
        return fail_sizes (hl_layout_attention_get_step (self->attention, step).paths[0], self->attention->paths[0],
                           error);
    }
  self->n_batch = self->steps[0].n_batch;
  return place_queries (self, error) && read_beams (self, error);
}

/* Opens the maps of one step, or those of all steps as one map a head: each query below those of the steps before. A
 * key that was not there yet when a query looked, or that had left a sliding window, has a weight of 0. Room that a
 * cache has for keys that never came is left out. */
gboolean
hl_dump_steps_open (HlDumpMaps              *self,
                    HlArchive               *archive,
                    const HlLayoutAttention *attention,
                    gint64                   step,
                    GCancellable            *cancellable,
                    GError                 **error)
{
  if (!check_n_steps (attention, 1, error))
    return FALSE;
  const guint from = step == HL_DUMP_ALL_STEPS ? 0 : (guint) step;
  const guint to = step == HL_DUMP_ALL_STEPS ? attention->n_steps : (guint) step + 1;
  g_auto (Steps) steps = {
    .archive = archive,
    .attention = attention,
    .cancellable = cancellable,
    .per_step = hl_layout_attention_get_per_step (attention),
    .steps = g_new0 (HlDumpMaps, attention->n_steps),
    .n_queries = g_new0 (guint64, attention->n_steps),
    .first_queries = g_new0 (guint64, attention->n_steps + 1),
  };
  guint64 n_keys;

  if (!open_steps (&steps, step, error) || !count_keys (&steps, from, to, &n_keys, error))
    return FALSE;
  const guint n_layers = steps.steps[from].n_layers;
  self->layers = g_new0 (HlLayerTensor, n_layers);
  self->n_batch = steps.n_batch;
  self->first_query = steps.first_queries[from];
  self->is_generation = TRUE;
  for (guint i = 0; i < n_layers; i++)
    {
      if (!join_layer (&steps, from, to, i, n_keys, &self->layers[i], error))
        {
          hl_dump_maps_clear (self);
          return FALSE;
        }
      self->n_layers++;
    }
  return TRUE;
}
