/* SPDX-License-Identifier: MIT */
/*
 * Where a text occurs in a row of tokens. The tokens are put together to the text that they were, so that "attention"
 * finds `att ##ention`; besides, each is searched as it is spelled on screen, so that `##` and `[CLS]` are found too.
 */
#include "draw/text/hl-token-index.h"

#include <string.h>

#include "core/document/tokens/hl-token-text.h"
#include "draw/text/hl-token-label.h"

/* A text made comparable, and the token that each of its bytes is from. */
typedef struct
{
  GString *text;
  GArray *first; /* of guint32 */
  GArray *last;  /* of guint32; another token than the first where a character is cut in two */
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
  self->first = has_tokens ? g_array_new (FALSE, FALSE, sizeof (guint32)) : NULL;
  self->last = has_tokens ? g_array_new (FALSE, FALSE, sizeof (guint32)) : NULL;
}

static void
folded_clear (Folded *self)
{
  g_string_free (self->text, TRUE);
  g_clear_pointer (&self->first, g_array_unref);
  g_clear_pointer (&self->last, g_array_unref);
}

static void
folded_append (Folded     *self,
               const char *text,
               gsize       n,
               guint32     first,
               guint32     last)
{
  g_string_append_len (self->text, text, (gssize) n);
  if (self->first == NULL)
    return;
  for (gsize i = 0; i < n; i++)
    {
      g_array_append_val (self->first, first);
      g_array_append_val (self->last, last);
    }
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

  for (gsize i = 0; i < n;)
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

static void
fold_pieces (Folded            *self,
             const char *const *tokens,
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

/* Takes milliseconds for ten thousand tokens. */
HlTokenIndex *
hl_token_index_new (const char *const *tokens,
                    gsize              n)
{
  HlTokenIndex *self = g_new0 (HlTokenIndex, 1);

  folded_init (&self->pieces, TRUE);
  folded_init (&self->spelled, TRUE);
  fold_pieces (&self->pieces, tokens, n);
  for (gsize i = 0; i < n; i++)
    fold_spelling (&self->spelled, tokens[i], (guint32) i);
  return self;
}

void
hl_token_index_free (HlTokenIndex *self)
{
  folded_clear (&self->pieces);
  folded_clear (&self->spelled);
  g_free (self);
}

/* The places of a text, each as the tokens that it lies in; several that begin in the same token count once. */
static GArray *
find_in (const Folded  *self,
         const GString *needle)
{
  GArray *hits = g_array_new (FALSE, FALSE, sizeof (HlRange));
  const char *text = self->text->str;
  const char *end = text + self->text->len;

  for (const char *p = text; (p = memmem (p, (gsize) (end - p), needle->str, needle->len)) != NULL; p += needle->len)
    {
      const gsize first = g_array_index (self->first, guint32, p - text);
      const gsize last = g_array_index (self->last, guint32, p - text + (gssize) needle->len - 1);
      const HlRange hit = { first, last - first + 1 };
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
