/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/window/hl-saving.h"

#include "app/base/hl-toast.h"
#include "core/base/file/hl-file-name.h"

#include <glib/gi18n.h>

/* Work that is done sooner shows no sign of waiting. */
#define PROGRESS_AFTER_MS 500

typedef struct
{
  HlWindow *window; /* unowned; none once it is gone */
  GFile *target;
  HlSavingRun run;
  gpointer data;
  GDestroyNotify free_data;
  HlProgress *progress;
  GCancellable *cancellable;
  guint timeout;
  GtkWindow *dialog;
  GtkProgressBar *bar;
} Saving;

static void
saving_free (Saving *self)
{
  self->free_data (self->data);
  g_object_unref (self->target);
  g_object_unref (self->progress);
  g_object_unref (self->cancellable);
  g_free (self);
}

static void
on_progress (Saving *self)
{
  gtk_progress_bar_set_fraction (self->bar, hl_progress_get_fraction (self->progress));
}

static void
on_response (Saving *self)
{
  self->dialog = NULL;
  g_signal_handlers_disconnect_by_data (self->progress, self);
  g_cancellable_cancel (self->cancellable);
}

/* It has taken long enough to ask for a way out. What is open can be used meanwhile. */
static gboolean
on_timeout (gpointer data)
{
  Saving *self = data;
  g_autofree char *name = hl_file_dup_display_name (self->target);
  /* Translators: %s is a file's name */
  g_autofree char *heading = g_strdup_printf (_ ("Saving “%s”"), name);
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self->window), heading, NULL);

  self->timeout = 0;
  self->dialog = GTK_WINDOW (dialog);
  self->bar = GTK_PROGRESS_BAR (gtk_progress_bar_new ());
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->bar), GTK_ACCESSIBLE_PROPERTY_LABEL, heading, -1);
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), GTK_WIDGET (self->bar));
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"));
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  gtk_window_set_title (self->dialog, heading);
  gtk_window_set_modal (self->dialog, FALSE);
  g_signal_connect_swapped (dialog, "response", G_CALLBACK (on_response), self);
  g_signal_connect_swapped (self->progress, "notify", G_CALLBACK (on_progress), self);
  on_progress (self);
  gtk_window_present (self->dialog);
  return G_SOURCE_REMOVE;
}

static void
close_dialog (Saving *self)
{
  g_clear_handle_id (&self->timeout, g_source_remove);
  if (self->dialog == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->dialog, self);
  g_signal_handlers_disconnect_by_data (self->progress, self);
  gtk_window_destroy (self->dialog);
  self->dialog = NULL;
}

static void
run_in_thread (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  const Saving *self = data;
  GError *error = NULL;

  if (self->run (self->data, self->target, self->progress, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* Nobody waits for it any more; a half of a file is nothing to keep. */
static void
on_window_destroyed (Saving *self)
{
  self->window = NULL;
  close_dialog (self);
  g_cancellable_cancel (self->cancellable);
}

static void
on_saved (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  Saving *self = g_task_get_task_data (G_TASK (result));
  g_autoptr (GApplication) application = data;
  g_autoptr (GError) error = NULL;

  g_task_propagate_boolean (G_TASK (result), &error);
  if (self->window != NULL)
    g_signal_handlers_disconnect_by_data (self->window, self);
  close_dialog (self);
  /* The tab that it came from may be closed; it is said over what is on top. */
  if (self->window != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    hl_toast_say_saved (hl_window_get_toasts (self->window), self->target, error);
  /* The program stays until the file is whole, or gone. */
  g_application_release (application);
}

/**
 * hl_saving_start:
 * @window: where it is said how it went, and which way out there is when it takes long; when it goes, @run is cancelled
 * @target: the file
 * @run: writes it
 * @data: (transfer full): what is written
 * @free_data: frees @data, in any thread
 *
 * Writes a file in a worker. The program does not end before that is done.
 */
void
hl_saving_start (HlWindow      *window,
                 GFile         *target,
                 HlSavingRun    run,
                 gpointer       data,
                 GDestroyNotify free_data)
{
  g_return_if_fail (HL_IS_WINDOW (window));
  g_return_if_fail (G_IS_FILE (target));
  g_return_if_fail (run != NULL && free_data != NULL);

  GApplication *application = g_application_get_default ();
  /* It may have gone while somebody thought of a name. */
  const gboolean is_open = gtk_window_get_application (GTK_WINDOW (window)) != NULL;
  Saving *self = g_new0 (Saving, 1);

  *self = (Saving){ .window = is_open ? window : NULL,
                    .target = g_object_ref (target),
                    .run = run,
                    .data = data,
                    .free_data = free_data,
                    .progress = hl_progress_new (),
                    .cancellable = g_cancellable_new () };
  if (is_open)
    {
      self->timeout = g_timeout_add (PROGRESS_AFTER_MS, on_timeout, self);
      g_signal_connect_swapped (window, "destroy", G_CALLBACK (on_window_destroyed), self);
    }
  g_application_hold (application);

  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, on_saved, g_object_ref (application));
  g_task_set_source_tag (task, hl_saving_start);
  /* What was written in spite of it is said to be there. */
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, self, (GDestroyNotify) saving_free);
  g_task_run_in_thread (task, run_in_thread);
}
