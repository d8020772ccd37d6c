/* SPDX-License-Identifier: MIT */
/* A tab from file to picture: it opens, opens again as it was looked at, says what is wrong, stops when told, and leaves nothing. */
#include "model-support.h"
#include "panel-support.h"

#include "app/canvas/hl-figure.h"
#include "app/commands/hl-commands-text.h"
#include "app/page/hl-document-page.h"
#include "app/page/hl-texts-dialog.h"
#include "app/widgets/hl-waiting.h"
#include "app/window/hl-compare-dialog.h"
#include "draw/page/hl-page.h"

#include <glib/gstdio.h>

static HlDocumentPage *
create_page (const char *folder,
             const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return g_object_ref_sink (HL_DOCUMENT_PAGE (hl_document_page_new (file)));
}

static void
count (guint *n)
{
  (*n)++;
}

static void
keep_message (HlDocumentPage *page,
              const GError   *error,
              char          **message)
{
  g_assert_null (*message);
  *message = g_strdup (error->message);
}

static HlSceneView *
wait_for_picture (HlDocumentPage *page)
{
  HlSceneView *view = hl_document_page_get_scene_view (page);

  PANEL_WAIT_UNTIL (hl_document_page_get_session (page) != NULL);
  PANEL_WAIT_UNTIL (hl_scene_view_get_scene (view) != NULL && !hl_scene_view_get_busy (view));
  panel_wait (100);
  return view;
}

/* What was exported as a page is opened again in the view and with the heads that were seen, and says of which model they are. */
static void
test_page (gconstpointer data)
{
  const HlViewKind view = GPOINTER_TO_INT (data);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("headlight-page-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, "seen.html", NULL);
  g_autofree char *sample =
    g_test_build_filename (G_TEST_DIST, "..", "..", "data", "samples", "minilm-time-flies.h5", NULL);
  g_autoptr (GFile) source = g_file_new_for_path (sample);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autoptr (HlDocument) document = hl_document_load (source, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, &error);
  g_autoptr (HlViewState) state = hl_view_state_new (example);

  hl_view_state_set_option (state, view, view);
  hl_view_state_go_to (state, 3, 8);
  hl_view_state_toggle_head_of (state, 3, 1);
  hl_view_state_toggle_head_of (state, 3, 2);
  hl_view_state_toggle_head_of (state, 5, 11);
  g_autoptr (GBytes) bytes = hl_page_make (state, NULL, hl_document_get_model (document), NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_replace_contents (target, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), NULL, FALSE,
                                          0, NULL, NULL, &error));

  HlDocumentPage *page = g_object_ref_sink (HL_DOCUMENT_PAGE (hl_document_page_new (target)));
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);
  hl_document_page_load (page);
  wait_for_picture (page);
  HlSession *session = hl_document_page_get_session (page);
  g_assert_cmpstr (hl_document_get_model (hl_session_get_document (session)), ==, "all-MiniLM-L6-v2");
  HlViewState *again = hl_session_get_view_state (session);
  g_assert_cmpint (hl_view_state_get_options (again)->view, ==, view);
  g_assert_cmpuint (hl_view_state_get_layer (again), ==, 3);
  g_assert_cmpuint (hl_view_state_get_shown (again)->head, ==, hl_view_state_get_shown (state)->head);
  /* A heatmap is of one. */
  g_assert_true (view == HL_VIEW_HEATMAP || hl_head_selection_same_heads (hl_view_state_get_selection (again),
                                                                          hl_view_state_get_selection (state)));
  hl_document_page_close (page);
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (page);
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_open (void)
{
  HlDocumentPage *page = create_page ("fixtures", "sentence-pair.h5");
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);
  guint n_ready = 0, n_finished = 0;

  g_signal_connect_swapped (page, "ready", G_CALLBACK (count), &n_ready);
  g_signal_connect_swapped (hl_document_page_get_scene_view (page), "finished", G_CALLBACK (count), &n_finished);
  hl_document_page_load (page);
  g_assert_true (hl_document_page_get_loading (page));
  HlSceneView *view = wait_for_picture (page);
  g_assert_cmpuint (n_ready, ==, 1);
  PANEL_WAIT_UNTIL (n_finished >= 1);
  g_assert_null (hl_scene_view_get_error (view));
  g_assert_false (hl_document_page_get_loading (page));

  /* Tab and window go, and with them all that was read. */
  HlSession *session = g_object_ref (hl_document_page_get_session (page));
  HlScene *scene = g_object_ref (hl_scene_view_get_scene (view));
  hl_document_page_close (page);
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
  g_assert_finalize_object (scene);
  g_assert_finalize_object (session);
  g_assert_finalize_object (page);
}

static void
test_reload (void)
{
  HlDocumentPage *page = create_page ("fixtures", "sentence-pair.h5");
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);

  hl_document_page_load (page);
  wait_for_picture (page);
  HlSession *before = g_object_ref (hl_document_page_get_session (page));
  HlViewState *state = hl_session_get_view_state (before);
  const HlPick pin = { HL_PICK_QUERY, .query = 2 };
  hl_view_state_go_to (state, 1, 1);
  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  hl_view_state_set_option (state, threshold, 0.25);
  hl_view_state_set_option (state, sentences, HL_SENTENCES_A_TO_B);
  hl_view_state_set_pinned (state, &pin);

  hl_document_page_load (page);
  g_assert_true (hl_document_page_get_session (page) == before);
  PANEL_WAIT_UNTIL (!hl_document_page_get_loading (page));
  g_assert_true (hl_document_page_get_session (page) != before);
  state = hl_session_get_view_state (hl_document_page_get_session (page));
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 1);
  g_assert_cmpuint (hl_view_state_get_head (state), ==, 1);
  g_assert_cmpint (hl_view_state_get_options (state)->view, ==, HL_VIEW_HEATMAP);
  g_assert_cmpfloat (hl_view_state_get_options (state)->threshold, ==, 0.25);
  g_assert_cmpint (hl_view_state_get_options (state)->sentences, ==, HL_SENTENCES_A_TO_B);
  g_assert_true (hl_pick_equal (hl_view_state_get_pinned (state), &pin));

  /* What still reads for it lets go of it. */
  g_object_add_weak_pointer (G_OBJECT (before), (gpointer *) &before);
  g_object_unref (before);
  PANEL_WAIT_UNTIL (before == NULL);
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_add_weak_pointer (G_OBJECT (page), (gpointer *) &page);
  g_object_unref (page);
  PANEL_WAIT_UNTIL (page == NULL);
}

static void
copy_fixture (const char *name,
              const char *path)
{
  g_autofree char *bytes = NULL;
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "..", "fixtures", name, NULL);
  gsize size;

  g_assert_true (g_file_get_contents (source, &bytes, &size, NULL));
  g_assert_true (g_file_set_contents (path, bytes, (gssize) size, NULL));
}

/* Returns the session in place of the one before. */
static HlSession *
wait_for_other (HlDocumentPage *page,
                HlSession      *before)
{
  PANEL_WAIT_UNTIL (!hl_document_page_get_loading (page) && hl_document_page_get_session (page) != before);
  return hl_document_page_get_session (page);
}

static void
assert_looked_at (HlSession  *session,
                  guint       example,
                  const char *hidden,
                  HlPickKind  pinned)
{
  HlViewState *state = hl_session_get_view_state (session);
  g_autoptr (HlExample) expected = hl_document_get_example (hl_session_get_document (session), example, NULL, NULL);
  g_autofree char *found = hl_view_state_dup_hidden (state);

  g_assert_cmpuint (hl_session_get_example_index (session), ==, example);
  g_assert_cmpstr (hl_example_get_text (hl_view_state_get_example (state)), ==, hl_example_get_text (expected));
  g_assert_cmpstr (found, ==, hidden);
  g_assert_cmpint (hl_view_state_get_pinned (state)->kind, ==, pinned);
}

/* Of several examples, the one that was looked at is there again, and what was hidden in it; nothing is where it is gone. */
static void
test_reload_example (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("headlight-page-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, "dump.h5", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  HlDocumentPage *page = g_object_ref_sink (HL_DOCUMENT_PAGE (hl_document_page_new (file)));
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);
  const HlPick pin = { HL_PICK_QUERY, .query = 3 };

  copy_fixture ("examples.h5", path);
  hl_document_page_load (page);
  wait_for_picture (page);
  HlSession *session = hl_document_page_get_session (page);
  hl_session_set_example_index (session, 2);
  PANEL_WAIT_UNTIL (!hl_session_get_busy (session));
  hl_view_state_set_hidden (hl_session_get_view_state (session), "1-2");
  hl_view_state_set_pinned (hl_session_get_view_state (session), &pin);
  assert_looked_at (session, 2, "1-2", HL_PICK_QUERY);

  hl_document_page_load (page);
  session = wait_for_other (page, session);
  assert_looked_at (session, 2, "1-2", HL_PICK_QUERY);

  /* Read elsewhere, it is that too. */
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  g_assert_no_error (error);
  hl_document_page_show (page, document, NULL);
  session = wait_for_other (page, session);
  g_assert_true (hl_session_get_document (session) == document);
  assert_looked_at (session, 2, "1-2", HL_PICK_QUERY);

  copy_fixture ("causal.h5", path);
  hl_document_page_load (page);
  session = wait_for_other (page, session);
  assert_looked_at (session, 0, "", HL_PICK_NONE);

  hl_document_page_close (page);
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
  g_assert_finalize_object (page);
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_failed (void)
{
  HlDocumentPage *page = create_page ("malformed", "rank-1.h5");
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);
  g_autofree char *message = NULL;

  g_signal_connect (page, "failed", G_CALLBACK (keep_message), &message);
  hl_document_page_load (page);
  PANEL_WAIT_UNTIL (message != NULL);
  g_assert_nonnull (strstr (message, "attention"));
  g_assert_null (hl_document_page_get_session (page));
  g_assert_false (hl_document_page_get_loading (page));
  gtk_window_destroy (GTK_WINDOW (window));
  g_assert_finalize_object (page);
}

/* What was closed or cancelled while it was read says nothing any more. */
static void
test_cancel (void)
{
  HlDocumentPage *page = create_page ("fixtures", "sentence-pair.h5");
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);
  guint n_ready = 0, n_cancelled = 0;
  g_autofree char *message = NULL;

  g_signal_connect_swapped (page, "ready", G_CALLBACK (count), &n_ready);
  g_signal_connect_swapped (page, "cancelled", G_CALLBACK (count), &n_cancelled);
  g_signal_connect (page, "failed", G_CALLBACK (keep_message), &message);
  hl_document_page_furnish (page);
  hl_document_page_load (page);
  g_signal_emit_by_name (panel_get_child (GTK_WIDGET (page), "loading_page"), "cancelled");
  g_assert_cmpuint (n_cancelled, ==, 1);
  g_assert_false (hl_document_page_get_loading (page));
  hl_document_page_load (page);
  hl_document_page_close (page);
  panel_wait (300);
  g_assert_cmpuint (n_ready, ==, 0);
  g_assert_null (message);
  gtk_window_destroy (GTK_WINDOW (window));
  g_assert_finalize_object (page);
}

/* What is typed while a file is read does not cancel that: the keyboard comes to the button when it is moved there. */
static void
test_cancel_focus (void)
{
  HlDocumentPage *page = create_page ("fixtures", "sentence-pair.h5");
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);
  hl_document_page_furnish (page);
  GtkWidget *loading = panel_get_child (GTK_WIDGET (page), "loading_page");
  g_autoptr (HlProgress) progress = hl_progress_new ();

  hl_loading_page_start (HL_LOADING_PAGE (loading), "a file", progress);
  panel_wait (800);
  gtk_window_set_focus (GTK_WINDOW (window), NULL);
  gtk_widget_child_focus (window, GTK_DIR_TAB_FORWARD);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) == loading);
  gtk_widget_child_focus (window, GTK_DIR_TAB_FORWARD);
  g_assert_true (GTK_IS_BUTTON (gtk_window_get_focus (GTK_WINDOW (window))));
  hl_loading_page_stop (HL_LOADING_PAGE (loading));
  gtk_window_destroy (GTK_WINDOW (window));
  g_assert_finalize_object (page);
}

typedef struct
{
  GBytes *bytes;
  gboolean done;
} Made;

static void
on_made (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  Made *made = data;
  g_autoptr (GError) error = NULL;

  made->bytes = hl_figure_make_finish (HL_FIGURE (source), result, NULL, &error);
  g_assert_no_error (error);
  made->done = TRUE;
}

static GBytes *
make (HlFigure *figure)
{
  const HlExportOptions options = { .format = HL_EXPORT_PNG, .scale = 2 };
  Made made = { NULL, FALSE };

  hl_figure_make_async (figure, &options, NULL, NULL, on_made, &made);
  PANEL_WAIT_UNTIL (made.done);
  return made.bytes;
}

/* A figure is what was seen when it was taken: with the pin, without the pointer, and whatever the screen does since. */
static void
test_figure (void)
{
  HlDocumentPage *page = create_page ("fixtures", "sentence-pair.h5");
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);
  const HlPick query = { HL_PICK_QUERY, .query = 1 };
  const HlPick key = { HL_PICK_KEY, .key = 3 };
  g_autoptr (GError) error = NULL;

  hl_document_page_load (page);
  HlScene *scene = hl_scene_view_get_scene (wait_for_picture (page));
  HlViewState *state = hl_scene_get_state (scene);
  g_autoptr (HlFigure) plain = hl_figure_new (scene, 320, 240, FALSE, FALSE);
  hl_view_state_set_hovered (state, &query);
  g_autoptr (HlFigure) hovered = hl_figure_new (scene, 320, 240, FALSE, FALSE);
  hl_view_state_set_pinned (state, &key);
  g_autoptr (HlFigure) pinned = hl_figure_new (scene, 320, 240, FALSE, FALSE);
  hl_view_state_go_to (state, 1, 1);

  g_autoptr (GBytes) plain_bytes = make (plain);
  g_autoptr (GBytes) hovered_bytes = make (hovered);
  g_autoptr (GBytes) pinned_bytes = make (pinned);
  g_assert_true (g_bytes_equal (plain_bytes, hovered_bytes));
  g_assert_false (g_bytes_equal (plain_bytes, pinned_bytes));
  g_autoptr (GdkTexture) texture = gdk_texture_new_from_bytes (plain_bytes, &error);
  g_assert_no_error (error);
  g_assert_cmpint (gdk_texture_get_width (texture), ==, 640);
  g_assert_cmpint (gdk_texture_get_height (texture), ==, 480);
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
  g_assert_finalize_object (page);
}

/* The folder of a model has a bar to type in; a file has none. All of it goes with the tab, also in the midst of a run. */
static void
test_model (void)
{
  GFile *folder = model_folder_new ("bert");
  HlDocumentPage *page = g_object_ref_sink (HL_DOCUMENT_PAGE (hl_document_page_new (folder)));
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);

  hl_document_page_load (page);
  HlSceneView *view = wait_for_picture (page);
  g_assert_null (hl_scene_view_get_error (view));
  GtkWidget *bar = panel_get_child (GTK_WIDGET (page), "text_bar");
  g_assert_true (gtk_widget_get_visible (bar));
  hl_document_page_focus (page);
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (window));
  g_assert_true (GTK_IS_TEXT_VIEW (focus));
  g_assert_true (gtk_widget_is_ancestor (focus, bar));

  /* What is typed where the example was selected. */
  HlSession *session = g_object_ref (hl_document_page_get_session (page));
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (focus));
  gtk_text_buffer_delete_selection (buffer, TRUE, TRUE);
  gtk_text_buffer_insert_at_cursor (buffer, "w1 w2 w3", -1);
  HlViewState *state = hl_session_get_view_state (session);
  PANEL_WAIT_UNTIL (g_str_equal (hl_example_get_text (hl_view_state_get_example (state)), "w1 w2 w3"));

  HlLiveModel *live = g_object_ref (hl_session_get_live (session));
  hl_live_model_set_texts (live, "w4", "");
  hl_live_model_run (live);
  hl_document_page_close (page);
  g_assert_false (gtk_widget_get_visible (bar));
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
  g_assert_finalize_object (session);
  g_assert_finalize_object (live);
  g_assert_finalize_object (page);
  model_folder_remove (folder);
}

static GtkTextBuffer *
get_buffer (HlTextBar *bar)
{
  GtkWidget *field = panel_get_child (GTK_WIDGET (bar), "text");

  return gtk_text_view_get_buffer (GTK_TEXT_VIEW (panel_get_child (field, "view")));
}

/* What stands in a bar is what is shown. */
static void
assert_typed (HlTextBar  *bar,
              HlSession  *session,
              const char *typed)
{
  HlViewState *state = hl_session_get_view_state (session);
  GtkTextBuffer *buffer = get_buffer (bar);
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  g_autofree char *text = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  g_assert_cmpstr (text, ==, typed);
  PANEL_WAIT_UNTIL (g_strcmp0 (hl_example_get_text (hl_view_state_get_example (state)), typed) == 0);
}

/* What is typed while the model is read once more stays, and is what is shown then; of what is compared too. */
static void
test_typed_meanwhile (void)
{
  GFile *folder = model_folder_new ("bert");
  HlDocumentPage *page = g_object_ref_sink (HL_DOCUMENT_PAGE (hl_document_page_new (folder)));
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);
  HlCompareView *view = hl_document_page_get_compare_view (page);

  hl_document_page_load (page);
  wait_for_picture (page);
  for (guint compared = 0; compared < 2; compared++)
    {
      HlSession *session = hl_document_page_get_session (page);
      g_autofree char *typed = NULL, *typed_beside = NULL;

      if (compared)
        hl_compare_view_open (view, folder, session);
      PANEL_WAIT_UNTIL (!compared || hl_compare_view_get_other (view) != NULL);
      hl_document_page_load (page);
      for (guint i = 0; hl_document_page_get_loading (page); i++)
        {
          g_free (typed);
          g_free (typed_beside);
          typed = g_strdup_printf ("w1 w%u w%u", i % 50, i / 50 % 50);
          typed_beside = g_strdup_printf ("w2 w%u w%u", i % 50, i / 50 % 50);
          gtk_text_buffer_set_text (get_buffer (hl_document_page_get_text_bar (page)), typed, -1);
          if (compared)
            gtk_text_buffer_set_text (get_buffer (hl_compare_view_get_text_bar (view)), typed_beside, -1);
          panel_wait (1);
        }
      g_assert_true (hl_document_page_get_session (page) != session);
      assert_typed (hl_document_page_get_text_bar (page), hl_document_page_get_session (page), typed);
      if (compared)
        assert_typed (hl_compare_view_get_text_bar (view), hl_compare_view_get_other (view), typed_beside);
    }
  hl_document_page_close (page);
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
  g_object_unref (page);
  model_folder_remove (folder);
}

static void
wait_for_adapter (HlSession *session,
                  GFile     *shown)
{
  HlLiveModel *live = hl_session_get_live (session);

  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
  g_assert_true (g_file_equal (hl_document_get_file (hl_session_get_document (session)), shown));
}

/* The same text with an adapter and without, whichever is first; what is read again is so too, and the adapter can be switched on. */
static void
test_adapter_again (void)
{
  GFile *base = model_folder_new ("llama");
  GFile *adapter = adapter_folder_new (base);
  HlDocumentPage *page = g_object_ref_sink (HL_DOCUMENT_PAGE (hl_document_page_new (adapter)));
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);
  HlCompareView *view = hl_document_page_get_compare_view (page);

  hl_document_page_load (page);
  wait_for_picture (page);
  for (guint bare = 0; bare < 2; bare++)
    {
      HlSession *before = hl_document_page_get_session (page);
      GFile *const shown[] = { bare ? base : adapter, bare ? adapter : base };

      hl_live_model_set_adapter (hl_session_get_live (before), !bare);
      wait_for_adapter (before, shown[0]);
      hl_compare_view_open_counterpart (view);
      PANEL_WAIT_UNTIL (hl_compare_view_get_other (view) != NULL);
      wait_for_adapter (hl_compare_view_get_other (view), shown[1]);
      /* Both read texts as the adapter does. */
      g_assert_true (g_file_equal (hl_session_get_file (hl_compare_view_get_other (view)), adapter));
      hl_document_page_load (page);
      PANEL_WAIT_UNTIL (!hl_document_page_get_loading (page));
      HlSession *again = hl_document_page_get_session (page);
      g_assert_true (again != before && hl_compare_view_get_other (view) != NULL);
      wait_for_adapter (again, shown[0]);
      wait_for_adapter (hl_compare_view_get_other (view), shown[1]);
      g_assert_cmpint (hl_live_model_is_bare (hl_session_get_live (again)), ==, bare);
      g_assert_true (g_file_equal (hl_document_page_get_file (page), adapter));
      hl_compare_view_stop (view);
    }
  hl_live_model_set_adapter (hl_session_get_live (hl_document_page_get_session (page)), TRUE);
  wait_for_adapter (hl_document_page_get_session (page), adapter);
  hl_document_page_close (page);
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
  g_object_unref (page);
  adapter_folder_remove (adapter);
  model_folder_remove (base);
}

static gboolean
shows_adapter (HlTextBar *bar)
{
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (panel_get_child (GTK_WIDGET (bar), "adapter")));
}

/* Each side of a comparison has its own adapter, and the button for it. */
static void
test_adapter_of_side (void)
{
  GFile *base = model_folder_new ("llama");
  GFile *adapter = adapter_folder_new (base);
  HlDocumentPage *page = g_object_ref_sink (HL_DOCUMENT_PAGE (hl_document_page_new (adapter)));
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);
  HlCompareView *view = hl_document_page_get_compare_view (page);

  hl_document_page_load (page);
  wait_for_picture (page);
  HlSession *session = hl_document_page_get_session (page);
  hl_compare_view_open (view, adapter, session);
  PANEL_WAIT_UNTIL (hl_compare_view_get_other (view) != NULL);
  HlSession *other = hl_compare_view_get_other (view);
  HlTextBar *const bars[] = { hl_document_page_get_text_bar (page), hl_compare_view_get_text_bar (view) };
  wait_for_adapter (other, adapter);
  g_assert_true (shows_adapter (bars[0]) && shows_adapter (bars[1]));
  g_signal_emit_by_name (panel_get_child (GTK_WIDGET (bars[1]), "adapter"), "clicked");
  PANEL_WAIT_UNTIL (!hl_live_model_get_adapter (hl_session_get_live (other)));
  wait_for_adapter (other, base);
  wait_for_adapter (session, adapter);
  g_assert_true (shows_adapter (bars[0]) && !shows_adapter (bars[1]));
  hl_live_model_set_adapter (hl_session_get_live (session), FALSE);
  hl_live_model_set_adapter (hl_session_get_live (other), TRUE);
  wait_for_adapter (session, base);
  wait_for_adapter (other, adapter);
  g_assert_true (!shows_adapter (bars[0]) && shows_adapter (bars[1]));
  hl_document_page_close (page);
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
  g_object_unref (page);
  adapter_folder_remove (adapter);
  model_folder_remove (base);
}

static const char *
get_text (HlSession *session)
{
  return hl_example_get_text (hl_view_state_get_example (hl_session_get_view_state (session)));
}

static HlSession *
wait_for_beside (HlCompareView *view,
                 GFile         *shown)
{
  PANEL_WAIT_UNTIL (hl_compare_view_get_other (view) != NULL);
  HlSession *other = hl_compare_view_get_other (view);
  wait_for_adapter (other, shown);
  return other;
}

/* An adapter whose change was stopped is as it is seen: beside it stands the other of the two, of the same text. */
static void
test_adapter_stopped (void)
{
  GFile *base = model_folder_new ("llama");
  GFile *adapter = adapter_folder_new (base);
  HlDocumentPage *page = g_object_ref_sink (HL_DOCUMENT_PAGE (hl_document_page_new (adapter)));
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);
  HlCompareView *view = hl_document_page_get_compare_view (page);
  g_autoptr (GListStore) pages = g_list_store_new (HL_TYPE_DOCUMENT_PAGE);

  hl_document_page_load (page);
  wait_for_picture (page);
  HlSession *session = hl_document_page_get_session (page);
  HlLiveModel *live = hl_session_get_live (session);
  /* Another text, which is kept. */
  hl_compare_view_open (view, adapter, session);
  HlSession *other = wait_for_beside (view, adapter);
  hl_live_model_set_texts (hl_session_get_live (other), "w5 w6", "");
  hl_live_model_run (hl_session_get_live (other));
  wait_for_adapter (other, adapter);
  hl_compare_view_stop (view);

  hl_live_model_set_adapter (live, FALSE);
  hl_live_model_stop (live);
  wait_for_adapter (session, adapter);
  GtkWidget *dialog = hl_compare_dialog_new (page, G_LIST_MODEL (pages));
  GtkWidget *row = panel_get_child (dialog, "adapter_row");
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), ==,
                   "The Same Text, _without the Adapter");
  g_signal_emit_by_name (row, "activated");
  g_assert_cmpstr (get_text (wait_for_beside (view, base)), ==, get_text (session));
  hl_compare_view_stop (view);
  hl_compare_view_open (view, adapter, session);
  wait_for_beside (view, adapter);
  hl_compare_view_stop (view);

  /* One that is still computed is what will be seen. */
  hl_live_model_set_adapter (live, TRUE);
  wait_for_adapter (session, adapter);
  hl_live_model_set_adapter (live, FALSE);
  hl_compare_view_open_counterpart (view);
  g_assert_cmpstr (get_text (wait_for_beside (view, adapter)), ==, get_text (session));
  wait_for_adapter (session, base);
  hl_document_page_close (page);
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
  g_object_unref (page);
  adapter_folder_remove (adapter);
  model_folder_remove (base);
}

/* Of a document that is compared with itself, one side looks whether its file changes: where an adapter is off, the document is of another than was
 * opened. */
static void
test_watched_once (void)
{
  HlDocumentPage *page = create_page ("fixtures", "causal.h5");
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);
  g_autoptr (GListStore) pages = g_list_store_new (HL_TYPE_DOCUMENT_PAGE);

  hl_document_page_load (page);
  wait_for_picture (page);
  GtkWidget *dialog = hl_compare_dialog_new (page, G_LIST_MODEL (pages));
  g_signal_emit_by_name (panel_get_child (dialog, "head_row"), "activated");
  HlSession *other = hl_compare_view_get_other (hl_document_page_get_compare_view (page));
  g_assert_nonnull (other);
  g_assert_null (hl_session_get_watch (other));
  g_assert_nonnull (hl_session_get_watch (hl_document_page_get_session (page)));
  hl_document_page_close (page);
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
  g_object_unref (page);
}

/* A second side that is there when another tab is on top leaves the keyboard there. */
static void
test_beside_unseen (void)
{
  GFile *folder = model_folder_new ("bert");
  HlDocumentPage *page = g_object_ref_sink (HL_DOCUMENT_PAGE (hl_document_page_new (folder)));
  GtkWidget *stack = gtk_stack_new (), *entry = gtk_entry_new ();
  HlCompareView *view = hl_document_page_get_compare_view (page);

  gtk_stack_add_child (GTK_STACK (stack), GTK_WIDGET (page));
  gtk_stack_add_child (GTK_STACK (stack), entry);
  GtkWidget *window = panel_show (stack, 900, 600);
  hl_document_page_load (page);
  wait_for_picture (page);
  for (guint unseen = 0; unseen < 2; unseen++)
    {
      hl_compare_view_open (view, folder, hl_document_page_get_session (page));
      if (unseen)
        {
          gtk_stack_set_visible_child (GTK_STACK (stack), entry);
          gtk_widget_grab_focus (entry);
        }
      PANEL_WAIT_UNTIL (hl_compare_view_get_other (view) != NULL);
      GtkWidget *place = unseen ? entry : GTK_WIDGET (hl_compare_view_get_text_bar (view));
      g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (window)), place));
      hl_compare_view_stop (view);
    }
  hl_document_page_close (page);
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
  g_object_unref (page);
  model_folder_remove (folder);
}

/* What is opened to stand beside it does so, also where a newer text is there before. */
static void
test_typed_before_beside (void)
{
  GFile *folder = model_folder_new ("bert"), *second = model_folder_new ("bert");
  HlDocumentPage *page = g_object_ref_sink (HL_DOCUMENT_PAGE (hl_document_page_new (folder)));
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);
  HlCompareView *view = hl_document_page_get_compare_view (page);
  GtkStack *stack = GTK_STACK (panel_get_child (GTK_WIDGET (view), "other_stack"));
  g_autoptr (GError) error = NULL;

  hl_document_page_load (page);
  wait_for_picture (page);
  HlSession *session = hl_document_page_get_session (page);
  g_autoptr (HlSession) again = hl_session_new (hl_session_get_document (session), &error);
  g_assert_no_error (error);
  hl_compare_view_start (view, again, &(HlHeadPairing){ 0, 1 });
  hl_live_model_set_texts (hl_session_get_live (session), "w5 w6", "");
  hl_live_model_run (hl_session_get_live (session));
  hl_compare_view_open (view, second, NULL);
  PANEL_WAIT_UNTIL (g_strcmp0 (get_text (session), "w5 w6") == 0);
  PANEL_WAIT_UNTIL (g_str_equal (gtk_stack_get_visible_child_name (stack), "scene"));
  g_assert_true (g_file_equal (hl_session_get_file (hl_compare_view_get_other (view)), second));
  hl_document_page_close (page);
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
  g_object_unref (page);
  model_folder_remove (folder);
  model_folder_remove (second);
}

/* What a tab showed before is not kept for the dialog of several texts, which goes on with what is read again, seen or not. */
static void
test_texts_dialog (void)
{
  GFile *folder = model_folder_new ("bert");
  HlDocumentPage *page = g_object_ref_sink (HL_DOCUMENT_PAGE (hl_document_page_new (folder)));
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);
  HlCommandSubject on = { .page = page };
  GtkWidget *dialog = NULL;

  hl_document_page_load (page);
  wait_for_picture (page);
  on.session = hl_document_page_get_session (page);
  hl_command_take_several_texts (&on);
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  for (GList *each = windows; each != NULL; each = each->next)
    if (HL_IS_TEXTS_DIALOG (each->data))
      dialog = each->data;
  g_assert_nonnull (dialog);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (panel_get_child (dialog, "text_view")));
  gtk_text_buffer_set_text (buffer, "w3 w4", -1);
  for (guint seen = 0; seen < 2; seen++)
    {
      HlSession *before = g_object_ref (hl_document_page_get_session (page));

      gtk_widget_set_visible (dialog, seen == 1);
      hl_document_page_load (page);
      wait_for_other (page, before);
      wait_for_picture (page);
      panel_wait (100);
      g_assert_finalize_object (before);
      g_assert_cmpint (gtk_widget_get_visible (dialog), ==, seen == 1);
      g_assert_cmpint (gtk_text_buffer_get_char_count (buffer), ==, 5);
    }
  g_object_add_weak_pointer (G_OBJECT (dialog), (gpointer *) &dialog);
  hl_document_page_close (page);
  PANEL_WAIT_UNTIL (dialog == NULL);
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
  g_assert_finalize_object (page);
  model_folder_remove (folder);
}

/* Escape stops a model that writes, and otherwise is left to others. */
static void
test_stop_writing (void)
{
  GFile *folder = model_folder_new ("gemma3");
  HlDocumentPage *page = g_object_ref_sink (HL_DOCUMENT_PAGE (hl_document_page_new (folder)));
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);
  const HlGenerationOptions options = { .max_tokens = 100000, .temperature = 3, .seed = 5 };

  hl_document_page_load (page);
  wait_for_picture (page);
  HlLiveModel *live = hl_session_get_live (hl_document_page_get_session (page));
  g_assert_false (panel_press (GTK_WIDGET (page), GDK_KEY_Escape, 0));
  hl_live_model_write (live, &options);
  g_assert_true (hl_live_model_get_writing (live));
  g_assert_true (panel_press (GTK_WIDGET (page), GDK_KEY_Escape, 0));
  PANEL_WAIT_UNTIL (!hl_live_model_get_writing (live));
  g_assert_null (hl_live_model_get_error (live));
  hl_document_page_close (page);
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
  g_assert_finalize_object (page);
  model_folder_remove (folder);
}

/* What Alt and a letter leads to, of what can be seen; popovers are for themselves. */
static void
collect_mnemonics (GtkWidget *widget,
                   GPtrArray *labels)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget) &&
      gtk_label_get_mnemonic_keyval (GTK_LABEL (widget)) != GDK_KEY_VoidSymbol)
    g_ptr_array_add (labels, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (!GTK_IS_NATIVE (child))
      collect_mnemonics (child, labels);
}

/* Returns how many there are. */
static guint
assert_mnemonics (HlDocumentPage *page,
                  const char     *what)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();
  g_autoptr (GHashTable) taken = g_hash_table_new (NULL, NULL);

  /* Those of the header over it: Open and Export. */
  g_hash_table_insert (taken, GUINT_TO_POINTER (GDK_KEY_o), (gpointer) "_Open");
  g_hash_table_insert (taken, GUINT_TO_POINTER (GDK_KEY_e), (gpointer) "_Export…");
  collect_mnemonics (GTK_WIDGET (page), labels);
  for (guint i = 0; i < labels->len; i++)
    {
      const char *label = gtk_label_get_label (labels->pdata[i]);
      const guint key = gdk_keyval_to_lower (gtk_label_get_mnemonic_keyval (labels->pdata[i]));
      const char *other = g_hash_table_lookup (taken, GUINT_TO_POINTER (key));
      if (other != NULL)
        g_error ("%s: “%s” and “%s” share a letter", what, other, label);
      g_hash_table_insert (taken, GUINT_TO_POINTER (key), (gpointer) label);
    }
  return labels->len;
}

static void
assert_mnemonics_of_views (HlDocumentPage *page)
{
  HlViewState *state = hl_session_get_view_state (hl_document_page_get_session (page));

  for (HlViewKind kind = 0; kind < HL_N_VIEW_KINDS; kind++)
    {
      hl_view_state_set_option (state, view, kind);
      panel_wait (100);
      g_assert_cmpuint (assert_mnemonics (page, hl_view_kind_get_traits (kind)->nick), >=, 3);
    }
  hl_view_state_set_option (state, view, HL_VIEW_MODEL);
  hl_view_state_set_option (state, thumbnails, HL_THUMBNAIL_HEATMAP);
  panel_wait (100);
  assert_mnemonics (page, "model view of heatmaps");
  hl_view_state_set_option (state, view, HL_VIEW_HEAD_VIEW);
}

/* Alt and a letter leads to one thing, whatever the window shows. */
static void
test_mnemonics (void)
{
  HlDocumentPage *page = create_page ("fixtures", "sentence-pair.h5");
  GtkWidget *window = panel_show (GTK_WIDGET (page), 1280, 1100);

  hl_document_page_load (page);
  wait_for_picture (page);
  assert_mnemonics_of_views (page);
  hl_token_search_open (hl_document_page_get_token_search (page));
  assert_mnemonics_of_views (page);
  hl_document_page_close (page);
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (page);

  GFile *folder = model_folder_new ("bert");
  page = g_object_ref_sink (HL_DOCUMENT_PAGE (hl_document_page_new (folder)));
  window = panel_show (GTK_WIDGET (page), 1280, 1100);
  hl_document_page_load (page);
  wait_for_picture (page);
  hl_side_panel_show_model (hl_document_page_get_side_panel (page));
  assert_mnemonics_of_views (page);
  hl_document_page_close (page);
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
  g_object_unref (page);
  model_folder_remove (folder);
}

typedef struct
{
  gboolean in_layout;
  guint n_told;
} Frame;

static void
on_updated (GdkFrameClock *clock,
            Frame         *frame)
{
  frame->in_layout = TRUE;
}

static void
on_laid_out (GdkFrameClock *clock,
             Frame         *frame)
{
  frame->in_layout = FALSE;
}

static void
on_told (HlDocumentPage *page,
         GParamSpec     *property,
         Frame          *frame)
{
  g_assert_false (frame->in_layout);
  frame->n_told++;
}

/* A panel that has no room any more goes in the middle of the layout. Other tabs, which are told, may ask for room only after it. */
static void
test_folded (void)
{
  HlDocumentPage *page = create_page ("fixtures", "causal.h5");
  GtkWidget *window = panel_show (GTK_WIDGET (page), 1200, 600);
  GdkFrameClock *clock = gtk_widget_get_frame_clock (window);
  gboolean sidebar, panel;
  Frame frame = { 0 };

  hl_document_page_load (page);
  wait_for_picture (page);
  g_object_set (page, "sidebar-visible", TRUE, "panel-visible", TRUE, NULL);
  panel_wait (500);
  g_signal_connect_after (clock, "update", G_CALLBACK (on_updated), &frame);
  g_signal_connect_after (clock, "layout", G_CALLBACK (on_laid_out), &frame);
  g_signal_connect (page, "notify::sidebar-visible", G_CALLBACK (on_told), &frame);
  g_signal_connect (page, "notify::panel-visible", G_CALLBACK (on_told), &frame);
  gtk_window_set_default_size (GTK_WINDOW (window), 400, 600);
  PANEL_WAIT_UNTIL (gtk_widget_get_width (GTK_WIDGET (page)) < 500);
  panel_wait (500);
  g_object_get (page, "sidebar-visible", &sidebar, "panel-visible", &panel, NULL);
  g_assert_false (sidebar);
  g_assert_false (panel);
  g_assert_cmpuint (frame.n_told, >=, 2);
  g_signal_handlers_disconnect_by_data (clock, &frame);
  g_signal_handlers_disconnect_by_data (page, &frame);
  hl_document_page_close (page);
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
  g_object_unref (page);
}

/* What slides away gives the keyboard to the scene: a list in it would drop down out of the display. */
static void
test_hidden_focus (void)
{
  static const char *const panels[][2] = { { "sidebar", "sidebar-visible" }, { "side_panel", "panel-visible" } };
  HlDocumentPage *page = create_page ("fixtures", "causal.h5");
  GtkWidget *window = panel_show (GTK_WIDGET (page), 1200, 600);

  hl_document_page_load (page);
  HlSceneView *view = wait_for_picture (page);
  for (guint i = 0; i < G_N_ELEMENTS (panels); i++)
    {
      GtkWidget *panel = panel_get_child (GTK_WIDGET (page), panels[i][0]);

      g_object_set (page, panels[i][1], TRUE, NULL);
      panel_wait (500);
      g_assert_true (gtk_widget_child_focus (panel, GTK_DIR_TAB_FORWARD));
      g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (window)), panel));
      g_object_set (page, panels[i][1], FALSE, NULL);
      g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) == GTK_WIDGET (view));
    }
  hl_document_page_close (page);
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
  g_object_unref (page);
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_data_func ("/document-page/page", GINT_TO_POINTER (HL_VIEW_HEAD_VIEW), test_page);
  g_test_add_data_func ("/document-page/page-of-heatmap", GINT_TO_POINTER (HL_VIEW_HEATMAP), test_page);
  g_test_add_func ("/document-page/open", test_open);
  g_test_add_func ("/document-page/reload", test_reload);
  g_test_add_func ("/document-page/reload-example", test_reload_example);
  g_test_add_func ("/document-page/failed", test_failed);
  g_test_add_func ("/document-page/cancel", test_cancel);
  g_test_add_func ("/document-page/cancel-focus", test_cancel_focus);
  g_test_add_func ("/document-page/figure", test_figure);
  g_test_add_func ("/document-page/model", test_model);
  g_test_add_func ("/document-page/typed-meanwhile", test_typed_meanwhile);
  g_test_add_func ("/document-page/adapter-again", test_adapter_again);
  g_test_add_func ("/document-page/adapter-of-side", test_adapter_of_side);
  g_test_add_func ("/document-page/adapter-stopped", test_adapter_stopped);
  g_test_add_func ("/document-page/watched-once", test_watched_once);
  g_test_add_func ("/document-page/beside-unseen", test_beside_unseen);
  g_test_add_func ("/document-page/typed-before-beside", test_typed_before_beside);
  g_test_add_func ("/document-page/texts-dialog", test_texts_dialog);
  g_test_add_func ("/document-page/stop-writing", test_stop_writing);
  g_test_add_func ("/document-page/mnemonics", test_mnemonics);
  g_test_add_func ("/document-page/folded", test_folded);
  g_test_add_func ("/document-page/hidden-focus", test_hidden_focus);
  return g_test_run ();
}
