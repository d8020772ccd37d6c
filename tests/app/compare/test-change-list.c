/* SPDX-License-Identifier: MIT */
/* The heads that changed most: each row leads to its head, and none is there that has no number any more. */
#include "panel-support.h"

#include "app/compare/hl-change-list.h"

static GListModel *
get_rows (GtkWidget *list)
{
  return G_LIST_MODEL (gtk_list_view_get_model (GTK_LIST_VIEW (panel_get_child (list, "list"))));
}

static const char *
get_page (GtkWidget *list)
{
  return gtk_stack_get_visible_child_name (GTK_STACK (panel_get_child (list, "stack")));
}

static void
check_first_row (GtkWidget   *list,
                 HlViewState *state)
{
  g_autoptr (GtkStringObject) row = g_list_model_get_item (get_rows (list), 0);

  g_signal_emit_by_name (panel_get_child (list, "list"), "activate", 0u);
  g_autofree char *head =
    g_strdup_printf ("layer %u · head %u: ", hl_view_state_get_layer (state), hl_view_state_get_head (state));
  g_assert_true (g_str_has_prefix (gtk_string_object_get_string (row), head));
}

static void
test_other_queries (void)
{
  const PanelAttention attention = { .n_layers = 2, .n_heads = 3, .n = 6, .sentence_b_start = 3 };
  g_autoptr (HlViewState) a = panel_state_new (&attention);
  g_autoptr (HlViewState) b = panel_state_new (&attention);
  g_autoptr (HlSides) sides = hl_sides_new (a, b, &(HlHeadPairing){ -1, 1 }, NULL);
  GtkWidget *list = g_object_new (HL_TYPE_CHANGE_LIST, NULL);
  GtkWidget *window = panel_show (list, 300, 400);

  hl_change_list_set_sides (HL_CHANGE_LIST (list), sides);
  g_assert_cmpstr (get_page (list), ==, "busy");
  PANEL_WAIT_UNTIL (g_str_equal (get_page (list), "list"));
  g_assert_cmpuint (g_list_model_get_n_items (get_rows (list)), ==, 6);
  check_first_row (list, a);

  /* Nobody sees it. */
  gtk_widget_set_visible (list, FALSE);
  hl_view_state_set_option (a, sentences, HL_SENTENCES_A_TO_A);
  g_assert_null (hl_view_state_get_numbers (a));
  /* As where a button that opens it takes another place: its rows are bound anew. */
  g_object_ref (list);
  gtk_window_set_child (GTK_WINDOW (window), NULL);
  gtk_window_set_child (GTK_WINDOW (window), list);
  g_object_unref (list);
  gtk_widget_set_visible (list, TRUE);
  PANEL_WAIT_UNTIL (gtk_widget_get_mapped (list));
  PANEL_WAIT_UNTIL (g_str_equal (get_page (list), "list"));
  check_first_row (list, a);

  hl_view_state_set_option (a, sentences, HL_SENTENCES_B_TO_B);
  g_assert_null (get_rows (list));
  g_assert_cmpstr (get_page (list), ==, "busy");
  PANEL_WAIT_UNTIL (g_str_equal (get_page (list), "list"));
  check_first_row (list, a);

  hl_change_list_set_sides (HL_CHANGE_LIST (list), NULL);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* What was asked for before it was closed is told of nothing else. */
static void
test_other_attention (void)
{
  const PanelAttention attentions[] = {
    { .kind = HL_ATTENTION_ENCODER, .n_layers = 2, .n_heads = 3, .n = 6 },
    { .kind = HL_ATTENTION_DECODER, .n_layers = 2, .n_heads = 3, .n = 6 },
  };
  g_autoptr (HlExample) first = panel_example_new (attentions, 2);
  g_autoptr (HlExample) second = panel_example_new (attentions, 2);
  g_autoptr (HlViewState) a = hl_view_state_new (first);
  g_autoptr (HlViewState) b = hl_view_state_new (second);
  g_autoptr (HlSides) sides = hl_sides_new (a, b, &(HlHeadPairing){ -1, -1 }, NULL);
  GtkWidget *list = g_object_new (HL_TYPE_CHANGE_LIST, NULL);
  GtkWidget *window = panel_show (list, 300, 400);

  hl_change_list_set_sides (HL_CHANGE_LIST (list), sides);
  g_assert_cmpstr (get_page (list), ==, "busy");
  gtk_widget_set_visible (list, FALSE);
  hl_view_state_set_attention (a, hl_example_get_attention (first, 1));
  /* What computes holds it, and then only its window does. */
  PANEL_WAIT_UNTIL (G_OBJECT (list)->ref_count == 1);
  g_assert_false (hl_view_state_knows_changes (a));

  gtk_widget_set_visible (list, TRUE);
  PANEL_WAIT_UNTIL (gtk_widget_get_mapped (list));
  PANEL_WAIT_UNTIL (g_str_equal (get_page (list), "list"));
  check_first_row (list, a);
  hl_change_list_set_sides (HL_CHANGE_LIST (list), NULL);
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/change-list/other-queries", test_other_queries);
  g_test_add_func ("/change-list/other-attention", test_other_attention);
  return g_test_run ();
}
