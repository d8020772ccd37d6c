/* SPDX-License-Identifier: MIT */
/* The maps of a generation: where the queries and keys of each step stand among those of all, and what all layers of
 * them are together. */
#include "core/document/read/hl-dump-steps.h"

#include <glib/gi18n-lib.h>

#include "core/base/hl-error.h"
#include "core/document/attention/hl-steps-tensor.h"

/* The most layers of all steps together. */
#define MAX_PARTS 250000

/* The most numbers that say which item of a batch a sequence is at each step. */
#define MAX_ITEMS 1000000

typedef struct
{
  HlArchive *archive;
  const HlLayoutAttention *attention;
  GCancellable *cancellable;
  guint per_step;         /* tensors of a step */
  HlDumpMaps *steps;      /* of each step, all layers or the first tensor only */
  guint64 *n_queries;     /* of each step, without rows that only fill it up */
  guint64 *first_queries; /* of each step, and behind the last one where a next would begin */
  gboolean
    keys_move; /* whether keys end at the query, as they do with a cache; else all are there from the start */
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
               _ ("“%s” does not have the heads, queries and batch items that go with “%s”"), path,
               first);
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
  if (maps->n_layers > 0 &&
      (part.n_layers > 1 || part.n_batch != maps->n_batch ||
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
  if (!hl_dump_maps_check_limit (self->attention->paths[0], self->per_step, HL_MAX_LAYERS, _ ("layers"), error))
    return FALSE;
  for (guint i = 1; i < self->per_step; i++)
    if (!open_tensor (self, step, i, error))
      return FALSE;
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
  const HlLayerTensor *layer = self->steps[step].layers;
  const guint64 n = hl_layer_tensor_get_n_columns (layer);
  g_autofree float *weights = g_new (float, n);

  if (!hl_layer_tensor_read (layer, 0, row, 1, 0, n, weights, self->cancellable, error))
    return FALSE;
  for (*n_used = n; *n_used > 0 && weights[*n_used - 1] == 0; --*n_used)
    ;
  return TRUE;
}

/* Counts the queries of a step. In a tensor that all steps share, those that have fewer than others are filled up with
 * rows of zeros: most often all but the first, which is of a prompt, have only one. */
static gboolean
count_queries (Steps   *self,
               guint    step,
               GError **error)
{
  const guint64 n_rows = hl_layer_tensor_get_n_rows (self->steps[step].layers);
  guint64 n = n_rows, n_used;

  for (; self->attention->outer > 0 && n > 1; n--)
    {
      if (!count_used (self, step, n - 1, &n_used, error))
        return FALSE;
      if (n_used > 0)
        break;
      if (n < n_rows)
        continue;
      if (!count_used (self, step, 1, &n_used, error))
        return FALSE;
      /* Only the first has weights. */
      if (n_used == 0)
        n = 2;
    }
  self->n_queries[step] = n;
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

  if (!count_used (self, 0, self->n_queries[0] - 1, &n_first, error) ||
      !count_used (self, last, self->n_queries[last] - 1, &n_last, error))
    return FALSE;
  for (guint i = 1; i <= last; i++)
    n_later += self->n_queries[i];
  if (n_first > self->n_queries[0] && n_last == n_first + n_later)
    self->first_queries[0] = n_first - self->n_queries[0];
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

  self->keys_move = n_queries == n_keys && n_queries > 1;
  for (guint i = 1; i < n_steps; i++)
    self->keys_move |= hl_layer_tensor_get_n_columns (self->steps[i].layers) != n_keys;
  self->keys_move &= self->attention->kind != HL_ATTENTION_CROSS;
  self->first_queries[0] = self->keys_move && n_keys > n_queries ? n_keys - n_queries : 0;
  for (guint i = 0; i < n_steps; i++)
    if (!count_queries (self, i, error))
      return FALSE;
  if (!self->keys_move && self->attention->kind != HL_ATTENTION_CROSS && !find_first_query (self, error))
    return FALSE;
  for (guint i = 0; i < n_steps; i++)
    self->first_queries[i + 1] = self->first_queries[i] + self->n_queries[i];
  return hl_dump_maps_check_limit (self->attention->paths[0], self->first_queries[n_steps], HL_MAX_POSITIONS,
                                   _ ("queries"), error);
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

/* Whether keys from @first on are without weight in the last row of a step: room that a cache has, but nothing is in
 * it yet. */
static gboolean
are_unused (const Steps *self,
            guint        step,
            guint64      first,
            gboolean    *unused,
            GError     **error)
{
  const HlLayerTensor *layer = self->steps[step].layers;
  const guint64 n = hl_layer_tensor_get_n_columns (layer) - first;
  g_autofree float *row = g_new (float, n);

  if (!hl_layer_tensor_read (layer, 0, self->n_queries[step] - 1, 1, first, n, row, self->cancellable, error))
    return FALSE;
  *unused = TRUE;
  for (guint64 i = 0; i < n; i++)
    *unused &= row[i] == 0;
  return TRUE;
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
  gboolean unused = FALSE;

  *n_keys = 0;
  for (guint step = from; step < to; step++)
    for (guint i = 0; i < self->steps[step].n_layers; i++)
      {
        const HlLayerTensor *layer = &self->steps[step].layers[i];
        *n_keys =
          MAX (*n_keys, get_first_key (self, step, layer) + hl_layer_tensor_get_n_columns (layer));
      }
  if (self->attention->kind != HL_ATTENTION_CROSS && !self->keys_move &&
      hl_layer_tensor_get_n_columns (self->steps[to - 1].layers) > end &&
      !are_unused (self, to - 1, end, &unused, error))
    return FALSE;
  if (unused)
    *n_keys = end;
  return hl_dump_maps_check_limit (self->attention->paths[0], *n_keys, HL_MAX_POSITIONS, _ ("keys"), error);
}

/* Which item of the batch each sequence is at each step, where beams change places. Numbers that cannot be that are
 * left out. */
static gboolean
read_beams (Steps   *self,
            GError **error)
{
  g_autoptr (HlTensor) tensor = self->attention->beams != NULL
                                  ? hl_archive_open_tensor (self->archive, self->attention->beams, NULL)
                                  : NULL;
  const HlShape *shape = tensor != NULL ? hl_tensor_get_shape (tensor) : NULL;
  const guint64 n_items = self->n_batch;

  if (shape == NULL || shape->rank != 2 || shape->dims[0] == 0 ||
      shape->dims[1] < self->attention->n_steps || shape->dims[0] > MAX_ITEMS / self->attention->n_steps)
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
      part->n_columns =
        MIN (hl_layer_tensor_get_n_columns (&part->layer), n_keys - part->first_column);
      part->items = items != NULL ? items + step * self->n_batch : NULL;
      if (hl_layer_tensor_get_n_heads (&part->layer) != hl_layer_tensor_get_n_heads (&parts->layer))
        return fail_sizes (hl_layout_attention_get_step (self->attention, step).paths[0],
                           hl_layout_attention_get_step (self->attention, from).paths[0], error);
    }
  *layer = (HlLayerTensor){
    .tensor = hl_steps_tensor_new (parts, to - from, self->n_batch,
                                   self->first_queries[to] - self->first_queries[from], n_keys,
                                   self->items),
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
  return hl_dump_maps_check_limit (attention->paths[0], attention->n_steps, MAX_PARTS / MAX (n_layers, 1), _ ("steps"),
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

/**
 * hl_dump_steps_open: (skip)
 * @self: maps with nothing in them
 * @archive: where to look
 * @attention: a generation in steps
 * @step: one of them, or %HL_DUMP_ALL_STEPS
 * @cancellable: (nullable): stops it
 * @error: as hl_dump_maps_open_layout(), and %HL_ERROR_SHAPE for steps that do not fit one another
 *
 * Opens the maps of one step, or those of all steps as one map a head: each query below those of the steps before. A
 * key that was not there yet when
 * a query looked, or that had left a sliding window, has a weight of 0. Room that a cache has for keys that never came
 * is left out.
 *
 * Returns: whether that went well; if not, @self is empty
 */
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
