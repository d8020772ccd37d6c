/* SPDX-License-Identifier: MIT */
/* Another source with some tokens put together as words, and some left out. */
#include "core/source/derive/hl-group-source.h"

#include "core/base/hl-error.h"
#include "core/document/attention/hl-mask-mark.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Numbers of the other source that are held at a time. */
#define BAND_NUMBERS ((gsize) 512 * 1024)

struct _HlGroupSource
{
  HlDerivedSource parent_instance;

  HlTokenMap *maps[2];
  gboolean renormalise;
  gboolean stays_causal;
};

static void hl_group_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlGroupSource,
                               hl_group_source,
                               HL_TYPE_DERIVED_SOURCE,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_group_source_iface_init))

static gsize
get_n (HlAttentionSource *source,
       HlSide             side)
{
  return hl_token_map_get_n (HL_GROUP_SOURCE (source)->maps[side]);
}

/* A row on its way from weights of pieces to weights of words. */
typedef struct
{
  const HlTokenSpan *keys;
  gsize n_keys;
  double *sums;
} Row;

/* Of nothing yet: −0 stays where all is masked. */
static void
begin_row (const Row *self)
{
  for (gsize key = 0; key < self->n_keys; key++)
    self->sums[key] = -0.0;
}

/* @weights: of the tokens from that on with which the first of the row's keys begins */
static void
add_query (const Row   *self,
           const float *weights)
{
  const gsize start = self->keys[0].first;

  for (gsize key = 0; key < self->n_keys; key++)
    {
      const HlTokenSpan *span = &self->keys[key];
      for (gsize i = span->first - start; i < span->first - start + span->n; i++)
        self->sums[key] += weights[i];
    }
}

static void
divide (const Row *self,
        double     by)
{
  for (gsize key = 0; key < self->n_keys; key++)
    self->sums[key] /= by;
}

/* What is not a number, or infinite, is no part of the whole. */
static void
renormalise (const Row *self)
{
  double total = 0;

  for (gsize key = 0; key < self->n_keys; key++)
    if (isfinite (self->sums[key]))
      total += self->sums[key];
  if (total > 0)
    divide (self, total);
}

static gboolean
is_trivial (HlGroupSource *self)
{
  return hl_token_map_is_trivial (self->maps[HL_QUERIES]) && hl_token_map_is_trivial (self->maps[HL_KEYS]);
}

static gboolean
keeps_causal (HlGroupSource *self,
              const HlMask  *mask)
{
  return mask->causal && mask->shift == 0 && !mask->transposed && self->stays_causal;
}

/* Whether the rule of what is left says all that this rule does. */
static gboolean
is_kept (HlGroupSource *self,
         const HlMask  *mask)
{
  if (is_trivial (self) || !hl_mask_hides (mask))
    return TRUE;
  return !mask->transposed && mask->window == 0 && mask->chunk == 0 && (!mask->causal || keeps_causal (self, mask));
}

static gboolean
read_rows (HlAttentionSource        *source,
           const HlAttentionRequest *request,
           float                    *target,
           GCancellable             *cancellable,
           GError                  **error)
{
  HlGroupSource *self = HL_GROUP_SOURCE (source);
  HlAttentionSource *origin = hl_derived_source_get_origin (HL_DERIVED_SOURCE (source));
  const HlMask *mask = hl_attention_source_get_mask (origin, request->layer);
  const gboolean marks = request->marks_masked && !is_kept (self, mask);
  const gsize n_queries = request->n_queries;
  const gsize n_keys = request->n_keys;
  const HlTokenSpan *queries = hl_token_map_get_spans (self->maps[HL_QUERIES]) + request->first_query;
  const HlTokenSpan *all_keys = hl_token_map_get_spans (self->maps[HL_KEYS]);
  /* The whole that a row is divided by is that of all its keys, also of those that were not asked for. */
  const gsize skipped = self->renormalise ? request->first_key : 0;
  const HlTokenSpan *keys = self->renormalise ? all_keys : all_keys + request->first_key;
  const gsize n_summed = self->renormalise ? hl_token_map_get_n (self->maps[HL_KEYS]) : n_keys;
  const gsize width = keys[n_summed - 1].first + keys[n_summed - 1].n - keys[0].first;
  const gsize end = queries[n_queries - 1].first + queries[n_queries - 1].n;
  const gsize n_band = CLAMP (BAND_NUMBERS / width, 1, end - queries[0].first);
  g_autofree float *band = g_try_malloc_n (n_band * width, sizeof (float));
  g_autofree double *sums = g_try_malloc_n (n_summed, sizeof (double));
  const Row row = { keys, n_summed, sums };
  gsize query = 0;

  if (band == NULL || sums == NULL)
    return hl_error_set_no_memory (error);
  begin_row (&row);
  for (gsize token = queries[0].first; token < end;)
    {
      /* What is hidden between two words need not be read. */
      token = MAX (token, queries[query].first);
      const gsize n = MIN (n_band, end - token);
      const HlAttentionRequest pieces = {
        .layer = request->layer,
        .head = request->head,
        .first_query = token,
        .n_queries = n,
        .first_key = keys[0].first,
        .n_keys = width,
        .n_rows = n,
        .n_columns = width,
        .marks_masked = request->marks_masked,
      };

      if (!hl_attention_source_read (origin, &pieces, band, cancellable, error))
        return FALSE;
      for (gsize i = 0; i < n; i++)
        {
          if (token + i < queries[query].first)
            continue;
          if (marks)
            hl_mask_mark (mask, hl_token_map_get_n_tokens (self->maps[HL_QUERIES]),
                          hl_token_map_get_n_tokens (self->maps[HL_KEYS]), token + i, keys[0].first, width,
                          band + i * width);
          add_query (&row, band + i * width);
          if (token + i + 1 < queries[query].first + queries[query].n)
            continue;
          divide (&row, (double) queries[query].n);
          if (self->renormalise)
            renormalise (&row);
          for (gsize key = 0; key < n_keys; key++)
            target[query * n_keys + key] = (float) sums[skipped + key];
          begin_row (&row);
          query++;
        }
      token += n;
    }
  return TRUE;
}

static char *
make_quantity (HlDerivedSource   *self,
               HlAttentionSource *origin)
{
  const char *quantity = hl_attention_source_get_quantity (origin);

  /* Translators: what the numbers of a map are, such as “attention weight”, divided by their sum in each row */
  return HL_GROUP_SOURCE (self)->renormalise ? g_strdup_printf (_ ("%s, rows renormalised"), quantity)
                                             : g_strdup (quantity);
}

/* Whether each query sees exactly the words that begin up to its own end, as the rule without a window says of what is
 * left. So it is where queries and keys are grouped alike. */
static gboolean
stays_causal (const HlTokenMap *queries,
              const HlTokenMap *keys)
{
  const HlTokenSpan *spans = hl_token_map_get_spans (queries);
  const HlMask causal = { .causal = TRUE };
  const gsize n_queries = hl_token_map_get_n (queries);
  const gsize n_keys = hl_token_map_get_n (keys);
  const gssize shift = (gssize) hl_token_map_get_n_tokens (keys) - (gssize) hl_token_map_get_n_tokens (queries);

  for (gsize i = 0; i < n_queries; i++)
    {
      const gssize end = (gssize) (spans[i].first + spans[i].n) + shift;
      gsize first, visible;

      hl_mask_get_visible (&causal, n_queries, n_keys, i, &first, &visible);
      if (visible != hl_token_map_count_before (keys, (gsize) MAX (end, 0)))
        return FALSE;
    }
  return TRUE;
}

/* Where keys that some query sees begin and end, in words and of what is left: a word is padding of which all pieces are. */
static void
cut_padding (HlTokenMap   *keys,
             const HlMask *mask,
             HlMask       *left)
{
  const HlTokenSpan *spans = hl_token_map_get_spans (keys);
  const gsize n = hl_token_map_get_n (keys);
  const gsize end = mask->end_key > 0 ? hl_token_map_count_before (keys, mask->end_key) : n;
  gsize first = hl_token_map_count_before (keys, mask->first_key);

  if (first > 0 && spans[first - 1].first + spans[first - 1].n > mask->first_key)
    first--;
  left->first_key = end > 0 ? first : n;
  left->end_key = end < n ? end : 0;
}

/* What the rule of a mask can say of words and of what is left; the rest of what is masked is marked cell by cell. Where it is not
 * causal, it still says how many keys further on queries stand among the tokens. */
static HlMask
make_mask (HlDerivedSource   *source,
           HlAttentionSource *origin,
           guint              layer)
{
  HlGroupSource *self = HL_GROUP_SOURCE (source);
  HlTokenMap *queries = self->maps[HL_QUERIES], *keys = self->maps[HL_KEYS];
  const HlMask *mask = hl_attention_source_get_mask (origin, layer);
  HlMask left = { .causal = keeps_causal (self, mask), .scattered = mask->scattered || !is_kept (self, mask) };

  if (is_trivial (self))
    return *mask;
  if (mask->transposed)
    return left;
  cut_padding (keys, mask, &left);
  if (!left.causal)
    left.shift = hl_mask_get_position (mask, hl_token_map_get_n_tokens (queries), hl_token_map_get_n_tokens (keys), 0);
  return left;
}

static void
hl_group_source_iface_init (HlAttentionSourceInterface *iface)
{
  iface->get_n = get_n;
  iface->read_rows = read_rows;
}

static void
hl_group_source_finalize (GObject *object)
{
  HlGroupSource *self = HL_GROUP_SOURCE (object);

  g_clear_pointer (&self->maps[HL_QUERIES], hl_token_map_unref);
  g_clear_pointer (&self->maps[HL_KEYS], hl_token_map_unref);
  G_OBJECT_CLASS (hl_group_source_parent_class)->finalize (object);
}

static void
hl_group_source_class_init (HlGroupSourceClass *klass)
{
  HlDerivedSourceClass *source_class = HL_DERIVED_SOURCE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = hl_group_source_finalize;
  source_class->make_quantity = make_quantity;
  source_class->make_mask = make_mask;
}

static void
hl_group_source_init (HlGroupSource *self)
{
}

/* Weights between words: the sum over the pieces of a key, then the mean over the pieces of a query (Clark et al.
 * 2019, section 4.1), so that a row still sums to 1 where none of its keys is left out. Tokens that are in no span are
 * left out on that side. With @renormalise a row sums to 1 even so; a row that has nothing left is 0 throughout. A row
 * in which a weight is not a number keeps that; the others are divided by the sum of what are numbers. */
HlAttentionSource *
hl_group_source_new (HlAttentionSource *source,
                     HlTokenMap        *queries,
                     HlTokenMap        *keys,
                     gboolean           renormalise)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (source), NULL);
  g_return_val_if_fail (hl_token_map_get_n_tokens (queries) == hl_attention_source_get_n (source, HL_QUERIES), NULL);
  g_return_val_if_fail (hl_token_map_get_n_tokens (keys) == hl_attention_source_get_n (source, HL_KEYS), NULL);
  g_return_val_if_fail (hl_token_map_get_n (queries) > 0 && hl_token_map_get_n (keys) > 0, NULL);

  HlGroupSource *self = g_object_new (HL_TYPE_GROUP_SOURCE, NULL);
  self->maps[HL_QUERIES] = hl_token_map_ref (queries);
  self->maps[HL_KEYS] = hl_token_map_ref (keys);
  self->renormalise = renormalise;
  self->stays_causal = stays_causal (queries, keys);
  return hl_derived_source_derive (self, source);
}

gboolean
hl_group_source_renormalises (HlGroupSource *self)
{
  g_return_val_if_fail (HL_IS_GROUP_SOURCE (self), FALSE);

  return self->renormalise;
}
