/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/widgets/hl-text-guard.h"

#include "core/base/hl-limits.h"

#include <glib/gi18n.h>
#include <string.h>

/* Letters without a place to break a line between them. Pango lays out each line of them anew from where the one before it ends, so that
 * the time for whole words is the square of the number of letters: minutes for 100,000. */
#define MAX_WORD 500

/* Whether so many are on one letter; the time is the square of their number. */
static gboolean
has_many_marks (const char *text,
                gsize       length)
{
  guint n_marks = 0;

  for (const char *at = text; at < text + length; at = g_utf8_next_char (at))
    {
      n_marks = g_unichar_ismark (g_utf8_get_char (at)) ? n_marks + 1 : 0;
      if (n_marks > HL_LIMIT_FIELD_MARKS)
        return TRUE;
    }
  return FALSE;
}

/* Why nobody can write on a text with so many marks on one letter, as a sentence; %NULL if anybody can. */
char *
hl_text_guard_find_marks (const char *text)
{
  g_return_val_if_fail (text != NULL, NULL);

  return has_many_marks (text, strlen (text))
           ? g_strdup_printf (_ ("the text has more than %d marks on one letter, which cannot be written on"),
                              HL_LIMIT_FIELD_MARKS)
           : NULL;
}

/* Why nobody can write on a text in a field, as a sentence; %NULL if anybody can. */
char *
hl_text_guard_dup_refusal (const char *text)
{
  g_return_val_if_fail (text != NULL, NULL);

  if (strlen (text) > HL_LIMIT_FIELD_TEXT)
    return g_strdup_printf (_ ("the text is longer than %d KiB, which is more than can be written on"),
                            HL_LIMIT_FIELD_TEXT >> 10);
  return hl_text_guard_find_marks (text);
}

/* Lines end between words, if they can. Wide characters are those between which they end anyway; within a run of spaces none does. */
GtkWrapMode
hl_text_guard_get_wrap_mode (const char *text)
{
  gboolean after_space = FALSE;
  guint n = 0;

  g_return_val_if_fail (text != NULL, GTK_WRAP_CHAR);

  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    {
      const gunichar c = g_utf8_get_char (at);
      const gboolean is_space = g_unichar_isspace (c);
      n = (is_space && !after_space) || c == '\n' || g_unichar_iswide (c) ? 0 : n + 1;
      after_space = is_space;
      if (n > MAX_WORD)
        return GTK_WRAP_CHAR;
    }
  return GTK_WRAP_WORD_CHAR;
}

static void
on_entry_insert (GtkEditable *text,
                 const char  *inserted,
                 int          length,
                 int         *place,
                 gpointer     data)
{
  if (!has_many_marks (inserted, length >= 0 ? (gsize) length : strlen (inserted)))
    return;
  g_signal_stop_emission_by_name (text, "insert-text");
  gtk_widget_error_bell (GTK_WIDGET (text));
}

/* What would take too long does not get into a line that is written on, wherever it comes from. More than 65,535 characters GTK
 * itself does not let in. */
void
hl_text_guard_entry (GtkWidget *entry)
{
  g_return_if_fail (GTK_IS_EDITABLE (entry));

  GtkEditable *text = gtk_editable_get_delegate (GTK_EDITABLE (entry));
  g_signal_connect (text != NULL ? text : GTK_EDITABLE (entry), "insert-text", G_CALLBACK (on_entry_insert), NULL);
}

static void
on_view_insert (GtkTextBuffer *buffer,
                GtkTextIter   *place,
                const char    *inserted,
                int            length,
                GtkTextView   *view)
{
  if (!has_many_marks (inserted, length >= 0 ? (gsize) length : strlen (inserted)))
    return;
  g_signal_stop_emission_by_name (buffer, "insert-text");
  gtk_widget_error_bell (GTK_WIDGET (view));
}

static void
on_view_changed (GtkTextBuffer *buffer,
                 GtkTextView   *view)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  g_autofree char *text = gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
  gtk_text_view_set_wrap_mode (view, hl_text_guard_get_wrap_mode (text));
}

/* Whether a buffer never goes in which something was selected: GTK 4.8 takes a reference for what is selected, and never drops it. */
static gboolean
keeps_selected (void)
{
  static int keeps = -1;
  GtkTextBuffer *left = NULL;
  GtkTextIter start, end;

  if (keeps >= 0)
    return keeps;
  GtkTextBuffer *buffer = gtk_text_buffer_new (NULL);
  gtk_text_buffer_set_text (buffer, "a", -1);
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  gtk_text_buffer_select_range (buffer, &start, &end);
  gtk_text_buffer_place_cursor (buffer, &end);
  g_set_weak_pointer (&left, buffer);
  g_object_unref (buffer);
  keeps = left != NULL;
  if (left != NULL)
    g_object_unref (left);
  return keeps;
}

/* What offers the selection to others has just come with its reference, and goes before the buffer, which then tells it. */
static void
on_has_selection (GtkTextBuffer *buffer)
{
  if (gtk_text_buffer_get_has_selection (buffer))
    g_object_unref (buffer);
}

/* A buffer goes with the last that uses it, whatever was selected. */
void
hl_text_guard_buffer (GtkTextBuffer *buffer)
{
  g_return_if_fail (GTK_IS_TEXT_BUFFER (buffer));

  if (keeps_selected ())
    g_signal_connect (buffer, "notify::has-selection", G_CALLBACK (on_has_selection), NULL);
}

/* The same for a text of many lines, whose buffer goes with it. */
void
hl_text_guard_view (GtkTextView *view)
{
  g_return_if_fail (GTK_IS_TEXT_VIEW (view));

  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  hl_text_guard_buffer (buffer);
  g_signal_connect_object (buffer, "insert-text", G_CALLBACK (on_view_insert), view, 0);
  g_signal_connect_object (buffer, "changed", G_CALLBACK (on_view_changed), view, 0);
}
