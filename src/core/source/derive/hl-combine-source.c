/* SPDX-License-Identifier: MIT */
/* Several maps of another source as one, cell by cell: the mean, the largest or the sum over heads, over layers or over both. The mean over heads is
 * the "average attention" of most papers; Vig 2019 shows single heads beside it. */
#include "core/source/derive/hl-combine-source.h"

#include <glib-object.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <omp.h>

#include "core/base/hl-error.h"
#include "core/base/hl-kernel.h"

G_DEFINE_ENUM_TYPE (HlCombine,
                    hl_combine,
                    G_DEFINE_ENUM_VALUE (HL_COMBINE_NONE, "none"),
                    G_DEFINE_ENUM_VALUE (HL_COMBINE_MEAN, "mean"),
                    G_DEFINE_ENUM_VALUE (HL_COMBINE_MAX, "max"),
                    G_DEFINE_ENUM_VALUE (HL_COMBINE_SUM, "sum"))

G_DEFINE_ENUM_TYPE (HlCombineOver,
                    hl_combine_over,
                    G_DEFINE_ENUM_VALUE (HL_COMBINE_OVER_HEADS, "heads"),
                    G_DEFINE_ENUM_VALUE (HL_COMBINE_OVER_LAYERS, "layers"),
                    G_DEFINE_ENUM_VALUE (HL_COMBINE_OVER_ALL, "all"))

/* Returns what a map is called that is made of several: "mean", not translated. */
const char *
hl_combine_get_name (HlCombine self)
{
  static const char *const names[] = { NULL, N_ ("mean"), N_ ("max"), N_ ("sum") };

  g_return_val_if_fail (self < G_N_ELEMENTS (names), NULL);

  return names[self];
}

/* "all 12 heads", "heads 0, 2, 5" */
static char *
describe_heads (const HlHeadSet *heads,
                guint            max_heads)
{
  HlHeadSet there = *heads;

  hl_head_set_truncate (&there, max_heads);
  const guint n = hl_head_set_count (&there);
  g_autofree char *list = hl_bits_format (there.bits, max_heads);

  if (n == 0)
    /* Translators: “mean of no head” */
    return g_strdup (_ ("no head"));
  if (n == max_heads && n > 1)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "all %u head", "all %u heads", n), n);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "head %s", "heads %s", n), list);
}

/* @layers: none that there is not */
static char *
describe_layers (const HlLayerSet *layers,
                 guint             n_layers)
{
  const guint n = hl_layer_set_count (layers);
  g_autofree char *list = hl_bits_format (layers->bits, n_layers);

  if (n == 0)
    /* Translators: “mean of no layer” */
    return g_strdup (_ ("no layer"));
  if (n == n_layers && n > 1)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "all %u layer", "all %u layers", n), n);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "layer %s", "layers %s", n), list);
}

/**
 * hl_combine_describe:
 * @heads: the heads that are chosen, perhaps more than there are
 * @layers: the layers that are chosen, perhaps more than there are
 * @n_heads: (array length=n_layers): how many heads each layer has
 * @n_layers: how many layers there are
 * @combine: how they become one map
 * @over: which do
 *
 * Names what there is of them: a layer that has no part in the map is not said to have one.
 *
 * Returns: (transfer full): "mean of heads 0, 2, 5", "maximum of all 6 layers", "mean of no head", translated
 */
char *
hl_combine_describe (const HlHeadSet  *heads,
                     const HlLayerSet *layers,
                     const guint      *n_heads,
                     guint             n_layers,
                     HlCombine         combine,
                     HlCombineOver     over)
{
  HlLayerSet there = *layers;
  guint max_heads = 0;

  hl_layer_set_truncate (&there, n_layers);
  for (guint layer = 0; layer < n_layers; layer++)
    {
      if (over == HL_COMBINE_OVER_ALL ? !hl_head_set_has_below (heads, n_heads[layer]) : n_heads[layer] == 0)
        hl_layer_set_remove (&there, layer);
      if (over == HL_COMBINE_OVER_HEADS || hl_layer_set_contains (&there, layer))
        max_heads = MAX (max_heads, n_heads[layer]);
    }
  g_autofree char *of_heads = describe_heads (heads, max_heads);
  g_autofree char *of_layers = describe_layers (&there, n_layers);
  /* Translators: “heads 0, 2”, “all 6 layers” */
  g_autofree char *both = g_strdup_printf (_ ("%s of %s"), of_heads, of_layers);
  const char *const parts[] = { of_heads, of_layers, both };

  /* Translators: “heads 0, 2, 5”, “all 6 layers”, “heads 0, 2 of all 6 layers” */
  const char *const formats[] = { "%s", N_ ("mean of %s"), N_ ("maximum of %s"), N_ ("sum of %s") };
  return g_strdup_printf (_ (formats[combine]), parts[over]);
}

/* Numbers of one map that a thread holds at a time, besides the answer and its sums. */
#define BAND_NUMBERS ((gsize) 2 * 1024 * 1024)

/* Fewer numbers of all maps are there before other threads have woken up. */
#define MIN_PARALLEL ((gsize) 64 * 1024)

struct _HlCombineSource
{
  HlDerivedSource parent_instance;

  HlCombine combine;
  HlCombineOver over;
  HlHeadSet heads;
  HlLayerSet layers;
  guint n_layers;
  guint n_heads;
};

static void hl_combine_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlCombineSource,
                               hl_combine_source,
                               HL_TYPE_DERIVED_SOURCE,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_combine_source_iface_init))

static guint
get_n_layers (HlAttentionSource *source)
{
  return HL_COMBINE_SOURCE (source)->n_layers;
}

static guint
get_n_heads (HlAttentionSource *source,
             guint              layer)
{
  HlCombineSource *self = HL_COMBINE_SOURCE (source);

  /* A layer without heads stays one. */
  if (self->over == HL_COMBINE_OVER_HEADS &&
      hl_attention_source_get_n_heads (hl_derived_source_get_origin (HL_DERIVED_SOURCE (source)), layer) == 0)
    return 0;
  return self->n_heads;
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

/* A map of the source. */
typedef struct
{
  guint layer;
  guint head;
} Part;

HL_KERNEL static void
add (double      *sums,
     const float *weights,
     gsize        n)
{
#pragma omp simd
  for (gsize i = 0; i < n; i++)
    sums[i] += weights[i];
}

/* What is not a number stays, as in numpy.max. Of 0 and −0, which is masked, the sum: it is 0. */
HL_KERNEL static void
take_larger (double      *largest,
             const float *weights,
             gsize        n)
{
#pragma omp simd
  for (gsize i = 0; i < n; i++)
    {
      const double larger = weights[i] > largest[i] || weights[i] != weights[i] ? weights[i] : largest[i];
      const double zero = weights[i] + largest[i];

      largest[i] = weights[i] == 0 && largest[i] == 0 ? zero : larger;
    }
}

/* Of numbers that have a sign, the one farther from zero. */
HL_KERNEL static void
take_farther (double      *farthest,
              const float *weights,
              gsize        n)
{
#pragma omp simd
  for (gsize i = 0; i < n; i++)
    farthest[i] = fabsf (weights[i]) > fabs (farthest[i]) || weights[i] != weights[i] ? weights[i] : farthest[i];
}

/* What a thread makes of its share of the maps. */
typedef struct
{
  float *weights;
  double *made;
  guint n_parts;
} Share;

static void
take (HlCombineSource *self,
      Share           *share,
      const float     *weights,
      gsize            n)
{
  if (share->n_parts++ == 0)
    for (gsize i = 0; i < n; i++)
      share->made[i] = weights[i];
  else if (self->combine != HL_COMBINE_MAX)
    add (share->made, weights, n);
  else
    (hl_attention_source_is_signed (HL_ATTENTION_SOURCE (self)) ? take_farther : take_larger) (share->made, weights, n);
}

/* Every so manieth of the maps, so that each is read once, and always by the same thread. */
static gboolean
read_share (HlCombineSource   *self,
            const Part        *parts,
            guint              n_parts,
            guint              first,
            guint              step,
            HlAttentionRequest request,
            Share             *share,
            GCancellable      *cancellable,
            GError           **error)
{
  HlAttentionSource *origin = hl_derived_source_get_origin (HL_DERIVED_SOURCE (self));

  for (guint i = first; i < n_parts; i += step)
    {
      request.layer = parts[i].layer;
      request.head = parts[i].head;
      if (!hl_attention_source_read (origin, &request, share->weights, cancellable, error))
        return FALSE;
      take (self, share, share->weights, request.n_rows * request.n_columns);
    }
  return TRUE;
}

/* Puts the shares of all threads together. */
static void
finish (HlCombineSource *self,
        Share           *shares,
        guint            n_shares,
        guint            n_parts,
        gsize            n,
        float           *target)
{
  for (guint share = 1; share < n_shares; share++)
    if (self->combine != HL_COMBINE_MAX)
      for (gsize i = 0; i < n; i++)
        shares[0].made[i] += shares[share].made[i];
    else
      {
        /* The largest was a float before. */
        for (gsize i = 0; i < n; i++)
          shares[0].weights[i] = (float) shares[share].made[i];
        take (self, &shares[0], shares[0].weights, n);
      }
  const double divisor = self->combine == HL_COMBINE_MEAN ? n_parts : 1;
  for (gsize i = 0; i < n; i++)
    target[i] = (float) (shares[0].made[i] / divisor);
}

static gboolean
read_band (HlCombineSource          *self,
           const Part               *parts,
           guint                     n_parts,
           const HlAttentionRequest *request,
           Share                    *shares,
           guint                     n_shares,
           float                    *target,
           GCancellable             *cancellable,
           GError                  **error)
{
  g_autofree GError **errors = g_new0 (GError *, n_shares);
  gboolean done = TRUE;

#pragma omp parallel for schedule(static, 1) num_threads(n_shares) if (n_shares > 1)
  for (guint share = 0; share < n_shares; share++)
    {
      shares[share].n_parts = 0;
      read_share (self, parts, n_parts, share, n_shares, *request, &shares[share], cancellable, &errors[share]);
    }
  /* What the first thread met with is what the caller is told. */
  for (guint share = 0; share < n_shares; share++)
    if (errors[share] != NULL && done)
      {
        done = FALSE;
        g_propagate_error (error, errors[share]);
      }
    else
      g_clear_error (&errors[share]);
  if (done)
    finish (self, shares, n_shares, n_parts, request->n_rows * request->n_columns, target);
  return done;
}

static GArray *
list_parts (HlCombineSource *self,
            guint            of_layer,
            guint            of_head)
{
  HlAttentionSource *origin = hl_derived_source_get_origin (HL_DERIVED_SOURCE (self));
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (Part));
  /* Where it is of one layer or of one head, the others need not be looked through for each of thousands. */
  const gboolean is_of_layer = self->over == HL_COMBINE_OVER_HEADS, is_of_head = self->over == HL_COMBINE_OVER_LAYERS;
  const guint end = is_of_layer ? of_layer + 1 : hl_attention_source_get_n_layers (origin);
  const guint end_head = is_of_head ? of_head + 1 : G_MAXUINT;

  for (guint layer = is_of_layer ? of_layer : 0; layer < end; layer++)
    for (guint head = is_of_head ? of_head : 0; head < MIN (end_head, hl_attention_source_get_n_heads (origin, layer));
         head++)
      if (is_part (self, layer, head, of_layer, of_head))
        {
          const Part part = { layer, head };
          g_array_append_val (parts, part);
        }
  return parts;
}

static gboolean
read_rows (HlAttentionSource        *source,
           const HlAttentionRequest *request,
           float                    *target,
           GCancellable             *cancellable,
           GError                  **error)
{
  HlCombineSource *self = HL_COMBINE_SOURCE (source);
  g_autoptr (GArray) parts = list_parts (self, request->layer, request->head);
  const gsize n_queries = request->n_queries, n_keys = request->n_keys;
  const gsize n_band = CLAMP (BAND_NUMBERS / n_keys, 1, n_queries);
  const gboolean is_small = n_band * n_keys * parts->len < MIN_PARALLEL;
  const guint n_shares = is_small ? 1 : CLAMP (parts->len, 1, (guint) omp_get_max_threads ());
  g_autofree Share *shares = g_new0 (Share, n_shares);
  g_autofree float *weights = g_try_malloc_n (n_shares * n_band * n_keys, sizeof (float));
  g_autofree double *made = g_try_malloc_n (n_shares * n_band * n_keys, sizeof (double));

  if (weights == NULL || made == NULL)
    return hl_error_set_no_memory (error);
  /* A layer may have none of the heads that were chosen: nothing is no number. */
  for (gsize i = 0; parts->len == 0 && i < n_queries * n_keys; i++)
    target[i] = NAN;
  for (guint share = 0; share < n_shares; share++)
    shares[share] = (Share){ weights + share * n_band * n_keys, made + share * n_band * n_keys, 0 };

  for (gsize query = 0; parts->len > 0 && query < n_queries; query += n_band)
    {
      const gsize n = MIN (n_band, n_queries - query);
      const HlAttentionRequest band = hl_attention_request_get_band (request, query, n);

      if (!read_band (self, (const Part *) parts->data, parts->len, &band, shares, n_shares, target + query * n_keys,
                      cancellable, error))
        return FALSE;
    }
  return TRUE;
}

static char *
make_quantity (HlDerivedSource   *source,
               HlAttentionSource *origin)
{
  HlCombineSource *self = HL_COMBINE_SOURCE (source);
  const guint n_layers = hl_attention_source_get_n_layers (origin);
  g_autofree guint *n_heads = g_new (guint, n_layers);

  for (guint layer = 0; layer < n_layers; layer++)
    n_heads[layer] = hl_attention_source_get_n_heads (origin, layer);
  g_autofree char *made =
    hl_combine_describe (&self->heads, &self->layers, n_heads, n_layers, self->combine, self->over);
  return g_strdup_printf ("%s · %s", made, hl_attention_source_get_quantity (origin));
}

/* What is hidden from all is hidden; how far the others see differs from layer to layer in some models. */
static HlMask
get_mask_of_layers (HlCombineSource   *self,
                    HlAttentionSource *origin)
{
  HlMask all = { 0 };
  gboolean is_first = TRUE;

  for (guint layer = 0; layer < hl_attention_source_get_n_layers (origin); layer++)
    {
      const HlMask *mask = hl_attention_source_get_mask (origin, layer);
      if (!hl_layer_set_contains (&self->layers, layer))
        continue;
      if (is_first)
        all = *mask;
      else if (mask->causal != all.causal || mask->transposed != all.transposed || mask->shift != all.shift)
        return (HlMask){ 0 };
      else
        {
          all.window = mask->window == 0 || all.window == 0 ? 0 : MAX (all.window, mask->window);
          all.chunk = all.chunk == mask->chunk ? all.chunk : 0;
          all.scattered = all.scattered && mask->scattered;
          all.first_key = MIN (all.first_key, mask->first_key);
          all.end_key = mask->end_key == 0 || all.end_key == 0 ? 0 : MAX (all.end_key, mask->end_key);
        }
      is_first = FALSE;
    }
  return all;
}

static HlMask
make_mask (HlDerivedSource   *source,
           HlAttentionSource *origin,
           guint              layer)
{
  HlCombineSource *self = HL_COMBINE_SOURCE (source);

  return self->over == HL_COMBINE_OVER_HEADS ? *hl_attention_source_get_mask (origin, layer)
                                             : get_mask_of_layers (self, origin);
}

static void
hl_combine_source_iface_init (HlAttentionSourceInterface *iface)
{
  iface->get_n_layers = get_n_layers;
  iface->get_n_heads = get_n_heads;
  iface->read_rows = read_rows;
}

static void
hl_combine_source_class_init (HlCombineSourceClass *klass)
{
  HlDerivedSourceClass *source_class = HL_DERIVED_SOURCE_CLASS (klass);

  source_class->make_quantity = make_quantity;
  source_class->make_mask = make_mask;
}

static void
hl_combine_source_init (HlCombineSource *self)
{
}

static void
count_maps (HlCombineSource   *self,
            HlAttentionSource *origin)
{
  const guint n_layers = hl_attention_source_get_n_layers (origin);
  guint max_chosen = 1;

  for (guint layer = 0; layer < n_layers; layer++)
    if (hl_layer_set_contains (&self->layers, layer))
      max_chosen = MAX (max_chosen, hl_attention_source_get_n_heads (origin, layer));
  self->n_layers = self->over == HL_COMBINE_OVER_HEADS ? n_layers : 1;
  self->n_heads = self->over == HL_COMBINE_OVER_LAYERS ? max_chosen : 1;
}

/**
 * hl_combine_source_new:
 * @source: a source
 * @combine: how they become one; of numbers that have a sign, %HL_COMBINE_MAX takes the one farthest from zero
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
  self->combine = combine;
  self->over = over;
  self->heads = *heads;
  self->layers = *layers;
  count_maps (self, source);
  return hl_derived_source_derive (self, source);
}
