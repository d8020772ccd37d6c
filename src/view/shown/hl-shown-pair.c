/* SPDX-License-Identifier: MIT */
#include "view/shown/hl-shown-pair.h"

static gboolean
is_of (HlComparison  *comparison,
       const HlShown *a,
       const HlShown *b)
{
  return hl_comparison_get_attention_a (comparison) == a->attention &&
         hl_comparison_get_source_a (comparison) == a->source &&
         hl_comparison_get_attention_b (comparison) == b->attention &&
         hl_comparison_get_source_b (comparison) == b->source;
}

/*
 * Both as they are shown, filters aside, each with its tokens: @before (nullable), which is taken over, if it is that
 * already.
 */
HlComparison *
hl_shown_pair_compare (const HlShown *a,
                       const HlShown *b,
                       HlAligner     *aligner,
                       HlComparison  *before)
{
  /* What is derived may have fewer layers and heads; it is the tokens that count. */
  const HlHeadPairing none = { -1, -1 };

  if (before != NULL && is_of (before, a, b))
    return before;
  g_clear_object (&before);
  return hl_comparison_new (a->attention, a->source, b->attention, b->source, &none, aligner);
}

/* The layers of @b that are combined where those of @a are: the same, but for all all. */
HlLayerSet
hl_shown_pair_find_layers (const HlLayerSet *layers,
                           HlAttention      *a,
                           HlAttention      *b)
{
  HlLayerSet all = { { 0 } };

  if (hl_layer_set_count (layers) < hl_attention_get_n_layers (a))
    return *layers;
  for (guint layer = 0; layer < hl_attention_get_n_layers (b); layer++)
    hl_layer_set_add (&all, layer);
  return all;
}
