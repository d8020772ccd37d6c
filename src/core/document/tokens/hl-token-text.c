/* SPDX-License-Identifier: MIT */
/* Tokens as the text they stand for. */
#include "core/document/tokens/hl-token-text.h"

#include <string.h>

#include "core/base/text/hl-byte-alphabet.h"

static gboolean
is_name (const char *text,
         gsize       length,
         const char *others)
{
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalnum (text[i]) && strchr (others, text[i]) == NULL)
      return FALSE;
  return length > 0;
}

/**
 * hl_special_token_is:
 * @token: a token as a tokenizer spells it
 *
 * Tokenizers set their special tokens apart by brackets: `[CLS]`, `[/INST]`, `<s>`, `</s>`, `<pad>`, `<|endoftext|>`,
 * `<start_of_turn>`, `<｜User｜>` with bars of full width. Bytes that SentencePiece falls back to, `<0x0A>`, are text.
 *
 * Returns: whether it is spelt like a special token
 */
gboolean
hl_special_token_is (const char *token)
{
  const gsize length = strlen (token);

  if (length < 3)
    return FALSE;
  if (token[0] == '[' && token[length - 1] == ']')
    {
      const gsize slash = token[1] == '/';
      return g_ascii_isupper (token[1 + slash]) && is_name (token + 1 + slash, length - 2 - slash, "_");
    }
  if (length > 8 && g_str_has_prefix (token, "<｜") && g_str_has_suffix (token, "｜>"))
    return memchr (token, ' ', length) == NULL;
  if (token[0] != '<' || token[length - 1] != '>' || (length == 6 && g_str_has_prefix (token, "<0x")))
    return FALSE;
  if (token[1] == '|' && length > 4 && token[length - 2] == '|')
    return is_name (token + 2, length - 4, "_-");
  const gsize slash = token[1] == '/';
  return is_name (token + 1 + slash, length - 2 - slash, "_-");
}

/* How the tokens of a text are written, told by all of them together: a dump says nothing else. */

#define WORD_PIECE "##"
#define SENTENCE_PIECE "▁"
#define WORD_END "</w>"
#define CONTINUED "@@"

/* A mark that stands alone is the text itself: "##" begins a heading. */
static gboolean
begins_with (const char *token,
             const char *mark)
{
  return g_str_has_prefix (token, mark) && token[strlen (mark)] != '\0';
}

static gboolean
ends_with (const char *token,
           const char *mark)
{
  return g_str_has_suffix (token, mark) && strlen (token) > strlen (mark);
}

/* Several vocabularies have runs of spaces as tokens besides their own way to write a space. */
static gboolean
is_blank (const char *token)
{
  return token[strspn (token, " ")] == '\0';
}

/* The byte that `<0xE4>` stands for, -1 if @text does not begin with such. */
static int
get_escaped_byte (const char *text)
{
  if (!g_str_has_prefix (text, "<0x") || !g_ascii_isxdigit (text[3]) || !g_ascii_isxdigit (text[4]) || text[5] != '>')
    return -1;
  return g_ascii_xdigit_value (text[3]) * 16 + g_ascii_xdigit_value (text[4]);
}

/* Adds the bytes that the characters stand for; nothing if one stands for none. */
static gboolean
append_bytes (const char *token,
              gsize       length,
              GString    *text)
{
  const gsize before = text->len;

  for (const char *p = token; p < token + length; p = g_utf8_next_char (p))
    {
      const int byte = hl_byte_alphabet_get_byte (g_utf8_get_char (p));
      if (byte < 0)
        {
          g_string_truncate (text, before);
          return FALSE;
        }
      g_string_append_c (text, (char) byte);
    }
  return TRUE;
}

/* How much speaks for an alphabet of bytes: characters beyond ASCII that come out whole and spaces, less what comes out
 * broken. Text that only looks like it (“café”, “łódź”) comes out broken nearly always. */
static gssize
weigh_bytes (const char *const *tokens,
             gsize              n,
             const char        *mark)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gssize weight = 0;

  for (gsize i = 0; i < n; i++)
    {
      const gsize before = text->len;
      gsize length = strlen (tokens[i]);

      if (hl_special_token_is (tokens[i]) || is_blank (tokens[i]))
        continue;
      if (mark != NULL && ends_with (tokens[i], mark))
        length -= strlen (mark);
      if (!append_bytes (tokens[i], length, text))
        weight--;
      else if (text->len > before && strchr (" \n\t\r", text->str[before]) != NULL && text->str[before] != '\0')
        weight++;
    }
  for (gsize i = 0; i < text->len;)
    {
      const gunichar c = g_utf8_get_char_validated (text->str + i, (gssize) (text->len - i));

      if ((gint32) c < 0)
        weight--;
      else if (c >= 0x80)
        weight++;
      i += (gint32) c < 0 || c == 0 ? 1 : (gsize) g_utf8_skip[(guchar) text->str[i]];
    }
  return weight;
}

/**
 * hl_token_spelling_detect:
 * @tokens: (array length=n): the tokens of a text, in order
 * @n: how many
 *
 * Counts the marks of each spelling and takes that with the most. Special tokens do not count.
 *
 * Returns: how they are written; %HL_TOKEN_SPELLING_PLAIN where there are no marks
 */
HlTokenSpelling
hl_token_spelling_detect (const char *const *tokens,
                          gsize              n)
{
  gssize counts[HL_TOKEN_SPELLING_CONTINUED + 1] = { 0 };
  gssize n_escaped = 0;
  HlTokenSpelling best = HL_TOKEN_SPELLING_PLAIN;

  g_return_val_if_fail (tokens != NULL || n == 0, HL_TOKEN_SPELLING_PLAIN);

  for (gsize i = 0; i < n; i++)
    {
      const char *token = tokens[i];

      if (hl_special_token_is (token))
        continue;
      counts[HL_TOKEN_SPELLING_WORD_PIECE] += begins_with (token, WORD_PIECE);
      counts[HL_TOKEN_SPELLING_SENTENCE_PIECE] += g_str_has_prefix (token, SENTENCE_PIECE);
      counts[HL_TOKEN_SPELLING_SPACES] += *token == ' ' && !is_blank (token);
      n_escaped += get_escaped_byte (token) >= 0x80;
      counts[HL_TOKEN_SPELLING_WORD_END] += ends_with (token, WORD_END);
      counts[HL_TOKEN_SPELLING_CONTINUED] += ends_with (token, CONTINUED);
    }
  /* Both write bytes so. */
  counts[counts[HL_TOKEN_SPELLING_SENTENCE_PIECE] > 0 ? HL_TOKEN_SPELLING_SENTENCE_PIECE : HL_TOKEN_SPELLING_SPACES] +=
    n_escaped;
  counts[HL_TOKEN_SPELLING_BYTES] = counts[HL_TOKEN_SPELLING_WORD_END] == 0 ? weigh_bytes (tokens, n, NULL) : 0;
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    if (counts[i] > counts[best])
      best = i;
  if (best == HL_TOKEN_SPELLING_WORD_END && weigh_bytes (tokens, n, WORD_END) > 0)
    return HL_TOKEN_SPELLING_WORD_END_BYTES;
  return best;
}

/* Tokens of files in which bytes are no whole character were made valid by writing them so; hl_utf8_make_valid(). */
static void
append_escaped (const char *token,
                GString    *text)
{
  while (*token != '\0')
    {
      const int byte = get_escaped_byte (token);
      g_string_append_c (text, byte >= 0x80 ? (char) byte : *token);
      token += byte >= 0x80 ? 6 : 1;
    }
}

static void
append_sentence_piece (const char *token,
                       GString    *text)
{
  const int byte = get_escaped_byte (token);

  if (byte >= 0 && token[6] == '\0')
    {
      g_string_append_c (text, (char) byte);
      return;
    }
  for (; *token != '\0'; token = g_utf8_next_char (token))
    {
      if (g_str_has_prefix (token, SENTENCE_PIECE))
        g_string_append_c (text, ' ');
      else
        g_string_append_len (text, token, g_utf8_skip[(guchar) *token]);
    }
}

/**
 * hl_token_spelling_append:
 * @self: a spelling
 * @token: a token, valid UTF-8, not special
 * @text: what it is added to
 *
 * Adds the text that a token is a piece of, without the marks of the spelling. That of several pieces in order is the
 * text, as far as the tokenizer kept it; that of one may be a part of a character and so no valid UTF-8. What cannot be
 * of this spelling (an added token) is taken as it is.
 */
void
hl_token_spelling_append (HlTokenSpelling self,
                          const char     *token,
                          GString        *text)
{
  gsize length;

  g_return_if_fail (token != NULL && text != NULL);

  length = strlen (token);
  switch (self)
    {
    case HL_TOKEN_SPELLING_PLAIN:
      g_string_append (text, token);
      break;
    case HL_TOKEN_SPELLING_WORD_PIECE:
      g_string_append (text, begins_with (token, WORD_PIECE) ? token + strlen (WORD_PIECE) : token);
      break;
    case HL_TOKEN_SPELLING_BYTES:
      if (!append_bytes (token, length, text))
        g_string_append (text, token);
      break;
    case HL_TOKEN_SPELLING_SENTENCE_PIECE:
      append_sentence_piece (token, text);
      break;
    case HL_TOKEN_SPELLING_SPACES:
      append_escaped (token, text);
      break;
    case HL_TOKEN_SPELLING_WORD_END:
    case HL_TOKEN_SPELLING_WORD_END_BYTES:
      length -= ends_with (token, WORD_END) ? strlen (WORD_END) : 0;
      if (self == HL_TOKEN_SPELLING_WORD_END || !append_bytes (token, length, text))
        g_string_append_len (text, token, (gssize) length);
      break;
    case HL_TOKEN_SPELLING_CONTINUED:
      g_string_append_len (text, token, (gssize) (length - (ends_with (token, CONTINUED) ? strlen (CONTINUED) : 0)));
      break;
    default:
      g_return_if_reached ();
    }
}

/**
 * hl_token_spelling_marks_spaces:
 * @self: a spelling
 *
 * Returns: whether pieces hold the spaces of the text, so that where a word begins is seen from the text and not told
 *   for every piece
 */
gboolean
hl_token_spelling_marks_spaces (HlTokenSpelling self)
{
  return self == HL_TOKEN_SPELLING_BYTES || self == HL_TOKEN_SPELLING_SENTENCE_PIECE ||
         self == HL_TOKEN_SPELLING_SPACES;
}

/**
 * hl_token_spelling_continues_next:
 * @self: a spelling
 * @token: a token
 *
 * Returns: whether a mark on it says that the next token is of the same word
 */
gboolean
hl_token_spelling_continues_next (HlTokenSpelling self,
                                  const char     *token)
{
  if (self == HL_TOKEN_SPELLING_WORD_END || self == HL_TOKEN_SPELLING_WORD_END_BYTES)
    return !ends_with (token, WORD_END);
  return self == HL_TOKEN_SPELLING_CONTINUED && ends_with (token, CONTINUED);
}

/**
 * hl_token_spelling_continues_last:
 * @self: a spelling
 * @token: a token
 *
 * Returns: whether a mark on it says that the token before it is of the same word
 */
gboolean
hl_token_spelling_continues_last (HlTokenSpelling self,
                                  const char     *token)
{
  return self == HL_TOKEN_SPELLING_WORD_PIECE && begins_with (token, WORD_PIECE);
}

/* The space before a word says nothing that its place does not say; a token of nothing else is one. */
static const char *
skip_space (const GString *text)
{
  const char *start = text->str;

  while (*start == ' ')
    start++;
  return *start != '\0' && !g_ascii_isspace (*start) ? start : text->str;
}

/* Characters as they are, bytes that are none as ‹E2›‹80›. There may be a million: none has more room than it needs. */
static char *
make_readable (const char *bytes,
               gsize       length)
{
  if (g_utf8_validate_len (bytes, length, NULL))
    return g_strndup (bytes, length);

  g_autoptr (GString) text = g_string_sized_new (length + 8);
  const char *end = bytes + length;

  while (bytes < end)
    {
      const gunichar c = g_utf8_get_char_validated (bytes, end - bytes);

      if ((gint32) c >= 0 && c != 0)
        {
          g_string_append_unichar (text, c);
          bytes += g_utf8_skip[(guchar) *bytes];
          continue;
        }
      if (*bytes == '\0')
        g_string_append (text, "␀");
      else
        g_string_append_printf (text, "‹%02X›", (guchar) *bytes);
      bytes++;
    }
  return g_strndup (text->str, text->len);
}

static char *
make_label (HlTokenSpelling spelling,
            const char     *token,
            GString        *scratch)
{
  const char *start;

  /* Marks of what does not stand for a space are how one sees that a word goes on. */
  if (hl_special_token_is (token) || spelling == HL_TOKEN_SPELLING_WORD_PIECE ||
      spelling == HL_TOKEN_SPELLING_CONTINUED)
    return g_strdup (token);
  g_string_truncate (scratch, 0);
  hl_token_spelling_append (spelling, token, scratch);
  start = skip_space (scratch);
  return make_readable (start, scratch->len - (gsize) (start - scratch->str));
}

/**
 * hl_token_text_make_labels:
 * @tokens: (array length=n): the tokens of a text, in order, as the tokenizer spells them
 * @n: how many
 *
 * Writes each token as the text it stands for, so that pieces of byte-level vocabularies can be read in every script.
 * Space before a text is left out, as others do. Bytes that are a part of a character only are written as numbers,
 * ‹E2›‹80›. `##ing` and special tokens stay as they are.
 *
 * Returns: (transfer full) (array zero-terminated=1): @n texts, valid UTF-8
 */
char **
hl_token_text_make_labels (const char *const *tokens,
                           gsize              n)
{
  const HlTokenSpelling spelling = hl_token_spelling_detect (tokens, n);
  g_autoptr (GString) scratch = g_string_new (NULL);
  char **labels = g_new0 (char *, n + 1);

  for (gsize i = 0; i < n; i++)
    labels[i] = make_label (spelling, tokens[i], scratch);
  return labels;
}

/**
 * hl_token_text_make_words:
 * @tokens: (array): the tokens of a text, in order, as the tokenizer spells them; as many as @map has
 * @map: which of them are shown as one
 *
 * Writes each span of a map as the text that it stands for, without marks.
 *
 * Returns: (transfer full) (array zero-terminated=1): a text for each span, valid UTF-8
 */
char **
hl_token_text_make_words (const char *const *tokens,
                          const HlTokenMap  *map)
{
  const HlTokenSpelling spelling = hl_token_spelling_detect (tokens, hl_token_map_get_n_tokens (map));
  const HlTokenSpan *spans = hl_token_map_get_spans (map);
  const gsize n = hl_token_map_get_n (map);
  g_autoptr (GString) scratch = g_string_new (NULL);
  char **words = g_new0 (char *, n + 1);

  for (gsize i = 0; i < n; i++)
    {
      const char *start;

      if (spans[i].n == 1)
        {
          words[i] = make_label (spelling, tokens[spans[i].first], scratch);
          continue;
        }
      g_string_truncate (scratch, 0);
      for (gsize token = spans[i].first; token < spans[i].first + spans[i].n; token++)
        hl_token_spelling_append (spelling, tokens[token], scratch);
      start = skip_space (scratch);
      words[i] = make_readable (start, scratch->len - (gsize) (start - scratch->str));
    }
  return words;
}
