/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/base/hl-content-types.h"

#include <gio/gio.h>

/* Says where the kinds of files are described. GLib 2.74 guesses that until somebody asks, then takes the same file by another name for a
 * changed one: it reads it once more, and some seconds later, in the midst of what a worker of GTK's file chooser asks, lets go of what
 * it had, which was a crash once in a long while. To be called before threads begin. */
void
hl_content_types_settle (void)
{
  g_content_type_get_mime_dirs ();
}
