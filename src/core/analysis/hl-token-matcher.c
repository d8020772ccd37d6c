/* SPDX-License-Identifier: MIT */
/* Finds a word that somebody typed among tokens, however their tokenizer cut and spelled it. */
#include "core/analysis/hl-token-matcher.h"

#include "core/base/text/hl-bidi.h"
#include "core/base/text/hl-text-hash.h"
#include "core/document/tokens/hl-token-text.h"
#include "core/document/tokens/hl-token-words.h"

#include <string.h>

/* Tokens that are looked at for all that is looked for, and more for long ones: half a second. As many pairs as there may be are found among
 * some thirty thousand. */
#define STEPS ((guint64) 1 << 27)

/* Bytes of a token that are compared in a step. */
#define STEP_BYTES 16

/* Steps for each byte that is folded, and for each that it becomes, of which there can be eleven. */
#define FOLD_STEPS 8

/* The text of a token without the marks of its tokenizer, and without spaces around it. */
typedef struct
{
  const char *text; /* not ended by a zero */
  gsize length;
  gsize folded; /* where it begins in the text of all folded pieces */
  gsize folded_length;
  gboolean starts; /* a word begins with it */
  gboolean ends;   /* a word ends with it */
} Piece;

/* What begins with a byte, and what has it anywhere. */
typedef enum
{
  TOKEN = 1 << 0,
  PIECE = 1 << 1,
  FOLDED_PIECE = 1 << 2,
  IN_TOKEN = 1 << 3,
  IN_PIECE = 1 << 4,
  IN_FOLDED_PIECE = 1 << 5,
} Places;

struct _HlTokenMatcher
{
  const char *const *tokens;
  gsize n;
  Piece *pieces;
  GString *text;      /* of all pieces */
  GString *folded;    /* likewise; NULL as long as nobody needed it */
  Places places[256]; /* of each byte */
  guint64 left;       /* of the steps */
};

/* How well a run of tokens fits, best first: the first of these that finds anything decides. */
typedef enum
{
  WORDS,        /* whole words, letter by letter */
  FOLDED_WORDS, /* whole words, whatever the case and the accents */
  SPELLING,     /* one token as its tokenizer spells it */
  PIECES,       /* any tokens, letter by letter */
  FOLDED_PIECES,
  N_LEVELS,
} Level;

/* Decodes all tokens one behind the other: where each begins in the text. */
static gsize *
decode (HlTokenMatcher *self)
{
  const HlTokenSpelling spelling = hl_token_spelling_detect (self->tokens, self->n);
  gsize *starts = g_new (gsize, self->n + 1);

  for (gsize i = 0; i < self->n; i++)
    {
      starts[i] = self->text->len;
      if (hl_special_token_is (self->tokens[i]))
        g_string_append (self->text, self->tokens[i]);
      else
        hl_token_spelling_append (spelling, self->tokens[i], self->text);
    }
  starts[self->n] = self->text->len;
  return starts;
}

static Piece
trim (Piece piece)
{
  while (piece.length > 0 && g_ascii_isspace (piece.text[0]))
    {
      piece.text++;
      piece.length--;
    }
  while (piece.length > 0 && g_ascii_isspace (piece.text[piece.length - 1]))
    piece.length--;
  return piece;
}

/* Learns which pieces are one word, as hl_token_words_find() tells. */
HlTokenMatcher *
hl_token_matcher_new (const char *const *tokens,
                      gsize              n)
{
  HlTokenMatcher *self = g_new0 (HlTokenMatcher, 1);

  self->tokens = tokens;
  self->n = n;
  self->pieces = g_new (Piece, MAX (n, 1));
  self->text = g_string_new (NULL);
  self->left = STEPS;
  g_autofree guint8 *begins = hl_token_words_find (tokens, n);
  g_autofree gsize *starts = decode (self);
  for (gsize i = 0; i < n; i++)
    {
      Piece *piece = &self->pieces[i];

      *piece = trim ((Piece){ .text = self->text->str + starts[i],
                              .length = starts[i + 1] - starts[i],
                              .starts = begins[i] != 0,
                              .ends = i + 1 == n || begins[i + 1] != 0 });
      self->places[(guint8) tokens[i][0]] |= TOKEN;
      for (const char *c = tokens[i]; *c != '\0'; c++)
        self->places[(guint8) *c] |= IN_TOKEN;
      if (piece->length > 0)
        self->places[(guint8) piece->text[0]] |= PIECE;
      for (gsize j = 0; j < piece->length; j++)
        self->places[(guint8) piece->text[j]] |= IN_PIECE;
    }
  return self;
}

void
hl_token_matcher_free (HlTokenMatcher *self)
{
  g_free (self->pieces);
  g_string_free (self->text, TRUE);
  if (self->folded != NULL)
    g_string_free (self->folded, TRUE);
  g_free (self);
}

/* Small letters without accents. */
static char *
fold (const char *text,
      gsize       length)
{
  g_autofree char *small = g_utf8_casefold (text, (gssize) length);
  g_autofree char *apart = g_utf8_normalize (small, -1, G_NORMALIZE_ALL);
  GString *folded = g_string_new (NULL);

  for (const char *c = apart; c != NULL && *c != '\0'; c = g_utf8_next_char (c))
    if (!g_unichar_ismark (g_utf8_get_char (c)))
      g_string_append_unichar (folded, g_utf8_get_char (c));
  return g_string_free (folded, FALSE);
}

/* Returns: as how many steps it counts */
static guint64
append_folded (const Piece *piece,
               GString     *folded)
{
  gsize n_ascii = 0;

  while (n_ascii < piece->length && (guint8) piece->text[n_ascii] < 0x80)
    n_ascii++;
  if (n_ascii == piece->length)
    {
      for (gsize i = 0; i < piece->length; i++)
        g_string_append_c (folded, g_ascii_tolower (piece->text[i]));
      return piece->length;
    }
  if (!g_utf8_validate_len (piece->text, piece->length, NULL))
    return piece->length;
  g_autofree char *own = fold (piece->text, piece->length);
  const gsize length = strlen (own);
  g_string_append_len (folded, own, (gssize) length);
  return FOLD_STEPS * ((guint64) piece->length + length);
}

/* Returns: whether there may be more */
static gboolean
spend (HlTokenMatcher *self,
       guint64         steps)
{
  self->left -= MIN (steps, self->left);
  return self->left > 0;
}

/* Folds each piece once, for all that is looked for. One that is a part of a character becomes nothing, which matches nothing. */
static void
fold_pieces (HlTokenMatcher *self)
{
  if (self->folded != NULL)
    return;
  self->folded = g_string_sized_new (self->text->len);
  for (gsize i = 0; i < self->n && self->left > 0; i++)
    {
      Piece *piece = &self->pieces[i];

      piece->folded = self->folded->len;
      spend (self, append_folded (piece, self->folded));
      piece->folded_length = self->folded->len - piece->folded;
      if (piece->folded_length > 0)
        self->places[(guint8) self->folded->str[piece->folded]] |= FOLDED_PIECE;
      for (gsize j = piece->folded; j < self->folded->len; j++)
        self->places[(guint8) self->folded->str[j]] |= IN_FOLDED_PIECE;
    }
}

/* Takes note of a piece that is looked at. Returns: whether there may be more */
static gboolean
look_at (HlTokenMatcher *self,
         const Piece    *piece)
{
  return spend (self, 1 + piece->length / STEP_BYTES);
}

/* How many bytes of the text the piece takes from its beginning; 0 if it is another. */
static gsize
match_piece (const HlTokenMatcher *self,
             const Piece          *piece,
             const char           *text,
             gboolean              folded)
{
  const char *own = folded ? self->folded->str + piece->folded : piece->text;
  const gsize length = folded ? piece->folded_length : piece->length;

  /* Vocabularies of bytes have a token for the byte 0, too. */
  return strncmp (own, text, length) == 0 && strnlen (text, length) == length ? length : 0;
}

/* How many tokens from the first on make up the text; 0 if they do not. */
static gsize
match_run (HlTokenMatcher *self,
           gsize           first,
           const char     *text,
           gboolean        folded)
{
  for (gsize i = first; i < self->n && self->left > 0; look_at (self, &self->pieces[i++]))
    {
      const gsize length = match_piece (self, &self->pieces[i], text, folded);

      /* A mark may stand alone, but not around a word. */
      if (length == 0 && (i == first || self->pieces[i].length > 0))
        return 0;
      text += length;
      if (*text == '\0')
        return i + 1 - first;
    }
  return 0;
}

static gsize
match (HlTokenMatcher *self,
       Level           level,
       gsize           first,
       const char     *spelling,
       const char     *text,
       const char     *folded)
{
  const gboolean whole = level == WORDS || level == FOLDED_WORDS;

  if (level == SPELLING)
    return g_str_equal (self->tokens[first], spelling);
  if (whole && !self->pieces[first].starts)
    return 0;
  const gboolean folds = level == FOLDED_WORDS || level == FOLDED_PIECES;
  const gsize n = *text != '\0' ? match_run (self, first, folds ? folded : text, folds) : 0;
  return n > 0 && whole && !self->pieces[first + n - 1].ends ? 0 : n;
}

static char *
remove_spaces (const char *text)
{
  GString *rest = g_string_new (NULL);

  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    if (!g_unichar_isspace (g_utf8_get_char (c)))
      g_string_append_unichar (rest, g_utf8_get_char (c));
  return g_string_free (rest, FALSE);
}

static gboolean
has_all (const HlTokenMatcher *self,
         const char           *text,
         Places                begins,
         Places                within)
{
  if ((self->places[(guint8) *text] & begins) == 0)
    return FALSE;
  while (*text != '\0' && (self->places[(guint8) *text] & within) != 0)
    text++;
  return *text == '\0';
}

/* Whether anything begins as what is looked for, and all bytes of that are somewhere: “her#2” is nowhere where there is no “#”. */
static gboolean
can_be_found (HlTokenMatcher *self,
              Level           level,
              const char     *spelling,
              const char     *text,
              const char     *folded)
{
  if (level == SPELLING)
    return has_all (self, spelling, TOKEN, IN_TOKEN);
  if (level == WORDS || level == PIECES)
    return has_all (self, text, PIECE, IN_PIECE);
  fold_pieces (self);
  return has_all (self, folded, FOLDED_PIECE, IN_FOLDED_PIECE);
}

/* All that fit best; none where that takes too many steps. Of @wanted (nullable), also says as which it was found, if it was. */
static guint
scan (HlTokenMatcher   *self,
      const char       *spelling,
      guint             nth,
      HlTokenRun       *run,
      const HlTokenRun *wanted,
      guint            *nth_wanted)
{
  g_autofree char *text = remove_spaces (spelling);
  g_autofree char *folded = fold (text, strlen (text));
  guint n_found = 0;

  for (Level level = 0; n_found == 0 && level < N_LEVELS; level++)
    {
      if (!can_be_found (self, level, spelling, text, folded))
        continue;
      for (gsize first = 0; first < self->n && look_at (self, &self->pieces[first]); first++)
        {
          const gsize n = match (self, level, first, spelling, text, folded);

          if (n == 0)
            continue;
          if (run != NULL && n_found == nth)
            *run = (HlTokenRun){ first, n };
          if (wanted != NULL && first == wanted->first && n == wanted->n)
            *nth_wanted = n_found;
          n_found++;
        }
    }
  if (self->left > 0)
    return n_found;
  if (wanted != NULL)
    *nth_wanted = G_MAXUINT;
  return 0;
}

/* Looks for whole words first, then for whole words whatever their case and accents, then for tokens as they are
 * spelled, then for pieces; what is found first is all that counts. Spaces do not matter: “New York” is two words,
 * “don't” perhaps three tokens. */
guint
hl_token_matcher_find (HlTokenMatcher *self,
                       const char     *text,
                       guint           nth,
                       HlTokenRun     *run)
{
  g_return_val_if_fail (self != NULL && text != NULL, 0);

  return scan (self, text, nth, run, NULL, NULL);
}

/* Whether looking for something ended before all tokens were looked at, since that, and what was looked for before, took too many steps. */
gboolean
hl_token_matcher_gave_up (const HlTokenMatcher *self)
{
  return self->left == 0;
}

/* The text of some tokens without the marks of their tokenizer; %NULL if nothing readable is left. */
static char *
dup_text (HlTokenMatcher *self,
          HlTokenRun      run)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (gsize i = run.first; i < run.first + run.n; i++)
    g_string_append_len (text, self->pieces[i].text, (gssize) self->pieces[i].length);
  return text->len > 0 && g_utf8_validate_len (text->str, text->len, NULL)
           ? g_string_free (g_steal_pointer (&text), FALSE)
           : NULL;
}

/* The word that begins with a token, and where the next one begins. */
static char *
dup_word (HlTokenMatcher *self,
          gsize           first,
          gsize          *next)
{
  gsize i = first;

  while (!self->pieces[i++].ends && i < self->n)
    ;
  *next = i;
  return dup_text (self, (HlTokenRun){ first, i - first });
}

/* Lists the words that can be asked for, in the order of the text: “her”, or “her#1” and “her#2” if there are two. */
GPtrArray *
hl_token_matcher_list (HlTokenMatcher *self,
                       guint           max)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) counts = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, NULL);

  g_return_val_if_fail (self != NULL, words);

  for (gsize i = 0, next; i < self->n; i = next)
    {
      char *word = dup_word (self, i, &next);
      if (word != NULL)
        g_hash_table_replace (counts, word,
                              GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (counts, word)) + 1));
    }
  for (gsize i = 0, next; i < self->n && words->len < max; i = next)
    {
      g_autofree char *word = dup_word (self, i, &next);
      if (word == NULL)
        continue;
      const guint nth = GPOINTER_TO_UINT (g_hash_table_lookup (seen, word)) + 1;
      if (GPOINTER_TO_UINT (g_hash_table_lookup (counts, word)) == 1)
        g_ptr_array_add (words, g_strdup (word));
      else
        g_ptr_array_add (words, g_strdup_printf ("%s#%u", word, nth));
      g_hash_table_replace (seen, g_steal_pointer (&word), GUINT_TO_POINTER (nth));
    }
  return words;
}

/* Writes tokens down so that they are found again, as hl_token_pairs_parse() understands it. Returns “her”, “her#2” for
 * the second of several, “##self”, or “#7” and “#7-9” for what can be told by its place only. */
char *
hl_token_matcher_spell (HlTokenMatcher *self,
                        HlTokenRun      run)
{
  g_return_val_if_fail (self != NULL && run.n > 0 && run.first + run.n <= self->n, NULL);

  g_autofree char *text = dup_text (self, run);
  const char *const spellings[] = { text, run.n == 1 ? self->tokens[run.first] : NULL };

  for (guint i = 0; i < G_N_ELEMENTS (spellings); i++)
    {
      guint nth = G_MAXUINT;

      /* What parts pairs from one another cannot be in a name, nor what is taken away from them. */
      g_autofree char *stripped = spellings[i] != NULL ? hl_bidi_strip (spellings[i]) : NULL;
      if (stripped == NULL || !g_str_equal (stripped, spellings[i]) || strpbrk (spellings[i], "\n\r\t") != NULL ||
          strstr (spellings[i], "→") != NULL || strstr (spellings[i], "->") != NULL)
        continue;
      const guint n = scan (self, spellings[i], 0, NULL, &run, &nth);
      if (nth == G_MAXUINT)
        continue;
      if (n == 1)
        return g_strdup (spellings[i]);
      g_autofree char *numbered = g_strdup_printf ("%s#%u", spellings[i], nth + 1);
      /* Which may be what stands somewhere else. */
      if (scan (self, numbered, 0, NULL, NULL, NULL) == 0 && self->left > 0)
        return g_steal_pointer (&numbered);
    }
  g_autofree char *place = g_strdup_printf ("#%zu", run.first);
  if (run.n == 1 && scan (self, place, 0, NULL, NULL, NULL) == 0)
    return g_steal_pointer (&place);
  return g_strdup_printf ("#%zu-%zu", run.first, run.first + run.n - 1);
}
