/* SPDX-License-Identifier: MIT */
/* Puts tokens together to the text that they were cut from, by how their tokenizer spells them. */
#include "draw/hl-piece-text.h"

#include <string.h>

/* How tokens say where words begin and end. */
typedef enum
{
  SPELLING_WORDS,          /* they do not: each is a word, or a CJK character */
  SPELLING_SPACES,         /* spaces are part of them */
  SPELLING_WORD_PIECE,     /* `##` goes before what continues a word */
  SPELLING_BYTE_LEVEL,     /* each character is a byte, `Ġ` a space */
  SPELLING_SENTENCE_PIECE, /* `▁` is a space, `<0x0A>` a byte */
  SPELLING_WORD_END,       /* `</w>` goes after what ends a word */
  SPELLING_JOINER,         /* `@@` goes after what does not end a word */
  N_SPELLINGS,
} Spelling;

typedef struct
{
  GByteArray *bytes;
  GArray *owners;
  guint32 token;
} Joiner;

static Spelling
get_spelling (const char *token)
{
  if (g_str_has_prefix (token, "##") && token[2] != '\0')
    return SPELLING_WORD_PIECE;
  if (g_str_has_prefix (token, "Ġ") || g_str_has_prefix (token, "Ċ"))
    return SPELLING_BYTE_LEVEL;
  if (g_str_has_prefix (token, "▁"))
    return SPELLING_SENTENCE_PIECE;
  if (g_str_has_suffix (token, "</w>"))
    return SPELLING_WORD_END;
  if (g_str_has_suffix (token, "@@") && token[2] != '\0')
    return SPELLING_JOINER;
  return *token == ' ' ? SPELLING_SPACES : SPELLING_WORDS;
}

/* The mark that most tokens have, of those that have one. */
static Spelling
detect_spelling (const char *const *tokens,
                 gsize              n)
{
  gsize counts[N_SPELLINGS] = { 0 };
  Spelling best = SPELLING_WORDS;

  for (gsize i = 0; i < n; i++)
    counts[get_spelling (tokens[i])]++;
  counts[SPELLING_WORDS] = 0;
  for (Spelling spelling = 0; spelling < N_SPELLINGS; spelling++)
    if (counts[spelling] > counts[best])
      best = spelling;
  return best;
}

static void
append (Joiner     *self,
        const void *bytes,
        gsize       n)
{
  g_byte_array_append (self->bytes, bytes, (guint) n);
  for (gsize i = 0; i < n; i++)
    g_array_append_val (self->owners, self->token);
}

/* GPT-2's characters of bytes: those that can be printed are themselves, the others follow from U+0100 on, in order. */
static gboolean
is_printed_byte (guint byte)
{
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

static gboolean
byte_from_character (gunichar c,
                     guint8  *byte)
{
  if (c < 0x100 && is_printed_byte (c))
    {
      *byte = (guint8) c;
      return TRUE;
    }
  gunichar next = 0x100;
  for (guint i = 0; i < 0x100 && next <= c; i++)
    if (!is_printed_byte (i) && next++ == c)
      {
        *byte = (guint8) i;
        return TRUE;
      }
  return FALSE;
}

static void
append_byte_level (Joiner     *self,
                   const char *token)
{
  for (const char *p = token; *p != '\0'; p = g_utf8_next_char (p))
    {
      guint8 byte;

      if (byte_from_character (g_utf8_get_char (p), &byte))
        append (self, &byte, 1);
      else
        append (self, p, (gsize) (g_utf8_next_char (p) - p));
    }
}

static void
append_sentence_piece (Joiner     *self,
                       const char *token)
{
  if (strlen (token) == strlen ("<0x0A>") && g_str_has_prefix (token, "<0x") && token[5] == '>' &&
      g_ascii_isxdigit (token[3]) && g_ascii_isxdigit (token[4]))
    {
      const guint8 byte = (guint8) (g_ascii_xdigit_value (token[3]) * 16 + g_ascii_xdigit_value (token[4]));
      append (self, &byte, 1);
      return;
    }
  for (const char *p = token; *p != '\0'; p = g_utf8_next_char (p))
    if (g_utf8_get_char (p) == 0x2581)
      append (self, " ", 1);
    else
      append (self, p, (gsize) (g_utf8_next_char (p) - p));
}

static gboolean
ends_wide (const char *token)
{
  return *token != '\0' && g_unichar_iswide (g_utf8_get_char (g_utf8_prev_char (token + strlen (token))));
}

static void
append_word (Joiner     *self,
             const char *token,
             const char *before)
{
  /* Chinese and Japanese have no spaces, and their tokens no marks. */
  if (before != NULL && !(ends_wide (before) && g_unichar_iswide (g_utf8_get_char (token))))
    append (self, " ", 1);
  append (self, token, strlen (token));
}

/**
 * hl_piece_text_join:
 * @tokens: (array length=n): tokens, in order
 * @n: how many
 * @owners: (element-type guint32): gets the token of each byte appended
 *
 * Puts tokens together: marks of tokenizers become spaces, or nothing. Special tokens stay as they are.
 *
 * Returns: (transfer full): the text; not necessarily valid UTF-8
 */
GByteArray *
hl_piece_text_join (const char *const *tokens,
                    gsize              n,
                    GArray            *owners)
{
  const Spelling spelling = detect_spelling (tokens, n);
  Joiner self = { g_byte_array_new (), owners, 0 };

  for (gsize i = 0; i < n; i++)
    {
      const char *token = tokens[i];
      const char *before = i > 0 ? tokens[i - 1] : NULL;

      self.token = (guint32) i;
      switch (spelling)
        {
        case SPELLING_WORD_PIECE:
          if (get_spelling (token) == SPELLING_WORD_PIECE)
            append (&self, token + 2, strlen (token) - 2);
          else
            append_word (&self, token, before);
          break;
        case SPELLING_BYTE_LEVEL:
          append_byte_level (&self, token);
          break;
        case SPELLING_SENTENCE_PIECE:
          append_sentence_piece (&self, token);
          break;
        case SPELLING_WORD_END:
          append (&self, token, strlen (token) - (g_str_has_suffix (token, "</w>") ? 4 : 0));
          if (g_str_has_suffix (token, "</w>"))
            append (&self, " ", 1);
          break;
        case SPELLING_JOINER:
          append (&self, token, strlen (token) - (g_str_has_suffix (token, "@@") ? 2 : 0));
          if (!g_str_has_suffix (token, "@@"))
            append (&self, " ", 1);
          break;
        case SPELLING_SPACES:
          append (&self, token, strlen (token));
          break;
        case SPELLING_WORDS:
        case N_SPELLINGS:
          append_word (&self, token, before);
          break;
        }
    }
  return self.bytes;
}
