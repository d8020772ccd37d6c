/* SPDX-License-Identifier: MIT */
/* Another source with one key more: what the learned sinks of heads take, which is what their rows leave of 1. */
#include "core/source/derive/hl-sink-source.h"

#include "core/base/hl-error.h"
#include "core/document/attention/hl-mask-mark.h"

#include <math.h>
#include <string.h>

/* Numbers of the other source that are held at a time. */
#define BAND_NUMBERS ((gsize) 512 * 1024)

struct _HlSinkSource
{
  HlDerivedSource parent_instance;

  gboolean *have_sinks; /* of each layer */
};

static void hl_sink_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlSinkSource,
                               hl_sink_source,
                               HL_TYPE_DERIVED_SOURCE,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_sink_source_iface_init))

static gsize
get_n (HlAttentionSource *source,
       HlSide             side)
{
  HlAttentionSource *origin = hl_derived_source_get_origin (HL_DERIVED_SOURCE (source));

  return hl_attention_source_get_n (origin, side) + (side == HL_KEYS);
}

/* What the rule of a mask says of the keys of the other source. */
static gboolean
is_kept (const HlMask *mask)
{
  return mask->window == 0 && mask->chunk == 0 && mask->first_key == 0;
}

/* The sink is the first key, and every query sees it: causal rules stay as they are. Others would hide it; what they hide is marked
 * cell by cell. */
static HlMask
make_mask (HlDerivedSource   *self,
           HlAttentionSource *origin,
           guint              layer)
{
  const HlMask *mask = hl_attention_source_get_mask (origin, layer);

  return (HlMask){ .causal = mask->causal,
                   .shift = mask->causal ? mask->shift : 0,
                   .end_key = mask->end_key > 0 ? mask->end_key + 1 : 0,
                   .scattered = mask->scattered || !is_kept (mask) };
}

/* Weights in 16 bits sum to a little more than 1, too. */
static float
get_rest (const float *row,
          gsize        n)
{
  double sum = 0;

  for (gsize key = 0; key < n; key++)
    sum += row[key];
  return isnan (sum) ? NAN : (float) CLAMP (1 - sum, 0, 1);
}

static gboolean
read_rows (HlAttentionSource        *source,
           const HlAttentionRequest *request,
           float                    *target,
           GCancellable             *cancellable,
           GError                  **error)
{
  HlSinkSource *self = HL_SINK_SOURCE (source);
  HlAttentionSource *origin = hl_derived_source_get_origin (HL_DERIVED_SOURCE (source));
  const HlMask *mask = hl_attention_source_get_mask (origin, request->layer);
  const gboolean marks = request->marks_masked && !is_kept (mask);
  const gboolean wants_sink = request->first_key == 0;
  const gboolean is_whole = (wants_sink && self->have_sinks[request->layer]) || marks;
  const gsize all_queries = hl_attention_source_get_n (origin, HL_QUERIES);
  const gsize all_keys = hl_attention_source_get_n (origin, HL_KEYS);
  /* Of the other source. */
  const gsize first_key = request->first_key - !wants_sink;
  const gsize n_keys = request->n_keys - wants_sink;
  const gsize width = is_whole ? all_keys : MAX (n_keys, 1);
  const gsize n_band = CLAMP (BAND_NUMBERS / width, 1, request->n_queries);
  g_autofree float *band = g_try_malloc_n (n_band * width, sizeof (float));

  if (band == NULL)
    return hl_error_set_no_memory (error);
  for (gsize done = 0; done < request->n_queries; done += n_band)
    {
      const gsize n = MIN (n_band, request->n_queries - done);
      HlAttentionRequest part = hl_attention_request_get_band (request, done, n);

      part.first_key = is_whole ? 0 : first_key;
      part.n_keys = part.n_columns = width;
      if (!hl_attention_source_read (origin, &part, band, cancellable, error))
        return FALSE;
      for (gsize i = 0; i < n; i++)
        {
          float *row = band + i * width;
          float *to = target + (done + i) * request->n_keys;

          if (wants_sink)
            *to++ = self->have_sinks[request->layer] ? get_rest (row, width) : 0;
          if (marks)
            hl_mask_mark (mask, all_queries, all_keys, part.first_query + i, 0, all_keys, row);
          memcpy (to, row + (is_whole ? first_key : 0), n_keys * sizeof (float));
        }
    }
  return TRUE;
}

static void
hl_sink_source_iface_init (HlAttentionSourceInterface *iface)
{
  iface->get_n = get_n;
  iface->read_rows = read_rows;
}

static void
hl_sink_source_finalize (GObject *object)
{
  g_free (HL_SINK_SOURCE (object)->have_sinks);
  G_OBJECT_CLASS (hl_sink_source_parent_class)->finalize (object);
}

static void
hl_sink_source_class_init (HlSinkSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_sink_source_finalize;
  HL_DERIVED_SOURCE_CLASS (klass)->make_mask = make_mask;
}

static void
hl_sink_source_init (HlSinkSource *self)
{
}

/**
 * hl_sink_is_in:
 * @attention: an attention of a document
 *
 * Returns: whether heads of a layer have learned sinks, so that their rows of weights sum to less than 1. Not where something else stands in
 *   place of weights
 */
gboolean
hl_sink_is_in (HlAttention *attention)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), FALSE);

  if (hl_attention_get_quantity (attention) != NULL)
    return FALSE;
  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    if (hl_attention_get_rule (attention, layer)->sinks != NULL)
      return TRUE;
  return FALSE;
}

/**
 * hl_sink_is_at:
 * @attention: an attention, perhaps a derived one
 * @side: its rows or its columns
 * @index: one of them
 *
 * Returns: whether it is no token of the text but stands for the sinks
 */
gboolean
hl_sink_is_at (HlAttention *attention,
               HlSide       side,
               gsize        index)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), FALSE);

  HlTokenMap *map = hl_attention_get_map (attention, side);
  return map != NULL && index < hl_token_map_get_n (map) && hl_token_map_get_spans (map)[index].n == 0 &&
         g_str_equal (hl_attention_get_tokens (attention, side)[index], HL_SINK_TOKEN);
}

static void
put_before (HlTokenStrings **strings,
            gsize            n)
{
  const char *const *others = hl_token_strings_get (*strings);
  const char **all = g_new (const char *, n + 2);

  all[0] = HL_SINK_TOKEN;
  memcpy (all + 1, others, n * sizeof *all);
  all[n + 1] = NULL;
  HlTokenStrings *made = hl_token_strings_new_of (all, *strings, *strings);
  hl_token_strings_unref (*strings);
  *strings = made;
}

/**
 * hl_sink_name_keys:
 * @keys: (inout): the tokens of the keys of a derived attention
 * @map: (nullable): which tokens of the text they are; %NULL where each is one by itself
 *
 * Puts that which stands for the sinks before them. The map of @keys takes the place of one that it has.
 */
void
hl_sink_name_keys (HlAttentionTokens *keys,
                   HlTokenMap        *map)
{
  g_autoptr (HlTokenMap) others = map != NULL ? hl_token_map_ref (map) : hl_token_map_new_each (keys->n);
  const gsize n = hl_token_map_get_n (others);
  g_autofree HlTokenSpan *spans = g_new (HlTokenSpan, n + 1);

  put_before (&keys->strings, n);
  put_before (&keys->texts, n);
  spans[0] = (HlTokenSpan){ 0, 0 };
  memcpy (spans + 1, hl_token_map_get_spans (others), n * sizeof *spans);
  g_clear_pointer (&keys->map, hl_token_map_unref);
  keys->map = hl_token_map_new_spans (hl_token_map_get_n_tokens (others), spans, n + 1);
  keys->n = n + 1;
  keys->n_used++;
}

/**
 * hl_sink_shift_map:
 * @map: which keys of a source are put together, and which are left
 *
 * Returns: (transfer full): the same of its #HlSinkSource, with the sink
 */
HlTokenMap *
hl_sink_shift_map (HlTokenMap *map)
{
  g_return_val_if_fail (map != NULL, NULL);

  const HlTokenSpan *others = hl_token_map_get_spans (map);
  const gsize n = hl_token_map_get_n (map);
  g_autofree HlTokenSpan *spans = g_new (HlTokenSpan, n + 1);

  spans[0] = (HlTokenSpan){ 0, 1 };
  for (gsize i = 0; i < n; i++)
    spans[i + 1] = (HlTokenSpan){ others[i].first + 1, others[i].n };
  return hl_token_map_new_spans (hl_token_map_get_n_tokens (map) + 1, spans, n + 1);
}

/**
 * hl_sink_source_new:
 * @source: weights
 * @attention: whose they are
 *
 * Returns: (transfer full): the source with a key before the others: in layers whose heads have learned sinks, what a row leaves of 1; in others
 *   nothing
 */
HlAttentionSource *
hl_sink_source_new (HlAttentionSource *source,
                    HlAttention       *attention)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (source), NULL);
  g_return_val_if_fail (HL_IS_ATTENTION (attention), NULL);

  HlSinkSource *self = g_object_new (HL_TYPE_SINK_SOURCE, NULL);
  const guint n_layers = hl_attention_get_n_layers (attention);
  self->have_sinks = g_new (gboolean, n_layers);
  for (guint layer = 0; layer < n_layers; layer++)
    self->have_sinks[layer] = hl_attention_get_rule (attention, layer)->sinks != NULL;
  return hl_derived_source_derive (self, source);
}
