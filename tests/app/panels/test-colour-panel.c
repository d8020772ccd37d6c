/* SPDX-License-Identifier: MIT */
/* The colours: each control changes the view state and follows it, and is only there in views that have a use for it. */
#include "panel-support.h"

#include "app/panels/hl-panels.h"

#include <adwaita.h>

static const PanelAttention plain = { .n_layers = 2, .n_heads = 3, .n = 10 };

static void
count (guint *n)
{
  (*n)++;
}

static GtkDropDown *
get_choice (GtkWidget  *panel,
            const char *name)
{
  return GTK_DROP_DOWN (panel_get_child (panel, name));
}

static gboolean
is_there (GtkWidget  *panel,
          const char *name)
{
  return gtk_widget_get_visible (panel_get_child (panel, name));
}

static GtkWidget *
create_panel (void)
{
  return g_object_ref_sink (g_object_new (HL_TYPE_COLOUR_PANEL, NULL));
}

static void
test_life (void)
{
  HlViewState *state = panel_state_new (&plain);
  GtkWidget *panel = create_panel ();

  g_assert_false (gtk_widget_get_sensitive (panel_get_child (panel, "content")));
  g_object_set (panel, "view-state", state, NULL);
  g_assert_true (gtk_widget_get_sensitive (panel_get_child (panel, "content")));
  g_assert_finalize_object (panel);
  hl_view_state_set_option (state, colour_map, HL_COLOUR_MAP_MAGMA);
  g_assert_finalize_object (state);
}

/* A panel is shown a state with colours chosen: it follows, and answers nothing back. */
static void
test_follows (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&plain);
  GtkWidget *panel = create_panel ();
  guint n_notified = 0;

  hl_view_state_set_option (state, thumbnails, HL_THUMBNAIL_LINES);
  hl_view_state_set_option (state, colour_map, HL_COLOUR_MAP_MAGMA);
  hl_view_state_set_option (state, value_scale, HL_VALUE_SCALE_LOG);
  g_signal_connect_swapped (state, "notify", G_CALLBACK (count), &n_notified);
  g_object_set (panel, "view-state", state, NULL);
  g_assert_cmpuint (n_notified, ==, 0);
  g_assert_cmpuint (gtk_drop_down_get_selected (get_choice (panel, "thumbnails")), ==, HL_THUMBNAIL_LINES);
  g_assert_cmpuint (gtk_drop_down_get_selected (get_choice (panel, "colour_map")), ==, HL_COLOUR_MAP_MAGMA);
  g_assert_cmpuint (gtk_drop_down_get_selected (get_choice (panel, "value_scale")), ==, HL_VALUE_SCALE_LOG);
  g_assert_finalize_object (panel);
}

static void
test_rows (void)
{
  static const struct
  {
    HlViewKind view;
    HlThumbnailKind thumbnails;
    gboolean has_thumbnails;
    gboolean has_colours;
    gboolean has_scale;
    gboolean has_lines;
  } cases[] = {
    { HL_VIEW_HEAD_VIEW, HL_THUMBNAIL_HEATMAP, FALSE, FALSE, FALSE, TRUE },
    { HL_VIEW_HEATMAP, HL_THUMBNAIL_LINES, FALSE, TRUE, TRUE, FALSE },
    { HL_VIEW_MODEL, HL_THUMBNAIL_HEATMAP, TRUE, TRUE, TRUE, FALSE },
    { HL_VIEW_MODEL, HL_THUMBNAIL_LINES, TRUE, FALSE, FALSE, TRUE },
    { HL_VIEW_STEPS, HL_THUMBNAIL_HEATMAP, FALSE, TRUE, FALSE, FALSE },
    { HL_VIEW_NEURON, HL_THUMBNAIL_LINES, FALSE, FALSE, FALSE, TRUE },
  };
  g_autoptr (HlViewState) state = panel_state_new (&plain);
  GtkWidget *panel = create_panel ();

  g_object_set (panel, "view-state", state, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      hl_view_state_set_option (state, view, cases[i].view);
      hl_view_state_set_option (state, thumbnails, cases[i].thumbnails);
      g_assert_true (is_there (panel, "thumbnails_row") == cases[i].has_thumbnails);
      g_assert_true (is_there (panel, "heatmap_rows") == cases[i].has_colours);
      g_assert_true (is_there (panel, "value_scale_row") == cases[i].has_scale);
      g_assert_true (is_there (panel, "relative_lines_row") == cases[i].has_lines);
      g_assert_true (is_there (panel, "square_cells_row") == cases[i].has_thumbnails);
      g_assert_true (is_there (panel, "whole_bars_row") == (cases[i].view == HL_VIEW_NEURON));
      g_assert_true (gtk_widget_get_visible (panel) ==
                     (cases[i].has_thumbnails || cases[i].has_colours || cases[i].has_lines));
    }
  g_assert_finalize_object (panel);
}

static const char *
get_name (GtkDropDown *choice,
          guint        position)
{
  return gtk_string_list_get_string (GTK_STRING_LIST (gtk_drop_down_get_model (choice)), position);
}

/* What is chosen by itself says what it is; to leave out the diagonal is offered where there is one. */
static void
test_scales (void)
{
  static const PanelAttention cross = { .kind = HL_ATTENTION_CROSS, .n_layers = 1, .n_heads = 1, .n = 6 };
  g_autoptr (HlViewState) state = panel_state_new (&plain);
  g_autoptr (HlViewState) crossed = panel_state_new (&cross);
  GtkWidget *panel = create_panel ();
  GtkDropDown *scale = get_choice (panel, "value_scale");
  int width, width_after;

  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  g_object_set (panel, "view-state", state, NULL);
  g_assert_cmpuint (g_list_model_get_n_items (gtk_drop_down_get_model (scale)), ==, HL_VALUE_SCALE_OFF_DIAGONAL + 1);
  g_assert_cmpstr (get_name (scale, HL_VALUE_SCALE_AUTO), ==, "Automatic: Linear");
  gtk_widget_measure (panel, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  hl_view_state_set_option (state, quantity, HL_QUANTITY_RESIDUAL);
  g_assert_cmpstr (get_name (scale, HL_VALUE_SCALE_AUTO), ==, "Automatic: Linear off the diagonal");
  g_assert_cmpuint (gtk_drop_down_get_selected (scale), ==, HL_VALUE_SCALE_AUTO);
  g_assert_cmpuint (hl_view_state_get_options (state)->value_scale, ==, HL_VALUE_SCALE_AUTO);
  /* The longer name does not push the picture. */
  gtk_widget_measure (panel, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width_after, NULL, NULL);
  g_assert_cmpint (width, ==, width_after);
  gtk_drop_down_set_selected (scale, HL_VALUE_SCALE_OFF_DIAGONAL);
  g_assert_cmpuint (hl_view_state_get_options (state)->value_scale, ==, HL_VALUE_SCALE_OFF_DIAGONAL);

  g_object_set (panel, "view-state", crossed, NULL);
  g_assert_cmpuint (g_list_model_get_n_items (gtk_drop_down_get_model (scale)), ==, HL_VALUE_SCALE_OFF_DIAGONAL);
  hl_view_state_set_option (crossed, value_scale, HL_VALUE_SCALE_OFF_DIAGONAL);
  g_assert_cmpstr (get_name (scale, HL_VALUE_SCALE_OFF_DIAGONAL), ==, "Linear, as there is no diagonal");
  g_assert_cmpuint (gtk_drop_down_get_selected (scale), ==, HL_VALUE_SCALE_OFF_DIAGONAL);
  g_assert_finalize_object (panel);
}

static void
test_choices (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&plain);
  GtkWidget *panel = create_panel ();
  GtkDropDown *thumbnails = get_choice (panel, "thumbnails");
  GtkDropDown *colour_map = get_choice (panel, "colour_map");
  GtkDropDown *value_scale = get_choice (panel, "value_scale");

  g_object_set (panel, "view-state", state, NULL);
  g_assert_cmpuint (g_list_model_get_n_items (gtk_drop_down_get_model (colour_map)), ==, HL_N_COLOUR_MAPS);
  for (guint i = 0; i < HL_N_COLOUR_MAPS; i++)
    {
      gtk_drop_down_set_selected (colour_map, i);
      g_assert_cmpuint (hl_view_state_get_options (state)->colour_map, ==, i);
    }
  for (guint i = HL_VALUE_SCALE_LINEAR; i <= HL_VALUE_SCALE_CUMULATIVE; i++)
    {
      gtk_drop_down_set_selected (value_scale, i);
      g_assert_cmpuint (hl_view_state_get_options (state)->value_scale, ==, i);
    }
  gtk_drop_down_set_selected (thumbnails, HL_THUMBNAIL_LINES);
  g_assert_cmpint (hl_view_state_get_options (state)->thumbnails, ==, HL_THUMBNAIL_LINES);
  /* The swatch of a map follows the theme. */
  GtkListItemFactory *factory = gtk_drop_down_get_factory (colour_map);
  hl_view_state_set_option (state, dark, TRUE);
  g_assert_true (gtk_drop_down_get_factory (colour_map) != factory);
  g_assert_cmpuint (gtk_drop_down_get_selected (colour_map), ==, HL_N_COLOUR_MAPS - 1);
  g_assert_finalize_object (panel);
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_func ("/colour-panel/scales", test_scales);
  g_test_add_func ("/colour-panel/life", test_life);
  g_test_add_func ("/colour-panel/follows", test_follows);
  g_test_add_func ("/colour-panel/rows", test_rows);
  g_test_add_func ("/colour-panel/choices", test_choices);
  return g_test_run ();
}
