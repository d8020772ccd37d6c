/* SPDX-License-Identifier: MIT */
/* Carries how something is looked at over to another view state: of the same document for a figure, of the file's newer content
 * after a reload. */
#include "config.h"

#include "app/hl-state-copy.h"

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
 * @to: a view state; it keeps its example
 * @from: where to take the rest from
 *
 * Copies view, block, layer, heads, what is derived of them, filters, colours and what is pinned, as far as the other example has them. What is hovered is not
 * copied.
 */
void
hl_state_copy (HlViewState *to,
               HlViewState *from)
{
  g_return_if_fail (HL_IS_VIEW_STATE (to));
  g_return_if_fail (HL_IS_VIEW_STATE (from));

  const HlBlockKind kind = hl_block_get_kind (hl_view_state_get_block (from));
  HlBlock *block = hl_example_find_block (hl_view_state_get_example (to), kind);

  g_object_freeze_notify (G_OBJECT (to));
  hl_view_state_set_view (to, hl_view_state_get_view (from));
  if (block != NULL)
    hl_view_state_set_block (to, block);
  /* Going to the head brings it to the foreground, where it stays among several, or none. */
  hl_view_state_go_to (to, hl_view_state_get_layer (from), hl_view_state_get_head (from));
  hl_view_state_set_heads (to, hl_view_state_get_heads (from));
  hl_view_state_set_layers (to, hl_view_state_get_layers (from));
  hl_view_state_set_combine (to, hl_view_state_get_combine (from));
  hl_view_state_set_combine_over (to, hl_view_state_get_combine_over (from));
  hl_view_state_set_direction (to, hl_view_state_get_direction (from));
  hl_view_state_set_threshold (to, hl_view_state_get_threshold (from));
  hl_view_state_set_top_mass (to, hl_view_state_get_top_mass (from));
  hl_view_state_set_sentences (to, hl_view_state_get_sentences (from));
  hl_view_state_set_crop_padding (to, hl_view_state_get_crop_padding (from));
  hl_view_state_set_colour_map (to, hl_view_state_get_colour_map (from));
  hl_view_state_set_value_scale (to, hl_view_state_get_value_scale (from));
  hl_view_state_set_thumbnails (to, hl_view_state_get_thumbnails (from));
  hl_view_state_set_sort (to, hl_view_state_get_sort (from));
  hl_view_state_set_colour_by (to, hl_view_state_get_colour_by (from));
  hl_view_state_set_pairs (to, hl_view_state_get_pairs (from));
  hl_view_state_set_score_scale (to, hl_view_state_get_score_scale (from));
  hl_view_state_set_mask (to, hl_view_state_get_mask (from));
  hl_view_state_set_orientation (to, hl_view_state_get_orientation (from));
  hl_view_state_set_reading (to, hl_view_state_get_reading (from));
  hl_view_state_set_names (to, hl_view_state_get_name (from), hl_view_state_get_other_name (from));
  hl_view_state_set_difference (to, hl_view_state_get_other_block (from), hl_view_state_get_pairing (from));
  hl_view_state_set_dark (to, hl_view_state_get_dark (from));
  /* Of the same block only. */
  hl_view_state_set_numbers (to, hl_view_state_get_numbers (from));
  if (has_pick (to, hl_view_state_get_pinned (from)))
    hl_view_state_set_pinned (to, hl_view_state_get_pinned (from));
  g_object_thaw_notify (G_OBJECT (to));
}
