/* SPDX-License-Identifier: MIT */
/* How far a download is. */
#include "core/model/hub/hl-hub-meter.h"

#include <glib/gi18n-lib.h>

/* Often enough to be seen moving, and to tell a rate that does not jump. */
#define SHOW_MICROSECONDS 100000
#define RATE_MICROSECONDS 1000000
/* What a new second weighs beside those before. */
#define NEWEST 0.3

void
hl_hub_meter_init (HlHubMeter *self,
                   HlProgress *progress,
                   guint64     total)
{
  *self = (HlHubMeter){ .progress = progress, .total = total, .since = g_get_monotonic_time () };
}

static char *
format_rest (double seconds)
{
  if (seconds < 100)
    return g_strdup_printf (_ ("%.0f s left"), seconds);
  if (seconds < 100 * 60)
    return g_strdup_printf (_ ("%.0f min left"), seconds / 60);
  return g_strdup_printf (_ ("%.0f h left"), seconds / 3600);
}

static void
show (HlHubMeter *self,
      gint64      now)
{
  g_autofree char *done = g_format_size (self->done), *total = g_format_size (self->total);
  g_autoptr (GString) text = g_string_new (NULL);

  /* Translators: bytes of a file that are there, of all; “12 MB of 90 MB” */
  g_string_append_printf (text, _ ("%s of %s"), done, total);
  if (self->rate >= 1)
    {
      g_autofree char *rate = g_format_size ((guint64) self->rate);
      g_autofree char *rest = format_rest ((double) (self->total - MIN (self->done, self->total)) / self->rate);
      /* Translators: bytes in a second; “12 MB/s” */
      g_autofree char *speed = g_strdup_printf (_ ("%s/s"), rate);
      g_string_append_printf (text, " · %s · %s", speed, rest);
    }
  hl_progress_set (self->progress, self->total > 0 ? (double) self->done / (double) self->total : 0, text->str);
  self->shown = now;
}

/* Adds bytes that are there now: those that have come just now count for the rate. */
void
hl_hub_meter_add (HlHubMeter *self,
                  guint64     bytes,
                  gboolean    received)
{
  const gint64 now = g_get_monotonic_time ();
  const gint64 passed = now - self->since;

  self->done += bytes;
  self->received += received ? bytes : 0;
  if (passed >= RATE_MICROSECONDS)
    {
      const double newest = (double) self->received / ((double) passed / G_USEC_PER_SEC);
      self->rate = self->rate > 0 ? NEWEST * newest + (1 - NEWEST) * self->rate : newest;
      self->received = 0;
      self->since = now;
    }
  if (now - self->shown >= SHOW_MICROSECONDS || self->done >= self->total)
    show (self, now);
}

/* Takes back bytes that turned out to be wrong. */
void
hl_hub_meter_remove (HlHubMeter *self,
                     guint64     bytes)
{
  self->done -= MIN (bytes, self->done);
}
