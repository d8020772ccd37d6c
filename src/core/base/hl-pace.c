/* SPDX-License-Identifier: MIT */
/* How fast something is that takes long, in words: tokens a second, the memory of the program, and what is left. */
#include "core/base/hl-pace.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define STATUS "/proc/self/status"

/**
 * hl_pace_get_memory:
 *
 * Returns: bytes of memory that the program has for itself, beside the pages of files that it has mapped; 0 where the system does not tell
 */
guint64
hl_pace_get_memory (void)
{
  g_autofree char *status = NULL;

  if (!g_file_get_contents (STATUS, &status, NULL, NULL))
    return 0;
  const char *line = strstr (status, "\nRssAnon:");
  return line != NULL ? g_ascii_strtoull (line + strlen ("\nRssAnon:"), NULL, 10) * 1024 : 0;
}

static void
append (GString    *text,
        const char *part)
{
  if (text->len > 0)
    g_string_append (text, " · ");
  g_string_append (text, part);
}

static char *
dup_left (double seconds)
{
  if (seconds < 90)
    /* Translators: seconds until a computation is done */
    return g_strdup_printf (_ ("%.0f s left"), ceil (seconds));
  if (seconds < 90 * 60)
    /* Translators: minutes likewise */
    return g_strdup_printf (_ ("%.0f min left"), ceil (seconds / 60));
  /* Translators: hours likewise */
  return g_strdup_printf (_ ("%.0f h left"), ceil (seconds / 3600));
}

/**
 * hl_pace_describe:
 * @self: how fast a run is
 *
 * Returns: (transfer full): "38 tokens/s · 210.4 MB · 5 s left", translated
 */
char *
hl_pace_describe (const HlPace *self)
{
  GString *text = g_string_new (NULL);
  const double speed = (double) self->n_tokens * self->share / self->seconds;
  const guint64 memory = hl_pace_get_memory ();
  g_autofree char *left = dup_left (self->left);

  if (self->n_tokens > 0)
    {
      /* Translators: tokens that a model computes in a second */
      g_autofree char *part = g_strdup_printf (speed < 9.95 ? _ ("%.1f tokens/s") : _ ("%.0f tokens/s"), speed);
      append (text, part);
    }
  if (memory > 0)
    {
      g_autofree char *part = g_format_size (memory);
      append (text, part);
    }
  append (text, left);
  return g_string_free (text, FALSE);
}
