/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/window/hl-incoming-image.h"

#include "app/base/hl-toast.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-worker.h"
#include "view/session/hl-image-store.h"

#include <glib/gi18n.h>

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
  return self;
}

void
hl_incoming_image_free (HlIncomingImage *self)
{
  g_object_unref (self->page);
  g_clear_object (&self->other);
  g_object_unref (self->toasts);
  g_free (self);
}

void
hl_incoming_image_say (HlIncomingImage *self,
                       const char      *sentence)
{
  hl_toast_say (self->toasts, sentence, NULL, HL_TOAST_SENTENCE_SECONDS);
}

/* What it was for may be gone since. */
void
hl_incoming_image_take_file (HlIncomingImage *self,
                             GFile           *file)
{
  if (self->other != NULL && self->other == hl_incoming_image_get_other (self->page))
    hl_live_model_set_pixels (self->other, file);
  else if (self->other == NULL && hl_document_page_takes_pixels (self->page))
    hl_document_page_set_pixels (self->page, file);
}

static void
save_texture (GTask        *task,
              gpointer      source,
              gpointer      texture,
              GCancellable *cancellable)
{
  GError *error = NULL;

  hl_worker_give_way ();
  g_autoptr (GBytes) bytes = gdk_texture_save_to_png_bytes (texture);
  g_autofree char *path = hl_image_store_dup_path ();
  GFile *file = hl_image_store_add (path, bytes, &error);

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
    hl_incoming_image_say (self, error->message);
  else
    hl_incoming_image_take_file (self, file);
}

/* Takes @self, and the image once it has a file. */
void
hl_incoming_image_take_texture (HlIncomingImage *self,
                                GdkTexture      *texture)
{
  if ((guint64) gdk_texture_get_width (texture) * (guint64) gdk_texture_get_height (texture) > HL_LIMIT_PICTURE_PIXELS)
    {
      hl_incoming_image_say (self, _ ("The image is too large"));
      hl_incoming_image_free (self);
      return;
    }
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_saved, self);
  g_task_set_source_tag (task, hl_incoming_image_take_texture);
  g_task_set_task_data (task, g_object_ref (texture), g_object_unref);
  g_task_run_in_thread (task, save_texture);
}
