/* SPDX-License-Identifier: MIT */
/* Where the program begins. */
#include "config.h"

#include "app/base/hl-content-types.h"
#include "app/base/hl-heap.h"
#include "app/base/hl-renderer.h"
#include "app/hl-application.h"
#include "core/base/file/hl-file-read.h"
#include "core/base/file/hl-standard-streams.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <signal.h>

int
main (int   argc,
      char *argv[])
{
  hl_standard_streams_fill ();
  hl_heap_limit ();
  hl_content_types_settle ();
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
