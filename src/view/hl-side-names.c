/* SPDX-License-Identifier: MIT */
#include "view/hl-side-names.h"

#include "core/base/file/hl-file-name.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Of a text, as much as a title has room for. */
#define MAX_TEXT 40

#define ELLIPSIS "…"

static void
append (char      **name,
        const char *part)
{
  char *longer = *name != NULL ? g_strdup_printf ("%s, %s", *name, part) : g_strdup (part);

  g_free (*name);
  *name = longer;
}

/* Words of a text, whatever stands between them. */
static GPtrArray *
list_words (const char *text)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_auto (GStrv) parts = g_strsplit_set (valid, " \t\n\r\v\f", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] != '\0')
      g_ptr_array_add (words, g_strdup (parts[i]));
  return words;
}

/* "… tired …": some of the words, and that there are others. */
static char *
cut_out (GPtrArray *words,
         guint      first,
         guint      end)
{
  GString *text = g_string_new (first > 0 ? ELLIPSIS " " : NULL);
  gboolean is_cut = end < words->len;

  for (guint i = first; i < end; i++)
    g_string_append_printf (text, "%s%s", i > first ? " " : "", (const char *) words->pdata[i]);
  if (g_utf8_strlen (text->str, -1) > MAX_TEXT)
    {
      g_string_truncate (text, (gsize) (g_utf8_offset_to_pointer (text->str, MAX_TEXT - 2) - text->str));
      g_strchomp (text->str);
      text->len = strlen (text->str);
      is_cut = TRUE;
    }
  if (is_cut)
    g_string_append (text, end > first ? " " ELLIPSIS : ELLIPSIS);
  return g_string_free (text, FALSE);
}

/* The words in which two texts differ, in short: "… tired" and "… wide". */
void
hl_side_names_differ_texts (const char *text_a,
                            const char *text_b,
                            char      **name_a,
                            char      **name_b)
{
  g_autoptr (GPtrArray) a = list_words (text_a);
  g_autoptr (GPtrArray) b = list_words (text_b);
  const guint least = MIN (a->len, b->len);
  guint n_before = 0, n_after = 0;

  while (n_before < least && g_str_equal (a->pdata[n_before], b->pdata[n_before]))
    n_before++;
  while (n_after < least - n_before && g_str_equal (a->pdata[a->len - 1 - n_after], b->pdata[b->len - 1 - n_after]))
    n_after++;
  /* Where one has a word more, the other is told by a word beside the gap. */
  if (n_before + n_after == least && n_before > 0)
    n_before--;
  else if (n_before + n_after == least && n_after > 0)
    n_after--;
  *name_a = cut_out (a, n_before, a->len - n_after);
  *name_b = cut_out (b, n_before, b->len - n_after);
}

/* Files of one name are told apart by their folders. */
static void
append_files (HlDocument *document_a,
              HlDocument *document_b,
              char      **name_a,
              char      **name_b)
{
  GFile *file_a = hl_document_get_file (document_a), *file_b = hl_document_get_file (document_b);
  g_autofree char *a = hl_file_dup_display_name (file_a);
  g_autofree char *b = hl_file_dup_display_name (file_b);

  if (!g_str_equal (a, b))
    {
      append (name_a, a);
      append (name_b, b);
      return;
    }
  g_autoptr (GFile) folder_a = g_file_get_parent (file_a);
  g_autoptr (GFile) folder_b = g_file_get_parent (file_b);
  if (folder_a == NULL || folder_b == NULL || g_file_equal (folder_a, folder_b))
    return;
  g_autofree char *in_a = hl_file_dup_display_name (folder_a);
  g_autofree char *in_b = hl_file_dup_display_name (folder_b);
  g_autofree char *long_a = g_strdup_printf ("%s/%s", in_a, a);
  g_autofree char *long_b = g_strdup_printf ("%s/%s", in_b, b);
  append (name_a, long_a);
  append (name_b, long_b);
}

/* Texts may differ in nothing but spaces. */
static void
append_texts (const char *text_a,
              const char *text_b,
              char      **name_a,
              char      **name_b)
{
  g_autofree char *words_a = NULL;
  g_autofree char *words_b = NULL;

  if (g_strcmp0 (text_a, text_b) == 0)
    return;
  hl_side_names_differ_texts (text_a != NULL ? text_a : "", text_b != NULL ? text_b : "", &words_a, &words_b);
  if (g_str_equal (words_a, words_b))
    return;
  append (name_a, *words_a != '\0' ? words_a : "–");
  append (name_b, *words_b != '\0' ? words_b : "–");
}

static void
append_examples (HlExample *a,
                 HlExample *b,
                 char     **name_a,
                 char     **name_b)
{
  if (g_strcmp0 (hl_example_get_name (a), hl_example_get_name (b)) != 0)
    {
      append (name_a, hl_example_get_name (a) != NULL ? hl_example_get_name (a) : "–");
      append (name_b, hl_example_get_name (b) != NULL ? hl_example_get_name (b) : "–");
    }
  append_texts (hl_example_get_text (a), hl_example_get_text (b), name_a, name_b);
  append_texts (hl_example_get_text_pair (a), hl_example_get_text_pair (b), name_a, name_b);
}

static void
append_file (HlDocument *document,
             char      **name)
{
  g_autofree char *file = hl_file_dup_display_name (hl_document_get_file (document));

  append (name, file);
}

/* Whether more heads of the first side are seen than the one that leads. */
static gboolean
shows_all (const HlShown *shown)
{
  const HlViewTraits *view = hl_view_kind_get_traits (shown->options.view);

  return view->shows_all_heads || view->shows_all_layers || (view->shows_charts && !shown->shows_one_head);
}

/* "3·4", "layer 3" or "head 4": of the second side, what all are compared with. */
static char *
dup_place (const HlHeadPairing *pairing)
{
  if (pairing->head < 0)
    return g_strdup_printf (_ ("layer %u"), (guint) pairing->layer);
  if (pairing->layer < 0)
    return g_strdup_printf (_ ("head %u"), (guint) pairing->head);
  return g_strdup_printf ("%d·%d", pairing->layer, pairing->head);
}

/* "5·5" and "5·6", where the second side has a head or a layer of its own. */
static void
append_heads (HlSides    *sides,
              HlDocument *document_a,
              HlDocument *document_b,
              char      **name_a,
              char      **name_b)
{
  HlViewState *a = hl_sides_get_a (sides), *b = hl_sides_get_b (sides);
  const HlHeadPairing *pairing = hl_sides_get_pairing (sides);
  const HlShown *shown = hl_view_state_get_shown (a);

  if ((pairing->layer < 0 && pairing->head < 0) || shown->merges_heads || shown->merges_layers)
    return;
  if (shows_all (shown))
    {
      g_autofree char *place = dup_place (pairing);

      if (*name_a == NULL)
        {
          append_file (document_a, name_a);
          append_file (document_b, name_b);
        }
      append (name_b, place);
      return;
    }
  g_autofree char *head_a = g_strdup_printf ("%u·%u", hl_view_state_get_layer (a), hl_view_state_get_head (a));
  g_autofree char *head_b = g_strdup_printf ("%u·%u", hl_view_state_get_layer (b), hl_view_state_get_head (b));
  append (name_a, head_a);
  append (name_b, head_b);
}

/*
 * Which files, or of one file which examples and texts, and which heads; where nothing differs, the name of the file.
 * Heads and views may change while sides are compared: HlSides::changed tells.
 */
void
hl_side_names_make (HlSides    *sides,
                    HlDocument *document_a,
                    HlDocument *document_b,
                    char      **name_a,
                    char      **name_b)
{
  g_return_if_fail (HL_IS_SIDES (sides));
  g_return_if_fail (HL_IS_DOCUMENT (document_a) && HL_IS_DOCUMENT (document_b));

  *name_a = *name_b = NULL;
  append_files (document_a, document_b, name_a, name_b);
  if (*name_a == NULL)
    append_examples (hl_view_state_get_example (hl_sides_get_a (sides)),
                     hl_view_state_get_example (hl_sides_get_b (sides)), name_a, name_b);
  append_heads (sides, document_a, document_b, name_a, name_b);
  if (*name_a != NULL)
    return;
  append_file (document_a, name_a);
  append_file (document_b, name_b);
}
