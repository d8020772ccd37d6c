/* SPDX-License-Identifier: MIT */
/* HlViewState: what is looked at beside it, in whose picture the same colour is to mean the same number. */
#include "view/hl-view-state-private.h"

#include "core/compare/hl-difference-source.h"

/* Which numbers are shown there, and so the scale of both, follows from these. */
static void
on_beside_changed (HlViewState *self,
                   HlChanges    changes)
{
  if (changes & (HL_CHANGED_SHOWN_SOURCE | HL_CHANGED_LAYER | HL_CHANGED_HEAD | HL_CHANGED_TOKENS))
    hl_view_state_notify (self, PROP_BESIDE);
}

/* It owes nothing to the other, nor the other to it: two sides of a comparison would never be freed. */
void
hl_view_state_leave_beside (HlViewState *self)
{
  if (self->beside != NULL)
    g_signal_handlers_disconnect_by_func (self->beside, on_beside_changed, self);
  g_clear_weak_pointer (&self->beside);
  g_clear_object (&self->beside_comparison);
  g_clear_object (&self->common_attention);
}

/**
 * hl_view_state_set_beside:
 * @self: a view state
 * @beside: (nullable): what is looked at in the picture beside; not kept alive
 *
 * From now on pictures whose colours depend on the numbers they show have a scale for both. It is to be told to both.
 */
void
hl_view_state_set_beside (HlViewState *self,
                          HlViewState *beside)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (beside == NULL || (HL_IS_VIEW_STATE (beside) && beside != self));

  if (self->beside == beside)
    return;
  hl_view_state_leave_beside (self);
  g_set_weak_pointer (&self->beside, beside);
  if (beside != NULL)
    g_signal_connect_object (beside, "changed", G_CALLBACK (on_beside_changed), self, G_CONNECT_SWAPPED);
  hl_view_state_notify (self, PROP_BESIDE);
}

/**
 * hl_view_state_get_beside:
 * @self: a view state
 *
 * Returns: (transfer none) (nullable): what is looked at in the picture beside
 */
HlViewState *
hl_view_state_get_beside (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->beside;
}

/**
 * hl_view_state_get_shown_comparison:
 * @self: a view state
 *
 * Returns: (transfer none) (nullable): the two sides as they are shown, filters aside: of the difference, or of this
 *   and what is beside, each with its tokens; %NULL when there is one side only, and while its aligner aligns the texts
 */
HlComparison *
hl_view_state_get_shown_comparison (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  if (self->comparison != NULL || self->beside == NULL)
    return self->comparison;
  HlAttention *attention = self->beside->shown_attention;
  HlAttentionSource *source = self->beside->source;
  if (self->beside_comparison == NULL ||
      hl_comparison_get_attention_a (self->beside_comparison) != self->shown_attention ||
      hl_comparison_get_source_a (self->beside_comparison) != self->source ||
      hl_comparison_get_attention_b (self->beside_comparison) != attention ||
      hl_comparison_get_source_b (self->beside_comparison) != source)
    {
      /* What is derived may have fewer layers and heads; it is the tokens that count. */
      const HlHeadPairing none = { -1, -1 };
      g_clear_object (&self->beside_comparison);
      g_clear_object (&self->common_attention);
      self->beside_comparison =
        hl_comparison_new (self->shown_attention, self->source, attention, source, &none, self->aligner);
    }
  return self->beside_comparison;
}

/**
 * hl_view_state_get_common_attention:
 * @self: a view state with two sides
 *
 * Returns: (transfer none): the tokens of both sides of hl_view_state_get_shown_comparison()
 */
HlAttention *
hl_view_state_get_common_attention (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  if (self->comparison != NULL)
    return self->shown_attention;
  HlComparison *comparison = hl_view_state_get_shown_comparison (self);
  g_return_val_if_fail (comparison != NULL, NULL);
  if (self->common_attention == NULL)
    self->common_attention = hl_difference_source_make_attention (comparison);
  return self->common_attention;
}
