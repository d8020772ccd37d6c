/* SPDX-License-Identifier: MIT */
/* A text that is longer than what can be written on is refused, from wherever it comes, and takes nothing away. */
#include "panel-support.h"

#include "app/live/hl-text-field.h"
#include "core/base/hl-limits.h"

#include <string.h>

typedef struct
{
  HlTextField *field;
  GtkTextView *view;
  GtkWidget *window;
  guint n_refused;
} Fixture;

static void
count (HlTextField *field,
       guint       *n)
{
  (*n)++;
}

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  fixture->field = g_object_new (HL_TYPE_TEXT_FIELD, NULL);
  fixture->view = GTK_TEXT_VIEW (panel_get_child (GTK_WIDGET (fixture->field), "view"));
  g_signal_connect (fixture->field, "too-long", G_CALLBACK (count), &fixture->n_refused);
  fixture->window = panel_show (GTK_WIDGET (fixture->field), 400, 200);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
}

static char *
make_text (gsize length)
{
  char *text = g_malloc (length + 1);

  for (gsize i = 0; i < length; i++)
    text[i] = i % 60 == 59 ? '\n' : 'a';
  text[length] = '\0';
  return text;
}

static void
assert_text (Fixture    *fixture,
             const char *wanted)
{
  g_autofree char *text = hl_text_field_dup_text (fixture->field);

  g_assert_cmpstr (text, ==, wanted);
}

static void
test_set (Fixture      *fixture,
          gconstpointer data)
{
  g_autofree char *at_limit = make_text (HL_LIMIT_FIELD_TEXT);
  g_autofree char *beyond = make_text (HL_LIMIT_FIELD_TEXT + 1);

  g_assert_true (hl_text_field_set_text (fixture->field, "before"));
  g_assert_false (hl_text_field_set_text (fixture->field, beyond));
  assert_text (fixture, "before");
  g_assert_false (hl_text_field_replace_text (fixture->field, beyond));
  assert_text (fixture, "before");
  g_assert_cmpuint (fixture->n_refused, ==, 2);
  g_assert_true (hl_text_field_replace_text (fixture->field, at_limit));
  assert_text (fixture, at_limit);
  g_assert_cmpuint (fixture->n_refused, ==, 2);
}

/* A letter more, typed or put in by a method of writing. */
static void
test_insert (Fixture      *fixture,
             gconstpointer data)
{
  g_autofree char *at_limit = make_text (HL_LIMIT_FIELD_TEXT);

  g_assert_true (hl_text_field_set_text (fixture->field, at_limit));
  gtk_text_buffer_insert_at_cursor (gtk_text_view_get_buffer (fixture->view), "b", 1);
  g_assert_cmpuint (fixture->n_refused, ==, 1);
  assert_text (fixture, at_limit);
}

/* Over all that is selected, which would be replaced. */
static void
test_paste (Fixture      *fixture,
            gconstpointer data)
{
  const gsize length = HL_LIMIT_FIELD_TEXT + GPOINTER_TO_UINT (data);
  g_autofree char *text = make_text (length);

  hl_text_field_set_text (fixture->field, "before");
  hl_text_field_focus (fixture->field);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (fixture->view)), text);
  g_signal_emit_by_name (fixture->view, "paste-clipboard");
  if (length > HL_LIMIT_FIELD_TEXT)
    {
      PANEL_WAIT_UNTIL (fixture->n_refused > 0);
      assert_text (fixture, "before");
      return;
    }
  PANEL_WAIT_UNTIL (gtk_text_buffer_get_char_count (gtk_text_view_get_buffer (fixture->view)) == (int) length);
  assert_text (fixture, text);
  g_assert_cmpuint (fixture->n_refused, ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add ("/text-field/set", Fixture, NULL, set_up, test_set, tear_down);
  g_test_add ("/text-field/insert", Fixture, NULL, set_up, test_insert, tear_down);
  g_test_add ("/text-field/paste/at-limit", Fixture, GUINT_TO_POINTER (0), set_up, test_paste, tear_down);
  g_test_add ("/text-field/paste/beyond", Fixture, GUINT_TO_POINTER (1), set_up, test_paste, tear_down);
  return g_test_run ();
}
