/* SPDX-License-Identifier: MIT */
/* Carries how something is looked at over to another view state: of the same document for a figure, of the file's newer
 * content after a reload. */
#include "config.h"

#include "app/base/hl-state-copy.h"

/* What is hovered is not copied. */
void
hl_state_copy_take (HlStateCopy *self,
                    HlViewState *from)
{
  g_return_if_fail (HL_IS_VIEW_STATE (from));

  HlHeadNumbers *numbers = hl_view_state_get_numbers (from);

  *self = (HlStateCopy){
    .kind = hl_attention_get_kind (hl_view_state_get_attention (from)),
    .selection = *hl_view_state_get_selection (from),
    .pairs = g_strdup (hl_view_state_get_pairs (from)),
    .name = g_strdup (hl_view_state_get_sides (from)->name),
    .other_name = g_strdup (hl_view_state_get_sides (from)->other_name),
    .pairing = hl_view_state_get_sides (from)->pairing,
    .numbers = numbers != NULL ? hl_head_numbers_ref (numbers) : NULL,
    .pinned = *hl_view_state_get_pinned (from),
    .pinned_in_difference = hl_view_state_get_shown (from)->comparison != NULL,
  };
  g_set_object (&self->other_attention, hl_view_state_get_sides (from)->other);
  g_set_object (&self->compared, hl_view_state_get_compared (from));
  hl_state_texts_take (&self->texts, from);
}

static void
apply_pin (const HlStateCopy *self,
           HlViewState       *to)
{
  if (hl_shown_has_pick (hl_view_state_get_shown (to), &self->pinned))
    hl_view_state_set_pinned (to, &self->pinned);
}

/* As far as its example, which it keeps, has it all. Long texts of a difference are aligned here and now unless it has
 * an aligner. */
void
hl_state_copy_apply (const HlStateCopy *self,
                     HlViewState       *to)
{
  g_return_if_fail (HL_IS_VIEW_STATE (to));

  HlAttention *attention = hl_example_find_attention (hl_view_state_get_example (to), self->kind);

  g_object_freeze_notify (G_OBJECT (to));
  if (attention != NULL)
    hl_view_state_set_attention (to, attention);
  hl_view_state_set_selection (to, &self->selection);
  hl_state_texts_apply_values (&self->texts, to);
  hl_view_state_set_pairs (to, self->pairs);
  hl_view_state_set_names (to, self->name, self->other_name);
  /* While texts are being aligned, tokens are still counted in the first. */
  if (!self->pinned_in_difference)
    apply_pin (self, to);
  hl_view_state_set_difference (to, self->other_attention, &self->pairing);
  /* Of the same attention only. */
  if (self->compared != NULL && hl_comparison_get_attention_a (self->compared) == hl_view_state_get_attention (to))
    hl_view_state_set_compared (to, self->compared);
  hl_view_state_set_numbers (to, self->numbers);
  if (self->pinned_in_difference)
    apply_pin (self, to);
  g_object_thaw_notify (G_OBJECT (to));
}

void
hl_state_copy_clear (HlStateCopy *self)
{
  hl_state_texts_clear (&self->texts);
  g_clear_pointer (&self->pairs, g_free);
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->other_name, g_free);
  g_clear_object (&self->other_attention);
  g_clear_object (&self->compared);
  g_clear_pointer (&self->numbers, hl_head_numbers_unref);
}

/* Both have one aligner. */
void
hl_state_copy (HlViewState *to,
               HlViewState *from)
{
  g_auto (HlStateCopy) copy = { 0 };

  hl_state_copy_take (&copy, from);
  hl_view_state_set_aligner (to, hl_view_state_get_sides (from)->aligner);
  hl_state_copy_apply (&copy, to);
}
