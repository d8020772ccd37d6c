/* SPDX-License-Identifier: MIT */
/* What is made of weights: the controls say what is shown, also where a quantity brings its own. */
#include "panel-support.h"

#include "app/panels/hl-panels.h"

#include <adwaita.h>

static const PanelAttention plain = { .n_layers = 2, .n_heads = 3, .n = 6 };

static GtkDropDown *
get_choice (GtkWidget  *panel,
            const char *name)
{
  return GTK_DROP_DOWN (panel_get_child (panel, name));
}

static const char *
get_chosen (GtkDropDown *choice)
{
  return gtk_string_object_get_string (gtk_drop_down_get_selected_item (choice));
}

/* What is of the mean of heads says so where one combines, and leaves layers to be combined. */
static void
test_mean_heads (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&plain);
  GtkWidget *panel = g_object_ref_sink (g_object_new (HL_TYPE_QUANTITY_PANEL, NULL));
  GtkDropDown *quantity = get_choice (panel, "quantity");
  GtkDropDown *combine = get_choice (panel, "combine");
  GtkWidget *over_row = panel_get_child (panel, "over_row");

  g_object_set (panel, "view-state", state, NULL);
  for (HlQuantity i = 0; i < HL_N_QUANTITIES; i++)
    {
      hl_view_state_set_option (state, quantity, i);
      g_assert_cmpstr (get_chosen (combine), ==,
                       i == HL_QUANTITY_ROLLOUT || i == HL_QUANTITY_FLOW ? "Mean of Heads" : "No");
      g_assert_false (gtk_widget_get_visible (over_row));
    }

  /* The greatest of heads, asked for before, is not what is shown. */
  hl_view_state_set_option (state, quantity, HL_QUANTITY_WEIGHT);
  gtk_drop_down_set_selected (combine, HL_COMBINE_MAX);
  g_assert_cmpint (hl_view_state_get_options (state)->combine, ==, HL_COMBINE_MAX);
  gtk_drop_down_set_selected (quantity, HL_QUANTITY_ROLLOUT);
  g_assert_cmpstr (get_chosen (combine), ==, "Mean of Heads");
  g_assert_cmpstr (hl_attention_source_get_quantity (hl_view_state_get_shown (state)->source), ==,
                   "rollout · mean of all 3 heads · attention weight");
  gtk_drop_down_set_selected (combine, HL_COMBINE_MAX);
  g_assert_cmpint (hl_view_state_get_options (state)->combine_over, ==, HL_COMBINE_OVER_LAYERS);
  g_assert_cmpstr (get_chosen (combine), ==, "Maximum");
  g_assert_true (gtk_widget_get_visible (over_row));
  g_assert_true (hl_view_state_get_shown (state)->merges_layers);
  g_assert_finalize_object (panel);
}

/* Where the view shows something else by what it is, panel and caption say so. */
static void
test_absent (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&plain);
  GtkWidget *panel = g_object_ref_sink (g_object_new (HL_TYPE_QUANTITY_PANEL, NULL));
  GtkLabel *about = GTK_LABEL (panel_get_child (panel, "about"));
  const struct
  {
    HlViewKind view;
    HlQuantity quantity;
    const char *caption; /* NULL where it is shown */
    HlDirection direction;
  } cases[] = {
    { HL_VIEW_LAYERS, HL_QUANTITY_FLOW, "“Flow” only in other views" },
    { HL_VIEW_LAYERS, HL_QUANTITY_ROLLOUT, NULL },
    { HL_VIEW_LAYERS, HL_QUANTITY_ROLLOUT, "“Rollout” only in other views", HL_DIRECTION_TRANSPOSED },
    { HL_VIEW_LAYERS, HL_QUANTITY_FLOW, "“Flow” only in other views", HL_DIRECTION_TRANSPOSED },
    { HL_VIEW_LAYERS, HL_QUANTITY_WEIGHT, NULL },
    { HL_VIEW_HEATMAP, HL_QUANTITY_FLOW, NULL },
    { HL_VIEW_STEPS, HL_QUANTITY_RESIDUAL, "“With Residual” only in other views" },
    { HL_VIEW_NEURON, HL_QUANTITY_ROLLOUT, "“Rollout” only in other views" },
    { HL_VIEW_NEURON, HL_QUANTITY_WEIGHT, NULL },
  };

  g_object_set (panel, "view-state", state, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      hl_view_state_set_option (state, quantity, cases[i].quantity);
      hl_view_state_set_option (state, view, cases[i].view);
      hl_view_state_set_option (state, direction, cases[i].direction);
      g_autofree char *caption = hl_view_state_describe (state);
      const char *said = gtk_label_get_label (about);

      g_test_message ("%s", caption);
      g_assert_true ((strstr (caption, "only in other views") != NULL) == (cases[i].caption != NULL));
      g_assert_true (cases[i].caption == NULL || strstr (caption, cases[i].caption) != NULL);
      if (gtk_widget_get_visible (panel))
        g_assert_true ((strstr (said, "other views") != NULL) == (cases[i].caption != NULL));
      g_assert_true (strstr (said, "followed") == NULL || hl_shown_follows_tokens (hl_view_state_get_shown (state)));
    }
  g_assert_finalize_object (panel);
}

/* Of a difference it is offered where both sides have it: of one alone it is not shown. */
static void
test_asymmetry (void)
{
  static const PanelAttention crossing = { .kind = HL_ATTENTION_CROSS, .n_layers = 2, .n_heads = 3, .n = 6 };
  g_autoptr (HlViewState) state = panel_state_new (&plain);
  g_autoptr (HlExample) like = panel_example_new (&plain, 1);
  g_autoptr (HlExample) unlike = panel_example_new (&crossing, 1);
  GtkWidget *panel = g_object_ref_sink (g_object_new (HL_TYPE_QUANTITY_PANEL, NULL));
  GtkDropDown *direction = get_choice (panel, "direction");

  g_object_set (panel, "view-state", state, NULL);
  hl_view_state_set_option (state, direction, HL_DIRECTION_ASYMMETRY);
  g_assert_cmpstr (get_chosen (direction), ==, "A − Aᵀ");
  hl_view_state_set_difference (state, hl_example_get_attention (like, 0), NULL);
  g_assert_cmpstr (get_chosen (direction), ==, "A − Aᵀ");
  hl_view_state_set_difference (state, hl_example_get_attention (unlike, 0), NULL);
  g_assert_cmpstr (get_chosen (direction), ==, "As It Is");
  g_assert_cmpuint (g_list_model_get_n_items (gtk_drop_down_get_model (direction)), ==, 2);
  /* It stays chosen for where it is there again. */
  hl_view_state_set_difference (state, NULL, NULL);
  g_assert_cmpstr (get_chosen (direction), ==, "A − Aᵀ");
  g_assert_finalize_object (panel);
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/quantity-panel/mean-heads", test_mean_heads);
  g_test_add_func ("/quantity-panel/absent", test_absent);
  g_test_add_func ("/quantity-panel/asymmetry", test_asymmetry);
  return g_test_run ();
}
