/* SPDX-License-Identifier: MIT */
/* What is open is kept in a file for each window. */
#include "panel-support.h"

#include "app/hl-application.h"
#include "app/session/hl-lost.h"
#include "app/window/hl-autosave.h"
#include "app/window/hl-window-open.h"
#include "core/test-dumps.h"

#include <glib/gstdio.h>

static char *windows_folder;

/* The folder of what is open, once the first window is kept there; NULL before. */
static char *
find_store (void)
{
  g_autoptr (GDir) folder = g_dir_open (windows_folder, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *window = g_build_filename (windows_folder, name, "window-1", NULL);
      if (g_file_test (window, G_FILE_TEST_EXISTS))
        return g_path_get_dirname (window);
    }
  return NULL;
}

/* The place of a folder, where something stands in its way. */
static const char *blocked;

static gboolean
check_tried (GSource *source)
{
  return !g_file_test (blocked, G_FILE_TEST_EXISTS);
}

static gboolean
prepare_tried (GSource *source,
               int     *timeout)
{
  *timeout = 1;
  return check_tried (source);
}

static gboolean
tell_tried (GSource    *source,
            GSourceFunc callback,
            gpointer    data)
{
  return callback (data);
}

static GSourceFuncs tried_funcs = { .prepare = prepare_tried, .check = check_tried, .dispatch = tell_tried };

static gboolean
set_tried (gpointer is_tried)
{
  *(gboolean *) is_tried = TRUE;
  return G_SOURCE_REMOVE;
}

/* Puts a file where @store was, and another where it would be made anew, so that nothing can be kept. Returns once that has been
 * tried: what a worker has to say of it is still to come. */
static void
fail_to_keep (const char *store)
{
  g_autofree char *id = g_path_get_basename (store);
  g_autofree char *unfinished = g_strdup_printf ("%s/.new-%s", windows_folder, id);
  g_autoptr (GSource) source = g_source_new (&tried_funcs, sizeof (GSource));
  gboolean is_tried = FALSE;

  test_remove_folder (store);
  g_assert_true (g_file_set_contents (store, "", 0, NULL) && g_file_set_contents (unfinished, "", 0, NULL));
  blocked = store;
  g_source_set_priority (source, G_PRIORITY_HIGH);
  g_source_set_callback (source, set_tried, &is_tried, NULL);
  g_source_attach (source, NULL);
  while (!is_tried)
    g_main_context_iteration (NULL, TRUE);
}

/* The program ends while what is open is being kept, and that fails. */
static void
test_failed_at_end (void)
{
  g_autoptr (HlApplication) application = hl_application_new ();
  GFile *file = test_get_file ("fixtures", "causal.h5");
  g_autofree char *store = NULL;
  g_autoptr (GError) error = NULL;

  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, &error));
  g_assert_no_error (error);
  HlWindow *window = hl_window_new (GTK_APPLICATION (application));
  hl_window_open_files (GTK_APPLICATION (application), window, &file, 1);
  g_object_unref (file);
  PANEL_WAIT_UNTIL (hl_window_get_page (window) != NULL &&
                    hl_document_page_get_session (hl_window_get_page (window)) != NULL);
  PANEL_WAIT_UNTIL ((store = store != NULL ? store : find_store ()) != NULL);
  HlDocumentPage *page = hl_window_get_page (window);
  hl_view_state_set_option (hl_session_get_view_state (hl_document_page_get_session (page)), view, HL_VIEW_HEATMAP);
  fail_to_keep (store);
  hl_autosave_end ();

  /* What was to be kept has its file until then. */
  file = hl_document_page_get_file (page);
  g_object_add_weak_pointer (G_OBJECT (file), (gpointer *) &file);
  gtk_window_destroy (GTK_WINDOW (window));
  PANEL_WAIT_UNTIL (file == NULL);
}

/* What a program that did not end by itself had open. */
static void
lose (HlSavedWindow *window)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSessionStore) store = hl_session_store_new (windows_folder, &error);

  g_assert_no_error (error);
  hl_session_store_save (store, 1, window, &error);
  g_assert_no_error (error);
}

/* A file that cannot be read when it is opened again, as one that is written just then, or is not there: it is offered by the next program. */
static void
test_unreadable (void)
{
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *short_path = g_build_filename (folder, "short.h5", NULL);
  g_autofree char *gone = g_build_filename (folder, "gone.h5", NULL);
  const char *const paths[] = { short_path, gone };
  g_autoptr (HlSavedWindow) saved = hl_saved_window_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (short_path, "\211HDF\r\n\032\n", -1, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      HlSavedSession *session = g_new0 (HlSavedSession, 1);
      session->file = g_file_new_for_path (paths[i]);
      hl_state_texts_set (&session->state, "view", "heatmap");
      hl_saved_window_add (saved, session, NULL);
    }
  lose (saved);
  g_autofree char *store = find_store ();

  g_autoptr (HlApplication) application = hl_application_new ();
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, &error));
  g_assert_no_error (error);
  HlWindow *window = hl_window_new (GTK_APPLICATION (application));
  PANEL_WAIT_UNTIL (hl_lost_get_n_tabs (hl_lost_get ()) == G_N_ELEMENTS (paths));
  hl_autosave_restore (window);
  g_assert_nonnull (hl_window_get_page (window));
  PANEL_WAIT_UNTIL (hl_window_get_page (window) == NULL && !g_file_test (store, G_FILE_TEST_EXISTS));
  hl_autosave_end ();
  gtk_window_destroy (GTK_WINDOW (window));

  g_autoptr (GPtrArray) lost = hl_session_store_find_lost (windows_folder);
  g_autoptr (GPtrArray) windows = hl_session_store_load (lost);
  guint n_tabs = 0;
  for (guint i = 0; i < windows->len; i++)
    {
      const HlSavedWindow *kept = windows->pdata[i];
      for (guint tab = 0; tab < kept->tabs->len; tab++, n_tabs++)
        g_assert_cmpstr (hl_state_texts_get (&((HlSavedTab *) kept->tabs->pdata[tab])->session->state, "view"), ==,
                         "heatmap");
    }
  g_assert_cmpuint (n_tabs, ==, G_N_ELEMENTS (paths));
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr (TestFolder) folder = test_make_folder ();

  windows_folder = g_build_filename (folder, "headlight", "windows", NULL);
  g_setenv ("XDG_STATE_HOME", folder, TRUE);
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_func ("/autosave/failed-at-end", test_failed_at_end);
  g_test_add_func ("/autosave/unreadable", test_unreadable);
  const int status = g_test_run ();
  g_free (windows_folder);
  return status;
}
