/* SPDX-License-Identifier: MIT */
/*
 * Where a text occurs in a row of tokens. The tokens are put together to the text that they were, so that "attention"
 * finds `att ##ention`; besides, each is searched as it is spelled on screen, so that `##` and `[CLS]` are found too.
 */
#include "draw/text/hl-token-index.h"

#include <string.h>

#include "core/document/tokens/hl-token-text.h"
#include "draw/text/hl-token-label.h"

/* Bytes of a token that are searched: no label shows as many. */
#define MAX_TOKEN_BYTES 1024
/* Bytes of all tokens that are searched: a million tokens of the usual length. */
#define MAX_TEXT ((gsize) 4 << 20)
/* Of them made comparable, in which a character of three bytes can have 33. */
#define MAX_FOLDED ((gsize) 8 << 20)

/* Bytes that are from the same tokens, from one on to where the next run starts. */
typedef struct
{
  guint32 start;
  guint32 first;
  guint32 last; /* another token than the first where a character is cut in two */
} Run;

/* A text made comparable, and the tokens that its bytes are from. */
typedef struct
{
  GString *text;
  GArray *runs; /* of Run; NULL where nobody asks */
} Folded;

struct _HlTokenIndex
{
  Folded pieces;
  Folded spelled;
};

static void
folded_init (Folded  *self,
             gboolean has_tokens)
{
  self->text = g_string_new (NULL);
  self->runs = has_tokens ? g_array_new (FALSE, FALSE, sizeof (Run)) : NULL;
}

static void
folded_clear (Folded *self)
{
  g_string_free (self->text, TRUE);
  g_clear_pointer (&self->runs, g_array_unref);
}

static void
folded_append (Folded     *self,
               const char *text,
               gsize       n,
               guint32     first,
               guint32     last)
{
  const Run run = { (guint32) self->text->len, first, last };

  g_string_append_len (self->text, text, (gssize) n);
  if (self->runs == NULL)
    return;
  const Run *before = self->runs->len > 0 ? &g_array_index (self->runs, Run, self->runs->len - 1) : NULL;
  if (before == NULL || before->first != first || before->last != last)
    g_array_append_val (self->runs, run);
}

static void
append_character (Folded  *self,
                  gunichar c,
                  guint32  first,
                  guint32  last)
{
  char utf8[6];

  if (c < 0x80)
    {
      utf8[0] = g_ascii_tolower ((char) c);
      folded_append (self, utf8, 1, first, last);
      return;
    }
  g_autofree char *folded = g_utf8_casefold (utf8, g_unichar_to_utf8 (c, utf8));
  g_autofree char *normal = g_utf8_normalize (folded, -1, G_NORMALIZE_ALL);
  folded_append (self, normal, strlen (normal), first, last);
}

/*
 * Appends a text without what should not matter: case, how a character is composed, how many spaces there are, and
 * spaces beside punctuation, which tokenizers add and take away. @owners has the token of each byte.
 */
static void
fold (Folded        *self,
      const guint8  *bytes,
      gsize          n,
      const guint32 *owners)
{
  gboolean space = FALSE;
  gboolean glue = TRUE;

  for (gsize i = 0; i < n && self->text->len < MAX_FOLDED;)
    {
      gunichar c = g_utf8_get_char_validated ((const char *) bytes + i, (gssize) (n - i));
      gsize length = 1;

      /* NUL too, which separates tokens here. */
      if (c == (gunichar) -1 || c == (gunichar) -2 || c == 0)
        c = 0xFFFD;
      else
        length = (gsize) g_utf8_skip[bytes[i]];
      if (g_unichar_isspace (c))
        space = TRUE;
      else
        {
          const gboolean is_mark = g_unichar_ispunct (c);
          const guint32 first = owners != NULL ? owners[i] : 0;

          if (space && !glue && !is_mark)
            folded_append (self, " ", 1, first, first);
          append_character (self, c, first, owners != NULL ? owners[i + length - 1] : 0);
          space = FALSE;
          glue = is_mark;
        }
      i += length;
    }
}

static gboolean
is_wide_at_end (const GString *text)
{
  const char *last = text->len > 0 ? g_utf8_find_prev_char (text->str, text->str + text->len) : NULL;

  return last != NULL && g_utf8_validate (last, -1, NULL) && g_unichar_iswide (g_utf8_get_char (last));
}

/* Whether a token goes on where the one before it ended. */
static gboolean
is_glued (HlTokenSpelling spelling,
          const char     *before,
          const char     *token,
          const GString  *text)
{
  if (hl_token_spelling_marks_spaces (spelling) || hl_token_spelling_continues_last (spelling, token) ||
      hl_token_spelling_continues_next (spelling, before))
    return TRUE;
  /* Chinese and Japanese have no spaces, and their tokens no marks. */
  return is_wide_at_end (text) && g_unichar_iswide (g_utf8_get_char (token));
}

/* Of each token as much as is searched, and only of the tokens that are. */
static GPtrArray *
cut_tokens (const char *const *tokens,
            gsize              n,
            GStringChunk      *chunk)
{
  GPtrArray *cut = g_ptr_array_new ();
  gsize left = MAX_TEXT;

  for (gsize i = 0; i < n && left > 0; i++)
    {
      const char *token = tokens[i];
      gsize length = strnlen (token, MAX_TOKEN_BYTES + 1);

      if (length > MAX_TOKEN_BYTES)
        {
          length = (gsize) (g_utf8_find_prev_char (token, token + length) - token);
          token = g_string_chunk_insert_len (chunk, token, (gssize) length);
        }
      left -= MIN (length, left);
      g_ptr_array_add (cut, (gpointer) token);
    }
  return cut;
}

/* @whole: the tokens before they were cut */
static void
fold_pieces (Folded            *self,
             const char *const *tokens,
             const char *const *whole,
             gsize              n)
{
  const HlTokenSpelling spelling = hl_token_spelling_detect (tokens, n);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GArray) owners = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (gsize i = 0; i < n; i++)
    {
      const guint32 owner = (guint32) i;

      if (i > 0 && !is_glued (spelling, tokens[i - 1], tokens[i], text))
        g_string_append_c (text, ' ');
      if (hl_special_token_is (tokens[i]))
        g_string_append (text, tokens[i]);
      else
        hl_token_spelling_append (spelling, tokens[i], text);
      /* No text goes on over what is not searched. */
      if (tokens[i] != whole[i])
        g_string_append_c (text, '\0');
      while (owners->len < text->len)
        g_array_append_val (owners, owner);
    }
  fold (self, (const guint8 *) text->str, text->len, (const guint32 *) owners->data);
}

static void
fold_spelling (Folded     *self,
               const char *token,
               guint32     index)
{
  g_autofree char *shown = hl_token_text_show (token);
  const char *const spellings[] = { shown, token };
  /* What one types, besides what one reads and copies: marks alone are shown on a circle. */
  const gboolean has_circle = strstr (shown, "◌") != NULL;

  for (guint i = 0; i < (has_circle ? 2 : 1); i++)
    {
      const gsize n = strlen (spellings[i]);
      g_autofree guint32 *owners = g_new (guint32, n);

      for (gsize j = 0; j < n; j++)
        owners[j] = index;
      fold (self, (const guint8 *) spellings[i], n, owners);
      /* No text goes on over the end of a token. */
      folded_append (self, "\0", 1, index, index);
    }
}

/* Takes milliseconds for ten thousand tokens, and half a second for the worst. */
HlTokenIndex *
hl_token_index_new (const char *const *tokens,
                    gsize              n)
{
  HlTokenIndex *self = g_new0 (HlTokenIndex, 1);
  GStringChunk *chunk = g_string_chunk_new (MAX_TOKEN_BYTES + 1);
  g_autoptr (GPtrArray) cut = cut_tokens (tokens, n, chunk);

  folded_init (&self->pieces, TRUE);
  folded_init (&self->spelled, TRUE);
  fold_pieces (&self->pieces, (const char *const *) cut->pdata, tokens, cut->len);
  for (guint i = 0; i < cut->len; i++)
    fold_spelling (&self->spelled, g_ptr_array_index (cut, i), i);
  g_string_chunk_free (chunk);
  return self;
}

void
hl_token_index_free (HlTokenIndex *self)
{
  folded_clear (&self->pieces);
  folded_clear (&self->spelled);
  g_free (self);
}

/* The run that a byte is in, which is not before @run. */
static const Run *
go_on (const Folded *self,
       const Run    *run,
       gsize         at)
{
  const Run *last = &g_array_index (self->runs, Run, self->runs->len - 1);

  while (run < last && run[1].start <= at)
    run++;
  return run;
}

/* The places of a text, each as the tokens that it lies in; several that begin in the same token count once. */
static GArray *
find_in (const Folded  *self,
         const GString *needle)
{
  GArray *hits = g_array_new (FALSE, FALSE, sizeof (HlRange));
  const char *text = self->text->str;
  const char *end = text + self->text->len;
  const Run *begin_run = (const Run *) (gpointer) self->runs->data;
  const Run *end_run = begin_run;

  for (const char *p = text; (p = memmem (p, (gsize) (end - p), needle->str, needle->len)) != NULL; p += needle->len)
    {
      begin_run = go_on (self, begin_run, (gsize) (p - text));
      end_run = go_on (self, end_run, (gsize) (p - text) + needle->len - 1);
      const HlRange hit = { begin_run->first, end_run->last - begin_run->first + 1 };
      const HlRange *before = hits->len > 0 ? &g_array_index (hits, HlRange, hits->len - 1) : NULL;

      if (before == NULL || before->first != hit.first)
        g_array_append_val (hits, hit);
    }
  return hits;
}

/* Finds a text regardless of case, in one token or over several adjacent ones. */
GArray *
hl_token_index_find (const HlTokenIndex *self,
                     const char         *text)
{
  GArray *hits = g_array_new (FALSE, FALSE, sizeof (HlRange));
  Folded needle;

  g_return_val_if_fail (text != NULL, hits);

  folded_init (&needle, FALSE);
  fold (&needle, (const guint8 *) text, strlen (text), NULL);
  if (needle.text->len > 0)
    {
      g_autoptr (GArray) pieces = find_in (&self->pieces, needle.text);
      g_autoptr (GArray) spelled = find_in (&self->spelled, needle.text);
      guint next = 0;

      for (guint i = 0; i < spelled->len; i++)
        {
          const HlRange hit = g_array_index (spelled, HlRange, i);

          for (; next < pieces->len && g_array_index (pieces, HlRange, next).first <= hit.first; next++)
            g_array_append_val (hits, g_array_index (pieces, HlRange, next));
          const HlRange *before = hits->len > 0 ? &g_array_index (hits, HlRange, hits->len - 1) : NULL;
          if (before == NULL || before->first + before->n <= hit.first)
            g_array_append_val (hits, hit);
        }
      g_array_append_vals (hits, (HlRange *) (gpointer) pieces->data + next, pieces->len - next);
    }
  folded_clear (&needle);
  return hits;
}
