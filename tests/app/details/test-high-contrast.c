/* SPDX-License-Identifier: MIT */
/* What the side panel draws itself has the colours of high contrast where that is wanted. */
#include "panel-support.h"

#include "app/base/hl-high-contrast.h"
#include "app/details/hl-head-page.h"
#include "app/details/hl-pair-section.h"

#include <adwaita.h>

static const PanelAttention small = { .n_layers = 3, .n_heads = 4, .n = 12 };

/* How many pixels of a widget are of just this colour. */
static guint
count_pixels (GtkWidget      *widget,
              const HlColour *colour)
{
  const int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cairo_t *cr = cairo_create (surface);
  guint n = 0;

  gdk_paintable_snapshot (paintable, snapshot, width, height);
  g_autoptr (GskRenderNode) node = gtk_snapshot_to_node (snapshot);
  if (node != NULL)
    gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        const guint32 *row = (const guint32 *) (gconstpointer) (cairo_image_surface_get_data (surface) +
                                                                y * cairo_image_surface_get_stride (surface));
        n += row[x] == (0xff000000 | hl_colour_to_pixel (colour));
      }
  cairo_surface_destroy (surface);
  return n;
}

static void
test_theme (void)
{
  for (guint dark = 0; dark < 2; dark++)
    {
      g_assert_true (hl_high_contrast_get_theme (dark) == hl_theme_get_high_contrast (dark));
      g_assert_false (hl_theme_get_high_contrast (dark) == hl_theme_get (dark));
    }
}

static void
test_picture (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&small);
  HlHeadPage *page = g_object_new (HL_TYPE_HEAD_PAGE, NULL);
  GtkWidget *picture = panel_get_child (GTK_WIDGET (page), "picture");

  hl_state_panel_set_view_state (HL_STATE_PANEL (page), state);
  GtkWidget *window = panel_show (GTK_WIDGET (page), 260, 700);
  PANEL_WAIT_UNTIL (count_pixels (picture, &hl_theme_get_high_contrast (FALSE)->grid) > HL_HEAD_PICTURE_SIDE);
  g_assert_cmpuint (count_pixels (picture, &hl_theme_get (FALSE)->grid), ==, 0);
  /* What is pointed at has a frame that is seen. */
  hl_view_state_set_hovered (state, &(HlPick){ .kind = HL_PICK_QUERY, .query = 4 });
  PANEL_WAIT_UNTIL (count_pixels (picture, &hl_theme_get_high_contrast (FALSE)->accent) > HL_HEAD_PICTURE_SIDE);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_pair (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&small);
  GtkWidget *section = g_object_new (HL_TYPE_PAIR_SECTION, NULL);
  GtkWidget *grid = panel_get_child (section, "grid");

  hl_state_panel_set_view_state (HL_STATE_PANEL (section), state);
  hl_view_state_set_pinned (state, &(HlPick){ .kind = HL_PICK_CELL, .query = 4, .key = 2 });
  GtkWidget *window = panel_show (section, 260, 400);
  /* The head that is looked at is framed. */
  PANEL_WAIT_UNTIL (count_pixels (grid, &hl_theme_get_high_contrast (FALSE)->foreground) > 20);
  g_assert_cmpuint (count_pixels (grid, &hl_theme_get (FALSE)->foreground), ==, 0);
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int   argc,
      char *argv[])
{
  /* What the desktop would say. */
  g_setenv ("ADW_DEBUG_HIGH_CONTRAST", "1", TRUE);
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_func ("/high-contrast/theme", test_theme);
  g_test_add_func ("/high-contrast/picture", test_picture);
  g_test_add_func ("/high-contrast/pair", test_pair);
  return g_test_run ();
}
