/* SPDX-License-Identifier: MIT */
/* Carries how something is looked at over to another view state: of the same document for a figure, of the file's newer
 * content after a reload. */
#include "config.h"

#include "app/base/hl-state-copy.h"

static gboolean
has_pick (HlViewState  *state,
          const HlPick *pick)
{
  const HlRange queries = hl_view_state_get_shown_queries (state);
  const HlRange keys = hl_view_state_get_shown_keys (state);
  const gboolean in_queries = pick->query >= queries.first && pick->query - queries.first < queries.n;
  const gboolean in_keys = pick->key >= keys.first && pick->key - keys.first < keys.n;

  switch (pick->kind)
    {
    case HL_PICK_QUERY:
      return in_queries;
    case HL_PICK_KEY:
      return in_keys;
    case HL_PICK_CELL:
      return in_queries && in_keys;
    default:
      return FALSE;
    }
}

/* What is hovered is not copied. */
void
hl_state_copy_take (HlStateCopy *self,
                    HlViewState *from)
{
  g_return_if_fail (HL_IS_VIEW_STATE (from));

  HlHeadNumbers *numbers = hl_view_state_get_numbers (from);

  *self = (HlStateCopy){
    .kind = hl_attention_get_kind (hl_view_state_get_attention (from)),
    .layer = hl_view_state_get_layer (from),
    .head = hl_view_state_get_head (from),
    .heads = *hl_view_state_get_heads (from),
    .guests = *hl_view_state_get_guests (from),
    .layers = *hl_view_state_get_layers (from),
    .pairs = g_strdup (hl_view_state_get_pairs (from)),
    .name = g_strdup (hl_view_state_get_name (from)),
    .other_name = g_strdup (hl_view_state_get_other_name (from)),
    .pairing = *hl_view_state_get_pairing (from),
    .numbers = numbers != NULL ? hl_head_numbers_ref (numbers) : NULL,
    .pinned = *hl_view_state_get_pinned (from),
    .pinned_in_difference = hl_view_state_get_comparison (from) != NULL,
  };
  g_set_object (&self->other_attention, hl_view_state_get_other_attention (from));
  hl_state_texts_take (&self->texts, from);
}

static void
apply_pin (const HlStateCopy *self,
           HlViewState       *to)
{
  if (has_pick (to, &self->pinned))
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
  /* Going to the head brings it to the foreground, where it stays among several, or none. */
  hl_view_state_go_to (to, self->layer, self->head);
  hl_view_state_set_heads (to, &self->heads);
  hl_view_state_set_guests (to, &self->guests);
  hl_view_state_set_layers (to, &self->layers);
  hl_state_texts_apply_values (&self->texts, to);
  hl_view_state_set_pairs (to, self->pairs);
  hl_view_state_set_names (to, self->name, self->other_name);
  /* While texts are being aligned, tokens are still counted in the first. */
  if (!self->pinned_in_difference)
    apply_pin (self, to);
  hl_view_state_set_difference (to, self->other_attention, &self->pairing);
  /* Of the same attention only. */
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
  g_clear_pointer (&self->numbers, hl_head_numbers_unref);
}

/* Both have one aligner. */
void
hl_state_copy (HlViewState *to,
               HlViewState *from)
{
  g_auto (HlStateCopy) copy = { 0 };

  hl_state_copy_take (&copy, from);
  hl_view_state_set_aligner (to, hl_view_state_get_aligner (from));
  hl_state_copy_apply (&copy, to);
}
