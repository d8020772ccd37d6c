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
       const char  *refusal,
       guint       *n)
{
  g_assert_cmpstr (refusal, !=, "");
  (*n)++;
}

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  fixture->field = g_object_new (HL_TYPE_TEXT_FIELD, NULL);
  fixture->view = GTK_TEXT_VIEW (panel_get_child (GTK_WIDGET (fixture->field), "view"));
  g_signal_connect (fixture->field, "refused", G_CALLBACK (count), &fixture->n_refused);
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

/* Marks upon one letter, as many as there can be and one more. */
static void
test_marks (Fixture      *fixture,
            gconstpointer data)
{
  g_autofree char *at_limit = panel_make_run ("\u0301", HL_LIMIT_FIELD_MARKS);
  g_autofree char *beyond = panel_make_run ("\u0301", HL_LIMIT_FIELD_MARKS + 1);

  g_assert_true (hl_text_field_set_text (fixture->field, at_limit));
  assert_text (fixture, at_limit);
  g_assert_false (hl_text_field_set_text (fixture->field, beyond));
  g_assert_cmpuint (fixture->n_refused, ==, 1);
  gtk_text_buffer_insert_at_cursor (gtk_text_view_get_buffer (fixture->view), "\u0301", -1);
  g_assert_cmpuint (fixture->n_refused, ==, 2);
  assert_text (fixture, at_limit);
}

/* Laying out words of that many letters takes minutes, and the test its time: lines of them end between any two letters. */
static void
test_long_word (Fixture      *fixture,
                gconstpointer data)
{
  static const char *const units[] = { "a", "MK", "a\u200d", "\u05d0b" };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      g_autofree char *word = panel_make_run (units[i], HL_LIMIT_FIELD_TEXT / strlen (units[i]));

      g_assert_true (hl_text_field_set_text (fixture->field, word));
      g_assert_cmpint (gtk_text_view_get_wrap_mode (fixture->view), ==, GTK_WRAP_CHAR);
      PANEL_WAIT_UNTIL (gtk_widget_get_height (GTK_WIDGET (fixture->view)) > 60);
    }
  /* Between wide letters lines end anyway, and between words as ever. */
  g_autofree char *wide = panel_make_run ("字", 10000);
  g_autofree char *words = panel_make_run ("word ", 10000);
  g_assert_true (hl_text_field_set_text (fixture->field, wide));
  g_assert_cmpint (gtk_text_view_get_wrap_mode (fixture->view), ==, GTK_WRAP_WORD_CHAR);
  g_assert_true (hl_text_field_set_text (fixture->field, words));
  g_assert_cmpint (gtk_text_view_get_wrap_mode (fixture->view), ==, GTK_WRAP_WORD_CHAR);
}

static void
count_change (guint *n)
{
  (*n)++;
}

/* A protein has no hyphens, wherever its lines end. */
static void
test_hyphens (Fixture      *fixture,
              gconstpointer data)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (fixture->view);
  GtkTextIter iter;

  g_assert_true (hl_text_field_set_text (fixture->field, "MKTAYIAKQR"));
  gtk_text_buffer_insert_at_cursor (buffer, "QISFVKSHFS", -1);
  for (gtk_text_buffer_get_start_iter (buffer, &iter); !gtk_text_iter_is_end (&iter);
       gtk_text_iter_forward_char (&iter))
    {
      g_autoptr (GSList) tags = gtk_text_iter_get_tags (&iter);
      gboolean hyphens = TRUE;
      for (GSList *tag = tags; tag != NULL; tag = tag->next)
        g_object_get (tag->data, "insert-hyphens", &hyphens, NULL);
      g_assert_false (hyphens);
    }
}

/* As a session is opened: the field has its text before it has any room, where each letter would be a line. */
static void
test_unplaced (void)
{
  HlTextField *field = g_object_new (HL_TYPE_TEXT_FIELD, NULL);
  GtkWidget *view = panel_get_child (GTK_WIDGET (field), "view");
  GtkScrolledWindow *scroll = GTK_SCROLLED_WINDOW (panel_get_child (GTK_WIDGET (field), "scroll"));
  g_autofree char *word = panel_make_run ("a", HL_LIMIT_FIELD_TEXT);

  guint n_changed = 0;
  g_signal_connect_swapped (field, "changed", G_CALLBACK (count_change), &n_changed);
  g_assert_true (hl_text_field_set_text (field, word));
  const guint n_before = n_changed;
  g_assert_cmpuint (n_before, >, 0);
  g_autofree char *waiting = hl_text_field_dup_text (field);
  g_assert_cmpstr (waiting, ==, word);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  g_assert_cmpint (gtk_text_buffer_get_char_count (buffer), ==, 0);
  GtkWidget *window = panel_show (GTK_WIDGET (field), 400, 200);
  PANEL_WAIT_UNTIL (gtk_text_buffer_get_char_count (buffer) == HL_LIMIT_FIELD_TEXT);
  PANEL_WAIT_UNTIL (gtk_widget_get_height (view) > 60);
  g_autofree char *text = hl_text_field_dup_text (field);
  g_assert_cmpstr (text, ==, word);
  g_assert_cmpuint (n_changed, ==, n_before);
  /* That of a few lines. */
  g_assert_cmpint (gtk_scrolled_window_get_max_content_height (scroll), >, 60);
  g_assert_cmpint (gtk_scrolled_window_get_max_content_height (scroll), <, 150);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Whoever goes to a field selects what is in it. */
static void
test_goes (void)
{
  HlTextField *field = g_object_new (HL_TYPE_TEXT_FIELD, NULL);
  GtkTextView *view = GTK_TEXT_VIEW (panel_get_child (GTK_WIDGET (field), "view"));
  GtkWidget *window = panel_show (GTK_WIDGET (field), 400, 200);
  GtkTextBuffer *buffer = NULL;

  g_set_weak_pointer (&buffer, gtk_text_view_get_buffer (view));
  g_assert_true (hl_text_field_set_text (field, "time flies"));
  hl_text_field_focus (field);
  g_assert_true (gtk_text_buffer_get_has_selection (buffer));
  gtk_window_destroy (GTK_WINDOW (window));
  g_assert_null (buffer);
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
  g_test_add ("/text-field/marks", Fixture, NULL, set_up, test_marks, tear_down);
  g_test_add ("/text-field/long-word", Fixture, NULL, set_up, test_long_word, tear_down);
  g_test_add ("/text-field/hyphens", Fixture, NULL, set_up, test_hyphens, tear_down);
  g_test_add_func ("/text-field/unplaced", test_unplaced);
  g_test_add_func ("/text-field/goes", test_goes);
  return g_test_run ();
}
