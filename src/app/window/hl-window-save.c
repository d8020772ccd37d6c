/* SPDX-License-Identifier: MIT */
/* How a document leaves a window as a file of Headlight's own: any that was opened, or what a model computed. */
#include "config.h"

#include "app/window/hl-window-private.h"

#include "app/base/hl-file-choice.h"
#include "app/session/hl-session-name.h"
#include "core/archive/format/hl-format.h"
#include "core/base/hl-file-name.h"
#include "core/source/save/hl-dump-writer.h"

#include <glib/gi18n.h>
#include <string.h>

/* Work that is done sooner shows no sign of waiting. */
#define PROGRESS_AFTER_MS 500

typedef struct
{
  HlWindow *window; /* unowned; none once it is gone */
  HlDocument *document;
  HlDumpStore store;
  GFile *target;
  HlProgress *progress;
  GCancellable *cancellable;
  guint timeout;
  GtkWindow *dialog;
  GtkProgressBar *bar;
} Save;

static void
save_free (Save *save)
{
  g_clear_object (&save->document);
  g_clear_object (&save->target);
  g_clear_object (&save->progress);
  g_clear_object (&save->cancellable);
  g_free (save);
}

static void
on_progress (Save *save)
{
  gtk_progress_bar_set_fraction (save->bar, hl_progress_get_fraction (save->progress));
}

static void
on_response (Save *save)
{
  save->dialog = NULL;
  g_signal_handlers_disconnect_by_data (save->progress, save);
  g_cancellable_cancel (save->cancellable);
}

/* It has taken long enough to ask for a way out. What is open can be used meanwhile. */
static gboolean
on_timeout (gpointer data)
{
  Save *save = data;
  g_autofree char *name = hl_file_dup_display_name (save->target);
  /* Translators: %s is a file's name */
  g_autofree char *heading = g_strdup_printf (_ ("Saving “%s”"), name);
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (save->window), heading, NULL);

  save->timeout = 0;
  save->dialog = GTK_WINDOW (dialog);
  save->bar = GTK_PROGRESS_BAR (gtk_progress_bar_new ());
  gtk_accessible_update_property (GTK_ACCESSIBLE (save->bar), GTK_ACCESSIBLE_PROPERTY_LABEL, heading, -1);
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), GTK_WIDGET (save->bar));
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"));
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  gtk_window_set_title (save->dialog, heading);
  gtk_window_set_modal (save->dialog, FALSE);
  g_signal_connect_swapped (dialog, "response", G_CALLBACK (on_response), save);
  g_signal_connect_swapped (save->progress, "notify", G_CALLBACK (on_progress), save);
  on_progress (save);
  gtk_window_present (save->dialog);
  return G_SOURCE_REMOVE;
}

static void
close_dialog (Save *save)
{
  g_clear_handle_id (&save->timeout, g_source_remove);
  if (save->dialog == NULL)
    return;
  g_signal_handlers_disconnect_by_data (save->dialog, save);
  g_signal_handlers_disconnect_by_data (save->progress, save);
  gtk_window_destroy (save->dialog);
  save->dialog = NULL;
}

static void
run_save (GTask        *task,
          gpointer      source,
          gpointer      data,
          GCancellable *cancellable)
{
  const Save *save = data;
  GError *error = NULL;

  if (hl_dump_writer_save (save->document, save->store, save->target, save->progress, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* Nobody waits for it any more; a half of a file is nothing to keep. */
static void
on_window_destroyed (Save *save)
{
  save->window = NULL;
  close_dialog (save);
  g_cancellable_cancel (save->cancellable);
}

static void
on_saved (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  Save *save = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;

  g_task_propagate_boolean (G_TASK (result), &error);
  if (save->window != NULL)
    g_signal_handlers_disconnect_by_data (save->window, save);
  close_dialog (save);
  if (save->window != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    hl_window_say_saved (save->window, save->target, error);
  /* The program stays until the file is whole, or gone. */
  g_application_release (data);
  g_object_unref (data);
}

static void
start_save (HlWindow  *self,
            HlSession *session,
            GFile     *target)
{
  GApplication *application = G_APPLICATION (gtk_window_get_application (GTK_WINDOW (self)));
  Save *save = g_new0 (Save, 1);

  save->window = self;
  save->document = g_object_ref (hl_session_get_document (session));
  /* Queries and keys of a model need what else it does to them; its weights say it all. */
  save->store = hl_session_get_live (session) != NULL ? HL_DUMP_STORE_ATTENTION : HL_DUMP_STORE_ALL;
  save->target = g_object_ref (target);
  save->progress = hl_progress_new ();
  save->cancellable = g_cancellable_new ();
  save->timeout = g_timeout_add (PROGRESS_AFTER_MS, on_timeout, save);
  g_signal_connect_swapped (self, "destroy", G_CALLBACK (on_window_destroyed), save);
  g_application_hold (application);

  g_autoptr (GTask) task = g_task_new (NULL, save->cancellable, on_saved, g_object_ref (application));
  g_task_set_source_tag (task, start_save);
  g_task_set_task_data (task, save, (GDestroyNotify) save_free);
  g_task_run_in_thread (task, run_save);
}

/* Which format a name asks for by its ending; -1 for none. */
/* The first format that can be written is what is suggested. */
static const HlFormat *
get_chosen_format (GtkFileChooser *chooser)
{
  GtkFileFilter *filter = chooser != NULL ? gtk_file_chooser_get_filter (chooser) : NULL;
  guint n_formats;
  const HlFormat *formats = hl_format_get_all (&n_formats);
  const HlFormat *chosen = filter != NULL ? g_object_get_data (G_OBJECT (filter), "format") : NULL;

  while (chosen == NULL && formats->create == NULL)
    formats++;
  return chosen != NULL ? chosen : formats;
}

/* The suggested name follows the format that is chosen; what somebody typed without an ending gets one in the end. */
static void
on_filter_changed (GtkFileChooser *chooser)
{
  g_autofree char *name = gtk_file_chooser_get_current_name (chooser);
  const HlFormat *format = get_chosen_format (chooser);
  const HlFormat *named = name != NULL ? hl_format_find_writable (name) : NULL;

  if (named == NULL || named == format)
    return;
  *strrchr (name, '.') = '\0';
  g_autofree char *renamed = g_strdup_printf ("%s.%s", name, format->suffixes[0]);
  gtk_file_chooser_set_current_name (chooser, renamed);
}

typedef struct
{
  HlWindow *window;
  HlSession *session;
} Choice;

static void
choice_free (Choice   *choice,
             GClosure *closure)
{
  g_object_unref (choice->window);
  g_object_unref (choice->session);
  g_free (choice);
}

static void
on_chosen (GtkFileChooserNative *chooser,
           int                   response,
           Choice               *choice)
{
  g_autoptr (GFile) target = hl_file_choice_get_file (chooser, response);
  g_autofree char *name = target != NULL ? g_file_get_basename (target) : NULL;

  if (name != NULL && hl_format_find_writable (name) == NULL)
    {
      const HlFormat *format = get_chosen_format (GTK_FILE_CHOOSER (chooser));
      g_autofree char *ending = g_strconcat (".", format->suffixes[0], NULL);
      g_autoptr (GFile) chosen = g_steal_pointer (&target);
      g_autoptr (GError) error = NULL;

      target = hl_file_choice_add_ending (chosen, ending, &error);
      if (target == NULL)
        hl_window_say (choice->window, error->message, NULL, HL_SENTENCE_SECONDS);
    }
  if (target != NULL)
    start_save (choice->window, choice->session, target);
}

/* The name of what is open. */
static void
suggest (HlWindow       *self,
         GtkFileChooser *chooser)
{
  GFile *file = hl_document_page_get_file (self->page);
  g_autofree char *stem = hl_session_dup_document_name (self->session);
  g_autofree char *name = g_strdup_printf ("%s.%s", stem, get_chosen_format (NULL)->suffixes[0]);
  g_autofree char *own = g_file_get_basename (file);

  if (g_strcmp0 (name, own) == 0)
    {
      g_free (name);
      /* Translators: %s is a file's name without its ending */
      g_autofree char *copy = g_strdup_printf (_ ("%s copy"), stem);
      name = g_strdup_printf ("%s.%s", copy, get_chosen_format (NULL)->suffixes[0]);
    }
  gtk_file_chooser_set_current_name (chooser, name);
}

/* Asks where to, and writes all that the document has, in the container that the name asks for; of a model, the
 * attention that it computed. */
static void
save_as (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       data)
{
  HlWindow *self = data;
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (
    _ ("Save Attention"), GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), NULL);
  Choice *choice = g_new0 (Choice, 1);
  guint n_formats;
  const HlFormat *formats = hl_format_get_all (&n_formats);

  for (guint i = 0; i < n_formats; i++)
    if (formats[i].create != NULL)
      {
        g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
        /* Translators: a kind of file and the ending of its name, such as NumPy (*.npz) */
        g_autofree char *name = g_strdup_printf (_ ("%s (*.%s)"), _ (formats[i].label), formats[i].suffixes[0]);

        gtk_file_filter_set_name (filter, name);
        for (guint k = 0; formats[i].suffixes[k] != NULL; k++)
          gtk_file_filter_add_suffix (filter, formats[i].suffixes[k]);
        g_object_set_data (G_OBJECT (filter), "format", (gpointer) &formats[i]);
        gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (chooser), filter);
      }
  suggest (self, GTK_FILE_CHOOSER (chooser));
  choice->window = g_object_ref (self);
  choice->session = g_object_ref (self->session);
  g_signal_connect (chooser, "notify::filter", G_CALLBACK (on_filter_changed), NULL);
  g_signal_connect_data (chooser, "response", G_CALLBACK (on_chosen), choice, (GClosureNotify) choice_free, 0);
  hl_file_choice_show (chooser, hl_document_page_get_file (self->page));
}

static const GActionEntry entries[] = {
  { "save-as", save_as },
};

void
hl_window_install_save_actions (HlWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
hl_window_update_save_actions (HlWindow *self)
{
  hl_window_enable_action (self, "save-as", self->session != NULL);
}
