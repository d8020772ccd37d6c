/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/window/hl-window-drop.h"

#include "app/live/hl-image-file.h"
#include "app/window/hl-incoming-image.h"
#include "app/window/hl-window-open.h"

#include <glib/gi18n.h>

typedef struct
{
  HlWindow *window;
  GdkDrop *drop;
  HlIncomingImage *image; /* NULL where none is wanted */
  HlTextBar *text_bar;    /* where a text goes; NULL where none is wanted */
} Drop;

/* The text that is written on at @place, a widget in the page or NULL: of the side that has it, or of the one that reads texts. */
static HlTextBar *
find_text_bar (HlDocumentPage *page,
               GtkWidget      *place)
{
  HlCompareView *view = page != NULL ? hl_document_page_get_compare_view (page) : NULL;
  HlTextBar *first = page != NULL ? hl_document_page_get_text_bar (page) : NULL;
  HlTextBar *second = view != NULL ? hl_compare_view_get_text_bar (view) : NULL;
  const gboolean first_takes = first != NULL && hl_text_bar_takes_text (first);
  const gboolean second_takes = second != NULL && hl_text_bar_takes_text (second);

  if (second_takes && (!first_takes || hl_compare_view_is_in_second (view, place)))
    return second;
  return first_takes ? first : NULL;
}

static void
drop_end (Drop    *self,
          gboolean is_taken)
{
  gdk_drop_finish (self->drop, is_taken ? GDK_ACTION_COPY : 0);
  g_object_unref (self->window);
  g_object_unref (self->drop);
  g_clear_pointer (&self->image, hl_incoming_image_free);
  g_clear_object (&self->text_bar);
  g_free (self);
}

/* What comes as bytes can be read as what they are of. */
static gboolean
has (GdkDrop *drop,
     GType    type)
{
  g_autoptr (GdkContentFormats)
    formats = gdk_content_formats_union_deserialize_gtypes (gdk_content_formats_ref (gdk_drop_get_formats (drop)));

  return gdk_content_formats_contain_gtype (formats, type);
}

static const char *
find_image_type (GdkDrop *drop)
{
  return hl_incoming_image_find_type (gdk_drop_get_formats (drop));
}

static void
on_image_read (gpointer self,
               gboolean is_read)
{
  drop_end (self, is_read);
}

static void
on_image (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  Drop *self = data;
  g_autoptr (GInputStream) stream = gdk_drop_read_finish (GDK_DROP (source), result, NULL, NULL);

  hl_incoming_image_take_stream (g_steal_pointer (&self->image), stream, on_image_read, self);
}

static void
read_image (Drop *self)
{
  const char *wanted[] = { find_image_type (self->drop), NULL };

  gdk_drop_read_async (self->drop, wanted, G_PRIORITY_DEFAULT, NULL, on_image, self);
}

static void
on_files (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  Drop *self = data;
  const GValue *value = gdk_drop_read_value_finish (GDK_DROP (source), result, NULL);
  g_autoptr (GSList) dropped = value != NULL ? gdk_file_list_get_files (g_value_get_boxed (value)) : NULL;
  const gboolean is_one = dropped != NULL && dropped->next == NULL;

  /* From a page of the web there is the address, which nobody asked for to be fetched, and the image itself. */
  if (is_one && self->image != NULL && !g_file_is_native (dropped->data) && find_image_type (self->drop) != NULL)
    {
      read_image (self);
      return;
    }
  if (is_one && self->image != NULL && hl_image_file_is_such (dropped->data))
    hl_incoming_image_take_file (self->image, dropped->data);
  else if (dropped != NULL)
    {
      g_autoptr (GPtrArray) files = g_ptr_array_new ();
      for (GSList *file = dropped; file != NULL; file = file->next)
        g_ptr_array_add (files, file->data);
      hl_window_open_files (gtk_window_get_application (GTK_WINDOW (self->window)), self->window,
                            (GFile **) files->pdata, files->len);
    }
  drop_end (self, dropped != NULL);
}

/* The model that it was for may be gone since. */
static void
on_text (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  Drop *self = data;
  const GValue *value = gdk_drop_read_value_finish (GDK_DROP (source), result, NULL);
  const char *text = value != NULL ? g_value_get_string (value) : NULL;
  const gboolean is_taken = text != NULL && *text != '\0' && hl_text_bar_takes_text (self->text_bar);

  if (is_taken)
    hl_text_bar_take_text (self->text_bar, text);
  drop_end (self, is_taken);
}

static gboolean
on_accept (HlWindow *window,
           GdkDrop  *drop)
{
  return has (drop, GDK_TYPE_FILE_LIST) ||
         (find_image_type (drop) != NULL && hl_incoming_image_is_wanted (hl_window_get_page (window))) ||
         (has (drop, G_TYPE_STRING) && find_text_bar (hl_window_get_page (window), NULL) != NULL);
}

static gboolean
on_drop (GtkDropTargetAsync *target,
         GdkDrop            *drop,
         double              x,
         double              y,
         HlWindow           *window)
{
  GtkWidget *area = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (target));
  HlDocumentPage *page = hl_window_get_page (window);

  /* GTK 4.8 leaves it as if there still were something above it. */
  gtk_widget_unset_state_flags (area, GTK_STATE_FLAG_DROP_ACTIVE);
  if (!on_accept (window, drop))
    return FALSE;
  GtkWidget *place = gtk_widget_pick (area, x, y, GTK_PICK_DEFAULT);
  HlTextBar *text_bar = find_text_bar (page, place);
  Drop *self = g_new0 (Drop, 1);
  self->window = g_object_ref (window);
  self->drop = g_object_ref (drop);
  if (hl_incoming_image_is_wanted (page))
    self->image = hl_incoming_image_new (page, place, hl_window_get_toasts (window));
  self->text_bar = text_bar != NULL ? g_object_ref (text_bar) : NULL;
  if (has (drop, GDK_TYPE_FILE_LIST))
    gdk_drop_read_value_async (drop, GDK_TYPE_FILE_LIST, G_PRIORITY_DEFAULT, NULL, on_files, self);
  else if (self->image != NULL && find_image_type (drop) != NULL)
    read_image (self);
  else
    gdk_drop_read_value_async (drop, G_TYPE_STRING, G_PRIORITY_DEFAULT, NULL, on_text, self);
  return TRUE;
}

void
hl_window_drop_init (HlWindow *window)
{
  GtkDropTargetAsync *target = gtk_drop_target_async_new (NULL, GDK_ACTION_COPY);

  g_signal_connect_swapped (target, "accept", G_CALLBACK (on_accept), window);
  g_signal_connect (target, "drop", G_CALLBACK (on_drop), window);
  gtk_widget_add_controller (hl_window_get_drop_area (window), GTK_EVENT_CONTROLLER (target));
}
