/* SPDX-License-Identifier: MIT */
/* Another source with some tokens put together as words, and some left out. */
#include "core/source/hl-group-source.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Numbers of the other source that are held at a time. */
#define BAND_NUMBERS ((gsize) 512 * 1024)

struct _HlGroupSource
{
  GObject parent_instance;

  HlAttentionSource *source;
  HlTokenMap *queries;
  HlTokenMap *keys;
  gboolean renormalise;
  char *quantity;
  guint n_layers;
  HlMask *masks;
};

static void hl_group_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlGroupSource,
                               hl_group_source,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE,
                                                      hl_group_source_iface_init))

static guint
get_n_layers (HlAttentionSource *source)
{
  return HL_GROUP_SOURCE (source)->n_layers;
}

static guint
get_n_heads (HlAttentionSource *source,
             guint              layer)
{
  return hl_attention_source_get_n_heads (HL_GROUP_SOURCE (source)->source, layer);
}

static gsize
get_n_queries (HlAttentionSource *source)
{
  return hl_token_map_get_n (HL_GROUP_SOURCE (source)->queries);
}

static gsize
get_n_keys (HlAttentionSource *source)
{
  return hl_token_map_get_n (HL_GROUP_SOURCE (source)->keys);
}

static const char *
get_quantity (HlAttentionSource *source)
{
  return HL_GROUP_SOURCE (source)->quantity;
}

static const HlMask *
get_mask (HlAttentionSource *source,
          guint              layer)
{
  return &HL_GROUP_SOURCE (source)->masks[layer];
}

static gboolean
is_signed (HlAttentionSource *source)
{
  return hl_attention_source_is_signed (HL_GROUP_SOURCE (source)->source);
}

/* A row on its way from weights of pieces to weights of words. */
typedef struct
{
  const HlTokenSpan *keys;
  gsize n_keys;
  double *sums;
} Row;

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

/* What is not a number is no part of the whole. */
static void
renormalise (const Row *self)
{
  double total = 0;

  for (gsize key = 0; key < self->n_keys; key++)
    if (!isnan (self->sums[key]))
      total += self->sums[key];
  if (total > 0)
    divide (self, total);
}

static gboolean
read_rows (HlAttentionSource *source,
           guint              layer,
           guint              head,
           gsize              first_query,
           gsize              n_queries,
           gsize              first_key,
           gsize              n_keys,
           float             *target,
           GCancellable      *cancellable,
           GError           **error)
{
  HlGroupSource *self = HL_GROUP_SOURCE (source);
  const HlTokenSpan *queries = hl_token_map_get_spans (self->queries) + first_query;
  const HlTokenSpan *all_keys = hl_token_map_get_spans (self->keys);
  /* The whole that a row is divided by is that of all its keys, also of those that were not asked for. */
  const gsize skipped = self->renormalise ? first_key : 0;
  const HlTokenSpan *keys = self->renormalise ? all_keys : all_keys + first_key;
  const gsize n_summed = self->renormalise ? hl_token_map_get_n (self->keys) : n_keys;
  const gsize width = keys[n_summed - 1].first + keys[n_summed - 1].n - keys[0].first;
  const gsize end = queries[n_queries - 1].first + queries[n_queries - 1].n;
  const gsize n_band = CLAMP (BAND_NUMBERS / width, 1, end - queries[0].first);
  g_autofree float *band = g_try_malloc_n (n_band * width, sizeof (float));
  g_autofree double *sums = g_try_malloc0_n (n_summed, sizeof (double));
  const Row row = { keys, n_summed, sums };
  gsize query = 0;

  if (band == NULL || sums == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there is not enough memory"));
      return FALSE;
    }
  for (gsize token = queries[0].first; token < end;)
    {
      /* What is hidden between two words need not be read. */
      token = MAX (token, queries[query].first);
      const gsize n = MIN (n_band, end - token);
      const HlAttentionRequest request = {
        .layer = layer,
        .head = head,
        .first_query = token,
        .n_queries = n,
        .first_key = keys[0].first,
        .n_keys = width,
        .n_rows = n,
        .n_columns = width,
      };

      if (!hl_attention_source_read (self->source, &request, band, cancellable, error))
        return FALSE;
      for (gsize i = 0; i < n; i++)
        {
          if (token + i < queries[query].first)
            continue;
          add_query (&row, band + i * width);
          if (token + i + 1 < queries[query].first + queries[query].n)
            continue;
          divide (&row, (double) queries[query].n);
          if (self->renormalise)
            renormalise (&row);
          for (gsize key = 0; key < n_keys; key++)
            target[query * n_keys + key] = (float) sums[skipped + key];
          memset (sums, 0, n_summed * sizeof (double));
          query++;
        }
      token += n;
    }
  return TRUE;
}

static void
hl_group_source_iface_init (HlAttentionSourceInterface *iface)
{
  iface->get_n_layers = get_n_layers;
  iface->get_n_heads = get_n_heads;
  iface->get_n_queries = get_n_queries;
  iface->get_n_keys = get_n_keys;
  iface->get_quantity = get_quantity;
  iface->get_mask = get_mask;
  iface->is_signed = is_signed;
  iface->read_rows = read_rows;
}

static void
hl_group_source_finalize (GObject *object)
{
  HlGroupSource *self = HL_GROUP_SOURCE (object);

  g_clear_object (&self->source);
  g_clear_pointer (&self->queries, hl_token_map_unref);
  g_clear_pointer (&self->keys, hl_token_map_unref);
  g_free (self->quantity);
  g_free (self->masks);
  G_OBJECT_CLASS (hl_group_source_parent_class)->finalize (object);
}

static void
hl_group_source_class_init (HlGroupSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_group_source_finalize;
}

static void
hl_group_source_init (HlGroupSource *self)
{
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
  const gssize shift = (gssize) hl_token_map_get_n_tokens (keys) -
                       (gssize) hl_token_map_get_n_tokens (queries);

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

/* What the rule of a mask can say of words and of what is left; the rest of what is masked has a weight of 0. */
static HlMask
group_mask (const HlGroupSource *self,
            const HlMask        *mask,
            gboolean             causal)
{
  if (hl_token_map_is_trivial (self->queries) && hl_token_map_is_trivial (self->keys))
    return *mask;
  return (HlMask){ .causal = mask->causal && !mask->transposed && causal };
}

/**
 * hl_group_source_new:
 * @source: a source
 * @queries: which of its queries to show, and which as one
 * @keys: which of its keys
 * @renormalise: whether each row is divided by its sum
 *
 * Weights between words: the sum over the pieces of a key, then the mean over the pieces of a query (Clark et al. 2019,
 * section 4.1), so that a row still sums to 1 where none of its keys is left out. Tokens that are in no span are left
 * out on that side. With @renormalise a row sums to 1 even so; a row that has nothing left is 0 throughout. A row in
 * which a weight is not a number keeps that; the others are divided by the sum of what are numbers.
 *
 * Returns: (transfer full): the weights between the spans of the maps
 */
HlAttentionSource *
hl_group_source_new (HlAttentionSource *source,
                     HlTokenMap        *queries,
                     HlTokenMap        *keys,
                     gboolean           renormalise)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (source), NULL);
  g_return_val_if_fail (hl_token_map_get_n_tokens (queries) ==
                          hl_attention_source_get_n_queries (source),
                        NULL);
  g_return_val_if_fail (hl_token_map_get_n_tokens (keys) == hl_attention_source_get_n_keys (source),
                        NULL);
  g_return_val_if_fail (hl_token_map_get_n (queries) > 0 && hl_token_map_get_n (keys) > 0, NULL);

  HlGroupSource *self = g_object_new (HL_TYPE_GROUP_SOURCE, NULL);
  const gboolean causal = stays_causal (queries, keys);
  self->source = g_object_ref (source);
  self->queries = hl_token_map_ref (queries);
  self->keys = hl_token_map_ref (keys);
  self->renormalise = renormalise;
  /* Translators: what the numbers of a map are, such as “attention weight”, divided by their sum in each row */
  self->quantity = renormalise ? g_strdup_printf (_ ("%s, rows renormalised"),
                                                  hl_attention_source_get_quantity (source))
                               : g_strdup (hl_attention_source_get_quantity (source));
  self->n_layers = hl_attention_source_get_n_layers (source);
  self->masks = g_new (HlMask, self->n_layers);
  for (guint i = 0; i < self->n_layers; i++)
    self->masks[i] = group_mask (self, hl_attention_source_get_mask (source, i), causal);
  return HL_ATTENTION_SOURCE (self);
}
