/* SPDX-License-Identifier: MIT */
/* What kinds of files there are is read once. */
#include "config.h"

#include "app/base/hl-content-types.h"

#include <gio/gio.h>
#include <string.h>

static guint
count_maps (void)
{
  g_autofree char *text = NULL;
  guint n = 0;

  g_assert_true (g_file_get_contents ("/proc/self/maps", &text, NULL, NULL));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    if (g_str_has_suffix (*line, "/mime.cache"))
      n++;
  return n;
}

/* Guessed, described and guessed again. */
static void
test_once (void)
{
  hl_content_types_settle ();
  g_autofree char *type = g_content_type_guess ("a.json", NULL, 0, NULL);
  const guint n = count_maps ();
  if (n == 0)
    {
      g_test_skip ("there is no shared database of kinds of files");
      return;
    }
  g_autofree char *icon = g_content_type_get_generic_icon_name (type);
  g_autofree char *description = g_content_type_get_description (type);
  g_autofree char *other_type = g_content_type_guess ("b.png", NULL, 0, NULL);
  g_assert_cmpuint (count_maps (), ==, n);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/content-types/once", test_once);
  return g_test_run ();
}
