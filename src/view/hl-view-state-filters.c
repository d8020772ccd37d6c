/* SPDX-License-Identifier: MIT */
/* HlViewState: what is left out, and in which colours the rest is shown. */
#include "view/hl-view-state-private.h"

/**
 * hl_view_state_has_mask:
 * @self: a view state
 *
 * Returns: whether the model hides keys from queries in this layer
 */
gboolean
hl_view_state_has_mask (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  const HlMask *mask = &hl_attention_get_rule (self->attention, self->layer)->mask;
  return mask->causal || mask->window > 0;
}

/* The tokens of one text of a pair, or all. */
static HlRange
get_sentence_range (HlViewState *self,
                    gboolean     first_text,
                    gsize        n)
{
  const gsize b = MIN (hl_attention_get_sentence_b_start (self->shown_attention), n);

  return first_text ? (HlRange){ 0, b } : (HlRange){ b, n - b };
}

/**
 * hl_view_state_get_shown_queries:
 * @self: a view state
 *
 * Returns: the queries that are shown, after padding and sentences; at least one unless a sentence is all padding
 */
HlRange
hl_view_state_get_shown_queries (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), ((HlRange){ 0, 0 }));

  const gsize n = self->options.crop_padding ? hl_attention_get_n_used_queries (self->shown_attention)
                                     : hl_attention_get_n_queries (self->shown_attention);
  if (self->options.sentences == HL_SENTENCES_ALL)
    return (HlRange){ 0, n };
  return get_sentence_range (self,
                             self->options.sentences == HL_SENTENCES_A_TO_A || self->options.sentences == HL_SENTENCES_A_TO_B,
                             n);
}

/**
 * hl_view_state_get_shown_keys:
 * @self: a view state
 *
 * Returns: the keys that are shown, after padding and sentences
 */
HlRange
hl_view_state_get_shown_keys (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), ((HlRange){ 0, 0 }));

  const gsize n = self->options.crop_padding ? hl_attention_get_n_used_keys (self->shown_attention)
                                     : hl_attention_get_n_keys (self->shown_attention);
  if (self->options.sentences == HL_SENTENCES_ALL)
    return (HlRange){ 0, n };
  return get_sentence_range (self,
                             self->options.sentences == HL_SENTENCES_A_TO_A || self->options.sentences == HL_SENTENCES_B_TO_A,
                             n);
}
