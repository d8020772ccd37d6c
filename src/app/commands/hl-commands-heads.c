/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/commands/hl-commands-heads.h"

#include "app/heads/hl-head-grid.h"
#include "view/hl-pinned-pair.h"

static void
reveal_heads (const HlCommandSubject *on)
{
  g_object_set (on->window, "panel-visible", TRUE, NULL);
  hl_side_panel_set_shows_heads (hl_document_page_get_side_panel (on->page), TRUE);
}

static HlHeadsPanel *
get_heads (const HlCommandSubject *on)
{
  return hl_side_panel_get_heads (hl_document_page_get_side_panel (on->page));
}

/* The keyboard stays where it is: somebody picks in the scene. */
void
hl_command_find_heads_of_pin (const HlCommandSubject *on)
{
  g_autofree char *pairs = hl_pinned_pair_spell (on->state);

  reveal_heads (on);
  if (pairs != NULL)
    hl_heads_panel_find (get_heads (on), pairs);
}

void
hl_command_find_heads (const HlCommandSubject *on)
{
  hl_command_find_heads_of_pin (on);
  hl_heads_panel_focus_pairs (get_heads (on));
}

void
hl_command_ask_model (const HlCommandSubject *on)
{
  g_object_set (on->window, "panel-visible", TRUE, NULL);
  hl_side_panel_show_model (hl_document_page_get_side_panel (on->page));
}

void
hl_command_change_head_table (const HlCommandSubject *on)
{
  if (on->page == NULL)
    return;
  if (g_variant_get_boolean (on->value))
    reveal_heads (on);
  else
    hl_side_panel_set_shows_heads (hl_document_page_get_side_panel (on->page), FALSE);
}

/* From the short list of a comparison to all of it. */
void
hl_command_show_changes (const HlCommandSubject *on)
{
  reveal_heads (on);
  hl_heads_panel_sort_by_change (get_heads (on));
}

void
hl_command_previous_head (const HlCommandSubject *on)
{
  hl_head_grid_move (on->state, 0, -1);
}

void
hl_command_next_head (const HlCommandSubject *on)
{
  hl_head_grid_move (on->state, 0, 1);
}

void
hl_command_previous_layer (const HlCommandSubject *on)
{
  hl_head_grid_move (on->state, -1, 0);
}

void
hl_command_next_layer (const HlCommandSubject *on)
{
  hl_head_grid_move (on->state, 1, 0);
}

void
hl_command_select_all_heads (const HlCommandSubject *on)
{
  hl_view_state_select_all_heads (on->state);
}

void
hl_command_select_no_heads (const HlCommandSubject *on)
{
  hl_view_state_select_no_heads (on->state);
}

static guint
count_chosen_heads (HlViewState *state)
{
  return hl_head_selection_get_n (hl_view_state_get_selection (state));
}

gboolean
hl_command_is_past_first_head (const HlCommandSubject *on)
{
  return on->state != NULL && (hl_view_state_get_head (on->state) > 0 || count_chosen_heads (on->state) > 1 ||
                               hl_view_state_get_layer (on->state) != hl_view_state_get_first_layer (on->state));
}

void
hl_command_first_head (const HlCommandSubject *on)
{
  hl_view_state_go_to_first (on->state);
}

/* Of several heads, the first goes on alone. */
gboolean
hl_command_has_previous_head (const HlCommandSubject *on)
{
  return on->state != NULL && (hl_view_state_get_head (on->state) > 0 || count_chosen_heads (on->state) > 1);
}

gboolean
hl_command_has_next_head (const HlCommandSubject *on)
{
  return on->state != NULL && hl_view_state_get_head (on->state) + 1 < hl_view_state_get_n_heads (on->state);
}

gboolean
hl_command_has_previous_layer (const HlCommandSubject *on)
{
  return on->state != NULL && hl_view_state_get_layer (on->state) > 0;
}

gboolean
hl_command_has_next_layer (const HlCommandSubject *on)
{
  return on->state != NULL &&
         hl_view_state_get_layer (on->state) + 1 < hl_attention_get_n_layers (hl_view_state_get_attention (on->state));
}

gboolean
hl_command_has_heads_to_choose (const HlCommandSubject *on)
{
  return on->state != NULL && hl_shown_takes_heads (hl_view_state_get_shown (on->state)) &&
         (!hl_head_selection_has_all (hl_view_state_get_selection (on->state),
                                      hl_view_state_get_attention (on->state)) ||
          count_chosen_heads (on->state) > hl_head_set_count (hl_view_state_get_heads (on->state)));
}

gboolean
hl_command_has_heads_to_drop (const HlCommandSubject *on)
{
  return on->state != NULL && hl_shown_takes_heads (hl_view_state_get_shown (on->state)) &&
         count_chosen_heads (on->state) > 0;
}

GVariant *
hl_command_get_head_table (const HlCommandSubject *on)
{
  return g_variant_new_boolean (hl_command_shows_head_table (on));
}
