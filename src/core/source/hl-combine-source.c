/* SPDX-License-Identifier: MIT */
/* Several maps of another source as one, cell by cell: the mean or the largest over heads, over layers or over both. The mean over heads is
 * the "average attention" of most papers; Vig 2019 shows single heads beside it. */
#include "core/source/hl-combine-source.h"

#include "core/base/hl-error.h"
#include "core/base/hl-kernel.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Numbers of one map that are held at a time, besides the answer and its sums. */
#define BAND_NUMBERS ((gsize) 1024 * 1024)

struct _HlCombineSource
{
  GObject parent_instance;

  HlAttentionSource *source;
  HlCombine combine;
  HlCombineOver over;
  HlHeadSet heads;
  HlLayerSet layers;
  char *quantity;
  guint n_layers;
  guint *n_heads;
  HlMask *masks;
};

static void hl_combine_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlCombineSource, hl_combine_source, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_combine_source_iface_init))

G_DEFINE_ENUM_TYPE (HlCombine, hl_combine,
                    G_DEFINE_ENUM_VALUE (HL_COMBINE_NONE, "none"),
                    G_DEFINE_ENUM_VALUE (HL_COMBINE_MEAN, "mean"),
                    G_DEFINE_ENUM_VALUE (HL_COMBINE_MAX, "max"))

G_DEFINE_ENUM_TYPE (HlCombineOver, hl_combine_over,
                    G_DEFINE_ENUM_VALUE (HL_COMBINE_OVER_HEADS, "heads"),
                    G_DEFINE_ENUM_VALUE (HL_COMBINE_OVER_LAYERS, "layers"),
                    G_DEFINE_ENUM_VALUE (HL_COMBINE_OVER_ALL, "all"))

static guint
get_n_layers (HlAttentionSource *source)
{
  return HL_COMBINE_SOURCE (source)->n_layers;
}

static guint
get_n_heads (HlAttentionSource *source,
             guint              layer)
{
  return HL_COMBINE_SOURCE (source)->n_heads[layer];
}

static gsize
get_n_queries (HlAttentionSource *source)
{
  return hl_attention_source_get_n_queries (HL_COMBINE_SOURCE (source)->source);
}

static gsize
get_n_keys (HlAttentionSource *source)
{
  return hl_attention_source_get_n_keys (HL_COMBINE_SOURCE (source)->source);
}

static const char *
get_quantity (HlAttentionSource *source)
{
  return HL_COMBINE_SOURCE (source)->quantity;
}

static const HlMask *
get_mask (HlAttentionSource *source,
          guint              layer)
{
  return &HL_COMBINE_SOURCE (source)->masks[layer];
}

static gboolean
is_signed (HlAttentionSource *source)
{
  return hl_attention_source_is_signed (HL_COMBINE_SOURCE (source)->source);
}

/* Whether a map of the source is part of a map of the answer. */
static gboolean
is_part (HlCombineSource *self,
         guint            layer,
         guint            head,
         guint            of_layer,
         guint            of_head)
{
  if (self->over != HL_COMBINE_OVER_LAYERS && !hl_head_set_contains (&self->heads, head))
    return FALSE;
  if (self->over == HL_COMBINE_OVER_HEADS)
    return layer == of_layer;
  return hl_layer_set_contains (&self->layers, layer) && (self->over == HL_COMBINE_OVER_ALL || head == of_head);
}

HL_KERNEL static void
add (double      *sums,
     const float *weights,
     gsize        n)
{
#pragma omp simd
  for (gsize i = 0; i < n; i++)
    sums[i] += weights[i];
}

/* What is not a number stays, as in numpy.max. */
HL_KERNEL static void
take_larger (float       *target,
             const float *weights,
             gsize        n)
{
#pragma omp simd
  for (gsize i = 0; i < n; i++)
    target[i] = weights[i] > target[i] || weights[i] != weights[i] ? weights[i] : target[i];
}

/* Of numbers that have a sign, the one farther from zero. */
HL_KERNEL static void
take_farther (float       *target,
              const float *weights,
              gsize        n)
{
#pragma omp simd
  for (gsize i = 0; i < n; i++)
    target[i] = fabsf (weights[i]) > fabsf (target[i]) || weights[i] != weights[i] ? weights[i] : target[i];
}

typedef struct
{
  HlAttentionRequest request;
  float *weights;
  double *sums;
  guint n_parts;
} Band;

static gboolean
take_part (HlCombineSource  *self,
           Band             *band,
           guint             layer,
           guint             head,
           float            *target,
           GCancellable     *cancellable,
           GError          **error)
{
  const gsize n = band->request.n_rows * band->request.n_columns;
  const gboolean is_first = band->n_parts++ == 0;

  band->request.layer = layer;
  band->request.head = head;
  if (self->combine == HL_COMBINE_MAX && is_first)
    return hl_attention_source_read (self->source, &band->request, target, cancellable, error);
  if (!hl_attention_source_read (self->source, &band->request, band->weights, cancellable, error))
    return FALSE;
  if (self->combine == HL_COMBINE_MEAN)
    add (band->sums, band->weights, n);
  else if (is_signed (HL_ATTENTION_SOURCE (self)))
    take_farther (target, band->weights, n);
  else
    take_larger (target, band->weights, n);
  return TRUE;
}

static gboolean
read_band (HlCombineSource  *self,
           Band             *band,
           guint             of_layer,
           guint             of_head,
           float            *target,
           GCancellable     *cancellable,
           GError          **error)
{
  const gsize n = band->request.n_rows * band->request.n_columns;

  band->n_parts = 0;
  for (gsize i = 0; i < n; i++)
    band->sums[i] = 0;
  for (guint layer = 0; layer < hl_attention_source_get_n_layers (self->source); layer++)
    for (guint head = 0; head < hl_attention_source_get_n_heads (self->source, layer); head++)
      if (is_part (self, layer, head, of_layer, of_head) &&
          !take_part (self, band, layer, head, target, cancellable, error))
        return FALSE;

  /* A layer may have none of the heads that were chosen: nothing is no number. */
  for (gsize i = 0; i < n && band->n_parts == 0; i++)
    target[i] = NAN;
  for (gsize i = 0; i < n && band->n_parts > 0 && self->combine == HL_COMBINE_MEAN; i++)
    target[i] = (float) (band->sums[i] / band->n_parts);
  return TRUE;
}

static gboolean
read_rows (HlAttentionSource  *source,
           guint               layer,
           guint               head,
           gsize               first_query,
           gsize               n_queries,
           gsize               first_key,
           gsize               n_keys,
           float              *target,
           GCancellable       *cancellable,
           GError            **error)
{
  HlCombineSource *self = HL_COMBINE_SOURCE (source);
  const gsize n_band = CLAMP (BAND_NUMBERS / n_keys, 1, n_queries);
  g_autofree float *weights = g_try_malloc_n (n_band * n_keys, sizeof (float));
  g_autofree double *sums = g_try_malloc_n (n_band * n_keys, sizeof (double));

  if (weights == NULL || sums == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there is not enough memory"));
      return FALSE;
    }
  for (gsize query = 0; query < n_queries; query += n_band)
    {
      const gsize n = MIN (n_band, n_queries - query);
      Band band = {
        .request = {
          .first_query = first_query + query,
          .n_queries = n,
          .first_key = first_key,
          .n_keys = n_keys,
          .n_rows = n,
          .n_columns = n_keys,
        },
        .weights = weights,
        .sums = sums,
      };

      if (!read_band (self, &band, layer, head, target + query * n_keys, cancellable, error))
        return FALSE;
    }
  return TRUE;
}

static void
hl_combine_source_iface_init (HlAttentionSourceInterface *iface)
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
hl_combine_source_finalize (GObject *object)
{
  HlCombineSource *self = HL_COMBINE_SOURCE (object);

  g_clear_object (&self->source);
  g_free (self->quantity);
  g_free (self->n_heads);
  g_free (self->masks);
  G_OBJECT_CLASS (hl_combine_source_parent_class)->finalize (object);
}

static void
hl_combine_source_class_init (HlCombineSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_combine_source_finalize;
}

static void
hl_combine_source_init (HlCombineSource *self)
{
}

/* "all 12 heads", "heads 0, 2, 5" */
static char *
describe_heads (const HlHeadSet *heads,
                guint            max_heads)
{
  const guint n = hl_head_set_count (heads);
  g_autofree char *list = hl_bits_format (heads->bits, max_heads);

  if (n == max_heads && n > 1)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "all %u head", "all %u heads", n), n);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "head %s", "heads %s", n), list);
}

static char *
describe_layers (const HlLayerSet *layers,
                 guint             n_layers)
{
  const guint n = hl_layer_set_count (layers);
  g_autofree char *list = hl_bits_format (layers->bits, n_layers);

  if (n == n_layers && n > 1)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "all %u layer", "all %u layers", n), n);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "layer %s", "layers %s", n), list);
}

/**
 * hl_combine_describe:
 * @heads: the heads that are chosen
 * @max_heads: the heads of the layer that has the most
 * @layers: the layers that are chosen
 * @n_layers: how many there are
 * @combine: how they become one map
 * @over: which do
 *
 * Returns: (transfer full): "mean of heads 0, 2, 5", "maximum of all 6 layers", translated
 */
char *
hl_combine_describe (const HlHeadSet  *heads,
                     guint             max_heads,
                     const HlLayerSet *layers,
                     guint             n_layers,
                     HlCombine         combine,
                     HlCombineOver     over)
{
  g_autofree char *of_heads = describe_heads (heads, max_heads);
  g_autofree char *of_layers = describe_layers (layers, n_layers);
  /* Translators: “heads 0, 2”, “all 6 layers” */
  g_autofree char *both = g_strdup_printf (_ ("%s of %s"), of_heads, of_layers);
  const char *const parts[] = { of_heads, of_layers, both };

  /* Translators: “heads 0, 2, 5”, “all 6 layers”, “heads 0, 2 of all 6 layers” */
  return g_strdup_printf (combine == HL_COMBINE_MEAN ? _ ("mean of %s") : _ ("maximum of %s"), parts[over]);
}

/* What is hidden from all is hidden; how far the others see differs from layer to layer in some models. */
static HlMask
get_mask_of_layers (HlCombineSource *self)
{
  HlMask all = { 0 };
  gboolean is_first = TRUE;

  for (guint layer = 0; layer < hl_attention_source_get_n_layers (self->source); layer++)
    {
      const HlMask *mask = hl_attention_source_get_mask (self->source, layer);
      if (!hl_layer_set_contains (&self->layers, layer))
        continue;
      if (is_first)
        all = *mask;
      else if (mask->causal != all.causal || mask->transposed != all.transposed)
        return (HlMask){ 0 };
      else
        all.window = mask->window == 0 || all.window == 0 ? 0 : MAX (all.window, mask->window);
      is_first = FALSE;
    }
  return all;
}

static void
count_maps (HlCombineSource *self)
{
  const guint n_layers = hl_attention_source_get_n_layers (self->source);
  guint max_heads = 0, max_chosen = 0;

  for (guint layer = 0; layer < n_layers; layer++)
    {
      const guint n_heads = hl_attention_source_get_n_heads (self->source, layer);
      max_heads = MAX (max_heads, n_heads);
      if (hl_layer_set_contains (&self->layers, layer))
        max_chosen = MAX (max_chosen, n_heads);
    }
  g_autofree char *made = hl_combine_describe (&self->heads, max_heads, &self->layers, n_layers, self->combine, self->over);
  self->quantity = g_strdup_printf ("%s · %s", made, hl_attention_source_get_quantity (self->source));
  self->n_layers = self->over == HL_COMBINE_OVER_HEADS ? n_layers : 1;
  self->n_heads = g_new (guint, self->n_layers);
  self->masks = g_new (HlMask, self->n_layers);
  for (guint layer = 0; layer < self->n_layers; layer++)
    {
      self->n_heads[layer] = self->over == HL_COMBINE_OVER_LAYERS ? MAX (max_chosen, 1) : 1;
      self->masks[layer] = self->over == HL_COMBINE_OVER_HEADS ? *hl_attention_source_get_mask (self->source, layer)
                                                               : get_mask_of_layers (self);
    }
}

/**
 * hl_combine_source_new:
 * @source: a source
 * @combine: %HL_COMBINE_MEAN or %HL_COMBINE_MAX; of numbers that have a sign, the latter takes the one farthest from zero
 * @over: which maps become one
 * @heads: which heads of each layer; of no effect over layers
 * @layers: which layers; of no effect over heads
 *
 * A map in which there is a number that is none in any of the others has none there either. Where a layer has none of the heads, all of its
 * map is NaN.
 *
 * Returns: (transfer full): over heads, a source with one head in each layer; over layers, with one layer; over all, with one head in one layer
 */
HlAttentionSource *
hl_combine_source_new (HlAttentionSource *source,
                       HlCombine          combine,
                       HlCombineOver      over,
                       const HlHeadSet   *heads,
                       const HlLayerSet  *layers)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (source), NULL);
  g_return_val_if_fail (combine != HL_COMBINE_NONE, NULL);

  HlCombineSource *self = g_object_new (HL_TYPE_COMBINE_SOURCE, NULL);
  self->source = g_object_ref (source);
  self->combine = combine;
  self->over = over;
  self->heads = *heads;
  self->layers = *layers;
  count_maps (self);
  return HL_ATTENTION_SOURCE (self);
}
