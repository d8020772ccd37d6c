/* SPDX-License-Identifier: MIT */
/* The actions that find tokens. */
#include "config.h"

#include "app/window/hl-window-private.h"

static void
find_token (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  hl_token_search_open (hl_document_page_get_token_search (HL_WINDOW (data)->page));
}

static void
find_next (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  hl_token_search_move (hl_document_page_get_token_search (HL_WINDOW (data)->page), 1);
}

static void
find_previous (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       data)
{
  hl_token_search_move (hl_document_page_get_token_search (HL_WINDOW (data)->page), -1);
}

static const GActionEntry entries[] = {
  { "find", find_token },
  { "find-next", find_next },
  { "find-previous", find_previous },
};

void
hl_window_install_find_actions (HlWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
hl_window_update_find_actions (HlWindow *self)
{
  /* Thumbnails have no tokens to go to. */
  HlViewState *state = self->session != NULL ? hl_session_get_view_state (self->session) : NULL;
  const gboolean enabled = state != NULL && !hl_view_kind_get_traits (hl_view_state_get_options (state)->view)->shows_all_heads;

  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    hl_window_enable_action (self, entries[i].name, enabled);
}
