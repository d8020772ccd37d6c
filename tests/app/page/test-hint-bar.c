/* SPDX-License-Identifier: MIT */
/* The line below a picture: whole in a window as narrow as a telephone, and as high whatever it says. */
#include "panel-support.h"

#include "app/page/hl-hint-bar.h"

#include <adwaita.h>

/* A telephone's, without the padding of the bar. */
#define WIDTH (360 - 2 * 12)

static const PanelAttention plain = { .n_layers = 2, .n_heads = 3, .n = 6 };

static GtkLabel *
get_label (GtkWidget  *bar,
           const char *name)
{
  return GTK_LABEL (panel_get_child (bar, name));
}

static void
assert_whole (GtkLabel *label)
{
  PangoLayout *layout = gtk_label_get_layout (label);

  g_test_message ("%s", gtk_label_get_label (label));
  g_assert_false (pango_layout_is_ellipsized (layout));
  g_assert_cmpint (pango_layout_get_line_count (layout), <=, 2);
}

static int
measure (GtkWidget *bar)
{
  int height;

  gtk_widget_measure (bar, GTK_ORIENTATION_VERTICAL, WIDTH, NULL, &height, NULL, NULL);
  return height;
}

static void
test_narrow (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&plain);
  GtkWidget *bar = g_object_new (HL_TYPE_HINT_BAR, NULL);
  const char *notice = "Chosen for you: layer 1 · head 2, attends to the same token earlier on";

  g_object_set (bar, "view-state", state, NULL);
  GtkWidget *window = panel_show (bar, WIDTH, 60);
  GtkLabel *label = get_label (bar, "hint");
  hl_hint_bar_set_notice (HL_HINT_BAR (bar), notice, "Show 0·0", "win.first-head", NULL);
  panel_wait (100);
  assert_whole (get_label (bar, "notice"));
  g_assert_cmpint (gtk_widget_get_width (bar), <=, WIDTH);
  const int height = measure (bar);
  hl_hint_bar_set_notice (HL_HINT_BAR (bar), NULL, NULL, NULL, NULL);
  for (HlViewKind view = 0; view < HL_N_VIEW_KINDS; view++)
    for (HlViewHint hint = 0; hint < HL_N_VIEW_HINTS; hint++)
      {
        gtk_label_set_label (label, hl_view_kind_get_hint (view, hint));
        panel_wait (20);
        assert_whole (label);
        g_assert_cmpint (measure (bar), <=, height);
      }
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Where there is room, it is one line. */
static void
test_wide (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&plain);
  GtkWidget *bar = g_object_new (HL_TYPE_HINT_BAR, NULL);

  g_object_set (bar, "view-state", state, NULL);
  GtkWidget *window = panel_show (bar, 900, 60);
  hl_hint_bar_set_notice (HL_HINT_BAR (bar), "Chosen for you: layer 1 · head 2, attends to few tokens", "Show 0·0",
                          "win.first-head", NULL);
  panel_wait (100);
  g_assert_cmpint (pango_layout_get_line_count (gtk_label_get_layout (get_label (bar, "notice"))), ==, 1);
  gtk_window_destroy (GTK_WINDOW (window));
}

static gboolean
says (GtkWidget *bar,
      HlViewKind view,
      HlViewHint hint)
{
  return g_str_equal (gtk_stack_get_visible_child_name (GTK_STACK (panel_get_child (bar, "stack"))), "hint") &&
         g_str_equal (gtk_label_get_label (get_label (bar, "hint")), hl_view_kind_get_hint (view, hint));
}

/* What is pinned is not to be pinned, although the keyboard or the pointer is still there. */
static void
test_pinned (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&plain);
  GtkWidget *bar = g_object_ref_sink (g_object_new (HL_TYPE_HINT_BAR, NULL));
  const HlPick first = hl_pick_of (HL_QUERIES, 1), second = hl_pick_of (HL_QUERIES, 3);
  const HlPick cell = { HL_PICK_CELL, .query = 2, .key = 4 };

  g_object_set (bar, "view-state", state, NULL);
  hl_view_state_set_hovered (state, &first);
  g_assert_true (says (bar, HL_VIEW_HEAD_VIEW, HL_HINT_TOKEN));
  hl_view_state_set_pinned (state, &first);
  g_assert_true (says (bar, HL_VIEW_HEAD_VIEW, HL_HINT_PINNED));
  hl_view_state_set_hovered (state, &second);
  g_assert_true (says (bar, HL_VIEW_HEAD_VIEW, HL_HINT_TOKEN));
  hl_view_state_gather (state, &second);
  g_assert_true (says (bar, HL_VIEW_HEAD_VIEW, HL_HINT_PINNED));

  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  hl_view_state_set_hovered (state, &cell);
  g_assert_true (says (bar, HL_VIEW_HEATMAP, HL_HINT_CELL));
  hl_view_state_set_pinned (state, &cell);
  g_assert_true (says (bar, HL_VIEW_HEATMAP, HL_HINT_PINNED));
  hl_view_state_set_pinned (state, NULL);
  g_assert_true (says (bar, HL_VIEW_HEATMAP, HL_HINT_CELL));
  g_object_unref (bar);
}

/* What was chosen for one text is no news beside another. */
static void
test_compared (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&plain);
  g_autoptr (HlViewState) other = panel_state_new (&plain);
  GtkWidget *bar = g_object_ref_sink (g_object_new (HL_TYPE_HINT_BAR, NULL));

  g_object_set (bar, "view-state", state, NULL);
  hl_hint_bar_set_notice (HL_HINT_BAR (bar), "Chosen for you: layer 1 · head 2, attends to few tokens", "Show 0·0",
                          "win.first-head", NULL);
  g_assert_false (says (bar, HL_VIEW_HEAD_VIEW, HL_HINT_IDLE));
  hl_view_state_set_beside (state, other);
  g_assert_true (says (bar, HL_VIEW_HEAD_VIEW, HL_HINT_IDLE));
  g_object_unref (bar);
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/hint-bar/narrow", test_narrow);
  g_test_add_func ("/hint-bar/wide", test_wide);
  g_test_add_func ("/hint-bar/pinned", test_pinned);
  g_test_add_func ("/hint-bar/compared", test_compared);
  return g_test_run ();
}
