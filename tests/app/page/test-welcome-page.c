/* SPDX-License-Identifier: MIT */
/* The list of what was opened last, whatever files are called. GTK complains of a label that may be cut, and has less text than “…”. */
#include "panel-support.h"

#include "app/base/hl-recent.h"
#include "app/page/hl-welcome-page.h"
#include "core/test-dumps.h"

#include <string.h>

static gboolean
is_first (GtkWidget  *page,
          const char *name)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();

  panel_find_all (panel_get_child (page, "recent_list"), "AdwActionRow", rows);
  return rows->len > 0 && strcmp (adw_preferences_row_get_title (rows->pdata[0]), name) == 0;
}

static void
test_names (void)
{
  static const char *const names[] = {
    "a", "i", "1", "-", "ii", "iii", "llllllll", "a longer name that may be cut.h5"
  };
  g_autofree char *folder = test_make_folder ();
  GtkWidget *page = g_object_new (HL_TYPE_WELCOME_PAGE, NULL);
  GtkWidget *window = panel_show (page, 360, 640);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);
      g_autoptr (GFile) file = g_file_new_for_path (path);

      g_assert_true (g_file_set_contents (path, "", 0, NULL));
      hl_recent_add (file, FALSE);
      PANEL_WAIT_UNTIL (is_first (page, names[i]));
      panel_wait (50);
    }
  gtk_window_destroy (GTK_WINDOW (window));
  test_remove_folder (folder);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *data = test_make_folder ();
  int status;

  /* Where the list is kept. */
  g_setenv ("XDG_DATA_HOME", data, TRUE);
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  /* What is to be added to the list has the program stay until it is. */
  g_autoptr (GApplication) application = g_application_new (NULL, G_APPLICATION_NON_UNIQUE);
  g_application_set_default (application);

  g_test_add_func ("/welcome-page/names", test_names);
  status = g_test_run ();
  test_remove_folder (data);
  return status;
}
