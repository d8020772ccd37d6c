/* SPDX-License-Identifier: MIT */
/* What one can do in a window, each a GAction, each disabled where it makes no sense. What belongs together is in a
 * file of its own; here is what is left, and all of them in one. */
#include "config.h"

#include "app/window/hl-window-private.h"

#include "app/reading/hl-details-dialog.h"

static void
edit_text (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  hl_document_page_focus (HL_WINDOW (data)->page);
}

static void
reload (GSimpleAction *action,
        GVariant      *parameter,
        gpointer       data)
{
  hl_document_page_load (HL_WINDOW (data)->page);
}

static void
close_tab (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  if (!hl_window_close_tab (data))
    gtk_window_close (data);
}

static void
show_details (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  HlWindow *self = data;
  GtkWidget *dialog = hl_details_dialog_new (self->session);

  gtk_window_set_transient_for (GTK_WINDOW (dialog), GTK_WINDOW (self));
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_folder_opened (GObject      *source,
                  GAsyncResult *result,
                  gpointer      data)
{
  g_autoptr (HlWindow) self = data;
  g_autoptr (GError) error = NULL;

  if (!g_app_info_launch_default_for_uri_finish (result, &error))
    hl_window_say (self, error->message, NULL, HL_SENTENCE_SECONDS);
}

static void
open_folder (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  GdkDisplay *display = gtk_widget_get_display (data);
  g_autoptr (GdkAppLaunchContext) context = gdk_display_get_app_launch_context (display);

  g_app_info_launch_default_for_uri_async (g_variant_get_string (parameter, NULL),
                                           G_APP_LAUNCH_CONTEXT (context), NULL, on_folder_opened,
                                           g_object_ref (data));
}

/* Only what somebody chose is remembered, not what a narrow window made of it. */
static void
change_sidebar (GSimpleAction *action,
                GVariant      *value,
                gpointer       data)
{
  g_object_set (data, "sidebar-visible", g_variant_get_boolean (value), NULL);
  g_settings_set_value (HL_WINDOW (data)->settings, "sidebar-visible", value);
}

static void
change_panel (GSimpleAction *action,
              GVariant      *value,
              gpointer       data)
{
  g_object_set (data, "panel-visible", g_variant_get_boolean (value), NULL);
  g_settings_set_value (HL_WINDOW (data)->settings, "panel-visible", value);
}

static void
change_fullscreen (GSimpleAction *action,
                   GVariant      *value,
                   gpointer       data)
{
  if (g_variant_get_boolean (value))
    gtk_window_fullscreen (data);
  else
    gtk_window_unfullscreen (data);
}

static const GActionEntry entries[] = {
  { "edit-text", edit_text },
  { "reload", reload },
  { "close-tab", close_tab },
  { "details", show_details },
  { "open-folder", open_folder, "s" },
  { "sidebar", NULL, NULL, "true", change_sidebar },
  { "token-panel", NULL, NULL, "true", change_panel },
  { "fullscreen", NULL, NULL, "false", change_fullscreen },
};

/* Lets an action be chosen, or not. */
void
hl_window_enable_action (HlWindow   *self,
                         const char *name,
                         gboolean    enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

/* Has an action say what is chosen, whoever chose it. */
void
hl_window_set_action_state (HlWindow   *self,
                            const char *name,
                            GVariant   *state)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_state (G_SIMPLE_ACTION (action), state);
}

void
hl_window_update_actions (HlWindow *self)
{
  static const char *const document_actions[] = { "details", "sidebar", "token-panel" };
  const gboolean has_session = self->session != NULL;

  for (guint i = 0; i < G_N_ELEMENTS (document_actions); i++)
    hl_window_enable_action (self, document_actions[i], has_session);
  hl_window_enable_action (self, "edit-text", has_session && hl_session_get_live (self->session) != NULL);
  hl_window_enable_action (self, "reload", self->page != NULL && !hl_document_page_get_loading (self->page));
  hl_window_set_action_state (self, "sidebar", g_variant_new_boolean (self->sidebar_visible));
  hl_window_set_action_state (self, "token-panel", g_variant_new_boolean (self->panel_visible));
  hl_window_update_axes_actions (self);
  hl_window_update_export_actions (self);
  hl_window_update_table_actions (self);
  hl_window_update_save_actions (self);
  hl_window_update_find_actions (self);
  hl_window_update_session (self);
  hl_window_update_reading_actions (self);
  hl_window_update_hiding_actions (self);
  hl_window_update_heads_actions (self);
  hl_window_update_view_actions (self);
  hl_window_update_compare (self);
}

static void
on_fullscreened (HlWindow *self)
{
  hl_window_set_action_state (self, "fullscreen", g_variant_new_boolean (gtk_window_is_fullscreen (GTK_WINDOW (self))));
}

void
hl_window_install_actions (HlWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  hl_window_install_open_actions (self);
  hl_window_install_axes_actions (self);
  hl_window_install_export_actions (self);
  hl_window_install_table_actions (self);
  hl_window_install_save_actions (self);
  hl_window_install_compare (self);
  hl_window_install_find_actions (self);
  hl_window_install_session (self);
  hl_window_install_reading_actions (self);
  hl_window_install_hiding_actions (self);
  hl_window_install_heads_actions (self);
  hl_window_install_view_actions (self);
  g_signal_connect (self, "notify::fullscreened", G_CALLBACK (on_fullscreened), NULL);
}

/* Keys that mean something else where text is edited or a list is walked: these see them first. */
void
hl_window_install_keys (GtkWidgetClass *widget_class)
{
  static const struct
  {
    guint key;
    GdkModifierType modifiers;
    const char *action;
  } bindings[] = {
    { GDK_KEY_c, GDK_CONTROL_MASK, "win.copy-figure" },
    { GDK_KEY_a, GDK_CONTROL_MASK, "win.all-heads" },
    { GDK_KEY_a, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "win.no-heads" },
    { GDK_KEY_Escape, 0, "win.free-pin" },
    { GDK_KEY_Left, GDK_ALT_MASK, "win.previous-head" },
    { GDK_KEY_Right, GDK_ALT_MASK, "win.next-head" },
    { GDK_KEY_Up, GDK_ALT_MASK, "win.previous-layer" },
    { GDK_KEY_Down, GDK_ALT_MASK, "win.next-layer" },
    { GDK_KEY_Left, GDK_CONTROL_MASK, "win.previous-head" },
    { GDK_KEY_Right, GDK_CONTROL_MASK, "win.next-head" },
    { GDK_KEY_Up, GDK_CONTROL_MASK, "win.previous-layer" },
    { GDK_KEY_Down, GDK_CONTROL_MASK, "win.next-layer" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bindings); i++)
    gtk_widget_class_add_binding_action (widget_class, bindings[i].key, bindings[i].modifiers,
                                         bindings[i].action, NULL);
}
