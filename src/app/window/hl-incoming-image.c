/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/window/hl-incoming-image.h"

#include "app/base/hl-toast.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-worker.h"
#include "core/document/picture/hl-image.h"
#include "view/session/hl-image-store.h"

#include <glib/gi18n.h>

/* Of a file that a side has: the number of the image. */
#define KEY "hl-incoming-image"

static guint n_images;

/* The second side, if it can see; NULL if not. */
HlLiveModel *
hl_incoming_image_get_other (HlDocumentPage *page)
{
  HlCompareView *view = hl_document_page_get_compare_view (page);
  HlSession *other = view != NULL ? hl_compare_view_get_other (view) : NULL;
  HlLiveModel *live = other != NULL ? hl_session_get_live (other) : NULL;

  return live != NULL && hl_live_model_takes_pixels (live) ? live : NULL;
}

/* Whether any of its sides can see. */
gboolean
hl_incoming_image_is_wanted (HlDocumentPage *page)
{
  return page != NULL && (hl_document_page_takes_pixels (page) || hl_incoming_image_get_other (page) != NULL);
}

/* Returns the MIME type to ask for, of those that hl_image_parse() reads; NULL where none is offered. The toolkit itself would decode
 * more, and all of an image before it can be asked how large that is: beside what it could decode it offers the texture, which says
 * nothing of what the other program has. */
const char *
hl_incoming_image_find_type (GdkContentFormats *formats)
{
  static const char *const types[] = { "image/png", "image/jpeg", "image/webp" };
  gsize n;
  const char *const *offered = gdk_content_formats_get_mime_types (formats, &n);

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (gdk_content_formats_contain_mime_type (formats, types[i]))
      return types[i];
  for (gsize i = 0; i < n; i++)
    if (g_str_has_prefix (offered[i], "image/"))
      return NULL;
  /* A texture of this program has no type yet: it becomes what is asked for. */
  return gdk_content_formats_contain_gtype (formats, GDK_TYPE_TEXTURE) ? "image/png" : NULL;
}

/* What its side sees, or is about to see; NULL where that is no file. */
static GFile *
dup_present (HlIncomingImage *self)
{
  HlSession *session = hl_document_page_get_session (self->page);
  HlLiveModel *live = self->other;

  if (live == NULL && session == NULL)
    {
      g_autoptr (HlSavedSession) saved = hl_document_page_save (self->page);
      return g_steal_pointer (&saved->pixels);
    }
  if (live == NULL)
    live = hl_session_get_live (session);
  GFile *present = live != NULL ? hl_live_model_get_pixels (live) : NULL;
  return present != NULL ? g_object_ref (present) : NULL;
}

/* One that comes to @place, a widget in the page or NULL, is for the side that has it; for the one that can see, where only one can. */
HlIncomingImage *
hl_incoming_image_new (HlDocumentPage  *page,
                       GtkWidget       *place,
                       AdwToastOverlay *toasts)
{
  g_return_val_if_fail (hl_incoming_image_is_wanted (page), NULL);

  HlIncomingImage *self = g_new0 (HlIncomingImage, 1);
  HlLiveModel *other = hl_incoming_image_get_other (page);
  const gboolean is_for_other = other != NULL &&
                                (!hl_document_page_takes_pixels (page) ||
                                 hl_compare_view_is_in_second (hl_document_page_get_compare_view (page), place));

  self->page = g_object_ref (page);
  self->other = is_for_other ? g_object_ref (other) : NULL;
  self->toasts = g_object_ref (toasts);
  self->number = ++n_images;
  self->before = dup_present (self);
  /* What a side goes back to has not come since. */
  if (self->before != NULL && g_object_get_data (G_OBJECT (self->before), KEY) == NULL)
    g_object_set_data (G_OBJECT (self->before), KEY, GUINT_TO_POINTER (self->number));
  return self;
}

void
hl_incoming_image_free (HlIncomingImage *self)
{
  g_object_unref (self->page);
  g_clear_object (&self->other);
  g_object_unref (self->toasts);
  g_clear_object (&self->before);
  g_free (self);
}

void
hl_incoming_image_say (HlIncomingImage *self,
                       const char      *sentence)
{
  hl_toast_say (self->toasts, sentence, NULL, HL_TOAST_SENTENCE_SECONDS);
}

/* Whether the side got something since that came later. */
static gboolean
is_overtaken (HlIncomingImage *self)
{
  g_autoptr (GFile) present = dup_present (self);
  const guint number = present != NULL ? GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (present), KEY)) : 0;

  if (number > 0)
    return number > self->number;
  /* Nothing is left of what came before and was refused. */
  if (present == NULL && self->before != NULL && hl_document_page_get_session (self->page) == NULL)
    return FALSE;
  /* It came otherwise, as a file that was chosen or a text. */
  return present != self->before && (present == NULL || self->before == NULL || !g_file_equal (present, self->before));
}

/* What it was for may be gone since. */
void
hl_incoming_image_take_file (HlIncomingImage *self,
                             GFile           *file)
{
  const gboolean is_there = self->other != NULL ? self->other == hl_incoming_image_get_other (self->page)
                                                : hl_document_page_takes_pixels (self->page);

  if (!is_there || is_overtaken (self))
    return;
  g_object_set_data (G_OBJECT (file), KEY, GUINT_TO_POINTER (self->number));
  if (self->other != NULL)
    hl_live_model_set_pixels (self->other, file);
  else
    hl_document_page_set_pixels (self->page, file);
}

static GFile *
store (const HlImage *image,
       GError       **error)
{
  g_autoptr (GBytes) pixels = g_bytes_new_static (image->pixels, image->height * image->width * 3);
  g_autoptr (GdkTexture) texture =
    gdk_memory_texture_new ((int) image->width, (int) image->height, GDK_MEMORY_R8G8B8, pixels, image->width * 3);
  g_autoptr (GBytes) png = gdk_texture_save_to_png_bytes (texture);
  g_autofree char *path = hl_image_store_dup_path ();

  return hl_image_store_add (path, png, error);
}

static void
save (GTask        *task,
      gpointer      source,
      gpointer      bytes,
      GCancellable *cancellable)
{
  GError *error = NULL;

  hl_worker_give_way ();
  g_autoptr (HlImage)
    image = hl_image_parse (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), cancellable, &error);
  GFile *file = image != NULL ? store (image, &error) : NULL;

  if (file != NULL)
    g_task_return_pointer (task, file, g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
on_saved (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (HlIncomingImage) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = g_task_propagate_pointer (G_TASK (result), &error);

  if (file == NULL)
    hl_toast_say_error (self->toasts, error);
  else
    hl_incoming_image_take_file (self, file);
}

/* Takes @self. @bytes: NULL where they could not be read. */
static void
end_reading (HlIncomingImage *self,
             GBytes          *bytes,
             const char      *problem)
{
  if (self->told != NULL)
    self->told (self->user_data, bytes != NULL);
  if (bytes == NULL)
    {
      hl_incoming_image_say (self, problem);
      hl_incoming_image_free (self);
      return;
    }
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_saved, self);
  g_task_set_source_tag (task, end_reading);
  g_task_set_task_data (task, g_bytes_ref (bytes), (GDestroyNotify) g_bytes_unref);
  g_task_run_in_thread (task, save);
}

static void
on_read (GObject      *output,
         GAsyncResult *result,
         gpointer      self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (g_output_stream_splice_finish (G_OUTPUT_STREAM (output), result, &error) >= 0)
    bytes = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (output));
  end_reading (self, bytes,
               g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE) ? _ ("The image is too large")
                                                                        : _ ("The image cannot be read"));
}

static gpointer
resize (gpointer data,
        gsize    size)
{
  return size <= HL_LIMIT_PICTURE_FILE ? g_try_realloc (data, size) : NULL;
}

/* Takes @self, and what @stream has, NULL where that cannot be had, once there is a file of it. */
void
hl_incoming_image_take_stream (HlIncomingImage    *self,
                               GInputStream       *stream,
                               HlIncomingImageRead told,
                               gpointer            user_data)
{
  self->told = told;
  self->user_data = user_data;
  if (stream == NULL)
    {
      end_reading (self, NULL, _ ("The image cannot be read"));
      return;
    }
  g_autoptr (GOutputStream) bytes = g_memory_output_stream_new (NULL, 0, resize, g_free);
  g_output_stream_splice_async (bytes, stream,
                                G_OUTPUT_STREAM_SPLICE_CLOSE_SOURCE | G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET,
                                G_PRIORITY_DEFAULT, NULL, on_read, self);
}
