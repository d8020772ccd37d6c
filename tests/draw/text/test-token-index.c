/* SPDX-License-Identifier: MIT */
/* A text is found in tokens of any tokenizer: in one, over several, and as they are spelled. */
#include "draw/text/hl-token-index.h"

#include <string.h>

/* The places as "first-last first-last …". */
static char *
find (const char *const *tokens,
      const char        *text)
{
  g_autoptr (HlTokenIndex) index = hl_token_index_new (tokens, g_strv_length ((char **) tokens));
  g_autoptr (GArray) hits = hl_token_index_find (index, text);
  GString *found = g_string_new (NULL);

  for (guint i = 0; i < hits->len; i++)
    {
      const HlRange hit = g_array_index (hits, HlRange, i);
      g_string_append_printf (found, "%s%zu-%zu", i > 0 ? " " : "", hit.first, hit.first + hit.n - 1);
    }
  return g_string_free (found, FALSE);
}

static void
check (const char *const *tokens,
       const char        *text,
       const char        *expected)
{
  g_autofree char *found = find (tokens, text);

  g_assert_cmpstr (found, ==, expected);
}

static void
test_word_piece (void)
{
  const char *const tokens[] = { "[CLS]", "Att", "##ention", "is",        "all",   ",", "don",
                                 "'",     "t",   "pay",      "attention", "[SEP]", NULL };

  check (tokens, "attention", "1-2 10-10");
  check (tokens, "  ATTENTION  is ", "1-3");
  check (tokens, "ent", "2-2 10-10");
  check (tokens, "##", "2-2");
  check (tokens, "##ENT", "2-2");
  check (tokens, "[sep]", "11-11");
  check (tokens, "don't", "6-8");
  check (tokens, "all, don", "4-6");
  /* No words are joined that are apart. */
  check (tokens, "isall", "");
  check (tokens, "tp", "");
  check (tokens, "", "");
  check (tokens, " \t", "");
}

static void
test_byte_level (void)
{
  /* "The café 👍 là", the emoji cut in two. */
  const char *const tokens[] = { "The", "Ġca", "fÃ©", "ĠðŁ", "ĳį", "Ġl", "Ãł", "Ċ", "<|endoftext|>", NULL };

  check (tokens, "café", "1-2");
  check (tokens, "cafe\xCC\x81", "1-2");
  check (tokens, "👍", "3-4");
  check (tokens, "the café", "0-2");
  check (tokens, "là", "5-6");
  check (tokens, "Ġca", "1-1");
  check (tokens, "endof", "8-8");
}

static void
test_sentence_piece (void)
{
  const char *const tokens[] = { "<s>", "▁Straße", "▁Groß", "e", "▁", "<0xE2>", "<0x82>", "<0xAC>", "</s>", NULL };

  check (tokens, "strasse", "1-1");
  check (tokens, "STRASSE GROSSE", "1-3");
  check (tokens, "€", "5-7");
  check (tokens, "<s>", "0-0");
  check (tokens, "▁", "1-1 2-2 4-4");
}

static void
test_other_spellings (void)
{
  const char *const ends[] = { "time</w>", "fl", "ies</w>", NULL };
  const char *const joiners[] = { "time", "fl@@", "ies", NULL };
  const char *const spaces[] = { "time", " fl", "ies", NULL };
  const char *const chinese[] = { "[CLS]", "注", "意", "力", "is", "注", NULL };

  check (ends, "time flies", "0-2");
  check (ends, "</w>", "0-0 2-2");
  check (joiners, "time flies", "0-2");
  check (joiners, "timefl", "");
  check (spaces, "time flies", "0-2");
  check (chinese, "注意力", "1-3");
  check (chinese, "注意力 is", "1-4");
  check (chinese, "is 注", "4-5");
}

/* Several places in one token are one; places do not overlap. */
static void
test_repetition (void)
{
  const char *const tokens[] = { "banana", "a", "##a", "##a", "", NULL };

  check (tokens, "an", "0-0");
  check (tokens, "aa", "1-2");
  check (tokens, "∅", "4-4");
}

static char *
repeat (const char *before,
        const char *unit,
        gsize       n)
{
  GString *text = g_string_new (before);

  while (n-- > 0)
    g_string_append (text, unit);
  return g_string_free (text, FALSE);
}

/* Of a token that nobody reads to its end, the beginning is searched. */
static void
test_long_token (void)
{
  g_autofree char *beginning = repeat ("a needle", "\u00E9", 600);
  g_autofree char *token = g_strconcat (beginning, "thread", NULL);
  const char *const tokens[] = { "[CLS]", token, "##ing", "needle", NULL };

  check (tokens, "needle", "1-1 3-3");
  check (tokens, "thread", "");
  check (tokens, "\u00E9ing", "");
  check (tokens, "ing", "2-2");
  check (tokens, "ing needle", "2-3");
}

/* So many tokens between two are searched, or as many as are few enough when they are made comparable. */
static void
check_many (const char *unit,
            gsize       n_units,
            guint       n_tokens,
            const char *expected)
{
  g_autofree char *token = repeat ("", unit, n_units);
  g_autofree const char **tokens = g_new0 (const char *, n_tokens + 3);

  for (guint i = 0; i < n_tokens; i++)
    tokens[i + 1] = token;
  tokens[0] = tokens[n_tokens + 1] = "needle";
  check (tokens, "needle", expected);
}

static void
test_many_tokens (void)
{
  check_many ("a", 1000, 4100, "0-0 4101-4101");
  check_many ("a", 1000, 4200, "0-0");
  check_many ("\uFDFA", 10, 10, "0-0 11-11");
  check_many ("\uFDFA", 340, 1400, "0-0");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/token-index/word-piece", test_word_piece);
  g_test_add_func ("/token-index/byte-level", test_byte_level);
  g_test_add_func ("/token-index/sentence-piece", test_sentence_piece);
  g_test_add_func ("/token-index/other-spellings", test_other_spellings);
  g_test_add_func ("/token-index/repetition", test_repetition);
  g_test_add_func ("/token-index/long-token", test_long_token);
  g_test_add_func ("/token-index/many-tokens", test_many_tokens);
  return g_test_run ();
}
