/* SPDX-License-Identifier: MIT */
/* Where the program begins. */
#include "config.h"

#include "app/base/hl-renderer.h"
#include "app/hl-application.h"
#include "core/base/file/hl-file-read.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <signal.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Heads and pictures come and go by the megabyte, in whatever worker is free. glibc would keep them for reuse, in a
 * heap for each thread; this gives them back. What GTK and a scene need for each frame, pictures of a whole window,
 * together stays: to have it cleared anew by the kernel took a third of a frame's time. */
static void
limit_heap (void)
{
#ifdef __GLIBC__
  mallopt (M_MMAP_THRESHOLD, 4 * 1024 * 1024);
  mallopt (M_TRIM_THRESHOLD, 8 * 1024 * 1024);
  mallopt (M_ARENA_MAX, 2);
#endif
}

int
main (int   argc,
      char *argv[])
{
  limit_heap ();
  /* A file that is not allowed to become as large is said to be so, as one for which there is no room. */
  signal (SIGXFSZ, SIG_IGN);
  hl_file_make_room ();
  hl_renderer_choose ();
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, HL_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  g_set_application_name (_ ("Headlight"));

  g_autoptr (HlApplication) application = hl_application_new ();
  const int status = g_application_run (G_APPLICATION (application), argc, argv);
  return status == 0 && hl_application_get_failed (application) ? 1 : status;
}
