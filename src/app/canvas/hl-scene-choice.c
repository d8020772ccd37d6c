/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/canvas/hl-scene-choice.h"

gboolean
hl_scene_choice_is_token_or_cell (const HlPick *pick)
{
  return hl_pick_is_token (pick) || pick->kind == HL_PICK_CELL;
}

void
hl_scene_choice_toggle_pin (HlViewState  *state,
                            const HlPick *pick)
{
  const HlFocus *pin = hl_view_state_get_pin (state);

  hl_view_state_set_pinned (state, pin->gathered == NULL && hl_pick_equal (&pin->pick, pick) ? NULL : pick);
}

/*
 * Pins tokens one after another. Who turns round frees them again; who begins at a token that is only pointed at, begins
 * with that.
 */
void
hl_scene_choice_extend_pin (HlViewState  *state,
                            const HlPick *from,
                            const HlPick *to)
{
  g_object_freeze_notify (G_OBJECT (state));
  if (hl_view_state_get_pinned (state)->kind == HL_PICK_NONE && hl_scene_choice_is_token_or_cell (from))
    hl_view_state_gather (state, from);
  hl_view_state_extend_pin (state, to);
  g_object_thaw_notify (G_OBJECT (state));
}

/* A cell is a pair, and so are a token and the pinned one of the other side. */
gboolean
hl_scene_choice_find_pair (HlViewState  *state,
                           const HlPick *pick,
                           HlPick       *pair)
{
  const HlPick *pinned = hl_view_state_get_pinned (state);
  const HlSide other = hl_side_get_other (hl_pick_get_side (pick));

  *pair = *pick;
  if (hl_pick_is_token (pick) && hl_pick_has (pinned, other))
    {
      pair->kind = HL_PICK_CELL;
      pair->tokens[other] = pinned->tokens[other];
    }
  return pair->kind == HL_PICK_CELL;
}

/* Heads are looked for that link a pair. A token without the other is pinned, and waits for it. */
void
hl_scene_choice_take_pair (GtkWidget    *widget,
                           HlViewState  *state,
                           const HlPick *pick)
{
  HlPick pair;
  const gboolean is_pair = hl_scene_choice_find_pair (state, pick, &pair);

  hl_view_state_set_pinned (state, &pair);
  if (is_pair && !hl_view_state_get_shown (state)->shows_steps)
    gtk_widget_activate_action (widget, "win.find-heads-of-pin", NULL);
}

/* Opens a head of the model view in a view of heads; several chosen heads, of which it is one, together. */
void
hl_scene_choice_open_head (HlViewState  *state,
                           const HlPick *pick,
                           HlViewKind    view)
{
  const HlPick map = *pick; /* what is hovered is about to change */
  guint n;
  g_autofree HlShownHead *heads = hl_shown_list_heads (hl_view_state_get_shown (state), &n);
  gboolean several = FALSE;

  for (guint i = 0; i < n && n > 1; i++)
    several |= heads[i].layer == map.layer && heads[i].head == map.head;

  g_object_freeze_notify (G_OBJECT (state));
  if (!several)
    hl_view_state_go_to_shown (state, map.layer, map.head);
  hl_view_state_set_option (state, view, several ? HL_VIEW_DEFAULT : view);
  g_object_thaw_notify (G_OBJECT (state));
}

/* Adds a head of the model view to those that are chosen or takes it away; where heads or layers are combined, it
 * begins anew. */
void
hl_scene_choice_toggle_head (HlViewState  *state,
                             const HlPick *pick)
{
  HlAttention *attention = hl_view_state_get_attention (state);
  const HlPick map = *pick;

  if (hl_view_state_get_shown (state)->merges_heads || hl_view_state_get_shown (state)->merges_layers ||
      map.layer >= hl_attention_get_n_layers (attention) || map.head >= hl_attention_get_n_heads (attention, map.layer))
    hl_view_state_go_to_shown (state, map.layer, map.head);
  else
    hl_view_state_toggle_head_of (state, map.layer, map.head);
}
