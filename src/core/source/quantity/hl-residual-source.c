/* SPDX-License-Identifier: MIT */
/* (A + I)[i,j] / Σ_k (A + I)[i,k], in place of A[i,j]. */
#include "core/source/quantity/hl-residual-source.h"

#include <glib/gi18n-lib.h>

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

/* In place. What is not a number stays, and does not count: some files have it where a query cannot see. */
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
    sum += row[key] == row[key] ? row[key] : 0;
  const float divisor = (float) sum;
  for (gsize key = 0; key < n_keys; key++)
    row[key] /= divisor;
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
  hl_residual_mark_padding (weights, request->layer, request, target);
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

typedef struct
{
  gsize first;
  gsize n;
} Seen;

/* The keys that some query sees in one of some layers. */
static Seen
find_seen (HlAttentionSource *weights,
           guint              first_layer,
           guint              layer)
{
  const gsize n_keys = hl_attention_source_get_n (weights, HL_KEYS);
  gsize first = n_keys, end = 0;

  for (guint i = first_layer; i <= layer; i++)
    {
      const HlMask *mask = hl_attention_source_get_mask (weights, i);

      first = MIN (first, mask->first_key);
      end = MAX (end, mask->end_key > 0 ? mask->end_key : n_keys);
    }
  return (Seen){ first, end > first ? end - first : 0 };
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
 * hl_residual_mix_masks:
 * @weights: the weights of all layers
 * @layer: a layer
 *
 * What one layer cannot see, it sees through another: only that nothing comes from later is true of all.
 *
 * Returns: which tokens of the first layer a token of @layer can have nothing of
 */
HlMask
hl_residual_mix_masks (HlAttentionSource *weights,
                       guint              layer)
{
  HlMask mask = *hl_attention_source_get_mask (weights, layer);

  for (guint i = 0; i < layer; i++)
    mask.causal = mask.causal && mask.shift == 0 && hl_attention_source_get_mask (weights, i)->causal &&
                  hl_attention_source_get_mask (weights, i)->shift == 0;
  mask.window = mask.chunk = 0;
  mask.shift = mask.causal ? mask.shift : 0;
  mask.scattered = FALSE;
  const Seen seen = find_seen (weights, 0, layer);
  mask.first_key = seen.first;
  mask.end_key = seen.first + seen.n < hl_attention_source_get_n (weights, HL_KEYS) ? seen.first + seen.n : 0;
  return unpad (mask);
}

/**
 * hl_residual_mark_padding:
 * @weights: the weights of all layers
 * @first_layer: the lowest layer that the answer was made of
 * @request: what was asked for, exact, of a source that was made of them with the residual connection
 * @target: (inout): the answer
 *
 * Nobody but a padding token itself has anything of it. If that is asked for, marks it as masked.
 */
void
hl_residual_mark_padding (HlAttentionSource        *weights,
                          guint                     first_layer,
                          const HlAttentionRequest *request,
                          float                    *target)
{
  if (!request->marks_masked)
    return;
  const Seen seen = find_seen (weights, first_layer, request->layer);
  for (gsize row = 0; row < request->n_queries; row++)
    for (gsize column = 0; column < request->n_keys; column++)
      {
        const gsize key = request->first_key + column;
        float *weight = &target[row * request->n_keys + column];

        if (*weight == 0 && key != request->first_query + row && key - seen.first >= seen.n)
          *weight = -0.0f;
      }
}
