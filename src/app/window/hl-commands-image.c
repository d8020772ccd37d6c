/* SPDX-License-Identifier: MIT */
/* Images come from files, or from the clipboard. One that is there without a file gets one, so that it can be seen again. */
#include "config.h"

#include "app/window/hl-commands-image.h"

#include "app/base/hl-file-choice.h"
#include "app/base/hl-toast.h"
#include "app/live/hl-image-file.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-worker.h"

#include <glib/gi18n.h>

static HlLiveModel *
get_other_live (HlCompareView *view)
{
  HlSession *other = view != NULL ? hl_compare_view_get_other (view) : NULL;

  return other != NULL ? hl_session_get_live (other) : NULL;
}

static void
on_chosen (HlDocumentPage       *page,
           int                   response,
           GtkFileChooserNative *chooser)
{
  g_autoptr (GFile) file = hl_file_choice_get_file (chooser, response);

  if (file != NULL && hl_document_page_takes_pixels (page))
    hl_document_page_set_pixels (page, file);
}

static void
on_other_chosen (HlDocumentPage       *page,
                 int                   response,
                 GtkFileChooserNative *chooser)
{
  g_autoptr (GFile) file = hl_file_choice_get_file (chooser, response);
  HlLiveModel *live = get_other_live (hl_document_page_get_compare_view (page));

  if (file != NULL && live != NULL && hl_live_model_takes_pixels (live))
    hl_live_model_set_pixels (live, file);
}

static void
choose (const HlCommandSubject *on,
        HlLiveModel            *live,
        GCallback               callback)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (_ ("Open Image"), GTK_WINDOW (on->window),
                                                               GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), NULL);
  GFile *before = live != NULL ? hl_live_model_get_pixels (live) : NULL;
  g_autoptr (GtkFileFilter) images = gtk_file_filter_new (), all = gtk_file_filter_new ();

  gtk_file_filter_set_name (images, _ ("Images, and Arrays of NumPy"));
  for (const char *const *ending = hl_image_file_get_endings (); *ending != NULL; ending++)
    gtk_file_filter_add_suffix (images, *ending);
  gtk_file_filter_set_name (all, _ ("All Files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (chooser), images);
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (chooser), all);
  g_signal_connect_object (chooser, "response", callback, on->page, G_CONNECT_SWAPPED);
  hl_file_choice_show (chooser, before != NULL ? before : hl_document_page_get_file (on->page));
}

void
hl_command_open_image (const HlCommandSubject *on)
{
  choose (on, on->session != NULL ? hl_session_get_live (on->session) : NULL, G_CALLBACK (on_chosen));
}

void
hl_command_open_other_image (const HlCommandSubject *on)
{
  choose (on, get_other_live (on->compare_view), G_CALLBACK (on_other_chosen));
}

typedef struct
{
  HlDocumentPage *page;
  AdwToastOverlay *toasts;
} Pasting;

static void
pasting_free (Pasting *self)
{
  g_object_unref (self->page);
  g_object_unref (self->toasts);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Pasting, pasting_free)

static void
say (Pasting    *self,
     const char *sentence)
{
  hl_toast_say (self->toasts, sentence, NULL, HL_TOAST_SENTENCE_SECONDS);
}

/* The same image has the same name: it is there once, however often it is pasted. */
static void
save_texture (GTask        *task,
              gpointer      source,
              gpointer      texture,
              GCancellable *cancellable)
{
  GError *error = NULL;

  hl_worker_give_way ();
  g_autoptr (GBytes) bytes = gdk_texture_save_to_png_bytes (texture);
  g_autofree char *sum = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);
  g_autofree char *name = g_strdup_printf ("%.16s.png", sum);
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "headlight", "images", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  if (g_mkdir_with_parents (folder, 0700) != 0)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("“%s” cannot be created"), folder);
  else if (!g_file_test (path, G_FILE_TEST_EXISTS) &&
           !g_file_set_contents_full (path, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes),
                                      G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error))
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_file_new_for_path (path), g_object_unref);
}

static void
on_saved (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (Pasting) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = g_task_propagate_pointer (G_TASK (result), &error);

  if (file == NULL)
    say (self, error->message);
  else if (hl_document_page_takes_pixels (self->page))
    hl_document_page_set_pixels (self->page, file);
}

static void
on_texture (GObject      *clipboard,
            GAsyncResult *result,
            gpointer      data)
{
  g_autoptr (Pasting) self = data;
  g_autoptr (GdkTexture) texture = gdk_clipboard_read_texture_finish (GDK_CLIPBOARD (clipboard), result, NULL);

  if (texture == NULL)
    {
      say (self, _ ("The image on the clipboard cannot be read"));
      return;
    }
  if ((guint64) gdk_texture_get_width (texture) * (guint64) gdk_texture_get_height (texture) > HL_LIMIT_PICTURE_PIXELS)
    {
      say (self, _ ("The image on the clipboard is too large"));
      return;
    }
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_saved, g_steal_pointer (&self));
  g_task_set_source_tag (task, on_texture);
  g_task_set_task_data (task, g_object_ref (texture), g_object_unref);
  g_task_run_in_thread (task, save_texture);
}

static void
on_files (GObject      *clipboard,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (Pasting) self = data;
  const GValue *value = gdk_clipboard_read_value_finish (GDK_CLIPBOARD (clipboard), result, NULL);
  g_autoptr (GSList) files = value != NULL ? gdk_file_list_get_files (g_value_get_boxed (value)) : NULL;

  if (files != NULL && hl_document_page_takes_pixels (self->page))
    hl_document_page_set_pixels (self->page, files->data);
}

void
hl_command_paste_image (const HlCommandSubject *on)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (on->window));
  GdkContentFormats *formats = gdk_clipboard_get_formats (clipboard);
  Pasting *self = g_new (Pasting, 1);

  *self = (Pasting){ g_object_ref (on->page), g_object_ref (hl_window_get_toasts (on->window)) };
  if (gdk_content_formats_contain_gtype (formats, GDK_TYPE_FILE_LIST))
    {
      gdk_clipboard_read_value_async (clipboard, GDK_TYPE_FILE_LIST, G_PRIORITY_DEFAULT, NULL, on_files, self);
    }
  else if (gdk_content_formats_contain_gtype (formats, GDK_TYPE_TEXTURE))
    {
      gdk_clipboard_read_texture_async (clipboard, NULL, on_texture, self);
    }
  else
    {
      say (self, _ ("There is no image on the clipboard"));
      pasting_free (self);
    }
}

gboolean
hl_command_takes_pixels (const HlCommandSubject *on)
{
  return on->page != NULL && hl_document_page_takes_pixels (on->page);
}

gboolean
hl_command_other_takes_pixels (const HlCommandSubject *on)
{
  HlLiveModel *live = get_other_live (on->compare_view);

  return live != NULL && hl_live_model_takes_pixels (live);
}
