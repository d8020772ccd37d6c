/* SPDX-License-Identifier: MIT */
/* The picker of layers and heads: cells where they are drawn, what keys and clicks change, and that it lets go. */
#include "panel-support.h"

#include "app/heads/hl-head-grid.h"
#include "app/heads/hl-head-picker.h"
#include "app/panels/hl-measure-choice.h"
#include "draw/paint/hl-palette.h"

#include <adwaita.h>

static const PanelAttention small = { .n_layers = 6, .n_heads = 12, .few_heads = 5, .n = 8 };
static const PanelAttention large = { .n_layers = 48, .n_heads = 32, .n = 4 };

static HlHeadGrid *
get_grid (GtkWidget *picker)
{
  return HL_HEAD_GRID (panel_get_child (picker, "grid"));
}

static void
test_life (void)
{
  HlViewState *state = panel_state_new (&small);
  GtkWidget *picker = g_object_ref_sink (g_object_new (HL_TYPE_HEAD_PICKER, NULL));
  HlHeadGrid *grid = get_grid (picker);

  g_assert_null (hl_head_grid_get_view_state (grid));
  hl_head_picker_set_view_state (HL_HEAD_PICKER (picker), state);
  hl_head_picker_set_view_state (HL_HEAD_PICKER (picker), state);
  g_assert_true (hl_head_grid_get_view_state (grid) == state);
  hl_head_picker_set_view_state (HL_HEAD_PICKER (picker), NULL);
  g_assert_null (hl_head_grid_get_view_state (grid));
  hl_view_state_go_to (state, 2, 2);
  hl_head_picker_set_view_state (HL_HEAD_PICKER (picker), state);

  g_assert_finalize_object (picker);
  hl_view_state_go_to (state, 3, 3);
  g_assert_finalize_object (state);
}

/* The middle of every cell is that cell, and between layers of different size nothing is made up. */
static void
test_cells (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&small);
  GtkWidget *picker = g_object_new (HL_TYPE_HEAD_PICKER, NULL);
  HlHeadGrid *grid = get_grid (picker);
  graphene_rect_t area;
  guint layer, head;

  g_assert_false (hl_head_grid_find_cell (grid, 30, 30, &layer, &head));
  hl_head_picker_set_view_state (HL_HEAD_PICKER (picker), state);
  GtkWidget *window = panel_show (picker, 300, 300);

  for (guint l = 0; l < small.n_layers; l++)
    for (guint h = 0; h < small.n_heads; h++)
      {
        const gboolean exists = h < (l == 1 ? small.few_heads : small.n_heads);
        g_assert_true (hl_head_grid_get_cell_area (grid, l, h, &area) == exists);
        if (!exists)
          continue;
        g_assert_true (hl_head_grid_find_cell (grid, area.origin.x + area.size.width / 2,
                                               area.origin.y + area.size.height / 2, &layer, &head));
        g_assert_cmpuint (layer, ==, l);
        g_assert_cmpuint (head, ==, h);
      }
  g_assert_true (hl_head_grid_get_cell_area (grid, 1, 4, &area));
  g_assert_false (
    hl_head_grid_find_cell (grid, area.origin.x + 1.5 * area.size.width, area.origin.y + 5, &layer, &head));
  g_assert_false (hl_head_grid_get_cell_area (grid, small.n_layers, 0, &area));
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
assert_at (HlViewState *state,
           guint        layer,
           guint        head,
           guint        n_shown)
{
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, layer);
  g_assert_cmpuint (hl_view_state_get_head (state), ==, head);
  g_assert_cmpuint (hl_head_set_count (hl_view_state_get_heads (state)), ==, n_shown);
}

static void
test_keys (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&small);
  GtkWidget *picker = g_object_ref_sink (g_object_new (HL_TYPE_HEAD_PICKER, NULL));
  GtkWidget *grid = GTK_WIDGET (get_grid (picker));

  g_assert_false (panel_press (grid, GDK_KEY_Right, 0));
  hl_head_picker_set_view_state (HL_HEAD_PICKER (picker), state);

  g_assert_true (panel_press (grid, GDK_KEY_Left, 0));
  assert_at (state, 0, 0, 1);
  g_assert_true (panel_press (grid, GDK_KEY_Right, 0));
  g_assert_true (panel_press (grid, GDK_KEY_KP_Right, 0));
  assert_at (state, 0, 2, 1);
  g_assert_true (panel_press (grid, GDK_KEY_End, 0));
  assert_at (state, 0, 11, 1);
  g_assert_true (panel_press (grid, GDK_KEY_Right, 0));
  assert_at (state, 0, 11, 1);
  /* Layer 1 has five heads. */
  g_assert_true (panel_press (grid, GDK_KEY_Down, 0));
  assert_at (state, 1, 4, 1);
  g_assert_true (panel_press (grid, GDK_KEY_Page_Down, 0));
  assert_at (state, 5, 4, 1);
  g_assert_true (panel_press (grid, GDK_KEY_Down, 0));
  assert_at (state, 5, 4, 1);
  g_assert_true (panel_press (grid, GDK_KEY_a, GDK_CONTROL_MASK));
  assert_at (state, 5, 4, 12);
  /* Across layers the choice of heads stays. */
  g_assert_true (panel_press (grid, GDK_KEY_Up, 0));
  assert_at (state, 4, 4, 12);
  g_assert_true (panel_press (grid, GDK_KEY_Home, 0));
  assert_at (state, 4, 0, 1);
  g_assert_true (panel_press (grid, GDK_KEY_Page_Up, 0));
  assert_at (state, 0, 0, 1);
  g_assert_finalize_object (picker);
}

/* A head that is added to those that become one leaves those that only other layers have. */
static void
test_keys_combined (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&small);
  GtkWidget *picker = g_object_ref_sink (g_object_new (HL_TYPE_HEAD_PICKER, NULL));
  GtkWidget *grid = GTK_WIDGET (get_grid (picker));

  hl_head_picker_set_view_state (HL_HEAD_PICKER (picker), state);
  hl_view_state_set_option (state, combine, HL_COMBINE_MEAN);
  hl_view_state_select_all_heads (state);
  hl_view_state_set_layer (state, 1);
  g_assert_true (panel_press (grid, GDK_KEY_Right, GDK_SHIFT_MASK));
  assert_at (state, 1, 1, 5);
  g_assert_true (hl_head_selection_has_all (hl_view_state_get_selection (state), hl_view_state_get_attention (state)));
  g_assert_finalize_object (picker);
}

static GtkGesture *
find_click (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      if (GTK_IS_GESTURE_CLICK (controller))
        return GTK_GESTURE (controller);
    }
  g_assert_not_reached ();
}

static void
click (HlHeadGrid *grid,
       guint       layer,
       guint       head,
       int         n_press)
{
  graphene_rect_t area;

  g_assert_true (hl_head_grid_get_cell_area (grid, layer, head, &area));
  g_signal_emit_by_name (find_click (GTK_WIDGET (grid)), "pressed", n_press,
                         (double) (area.origin.x + area.size.width / 2),
                         (double) (area.origin.y + area.size.height / 2));
}

static void
test_clicks (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&small);
  GtkWidget *picker = g_object_new (HL_TYPE_HEAD_PICKER, NULL);

  hl_head_picker_set_view_state (HL_HEAD_PICKER (picker), state);
  GtkWidget *window = panel_show (picker, 300, 300);
  click (get_grid (picker), 3, 7, 1);
  assert_at (state, 3, 7, 1);
  hl_view_state_select_all_heads (state);
  click (get_grid (picker), 3, 2, 2);
  assert_at (state, 3, 2, 1);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Wherever one goes, the cell is in sight and not under the numbers. */
static void
test_scrolling (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&large);
  GtkWidget *picker = g_object_new (HL_TYPE_HEAD_PICKER, NULL);
  HlHeadGrid *grid = get_grid (picker);
  const guint places[][2] = { { 47, 31 }, { 0, 0 }, { 20, 31 }, { 47, 0 }, { 0, 31 } };

  hl_head_picker_set_view_state (HL_HEAD_PICKER (picker), state);
  hl_view_state_go_to (state, 30, 20);
  GtkWidget *window = panel_show (picker, 240, 260);
  for (guint i = 0; i <= G_N_ELEMENTS (places); i++)
    {
      graphene_rect_t area;
      guint layer, head;
      g_assert_true (
        hl_head_grid_get_cell_area (grid, hl_view_state_get_layer (state), hl_view_state_get_head (state), &area));
      g_assert_cmpfloat (area.size.width, >=, 12);
      g_assert_cmpfloat (area.origin.x + area.size.width, <=, gtk_widget_get_width (GTK_WIDGET (grid)));
      g_assert_cmpfloat (area.origin.y + area.size.height, <=, gtk_widget_get_height (GTK_WIDGET (grid)));
      g_assert_true (hl_head_grid_find_cell (grid, area.origin.x, area.origin.y, &layer, &head));
      g_assert_cmpuint (layer, ==, hl_view_state_get_layer (state));
      g_assert_cmpuint (head, ==, hl_view_state_get_head (state));
      if (i < G_N_ELEMENTS (places))
        hl_view_state_go_to (state, places[i][0], places[i][1]);
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

/* In the room it asks for, nothing has to scroll; cells are as large as the width allows, up to 28 pixels. */
static void
test_size (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&small);
  GtkWidget *picker = g_object_new (HL_TYPE_HEAD_PICKER, NULL);
  HlHeadGrid *grid = get_grid (picker);
  graphene_rect_t area;
  int height;

  hl_head_picker_set_view_state (HL_HEAD_PICKER (picker), state);
  gtk_widget_set_valign (picker, GTK_ALIGN_START);
  for (int width = 250; width <= 500; width += 50)
    {
      GtkWidget *window = panel_show (g_object_ref (picker), width, 400);
      const int grid_width = gtk_widget_get_width (GTK_WIDGET (grid));
      g_assert_true (hl_head_grid_get_cell_area (grid, 5, 11, &area));
      g_assert_cmpfloat (area.origin.x + area.size.width, <=, grid_width);
      const int label_width = (int) (area.origin.x - 11 * area.size.width);
      g_assert_cmpint ((int) area.size.width, ==, CLAMP ((grid_width - label_width) / 12, 12, 32));
      gtk_widget_measure (picker, GTK_ORIENTATION_VERTICAL, grid_width, NULL, &height, NULL, NULL);
      g_assert_cmpint (gtk_widget_get_height (picker), ==, height);
      g_assert_cmpfloat (area.origin.y + area.size.height, <=, gtk_widget_get_height (GTK_WIDGET (grid)));
      gtk_window_set_child (GTK_WINDOW (window), NULL);
      gtk_window_destroy (GTK_WINDOW (window));
    }
  g_object_unref (picker);
}

static gboolean
is_colour (GtkWidget *widget,
           guint      layer,
           guint      head,
           guint      palette_head)
{
  const HlColour wanted = hl_palette_get_head_colour (palette_head, FALSE);
  graphene_rect_t area;
  GdkRGBA seen;

  g_assert_true (hl_head_grid_get_cell_area (HL_HEAD_GRID (widget), layer, head, &area));
  /* Its frame: in the middle there is the picture. */
  panel_get_pixel (widget, (int) area.origin.x + 2, (int) (area.origin.y + area.size.height / 2), &seen);
  return ABS (seen.red - wanted.r) < 0.02 && ABS (seen.green - wanted.g) < 0.02 && ABS (seen.blue - wanted.b) < 0.02 &&
         seen.alpha > 0.98;
}

/* Shown heads of the shown layer have their colours, all others have none. A heatmap shows one. */
static void
test_pixels (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&small);
  GtkWidget *picker = g_object_new (HL_TYPE_HEAD_PICKER, NULL);
  GtkWidget *grid = GTK_WIDGET (get_grid (picker));

  hl_head_picker_set_view_state (HL_HEAD_PICKER (picker), state);
  hl_view_state_go_to (state, 2, 3);
  hl_view_state_toggle_head (state, 5);
  GtkWidget *window = panel_show (picker, 300, 300);
  for (guint layer = 0; layer < small.n_layers; layer++)
    for (guint head = 0; head < (layer == 1 ? small.few_heads : small.n_heads); head++)
      g_assert_true (is_colour (grid, layer, head, head) == (layer == 2 && (head == 3 || head == 5)));
  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  panel_wait (50);
  g_assert_true (is_colour (grid, 2, 3, 3));
  g_assert_false (is_colour (grid, 2, 5, 5));
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
get_centre (HlHeadGrid *grid,
            guint       layer,
            guint       head,
            GdkRGBA    *seen)
{
  graphene_rect_t area;

  g_assert_true (hl_head_grid_get_cell_area (grid, layer, head, &area));
  panel_get_pixel (GTK_WIDGET (grid), (int) (area.origin.x + area.size.width / 2),
                   (int) (area.origin.y + area.size.height / 2), seen);
}

static void
assert_legend (HlHeadGrid *grid,
               const char *wanted,
               const char *wanted_least,
               const char *wanted_greatest)
{
  g_autofree char *least = NULL;
  g_autofree char *greatest = NULL;
  g_autofree char *name = hl_head_grid_dup_legend (grid, &least, &greatest);

  g_assert_cmpstr (name, ==, wanted);
  g_assert_cmpstr (least, ==, wanted_least);
  g_assert_cmpstr (greatest, ==, wanted_greatest);
}

/* Pictures, then the colours of a number, which are there when it is known of all heads. */
static void
test_map (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&small);
  GtkWidget *picker = g_object_new (HL_TYPE_HEAD_PICKER, NULL);
  HlHeadGrid *grid = get_grid (picker);
  const guint n = 5 * small.n_heads + small.few_heads;
  g_autofree double *values = g_new (double, n);
  GdkRGBA unknown, low, high;

  hl_head_picker_set_view_state (HL_HEAD_PICKER (picker), state);
  hl_view_state_go_to (state, 5, 11);
  GtkWidget *window = panel_show (picker, 300, 300);
  assert_legend (grid, "Weights", "0", "1");
  hl_view_state_set_option (state, colour_by, HL_HEAD_MEASURE_SINK);
  panel_wait (50);
  assert_legend (grid, "weight in the sink", NULL, NULL);
  get_centre (grid, 0, 0, &unknown);

  for (guint i = 0; i < n; i++)
    values[i] = 0.25 + 0.5 * i / (n - 1);
  g_autoptr (HlHeadNumbers) numbers = hl_view_state_ref_numbers (state);
  g_autoptr (HlHeadNumbers) known = hl_head_numbers_give (numbers, HL_HEAD_STAT_SINK, values);
  hl_view_state_set_numbers (state, known);
  panel_wait (50);
  assert_legend (grid, "weight in the sink", "25 %", "75 %");
  get_centre (grid, 0, 0, &low);
  get_centre (grid, 5, 10, &high);
  g_assert_cmpfloat (low.red + low.green + low.blue, >, high.red + high.green + high.blue + 0.5);
  /* What is not known does not look like what is low. */
  g_assert_cmpfloat (ABS (unknown.red - low.red) + ABS (unknown.green - low.green), >, 0.2);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* What colours tell is chosen where it is said, and chosen elsewhere it is said here. */
static void
test_choice (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&small);
  GtkWidget *picker = g_object_new (HL_TYPE_HEAD_PICKER, NULL);
  GtkDropDown *choice = GTK_DROP_DOWN (panel_get_child (picker, "colour_by"));

  hl_head_picker_set_view_state (HL_HEAD_PICKER (picker), state);
  GtkWidget *window = panel_show (picker, 300, 300);
  g_assert_cmpint (hl_measure_choice_get (choice), ==, HL_HEAD_MEASURE_NONE);
  hl_measure_choice_select (choice, HL_HEAD_MEASURE_SINK);
  g_assert_cmpint (hl_view_state_get_options (state)->colour_by, ==, HL_HEAD_MEASURE_SINK);
  assert_legend (get_grid (picker), "weight in the sink", NULL, NULL);
  hl_view_state_set_option (state, colour_by, HL_HEAD_MEASURE_ENTROPY);
  panel_wait (50);
  g_assert_cmpint (hl_measure_choice_get (choice), ==, HL_HEAD_MEASURE_ENTROPY);
  gtk_drop_down_set_selected (choice, 0);
  assert_legend (get_grid (picker), "Weights", "0", "1");
  /* With the keyboard, from the cells on. */
  g_assert_true (gtk_widget_get_focusable (gtk_widget_get_first_child (GTK_WIDGET (choice))));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* What is asked for without a width is never more than what is asked for with one. */
static void
test_measure (void)
{
  const PanelAttention *const sizes[] = { &small, &large, &(PanelAttention){ .n_layers = 2, .n_heads = 2, .n = 8 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (HlViewState) state = panel_state_new (sizes[i]);
      GtkWidget *picker = g_object_ref_sink (g_object_new (HL_TYPE_HEAD_PICKER, NULL));
      GtkWidget *measured[] = { picker, GTK_WIDGET (get_grid (picker)) };

      hl_head_picker_set_view_state (HL_HEAD_PICKER (picker), state);
      for (guint j = 0; j < G_N_ELEMENTS (measured); j++)
        {
          int least_width, least, minimum, natural;
          gtk_widget_measure (measured[j], GTK_ORIENTATION_HORIZONTAL, -1, &least_width, NULL, NULL, NULL);
          gtk_widget_measure (measured[j], GTK_ORIENTATION_VERTICAL, -1, &least, &natural, NULL, NULL);
          g_assert_cmpint (natural, >=, least);
          for (int width = least_width; width < 500; width += 7)
            {
              gtk_widget_measure (measured[j], GTK_ORIENTATION_VERTICAL, width, &minimum, &natural, NULL, NULL);
              g_assert_cmpint (minimum, >=, least);
              g_assert_cmpint (natural, >=, minimum);
            }
        }
      g_assert_finalize_object (picker);
    }
}

/* That there are more layers and heads than those in sight is said. */
static void
test_part (void)
{
  g_autoptr (HlViewState) few = panel_state_new (&small);
  g_autoptr (HlViewState) state = panel_state_new (&large);
  GtkWidget *picker = g_object_new (HL_TYPE_HEAD_PICKER, NULL);
  HlHeadGrid *grid = get_grid (picker);
  guint first, last, n;

  hl_head_picker_set_view_state (HL_HEAD_PICKER (picker), few);
  GtkWidget *window = panel_show (picker, 300, 300);
  g_assert_null (hl_head_grid_dup_part (grid));
  hl_head_picker_set_view_state (HL_HEAD_PICKER (picker), state);
  panel_wait (100);
  g_autofree char *part = hl_head_grid_dup_part (grid);
  g_assert_cmpint (sscanf (part, "Layers %u–%u of %u · Heads", &first, &last, &n), ==, 3);
  g_assert_cmpuint (first, ==, 0);
  g_assert_cmpuint (n, ==, large.n_layers);
  hl_view_state_go_to (state, 47, 0);
  panel_wait (100);
  g_autofree char *end = hl_head_grid_dup_part (grid);
  g_assert_nonnull (strstr (end, "–47 of 48"));
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_func ("/head-picker/life", test_life);
  g_test_add_func ("/head-picker/cells", test_cells);
  g_test_add_func ("/head-picker/keys", test_keys);
  g_test_add_func ("/head-picker/keys-combined", test_keys_combined);
  g_test_add_func ("/head-picker/clicks", test_clicks);
  g_test_add_func ("/head-picker/scrolling", test_scrolling);
  g_test_add_func ("/head-picker/size", test_size);
  g_test_add_func ("/head-picker/pixels", test_pixels);
  g_test_add_func ("/head-picker/map", test_map);
  g_test_add_func ("/head-picker/choice", test_choice);
  g_test_add_func ("/head-picker/measure", test_measure);
  g_test_add_func ("/head-picker/part", test_part);
  return g_test_run ();
}
