/* SPDX-License-Identifier: MIT */
/* Tabs that go: what is closed lets go of its file, and keys never end in what cannot be seen. */
#include "panel-support.h"

#include "app/base/hl-settings.h"
#include "app/base/hl-toast.h"
#include "app/hl-application.h"
#include "app/page/hl-texts-dialog.h"
#include "app/widgets/hl-waiting.h"
#include "app/window/hl-window-open.h"
#include "core/base/hl-limits.h"
#include "core/test-dumps.h"

#include <glib/gstdio.h>

static HlApplication *
create_application (void)
{
  HlApplication *application = hl_application_new ();
  g_autoptr (GError) error = NULL;

  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, &error));
  g_assert_no_error (error);
  return application;
}

/* The tab, once there is a picture in it. */
static HlDocumentPage *
open_fixture (HlWindow   *window,
              const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "fixtures", name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  hl_window_open_files (gtk_window_get_application (GTK_WINDOW (window)), window, &file, 1);
  PANEL_WAIT_UNTIL (hl_window_get_page (window) != NULL &&
                    g_file_equal (hl_document_page_get_file (hl_window_get_page (window)), file) &&
                    hl_document_page_get_session (hl_window_get_page (window)) != NULL);
  HlSceneView *view = hl_document_page_get_scene_view (hl_window_get_page (window));
  PANEL_WAIT_UNTIL (!hl_scene_view_get_busy (view));
  panel_wait (100);
  return hl_window_get_page (window);
}

/* Also where the tab below cannot take the focus over, so that it leaves the page once when that is hidden and once when it is removed. */
static void
test_closed (void)
{
  g_autoptr (HlApplication) application = create_application ();
  HlWindow *window = hl_window_new (GTK_APPLICATION (application));

  HlDocumentPage *below = open_fixture (window, "examples.h5");
  for (guint takes_focus = 0; takes_focus < 2; takes_focus++)
    {
      gtk_widget_set_can_focus (GTK_WIDGET (below), takes_focus);
      HlDocumentPage *page = open_fixture (window, "causal.h5");
      HlSession *session = hl_document_page_get_session (page);
      HlDocument *document = hl_session_get_document (session);
      HlAttention *attention = hl_view_state_get_attention (hl_session_get_view_state (session));
      HlSidePanel *panel = hl_document_page_get_side_panel (page);

      hl_document_page_focus_scene (page);
      g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (window)), GTK_WIDGET (page)));
      g_object_add_weak_pointer (G_OBJECT (session), (gpointer *) &session);
      g_object_add_weak_pointer (G_OBJECT (document), (gpointer *) &document);
      g_object_add_weak_pointer (G_OBJECT (attention), (gpointer *) &attention);
      g_object_add_weak_pointer (G_OBJECT (panel), (gpointer *) &panel);
      g_assert_true (hl_window_close_tab (window));
      PANEL_WAIT_UNTIL (session == NULL && document == NULL && attention == NULL && panel == NULL);
      g_assert_true (hl_window_get_page (window) == below);
    }
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
}

#define N_MANY 40
#define N_AT_ONCE 16

static guint
count_read (HlWindow  *window,
            GPtrArray *files)
{
  guint n = 0;

  for (guint i = 0; i < files->len; i++)
    {
      HlDocumentPage *page = hl_window_find_page (window, files->pdata[i]);
      n += page != NULL && hl_document_page_get_session (page) != NULL;
    }
  return n;
}

/* Of many files that come together the first is on top, the last are not read before somebody looks at them, and then are. */
static void
test_many (void)
{
  g_autoptr (HlApplication) application = create_application ();
  HlWindow *window = hl_window_new (GTK_APPLICATION (application));
  g_autofree char *folder = g_dir_make_tmp ("headlight-many-XXXXXX", NULL);
  g_autofree char *original = g_test_build_filename (G_TEST_DIST, "..", "fixtures", "causal.h5", NULL);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *bytes = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (original, &bytes, &size, NULL));
  for (guint i = 0; i < N_MANY; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%02u.h5", folder, i);
      /* The first cannot be read. */
      g_assert_true (g_file_set_contents (path, bytes, i == 0 ? 100 : (gssize) size, NULL));
      g_ptr_array_add (files, g_file_new_for_path (path));
    }
  hl_window_open_files (GTK_APPLICATION (application), window, (GFile **) files->pdata, N_MANY);
  HlDocumentPage *last = hl_window_find_page (window, files->pdata[N_MANY - 1]);
  HlDocumentPage *second = hl_window_find_page (window, files->pdata[1]);
  PANEL_WAIT_UNTIL (hl_window_get_page (window) == second && hl_document_page_get_session (second) != NULL);
  PANEL_WAIT_UNTIL (count_read (window, files) == N_AT_ONCE - 1);
  panel_wait (500);
  g_assert_cmpuint (count_read (window, files), ==, N_AT_ONCE - 1);
  g_assert_true (hl_document_page_get_put_off (last));
  hl_window_show_page (window, last);
  PANEL_WAIT_UNTIL (hl_window_get_page (window) == last && hl_document_page_get_session (last) != NULL);
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
  for (guint i = 0; i < N_MANY; i++)
    g_assert_true (g_file_delete (files->pdata[i], NULL, NULL));
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static guint
count_pages (HlWindow *window)
{
  g_autoptr (GListModel) pages = hl_window_create_pages (window);

  return g_list_model_get_n_items (pages);
}

/* Of pages whose files could not be read. */
typedef struct
{
  guint n;
  guint n_furnished;
  guint n_left; /* not freed yet */
  guint n_before_sleep;
} Failed;

static void
sleep_in_thread (GTask        *task,
                 gpointer      source,
                 gpointer      data,
                 GCancellable *cancellable)
{
  g_usleep (G_USEC_PER_SEC / 2);
  g_task_return_boolean (task, TRUE);
}

/* For some seconds, what is to be read waits. */
static void
keep_workers_busy (void)
{
  for (guint i = 0; i < 80; i++)
    {
      g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);
      g_task_run_in_thread (task, sleep_in_thread);
    }
}

static void
on_freed (gpointer data,
          GObject *page)
{
  ((Failed *) data)->n_left--;
}

static gboolean
on_failed (GSignalInvocationHint *hint,
           guint                  n_values,
           const GValue          *values,
           gpointer               data)
{
  GtkWidget *page = g_value_get_object (&values[0]);
  Failed *failed = data;

  failed->n_furnished += gtk_widget_get_first_child (page) != NULL;
  failed->n_left++;
  g_object_weak_ref (G_OBJECT (page), on_freed, failed);
  if (++failed->n == failed->n_before_sleep)
    keep_workers_busy ();
  return TRUE;
}

static gulong
watch_failed (Failed *failed)
{
  g_type_class_unref (g_type_class_ref (HL_TYPE_DOCUMENT_PAGE));
  return g_signal_add_emission_hook (g_signal_lookup ("failed", HL_TYPE_DOCUMENT_PAGE), 0, on_failed, failed, NULL);
}

static GFile *
get_gone (guint i)
{
  g_autofree char *path = g_strdup_printf ("/nowhere/%u.h5", i);

  return g_file_new_for_path (path);
}

static gboolean
says_something (HlWindow *window)
{
  g_autoptr (GPtrArray) toasts = g_ptr_array_new ();

  panel_find_all (GTK_WIDGET (hl_window_get_toasts (window)), "AdwToastWidget", toasts);
  return toasts->len > 0;
}

#define N_GONE 50

/* Tabs that are opened again and whose files are gone cost no widgets, and go at once. */
static void
test_gone (void)
{
  g_autoptr (HlApplication) application = create_application ();
  HlWindow *window = hl_window_new (GTK_APPLICATION (application));
  HlSavedWindow *saved = hl_saved_window_new ();
  Failed failed = { 0 };
  const gulong hook = watch_failed (&failed);

  for (guint i = 0; i < N_GONE; i++)
    {
      HlSavedSession *session = g_new0 (HlSavedSession, 1);
      session->file = get_gone (i);
      hl_saved_window_add (saved, session, NULL);
    }
  saved->selected = N_GONE - 1;
  gtk_window_present (GTK_WINDOW (window));
  PANEL_WAIT_UNTIL (gtk_widget_get_mapped (GTK_WIDGET (window)));
  hl_window_open_saved (window, saved);
  PANEL_WAIT_UNTIL (failed.n == N_GONE && failed.n_left == 0);
  g_assert_cmpuint (failed.n_furnished, ==, 0);
  g_assert_cmpuint (count_pages (window), ==, 0);
  g_assert_null (hl_window_get_page (window));
  /* The last is told of where nothing is open, and nothing over that of one before. */
  PANEL_WAIT_UNTIL (!says_something (window));

  hl_saved_window_free (saved);
  g_signal_remove_emission_hook (g_signal_lookup ("failed", HL_TYPE_DOCUMENT_PAGE), hook);
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
}

/* Of many files that a program begins with, only the first is seen before it is known that it is gone. One that takes long behind them is
 * seen with how far it is. */
static void
test_gone_first (void)
{
  g_autoptr (HlApplication) application = create_application ();
  HlWindow *window = hl_window_new (GTK_APPLICATION (application));
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "fixtures", "causal.h5", NULL);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  Failed failed = { .n_before_sleep = N_GONE };
  const gulong hook = watch_failed (&failed);

  for (guint i = 0; i < N_GONE; i++)
    g_ptr_array_add (files, get_gone (i));
  g_ptr_array_add (files, g_file_new_for_path (path));
  hl_window_open_files (GTK_APPLICATION (application), window, (GFile **) files->pdata, files->len);
  PANEL_WAIT_UNTIL (failed.n == N_GONE);
  g_assert_cmpuint (failed.n_furnished, ==, 1);
  HlDocumentPage *page = hl_window_find_page (window, files->pdata[N_GONE]);
  g_assert_nonnull (page);
  PANEL_WAIT_UNTIL (hl_window_get_page (window) == page);
  g_assert_true (hl_document_page_get_loading (page));
  GtkWidget *loading = panel_get_child (GTK_WIDGET (page), "loading_page");
  g_assert_true (gtk_widget_get_mapped (loading));
  g_assert_true (gtk_revealer_get_reveal_child (GTK_REVEALER (panel_get_child (loading, "revealer"))));
  PANEL_WAIT_UNTIL (hl_document_page_get_session (page) != NULL && failed.n_left == 0);
  g_assert_true (hl_window_get_page (window) == page);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (hl_document_page_get_scene_view (page))));

  g_signal_remove_emission_hook (g_signal_lookup ("failed", HL_TYPE_DOCUMENT_PAGE), hook);
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
}

static guint
count_questions (void)
{
  GListModel *windows = gtk_window_get_toplevels ();
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);
      n += ADW_IS_MESSAGE_DIALOG (window) && gtk_widget_get_visible (GTK_WIDGET (window));
    }
  return n;
}

/* Sessions whose files are gone: where one is, is asked, and of the others it is said that they are not there. */
static void
test_gone_sessions (void)
{
  g_autoptr (HlApplication) application = create_application ();
  HlWindow *window = hl_window_new (GTK_APPLICATION (application));
  g_autofree char *folder = test_make_folder ();
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  Failed failed = { 0 };
  const gulong hook = watch_failed (&failed);

  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.headlight", i), *path = g_build_filename (folder, name, NULL);
      g_autofree char *text =
        g_strdup_printf ("{\"format\": \"headlight-session\", \"version\": 1, \"uri\": \"file:///nowhere/%u.h5\"}", i);

      g_assert_true (g_file_set_contents (path, text, -1, NULL));
      g_ptr_array_add (files, g_file_new_for_path (path));
    }
  gtk_window_present (GTK_WINDOW (window));
  hl_window_open_files (GTK_APPLICATION (application), window, (GFile **) files->pdata, files->len);
  PANEL_WAIT_UNTIL (failed.n == files->len);
  g_assert_cmpuint (count_questions (), ==, 1);

  g_signal_remove_emission_hook (g_signal_lookup ("failed", HL_TYPE_DOCUMENT_PAGE), hook);
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
  test_remove_folder (folder);
}

/* As many as can be opened at once, and one past that. */
static void
test_too_many (void)
{
  g_autoptr (HlApplication) application = create_application ();

  for (guint past = 0; past < 2; past++)
    {
      HlWindow *window = hl_window_new (GTK_APPLICATION (application));
      g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);

      for (guint i = 0; i < HL_LIMIT_FILES_AT_ONCE + past; i++)
        g_ptr_array_add (files, get_gone (i));
      hl_window_open_files (GTK_APPLICATION (application), window, (GFile **) files->pdata, files->len);
      g_assert_cmpuint (count_pages (window), ==, HL_LIMIT_FILES_AT_ONCE);
      g_assert_true (hl_toast_says (hl_window_get_toasts (window),
                                    "1 more file is not opened: at most 200 can be opened at once") == (past > 0));
      gtk_window_destroy (GTK_WINDOW (window));
      panel_wait (100);
    }
}

static GtkWidget *
find_menu_button (GtkWidget *widget)
{
  if (GTK_IS_MENU_BUTTON (widget) && gtk_widget_get_mapped (widget))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_menu_button (child);
      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
shows_panel (HlWindow *window)
{
  gboolean shows;

  g_object_get (window, "panel-visible", &shows, NULL);
  return shows;
}

/* A panel that comes over a scene without room beside it, and goes again, is none that somebody chose, or chose to do without. */
static void
test_covered (void)
{
  g_autoptr (HlApplication) application = create_application ();
  g_autoptr (GSettings) settings = hl_settings_new ();
  HlWindow *window = hl_window_new (GTK_APPLICATION (application));

  gtk_window_set_default_size (GTK_WINDOW (window), 700, 500);
  g_settings_set_boolean (settings, "panel-visible", TRUE);
  HlPagePanels *panels = hl_document_page_get_panels (open_fixture (window, "causal.h5"));
  g_assert_false (hl_window_get_narrow (window));
  PANEL_WAIT_UNTIL (hl_page_panels_cover (panels, HL_PAGE_PANEL_SIDE) && !shows_panel (window));
  for (guint i = 1; i <= 2; i++)
    {
      hl_window_choose_panel (window, HL_PAGE_PANEL_SIDE, i == 1);
      g_assert_cmpint (hl_page_panels_get_visible (panels, HL_PAGE_PANEL_SIDE), ==, i == 1);
      g_assert_true (g_settings_get_boolean (settings, "panel-visible"));
    }
  /* Another has room for it. */
  g_assert_false (hl_page_panels_cover (panels, HL_PAGE_PANEL_SIDEBAR));
  for (guint i = 1; i <= 2; i++)
    {
      hl_window_choose_panel (window, HL_PAGE_PANEL_SIDEBAR, i == 2);
      g_assert_cmpint (g_settings_get_boolean (settings, "sidebar-visible"), ==, i == 2);
    }
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
}

/* Another tab comes on top while a menu is open. */
static void
test_menu (void)
{
  g_autoptr (HlApplication) application = create_application ();
  HlWindow *window = hl_window_new (GTK_APPLICATION (application));

  open_fixture (window, "examples.h5");
  HlDocumentPage *page = open_fixture (window, "causal.h5");
  g_object_set (window, "panel-visible", TRUE, NULL);
  hl_side_panel_set_shows_heads (hl_document_page_get_side_panel (page), TRUE);
  panel_wait (100);
  GtkWidget *button = find_menu_button (GTK_WIDGET (hl_document_page_get_side_panel (page)));
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  GtkWidget *menu = GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (button)));
  PANEL_WAIT_UNTIL (gtk_widget_get_mapped (menu) &&
                    gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (window)), menu));

  open_fixture (window, "examples.h5");
  PANEL_WAIT_UNTIL (!gtk_widget_get_mapped (menu));
  open_fixture (window, "causal.h5");
  g_assert_true (hl_window_get_page (window) == page);
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (window));
  g_assert_true (focus == NULL || gtk_widget_get_mapped (focus));
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
}

static GtkWindow *
find_texts_dialog (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);
      if (HL_IS_TEXTS_DIALOG (window))
        return window;
    }
  return NULL;
}

/* A tab goes to another window, and its own ends: the dialog of several texts, open or closed, has gone along. */
static void
test_moved (void)
{
  g_autoptr (HlApplication) application = create_application ();

  for (guint is_open = 0; is_open < 2; is_open++)
    {
      HlWindow *window = hl_window_new (GTK_APPLICATION (application));
      HlWindow *other = hl_window_new (GTK_APPLICATION (application));
      AdwTabView *tabs = ADW_TAB_VIEW (panel_get_child (GTK_WIDGET (window), "tab_view"));

      HlDocumentPage *page = open_fixture (window, "causal.h5");
      g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.several-texts", NULL));
      GtkWindow *dialog = find_texts_dialog ();
      g_assert_true (gtk_window_get_transient_for (dialog) == GTK_WINDOW (window));
      if (!is_open)
        gtk_window_close (dialog);
      adw_tab_view_transfer_page (tabs, adw_tab_view_get_page (tabs, GTK_WIDGET (page)),
                                  ADW_TAB_VIEW (panel_get_child (GTK_WIDGET (other), "tab_view")), 0);
      g_assert_true (gtk_window_get_transient_for (dialog) == GTK_WINDOW (other));
      g_object_add_weak_pointer (G_OBJECT (window), (gpointer *) &window);
      gtk_window_destroy (GTK_WINDOW (window));
      PANEL_WAIT_UNTIL (window == NULL);
      g_assert_true (find_texts_dialog () == dialog);
      g_assert_true (gtk_widget_activate_action (GTK_WIDGET (other), "win.several-texts", NULL));
      g_assert_true (gtk_widget_get_visible (GTK_WIDGET (dialog)));
      gtk_window_destroy (GTK_WINDOW (other));
      PANEL_WAIT_UNTIL (find_texts_dialog () == NULL);
    }
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_func ("/tabs/closed", test_closed);
  g_test_add_func ("/tabs/many", test_many);
  g_test_add_func ("/tabs/gone", test_gone);
  g_test_add_func ("/tabs/gone-first", test_gone_first);
  g_test_add_func ("/tabs/gone-sessions", test_gone_sessions);
  g_test_add_func ("/tabs/too-many", test_too_many);
  g_test_add_func ("/tabs/covered", test_covered);
  g_test_add_func ("/tabs/menu", test_menu);
  g_test_add_func ("/tabs/moved", test_moved);
  return g_test_run ();
}
