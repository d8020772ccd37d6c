/* SPDX-License-Identifier: MIT */
#include "draw/picture/hl-picture-view-job.h"

G_DEFINE_FINAL_TYPE (HlPictureViewJob, hl_picture_view_job, HL_TYPE_SCENE_JOB)

HlPictureViewImage *
hl_picture_view_image_new (HlImage *image,
                           gsize    width,
                           gsize    height)
{
  HlPictureViewImage *self = g_new0 (HlPictureViewImage, 1);

  self->image = hl_image_ref (image);
  self->width = width;
  self->height = height;
  return self;
}

void
hl_picture_view_image_free (HlPictureViewImage *self)
{
  hl_image_unref (self->image);
  g_clear_pointer (&self->surface, cairo_surface_destroy);
  g_free (self);
}

static cairo_surface_t *
make_surface (const HlImage *image)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) image->width, (int) image->height);

  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    {
      cairo_surface_destroy (surface);
      return NULL;
    }
  guint8 *data = cairo_image_surface_get_data (surface);
  const gsize stride = (gsize) cairo_image_surface_get_stride (surface);
  for (gsize row = 0; row < image->height; row++)
    {
      guint32 *to = (guint32 *) (gpointer) (data + row * stride);
      const guint8 *from = image->pixels + row * image->width * 3;
      for (gsize i = 0; i < image->width; i++, from += 3)
        to[i] = 0xff000000u | (guint32) from[0] << 16 | (guint32) from[1] << 8 | from[2];
    }
  cairo_surface_mark_dirty (surface);
  return surface;
}

static gboolean
hl_picture_view_job_run (HlSceneJob   *job,
                         GCancellable *cancellable,
                         GError      **error)
{
  HlPictureViewJob *self = HL_PICTURE_VIEW_JOB (job);

  for (guint i = 0; i < self->images->len; i++)
    {
      HlPictureViewImage *wanted = self->images->pdata[i];
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      g_autoptr (HlImage) scaled = hl_image_scale (wanted->image, wanted->height, wanted->width, error);
      if (scaled == NULL)
        return FALSE;
      wanted->surface = make_surface (scaled);
    }
  return TRUE;
}

static void
hl_picture_view_job_finalize (GObject *object)
{
  g_ptr_array_unref (HL_PICTURE_VIEW_JOB (object)->images);
  G_OBJECT_CLASS (hl_picture_view_job_parent_class)->finalize (object);
}

static void
hl_picture_view_job_class_init (HlPictureViewJobClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_picture_view_job_finalize;
  HL_SCENE_JOB_CLASS (klass)->run = hl_picture_view_job_run;
}

static void
hl_picture_view_job_init (HlPictureViewJob *self)
{
  self->images = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_picture_view_image_free);
}
