/* SPDX-License-Identifier: MIT */
/* HlViewState: what is looked at beside it, in whose picture the same colour is to mean the same number. */
#include "draw/hl-view-state-private.h"

/* Which numbers are shown there, and so the scale of both, follows from these. */
static void
on_beside_notify (HlViewState *self,
                  GParamSpec  *pspec)
{
  static const char *const of_interest[] = { "shown-source", "layer", "head", "crop-padding", "sentences", NULL };

  if (g_strv_contains (of_interest, pspec->name))
    hl_view_state_notify (self, PROP_BESIDE);
}

/* It owes nothing to the other, nor the other to it: two sides of a comparison would never be freed. */
void
hl_view_state_leave_beside (HlViewState *self)
{
  if (self->beside != NULL)
    g_signal_handlers_disconnect_by_func (self->beside, on_beside_notify, self);
  g_clear_weak_pointer (&self->beside);
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
    g_signal_connect_object (beside, "notify", G_CALLBACK (on_beside_notify), self, G_CONNECT_SWAPPED);
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
