/* SPDX-License-Identifier: MIT */
/*
 * What there is to tell of one map of those that are shown. The question is taken from the view state on the main
 * thread; the answer is read on any thread, the heads that are like it after all else, and does not change any more.
 */
#include "app/details/hl-head-facts.h"

#include "core/base/hl-limits.h"
#include "core/analysis/hl-head-distances.h"
#include "core/analysis/hl-head-stats.h"
#include "core/analysis/number/hl-head-used.h"

#include <math.h>
#include <string.h>

/* Weights that are held at a time. */
#define BAND_SIZE ((gsize) 1024 * 1024)

/* Logarithms for which there is time: of longer texts some queries are compared. */
#define MAX_LOGARITHMS ((gsize) 256 * 1024 * 1024)

struct _HlHeadFacts
{
  GObject parent_instance;

  /* The question. */
  HlShown *shown;
  guint layer;
  guint head;
  HlThumbnailStyle style;
  HlAttention *numbered; /* whose head it is; NULL of a map that is made of several */
  HlAttentionSource *numbers_source;
  HlRange queries;
  HlHeadNumberSet told;

  /* The answer. */
  HlThumbnail *picture;
  HlHeadStats stats;
  HlStrongPair pairs[HL_HEAD_FACTS_PAIRS];
  guint n_pairs;
  HlAlikeHead alike[HL_HEAD_FACTS_ALIKE];
  guint n_alike;
  gsize n_compared;
};

G_DEFINE_FINAL_TYPE (HlHeadFacts, hl_head_facts, G_TYPE_OBJECT)

static void
hl_head_facts_finalize (GObject *object)
{
  HlHeadFacts *self = HL_HEAD_FACTS (object);

  g_clear_pointer (&self->shown, hl_shown_unref);
  g_clear_object (&self->numbered);
  g_clear_object (&self->numbers_source);
  g_clear_pointer (&self->picture, hl_thumbnail_unref);
  G_OBJECT_CLASS (hl_head_facts_parent_class)->finalize (object);
}

static void
hl_head_facts_class_init (HlHeadFactsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_head_facts_finalize;
}

static void
hl_head_facts_init (HlHeadFacts *self)
{
}

/* The usual numbers and those that heads are sorted and framed by, as far as the attention has them at all and they are
 * soon read. */
static HlHeadNumberSet
find_told (const HlHeadNumberRequest *request,
           const HlViewOptions       *options)
{
  const HlHeadNumberSet usual = hl_head_number_get_usual () | hl_head_measure_get_set (options->sort) |
                                hl_head_measure_get_set (options->colour_by);
  HlHeadNumberSet told = 0;

  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    if ((usual & HL_HEAD_NUMBER_BIT (stat)) && hl_head_number_is_read (stat) &&
        hl_head_number_check (stat, request, NULL))
      told |= HL_HEAD_NUMBER_BIT (stat);
  return told;
}

/* Layer and head are those of the maps that are shown; NULL where these do not have it. */
HlHeadFacts *
hl_head_facts_new (HlViewState            *state,
                   guint                   layer,
                   guint                   head,
                   const HlThumbnailStyle *style)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (state), NULL);

  const HlShown *shown = hl_view_state_get_shown (state);
  const HlHeadNumberRequest request = hl_view_state_get_number_request (state);
  if (layer >= hl_attention_source_get_n_layers (shown->source) ||
      head >= hl_attention_source_get_n_heads (shown->source, layer))
    return NULL;
  HlHeadFacts *self = g_object_new (HL_TYPE_HEAD_FACTS, NULL);
  self->shown = hl_shown_ref (shown);
  self->layer = layer;
  self->head = head;
  self->style = *style;
  if (shown->merges_heads || shown->merges_layers)
    return self;
  self->numbered = g_object_ref (request.attention);
  self->numbers_source = g_object_ref (request.source);
  self->queries = (HlRange){ request.first_query, request.n_queries };
  self->told = find_told (&request, &shown->options);
  return self;
}

gboolean
hl_head_facts_is_same_question (HlHeadFacts *self,
                                HlHeadFacts *other)
{
  g_return_val_if_fail (HL_IS_HEAD_FACTS (self), FALSE);
  g_return_val_if_fail (HL_IS_HEAD_FACTS (other), FALSE);

  return self->layer == other->layer && self->head == other->head && self->shown->source == other->shown->source &&
         self->shown->filtered == other->shown->filtered && self->shown->other == other->shown->other &&
         self->numbers_source == other->numbers_source && self->told == other->told &&
         hl_range_equal (self->queries, other->queries) &&
         hl_range_equal (self->shown->queries, other->shown->queries) &&
         hl_range_equal (self->shown->keys, other->shown->keys) && self->style.map == other->style.map &&
         self->style.value_scale == other->style.value_scale && self->style.dark == other->style.dark &&
         self->style.mirrored == other->style.mirrored && self->style.width == other->style.width &&
         self->style.height == other->style.height;
}

/* Strongest first, whatever the sign; of equals the first in the text. */
static void
add_pair (HlHeadFacts *self,
          gsize        query,
          gsize        key,
          float        weight)
{
  guint at = self->n_pairs;

  while (at > 0 && fabsf (self->pairs[at - 1].weight) < fabsf (weight))
    at--;
  if (at == HL_HEAD_FACTS_PAIRS)
    return;
  self->n_pairs = MIN (self->n_pairs + 1, HL_HEAD_FACTS_PAIRS);
  memmove (&self->pairs[at + 1], &self->pairs[at], (self->n_pairs - at - 1) * sizeof *self->pairs);
  self->pairs[at] = (HlStrongPair){ query, key, weight };
}

static gboolean
read_pairs (HlHeadFacts  *self,
            GCancellable *cancellable,
            GError      **error)
{
  const HlRange queries = self->shown->queries, keys = self->shown->keys;
  const gsize n_band = CLAMP (BAND_SIZE / MAX (keys.n, 1), 1, MAX (queries.n, 1));
  g_autofree float *weights = g_new (float, n_band *MAX (keys.n, 1));

  for (gsize done = 0; done < queries.n && keys.n > 0; done += n_band)
    {
      const gsize n = MIN (n_band, queries.n - done);
      const HlAttentionRequest request = {
        .layer = self->layer,
        .head = self->head,
        .first_query = queries.first + done,
        .n_queries = n,
        .first_key = keys.first,
        .n_keys = keys.n,
        .n_rows = n,
        .n_columns = keys.n,
      };

      if (!hl_attention_source_read (self->shown->source, &request, weights, cancellable, error))
        return FALSE;
      for (gsize i = 0; i < n * keys.n; i++)
        if (isfinite (weights[i]) && weights[i] != 0)
          add_pair (self, queries.first + done + i / keys.n, keys.first + i % keys.n, weights[i]);
    }
  return TRUE;
}

/* Once, on any thread: all but the heads that are like it. */
gboolean
hl_head_facts_read (HlHeadFacts  *self,
                    GCancellable *cancellable,
                    GError      **error)
{
  g_return_val_if_fail (HL_IS_HEAD_FACTS (self), FALSE);
  g_return_val_if_fail (self->picture == NULL, FALSE);

  g_autoptr (HlThumbnail) picture = hl_thumbnail_new (self->shown->filtered, self->layer, self->head,
                                                      self->shown->queries, self->shown->keys, &self->style);
  if (!hl_thumbnail_make (picture, NULL, cancellable, error) || !read_pairs (self, cancellable, error))
    return FALSE;
  if (self->told != 0 &&
      !hl_head_stats_compute (self->numbered, self->numbers_source, self->layer, self->head, self->queries.first,
                              self->queries.n, self->told, &self->stats, cancellable, error))
    return FALSE;
  self->picture = g_steal_pointer (&picture);
  return TRUE;
}

static void
add_alike (HlHeadFacts *self,
           guint        layer,
           guint        head,
           double       likeness)
{
  guint at = self->n_alike;

  while (at > 0 && self->alike[at - 1].likeness < likeness)
    at--;
  if (at == HL_HEAD_FACTS_ALIKE)
    return;
  self->n_alike = MIN (self->n_alike + 1, HL_HEAD_FACTS_ALIKE);
  memmove (&self->alike[at + 1], &self->alike[at], (self->n_alike - at - 1) * sizeof *self->alike);
  self->alike[at] = (HlAlikeHead){ layer, head, likeness };
}

/* On any thread, one at a time, after the rest; again after it was cancelled. Numbers with a sign, and maps made of several, are like none. */
gboolean
hl_head_facts_read_alike (HlHeadFacts  *self,
                          GCancellable *cancellable,
                          GError      **error)
{
  g_return_val_if_fail (HL_IS_HEAD_FACTS (self), FALSE);

  HlAttentionSource *source = self->numbers_source;
  self->n_alike = 0;
  if (source == NULL || hl_attention_source_is_signed (source))
    return TRUE;
  guint own = 0, n = 0;
  for (guint layer = 0; layer < hl_attention_source_get_n_layers (source); layer++)
    {
      if (layer == self->layer)
        own = n + self->head;
      n += hl_attention_source_get_n_heads (source, layer);
    }
  if (n < 2 || n > HL_LIMIT_DISTANT_HEADS)
    return TRUE;

  HlRange queries = self->queries;
  hl_head_used_cut_queries (self->numbered, source, &queries.first, &queries.n);
  const gsize n_a_query = MAX (hl_attention_source_get_n (source, HL_KEYS) * n, 1);
  const gsize n_counted = CLAMP (MAX_LOGARITHMS / n_a_query, 1, MAX (queries.n, 1));
  const gsize step = (queries.n + n_counted - 1) / n_counted;
  g_autofree double *distances =
    hl_head_distances_from (source, own, queries.first, queries.n, MAX (step, 1), cancellable, error);
  if (distances == NULL)
    return FALSE;
  self->n_compared = (queries.n + MAX (step, 1) - 1) / MAX (step, 1);
  for (guint layer = 0, i = 0; layer < hl_attention_source_get_n_layers (source); layer++)
    for (guint head = 0; head < hl_attention_source_get_n_heads (source, layer); head++, i++)
      if (i != own && !isnan (distances[i]))
        add_alike (self, layer, head, 1 - distances[i]);
  return TRUE;
}

const HlShown *
hl_head_facts_get_shown (HlHeadFacts *self)
{
  g_return_val_if_fail (HL_IS_HEAD_FACTS (self), NULL);

  return self->shown;
}

guint
hl_head_facts_get_layer (HlHeadFacts *self)
{
  g_return_val_if_fail (HL_IS_HEAD_FACTS (self), 0);

  return self->layer;
}

guint
hl_head_facts_get_head (HlHeadFacts *self)
{
  g_return_val_if_fail (HL_IS_HEAD_FACTS (self), 0);

  return self->head;
}

/* Whether it is a head, not a map made of several. */
gboolean
hl_head_facts_is_of_model (HlHeadFacts *self)
{
  g_return_val_if_fail (HL_IS_HEAD_FACTS (self), FALSE);

  return self->numbered != NULL;
}

/* The same for all heads of an attention. */
HlHeadNumberSet
hl_head_facts_get_told (HlHeadFacts *self)
{
  g_return_val_if_fail (HL_IS_HEAD_FACTS (self), 0);

  return self->told;
}

/* NULL until it was read. */
const HlThumbnail *
hl_head_facts_get_picture (HlHeadFacts *self)
{
  g_return_val_if_fail (HL_IS_HEAD_FACTS (self), NULL);

  return self->picture;
}

/* The strongest of its weights, without its sign; 0 when there is none. */
float
hl_head_facts_get_max (HlHeadFacts *self)
{
  g_return_val_if_fail (HL_IS_HEAD_FACTS (self), 0);

  return self->n_pairs > 0 ? fabsf (self->pairs[0].weight) : 0;
}

/* NaN where it is not defined. */
double
hl_head_facts_get_number (HlHeadFacts *self,
                          HlHeadStat   stat)
{
  g_return_val_if_fail (HL_IS_HEAD_FACTS (self), NAN);

  return self->picture != NULL && (self->told & HL_HEAD_NUMBER_BIT (stat)) ? self->stats.values[stat] : NAN;
}

/* Strongest first. */
const HlStrongPair *
hl_head_facts_get_pairs (HlHeadFacts *self,
                         guint       *n)
{
  g_return_val_if_fail (HL_IS_HEAD_FACTS (self), NULL);

  *n = self->n_pairs;
  return self->pairs;
}

/* Most alike first. @n_compared is of how many queries, which may be some of those of a long text. */
const HlAlikeHead *
hl_head_facts_get_alike (HlHeadFacts *self,
                         guint       *n,
                         gsize       *n_compared)
{
  g_return_val_if_fail (HL_IS_HEAD_FACTS (self), NULL);

  *n = self->n_alike;
  *n_compared = self->n_compared;
  return self->alike;
}
