/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/details/hl-pair-text.h"

#include "core/document/tokens/hl-token-time.h"
#include "draw/text/hl-token-label.h"

#include <glib/gi18n.h>

/* That a row has room for in the words of a pair, beside where they stand; and in all. */
#define PAIR_LETTERS 16
#define PAIR_ROW_LETTERS 26
#define POSITION_LETTERS 4

/* A patch of an image and a stretch of time are told from their like by their names, which half of says nothing. */
static gboolean
names_its_place (const HlShown *shown,
                 HlSide         side,
                 gsize          index)
{
  HlPicturePatch patch;
  double start, end;

  return hl_attention_find_patch (shown->attention, side, index, &patch) ||
         hl_token_time_parse (hl_attention_get_texts (shown->attention, side)[index], &start, &end);
}

/* A token, of at most so many letters, and where it stands, which tells it from its like. */
static void
append_token (GString       *markup,
              GString       *spoken,
              const HlShown *shown,
              HlSide         side,
              gsize          index,
              guint          n_letters)
{
  const gsize position = hl_attention_get_position (shown->attention, side, index);
  const char *text = hl_attention_get_texts (shown->attention, side)[index];
  const gboolean is_place = names_its_place (shown, side, index);
  g_autofree char *token = hl_token_text_quote (text);
  g_autofree char *shortened = is_place ? g_strdup (token) : hl_token_text_shorten (text, n_letters);
  g_autofree char *escaped = g_markup_escape_text (shortened, -1);

  g_string_append (markup, escaped);
  if (!is_place)
    g_string_append_printf (markup, " <span size=\"smaller\" alpha=\"60%%\">%zu</span>", position);
  /* Translators: a token of the text, and its position */
  g_string_append_printf (spoken, _ ("%s, position %zu"), token, position);
}

/* What a word may have of the room of two; a short one leaves the other more. */
static guint
share_letters (const char *other)
{
  const guint length = (guint) MIN (g_utf8_strlen (other, -1), PAIR_LETTERS);

  return MAX (PAIR_LETTERS / 2, PAIR_LETTERS - length);
}

/* Names that are not shortened may need a line each; then all pairs have two. */
gboolean
hl_pair_text_needs_two_lines (const HlShown      *shown,
                              const HlStrongPair *pairs,
                              guint               n)
{
  glong longest = 0;

  g_return_val_if_fail (shown != NULL, FALSE);

  for (guint i = 0; i < n; i++)
    {
      const gsize tokens[] = { pairs[i].query, pairs[i].key };
      gboolean has_place = FALSE;
      glong length = 3;
      for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
        {
          const glong letters = g_utf8_strlen (hl_attention_get_texts (shown->attention, side)[tokens[side]], -1);
          const gboolean is_place = names_its_place (shown, side, tokens[side]);
          has_place = has_place || is_place;
          length += is_place ? letters : MIN (letters, PAIR_LETTERS / 2) + POSITION_LETTERS;
        }
      longest = MAX (longest, has_place ? length : 0);
    }
  return longest > PAIR_ROW_LETTERS;
}

/* @markup is read, @spoken is heard, of which nothing is left out. */
void
hl_pair_text_append (GString            *markup,
                     GString            *spoken,
                     const HlShown      *shown,
                     const HlStrongPair *pair,
                     gboolean            two_lines)
{
  g_return_if_fail (shown != NULL);
  g_return_if_fail (pair != NULL);

  const gsize tokens[] = { pair->query, pair->key };
  /* From the token that attends, whichever of them has the row. */
  const HlSide queries = hl_attention_is_transposed (shown->attention) ? HL_KEYS : HL_QUERIES;
  const HlSide keys = hl_side_get_other (queries);
  const char *query = hl_attention_get_texts (shown->attention, queries)[tokens[queries]];
  const char *key = hl_attention_get_texts (shown->attention, keys)[tokens[keys]];

  append_token (markup, spoken, shown, queries, tokens[queries], two_lines ? PAIR_LETTERS : share_letters (key));
  g_string_append (markup, two_lines ? "\n→ " : " → ");
  g_string_append (spoken, " → ");
  append_token (markup, spoken, shown, keys, tokens[keys], two_lines ? PAIR_LETTERS : share_letters (query));
}
