/* SPDX-License-Identifier: MIT */
/* The actions that change how a document is looked at: in which view, which layer and heads, and how large. */
#include "config.h"

#include "app/window/hl-window-private.h"

#include "app/heads/hl-head-grid.h"

#include <glib/gi18n.h>

#define ZOOM_STEP 1.41

static HlViewState *
get_state (HlWindow *self)
{
  return hl_session_get_view_state (self->session);
}

static void
change_view (GSimpleAction *action,
             GVariant      *value,
             gpointer       data)
{
  HlWindow *self = data;
  HlViewKind kind;

  if (self->session != NULL && hl_view_kind_from_nick (g_variant_get_string (value, NULL), &kind))
    hl_view_state_set_option (get_state (self), view, kind);
}

static void
previous_head (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       data)
{
  hl_head_grid_move (get_state (data), 0, -1);
}

static void
next_head (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  hl_head_grid_move (get_state (data), 0, 1);
}

static void
previous_layer (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       data)
{
  hl_head_grid_move (get_state (data), -1, 0);
}

static void
next_layer (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  hl_head_grid_move (get_state (data), 1, 0);
}

static void
all_heads (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  hl_view_state_select_all_heads (get_state (data));
}

static void
no_heads (GSimpleAction *action,
          GVariant      *parameter,
          gpointer       data)
{
  hl_view_state_select_no_heads (get_state (data));
}

static void
free_pin (GSimpleAction *action,
          GVariant      *parameter,
          gpointer       data)
{
  HlViewState *state = get_state (data);

  hl_view_state_set_pinned (state, NULL);
  hl_view_state_set_hovered (state, NULL);
}

static void
zoom_in (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       data)
{
  hl_scene_view_zoom (hl_document_page_get_scene_view (HL_WINDOW (data)->page), ZOOM_STEP);
}

static void
zoom_out (GSimpleAction *action,
          GVariant      *parameter,
          gpointer       data)
{
  hl_scene_view_zoom (hl_document_page_get_scene_view (HL_WINDOW (data)->page), 1 / ZOOM_STEP);
}

static void
zoom_fit (GSimpleAction *action,
          GVariant      *parameter,
          gpointer       data)
{
  hl_scene_view_fit (hl_document_page_get_scene_view (HL_WINDOW (data)->page));
}

static const GActionEntry entries[] = {
  { "view", NULL, "s", "''", change_view },
  { "previous-head", previous_head },
  { "next-head", next_head },
  { "previous-layer", previous_layer },
  { "next-layer", next_layer },
  { "all-heads", all_heads },
  { "no-heads", no_heads },
  { "free-pin", free_pin },
  { "zoom-in", zoom_in },
  { "zoom-out", zoom_out },
  { "zoom-fit", zoom_fit },
};

void
hl_window_install_view_actions (HlWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

/* Where there are others to go to, and several that can be shown. */
static void
update_heads (HlWindow    *self,
              HlViewState *state)
{
  const guint n_heads = hl_view_state_get_n_heads (state);
  const guint n_own = hl_head_set_count (hl_view_state_get_heads (state));
  const guint n_guests = hl_view_state_get_guests (state)->n;
  const guint n_layers = hl_attention_get_n_layers (hl_view_state_get_attention (state));
  const guint layer = hl_view_state_get_layer (state);
  const guint head = hl_view_state_get_head (state);
  const gboolean several = hl_view_state_takes_heads (state);

  hl_window_enable_action (self, "previous-head", head > 0 || n_own + n_guests > 1);
  hl_window_enable_action (self, "next-head", head + 1 < n_heads);
  hl_window_enable_action (self, "previous-layer", layer > 0);
  hl_window_enable_action (self, "next-layer", layer + 1 < n_layers);
  hl_window_enable_action (self, "all-heads", several && (n_own < n_heads || n_guests > 0));
  hl_window_enable_action (self, "no-heads", several && n_own + n_guests > 0);
  hl_window_enable_action (self, "free-pin", hl_view_state_get_focus (state)->kind != HL_PICK_NONE);
}

static void
update_zoom (HlWindow *self)
{
  HlScene *scene = hl_scene_view_get_scene (hl_document_page_get_scene_view (self->page));
  const gboolean can_zoom = scene != NULL && hl_scene_can_zoom (scene);

  hl_window_enable_action (self, "zoom-in", can_zoom);
  hl_window_enable_action (self, "zoom-out", can_zoom);
  hl_window_enable_action (self, "zoom-fit", can_zoom);
}

void
hl_window_update_view_actions (HlWindow *self)
{
  HlViewState *state = self->session != NULL ? get_state (self) : NULL;
  const HlViewTraits *view = hl_view_kind_get_traits (state != NULL ? hl_view_state_get_options (state)->view : HL_VIEW_DEFAULT);

  for (guint i = 0; state == NULL && i < G_N_ELEMENTS (entries); i++)
    hl_window_enable_action (self, entries[i].name, FALSE);
  if (state != NULL)
    {
      hl_window_enable_action (self, "view", TRUE);
      update_heads (self, state);
      update_zoom (self);
    }
  hl_window_set_action_state (self, "view", g_variant_new_string (state != NULL ? view->nick : ""));
  /* It makes its label anew and asks for a new layout each time, even in the middle of one, when a panel folds. */
  if (g_strcmp0 (gtk_menu_button_get_label (self->view_button), _ (view->label)) != 0)
    gtk_menu_button_set_label (self->view_button, _ (view->label));
  gtk_widget_set_sensitive (GTK_WIDGET (self->view_button), state != NULL);
}
