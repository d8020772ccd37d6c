/* SPDX-License-Identifier: MIT */
/* Carries how something is looked at over to another view state: of the same document for a figure, of the file's newer
 * content after a reload. */
#include "config.h"

#include "app/hl-state-copy.h"

#include "draw/hl-state-text.h"

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

/**
 * hl_state_copy:
 * @to: a view state as it was made; it keeps its example
 * @from: where to take the rest from
 *
 * Copies view, block, layer, heads, what is derived of them, filters, colours and what is pinned, as far as the other
 * example has them. What is hovered is not copied.
 */
void
hl_state_copy (HlViewState *to,
               HlViewState *from)
{
  g_return_if_fail (HL_IS_VIEW_STATE (to));
  g_return_if_fail (HL_IS_VIEW_STATE (from));

  const HlBlockKind kind = hl_block_get_kind (hl_view_state_get_block (from));
  HlBlock *block = hl_example_find_block (hl_view_state_get_example (to), kind);
  g_auto (HlStateTexts) texts = { 0 };

  g_object_freeze_notify (G_OBJECT (to));
  if (block != NULL)
    hl_view_state_set_block (to, block);
  /* Going to the head brings it to the foreground, where it stays among several, or none. */
  hl_view_state_go_to (to, hl_view_state_get_layer (from), hl_view_state_get_head (from));
  hl_view_state_set_heads (to, hl_view_state_get_heads (from));
  hl_view_state_set_guests (to, hl_view_state_get_guests (from));
  hl_view_state_set_layers (to, hl_view_state_get_layers (from));
  hl_state_texts_take (&texts, from);
  hl_state_texts_apply_values (&texts, to);
  hl_view_state_set_pairs (to, hl_view_state_get_pairs (from));
  hl_view_state_set_names (to, hl_view_state_get_name (from), hl_view_state_get_other_name (from));
  hl_view_state_set_aligner (to, hl_view_state_get_aligner (from));
  hl_view_state_set_difference (to, hl_view_state_get_other_block (from), hl_view_state_get_pairing (from));
  /* Of the same block only. */
  hl_view_state_set_numbers (to, hl_view_state_get_numbers (from));
  if (has_pick (to, hl_view_state_get_pinned (from)))
    hl_view_state_set_pinned (to, hl_view_state_get_pinned (from));
  g_object_thaw_notify (G_OBJECT (to));
}
