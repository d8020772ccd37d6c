/* SPDX-License-Identifier: MIT */
/* What one can do in a window, each a GAction, each disabled where it makes no sense. */
#include "config.h"

#include "app/hl-window-private.h"

#include "app/hl-application.h"
#include "app/hl-details-dialog.h"
#include "app/hl-recent.h"
#include "app/hl-sample.h"
#include "app/hl-view-kinds.h"

#include <glib/gi18n.h>

#define MAX_RECENT 10
#define ZOOM_STEP 1.41

static HlViewState *
get_state (HlWindow *self)
{
  return hl_session_get_view_state (self->session);
}

static void
open_files (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  hl_window_choose_files (data);
}

static void
open_model (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  hl_window_choose_folder (data);
}

static void
edit_text (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  hl_document_page_focus (HL_WINDOW (data)->page);
}

static void
open_recent (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));

  hl_application_open_file (HL_APPLICATION (gtk_window_get_application (data)), data, file);
}

static void
open_sample (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  g_autoptr (GFile) file = hl_sample_get_file ();

  hl_application_open_file (HL_APPLICATION (gtk_window_get_application (data)), data, file);
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
choose_axes (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  hl_window_choose_axes (data);
}

static void
choose_axes_of (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       data)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));

  hl_window_choose_axes_of (data, file);
}

static void
show_softmax (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  hl_window_show_softmax (data);
}

static void
export_figure (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       data)
{
  hl_window_export (data);
}

static void
export_csv (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  hl_window_export_csv (data);
}

static void
save_as (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       data)
{
  hl_window_save_as (data);
}

static void
copy_figure (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  hl_window_copy_figure (data);
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

static void
change_view (GSimpleAction *action,
             GVariant      *value,
             gpointer       data)
{
  HlWindow *self = data;
  HlViewKind kind;

  if (self->session != NULL && hl_view_kind_from_nick (g_variant_get_string (value, NULL), &kind))
    hl_view_state_set_view (get_state (self), kind);
}

static void
change_head (HlWindow *self,
             int       dx,
             int       dy)
{
  HlViewState *state = get_state (self);
  const int n_layers = (int) hl_block_get_n_layers (hl_view_state_get_block (state));
  const int n_heads = (int) hl_view_state_get_n_heads (state);
  const int layer = CLAMP ((int) hl_view_state_get_layer (state) + dy, 0, n_layers - 1);
  const int head = CLAMP ((int) hl_view_state_get_head (state) + dx, 0, n_heads - 1);

  /* Another layer keeps the heads that are shown; another head is shown alone. */
  if (dx != 0)
    hl_view_state_go_to (state, (guint) layer, (guint) head);
  else
    hl_view_state_set_layer (state, (guint) layer);
}

static void
previous_head (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       data)
{
  change_head (data, -1, 0);
}

static void
next_head (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  change_head (data, 1, 0);
}

static void
previous_layer (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       data)
{
  change_head (data, 0, -1);
}

static void
next_layer (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  change_head (data, 0, 1);
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
  { "open", open_files },
  { "open-model", open_model },
  { "edit-text", edit_text },
  { "open-recent", open_recent, "s" },
  { "open-sample", open_sample },
  { "reload", reload },
  { "close-tab", close_tab },
  { "details", show_details },
  { "axes", choose_axes },
  { "axes-of", choose_axes_of, "s" },
  { "softmax", show_softmax },
  { "export", export_figure },
  { "export-csv", export_csv },
  { "copy-figure", copy_figure },
  { "save-as", save_as },
  { "open-folder", open_folder, "s" },
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
  { "sidebar", NULL, NULL, "true", change_sidebar },
  { "token-panel", NULL, NULL, "true", change_panel },
  { "fullscreen", NULL, NULL, "false", change_fullscreen },
};

static void
enable (HlWindow   *self,
        const char *name,
        gboolean    enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

static void
set_state (HlWindow   *self,
           const char *name,
           GVariant   *state)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_state (G_SIMPLE_ACTION (action), state);
}

/* Whether a softmax could be made of what a file has stored. */
static gboolean
can_be_scores (HlDocument *document)
{
  g_autoptr (HlExample) example = document != NULL && hl_document_get_archive (document) != NULL
                                    ? hl_document_get_example (document, 0, NULL, NULL)
                                    : NULL;
  HlBlock *block = example != NULL ? hl_example_get_block (example, 0) : NULL;

  return block != NULL && hl_block_get_weights (block, 0) != NULL && !hl_block_has_scores (block);
}

void
hl_window_update_actions (HlWindow *self)
{
  static const char *const document_actions[]
    = { "details", "export", "export-csv", "copy-figure", "save-as", "view", "sidebar", "token-panel" };
  HlViewState *state = self->session != NULL ? get_state (self) : NULL;
  HlScene *scene
    = state != NULL ? hl_scene_view_get_scene (hl_document_page_get_scene_view (self->page)) : NULL;
  const gboolean can_zoom = scene != NULL && hl_scene_can_zoom (scene);
  const guint n_heads = state != NULL ? hl_view_state_get_n_heads (state) : 0;
  const guint n_shown = state != NULL ? hl_head_set_count (hl_view_state_get_heads (state)) : 0;
  const guint n_layers = state != NULL ? hl_block_get_n_layers (hl_view_state_get_block (state)) : 0;
  const guint layer = state != NULL ? hl_view_state_get_layer (state) : 0;
  const guint head = state != NULL ? hl_view_state_get_head (state) : 0;
  HlDocument *document = self->session != NULL ? hl_session_get_document (self->session) : NULL;
  const HlViewKind kind = state != NULL ? hl_view_state_get_view (state) : HL_VIEW_HEAD_VIEW;

  for (guint i = 0; i < G_N_ELEMENTS (document_actions); i++)
    enable (self, document_actions[i], state != NULL);
  enable (self, "axes", document != NULL && hl_document_get_archive (document) != NULL);
  enable (self, "softmax", can_be_scores (document));
  enable (self, "edit-text", state != NULL && hl_session_get_live (self->session) != NULL);
  enable (self, "reload", self->page != NULL && !hl_document_page_get_loading (self->page));
  enable (self, "previous-head", state != NULL && (head > 0 || n_shown > 1));
  enable (self, "next-head", state != NULL && head + 1 < n_heads);
  enable (self, "previous-layer", layer > 0);
  enable (self, "next-layer", state != NULL && layer + 1 < n_layers);
  const gboolean several = state != NULL && hl_view_state_takes_heads (state);
  enable (self, "all-heads", several && n_shown < n_heads);
  enable (self, "no-heads", several && n_shown > 0);
  enable (self, "free-pin", state != NULL && hl_view_state_get_focus (state)->kind != HL_PICK_NONE);
  enable (self, "zoom-in", can_zoom);
  enable (self, "zoom-out", can_zoom);
  enable (self, "zoom-fit", can_zoom);
  hl_window_update_find_actions (self);
  hl_window_update_session (self);
  hl_window_update_reading_actions (self);
  hl_window_update_hiding_actions (self);
  hl_window_update_heads_actions (self);

  set_state (self, "view", g_variant_new_string (state != NULL ? hl_view_kinds[kind].nick : ""));
  /* It makes its label anew and asks for a new layout each time, even in the middle of one, when a panel folds. */
  if (g_strcmp0 (gtk_menu_button_get_label (self->view_button), _ (hl_view_kinds[kind].label)) != 0)
    gtk_menu_button_set_label (self->view_button, _ (hl_view_kinds[kind].label));
  gtk_widget_set_sensitive (GTK_WIDGET (self->view_button), state != NULL);
  hl_window_update_compare (self);
  set_state (self, "sidebar", g_variant_new_boolean (self->sidebar_visible));
  set_state (self, "token-panel", g_variant_new_boolean (self->panel_visible));
}

static void
on_fullscreened (HlWindow *self)
{
  set_state (self, "fullscreen", g_variant_new_boolean (gtk_window_is_fullscreen (GTK_WINDOW (self))));
}

void
hl_window_update_recent (HlWindow *self)
{
  g_autoptr (GPtrArray) files = hl_recent_list (MAX_RECENT);

  g_menu_remove_all (self->recent_menu);
  for (guint i = 0; i < files->len; i++)
    {
      GFile *file = g_ptr_array_index (files, i);
      g_autofree char *uri = g_file_get_uri (file);
      g_autofree char *basename = g_file_get_basename (file);
      g_autofree char *name = g_filename_display_name (basename);
      /* An underline in a name is no mnemonic. */
      g_auto (GStrv) parts = g_strsplit (name, "_", -1);
      g_autofree char *label = g_strjoinv ("__", parts);
      g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
      g_menu_item_set_action_and_target (item, "win.open-recent", "s", uri);
      g_menu_append_item (self->recent_menu, item);
    }
}

void
hl_window_install_actions (HlWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  hl_window_install_compare (self);
  hl_window_install_find_actions (self);
  hl_window_install_session (self);
  hl_window_install_reading_actions (self);
  hl_window_install_hiding_actions (self);
  hl_window_install_heads_actions (self);
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
