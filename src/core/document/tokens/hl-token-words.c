/* SPDX-License-Identifier: MIT */
/* Which tokens are the pieces of one word. */
#include "core/document/tokens/hl-token-words.h"

#include "core/document/tokens/hl-token-text.h"

#define KATAKANA_LENGTH_MARK 0x30FC
#define JOINER 0x200D
#define THAI_SARA_AM 0xE33
#define LAO_AM 0xEB3
#define LONGEST_CHARACTER 4

/* The text that the tokens are pieces of; a special token leaves a line break there. */
typedef struct
{
  GString *text;
  gsize *starts;
  gsize counted;    /* up to where regional indicators were counted */
  guint n_regional; /* how many stand together there */
} Text;

/* 0 at either end and for what is no whole character. */
static gunichar
get_character (const Text *self,
               gsize       at)
{
  const gunichar c =
    at < self->text->len ? g_utf8_get_char_validated (self->text->str + at, (gssize) (self->text->len - at)) : 0;

  return (gint32) c < 0 ? 0 : c;
}

static gboolean
is_continuation (const Text *self,
                 gsize       at)
{
  return ((guchar) self->text->str[at] & 0xC0) == 0x80;
}

/* Pieces of bytes may be no characters at all: not more of them are passed than one has. */
static gsize
find_previous (const Text *self,
               gsize       at)
{
  const gsize least = at > LONGEST_CHARACTER ? at - LONGEST_CHARACTER : 0;

  if (at > 0)
    at--;
  while (at > least && is_continuation (self, at))
    at--;
  return at;
}

static gboolean
is_within_character (const Text *self,
                     gsize       at)
{
  gsize lead;

  if (at == 0 || at >= self->text->len || !is_continuation (self, at))
    return FALSE;
  lead = find_previous (self, at);
  return (guchar) self->text->str[lead] >= 0xC0 && lead + (gsize) g_utf8_skip[(guchar) self->text->str[lead]] > at;
}

/* Scripts that put no space between words: nothing in the text tells where one ends. */
static gboolean
is_unspaced (gunichar c)
{
  switch (g_unichar_get_script (c))
    {
    case G_UNICODE_SCRIPT_HAN:
    case G_UNICODE_SCRIPT_HIRAGANA:
    case G_UNICODE_SCRIPT_KATAKANA:
    case G_UNICODE_SCRIPT_BOPOMOFO:
    case G_UNICODE_SCRIPT_YI:
    case G_UNICODE_SCRIPT_THAI:
    case G_UNICODE_SCRIPT_LAO:
    case G_UNICODE_SCRIPT_KHMER:
    case G_UNICODE_SCRIPT_MYANMAR:
    case G_UNICODE_SCRIPT_TIBETAN:
    case G_UNICODE_SCRIPT_JAVANESE:
    case G_UNICODE_SCRIPT_BALINESE:
      return TRUE;
    default:
      return c == KATAKANA_LENGTH_MARK;
    }
}

static gboolean
is_katakana (gunichar c)
{
  return c == KATAKANA_LENGTH_MARK || g_unichar_get_script (c) == G_UNICODE_SCRIPT_KATAKANA;
}

/* What belongs to the character before it: marks, joiners, selectors, the skin of a face, vowels that begin with a
 * mark. */
static gboolean
extends (gunichar c)
{
  return g_unichar_ismark (c) || c == THAI_SARA_AM || c == LAO_AM ||
         (c != 0x200B && g_unichar_type (c) == G_UNICODE_FORMAT) || (c >= 0x1F3FB && c <= 0x1F3FF);
}

static gboolean
is_of_word (gunichar c)
{
  return g_unichar_isalnum (c) || g_unichar_type (c) == G_UNICODE_CONNECT_PUNCTUATION || extends (c);
}

static gboolean
is_regional (gunichar c)
{
  return c >= 0x1F1E6 && c <= 0x1F1FF;
}

/* "don't", "U.S" and "3.14" are one word each. */
static gboolean
is_held_together (gunichar before,
                  gunichar middle,
                  gunichar after)
{
  if (middle != '\'' && middle != 0x2019 && middle != '.' && middle != ',')
    return FALSE;
  return (g_unichar_isdigit (before) && g_unichar_isdigit (after)) ||
         (middle != ',' && g_unichar_isalpha (before) && g_unichar_isalpha (after));
}

/* How many regional indicators stand together before @at, which is never before where it was the last time. */
static guint
count_regional (Text *self,
                gsize at)
{
  for (; self->counted < at; self->counted++)
    if (!is_continuation (self, self->counted))
      self->n_regional = is_regional (get_character (self, self->counted)) ? self->n_regional + 1 : 0;
  return self->n_regional;
}

/* Whether the text begins a word at @at, a place between two pieces; they are asked for in their order. */
static gboolean
begins_word (Text *self,
             gsize at)
{
  const gsize last = find_previous (self, at);
  const gunichar a = get_character (self, last);
  const gunichar b = get_character (self, at);

  if (is_within_character (self, at))
    return FALSE;
  if (b == 0 || g_unichar_isspace (b) || a == '\n' || a == '\r' || a == '\t')
    return TRUE;
  /* A space that is a piece by itself belongs to what follows, as the space in other pieces does. */
  if (g_unichar_isspace (a))
    return FALSE;
  if (extends (b) || a == JOINER)
    return FALSE;
  /* Two are a flag. */
  if (is_regional (a) && is_regional (b))
    return count_regional (self, at) % 2 == 0;
  if (is_unspaced (a) || is_unspaced (b))
    return !(is_katakana (a) && is_katakana (b));
  if (is_of_word (a) && is_of_word (b))
    return FALSE;
  return !is_held_together (a, b, get_character (self, at + (gsize) g_utf8_skip[(guchar) self->text->str[at]])) &&
         !is_held_together (get_character (self, find_previous (self, last)), a, b);
}

static void
find_in_text (const char *const *tokens,
              gsize              n,
              HlTokenSpelling    spelling,
              guint8            *begins)
{
  g_autofree gsize *starts = g_new (gsize, n + 1);
  g_autoptr (GString) string = g_string_new (NULL);
  Text text = { string, starts, 0, 0 };

  for (gsize i = 0; i < n; i++)
    {
      starts[i] = string->len;
      if (hl_special_token_is (tokens[i]))
        g_string_append_c (string, '\n');
      else
        hl_token_spelling_append (spelling, tokens[i], string);
    }
  starts[n] = string->len;
  for (gsize i = 1; i < n; i++)
    begins[i] |= starts[i] == starts[i - 1] || starts[i + 1] == starts[i] || begins_word (&text, starts[i]);
}

/* Finds which pieces are one word. How tokens are spelt is told by all of them, see hl_token_spelling_detect(): -
 * Special tokens, as hl_special_token_is() tells them, stand alone. - Where a mark tells of every piece whether it
 * goes on (`##`, `@@`, `</w>`), that alone counts. Punctuation and Chinese characters are words of their own, as
 * those tokenizers cut them. - Where pieces hold the spaces of the text (`Ġ`, `▁`, a space), words begin at spaces,
 * and else between two pieces where the default rules of Unicode (Standard Annex 29, WB3a to WB16) have a boundary:
 * “flies.” is two words, “don't”, “U.S” and “3.14” are one each. Pieces are never cut. A space that is a piece of its
 * own belongs to what follows, a line break to nothing. In scripts without spaces (Chinese, Japanese, Thai and
 * others) each piece is a word, except that katakana run on; the pieces of one character are one. - Without any mark
 * nothing is put together. Returns 1 for each token that begins a word, 0 for those that go on. */
guint8 *
hl_token_words_find (const char *const *tokens,
                     gsize              n)
{
  const HlTokenSpelling spelling = hl_token_spelling_detect (tokens, n);
  guint8 *begins = g_new0 (guint8, MAX (n, 1));

  for (gsize i = 0; i < n; i++)
    begins[i] = i == 0 || spelling == HL_TOKEN_SPELLING_PLAIN || hl_special_token_is (tokens[i]) ||
                hl_special_token_is (tokens[i - 1]);
  if (hl_token_spelling_marks_spaces (spelling))
    find_in_text (tokens, n, spelling, begins);
  else
    for (gsize i = 1; i < n; i++)
      begins[i] |= !hl_token_spelling_continues_last (spelling, tokens[i]) &&
                   !hl_token_spelling_continues_next (spelling, tokens[i - 1]);
  return begins;
}

/* Puts the pieces of words together, as hl_token_words_find() finds them. No word goes on from one text to the other,
 * nor into padding. Returns a map that shows words, and tokens that are none by themselves. */
HlTokenMap *
hl_token_words_make_map (const char *const *tokens,
                         gsize              n_tokens,
                         gsize              sentence_b_start,
                         gsize              n_used)
{
  g_autofree guint8 *begins = hl_token_words_find (tokens, n_tokens);
  g_autofree HlTokenSpan *spans = g_new (HlTokenSpan, MAX (n_tokens, 1));
  gsize n = 0;

  for (gsize i = 0; i < n_tokens; i++)
    {
      if (begins[i] || i == 0 || i == sentence_b_start || i == n_used)
        spans[n++] = (HlTokenSpan){ i, 1 };
      else
        spans[n - 1].n++;
    }
  return hl_token_map_new_spans (n_tokens, spans, n);
}
