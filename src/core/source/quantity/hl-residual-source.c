/* SPDX-License-Identifier: MIT */
/* (A + I)[i,j] / Σ_k (A + I)[i,k], in place of A[i,j]. */
#include "core/source/quantity/hl-residual-source.h"

#include <float.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/base/hl-kernel.h"

struct _HlResidualSource
{
  HlDerivedSource parent_instance;
};

static void hl_residual_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlResidualSource,
                               hl_residual_source,
                               HL_TYPE_DERIVED_SOURCE,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_residual_source_iface_init))

/* In place. What is not a number stays, and does not count: some files have it where a query cannot see. Nor does what is infinite. */
HL_KERNEL static void
change_row (float   *row,
            gsize    n_keys,
            gsize    query,
            gpointer data)
{
  double sum = 0;

  row[query] += 1;
#pragma omp simd reduction(+ : sum)
  for (gsize key = 0; key < n_keys; key++)
    sum += fabsf (row[key]) <= FLT_MAX ? row[key] : 0;
  const float divisor = sum != 0 ? (float) sum : 1;
  for (gsize key = 0; key < n_keys; key++)
    row[key] /= divisor;
}

/* The keys that some query of a layer sees, of so many. */
static HlSeenKeys
get_seen (const HlMask *mask,
          gsize         n_keys)
{
  const gsize end = mask->end_key > 0 ? mask->end_key : n_keys;

  return (HlSeenKeys){ mask->first_key, end > mask->first_key ? end - mask->first_key : 0 };
}

static gboolean
read_rows (HlAttentionSource        *source,
           const HlAttentionRequest *request,
           float                    *target,
           GCancellable             *cancellable,
           GError                  **error)
{
  HlAttentionSource *weights = hl_derived_source_get_origin (HL_DERIVED_SOURCE (source));

  if (!hl_whole_rows_read (weights, request, change_row, NULL, target, cancellable, error))
    return FALSE;
  hl_residual_mark_padding (get_seen (hl_attention_source_get_mask (weights, request->layer),
                                      hl_attention_source_get_n (weights, HL_KEYS)),
                            request, target);
  return TRUE;
}

static void
hl_residual_source_iface_init (HlAttentionSourceInterface *iface)
{
  iface->read_rows = read_rows;
}

static char *
make_quantity (HlDerivedSource   *self,
               HlAttentionSource *origin)
{
  /* Translators: “attention weight + residual connection” */
  return g_strdup_printf (_ ("%s + residual connection"), hl_attention_source_get_quantity (origin));
}

/* A mask without padding: of that, each token keeps itself. Whoever reads is told of the others cell by cell. */
static HlMask
unpad (HlMask mask)
{
  mask.scattered = mask.scattered || mask.first_key > 0 || mask.end_key > 0;
  mask.first_key = mask.end_key = 0;
  return mask;
}

static HlMask
make_mask (HlDerivedSource   *self,
           HlAttentionSource *origin,
           guint              layer)
{
  return unpad (*hl_attention_source_get_mask (origin, layer));
}

static void
hl_residual_source_class_init (HlResidualSourceClass *klass)
{
  HL_DERIVED_SOURCE_CLASS (klass)->make_mask = make_mask;
  HL_DERIVED_SOURCE_CLASS (klass)->make_quantity = make_quantity;
}

static void
hl_residual_source_init (HlResidualSource *self)
{
}

/**
 * hl_residual_source_can:
 * @attention: an attention of a document
 *
 * Returns: whether its queries and keys are the same tokens, of which each keeps itself
 */
gboolean
hl_residual_source_can (HlAttention *attention)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), FALSE);

  /* An encoder and a decoder may have read the same text. */
  return hl_attention_get_kind (attention) != HL_ATTENTION_CROSS && hl_attention_has_same_tokens (attention);
}

/**
 * hl_residual_source_new:
 * @weights: the weights of such an attention
 *
 * Returns: (transfer full): how much a token takes in of each beside what it keeps of itself; rows sum to 1
 */
HlAttentionSource *
hl_residual_source_new (HlAttentionSource *weights)
{
  return hl_derived_source_derive (g_object_new (HL_TYPE_RESIDUAL_SOURCE, NULL), weights);
}

/**
 * hl_residual_list_seen:
 * @weights: the weights of all layers
 *
 * Returns: (transfer full): for each layer, the keys that some query sees in it or in one below; free with g_free()
 */
HlSeenKeys *
hl_residual_list_seen (HlAttentionSource *weights)
{
  const guint n_layers = hl_attention_source_get_n_layers (weights);
  const gsize n_keys = hl_attention_source_get_n (weights, HL_KEYS);
  HlSeenKeys *seen = g_new (HlSeenKeys, n_layers);
  gsize first = n_keys, end = 0;

  for (guint layer = 0; layer < n_layers; layer++)
    {
      const HlMask *mask = hl_attention_source_get_mask (weights, layer);

      first = MIN (first, mask->first_key);
      end = MAX (end, mask->end_key > 0 ? mask->end_key : n_keys);
      seen[layer] = (HlSeenKeys){ first, end > first ? end - first : 0 };
    }
  return seen;
}

/**
 * hl_residual_mix_masks:
 * @weights: the weights of all layers
 * @seen: what hl_residual_list_seen() says of them
 * @masks: (out caller-allocates): for each layer, which tokens of the first layer a token of it can have nothing of
 *
 * What one layer cannot see, it sees through another: only that nothing comes from later is true of all.
 */
void
hl_residual_mix_masks (HlAttentionSource *weights,
                       const HlSeenKeys  *seen,
                       HlMask            *masks)
{
  const guint n_layers = hl_attention_source_get_n_layers (weights);
  const gsize n_keys = hl_attention_source_get_n (weights, HL_KEYS);
  gboolean are_causal = TRUE; /* those below */

  for (guint layer = 0; layer < n_layers; layer++)
    {
      const HlMask *own = hl_attention_source_get_mask (weights, layer);
      const gboolean is_straight = own->causal && own->shift == 0;
      const gsize end = seen[layer].first + seen[layer].n;
      HlMask mask = *own;

      mask.causal = layer == 0 ? own->causal : are_causal && is_straight;
      mask.window = mask.chunk = 0;
      mask.shift = mask.causal ? mask.shift : 0;
      mask.scattered = FALSE;
      mask.first_key = seen[layer].first;
      mask.end_key = end < n_keys ? end : 0;
      masks[layer] = unpad (mask);
      are_causal = are_causal && is_straight;
    }
}

/**
 * hl_residual_mark_padding:
 * @seen: the keys that some query sees in the layers that the answer was made of
 * @request: what was asked for, exact, of a source that was made of them with the residual connection
 * @target: (inout): the answer
 *
 * Nobody but a padding token itself has anything of it. If that is asked for, marks it as masked.
 */
void
hl_residual_mark_padding (HlSeenKeys                seen,
                          const HlAttentionRequest *request,
                          float                    *target)
{
  if (!request->marks_masked)
    return;
  for (gsize row = 0; row < request->n_queries; row++)
    for (gsize column = 0; column < request->n_keys; column++)
      {
        const gsize key = request->first_key + column;
        float *weight = &target[row * request->n_keys + column];

        if (*weight == 0 && key != request->first_query + row && key - seen.first >= seen.n)
          *weight = -0.0f;
      }
}

/**
 * hl_residual_lose_row:
 * @mask: which keys queries cannot see in what is made through layers
 * @n: how many tokens there are
 * @query: a token that takes something in of one of which it is not known what that keeps of itself
 * @first_key: the first key of the row
 * @n_keys: how many
 * @row: (out caller-allocates): [n_keys]
 *
 * Makes the row that is known of it: 0 where it sees nothing, and no number elsewhere.
 */
void
hl_residual_lose_row (const HlMask *mask,
                      gsize         n,
                      gsize         query,
                      gsize         first_key,
                      gsize         n_keys,
                      float        *row)
{
  for (gsize i = 0; i < n_keys; i++)
    row[i] = hl_mask_is_visible (mask, n, n, query, first_key + i) ? NAN : 0;
}
