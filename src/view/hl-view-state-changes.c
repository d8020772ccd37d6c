/* SPDX-License-Identifier: MIT */
/* HlViewState: what the heads of the attention are compared with, which tells how far each has changed. */
#include "view/hl-view-state-private.h"

/**
 * hl_view_state_set_compared:
 * @self: a view state
 * @compared: (nullable): the attention and another with their weights as they are, or %NULL to compare no more
 *
 * From now on %HL_HEAD_MEASURE_CHANGE tells how far the heads of the attention are from those of the other. What was known
 * of another comparison is dropped.
 */
void
hl_view_state_set_compared (HlViewState  *self,
                            HlComparison *compared)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (compared == NULL || hl_comparison_get_attention_a (compared) == self->attention);

  g_object_freeze_notify (G_OBJECT (self));
  if (g_set_object (&self->compared, compared))
    {
      hl_view_state_notify (self, PROP_COMPARED);
      hl_view_state_drop_numbers (self, FALSE);
    }
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_get_compared:
 * @self: a view state
 *
 * Returns: (transfer none) (nullable): what the heads are compared with; %NULL too once another attention is looked at
 */
HlComparison *
hl_view_state_get_compared (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->compared != NULL && hl_comparison_get_attention_a (self->compared) == self->attention ? self->compared : NULL;
}

/**
 * hl_view_state_knows_changes:
 * @self: a view state
 *
 * Returns: whether it is known how far heads changed
 */
gboolean
hl_view_state_knows_changes (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  return self->numbers != NULL && hl_head_numbers_knows (self->numbers, HL_HEAD_MEASURE_CHANGE);
}

/**
 * hl_view_state_wants_changes:
 * @self: a view state
 *
 * Returns: whether the picture needs to know how far heads changed, and does not yet
 */
gboolean
hl_view_state_wants_changes (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  return (hl_view_state_get_applied_sort (self) == HL_HEAD_MEASURE_CHANGE ||
          hl_view_state_get_applied_colour_by (self) == HL_HEAD_MEASURE_CHANGE) &&
         !hl_view_state_knows_changes (self);
}
