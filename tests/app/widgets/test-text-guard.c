/* SPDX-License-Identifier: MIT */
/* What is written or pasted, and would take seconds to lay out, is refused or has other lines. */
#include "config.h"

#include "panel-support.h"

#include "app/widgets/hl-text-guard.h"
#include "core/base/hl-limits.h"

#include <adwaita.h>

static void
check_wrap (const char *unit,
            guint       n,
            GtkWrapMode expected)
{
  g_autofree char *run = panel_make_run (unit, n);
  g_autofree char *text = g_strdup_printf ("some words %s and more", run);

  g_assert_cmpint (hl_text_guard_get_wrap_mode (text), ==, expected);
}

/* Between the letters where there are no words, and in a run of spaces, within which no line ends. */
static void
test_wrap (void)
{
  check_wrap ("m", 400, GTK_WRAP_WORD_CHAR);
  check_wrap ("m", 600, GTK_WRAP_CHAR);
  check_wrap (" ", 400, GTK_WRAP_WORD_CHAR);
  check_wrap (" ", 600, GTK_WRAP_CHAR);
  check_wrap ("word ", 10000, GTK_WRAP_WORD_CHAR);
  check_wrap ("\n", 10000, GTK_WRAP_WORD_CHAR);
  check_wrap ("字", 10000, GTK_WRAP_WORD_CHAR);
}

static void
check_entry (GtkWidget *entry)
{
  g_autofree char *marks = panel_make_run ("\u0301", HL_LIMIT_FIELD_MARKS);
  g_autofree char *many = panel_make_run ("\u0301", HL_LIMIT_FIELD_MARKS + 1);
  GtkEditable *editable = GTK_EDITABLE (entry);

  g_object_ref_sink (entry);
  hl_text_guard_entry (entry);
  gtk_editable_set_text (editable, marks);
  g_assert_cmpstr (gtk_editable_get_text (editable), ==, marks);
  gtk_editable_set_text (editable, many);
  g_assert_cmpstr (gtk_editable_get_text (editable), ==, "");
  g_object_unref (entry);
}

static void
test_entries (void)
{
  check_entry (gtk_entry_new ());
  check_entry (gtk_search_entry_new ());
  check_entry (adw_entry_row_new ());
}

static char *
dup_text (GtkTextBuffer *buffer)
{
  char *text;

  g_object_get (buffer, "text", &text, NULL);
  return text;
}

static void
test_view (void)
{
  g_autofree char *many = panel_make_run ("\u0301", HL_LIMIT_FIELD_MARKS + 1);
  g_autofree char *letters = panel_make_run ("a", HL_LIMIT_FIELD_TEXT + 1);
  GtkWidget *view = g_object_ref_sink (gtk_text_view_new ());
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));

  hl_text_guard_view (GTK_TEXT_VIEW (view));
  gtk_text_buffer_set_text (buffer, "a list", -1);
  gtk_text_buffer_insert_at_cursor (buffer, many, -1);
  g_autofree char *kept = dup_text (buffer);
  g_assert_cmpstr (kept, ==, "a list");
  g_assert_cmpint (gtk_text_view_get_wrap_mode (GTK_TEXT_VIEW (view)), ==, GTK_WRAP_WORD_CHAR);
  gtk_text_buffer_set_text (buffer, letters, -1);
  g_autofree char *written = dup_text (buffer);
  g_assert_cmpstr (written, ==, letters);
  g_assert_cmpint (gtk_text_view_get_wrap_mode (GTK_TEXT_VIEW (view)), ==, GTK_WRAP_CHAR);
  g_object_unref (view);
}

static void
select_part (GtkTextBuffer *buffer,
             int            from,
             int            to)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_iter_at_offset (buffer, &start, from);
  gtk_text_buffer_get_iter_at_offset (buffer, &end, to);
  gtk_text_buffer_select_range (buffer, &start, &end);
}

/* It would be held by whatever was selected, and by nothing else. */
static void
test_selection (void)
{
  GtkWidget *view = gtk_text_view_new ();
  GtkTextBuffer *buffer = NULL;

  g_set_weak_pointer (&buffer, gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)));
  hl_text_guard_view (GTK_TEXT_VIEW (view));
  gtk_text_buffer_set_text (buffer, "a list", -1);
  GtkWidget *window = panel_show (view, 400, 200);
  select_part (buffer, 0, 3);
  select_part (buffer, 2, 6);
  select_part (buffer, 1, 1);
  select_part (buffer, 0, 6);
  gtk_text_buffer_delete_selection (buffer, TRUE, TRUE);
  gtk_text_buffer_set_text (buffer, "another", -1);
  select_part (buffer, 0, 7);
  g_autofree char *text = dup_text (buffer);
  g_assert_cmpstr (text, ==, "another");
  gtk_window_destroy (GTK_WINDOW (window));
  g_assert_null (buffer);
}

/* Without a place in a window as well. */
static void
test_unshown_selection (void)
{
  GtkTextBuffer *buffer = gtk_text_buffer_new (NULL);

  hl_text_guard_buffer (buffer);
  gtk_text_buffer_set_text (buffer, "a list", -1);
  select_part (buffer, 0, 3);
  select_part (buffer, 1, 1);
  g_assert_finalize_object (buffer);
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/text-guard/wrap", test_wrap);
  g_test_add_func ("/text-guard/entries", test_entries);
  g_test_add_func ("/text-guard/view", test_view);
  g_test_add_func ("/text-guard/selection", test_selection);
  g_test_add_func ("/text-guard/unshown-selection", test_unshown_selection);
  return g_test_run ();
}
