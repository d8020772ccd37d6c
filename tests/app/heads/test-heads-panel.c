/* SPDX-License-Identifier: MIT */
/* The table of heads: its rows know the numbers of their own heads, also while nobody sees them. */
#include "panel-support.h"

#include "app/heads/hl-heads-panel.h"

#include <adwaita.h>
#include <string.h>

static const PanelAttention attentions[] = {
  { .kind = HL_ATTENTION_ENCODER, .n_layers = 2, .n_heads = 3, .n = 5 },
  { .kind = HL_ATTENTION_DECODER, .n_layers = 1, .n_heads = 1, .n = 5 },
};

static guint n_folded;

/* In place of GLib's: what is looked for is made comparable by it. */
__attribute__ ((visibility ("default"))) char *
g_utf8_casefold (const char *text,
                 gssize      length)
{
  n_folded++;
  return g_utf8_strdown (text, length);
}

/* Shows one of them, and what is known of its heads. */
static void
show_attention (HlViewState *state,
                guint        index)
{
  g_autoptr (GError) error = NULL;

  hl_view_state_set_attention (state, hl_example_get_attention (hl_view_state_get_example (state), index));
  const HlHeadNumberRequest request = hl_view_state_get_number_request (state);
  g_autoptr (HlHeadNumbers) numbers = hl_view_state_ref_numbers (state);
  hl_head_numbers_complete (&numbers, &request, hl_head_number_get_usual (), NULL, NULL, &error);
  g_assert_no_error (error);
  hl_view_state_set_numbers (state, numbers);
}

/* How many cells of the table hold a number that is no whole one. */
static guint
count_numbers (HlHeadsPanel *panel)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();
  guint n = 0;

  panel_find_all (panel_get_child (GTK_WIDGET (panel), "view"), "GtkLabel", labels);
  for (guint i = 0; i < labels->len; i++)
    if (gtk_widget_has_css_class (labels->pdata[i], "numeric") && strchr (gtk_label_get_label (labels->pdata[i]), '.'))
      n++;
  return n;
}

static guint
count_rows (HlHeadsPanel *panel)
{
  GtkColumnView *view = GTK_COLUMN_VIEW (panel_get_child (GTK_WIDGET (panel), "view"));

  return g_list_model_get_n_items (G_LIST_MODEL (gtk_column_view_get_model (view)));
}

static void
test_unseen (void)
{
  g_autoptr (HlExample) example = panel_example_new (attentions, G_N_ELEMENTS (attentions));
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  g_autoptr (HlHeadWork) work = hl_head_work_new ();
  HlHeadsPanel *panel = hl_heads_panel_new (work);
  GtkWidget *window = panel_show (GTK_WIDGET (panel), 400, 300);

  hl_heads_panel_set_view_state (panel, state);
  show_attention (state, 0);
  g_assert_cmpuint (count_rows (panel), ==, 6);
  PANEL_WAIT_UNTIL (count_numbers (panel) > 0);
  const guint n_of_all = count_numbers (panel);

  /* The rows stay as they were, of other heads; with the attention comes what is known of them. */
  gtk_widget_set_visible (GTK_WIDGET (panel), FALSE);
  show_attention (state, 1);
  g_assert_cmpuint (count_rows (panel), ==, 6);
  g_assert_cmpuint (count_numbers (panel), ==, 0);
  show_attention (state, 0);
  g_assert_cmpuint (count_numbers (panel), ==, n_of_all);

  show_attention (state, 1);
  gtk_widget_set_visible (GTK_WIDGET (panel), TRUE);
  PANEL_WAIT_UNTIL (count_rows (panel) == 1 && count_numbers (panel) > 0);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* While a difference is shown, the table has the numbers of the first side, and says so. */
static void
test_difference (void)
{
  static const PanelAttention alike = { .n_layers = 2, .n_heads = 3, .n = 5 };
  g_autoptr (HlExample) example = panel_example_new (&alike, 1);
  g_autoptr (HlExample) other = panel_example_new (&alike, 1);
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  g_autoptr (HlHeadWork) work = hl_head_work_new ();
  GtkWidget *panel = g_object_ref_sink (GTK_WIDGET (hl_heads_panel_new (work)));
  GtkWidget *message = panel_get_child (panel, "message");

  hl_heads_panel_set_view_state (HL_HEADS_PANEL (panel), state);
  g_assert_false (gtk_widget_get_visible (message));
  hl_view_state_set_difference (state, hl_example_get_attention (other, 0), NULL);
  g_assert_true (gtk_widget_get_visible (message));
  g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (message)), ==, "Numbers in A");
  hl_view_state_set_difference (state, NULL, NULL);
  g_assert_false (gtk_widget_get_visible (message));
  g_object_unref (panel);
}

/* Words that are not in the text are looked for once, not whenever there is news of the work. */
static void
test_missing_words (void)
{
  g_autoptr (HlExample) example = panel_example_new (attentions, G_N_ELEMENTS (attentions));
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  g_autoptr (HlHeadWork) work = hl_head_work_new ();
  GtkWidget *panel = g_object_ref_sink (GTK_WIDGET (hl_heads_panel_new (work)));
  GtkLabel *message = GTK_LABEL (panel_get_child (panel, "message"));
  GtkWidget *pairs = panel_get_child (panel, "pairs");
  GtkWidget *entry = panel_get_child (pairs, "entry");

  hl_heads_panel_set_view_state (HL_HEADS_PANEL (panel), state);
  hl_heads_panel_find (HL_HEADS_PANEL (panel), "zebra → time");
  g_assert_cmpuint (n_folded, >, 0);
  n_folded = 0;
  for (guint i = 0; i < 3; i++)
    g_signal_emit_by_name (work, "changed");
  g_assert_cmpuint (n_folded, ==, 0);
  g_assert_nonnull (strstr (gtk_label_get_label (message), "“zebra”"));
  g_assert_true (gtk_widget_has_css_class (entry, "error"));

  hl_view_state_set_pairs (state, "time → zoo");
  g_assert_nonnull (strstr (gtk_label_get_label (message), "“zoo”"));
  n_folded = 0;
  hl_view_state_set_attention (state, hl_example_get_attention (example, 1));
  g_assert_cmpuint (n_folded, >, 0);
  g_assert_nonnull (strstr (gtk_label_get_label (message), "“zoo”"));

  hl_view_state_set_pairs (state, "time → flies");
  g_assert_cmpstr (gtk_label_get_label (message), ==, "");
  g_assert_false (gtk_widget_has_css_class (entry, "error"));
  g_object_unref (panel);
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_func ("/heads-panel/difference", test_difference);
  g_test_add_func ("/heads-panel/unseen", test_unseen);
  g_test_add_func ("/heads-panel/missing-words", test_missing_words);
  return g_test_run ();
}
