/* SPDX-License-Identifier: MIT */
/* How files come into a window: chosen, of those that were open before, or dropped on it; each into a tab. */
#include "config.h"

#include "app/window/hl-window-private.h"

#include "app/base/hl-file-choice.h"
#include "app/base/hl-recent.h"
#include "app/window/hl-application.h"
#include "core/archive/format/hl-format.h"
#include "core/base/hl-file-name.h"

#include <glib/gi18n.h>

/* Before that, what was shown stays: a file opened sooner than this never shows a loading page. */
#define REVEAL_AFTER_MS 300
#define MAX_RECENT 10

static void
open_in (HlWindow  *self,
         GPtrArray *files)
{
  hl_application_open_files (HL_APPLICATION (gtk_window_get_application (GTK_WINDOW (self))), self,
                             (GFile **) files->pdata, files->len);
}

static void
on_chosen (HlWindow             *self,
           int                   response,
           GtkFileChooserNative *chooser)
{
  if (response != GTK_RESPONSE_ACCEPT)
    return;
  g_autoptr (GListModel) chosen = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (chooser));
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < g_list_model_get_n_items (chosen); i++)
    g_ptr_array_add (files, g_list_model_get_item (chosen, i));
  open_in (self, files);
}

/* Begins beside what is open. */
static void
show_chooser (HlWindow             *self,
              GtkFileChooserNative *chooser)
{
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_chosen), self, G_CONNECT_SWAPPED);
  hl_file_choice_show (chooser, self->page != NULL ? hl_document_page_get_file (self->page) : NULL);
}

static void
open_files (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (
    _ ("Open Attention"), data, GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), NULL);
  g_autofree char *labels = hl_format_list_labels ();
  guint n_formats;
  const HlFormat *formats = hl_format_get_all (&n_formats);
  g_autoptr (GtkFileFilter) dumps = gtk_file_filter_new ();
  g_autoptr (GtkFileFilter) everything = gtk_file_filter_new ();

  /* Translators: %s is a list of kinds of file */
  g_autofree char *name = g_strdup_printf (_ ("Attention (%s)"), labels);
  gtk_file_filter_set_name (dumps, name);
  for (guint i = 0; i < n_formats; i++)
    for (guint k = 0; formats[i].suffixes[k] != NULL; k++)
      gtk_file_filter_add_suffix (dumps, formats[i].suffixes[k]);
  gtk_file_filter_add_suffix (dumps, "headlight");
  gtk_file_filter_set_name (everything, _ ("All Files"));
  gtk_file_filter_add_pattern (everything, "*");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (chooser), dumps);
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (chooser), everything);
  show_chooser (data, chooser);
}

static void
open_model (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  show_chooser (data, gtk_file_chooser_native_new (_ ("Open Model Folder"), data,
                                                   GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _ ("_Open"), NULL));
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

static const GActionEntry entries[] = {
  { "open", open_files },
  { "open-model", open_model },
  { "open-recent", open_recent, "s" },
  { "open-sample", open_sample },
};

void
hl_window_install_open_actions (HlWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
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
      g_autofree char *name = hl_file_dup_display_name (file);
      /* An underline in a name is no mnemonic. */
      g_auto (GStrv) parts = g_strsplit (name, "_", -1);
      g_autofree char *label = g_strjoinv ("__", parts);
      g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
      g_menu_item_set_action_and_target (item, "win.open-recent", "s", uri);
      g_menu_append_item (self->recent_menu, item);
    }
}

static gboolean
on_drop (HlWindow     *self,
         const GValue *value)
{
  const gboolean is_list = G_VALUE_HOLDS (value, GDK_TYPE_FILE_LIST);
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  g_autoptr (GSList) dropped = is_list ? gdk_file_list_get_files (g_value_get_boxed (value)) : NULL;

  for (GSList *file = dropped; file != NULL; file = file->next)
    g_ptr_array_add (files, file->data);
  if (!is_list)
    g_ptr_array_add (files, g_value_get_object (value));
  open_in (self, files);
  return files->len > 0;
}

void
hl_window_init_drop (HlWindow *self)
{
  GType types[] = { GDK_TYPE_FILE_LIST, G_TYPE_FILE };
  GtkDropTarget *target = gtk_drop_target_new (G_TYPE_INVALID, GDK_ACTION_COPY);

  gtk_drop_target_set_gtypes (target, types, G_N_ELEMENTS (types));
  g_signal_connect_swapped (target, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self->toast_overlay), GTK_EVENT_CONTROLLER (target));
}

static gboolean
owns_page (HlWindow       *self,
           HlDocumentPage *page)
{
  return gtk_widget_is_ancestor (GTK_WIDGET (page), GTK_WIDGET (self->tab_view));
}

typedef struct
{
  GWeakRef window;
  GWeakRef page;
} Reveal;

static void
reveal_free (Reveal *reveal)
{
  g_weak_ref_clear (&reveal->window);
  g_weak_ref_clear (&reveal->page);
  g_free (reveal);
}

static gboolean
on_reveal (gpointer data)
{
  Reveal *reveal = data;
  g_autoptr (HlWindow) self = g_weak_ref_get (&reveal->window);
  g_autoptr (HlDocumentPage) page = g_weak_ref_get (&reveal->page);

  if (self != NULL && page != NULL && hl_document_page_get_loading (page) && owns_page (self, page) &&
      hl_arrival_is_first (page))
    hl_window_show_page (self, page);
  return G_SOURCE_REMOVE;
}

static HlDocumentPage *
add_page (HlWindow *self,
          GFile    *file)
{
  GtkWidget *page = hl_document_page_new (file);
  AdwTabPage *tab = adw_tab_view_append (self->tab_view, page);
  /* Tab titles and tooltips: the latter are markup. */
  g_autofree char *place = g_file_get_parse_name (file);
  g_autofree char *tooltip = g_markup_escape_text (place, -1);

  adw_tab_page_set_title (tab, hl_document_page_get_name (HL_DOCUMENT_PAGE (page)));
  adw_tab_page_set_tooltip (tab, tooltip);
  g_object_bind_property (page, "loading", tab, "loading", G_BINDING_SYNC_CREATE);
  return HL_DOCUMENT_PAGE (page);
}

static void
load (HlWindow       *self,
      HlDocumentPage *page)
{
  hl_document_page_load (page);
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      /* Nothing was seen yet that should stay. */
      if (hl_arrival_is_first (page))
        hl_window_show_page (self, page);
      return;
    }
  Reveal *reveal = g_new0 (Reveal, 1);
  g_weak_ref_init (&reveal->window, self);
  g_weak_ref_init (&reveal->page, page);
  g_timeout_add_full (G_PRIORITY_DEFAULT, REVEAL_AFTER_MS, on_reveal, reveal,
                      (GDestroyNotify) reveal_free);
}

/* Opens a file in a new tab, which is on top if it is the first of those that came with it. */
void
hl_window_open (HlWindow  *self,
                GFile     *file,
                HlArrival *arrival)
{
  g_return_if_fail (HL_IS_WINDOW (self));
  g_return_if_fail (G_IS_FILE (file));

  HlDocumentPage *page = add_page (self, file);

  hl_arrival_add (arrival, page);
  load (self, page);
}

/* A session whose file was found elsewhere. */
void
hl_window_open_located (HlWindow *self,
                        GFile    *session_file,
                        GFile    *located)
{
  HlDocumentPage *page = add_page (self, session_file);

  hl_document_page_set_located (page, located);
  load (self, page);
}

/* What was read from a file is shown in a new tab, or where the file is open. */
void
hl_window_open_document (HlWindow   *self,
                         HlDocument *document)
{
  GFile *file = hl_document_get_file (document);
  HlDocumentPage *page = hl_window_find_page (self, file);

  hl_document_page_show (page != NULL ? page : add_page (self, file), document);
}
