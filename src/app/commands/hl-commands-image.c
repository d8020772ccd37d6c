/* SPDX-License-Identifier: MIT */
/* Images come from files, or from the clipboard. */
#include "config.h"

#include "app/commands/hl-commands-image.h"

#include "app/base/hl-file-choice.h"
#include "app/live/hl-image-file.h"
#include "app/window/hl-incoming-image.h"

#include <glib/gi18n.h>

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
  HlLiveModel *live = hl_incoming_image_get_other (page);

  if (file != NULL && live != NULL)
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
  choose (on, hl_incoming_image_get_other (on->page), G_CALLBACK (on_other_chosen));
}

static void
on_image (GObject      *clipboard,
          GAsyncResult *result,
          gpointer      image)
{
  g_autoptr (GInputStream) stream = gdk_clipboard_read_finish (GDK_CLIPBOARD (clipboard), result, NULL, NULL);

  hl_incoming_image_take_stream (image, stream, NULL, NULL);
}

static void
on_files (GObject      *clipboard,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (HlIncomingImage) image = data;
  const GValue *value = gdk_clipboard_read_value_finish (GDK_CLIPBOARD (clipboard), result, NULL);
  g_autoptr (GSList) files = value != NULL ? gdk_file_list_get_files (g_value_get_boxed (value)) : NULL;

  if (files != NULL)
    hl_incoming_image_take_file (image, files->data);
}

/* For the side that the keyboard is on. */
void
hl_command_paste_image (const HlCommandSubject *on)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (on->window));
  GdkContentFormats *formats = gdk_clipboard_get_formats (clipboard);
  const char *wanted[] = { hl_incoming_image_find_type (formats), NULL };
  g_autoptr (HlIncomingImage) image =
    hl_incoming_image_new (on->page, gtk_window_get_focus (GTK_WINDOW (on->window)), hl_window_get_toasts (on->window));

  if (gdk_content_formats_contain_gtype (formats, GDK_TYPE_FILE_LIST))
    gdk_clipboard_read_value_async (clipboard, GDK_TYPE_FILE_LIST, G_PRIORITY_DEFAULT, NULL, on_files,
                                    g_steal_pointer (&image));
  else if (wanted[0] != NULL)
    gdk_clipboard_read_async (clipboard, wanted, G_PRIORITY_DEFAULT, NULL, on_image, g_steal_pointer (&image));
  else if (gdk_content_formats_contain_gtype (formats, GDK_TYPE_TEXTURE))
    hl_incoming_image_say (image, _ ("The image cannot be read"));
  else
    hl_incoming_image_say (image, _ ("There is no image on the clipboard"));
}

gboolean
hl_command_can_paste_image (const HlCommandSubject *on)
{
  return hl_incoming_image_is_wanted (on->page);
}

gboolean
hl_command_takes_pixels (const HlCommandSubject *on)
{
  return on->page != NULL && hl_document_page_takes_pixels (on->page);
}

gboolean
hl_command_other_takes_pixels (const HlCommandSubject *on)
{
  return on->page != NULL && hl_incoming_image_get_other (on->page) != NULL;
}
