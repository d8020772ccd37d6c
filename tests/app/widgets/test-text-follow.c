/* SPDX-License-Identifier: MIT */
/* The cursor is seen behind what was pasted, however many lines there were, and after it is undone. */
#include "panel-support.h"

#include "app/live/hl-text-field.h"
#include "app/widgets/hl-text-follow.h"

#include <string.h>

static char *
make_lines (guint n)
{
  g_autoptr (GString) text = g_string_new ("w1");

  for (guint i = 1; i < n; i++)
    g_string_append_printf (text, "\nw%u", i + 1);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* And all the room there is has lines. */
static gboolean
cursor_is_seen (GtkTextView *view)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GdkRectangle seen, cursor, last;
  GtkTextIter iter;

  gtk_text_view_get_visible_rect (view, &seen);
  gtk_text_buffer_get_iter_at_mark (buffer, &iter, gtk_text_buffer_get_insert (buffer));
  gtk_text_view_get_iter_location (view, &iter, &cursor);
  gtk_text_buffer_get_end_iter (buffer, &iter);
  gtk_text_view_get_iter_location (view, &iter, &last);
  return cursor.y >= seen.y && cursor.y + cursor.height <= seen.y + seen.height + 1 &&
         (seen.y == 0 || seen.y + seen.height <= last.y + last.height + 1);
}

/* For longer than the view would need to pass the place on its way to another. */
static void
assert_cursor_is_seen (GtkTextView *view)
{
  guint n_seen = 0;

  PANEL_WAIT_UNTIL ((n_seen = cursor_is_seen (view) ? n_seen + 1 : 0) > 15 || (panel_wait (10), FALSE));
}

static void
paste (GtkTextView *view,
       const char  *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextIter start, end;

  gtk_widget_grab_focus (GTK_WIDGET (view));
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  gtk_text_buffer_select_range (buffer, &start, &end);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (view)), text);
  g_signal_emit_by_name (view, "paste-clipboard");
  PANEL_WAIT_UNTIL (gtk_text_buffer_get_char_count (buffer) == (int) strlen (text) &&
                    !gtk_text_buffer_get_has_selection (buffer));
}

/* More lines than are seen, over few, over as many, and scrolled to either end. */
static void
check (GtkWidget   *child,
       GtkTextView *view)
{
  static const guint sizes[] = { 1, 3, 14, 14, 100, 14, 2, 14 };
  GtkWidget *window = panel_show (child, 400, 200);

  gtk_widget_set_valign (child, GTK_ALIGN_END);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint at_start = 0; at_start < 2; at_start++)
      {
        g_autofree char *text = make_lines (sizes[i]);

        g_test_message ("%u lines%s", sizes[i], at_start ? ", from the first" : "");
        if (at_start)
          gtk_adjustment_set_value (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view)), 0);
        panel_wait (50);
        paste (view, text);
        assert_cursor_is_seen (view);
      }
  for (guint i = 0; i < 2 * G_N_ELEMENTS (sizes); i++)
    {
      if (i % 3 < 2)
        gtk_text_buffer_undo (gtk_text_view_get_buffer (view));
      else
        gtk_text_buffer_redo (gtk_text_view_get_buffer (view));
      assert_cursor_is_seen (view);
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

/* In a place of its own height. */
static void
test_view (void)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *view = gtk_text_view_new ();

  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), view);
  gtk_widget_set_size_request (scroller, -1, 80);
  hl_text_follow_view (GTK_TEXT_VIEW (view));
  check (scroller, GTK_TEXT_VIEW (view));
}

/* In one that grows with its lines. */
static void
test_field (void)
{
  GtkWidget *field = g_object_new (HL_TYPE_TEXT_FIELD, NULL);

  check (field, GTK_TEXT_VIEW (panel_get_child (field, "view")));
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text-follow/view", test_view);
  g_test_add_func ("/text-follow/field", test_field);
  return g_test_run ();
}
