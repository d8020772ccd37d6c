/* SPDX-License-Identifier: MIT */
/* Tokens into text. How they are written, the vocabulary as a whole tells; a few tokens of a text may not. */
#include "core/predict/hl-token-decoder.h"

#include <string.h>

#include "core/document/tokens/hl-token-text.h"

/* Tokens of the vocabulary that are looked at. */
#define MAX_SAMPLE 4096

struct _HlTokenDecoder
{
  HlTokenizer *tokenizer;
  HlTokenSpelling spelling;
  gboolean begins_text;
  gboolean continues; /* the next token goes on with the word */
  GString *bytes;
  char *text; /* made of them when asked for */
};

static HlTokenSpelling
detect (HlTokenizer *tokenizer)
{
  const guint32 n_tokens = hl_tokenizer_get_n_tokens (tokenizer);
  const guint32 step = MAX (n_tokens / MAX_SAMPLE, 1);
  g_autoptr (GPtrArray) sample = g_ptr_array_new ();

  for (guint32 id = 0; id < n_tokens; id += step)
    g_ptr_array_add (sample, (gpointer) hl_tokenizer_get_token (tokenizer, id));
  return hl_token_spelling_detect ((const char *const *) sample->pdata, sample->len);
}

/* With @begins_text, a space before the first word is left out, as tokenizers add one there. */
HlTokenDecoder *
hl_token_decoder_new (HlTokenizer *tokenizer,
                      gboolean     begins_text)
{
  g_return_val_if_fail (HL_IS_TOKENIZER (tokenizer), NULL);

  HlTokenDecoder *self = g_new0 (HlTokenDecoder, 1);

  self->tokenizer = g_object_ref (tokenizer);
  self->spelling = detect (tokenizer);
  self->begins_text = begins_text;
  self->bytes = g_string_new (NULL);
  return self;
}

void
hl_token_decoder_free (HlTokenDecoder *self)
{
  g_object_unref (self->tokenizer);
  g_string_free (self->bytes, TRUE);
  g_free (self->text);
  g_free (self);
}

/* Special tokens add nothing. */
void
hl_token_decoder_append (HlTokenDecoder *self,
                         guint32         id)
{
  const char *token = hl_tokenizer_get_token (self->tokenizer, id);
  const gsize before = self->bytes->len;

  g_clear_pointer (&self->text, g_free);
  if (*token == '\0' || hl_special_token_is (token))
    return;
  if (!hl_token_spelling_marks_spaces (self->spelling) && !self->continues &&
      !hl_token_spelling_continues_last (self->spelling, token) && (before > 0 || !self->begins_text))
    g_string_append_c (self->bytes, ' ');
  hl_token_spelling_append (self->spelling, token, self->bytes);
  self->continues = hl_token_spelling_continues_next (self->spelling, token);
  if (before == 0 && self->begins_text && self->bytes->str[0] == ' ')
    g_string_erase (self->bytes, 0, 1);
}

/* Returns one token as people read it: without the space before a word; as it is spelt where that says that a word goes on,
 * and where it is no text. White space stays what it is. */
char *
hl_token_decoder_dup_label (HlTokenDecoder *self,
                            guint32         id)
{
  const char *token = hl_tokenizer_get_token (self->tokenizer, id);
  g_autoptr (GString) bytes = g_string_new (NULL);

  if (*token == '\0')
    return g_strdup_printf ("%u", id);
  if (hl_special_token_is (token) || !hl_token_spelling_marks_spaces (self->spelling))
    return g_strdup (token);
  hl_token_spelling_append (self->spelling, token, bytes);
  g_autofree char *text = g_utf8_make_valid (bytes->str, (gssize) bytes->len);
  const char *start = text + strspn (text, " ");
  return g_strdup (*start != '\0' && !g_ascii_isspace (*start) ? start : text);
}

/* Returns the text so far. The first bytes of a character wait for the others; bytes that are of none become U+FFFD. */
const char *
hl_token_decoder_get_text (HlTokenDecoder *self)
{
  gsize length = self->bytes->len;

  if (self->text != NULL)
    return self->text;
  for (gsize back = 1; back <= MIN (length, 3); back++)
    {
      const char *start = self->bytes->str + self->bytes->len - back;
      const gunichar c = g_utf8_get_char_validated (start, (gssize) back);

      if (c == (gunichar) -2)
        {
          length -= back;
          break;
        }
    }
  self->text = g_utf8_make_valid (self->bytes->str, (gssize) length);
  return self->text;
}
