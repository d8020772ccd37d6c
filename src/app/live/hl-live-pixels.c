/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/live/hl-live-pixels.h"

struct _HlLivePixels
{
  GObject parent_instance;

  GFile *file; /* NULL where texts count */
  GFileMonitor *monitor;
  HlImage *thumbnail; /* of the image that was read last */
  GFile *good;        /* what a run was made of last; NULL where that was of texts */
};

enum
{
  WRITTEN,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlLivePixels, hl_live_pixels, G_TYPE_OBJECT)

static void
hl_live_pixels_dispose (GObject *object)
{
  hl_live_pixels_close (HL_LIVE_PIXELS (object));
  G_OBJECT_CLASS (hl_live_pixels_parent_class)->dispose (object);
}

static void
hl_live_pixels_class_init (HlLivePixelsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_live_pixels_dispose;

  /* Somebody has written to the file. */
  signals[WRITTEN] =
    g_signal_new ("written", HL_TYPE_LIVE_PIXELS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hl_live_pixels_init (HlLivePixels *self)
{
}

HlLivePixels *
hl_live_pixels_new (void)
{
  return g_object_new (HL_TYPE_LIVE_PIXELS, NULL);
}

static void
unwatch (HlLivePixels *self)
{
  if (self->monitor == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->monitor, self);
  g_file_monitor_cancel (self->monitor);
  g_clear_object (&self->monitor);
}

static void
on_file_changed (HlLivePixels     *self,
                 GFile            *file,
                 GFile            *other,
                 GFileMonitorEvent event)
{
  if (event == G_FILE_MONITOR_EVENT_CHANGES_DONE_HINT || event == G_FILE_MONITOR_EVENT_CREATED ||
      event == G_FILE_MONITOR_EVENT_RENAMED)
    g_signal_emit (self, signals[WRITTEN], 0);
}

/* @file: (nullable). Returns whether it is another. */
gboolean
hl_live_pixels_set_file (HlLivePixels *self,
                         GFile        *file)
{
  g_return_val_if_fail (HL_IS_LIVE_PIXELS (self), FALSE);

  if (!g_set_object (&self->file, file))
    return FALSE;
  unwatch (self);
  self->monitor = file != NULL ? g_file_monitor_file (file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL) : NULL;
  if (self->monitor != NULL)
    g_signal_connect_swapped (self->monitor, "changed", G_CALLBACK (on_file_changed), self);
  if (file == NULL)
    g_clear_pointer (&self->thumbnail, hl_image_unref);
  return TRUE;
}

GFile *
hl_live_pixels_get_file (HlLivePixels *self)
{
  g_return_val_if_fail (HL_IS_LIVE_PIXELS (self), NULL);

  return self->file;
}

/* A run was made of them, or with %NULL of texts. */
void
hl_live_pixels_keep (HlLivePixels *self,
                     GFile        *file,
                     HlImage      *thumbnail)
{
  g_return_if_fail (HL_IS_LIVE_PIXELS (self));

  g_set_object (&self->good, file);
  g_clear_pointer (&self->thumbnail, hl_image_unref);
  self->thumbnail = thumbnail != NULL ? hl_image_ref (thumbnail) : NULL;
}

/* Those that a run was made of last. */
GFile *
hl_live_pixels_get_good (HlLivePixels *self)
{
  g_return_val_if_fail (HL_IS_LIVE_PIXELS (self), NULL);

  return self->good;
}

/* Returns a small one of the image, once it was read; NULL of texts and arrays. */
HlImage *
hl_live_pixels_get_thumbnail (HlLivePixels *self)
{
  g_return_val_if_fail (HL_IS_LIVE_PIXELS (self), NULL);

  return self->thumbnail;
}

/* There are none any more, and nothing follows. */
void
hl_live_pixels_close (HlLivePixels *self)
{
  g_return_if_fail (HL_IS_LIVE_PIXELS (self));

  unwatch (self);
  g_clear_object (&self->file);
  g_clear_object (&self->good);
  g_clear_pointer (&self->thumbnail, hl_image_unref);
}
