/* SPDX-License-Identifier: MIT */
/* Tests of how tokens are spelt, which pieces are one word, and how they are shown. */
#include "core/document/tokens/hl-token-text.h"
#include "core/document/tokens/hl-token-words.h"

#include <json-glib/json-glib.h>

/* tests/tokenizer/make-token-words.py wrote what is expected. */
static JsonArray *
load_cases (JsonParser *parser)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "tokenizer", "token-words.json", NULL);
  g_autoptr (GError) error = NULL;

  json_parser_load_from_file (parser, path, &error);
  g_assert_no_error (error);
  return json_node_get_array (json_parser_get_root (parser));
}

static char **
dup_strings (JsonObject *object,
             const char *name)
{
  JsonArray *array = json_object_get_array_member (object, name);
  char **strings = g_new0 (char *, json_array_get_length (array) + 1);

  for (guint i = 0; i < json_array_get_length (array); i++)
    strings[i] = g_strdup (json_array_get_string_element (array, i));
  return strings;
}

static void
assert_same (char **given,
             char **wanted)
{
  for (guint i = 0; given[i] != NULL && wanted[i] != NULL; i++)
    g_assert_cmpstr (given[i], ==, wanted[i]);
  g_assert_cmpuint (g_strv_length (given), ==, g_strv_length (wanted));
}

static void
test_tokenizers (void)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonArray *cases = load_cases (parser);

  g_assert_cmpuint (json_array_get_length (cases), >, 150);
  for (guint i = 0; i < json_array_get_length (cases); i++)
    {
      JsonObject *object = json_array_get_object_element (cases, i);
      JsonArray *wanted = json_object_get_array_member (object, "begins");
      g_auto (GStrv) tokens = dup_strings (object, "tokens");
      g_auto (GStrv) wanted_labels = dup_strings (object, "labels");
      g_auto (GStrv) wanted_words = dup_strings (object, "words");
      const char *const *list = (const char *const *) tokens;
      const gsize n = g_strv_length (tokens);
      g_autofree guint8 *begins = hl_token_words_find (list, n);
      g_auto (GStrv) labels = hl_token_text_make_labels (list, n);
      g_autoptr (HlTokenMap) map = hl_token_words_make_map (list, n, 0, n);
      g_auto (GStrv) words = hl_token_text_make_words (list, map);

      g_test_message ("%s: %s", json_object_get_string_member (object, "tokenizer"),
                      json_object_get_string_member (object, "text"));
      for (guint j = 0; j < n; j++)
        {
          g_test_message ("“%s”", tokens[j]);
          g_assert_cmpint (begins[j], ==, json_array_get_int_element (wanted, j));
        }
      assert_same (labels, wanted_labels);
      assert_same (words, wanted_words);
    }
}

static void
test_spellings (void)
{
  static const struct
  {
    HlTokenSpelling spelling;
    const char *tokens[8];
    const char *labels[8];
    const char *words[8];
  } cases[] = {
    { HL_TOKEN_SPELLING_PLAIN, { "time", "flies", "like" }, { "time", "flies", "like" }, { "time", "flies", "like" } },
    { HL_TOKEN_SPELLING_PLAIN,
      { "[CLS]", "café", "łódź", "[SEP]" },
      { "[CLS]", "café", "łódź", "[SEP]" },
      { "[CLS]", "café", "łódź", "[SEP]" } },
    { HL_TOKEN_SPELLING_PLAIN, { "##", "heading" }, { "##", "heading" }, { "##", "heading" } },
    { HL_TOKEN_SPELLING_PLAIN, { "", "a", "" }, { "", "a", "" }, { "", "a", "" } },
    { HL_TOKEN_SPELLING_WORD_PIECE,
      { "ż", "##ół", "##w", "[PAD]", "##x" },
      { "ż", "##ół", "##w", "[PAD]", "##x" },
      { "żółw", "[PAD]", "##x" } },
    { HL_TOKEN_SPELLING_BYTES,
      { "Head", "light", "Ġshines", "<|endoftext|>" },
      { "Head", "light", "shines", "<|endoftext|>" },
      { "Headlight", "shines", "<|endoftext|>" } },
    { HL_TOKEN_SPELLING_BYTES, { "ä½", "ł", "å¥½" }, { "‹E4›‹BD›", "‹A0›", "好" }, { "你", "好" } },
    { HL_TOKEN_SPELLING_BYTES,
      { "Ġ", "Ċ", "ĠĠ", "Ġx", "Ċ", "Ċ" },
      { " ", "\n", "  ", "x", "\n", "\n" },
      { " ", "\n", "  ", "x", "\n", "\n" } },
    { HL_TOKEN_SPELLING_BYTES,
      { "a", "Ġb", "Ġe", "   ", "Ā" },
      { "a", "b", "e", "   ", "␀" },
      { "a", "b", "e", "   ", "␀" } },
    { HL_TOKEN_SPELLING_SENTENCE_PIECE,
      { "<s>", "▁", "flies", "▁a", "<0x0A>", "b", "▁" },
      { "<s>", " ", "flies", "a", "\n", "b", " " },
      { "<s>", "flies", "a", "\n", "b", " " } },
    { HL_TOKEN_SPELLING_SENTENCE_PIECE,
      { "<｜begin▁of▁sentence｜>", "▁tea", "pot" },
      { "<｜begin▁of▁sentence｜>", "tea", "pot" },
      { "<｜begin▁of▁sentence｜>", "teapot" } },
    { HL_TOKEN_SPELLING_SPACES,
      { "The", " head", "light", " <0xE4><0xBD>", "<0xA0>", "." },
      { "The", "head", "light", "‹E4›‹BD›", "‹A0›", "." },
      { "The", "headlight", "你", "." } },
    /* Half of a syllable, of a vowel, and of a word whose letters join. */
    { HL_TOKEN_SPELLING_SPACES,
      { " नम", "स्", "ते", " น้", "ำ", " ال", "سلام" },
      { "नम", "स्", "ते", "น้", "ำ", "ال", "سلام" },
      { "नमस्ते", "น้ำ", "السلام" } },
    { HL_TOKEN_SPELLING_WORD_END,
      { "é", "tu", "de</w>", "é</w>", ".</w>" },
      { "é", "tu", "de", "é", "." },
      { "étude", "é", "." } },
    { HL_TOKEN_SPELLING_WORD_END_BYTES, { "ä½", "łå¥½</w>", "!</w>" }, { "‹E4›‹BD›", "‹A0›好", "!" }, { "你好", "!" } },
    { HL_TOKEN_SPELLING_CONTINUED,
      { "un@@", "believ@@", "able", "@@", "x" },
      { "un@@", "believ@@", "able", "@@", "x" },
      { "unbelievable", "@@", "x" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const gsize n = g_strv_length ((char **) cases[i].tokens);
      g_auto (GStrv) labels = hl_token_text_make_labels (cases[i].tokens, n);
      g_autoptr (HlTokenMap) map = hl_token_words_make_map (cases[i].tokens, n, 0, n);
      g_auto (GStrv) words = hl_token_text_make_words (cases[i].tokens, map);

      g_test_message ("“%s” “%s” …", cases[i].tokens[0], cases[i].tokens[1]);
      g_assert_cmpint (hl_token_spelling_detect (cases[i].tokens, n), ==, cases[i].spelling);
      assert_same (labels, (char **) cases[i].labels);
      assert_same (words, (char **) cases[i].words);
    }
  g_assert_cmpint (hl_token_spelling_detect (NULL, 0), ==, HL_TOKEN_SPELLING_PLAIN);
}

static void
test_maps (void)
{
  static const char *const tokens[] = { "[CLS]", "un", "##believ", "##able", "story", "[SEP]", "##tail", "##s" };
  static const guint8 hidden[] = { 1, 0, 0, 1, 0, 0, 0, 0 };
  g_autoptr (HlTokenMap) each = hl_token_map_new_each (8);
  g_autoptr (HlTokenMap) words = hl_token_words_make_map (tokens, 8, 0, 8);
  g_autoptr (HlTokenMap) parted = hl_token_words_make_map (tokens, 8, 2, 7);
  g_autoptr (HlTokenMap) left = hl_token_map_hide (words, hidden);
  g_autoptr (HlTokenMap) pieces = hl_token_map_hide (each, hidden);
  const HlTokenSpan *spans = hl_token_map_get_spans (words);
  gsize index;

  g_assert_true (hl_token_map_is_trivial (each));
  g_assert_false (hl_token_map_is_trivial (words));
  g_assert_cmpuint (hl_token_map_get_n (words), ==, 5);
  g_assert_cmpuint (hl_token_map_get_n_tokens (words), ==, 8);
  g_assert_cmpuint (spans[1].first, ==, 1);
  g_assert_cmpuint (spans[1].n, ==, 3);
  g_assert_cmpuint (spans[4].n, ==, 2);
  /* The second text and padding begin words. */
  g_assert_cmpuint (hl_token_map_get_n (parted), ==, 7);
  g_assert_cmpuint (hl_token_map_get_spans (parted)[2].first, ==, 2);

  /* A word of which a piece is hidden is. */
  g_assert_cmpuint (hl_token_map_get_n (left), ==, 3);
  g_assert_cmpuint (hl_token_map_get_spans (left)[0].first, ==, 4);
  g_assert_cmpuint (hl_token_map_get_n (pieces), ==, 6);

  g_assert_true (hl_token_map_find (words, 3, &index));
  g_assert_cmpuint (index, ==, 1);
  g_assert_false (hl_token_map_find (left, 3, &index));
  g_assert_true (hl_token_map_find (left, 7, &index));
  g_assert_cmpuint (index, ==, 2);
  g_assert_cmpuint (hl_token_map_count_before (left, 0), ==, 0);
  g_assert_cmpuint (hl_token_map_count_before (left, 4), ==, 0);
  g_assert_cmpuint (hl_token_map_count_before (left, 5), ==, 1);
  g_assert_cmpuint (hl_token_map_count_before (words, 2), ==, 2);
  g_assert_cmpuint (hl_token_map_count_before (words, 8), ==, 5);
}

/* As many as would take hours if all that is before each were looked through anew. */
#define N_MANY 1000001

/* However many flags stand together, each is a word of two pieces. */
static void
test_flags (void)
{
  g_autofree const char **tokens = g_new (const char *, N_MANY);

  for (gsize i = 0; i < N_MANY; i++)
    tokens[i] = i == 0 ? "▁a" : i % 2 != 0 ? "🇩" : "🇪";
  g_autofree guint8 *begins = hl_token_words_find (tokens, N_MANY);
  for (gsize i = 1; i < N_MANY; i++)
    g_assert_cmpuint (begins[i], ==, i % 2);
}

/* Bytes that are no characters stand alone. */
static void
test_bytes (void)
{
  g_autofree const char **tokens = g_new (const char *, N_MANY);

  for (gsize i = 0; i < N_MANY; i++)
    tokens[i] = i == 0 ? "▁a" : i == N_MANY - 2 ? "▁b" : i == N_MANY - 1 ? "c" : "<0x80>";
  g_autofree guint8 *begins = hl_token_words_find (tokens, N_MANY);
  for (gsize i = 0; i < N_MANY; i++)
    g_assert_cmpuint (begins[i], ==, i < N_MANY - 1);
}

static void
test_special_tokens (void)
{
  static const char *const special[] = { "[INST]", "[/INST]", "<｜User｜>", "<｜end▁of▁sentence｜>" };
  static const char *const text[] = { "[/]", "[/a]", "<｜", "｜>", "<｜｜>", "<｜a b｜>" };

  for (guint i = 0; i < G_N_ELEMENTS (special); i++)
    g_assert_true (hl_special_token_is (special[i]));
  for (guint i = 0; i < G_N_ELEMENTS (text); i++)
    g_assert_false (hl_special_token_is (text[i]));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/token-words/tokenizers", test_tokenizers);
  g_test_add_func ("/token-words/spellings", test_spellings);
  g_test_add_func ("/token-words/maps", test_maps);
  g_test_add_func ("/token-words/flags", test_flags);
  g_test_add_func ("/token-words/bytes", test_bytes);
  g_test_add_func ("/token-words/special-tokens", test_special_tokens);

  return g_test_run ();
}
