/* SPDX-License-Identifier: MIT */
/* What layers told of a growing text, token by token. Of the encoder and of its keys there is one telling; it is kept as it came. */
#include "core/predict/hl-run-record.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/hl-error.h"

/* What is recorded may take this part of the machine's memory. */
#define MEMORY_SHARE 4

enum
{
  QUERIES,
  KEYS,
  VALUES,
  INPUTS,
  STREAM,
  N_QUANTITIES,
};

#define N_KINDS (HL_ATTENTION_CROSS + 1)

/* One layer of one kind of attention: rows of tokens, [n, heads · features] of each quantity. */
typedef struct
{
  GArray *rows[N_QUANTITIES];
  guint n_heads[N_QUANTITIES];
  gsize n_features[N_QUANTITIES];
} Layer;

struct _HlRunRecord
{
  HlModel *model;
  Layer *layers[N_KINDS];
  guint n_layers[N_KINDS];
  double size; /* bytes */
};

HlRunRecord *
hl_run_record_new (HlModel *model)
{
  HlRunRecord *self = g_new0 (HlRunRecord, 1);

  self->model = g_object_ref (model);
  for (int kind = 0; kind < N_KINDS; kind++)
    if (hl_model_get_stack (model, kind) != NULL)
      {
        self->n_layers[kind] = hl_model_get_n_layers (model, kind);
        self->layers[kind] = g_new0 (Layer, self->n_layers[kind]);
        for (guint i = 0; i < self->n_layers[kind]; i++)
          for (guint j = 0; j < N_QUANTITIES; j++)
            self->layers[kind][i].rows[j] = g_array_new (FALSE, FALSE, sizeof (float));
      }
  return self;
}

void
hl_run_record_free (HlRunRecord *self)
{
  for (int kind = 0; kind < N_KINDS; kind++)
    {
      for (guint i = 0; i < self->n_layers[kind]; i++)
        for (guint j = 0; j < N_QUANTITIES; j++)
          g_array_unref (self->layers[kind][i].rows[j]);
      g_free (self->layers[kind]);
    }
  g_object_unref (self->model);
  g_free (self);
}

/* Adds [heads, n, features] as rows of tokens. */
static void
add_rows (HlRunRecord *self,
          Layer       *layer,
          guint        quantity,
          guint        n_heads,
          gsize        n,
          gsize        n_features,
          const float *numbers)
{
  GArray *rows = layer->rows[quantity];
  const gsize width = n_heads * n_features, before = rows->len;

  layer->n_heads[quantity] = n_heads;
  layer->n_features[quantity] = n_features;
  g_array_set_size (rows, (guint) (before + n * width));
  float *target = (float *) (void *) rows->data + before;
  for (guint head = 0; head < n_heads; head++)
    for (gsize i = 0; i < n; i++)
      memcpy (target + i * width + head * n_features, numbers + (head * n + i) * n_features,
              n_features * sizeof (float));
  self->size += (double) (n * width) * sizeof (float);
}

/* Adds what a layer tells of new tokens. Keys of the encoder's are taken once. */
void
hl_run_record_add (HlRunRecord              *self,
                   const HlLayerProjections *projections)
{
  Layer *layer = &self->layers[projections->attention][projections->layer];
  const gboolean has_keys = projections->attention == HL_ATTENTION_CROSS && layer->rows[KEYS]->len > 0;

  add_rows (self, layer, QUERIES, projections->n_heads, projections->n_queries, projections->head_size,
            projections->queries);
  add_rows (self, layer, INPUTS, 1, projections->n_queries, projections->width, projections->inputs);
  if (projections->stream != projections->inputs)
    add_rows (self, layer, STREAM, 1, projections->n_queries, projections->width, projections->stream);
  if (has_keys)
    return;
  add_rows (self, layer, KEYS, projections->n_key_heads, projections->n_keys, projections->head_size,
            projections->keys);
  add_rows (self, layer, VALUES, projections->n_key_heads, projections->n_keys, projections->value_size,
            projections->values);
}

/* Forgets all but the first tokens of the text that grows. */
void
hl_run_record_cut (HlRunRecord *self,
                   gsize        n)
{
  for (int kind = 0; kind < N_KINDS; kind++)
    for (guint i = 0; kind != HL_ATTENTION_ENCODER && i < self->n_layers[kind]; i++)
      for (guint j = 0; j < N_QUANTITIES; j++)
        {
          Layer *layer = &self->layers[kind][i];
          const gboolean stays = kind == HL_ATTENTION_CROSS && (j == KEYS || j == VALUES);
          const gsize length = n * layer->n_heads[j] * layer->n_features[j];

          if (!stays && length < layer->rows[j]->len)
            {
              self->size -= (double) (layer->rows[j]->len - length) * sizeof (float);
              g_array_set_size (layer->rows[j], (guint) length);
            }
        }
}

/* Whether there is room for more. */
gboolean
hl_run_record_check (HlRunRecord *self,
                     GError     **error)
{
  const double budget = (double) sysconf (_SC_PHYS_PAGES) * (double) sysconf (_SC_PAGESIZE) / MEMORY_SHARE;

  if (self->size <= budget)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
               _ ("queries, keys and values of the text take %.1f GB; %.1f GB of memory may be used"), self->size / 1e9,
               budget / 1e9);
  return FALSE;
}

/* Rows of tokens as [heads, n, features]. */
static float *
gather (const Layer *layer,
        guint        quantity,
        gsize        n)
{
  const guint n_heads = layer->n_heads[quantity];
  const gsize n_features = layer->n_features[quantity], width = n_heads * n_features;
  const float *rows = (const float *) (const void *) layer->rows[quantity]->data;
  float *numbers = g_new (float, MAX (n * width, 1));

  for (guint head = 0; head < n_heads; head++)
    for (gsize i = 0; i < n; i++)
      memcpy (numbers + (head * n + i) * n_features, rows + i * width + head * n_features, n_features * sizeof (float));
  return numbers;
}

static gsize
count_rows (const Layer *layer,
            guint        quantity)
{
  return layer->rows[quantity]->len / MAX (layer->n_heads[quantity] * layer->n_features[quantity], 1);
}

static gboolean
fill_layer (HlRunRecord    *self,
            HlAttentionKind kind,
            guint           number,
            gsize           n_tokens,
            HlModelRun     *run,
            GError        **error)
{
  const Layer *layer = &self->layers[kind][number];
  const gsize n_queries = kind == HL_ATTENTION_ENCODER ? count_rows (layer, QUERIES) : n_tokens;
  const gsize n_keys = kind == HL_ATTENTION_CROSS ? count_rows (layer, KEYS) : n_queries;
  g_autofree float *queries = gather (layer, QUERIES, n_queries);
  g_autofree float *inputs = gather (layer, INPUTS, n_queries);
  g_autofree float *stream = layer->n_heads[STREAM] > 0 ? gather (layer, STREAM, n_queries) : NULL;
  g_autofree float *keys = gather (layer, KEYS, n_keys);
  g_autofree float *values = gather (layer, VALUES, n_keys);
  const HlLayerProjections projections = {
    .attention = kind,
    .layer = number,
    .n_heads = layer->n_heads[QUERIES],
    .n_key_heads = layer->n_heads[KEYS],
    .n_queries = n_queries,
    .n_keys = n_keys,
    .head_size = layer->n_features[QUERIES],
    .value_size = layer->n_features[VALUES],
    .queries = queries,
    .keys = keys,
    .values = values,
    .inputs = inputs,
    .stream = stream != NULL ? stream : inputs,
    .width = layer->n_features[INPUTS],
  };

  return hl_model_run_take_layer (run, &projections, error);
}

/* Gives a run of the first tokens all that it would have computed. */
gboolean
hl_run_record_fill (HlRunRecord *self,
                    gsize        n_tokens,
                    HlModelRun  *run,
                    GError     **error)
{
  const gboolean two = hl_model_has_decoder (self->model);

  for (int kind = 0; kind < N_KINDS; kind++)
    for (guint i = 0; two == (kind != HL_ATTENTION_SELF) && i < self->n_layers[kind]; i++)
      if (!fill_layer (self, kind, i, n_tokens, run, error))
        return FALSE;
  return TRUE;
}
