/* SPDX-License-Identifier: MIT */
/* A tab of a model that takes pixels: it asks for them, says what is wrong with those that it gets, runs on them, and is saved with them; a
 * model that takes texts as well shows whichever came last. */
#include "model-support.h"
#include "panel-support.h"

#include "app/live/hl-text-bar.h"
#include "app/page/hl-document-page.h"
#include "app/reading/hl-details-dialog.h"

#include <string.h>

static GFile *
get_file (const char *folder,
          const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "model", folder, name, NULL);

  return g_file_new_for_path (path);
}

static HlDocumentPage *
create_page (GFile *file)
{
  return g_object_ref_sink (HL_DOCUMENT_PAGE (hl_document_page_new (file)));
}

static void
count (guint *n)
{
  (*n)++;
}

static HlSession *
wait_for_session (HlDocumentPage *page)
{
  PANEL_WAIT_UNTIL (hl_document_page_get_session (page) != NULL);
  HlSession *session = hl_document_page_get_session (page);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (hl_session_get_live (session)));
  return session;
}

static const char *const *
get_tokens (HlSession *session)
{
  return hl_attention_get_tokens (hl_view_state_get_attention (hl_session_get_view_state (session)), HL_KEYS);
}

static const char *
get_label (HlDocumentPage *page,
           const char     *name)
{
  return gtk_label_get_label (GTK_LABEL (panel_get_child (panel_get_child (GTK_WIDGET (page), "pixels_page"), name)));
}

static void
close_page (HlDocumentPage *page,
            GtkWidget      *window)
{
  hl_document_page_close (page);
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (50);
  g_object_unref (page);
}

/* The file, three channels of 12 × 16 pixels, and patches of 4 × 4. */
static void
check_details (HlSession *session)
{
  GtkWidget *dialog = hl_details_dialog_new (session);

  gtk_window_present (GTK_WINDOW (dialog));
  g_assert_true (gtk_widget_activate_action (dialog, "details.copy", NULL));
  g_autofree char *text = panel_read_clipboard (dialog);
  g_assert_nonnull (strstr (text, "vision/vit/pixels.npy\n"));
  g_assert_nonnull (strstr (text, "Size: 3 × 12 × 16\n"));
  g_assert_nonnull (strstr (text, "Patches: 3 × 4\n"));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

static void
test_ask (void)
{
  g_autoptr (GFile) folder = get_file ("vision", "vit");
  g_autoptr (GFile) wrong = get_file ("vision/deit", "pixels.npy");
  g_autoptr (GFile) pixels = get_file ("vision/vit", "pixels.npy");
  HlDocumentPage *page = create_page (folder);
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);
  guint n_ready = 0, n_failed = 0;

  g_signal_connect_swapped (page, "ready", G_CALLBACK (count), &n_ready);
  g_signal_connect_swapped (page, "failed", G_CALLBACK (count), &n_failed);
  g_assert_false (hl_document_page_takes_pixels (page));
  hl_document_page_load (page);
  PANEL_WAIT_UNTIL (n_ready == 1);
  g_assert_null (hl_document_page_get_session (page));
  g_assert_true (hl_document_page_takes_pixels (page));
  g_assert_nonnull (strstr (get_label (page, "size_label"), "3 × 12 × 16"));

  hl_document_page_set_pixels (page, wrong);
  PANEL_WAIT_UNTIL (!hl_document_page_get_loading (page));
  g_assert_null (hl_document_page_get_session (page));
  g_assert_nonnull (strstr (get_label (page, "error_label"), "pixels are 1 × 12 × 12"));
  g_assert_true (hl_document_page_takes_pixels (page));

  hl_document_page_set_pixels (page, pixels);
  HlSession *session = wait_for_session (page);
  g_assert_cmpuint (n_ready, ==, 2);
  g_assert_cmpuint (n_failed, ==, 0);
  g_assert_cmpstr (get_tokens (session)[0], ==, "CLS");
  g_assert_cmpstr (hl_session_get_subtitle (session), ==, "pixels.npy");
  g_assert_true (hl_document_page_takes_pixels (page));
  check_details (session);

  /* The picture that is there stays while others cannot be used. */
  HlDocument *document = hl_session_get_document (session);
  hl_document_page_set_pixels (page, wrong);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (hl_session_get_live (session)));
  g_assert_nonnull (hl_live_model_get_error (hl_session_get_live (session)));
  g_assert_true (hl_session_get_document (session) == document);
  hl_document_page_set_pixels (page, pixels);
  PANEL_WAIT_UNTIL (hl_live_model_get_error (hl_session_get_live (session)) == NULL);

  /* Opened again, it is of the same pixels. */
  hl_document_page_load (page);
  PANEL_WAIT_UNTIL (n_ready == 3);
  session = wait_for_session (page);
  g_assert_cmpstr (get_tokens (session)[1], ==, "patch 1,1");
  g_assert_cmpstr (hl_session_get_subtitle (session), ==, "pixels.npy");
  close_page (page, window);
}

/* CLIP has a part for either. */
static void
test_both (void)
{
  g_autoptr (GFile) pixels = get_file ("checkpoints/clip", "pixels.npy");
  g_autoptr (GFile) folder = model_folder_new ("clip");
  HlDocumentPage *page = create_page (folder);
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);

  hl_document_page_load (page);
  HlSession *session = wait_for_session (page);
  HlLiveModel *live = hl_session_get_live (session);
  g_assert_true (hl_live_model_takes_texts (live) && hl_live_model_takes_pixels (live));
  g_assert_null (hl_live_model_get_pixels (live));
  g_assert_false (hl_live_model_can_write (live));

  hl_document_page_set_pixels (page, pixels);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
  g_assert_no_error (hl_live_model_get_error (live));
  g_assert_cmpstr (get_tokens (session)[9], ==, "patch 3,3");
  g_assert_true (strstr (hl_session_get_subtitle (session), "pixels.npy") != NULL);

  hl_live_model_set_texts (live, "w5 w6", "");
  hl_live_model_run (live);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
  g_assert_null (hl_live_model_get_pixels (live));
  g_assert_cmpstr (get_tokens (session)[0], ==, "w5");
  close_page (page, window);
  model_folder_remove (g_steal_pointer (&folder));
}

static void
test_saved (void)
{
  g_autoptr (GFile) folder = get_file ("vision", "dinov2");
  g_autoptr (GFile) pixels = get_file ("vision/dinov2", "pixels.npy");
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "headlight-pixels.headlight", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  HlDocumentPage *page = create_page (folder);
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);
  guint n_ready = 0;

  g_signal_connect_swapped (page, "ready", G_CALLBACK (count), &n_ready);
  hl_document_page_load (page);
  PANEL_WAIT_UNTIL (n_ready == 1);
  hl_document_page_set_pixels (page, pixels);
  HlSession *session = wait_for_session (page);
  PANEL_WAIT_UNTIL (hl_scene_view_get_scene (hl_document_page_get_scene_view (page)) != NULL);
  g_autoptr (HlSavedSession)
    saved = hl_session_save (session, hl_scene_view_get_scene (hl_document_page_get_scene_view (page)));
  g_assert_true (g_file_equal (saved->pixels, pixels));
  g_autofree char *command = hl_saved_session_to_command (saved, "out.png", 100, 100, 1);
  g_assert_nonnull (strstr (command, "pixels.npy"));
  g_assert_true (hl_saved_session_save (saved, file, &error));
  g_assert_no_error (error);
  close_page (page, window);

  page = create_page (file);
  window = panel_show (GTK_WIDGET (page), 900, 600);
  hl_document_page_load (page);
  session = wait_for_session (page);
  g_assert_cmpstr (get_tokens (session)[15], ==, "patch 5,3");
  close_page (page, window);
  g_assert_true (g_file_delete (file, NULL, &error));
}

/* Pixels that come to a tab of what was saved, before anybody looks at it, are those that are seen, or it says what is wrong with them. */
static void
test_given (void)
{
  g_autoptr (GFile) wrong = get_file ("vision/deit", "pixels.npy");
  g_autoptr (GFile) pixels = get_file ("vision/vit", "pixels.npy");
  g_autoptr (HlSavedSession) saved = g_new0 (HlSavedSession, 1);
  guint n_ready = 0, n_failed = 0;

  saved->file = get_file ("vision", "vit");
  saved->pixels = get_file ("vision/vit", "gone.npy");
  HlDocumentPage *page = create_page (saved->file);
  g_signal_connect_swapped (page, "ready", G_CALLBACK (count), &n_ready);
  g_signal_connect_swapped (page, "failed", G_CALLBACK (count), &n_failed);
  hl_document_page_set_saved (page, saved);
  hl_document_page_set_pixels (page, wrong);
  g_autoptr (HlSavedSession) given = hl_document_page_save (page);
  g_assert_true (g_file_equal (given->pixels, wrong));
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);
  hl_document_page_load (page);
  PANEL_WAIT_UNTIL (n_ready == 1);
  PANEL_WAIT_UNTIL (!hl_document_page_get_loading (page));
  g_assert_nonnull (strstr (get_label (page, "error_label"), "pixels are 1 × 12 × 12"));
  g_autoptr (HlSavedSession) refused = hl_document_page_save (page);
  g_assert_null (refused->pixels);

  hl_document_page_set_pixels (page, pixels);
  HlSession *session = wait_for_session (page);
  g_assert_cmpstr (hl_session_get_subtitle (session), ==, "pixels.npy");
  g_assert_true (g_file_equal (hl_live_model_get_pixels (hl_session_get_live (session)), pixels));
  g_assert_cmpuint (n_failed, ==, 0);
  close_page (page, window);
}

/* An image takes the way that arrays take; what is shown is of the file as it is now. */
static void
test_image (void)
{
  g_autoptr (GFile) folder = get_file ("vision", "vit");
  g_autoptr (GFile) picture = get_file ("images", "picture.png"), second = get_file ("images", "other.png");
  g_autoptr (GFile) wrong = get_file ("images", "references.h5");
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "headlight-image.png", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  HlDocumentPage *page = create_page (folder);
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);
  guint n_ready = 0, n_grids;

  g_signal_connect_swapped (page, "ready", G_CALLBACK (count), &n_ready);
  hl_document_page_load (page);
  PANEL_WAIT_UNTIL (n_ready == 1);
  hl_document_page_set_pixels (page, wrong);
  PANEL_WAIT_UNTIL (!hl_document_page_get_loading (page));
  g_assert_nonnull (strstr (get_label (page, "error_label"), "references.h5: "));

  g_assert_true (g_file_copy (picture, file, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, &error));
  hl_document_page_set_pixels (page, file);
  HlSession *session = wait_for_session (page);
  HlLiveModel *live = hl_session_get_live (session);
  g_assert_cmpstr (hl_session_get_subtitle (session), ==, "headlight-image.png");
  g_assert_cmpuint (hl_live_model_get_thumbnail (live)->width, ==, 64);
  HlPicture *shown =
    hl_attention_get_picture (hl_view_state_get_attention (hl_session_get_view_state (session)), HL_KEYS);
  g_assert_cmpuint (hl_picture_get_image (shown, 0)->height, ==, 48);
  g_assert_cmpuint (hl_picture_get_grids (shown, &n_grids)->first_token, ==, 1);
  PANEL_WAIT_UNTIL (hl_scene_view_get_scene (hl_document_page_get_scene_view (page)) != NULL);
  g_autoptr (HlSavedSession)
    saved = hl_session_save (session, hl_scene_view_get_scene (hl_document_page_get_scene_view (page)));
  g_assert_true (saved->is_image && g_file_equal (saved->pixels, file));
  g_autofree char *command = hl_saved_session_to_command (saved, "out.png", 100, 100, 1);
  g_assert_nonnull (strstr (command, "--image="));

  /* Nothing is lost for one that cannot be read. */
  HlDocument *document = hl_session_get_document (session);
  hl_document_page_set_pixels (page, wrong);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
  g_assert_nonnull (strstr (hl_live_model_get_error (live)->message, "references.h5: "));
  g_assert_true (hl_session_get_document (session) == document);
  g_assert_true (g_file_equal (hl_live_model_get_pixels (live), file));
  g_assert_nonnull (hl_live_model_get_thumbnail (live));

  /* It is drawn anew: what is seen follows. */
  g_assert_true (g_file_copy (second, file, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, &error));
  PANEL_WAIT_UNTIL (hl_session_get_document (session) != document);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
  g_assert_no_error (hl_live_model_get_error (live));
  g_assert_cmpuint (hl_live_model_get_thumbnail (live)->width, ==, 40);
  close_page (page, window);
  g_assert_true (g_file_delete (file, NULL, &error));
}

static void
keep_error (GError      **kept,
            const GError *error)
{
  g_clear_error (kept);
  *kept = g_error_copy (error);
}

/* What its model does not take, given to a tab of what was saved, is said, and all that was saved is there. */
static void
test_refused (void)
{
  GFile *folder = model_folder_new ("bert");
  g_autoptr (GFile) image = get_file ("images", "picture.png");

  for (guint is_text = 0; is_text < 2; is_text++)
    {
      g_autoptr (HlSavedSession) saved = g_new0 (HlSavedSession, 1);
      g_autoptr (GError) error = NULL;
      guint n_ready = 0;
      saved->file = g_object_ref (folder);
      saved->text = g_strdup ("w5 w6 w7");
      hl_state_texts_set (&saved->state, "layer", "1");
      hl_state_texts_set (&saved->state, "pinned", "2");
      hl_state_texts_set (&saved->state, "pairs", "w7→w5");
      HlDocumentPage *page = create_page (folder);
      g_signal_connect_swapped (page, "ready", G_CALLBACK (count), &n_ready);
      g_signal_connect_swapped (page, "failed", G_CALLBACK (keep_error), &error);
      hl_document_page_set_saved (page, saved);
      if (is_text)
        hl_document_page_set_texts (page, "w99", NULL);
      else
        hl_document_page_set_pixels (page, image);
      GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);
      hl_document_page_load (page);
      PANEL_WAIT_UNTIL (error != NULL);
      g_assert_nonnull (strstr (error->message, is_text ? "99" : "picture.png: "));
      g_assert_cmpuint (n_ready, ==, 1);
      HlSession *session = wait_for_session (page);
      HlViewState *state = hl_session_get_view_state (session);
      g_assert_cmpstr (get_tokens (session)[2], ==, "w7");
      g_assert_cmpuint (hl_view_state_get_layer (state), ==, 1);
      g_assert_cmpuint (hl_view_state_get_pinned (state)->query, ==, 2);
      g_assert_cmpstr (hl_view_state_get_pairs (state), ==, "w7→w5");
      close_page (page, window);
    }
  model_folder_remove (folder);
}

/* So is the image that was saved, where another cannot be read. */
static void
test_damaged (void)
{
  g_autoptr (GFile) wrong = get_file ("images", "references.h5");
  g_autoptr (HlSavedSession) saved = g_new0 (HlSavedSession, 1);
  g_autoptr (GError) error = NULL;

  saved->file = get_file ("vision", "vit");
  saved->pixels = get_file ("vision/vit", "pixels.npy");
  hl_state_texts_set (&saved->state, "pinned", "2");
  HlDocumentPage *page = create_page (saved->file);
  g_signal_connect_swapped (page, "failed", G_CALLBACK (keep_error), &error);
  hl_document_page_set_saved (page, saved);
  hl_document_page_set_pixels (page, wrong);
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);
  hl_document_page_load (page);
  PANEL_WAIT_UNTIL (error != NULL);
  g_assert_nonnull (strstr (error->message, "references.h5: "));
  HlSession *session = wait_for_session (page);
  g_assert_cmpstr (hl_session_get_subtitle (session), ==, "pixels.npy");
  g_assert_cmpuint (hl_view_state_get_pinned (hl_session_get_view_state (session))->query, ==, 2);
  close_page (page, window);
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_func ("/pixels/ask", test_ask);
  g_test_add_func ("/pixels/both", test_both);
  g_test_add_func ("/pixels/saved", test_saved);
  g_test_add_func ("/pixels/given", test_given);
  g_test_add_func ("/pixels/image", test_image);
  g_test_add_func ("/pixels/refused", test_refused);
  g_test_add_func ("/pixels/damaged", test_damaged);
  return g_test_run ();
}
