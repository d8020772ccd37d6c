/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/commands/hl-commands-files.h"

#include "app/base/hl-file-choice.h"
#include "app/base/hl-help.h"
#include "app/base/hl-recent.h"
#include "app/base/hl-sample.h"
#include "app/base/hl-toast.h"
#include "app/reading/hl-axes-dialog.h"
#include "app/reading/hl-details-dialog.h"
#include "app/session/hl-lost.h"
#include "app/window/hl-autosave.h"
#include "app/window/hl-models-dialog.h"
#include "app/window/hl-window-open.h"
#include "core/archive/format/hl-format.h"

#include <glib/gi18n.h>

#define PYTHON_LINES "/org/headlight/Headlight/save-attention.py"

static void
open_file (const HlCommandSubject *on,
           GFile                  *file)
{
  hl_window_open_files (gtk_window_get_application (GTK_WINDOW (on->window)), on->window, &file, 1);
}

static void
on_chosen (HlWindow             *window,
           int                   response,
           GtkFileChooserNative *chooser)
{
  if (response != GTK_RESPONSE_ACCEPT)
    return;
  g_autoptr (GListModel) chosen = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (chooser));
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < g_list_model_get_n_items (chosen); i++)
    g_ptr_array_add (files, g_list_model_get_item (chosen, i));
  hl_window_open_files (gtk_window_get_application (GTK_WINDOW (window)), window, (GFile **) files->pdata, files->len);
}

/* Begins beside what is open. */
static void
show_chooser (const HlCommandSubject *on,
              GtkFileChooserNative   *chooser)
{
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_chosen), on->window, G_CONNECT_SWAPPED);
  hl_file_choice_show (chooser, on->page != NULL ? hl_document_page_get_file (on->page) : NULL);
}

void
hl_command_open_files (const HlCommandSubject *on)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (_ ("Open Attention"), GTK_WINDOW (on->window),
                                                               GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), NULL);
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
  show_chooser (on, chooser);
}

void
hl_command_open_model (const HlCommandSubject *on)
{
  show_chooser (on, gtk_file_chooser_native_new (_ ("Open Model Folder"), GTK_WINDOW (on->window),
                                                 GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _ ("_Open"), NULL));
}

static void
on_model_chosen (HlWindow *window,
                 GFile    *file)
{
  hl_window_open_files (gtk_window_get_application (GTK_WINDOW (window)), window, &file, 1);
}

void
hl_command_list_models (const HlCommandSubject *on)
{
  GtkWidget *dialog = hl_models_dialog_new ();

  g_signal_connect_object (dialog, "chosen", G_CALLBACK (on_model_chosen), on->window, G_CONNECT_SWAPPED);
  hl_command_present (on, dialog);
}

void
hl_command_open_recent (const HlCommandSubject *on)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (on->value, NULL));

  open_file (on, file);
}

void
hl_command_forget_recent (const HlCommandSubject *on)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (on->value, NULL));

  hl_recent_remove (file);
}

void
hl_command_open_sample (const HlCommandSubject *on)
{
  hl_window_open_sample (gtk_window_get_application (GTK_WINDOW (on->window)), on->window);
}

/* Has the model that comes along read what was typed; without it nothing is offered to type in. */
void
hl_command_open_sentence (const HlCommandSubject *on)
{
  g_autoptr (GFile) model = hl_sample_find_model ();

  if (model != NULL)
    hl_window_open_text (gtk_window_get_application (GTK_WINDOW (on->window)), on->window, model,
                         g_variant_get_string (on->value, NULL), NULL);
}

/* For somebody's own script. */
void
hl_command_copy_python (const HlCommandSubject *on)
{
  g_autoptr (GBytes) lines = g_resources_lookup_data (PYTHON_LINES, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  gsize length;
  const char *data = g_bytes_get_data (lines, &length);
  g_autofree char *text = g_strndup (data, length);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (on->window)), text);
  /* Translators: attention.pt is the name of a file */
  hl_toast_say (hl_window_get_toasts (on->window),
                _ ("Copied. They need PyTorch and transformers, and write attention.pt, which opens here."), NULL,
                HL_TOAST_SENTENCE_SECONDS);
}

static void
on_folder_opened (GObject      *source,
                  GAsyncResult *result,
                  gpointer      data)
{
  g_autoptr (AdwToastOverlay) toasts = data;
  g_autoptr (GError) error = NULL;

  if (!g_app_info_launch_default_for_uri_finish (result, &error))
    hl_toast_say_error (toasts, error);
}

void
hl_command_open_folder (const HlCommandSubject *on)
{
  GdkDisplay *display = gtk_widget_get_display (GTK_WIDGET (on->window));
  g_autoptr (GdkAppLaunchContext) context = gdk_display_get_app_launch_context (display);

  g_app_info_launch_default_for_uri_async (g_variant_get_string (on->value, NULL), G_APP_LAUNCH_CONTEXT (context), NULL,
                                           on_folder_opened, g_object_ref (hl_window_get_toasts (on->window)));
}

void
hl_command_open_lost (const HlCommandSubject *on)
{
  hl_autosave_restore (on->window);
}

void
hl_command_drop_lost (const HlCommandSubject *on)
{
  hl_autosave_drop ();
}

gboolean
hl_command_has_lost (const HlCommandSubject *on)
{
  return hl_lost_get_n_tabs (hl_lost_get ()) > 0;
}

void
hl_command_reload (const HlCommandSubject *on)
{
  hl_document_page_load (on->page);
}

void
hl_command_close_tab (const HlCommandSubject *on)
{
  if (!hl_window_close_tab (on->window))
    gtk_window_close (GTK_WINDOW (on->window));
}

void
hl_command_show_details (const HlCommandSubject *on)
{
  hl_command_present (on, hl_details_dialog_new (on->session));
}

/* What the file of a session was before it was read: what is open of it stays that. */
static const char *
get_stamp (HlSession *session)
{
  HlFileWatch *watch = hl_session_get_watch (session);

  return watch != NULL ? hl_file_watch_get_stamp (watch) : NULL;
}

void
hl_command_choose_axes (const HlCommandSubject *on)
{
  GtkWidget *dialog = hl_axes_dialog_new (hl_document_page_get_file (on->page), hl_session_get_document (on->session),
                                          get_stamp (on->session));

  g_signal_connect_object (dialog, "applied", G_CALLBACK (hl_document_page_show), on->page, G_CONNECT_SWAPPED);
  hl_command_present (on, dialog);
}

/* Of a file that could not be opened. */
void
hl_command_choose_axes_of (const HlCommandSubject *on)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (on->value, NULL));
  GtkWidget *dialog = hl_axes_dialog_new (file, NULL, NULL);

  g_signal_connect_object (dialog, "applied", G_CALLBACK (hl_window_show_document), on->window, G_CONNECT_SWAPPED);
  hl_command_present (on, dialog);
}

typedef struct
{
  AdwToastOverlay *toasts;
  HlDocumentPage *page;
  HlSession *session; /* what is to be replaced, if it is still there */
} Reading;

static void
on_read (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autofree Reading *reading = data;
  g_autoptr (AdwToastOverlay) toasts = reading->toasts;
  g_autoptr (HlDocumentPage) page = reading->page;
  g_autoptr (HlSession) session = reading->session;
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load_finish (result, &error);

  /* What is read anew is newer. */
  if (hl_document_page_get_session (page) != session || hl_document_page_get_loading (page))
    return;
  if (document != NULL)
    hl_document_page_show (page, document, get_stamp (session));
  else
    hl_toast_say_error (toasts, error);
}

/* As it is read, but as scores. */
void
hl_command_show_softmax (const HlCommandSubject *on)
{
  HlDocument *document = hl_session_get_document (on->session);
  const HlOpenOptions *before = hl_document_get_options (document);
  const HlOpenOptions none = { 0 };
  g_autoptr (HlOpenOptions) options = hl_open_options_copy (before != NULL ? before : &none);
  Reading *reading = g_new0 (Reading, 1);

  options->softmax = TRUE;
  *reading =
    (Reading){ g_object_ref (hl_window_get_toasts (on->window)), g_object_ref (on->page), g_object_ref (on->session) };
  hl_document_read_again_async (document, options, NULL, on_read, reading);
}

gboolean
hl_command_can_reload (const HlCommandSubject *on)
{
  return on->page != NULL && !hl_document_page_get_loading (on->page);
}

gboolean
hl_command_has_archive (const HlCommandSubject *on)
{
  return on->session != NULL && hl_document_get_archive (hl_session_get_document (on->session)) != NULL;
}

/* Whether a softmax could be made of what a file has stored. */
gboolean
hl_command_can_be_scores (const HlCommandSubject *on)
{
  g_autoptr (HlExample) example =
    hl_command_has_archive (on) ? hl_document_get_example (hl_session_get_document (on->session), 0, NULL, NULL) : NULL;
  HlAttention *attention = example != NULL ? hl_example_get_attention (example, 0) : NULL;

  return attention != NULL && hl_attention_get_weights (attention, 0) != NULL && !hl_attention_has_scores (attention);
}

static void
on_help_shown (GObject      *window,
               GAsyncResult *result,
               gpointer      data)
{
  g_autoptr (GError) error = NULL;

  if (!hl_help_show_finish (result, &error))
    hl_toast_say_error (hl_window_get_toasts (HL_WINDOW (window)), error);
}

/* The page of the view that is shown, or all of the help. */
void
hl_command_show_help (const HlCommandSubject *on)
{
  g_autofree char *page =
    on->state != NULL
      ? g_strconcat ("view-", hl_view_kind_get_traits (hl_view_state_get_options (on->state)->view)->nick, NULL)
      : g_strdup ("index");

  hl_help_show (GTK_WINDOW (on->window), page, on_help_shown, NULL);
}
