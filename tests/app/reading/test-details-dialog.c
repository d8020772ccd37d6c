/* SPDX-License-Identifier: MIT */
/* The details: what they say of a file, that they keep up with the session, and that all of it can be copied. */
#include "panel-support.h"

#include "app/reading/hl-attention-text.h"
#include "app/reading/hl-details-dialog.h"

#include <adwaita.h>

static HlSession *
open_session (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "fixtures", name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  HlSession *session;

  g_assert_no_error (error);
  session = hl_session_new (document, &error);
  g_assert_no_error (error);
  return session;
}

static char *
copy (GtkWidget *dialog)
{
  g_assert_true (gtk_widget_activate_action (dialog, "details.copy", NULL));
  return panel_read_clipboard (dialog);
}

static void
test_facts (void)
{
  HlSession *session = open_session ("encoder-decoder.h5");
  GtkWidget *dialog = hl_details_dialog_new (session);
  HlExample *example = hl_view_state_get_example (hl_session_get_view_state (session));

  gtk_window_present (GTK_WINDOW (dialog));
  g_autofree char *text = copy (dialog);
  g_assert_nonnull (strstr (text, "encoder-decoder.h5\n"));
  g_assert_nonnull (strstr (text, "Format: HDF5\n"));
  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    {
      g_autofree char *sizes = hl_attention_text_sizes (hl_example_get_attention (example, i));
      g_assert_nonnull (strstr (text, sizes));
    }
  g_assert_nonnull (strstr (text, "Encoder: "));
  g_assert_nonnull (strstr (text, "Cross: "));
  gtk_window_destroy (GTK_WINDOW (dialog));
  panel_wait (50);
  g_assert_finalize_object (session);
}

/* It is there at once, there is one of it however often somebody copies, and whoever sends it away while it has just come
 * can copy again. */
static void
test_copied (void)
{
  HlSession *session = open_session ("encoder-decoder.h5");
  GtkWidget *dialog = hl_details_dialog_new (session);

  gtk_window_present (GTK_WINDOW (dialog));
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GPtrArray) toasts = g_ptr_array_new ();
      g_autoptr (GPtrArray) buttons = g_ptr_array_new ();
      g_autofree char *text = copy (dialog);
      g_autofree char *again = copy (dialog);

      g_assert_cmpstr (text, ==, again);
      panel_find_all (dialog, "AdwToastWidget", toasts);
      g_assert_cmpuint (toasts->len, ==, 1);
      panel_find_all (toasts->pdata[0], "GtkButton", buttons);
      g_assert_cmpuint (buttons->len, >=, 1);
      g_signal_emit_by_name (buttons->pdata[buttons->len - 1], "clicked");
      while (toasts->len > 0)
        {
          panel_wait (20);
          g_ptr_array_set_size (toasts, 0);
          panel_find_all (dialog, "AdwToastWidget", toasts);
        }
    }
  gboolean animated;
  g_object_get (gtk_widget_get_settings (dialog), "gtk-enable-animations", &animated, NULL);
  g_assert_true (animated);
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_assert_finalize_object (session);
}

/* Whoever was at its button is back where they were when it goes. */
static void
test_copied_focus (void)
{
  HlSession *session = open_session ("encoder-decoder.h5");
  GtkWidget *dialog = hl_details_dialog_new (session);
  g_autoptr (GPtrArray) toasts = g_ptr_array_new ();
  g_autoptr (GPtrArray) buttons = g_ptr_array_new ();

  gtk_window_present (GTK_WINDOW (dialog));
  panel_wait (100);
  GtkWidget *before = gtk_window_get_focus (GTK_WINDOW (dialog));
  g_assert_nonnull (before);
  g_autofree char *text = copy (dialog);
  panel_find_all (dialog, "AdwToastWidget", toasts);
  g_assert_cmpuint (toasts->len, ==, 1);
  panel_find_all (toasts->pdata[0], "GtkButton", buttons);
  GtkWidget *button = buttons->pdata[buttons->len - 1];
  g_assert_true (gtk_widget_grab_focus (button));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (dialog)) == button);
  g_signal_emit_by_name (button, "clicked");
  while (toasts->len > 0)
    {
      panel_wait (20);
      g_ptr_array_set_size (toasts, 0);
      panel_find_all (dialog, "AdwToastWidget", toasts);
    }
  panel_wait (200);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (dialog)) == before);
  gtk_window_destroy (GTK_WINDOW (dialog));
  panel_wait (50);
  g_assert_finalize_object (session);
}

/* What is found while the window is open comes into it. */
static void
test_checks (void)
{
  HlSession *session = open_session ("raw-logits.h5");
  GtkWidget *dialog = hl_details_dialog_new (session);
  GListModel *checks = hl_session_get_checks (session);

  gtk_window_present (GTK_WINDOW (dialog));
  hl_session_examine (session);
  PANEL_WAIT_UNTIL (!hl_session_get_examining (session));
  g_assert_cmpuint (g_list_model_get_n_items (checks), >, 0);
  g_autofree char *text = copy (dialog);
  for (guint i = 0; i < g_list_model_get_n_items (checks); i++)
    {
      g_autoptr (HlCheck) check = g_list_model_get_item (checks, i);
      g_assert_nonnull (strstr (text, hl_check_get_message (check)));
    }
  gtk_window_destroy (GTK_WINDOW (dialog));
  panel_wait (50);
  g_assert_finalize_object (session);
}

static void
test_examples (void)
{
  HlSession *session = open_session ("examples.h5");
  GtkWidget *dialog = hl_details_dialog_new (session);
  g_autofree char *wanted = NULL;

  gtk_window_present (GTK_WINDOW (dialog));
  hl_session_set_example_index (session, 1);
  PANEL_WAIT_UNTIL (!hl_session_get_busy (session));
  wanted = g_strdup_printf ("Example Shown: %s\n", hl_document_get_example_name (hl_session_get_document (session), 1));
  g_autofree char *text = copy (dialog);
  g_assert_nonnull (strstr (text, wanted));
  gtk_window_destroy (GTK_WINDOW (dialog));
  panel_wait (50);
  g_assert_finalize_object (session);
}

static void
test_attention_text (void)
{
  const PanelAttention padded = { .n_layers = 2, .n_heads = 4, .few_heads = 2, .n = 9, .n_used = 7, .causal = TRUE };
  const PanelAttention tiny = { .n_layers = 1, .n_heads = 1, .n = 1 };
  g_autoptr (HlExample) first = panel_example_new (&padded, 1);
  g_autoptr (HlExample) second = panel_example_new (&tiny, 1);
  g_autofree char *sizes = hl_attention_text_sizes (hl_example_get_attention (first, 0));
  g_autofree char *traits = hl_attention_text_traits (hl_example_get_attention (first, 0));
  g_autofree char *one = hl_attention_text_sizes (hl_example_get_attention (second, 0));

  g_assert_cmpstr (sizes, ==, "2 layers × 2–4 heads × 9 queries × 9 keys");
  g_assert_cmpstr (traits, ==,
                   "float32 · with tokens · causal · 7 queries without padding · "
                   "7 keys without padding");
  g_assert_cmpstr (one, ==, "1 layer × 1 head × 1 query × 1 key");
}

/* Of the text that has the focus. */
static char *
dup_focused (GtkWidget *dialog)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (dialog));

  g_assert_true (GTK_IS_LABEL (focus));
  return g_strdup (gtk_label_get_label (GTK_LABEL (focus)));
}

/* Whoever reads a row stays there when they are all made anew. */
static void
test_focus (void)
{
  HlSession *session = open_session ("examples.h5");
  GtkWidget *dialog = hl_details_dialog_new (session);
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();

  gtk_window_present (GTK_WINDOW (dialog));
  panel_wait (100);
  panel_find_all (dialog, "AdwPreferencesRow", rows);
  g_assert_cmpuint (rows->len, >, 2);
  gtk_widget_child_focus (rows->pdata[1], GTK_DIR_TAB_FORWARD);
  g_autofree char *before = dup_focused (dialog);
  g_object_notify (G_OBJECT (session), "examining");
  panel_wait (200);
  g_autofree char *after = dup_focused (dialog);
  g_assert_cmpstr (after, ==, before);
  gtk_window_destroy (GTK_WINDOW (dialog));
  panel_wait (50);
  g_assert_finalize_object (session);
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_func ("/details-dialog/facts", test_facts);
  g_test_add_func ("/details-dialog/copied", test_copied);
  g_test_add_func ("/details-dialog/copied-focus", test_copied_focus);
  g_test_add_func ("/details-dialog/checks", test_checks);
  g_test_add_func ("/details-dialog/examples", test_examples);
  g_test_add_func ("/details-dialog/focus", test_focus);
  g_test_add_func ("/details-dialog/block-text", test_attention_text);
  return g_test_run ();
}
