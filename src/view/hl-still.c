/* SPDX-License-Identifier: MIT */
#include "view/hl-still.h"

/* What is hovered is not of it. */
void
hl_still_take (HlStill     *self,
               HlViewState *state)
{
  g_return_if_fail (HL_IS_VIEW_STATE (state));

  HlHeadNumbers *numbers = hl_view_state_get_numbers (state);

  *self = (HlStill){
    .example = g_object_ref (hl_view_state_get_example (state)),
    .shown = hl_shown_ref (hl_view_state_get_shown (state)),
    .hidden = hl_hidden_tokens_copy (hl_view_state_get_hidden (state)),
    .pin = hl_focus_copy (hl_view_state_get_pin (state)),
    .name = g_strdup (hl_view_state_get_counterpart (state)->name),
    .other_name = g_strdup (hl_view_state_get_counterpart (state)->other_name),
    .pairs = g_strdup (hl_view_state_get_pairs (state)),
    .numbers = numbers != NULL ? hl_head_numbers_ref (numbers) : NULL,
  };
  g_set_object (&self->compared, hl_view_state_get_compared (state));
  g_set_object (&self->call, hl_view_state_get_call (state));
  g_set_object (&self->other_call, hl_view_state_get_other_call (state));
}

/* Returns a view state for this thread. Long texts of a difference that were still being aligned are aligned first. */
HlViewState *
hl_still_show (const HlStill *self)
{
  HlViewState *state = hl_view_state_new_showing (self->example, self->shown, &self->hidden, &self->pin);

  hl_view_state_set_call (state, self->call);
  hl_view_state_set_other_call (state, self->other_call);
  hl_view_state_set_names (state, self->name, self->other_name);
  hl_view_state_set_pairs (state, self->pairs);
  hl_view_state_set_compared (state, self->compared);
  hl_view_state_set_numbers (state, self->numbers);
  return state;
}

void
hl_still_clear (HlStill *self)
{
  g_clear_object (&self->example);
  g_clear_pointer (&self->shown, hl_shown_unref);
  hl_hidden_tokens_clear (&self->hidden);
  hl_focus_clear (&self->pin);
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->other_name, g_free);
  g_clear_pointer (&self->pairs, g_free);
  g_clear_object (&self->compared);
  g_clear_object (&self->call);
  g_clear_object (&self->other_call);
  g_clear_pointer (&self->numbers, hl_head_numbers_unref);
}
