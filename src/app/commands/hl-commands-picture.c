/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/commands/hl-commands-picture.h"

#include "app/base/hl-toast.h"
#include "draw/text/hl-token-label.h"
#include "view/pick/hl-repeated.h"

#include <glib/gi18n.h>

#define ZOOM_STEP 1.41

static const HlViewTraits *
get_view_traits (const HlCommandSubject *on)
{
  return hl_view_kind_get_traits (hl_view_state_get_options (on->state)->view);
}

void
hl_command_change_panel (const HlCommandSubject *on)
{
  hl_window_choose_panel (on->window, g_str_equal (on->name, "sidebar") ? HL_PAGE_PANEL_SIDEBAR : HL_PAGE_PANEL_SIDE,
                          g_variant_get_boolean (on->value));
}

void
hl_command_change_fullscreen (const HlCommandSubject *on)
{
  if (g_variant_get_boolean (on->value))
    gtk_window_fullscreen (GTK_WINDOW (on->window));
  else
    gtk_window_unfullscreen (GTK_WINDOW (on->window));
}

void
hl_command_find_token (const HlCommandSubject *on)
{
  hl_token_search_open (hl_document_page_get_token_search (on->page));
}

void
hl_command_find_next (const HlCommandSubject *on)
{
  hl_token_search_move (hl_document_page_get_token_search (on->page), 1);
}

void
hl_command_find_previous (const HlCommandSubject *on)
{
  hl_token_search_move (hl_document_page_get_token_search (on->page), -1);
}

void
hl_command_change_flag (const HlCommandSubject *on)
{
  if (on->state != NULL)
    g_object_set (on->state, on->name, g_variant_get_boolean (on->value), NULL);
}

/* What the pointer is at, else what is pinned: who points at a token means that one, whatever else is pinned. */
static const HlPick *
get_pick (HlViewState *state)
{
  const HlPick *hovered = hl_view_state_get_hovered (state);

  return hl_pick_is_token (hovered) || hovered->kind == HL_PICK_CELL ? hovered : hl_view_state_get_pinned (state);
}

/* What went can be had back; who works fast need not go looking for it. Offered only as long as it is what would be undone. */
void
hl_command_hide_token (const HlCommandSubject *on)
{
  const HlPick pick = *get_pick (on->state);
  HlViewHistory *history = hl_document_page_get_history (on->page);
  AdwToastOverlay *toasts = hl_window_get_toasts (on->window);
  const HlSide side = hl_pick_has (&pick, HL_KEYS) ? HL_KEYS : HL_QUERIES;
  const HlShown *shown = hl_view_state_get_shown (on->state);
  g_autofree char *name = hl_token_text_quote (hl_attention_get_texts (shown->attention, side)[pick.tokens[side]]);
  const guint position = (guint) hl_attention_get_position (shown->attention, side, pick.tokens[side]);
  g_autofree char *token =
    !hl_token_is_repeated (shown->attention, side, pick.tokens[side])
      ? g_steal_pointer (&name)
      : g_strdup_printf (side == HL_KEYS ? _ ("%s (key %u)") : _ ("%s (query %u)"), name, position);
  /* Translators: %s is a token that is no longer shown */
  g_autofree char *text = g_strdup_printf (_ ("Hid %s"), token);

  hl_view_history_end_step (history);
  hl_view_state_hide (on->state, &pick);
  hl_view_history_end_step (history);
  hl_toast_offer (toasts, text, _ ("_Undo"), "win.undo", NULL, HL_TOAST_SENTENCE_SECONDS);
  hl_toast_end_with (toasts, history, "moved");
}

void
hl_command_undo (const HlCommandSubject *on)
{
  hl_view_history_undo (hl_document_page_get_history (on->page));
}

void
hl_command_redo (const HlCommandSubject *on)
{
  hl_view_history_redo (hl_document_page_get_history (on->page));
}

gboolean
hl_command_can_undo (const HlCommandSubject *on)
{
  return on->state != NULL && hl_view_history_can_undo (hl_document_page_get_history (on->page));
}

gboolean
hl_command_can_redo (const HlCommandSubject *on)
{
  return on->state != NULL && hl_view_history_can_redo (hl_document_page_get_history (on->page));
}

void
hl_command_show_all_tokens (const HlCommandSubject *on)
{
  hl_view_state_show_all_tokens (on->state);
}

/* How a property of the view state is spelt that is one of several. */
static GEnumClass *
get_choices (const HlCommandSubject *on)
{
  return G_PARAM_SPEC_ENUM (g_object_class_find_property (G_OBJECT_GET_CLASS (on->state), on->name))->enum_class;
}

void
hl_command_change_choice (const HlCommandSubject *on)
{
  const GEnumValue *found =
    on->state != NULL ? g_enum_get_value_by_nick (get_choices (on), g_variant_get_string (on->value, NULL)) : NULL;

  if (found != NULL)
    g_object_set (on->state, on->name, found->value, NULL);
}

void
hl_command_change_view (const HlCommandSubject *on)
{
  HlViewKind kind;

  if (on->state != NULL && hl_view_kind_from_nick (g_variant_get_string (on->value, NULL), &kind))
    hl_view_state_set_option (on->state, view, kind);
}

void
hl_command_free_pin (const HlCommandSubject *on)
{
  hl_view_state_set_pinned (on->state, NULL);
  hl_view_state_set_hovered (on->state, NULL);
}

void
hl_command_zoom_in (const HlCommandSubject *on)
{
  hl_scene_view_zoom (hl_document_page_get_scene_view (on->page), ZOOM_STEP);
}

void
hl_command_zoom_out (const HlCommandSubject *on)
{
  hl_scene_view_zoom (hl_document_page_get_scene_view (on->page), 1 / ZOOM_STEP);
}

void
hl_command_zoom_fit (const HlCommandSubject *on)
{
  hl_scene_view_fit (hl_document_page_get_scene_view (on->page));
}

/* Thumbnails have no tokens to go to. */
gboolean
hl_command_has_tokens (const HlCommandSubject *on)
{
  return on->state != NULL && !get_view_traits (on)->shows_all_heads;
}

gboolean
hl_command_can_turn (const HlCommandSubject *on)
{
  return on->state != NULL && get_view_traits (on)->can_turn;
}

gboolean
hl_command_can_be_read (const HlCommandSubject *on)
{
  return on->state != NULL && get_view_traits (on)->offers_reading;
}

gboolean
hl_command_hides_tokens (const HlCommandSubject *on)
{
  return on->state != NULL && !hl_view_state_get_shown (on->state)->is_plain;
}

gboolean
hl_command_can_hide (const HlCommandSubject *on)
{
  return on->state != NULL && hl_view_state_can_hide (on->state, get_pick (on->state));
}

gboolean
hl_command_has_hidden (const HlCommandSubject *on)
{
  return hl_command_hides_tokens (on) && hl_view_state_hides (on->state);
}

gboolean
hl_command_has_focus (const HlCommandSubject *on)
{
  return on->state != NULL && hl_view_state_get_focus (on->state)->kind != HL_PICK_NONE;
}

gboolean
hl_command_can_zoom (const HlCommandSubject *on)
{
  HlScene *scene = on->session != NULL ? hl_scene_view_get_scene (hl_document_page_get_scene_view (on->page)) : NULL;

  return scene != NULL && hl_scene_can_zoom (scene);
}

GVariant *
hl_command_get_panel (const HlCommandSubject *on)
{
  gboolean shows;

  g_object_get (on->window, g_str_equal (on->name, "sidebar") ? "sidebar-visible" : "panel-visible", &shows, NULL);
  return g_variant_new_boolean (shows);
}

GVariant *
hl_command_get_fullscreen (const HlCommandSubject *on)
{
  return g_variant_new_boolean (gtk_window_is_fullscreen (GTK_WINDOW (on->window)));
}

GVariant *
hl_command_get_flag (const HlCommandSubject *on)
{
  gboolean value = FALSE;

  if (on->state != NULL)
    g_object_get (on->state, on->name, &value, NULL);
  return g_variant_new_boolean (value);
}

GVariant *
hl_command_get_choice (const HlCommandSubject *on)
{
  int value;

  if (on->state == NULL)
    return g_variant_new_string ("");
  g_object_get (on->state, on->name, &value, NULL);
  return g_variant_new_string (g_enum_get_value (get_choices (on), value)->value_nick);
}

GVariant *
hl_command_get_view (const HlCommandSubject *on)
{
  return g_variant_new_string (on->state != NULL ? get_view_traits (on)->nick : "");
}
