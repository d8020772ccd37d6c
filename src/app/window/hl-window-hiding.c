/* SPDX-License-Identifier: MIT */
/* The actions that show words, and hide tokens and bring them back. */
#include "config.h"

#include "app/window/hl-window-private.h"

/* Actions of these names change the properties of these names. */
static const char *const flags[] = { "words", "hide-special", "hide-first", "renormalise" };

static HlViewState *
get_state (HlWindow *self)
{
  return self->session != NULL ? hl_session_get_view_state (self->session) : NULL;
}

/* What the pointer is at, else what is pinned: who points at a token means that one, whatever else is pinned. */
static const HlPick *
get_pick (HlViewState *state)
{
  const HlPick *hovered = hl_view_state_get_hovered (state);

  return hovered->kind == HL_PICK_QUERY || hovered->kind == HL_PICK_KEY ||
             hovered->kind == HL_PICK_CELL
           ? hovered
           : hl_view_state_get_pinned (state);
}

static void
change_flag (GSimpleAction *action,
             GVariant      *value,
             gpointer       data)
{
  HlViewState *state = get_state (data);

  if (state != NULL)
    g_object_set (state, g_action_get_name (G_ACTION (action)), g_variant_get_boolean (value),
                  NULL);
}

static void
hide_token (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  HlViewState *state = get_state (data);

  if (state == NULL)
    return;
  const HlPick pick = *get_pick (state);
  hl_view_state_hide (state, &pick);
}

static void
show_all_tokens (GSimpleAction *action,
                 GVariant      *parameter,
                 gpointer       data)
{
  HlViewState *state = get_state (data);

  if (state != NULL)
    hl_view_state_show_all_tokens (state);
}

static const GActionEntry entries[] = {
  { "words", NULL, NULL, "false", change_flag },
  { "hide-special", NULL, NULL, "false", change_flag },
  { "hide-first", NULL, NULL, "false", change_flag },
  { "renormalise", NULL, NULL, "false", change_flag },
  { "hide-token", hide_token },
  { "show-all-tokens", show_all_tokens },
};

void
hl_window_install_hiding_actions (HlWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
hl_window_update_hiding_actions (HlWindow *self)
{
  HlViewState *state = get_state (self);
  const gboolean takes_effect = state != NULL && !hl_view_state_shows_steps (state);

  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    {
      gboolean value = FALSE;

      hl_window_enable_action (self, flags[i], takes_effect);
      if (state != NULL)
        g_object_get (state, flags[i], &value, NULL);
      hl_window_set_action_state (self, flags[i], g_variant_new_boolean (value));
    }
  hl_window_enable_action (self, "hide-token", state != NULL && hl_view_state_can_hide (state, get_pick (state)));
  hl_window_enable_action (self, "show-all-tokens", takes_effect && hl_view_state_hides (state));
}
