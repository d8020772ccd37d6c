/* SPDX-License-Identifier: MIT */
/* Where pairs of words are typed: the list of words is there while somebody types, and goes with the first sign that it is
 * not wanted. */
#include "panel-support.h"

#include "app/heads/hl-pair-entry.h"
#include "app/heads/hl-word-list.h"
#include "core/base/hl-limits.h"

#include <adwaita.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

static guint n_folded;

/* In place of GLib's: words are compared by it. */
__attribute__ ((visibility ("default"))) char *
g_utf8_casefold (const char *text,
                 gssize      length)
{
  n_folded++;
  return g_utf8_strdown (text, length);
}

static const PanelAttention plain = { .n_layers = 2, .n_heads = 3, .n = 12 };

typedef struct
{
  GtkWidget *window;
  GtkWidget *other;
  HlPairEntry *pairs;
  GtkEditable *entry;
  GtkWidget *words;
  char *found;
  guint n_edited;
} Fixture;

static void
on_find (Fixture    *fixture,
         const char *pairs)
{
  g_free (fixture->found);
  fixture->found = g_strdup (pairs);
}

static void
on_edited (Fixture *fixture)
{
  fixture->n_edited++;
}

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  g_autoptr (HlViewState) state = panel_state_new (&plain);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  fixture->pairs = g_object_new (HL_TYPE_PAIR_ENTRY, NULL);
  fixture->other = gtk_entry_new ();
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (fixture->pairs));
  gtk_box_append (GTK_BOX (box), fixture->other);
  fixture->window = panel_show (box, 300, 200);
  fixture->entry = GTK_EDITABLE (panel_get_child (GTK_WIDGET (fixture->pairs), "entry"));
  fixture->words = panel_get_child (GTK_WIDGET (fixture->pairs), "words");
  hl_pair_entry_set_attention (fixture->pairs, hl_view_state_get_attention (state));
  g_signal_connect_swapped (fixture->pairs, "find", G_CALLBACK (on_find), fixture);
  g_signal_connect_swapped (fixture->pairs, "edited", G_CALLBACK (on_edited), fixture);
  hl_pair_entry_focus (fixture->pairs);
  panel_wait (50);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (gtk_widget_get_root (fixture->other)));
  g_free (fixture->found);
}

static void
type (Fixture *fixture)
{
  gtk_editable_set_text (fixture->entry, "t");
  g_assert_true (gtk_widget_get_visible (fixture->words));
}

static gboolean
press (Fixture *fixture,
       guint    key)
{
  return hl_word_list_handle_key (HL_WORD_LIST (fixture->words), key);
}

static void
test_opens (Fixture      *fixture,
            gconstpointer data)
{
  g_assert_false (gtk_widget_get_visible (fixture->words));
  type (fixture);
  gtk_editable_set_text (fixture->entry, "no such word");
  g_assert_false (gtk_widget_get_visible (fixture->words));
  /* A pair that is set is no typing. */
  hl_pair_entry_set_pairs (fixture->pairs, "t");
  g_assert_false (gtk_widget_get_visible (fixture->words));
}

static void
test_chosen (Fixture      *fixture,
             gconstpointer data)
{
  type (fixture);
  g_assert_true (press (fixture, GDK_KEY_Down));
  g_assert_true (press (fixture, GDK_KEY_Return));
  g_assert_false (gtk_widget_get_visible (fixture->words));
  g_assert_true (g_str_has_suffix (gtk_editable_get_text (fixture->entry), " → "));
  g_assert_null (fixture->found);
}

static void
test_enter (Fixture      *fixture,
            gconstpointer data)
{
  /* Nothing is chosen in the list, and what is typed is a word, if one that others begin with: it is meant. */
  gtk_editable_set_text (fixture->entry, "arrow");
  g_assert_true (gtk_widget_get_visible (fixture->words));
  g_assert_false (press (fixture, GDK_KEY_Return));
  g_signal_emit_by_name (fixture->entry, "activate");
  g_assert_false (gtk_widget_get_visible (fixture->words));
  g_assert_cmpstr (fixture->found, ==, "arrow");
}

/* What is no word becomes the first one that begins with it; who tabs on leaves it. */
static void
test_completed (Fixture      *fixture,
                gconstpointer data)
{
  gtk_editable_set_text (fixture->entry, "tim");
  g_assert_true (press (fixture, GDK_KEY_Return));
  g_assert_false (gtk_widget_get_visible (fixture->words));
  g_assert_cmpstr (gtk_editable_get_text (fixture->entry), ==, "time#1 → ");
  gtk_editable_set_text (fixture->entry, "time#1 → ar");
  g_assert_true (press (fixture, GDK_KEY_Return));
  g_assert_cmpstr (gtk_editable_get_text (fixture->entry), ==, "time#1 → arrows");
  g_assert_null (fixture->found);
  gtk_editable_set_text (fixture->entry, "tim");
  g_assert_false (press (fixture, GDK_KEY_Tab));
  g_assert_cmpstr (gtk_editable_get_text (fixture->entry), ==, "tim");
}

static guint
count_rows (Fixture *fixture)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();

  panel_find_all (fixture->words, "GtkListBoxRow", rows);
  return rows->len;
}

/* What is compared with each letter that is typed, and becomes a row, has a limit. */
static void
test_long_words (Fixture      *fixture,
                 gconstpointer data)
{
  HlWordList *list = HL_WORD_LIST (fixture->words);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();
  int width;

  for (guint i = 0; i < 300; i++)
    g_ptr_array_add (words, g_strdup_printf ("word%u", i));
  g_ptr_array_add (words, panel_make_run ("w", 257));
  g_ptr_array_add (words, panel_make_run ("w", 256));
  g_ptr_array_add (words, g_strdup ("word"));
  n_folded = 0;
  hl_word_list_set_words (list, words);
  g_assert_cmpuint (n_folded, ==, 302);
  for (guint length = 1; length <= 4; length++)
    {
      g_autofree char *typed = g_strndup ("word", length);
      hl_word_list_show_for (list, typed);
      g_assert_cmpuint (count_rows (fixture), ==, 8);
    }
  g_assert_cmpuint (n_folded, ==, 306);
  /* It is a word itself, if one behind all that are offered. */
  g_assert_false (press (fixture, GDK_KEY_Return));
  hl_word_list_show_for (list, "ww");
  g_assert_cmpuint (count_rows (fixture), ==, 1);
  panel_find_all (fixture->words, "GtkLabel", labels);
  gtk_widget_measure (g_ptr_array_index (labels, 0), GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  g_assert_cmpint (width, <, 1000);
}

static void
test_escape (Fixture      *fixture,
             gconstpointer data)
{
  type (fixture);
  g_assert_true (press (fixture, GDK_KEY_Escape));
  g_assert_false (gtk_widget_get_visible (fixture->words));
  /* What is not for the list goes on. */
  g_assert_false (press (fixture, GDK_KEY_Escape));
}

static void
test_elsewhere (Fixture      *fixture,
                gconstpointer data)
{
  type (fixture);
  gtk_widget_grab_focus (fixture->other);
  PANEL_WAIT_UNTIL (!gtk_widget_get_visible (fixture->words));
}

static void
test_edited (Fixture      *fixture,
             gconstpointer data)
{
  hl_pair_entry_set_pairs (fixture->pairs, "nothing → nowhere");
  g_assert_cmpuint (fixture->n_edited, ==, 0);
  gtk_editable_insert_text (fixture->entry, "x", -1, &(int){ 0 });
  g_assert_cmpuint (fixture->n_edited, >, 0);
}

static const char *
read_list (Fixture    *fixture,
           const char *path)
{
  GtkLabel *said = GTK_LABEL (panel_get_child (GTK_WIDGET (fixture->pairs), "list_error"));
  g_autoptr (GFile) file = g_file_new_for_path (path);

  gtk_label_set_label (said, "");
  hl_pair_entry_read_list (fixture->pairs, file);
  PANEL_WAIT_UNTIL (*gtk_label_get_label (said) != '\0');
  return gtk_label_get_label (said);
}

/* A list is any file that somebody chose: one without an end, one that is no text, one that nobody writes into. */
static void
test_list (Fixture      *fixture,
           gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("headlight-pairs-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "pairs", NULL);
  g_autofree char *pipe = g_build_filename (folder, "pipe", NULL);

  g_assert_cmpstr (read_list (fixture, "/dev/zero"), ==, "The list is larger than 1 MiB");
  g_assert_true (g_file_set_contents (path, "a:b\0c:d", 7, NULL));
  g_assert_cmpstr (read_list (fixture, path), ==, "The list is not valid UTF-8");
  g_assert_nonnull (strstr (read_list (fixture, folder), "cannot be read"));
  g_autofree char *marks = panel_make_run ("\u0301", HL_LIMIT_FIELD_MARKS + 1);
  g_assert_true (g_file_set_contents (path, marks, -1, NULL));
  g_assert_true (g_str_has_prefix (read_list (fixture, path), "The text has more than"));
  /* One that is empty is read, too. */
  GtkTextBuffer *buffer =
    gtk_text_view_get_buffer (GTK_TEXT_VIEW (panel_get_child (GTK_WIDGET (fixture->pairs), "list")));
  gtk_text_buffer_set_text (buffer, "a → b", -1);
  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  g_autoptr (GFile) empty = g_file_new_for_path (path);
  hl_pair_entry_read_list (fixture->pairs, empty);
  PANEL_WAIT_UNTIL (gtk_text_buffer_get_char_count (buffer) == 0);
  /* With the widget, waiting ends. */
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_autoptr (GFile) file = g_file_new_for_path (pipe);
  hl_pair_entry_read_list (fixture->pairs, file);
  g_unlink (path);
  g_unlink (pipe);
  g_rmdir (folder);
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add ("/pair-entry/opens", Fixture, NULL, set_up, test_opens, tear_down);
  g_test_add ("/pair-entry/chosen", Fixture, NULL, set_up, test_chosen, tear_down);
  g_test_add ("/pair-entry/enter", Fixture, NULL, set_up, test_enter, tear_down);
  g_test_add ("/pair-entry/completed", Fixture, NULL, set_up, test_completed, tear_down);
  g_test_add ("/pair-entry/long-words", Fixture, NULL, set_up, test_long_words, tear_down);
  g_test_add ("/pair-entry/escape", Fixture, NULL, set_up, test_escape, tear_down);
  g_test_add ("/pair-entry/elsewhere", Fixture, NULL, set_up, test_elsewhere, tear_down);
  g_test_add ("/pair-entry/edited", Fixture, NULL, set_up, test_edited, tear_down);
  g_test_add ("/pair-entry/list", Fixture, NULL, set_up, test_list, tear_down);
  return g_test_run ();
}
