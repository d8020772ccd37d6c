/* SPDX-License-Identifier: MIT */
/* The weights of all layers, and where a token has its share from through them. */
#include "draw/layers/hl-layers-data.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/source/derive/hl-sink-source.h"

static void
clear (HlSceneData *data)
{
  HlLayersData *self = (HlLayersData *) data;

  for (guint layer = 0; layer < self->n_layers; layer++)
    {
      hl_scene_data_unref (self->layers[layer]);
      g_clear_pointer (&self->means[layer], g_bytes_unref);
      g_free (self->sums[layer]);
    }
  g_free (self->layers);
  g_free (self->means);
  g_free (self->sums);
}

static gboolean
equal (const HlSceneData *self,
       const HlSceneData *other)
{
  const HlLayersData *a = (const HlLayersData *) self;
  const HlLayersData *b = (const HlLayersData *) other;
  gboolean are_equal = a->n_layers == b->n_layers && a->follow == b->follow && a->first_layer == b->first_layer;

  for (guint layer = 0; are_equal && layer < a->n_layers; layer++)
    are_equal = hl_scene_data_equal (a->layers[layer], b->layers[layer]);
  return are_equal;
}

/* Whether a query and a key stand at one place in the text, and are not known to be other tokens. */
static gboolean
are_same (HlAttention *attention,
          gsize        query,
          gsize        key)
{
  return hl_attention_get_position (attention, HL_QUERIES, query) ==
           hl_attention_get_position (attention, HL_KEYS, key) &&
         (hl_attention_has_tokens (attention, HL_QUERIES) != hl_attention_has_tokens (attention, HL_KEYS) ||
          g_str_equal (hl_attention_get_tokens (attention, HL_QUERIES)[query],
                       hl_attention_get_tokens (attention, HL_KEYS)[key]));
}

/* Whether queries and keys are the same tokens, so that the queries of a layer are the keys of the next. */
gboolean
hl_layers_data_is_square (const HlLayersData *self)
{
  const HlHeadViewData *first = self->layers[0];
  HlAttention *attention = first->attention;
  const gsize before = hl_sink_is_at (attention, HL_KEYS, 0);

  if (hl_attention_get_kind (attention) == HL_ATTENTION_CROSS ||
      first->queries.first + before != first->keys.first + self->lead || first->queries.n + self->lead != first->keys.n)
    return FALSE;
  for (gsize i = 0; i < first->queries.n; i++)
    if (!are_same (attention, first->queries.first + i, first->keys.first + self->lead + i))
      return FALSE;
  return TRUE;
}

static gboolean
check_size (const HlLayersData *self,
            GError            **error)
{
  double n_bytes = 0;

  for (guint layer = 0; layer < self->n_layers; layer++)
    {
      const HlHeadViewData *data = self->layers[layer];
      n_bytes += (double) data->queries.n * data->keys.n * (data->n_heads + 1) * sizeof (float);
    }
  if (n_bytes <= HL_LIMIT_LAYERS_LINES)
    return TRUE;
  g_autofree char *budget = g_format_size_full (HL_LIMIT_LAYERS_LINES, G_FORMAT_SIZE_IEC_UNITS);
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
               _ ("the lines of all %u layers with %zu tokens do not fit into %s; show fewer heads, or the heatmap"),
               self->n_layers, self->layers[0]->queries.n, budget);
  return FALSE;
}

/*
 * Shares are of all that there is, whatever a filter leaves to be seen. Where nothing is followed, numbers are seen
 * themselves: those that are left in any head, of all heads.
 */
static GBytes *
make_mean (const HlLayersData   *self,
           const HlHeadViewData *data)
{
  const gsize n = data->queries.n * data->keys.n;
  const float *whole = data->means != NULL ? g_bytes_get_data (data->means, NULL) : NULL;

  if (whole != NULL && self->follow != HL_LAYERS_FOLLOW_NOTHING)
    return g_bytes_ref (data->means);
  float *mean = g_new0 (float, MAX (n, 1));
  for (guint head = 0; head < data->n_heads; head++)
    {
      const float *map = hl_head_view_data_get_map (data, head);
      for (gsize i = 0; i < n; i++)
        if (whole == NULL)
          mean[i] += map[i] / data->n_heads;
        else if (map[i] != 0)
          mean[i] = whole[i];
    }
  return g_bytes_new_take (mean, n * sizeof (float));
}

static const float *
get_means (const HlLayersData *self,
           guint               layer)
{
  return g_bytes_get_data (self->means[layer], NULL);
}

/* What is no number, where some files have it, is nothing, and what is infinite is no part of a share. */
static float
get_counted (const HlLayersData *self,
             float               number)
{
  const gboolean counts = self->follow == HL_LAYERS_FOLLOW_NOTHING ? !isnan (number) : isfinite (number);

  return counts ? number : 0;
}

static float *
make_sums (const HlLayersData *self,
           guint               layer)
{
  const gsize width = self->lead + self->n;
  const float *mean = get_means (self, layer);
  float *sums = g_new0 (float, MAX (self->n, 1));

  for (gsize i = 0; i < self->n; i++)
    for (gsize j = self->lead; j < width; j++)
      sums[i] += get_counted (self, mean[i * width + j]);
  return sums;
}

static gboolean
read_numbers (HlSceneData       *data,
              const HlSceneData *known_data,
              GCancellable      *cancellable,
              GError           **error)
{
  HlLayersData *self = (HlLayersData *) data;
  const HlLayersData *known = (const HlLayersData *) known_data;

  if (!check_size (self, error))
    return FALSE;
  for (guint layer = 0; layer < self->n_layers; layer++)
    {
      const HlHeadViewData *before = known != NULL && layer < known->n_layers ? known->layers[layer] : NULL;

      if (!hl_scene_data_read (self->layers[layer], before, cancellable, error))
        return FALSE;
      self->means[layer] = make_mean (self, self->layers[layer]);
      self->sums[layer] = make_sums (self, layer);
    }
  return TRUE;
}

static const HlSceneDataClass data_class = { equal, read_numbers, clear };

static HlLayersFollow
get_follow (const HlShown *shown)
{
  if (!hl_shown_follows_tokens (shown))
    return HL_LAYERS_FOLLOW_NOTHING;
  return shown->lens.quantity == HL_QUANTITY_WEIGHT ? HL_LAYERS_FOLLOW_WEIGHTS : HL_LAYERS_FOLLOW_RESIDUAL;
}

HlLayersData *
hl_layers_data_new (const HlShown *shown)
{
  HlLayersData *self = g_atomic_rc_box_new0 (HlLayersData);
  HlAttention *attention = shown->attention;

  self->parent.klass = &data_class;
  self->n_layers = hl_attention_get_n_layers (attention);
  self->layers = g_new0 (HlHeadViewData *, self->n_layers);
  self->means = g_new0 (GBytes *, self->n_layers);
  self->sums = g_new0 (float *, self->n_layers);
  self->n = shown->queries.n;
  self->lead = hl_shown_get_lead (shown, HL_QUERIES);
  self->follow = get_follow (shown);
  self->first_layer = hl_shown_get_first_layer (shown);
  for (guint layer = 0; layer < self->n_layers; layer++)
    self->layers[layer] = hl_head_view_data_new_of_layer (shown, layer);
  return self;
}

static float
get_mean (const HlLayersData *self,
          guint               layer,
          gsize               query,
          gsize               column)
{
  return get_counted (self, get_means (self, layer)[query * (self->lead + self->n) + column]);
}

/* What numbers of a layer are divided by where nothing is followed: by the greatest where they are of no whole, or are above 1. */
static float
get_scale (const HlLayersData *self,
           guint               layer)
{
  const HlHeadViewData *numbers = self->layers[layer];
  const gboolean has_whole = numbers->least_whole > 0;

  return !has_whole && numbers->greatest > 0 ? numbers->greatest : MAX (1, numbers->greatest);
}

/* What a sink takes of a query's row; 0 where there is none. */
float
hl_layers_data_get_sunk (const HlLayersData *self,
                         guint               layer,
                         gsize               query)
{
  if (self->lead == 0)
    return 0;
  return get_mean (self, layer, query, 0) / (self->follow == HL_LAYERS_FOLLOW_NOTHING ? get_scale (self, layer) : 1);
}

/* What a query's numbers are divided by to be parts of its share. */
static float
get_whole (const HlLayersData *self,
           guint               layer,
           gsize               query)
{
  if (self->follow == HL_LAYERS_FOLLOW_NOTHING)
    return get_scale (self, layer);
  return self->follow == HL_LAYERS_FOLLOW_WEIGHTS ? self->sums[layer][query] + 1 : 1;
}

/* The part of a query's share that a key of its layer gets, as far as the token is followed at all. */
float
hl_layers_data_get_part (const HlLayersData *self,
                         guint               layer,
                         gsize               query,
                         gsize               key)
{
  const float weight = get_mean (self, layer, query, self->lead + key);

  return (weight + (self->follow == HL_LAYERS_FOLLOW_WEIGHTS && query == key)) / get_whole (self, layer, query);
}

/* Whether a filter leaves what a query gives to a column, a key or before these a sink, in any head. */
gboolean
hl_layers_data_is_left (const HlLayersData *self,
                        guint               layer,
                        gsize               query,
                        gsize               column)
{
  const HlHeadViewData *data = self->layers[layer];

  if (data->whole == NULL)
    return TRUE;
  for (guint head = 0; head < data->n_heads; head++)
    if (hl_head_view_data_get_map (data, head)[query * (self->lead + self->n) + column] != 0)
      return TRUE;
  return FALSE;
}

/* A query's row of means, keys behind a sink only, and what these are divided by to be parts of its share. */
static const float *
get_row (const HlLayersData *self,
         guint               layer,
         gsize               query,
         float              *whole)
{
  *whole = get_whole (self, layer, query);
  return get_means (self, layer) + query * (self->lead + self->n) + self->lead;
}

/* The lowest layer that a token of @layer is followed through; above @layer if none. How layers without attention, or without a head that is
 * chosen, mix tokens is not known. */
guint
hl_layers_data_get_lowest (const HlLayersData *self,
                           guint               layer)
{
  const guint end = self->follow == HL_LAYERS_FOLLOW_NOTHING ? layer : MIN (self->first_layer, layer + 1);
  guint lowest = layer + 1;

  while (lowest > end && self->layers[lowest - 1]->n_heads > 0)
    lowest--;
  return lowest;
}

/*
 * Follows a token back: of its share of 1 each key of its layer gets a part, by its weight, and itself by the residual
 * connection; each of these passes its part on in the same way to the layer below, and so on to the input: attention
 * rollout (Abnar and Zuidema 2020). Of numbers whose products mean nothing, such as those with a sign, only the first step
 * is made.
 */
float *
hl_layers_data_trace (const HlLayersData *self,
                      guint               layer,
                      gsize               query)
{
  const gsize n = self->n;
  float *shares = g_new0 (float, (layer + 2) * n);

  shares[(layer + 1) * n + query] = 1;
  for (guint step = layer + 1; step-- > hl_layers_data_get_lowest (self, layer);)
    {
      const float *from = shares + (step + 1) * n;
      float *to = shares + step * n;

      for (gsize i = 0; i < n; i++)
        {
          float whole;
          const float *row = get_row (self, step, i, &whole);
          const float part = from[i] / whole;

          if (part == 0)
            continue;
          for (gsize j = 0; j < n; j++)
            to[j] += part * get_counted (self, row[j]);
          to[i] += self->follow == HL_LAYERS_FOLLOW_WEIGHTS ? part : 0;
        }
    }
  return shares;
}

static guint
get_begin (const HlLayersData *self)
{
  return self->follow == HL_LAYERS_FOLLOW_NOTHING ? 0 : MIN (self->first_layer, self->n_layers - 1);
}

/* The column that a token of the input is followed to: of the queries of the layer below it. */
guint
hl_layers_data_get_highest (const HlLayersData *self)
{
  const guint end = self->follow == HL_LAYERS_FOLLOW_NOTHING ? 1 : self->n_layers;
  guint highest = get_begin (self);

  while (highest < end && self->layers[highest]->n_heads > 0)
    highest++;
  return highest;
}

/*
 * Follows a token of the input on: which share of each token above it is its own, column by column, the input first. By
 * the same parts as hl_layers_data_trace(), so that what is traced back from a token to this one is what comes to it from here.
 */
float *
hl_layers_data_trace_up (const HlLayersData *self,
                         gsize               token)
{
  const gsize n = self->n;
  const guint begin = get_begin (self);
  float *shares = g_new0 (float, (self->n_layers + 1) * n);

  shares[begin * n + token] = 1;
  for (guint step = begin; step < hl_layers_data_get_highest (self); step++)
    {
      const float *from = shares + step * n;
      float *to = shares + (step + 1) * n;

      for (gsize i = 0; i < n; i++)
        {
          float whole;
          const float *row = get_row (self, step, i, &whole);
          float sum = self->follow == HL_LAYERS_FOLLOW_WEIGHTS ? from[i] : 0;

          for (gsize j = 0; j < n; j++)
            sum += from[j] != 0 ? from[j] * get_counted (self, row[j]) : 0;
          to[i] = sum / whole;
        }
    }
  return shares;
}
