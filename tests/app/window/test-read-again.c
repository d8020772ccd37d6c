/* SPDX-License-Identifier: MIT */
/* What is read otherwise of a file that is open is of the file as it was: where that was replaced, it is still said. */
#include "panel-support.h"

#include "app/hl-application.h"
#include "app/reading/hl-axes-dialog.h"
#include "app/window/hl-compare-dialog.h"
#include "app/window/hl-window-open.h"
#include "core/test-dumps.h"

typedef struct
{
  HlApplication *application;
  HlWindow *window;
  char *folder;
  char *path;
  GFile *file;
} Fixture;

/* Puts another file in the place of the one that is open. */
static void
replace (Fixture    *self,
         const char *name)
{
  g_autoptr (GFile) source = test_get_file ("fixtures", name);
  g_autofree char *bytes = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (g_file_peek_path (source), &bytes, &size, NULL));
  g_assert_true (g_file_set_contents (self->path, bytes, (gssize) size, NULL));
}

static void
set_up (Fixture      *self,
        gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  self->application = hl_application_new ();
  g_application_set_flags (G_APPLICATION (self->application), G_APPLICATION_NON_UNIQUE);
  g_assert_true (g_application_register (G_APPLICATION (self->application), NULL, &error));
  g_assert_no_error (error);
  self->window = hl_window_new (GTK_APPLICATION (self->application));
  self->folder = test_make_folder ();
  self->path = g_build_filename (self->folder, "dump.h5", NULL);
  self->file = g_file_new_for_path (self->path);
  replace (self, "causal.h5");
}

static void
tear_down (Fixture      *self,
           gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (self->window));
  panel_wait (100);
  test_remove_folder (self->folder);
  g_object_unref (self->application);
  g_object_unref (self->file);
  g_free (self->path);
  g_free (self->folder);
}

static HlSession *
get_session (Fixture *self)
{
  HlDocumentPage *page = hl_window_get_page (self->window);

  return page != NULL && !hl_document_page_get_loading (page) ? hl_document_page_get_session (page) : NULL;
}

static gboolean
is_changed (Fixture *self)
{
  return get_session (self) != NULL &&
         hl_file_watch_get_state (hl_session_get_watch (get_session (self))) == HL_FILE_CHANGED;
}

static void
open_file (Fixture *self)
{
  hl_window_open_files (GTK_APPLICATION (self->application), self->window, &self->file, 1);
  PANEL_WAIT_UNTIL (get_session (self) != NULL);
}

static gboolean
is_softmax (HlSession *session)
{
  const HlOpenOptions *options = hl_document_get_options (hl_session_get_document (session));

  return options != NULL && options->softmax;
}

static GtkWidget *
find_dialog (GType type)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
      if (G_TYPE_CHECK_INSTANCE_TYPE (window, type))
        return window;
    }
  return NULL;
}

static GtkWidget *
wait_for_dialog (void)
{
  GtkWidget *dialog = find_dialog (HL_TYPE_AXES_DIALOG);

  g_assert_nonnull (dialog);
  GtkStack *stack = GTK_STACK (panel_get_child (dialog, "stack"));
  PANEL_WAIT_UNTIL (g_strcmp0 (gtk_stack_get_visible_child_name (stack), "choice") == 0);
  return dialog;
}

static void
test_axes (Fixture      *self,
           gconstpointer data)
{
  open_file (self);
  g_autoptr (HlSession) before = g_object_ref (get_session (self));
  replace (self, "examples.h5");
  PANEL_WAIT_UNTIL (is_changed (self));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (self->window), "win.axes", NULL));
  g_signal_emit_by_name (panel_get_child (wait_for_dialog (), "apply_button"), "clicked");
  PANEL_WAIT_UNTIL (get_session (self) != NULL && get_session (self) != before);
  PANEL_WAIT_UNTIL (is_changed (self));
}

/* A file of which the dialog reads as it was when the dialog came. */
static void
test_axes_of (Fixture      *self,
              gconstpointer data)
{
  g_autofree char *uri = g_file_get_uri (self->file);

  gtk_window_present (GTK_WINDOW (self->window));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (self->window), "win.axes-of", "s", uri));
  GtkWidget *dialog = wait_for_dialog ();
  replace (self, "examples.h5");
  g_signal_emit_by_name (panel_get_child (dialog, "apply_button"), "clicked");
  PANEL_WAIT_UNTIL (get_session (self) != NULL);
  PANEL_WAIT_UNTIL (is_changed (self));
}

static void
test_softmax (Fixture      *self,
              gconstpointer data)
{
  open_file (self);
  replace (self, "examples.h5");
  PANEL_WAIT_UNTIL (is_changed (self));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (self->window), "win.softmax", NULL));
  PANEL_WAIT_UNTIL (get_session (self) != NULL && is_softmax (get_session (self)));
  PANEL_WAIT_UNTIL (is_changed (self));
}

/* While the file is read anew, nothing comes of what was read of it before. */
static void
test_reload (Fixture      *self,
             gconstpointer data)
{
  open_file (self);
  g_autoptr (HlSession) before = g_object_ref (get_session (self));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (self->window), "win.softmax", NULL));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (self->window), "win.reload", NULL));
  PANEL_WAIT_UNTIL (get_session (self) != NULL && get_session (self) != before);
  g_assert_false (is_softmax (get_session (self)));
}

static gboolean
is_focus_in (Fixture        *self,
             HlDocumentPage *page)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->window));

  return focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (page));
}

static HlDocumentPage *
open_other (Fixture *self)
{
  g_autoptr (GFile) file = test_get_file ("fixtures", "examples.h5");
  HlDocumentPage *before = hl_window_get_page (self->window);

  hl_window_open_files (GTK_APPLICATION (self->application), self->window, &file, 1);
  PANEL_WAIT_UNTIL (hl_window_get_page (self->window) != before && get_session (self) != NULL);
  return hl_window_get_page (self->window);
}

/* A tab that is read again stays below the one that somebody went to meanwhile, and the keyboard is there. */
static void
test_below (Fixture      *self,
            gconstpointer data)
{
  open_file (self);
  HlDocumentPage *page = hl_window_get_page (self->window), *other = open_other (self);
  g_autoptr (HlSession) before = g_object_ref (hl_document_page_get_session (page));

  hl_window_show_page (self->window, page);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (self->window), "win.reload", NULL));
  hl_window_show_page (self->window, other);
  hl_document_page_focus_scene (other);
  PANEL_WAIT_UNTIL (hl_document_page_get_session (page) != before);
  g_assert_true (hl_window_get_page (self->window) == other);
  g_assert_true (is_focus_in (self, other));
}

/* So does one that takes long to be read for the first time, once it was seen; the keyboard goes to its picture when it is on top
 * again. */
static void
test_left (Fixture      *self,
           gconstpointer data)
{
  HlDocumentPage *other = open_other (self);
  HlDocumentPage *page = hl_window_add_page (self->window, self->file);

  hl_window_load_page (self->window, page);
  hl_window_show_page (self->window, page);
  hl_window_show_page (self->window, other);
  hl_document_page_focus_scene (other);
  PANEL_WAIT_UNTIL (hl_document_page_get_session (page) != NULL);
  g_assert_true (hl_window_get_page (self->window) == other);
  g_assert_true (is_focus_in (self, other));
  hl_window_show_page (self->window, page);
  PANEL_WAIT_UNTIL (gtk_window_get_focus (GTK_WINDOW (self->window)) ==
                    GTK_WIDGET (hl_document_page_get_scene_view (page)));
}

/* Whoever is in a panel stays there; who pressed a button of what is said over the picture goes on in the picture. */
static void
test_keyboard (Fixture      *self,
               gconstpointer data)
{
  open_file (self);
  HlDocumentPage *page = hl_window_get_page (self->window);
  GtkWidget *panel = GTK_WIDGET (hl_document_page_get_side_panel (page));
  GtkWidget *button = panel_get_child (panel_get_child (GTK_WIDGET (page), "banner"), "action_button");

  g_object_set (self->window, "panel-visible", TRUE, NULL);
  PANEL_WAIT_UNTIL (gtk_widget_get_mapped (panel) && gtk_widget_child_focus (panel, GTK_DIR_TAB_FORWARD));
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->window));
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (HlSession) before = g_object_ref (get_session (self));
      g_assert_true (gtk_widget_activate_action (GTK_WIDGET (self->window), "win.reload", NULL));
      PANEL_WAIT_UNTIL (get_session (self) != NULL && get_session (self) != before);
      g_assert_true (gtk_window_get_focus (GTK_WINDOW (self->window)) == focus);
      if (i > 0)
        return;
      replace (self, "examples.h5");
      PANEL_WAIT_UNTIL (gtk_widget_get_mapped (button));
      g_assert_true (gtk_widget_grab_focus (button));
      focus = GTK_WIDGET (hl_document_page_get_scene_view (page));
    }
}

/* What can be compared with a file was asked of it as it was: the question goes with that, and with the tab. */
static void
test_compare (Fixture      *self,
              gconstpointer data)
{
  static const char *const actions[] = { "win.reload", "win.close-tab" };

  open_file (self);
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      PANEL_WAIT_UNTIL (get_session (self) != NULL);
      g_assert_true (gtk_widget_activate_action (GTK_WIDGET (self->window), "win.compare", NULL));
      g_assert_nonnull (find_dialog (HL_TYPE_COMPARE_DIALOG));
      g_assert_true (gtk_widget_activate_action (GTK_WIDGET (self->window), actions[i], NULL));
      PANEL_WAIT_UNTIL (find_dialog (HL_TYPE_COMPARE_DIALOG) == NULL);
    }
}

static HlCompareView *
get_compare_view (Fixture *self)
{
  return hl_document_page_get_compare_view (hl_window_get_page (self->window));
}

/* Compares the tab with another file. Returns the second side. */
static HlSession *
begin_beside (Fixture *self)
{
  g_autoptr (GFile) file = test_get_file ("fixtures", "examples.h5");
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (HlSession) other = hl_session_new (document, &error);
  g_assert_no_error (error);
  hl_compare_view_start (get_compare_view (self), other, &(HlHeadPairing){ -1, -1 });
  return other;
}

static void
wait_for_next (Fixture   *self,
               HlSession *before)
{
  PANEL_WAIT_UNTIL (get_session (self) != NULL && get_session (self) != before);
}

/* A comparison that is begun, changed or stopped while the file is read again is so afterwards. */
static void
test_beside_meanwhile (Fixture      *self,
                       gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  open_file (self);
  HlCompareView *view = get_compare_view (self);
  g_autoptr (HlSession) first = g_object_ref (get_session (self));

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (self->window), "win.reload", NULL));
  HlSession *other = begin_beside (self);
  wait_for_next (self, first);
  g_assert_true (hl_compare_view_get_other (view) == other);

  g_autoptr (HlSession) second = g_object_ref (get_session (self));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (self->window), "win.reload", NULL));
  hl_compare_view_set_difference (view, TRUE);
  hl_sides_set_pairing (hl_compare_view_get_sides (view), &(HlHeadPairing){ 1, 1 });
  wait_for_next (self, second);
  g_assert_true (hl_compare_view_get_difference (view));
  g_assert_cmpint (hl_sides_get_pairing (hl_compare_view_get_sides (view))->head, ==, 1);
  /* That was read again as well. */
  g_assert_true (hl_compare_view_get_other (view) != other);

  g_autoptr (HlSession) third = g_object_ref (get_session (self));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (self->window), "win.reload", NULL));
  hl_compare_view_stop (view);
  wait_for_next (self, third);
  g_assert_false (hl_compare_view_get_active (view));

  /* Also one of which the second side is still read. */
  g_autoptr (HlDocument) document = hl_document_load (self->file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (HlSession) fourth = g_object_ref (get_session (self));
  hl_document_page_show (hl_window_get_page (self->window), document, NULL);
  hl_compare_view_open (view, self->file, NULL);
  wait_for_next (self, fourth);
  PANEL_WAIT_UNTIL (hl_compare_view_get_other (view) != NULL);
}

/* Read otherwise, it still is compared: with another file, or with its own heads, which are those of what is shown. */
static void
test_beside_otherwise (Fixture      *self,
                       gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  open_file (self);
  HlCompareView *view = get_compare_view (self);
  for (guint is_own = 0; is_own < 2; is_own++)
    {
      g_autoptr (HlSession) before = g_object_ref (get_session (self));
      HlSession *other = begin_beside (self);
      if (is_own)
        {
          other = hl_session_new (hl_session_get_document (before), &error);
          g_assert_no_error (error);
          hl_compare_view_start (view, other, &(HlHeadPairing){ -1, 1 });
          g_object_unref (other);
        }
      g_autoptr (HlDocument) document = hl_document_load (self->file, NULL, NULL, &error);
      g_assert_no_error (error);
      hl_document_page_show (hl_window_get_page (self->window), document, NULL);
      wait_for_next (self, before);
      g_assert_true (hl_compare_view_get_active (view));
      if (!is_own)
        g_assert_true (hl_compare_view_get_other (view) == other);
      else
        {
          g_assert_true (hl_session_get_document (hl_compare_view_get_other (view)) ==
                         hl_session_get_document (get_session (self)));
          g_assert_cmpint (hl_sides_get_pairing (hl_compare_view_get_sides (view))->head, ==, 1);
        }
    }
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add ("/read-again/axes", Fixture, NULL, set_up, test_axes, tear_down);
  g_test_add ("/read-again/axes-of", Fixture, NULL, set_up, test_axes_of, tear_down);
  g_test_add ("/read-again/softmax", Fixture, NULL, set_up, test_softmax, tear_down);
  g_test_add ("/read-again/reload", Fixture, NULL, set_up, test_reload, tear_down);
  g_test_add ("/read-again/below", Fixture, NULL, set_up, test_below, tear_down);
  g_test_add ("/read-again/left", Fixture, NULL, set_up, test_left, tear_down);
  g_test_add ("/read-again/keyboard", Fixture, NULL, set_up, test_keyboard, tear_down);
  g_test_add ("/read-again/compare", Fixture, NULL, set_up, test_compare, tear_down);
  g_test_add ("/read-again/beside-meanwhile", Fixture, NULL, set_up, test_beside_meanwhile, tear_down);
  g_test_add ("/read-again/beside-otherwise", Fixture, NULL, set_up, test_beside_otherwise, tear_down);
  return g_test_run ();
}
