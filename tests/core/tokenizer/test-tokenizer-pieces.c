/* SPDX-License-Identifier: MIT */
/* Models of SentencePiece: the same ids of 37,408 lines as the Python library, for each family of tests/tokenizer/make-pieces.py; files of
 * a tokenizer by themselves; and a sentence for each damage. */
#include "core/base/hl-error.h"
#include "core/tokenizer/gguf/hl-gguf-tokenizer.h"
#include "core/tokenizer/pieces/hl-piece-tokenizer.h"

#include "test-dumps.h"
#include "test-tokenizer-corpus.h"

#include <string.h>

/* Under the sanitizers everything takes many times as long. */
#ifdef __SANITIZE_ADDRESS__
#define MAX_CASES 2500
#else
#define MAX_CASES G_MAXUINT
#endif

static const char *const families[] = { "albert", "camembert", "gemma", "llama", "mt5", "t5", "xlm-roberta" };

static char *
get_path (const char *family,
          const char *file)
{
  return g_test_build_filename (G_TEST_DIST, "..", "tokenizer", "pieces", family, file, NULL);
}

static void
add_number (GChecksum *sum,
            guint32    number)
{
  number = GUINT32_TO_LE (number);
  g_checksum_update (sum, (const guchar *) &number, sizeof number);
}

static void
test_same (gconstpointer family)
{
  const guint n_cases = MIN (test_corpus_get_n_cases (), MAX_CASES);
  g_autofree char *path = get_path (family, NULL);
  g_autofree char *sums_path = get_path (family, "sums.txt");
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTokenizer) tokenizer = hl_tokenizer_open (folder, &error);
  g_autofree char *sums = NULL;
  guint n_bad = 0;
  TestCorpus corpus;

  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (sums_path, &sums, NULL, NULL));
  g_auto (GStrv) lines = g_strsplit (sums, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), >=, n_cases / TEST_CORPUS_BLOCK);
  test_corpus_init (&corpus);
  for (guint first = 0; first + TEST_CORPUS_BLOCK <= n_cases; first += TEST_CORPUS_BLOCK)
    {
      g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_MD5);

      if (!test_corpus_is_telling (first))
        continue;
      for (guint i = first; i < first + TEST_CORPUS_BLOCK; i++)
        {
          g_autofree char *text = NULL;
          g_autofree char *pair = NULL;
          guint max_length;
          test_corpus_get_case (&corpus, i, &text, &pair, &max_length);
          g_autoptr (HlEncoding) encoding = hl_tokenizer_encode (tokenizer, text, NULL, 0, &error);
          g_assert_no_error (error);
          add_number (sum, encoding->n_tokens);
          for (guint j = 0; j < encoding->n_tokens; j++)
            add_number (sum, encoding->ids[j]);
        }
      if (strncmp (g_checksum_get_string (sum), lines[first / TEST_CORPUS_BLOCK], 16) != 0 && n_bad++ < 5)
        g_test_message ("cases %u to %u differ", first, first + TEST_CORPUS_BLOCK - 1);
    }
  test_corpus_clear (&corpus);
  g_assert_cmpuint (n_bad, ==, 0);
}

static char *
spell (HlTokenizer *tokenizer,
       const char  *text,
       const char  *pair)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlEncoding) encoding = hl_tokenizer_encode (tokenizer, text, pair, 0, &error);
  g_autoptr (GString) string = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < encoding->n_tokens; i++)
    g_string_append_printf (string, "%s%s%s", i > 0 ? " " : "", encoding->tokens[i],
                            encoding->segments[i] > 0 ? "'" : "");
  return g_string_free (g_steal_pointer (&string), FALSE);
}

/* What stands around two texts, and the roles of tokens. */
static void
test_pairs (void)
{
  static const struct
  {
    const char *family;
    const char *file;
    const char *tokens;
    HlSpecialToken role;
    const char *token;
  } cases[] = {
    { "xlm-roberta", "sentencepiece.bpe.model", "<s> ▁The </s> </s> ▁like </s>", HL_SPECIAL_MASK, "<mask>" },
    { "t5", "spiece.model", "▁The </s> ▁like </s>", HL_SPECIAL_EOS, "</s>" },
    { "albert", "spiece.model", "[CLS] ▁ t h e [SEP] ▁like' [SEP]'", HL_SPECIAL_MASK, "[MASK]" },
    { "llama", "tokenizer.model", "<s> ▁T he <s>' ▁' li' ke'", HL_SPECIAL_BOS, "<s>" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = get_path (cases[i].family, cases[i].file);
      g_autoptr (GFile) file = g_file_new_for_path (path);
      g_autoptr (GError) error = NULL;
      /* The file alone finds what is beside it. */
      g_autoptr (HlTokenizer) tokenizer = hl_tokenizer_open (file, &error);
      guint32 id;

      g_assert_no_error (error);
      g_autofree char *tokens = spell (tokenizer, "The", "like");
      g_assert_cmpstr (tokens, ==, cases[i].tokens);
      g_assert_true (hl_tokenizer_get_special_token (tokenizer, cases[i].role, &id));
      g_assert_cmpstr (hl_tokenizer_get_token (tokenizer, id), ==, cases[i].token);
    }
}

/* A file of a folder is the same as the folder. */
static void
test_files (void)
{
  g_autofree char *path = test_make_folder ();
  g_autofree char *vocabulary = g_build_filename (path, "words.txt", NULL);
  g_autofree char *json = g_build_filename (path, "other.json", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (vocabulary, "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\ncat\n##s\n", -1, NULL));
  g_assert_true (g_file_set_contents (json,
                                      "{\"model\":{\"type\":\"WordLevel\",\"unk_token\":\"a\",\"vocab\":{\"a\":0}}}",
                                      -1, NULL));
  g_autoptr (GFile) vocabulary_file = g_file_new_for_path (vocabulary);
  g_autoptr (HlTokenizer) words = hl_tokenizer_open (vocabulary_file, &error);
  g_assert_no_error (error);
  g_autofree char *tokens = spell (words, "The cats", NULL);
  g_assert_cmpstr (tokens, ==, "[CLS] the cat ##s [SEP]");
  g_autoptr (GFile) json_file = g_file_new_for_path (json);
  g_autoptr (HlTokenizer) letters = hl_tokenizer_open (json_file, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (hl_tokenizer_get_n_tokens (letters), ==, 1);
  test_remove_folder (path);
}

/* Fields of the file: a number and a kind, then what they hold. */
static const struct
{
  const char *name;
  const char *bytes;
  gsize size;
  int code;
} damaged[] = {
  { "empty", "", 0, HL_ERROR_CORRUPT },
  { "text", "hello", 5, HL_ERROR_CORRUPT },
  { "longer-than-the-file", "\x0a\x7f\x0a", 3, HL_ERROR_CORRUPT },
  { "endless-number", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 12, HL_ERROR_CORRUPT },
  { "huge-size", "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, HL_ERROR_CORRUPT },
  { "group", "\x0b\x0c", 2, HL_ERROR_CORRUPT },
  { "no-text", "\x0a\x02\x18\x01", 4, HL_ERROR_VALUE },
  { "not-utf-8", "\x0a\x03\x0a\x01\xff", 5, HL_ERROR_VALUE },
  { "type", "\x0a\x05\x0a\x01z\x18\x09", 7, HL_ERROR_VALUE },
  { "infinite-score", "\x0a\x08\x0a\x01z\x15\x00\x00\x80\x7f", 10, HL_ERROR_VALUE },
  { "words", "\x0a\x03\x0a\x01z\x12\x02\x18\x03", 9, HL_ERROR_UNSUPPORTED },
  { "spaces-behind", "\x0a\x03\x0a\x01z\x12\x03\xc0\x01\x01", 10, HL_ERROR_UNSUPPORTED },
  { "spaces-as-they-are", "\x0a\x03\x0a\x01z\x1a\x02\x28\x00", 9, HL_ERROR_UNSUPPORTED },
};

static void
test_damaged (gconstpointer data)
{
  const gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  char *bytes = g_memdup2 (damaged[i].bytes, MAX (damaged[i].size, 1));
  g_autoptr (HlPieceFile) file = hl_piece_file_parse (bytes, damaged[i].size, &error);

  g_assert_null (file);
  g_assert_error (error, HL_ERROR, damaged[i].code);
  g_assert_null (strchr (error->message, '\n'));
}

/* Files that are whole, but not for such a model, or do not say for which. */
static void
test_wrong_family (void)
{
  static const char model[] = "\x0a\x05\x0a\x01z\x18\x02\x0a\x03\x0a\x01y";
  static const struct
  {
    const char *config;
    int code;
    const char *contains;
  } cases[] = {
    { "{\"model_type\":\"xlm-roberta\"}", HL_ERROR_VALUE, "too few entries" },
    { "{\"model_type\":\"albert\"}", HL_ERROR_MISSING, "no token “[CLS]”" },
    { "{\"model_type\":\"unheard\"}", HL_ERROR_UNSUPPORTED, "for “unheard”, “tokenizer.json” is needed" },
    { "{}", HL_ERROR_UNSUPPORTED, "says which kind of model it is for" },
  };
  g_autofree char *path = test_make_folder ();
  g_autofree char *model_path = g_build_filename (path, "spiece.model", NULL);
  g_autofree char *config = g_build_filename (path, "config.json", NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);

  g_assert_true (g_file_set_contents (model_path, model, sizeof model - 1, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (config, cases[i].config, -1, NULL));
      g_autoptr (HlTokenizer) tokenizer = hl_tokenizer_open (folder, &error);
      g_assert_null (tokenizer);
      g_assert_error (error, HL_ERROR, cases[i].code);
      g_assert_nonnull (strstr (error->message, cases[i].contains));
    }
  test_remove_folder (path);
}

static void
append_piece (GString    *model,
              const char *text,
              float       score,
              HlPieceType type)
{
  const union
  {
    float number;
    guint32 bits;
  } value = { score };
  const guint32 bits = GUINT32_TO_LE (value.bits);
  const gsize length = strlen (text);

  g_string_append_printf (model, "\x0a%c\x0a%c%s\x15", (char) (length + 9), (char) length, text);
  g_string_append_len (model, (const char *) &bits, sizeof bits);
  g_string_append_printf (model, "\x18%c", (char) type);
}

/* What tokenizer_config.json says of letters and punctuation marks; the tokens are those of transformers. */
static void
test_options (void)
{
  static const char *const normal[] = { "▁", "a", "A", "b", "B", "e", "é", ",", "\"", "▁a", "▁A", "▁b" };
  static const struct
  {
    const char *type;
    const char *special[6];
    const char *config;
    const char *text;
    const char *tokens;
  } cases[] = {
#define ALBERT "albert", { "<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]" }
#define DEBERTA                                                                                                        \
  "deberta-v2",                                                                                                        \
  {                                                                                                                    \
    "[PAD]", "[CLS]", "[SEP]", "[UNK]"                                                                                 \
  }
    { ALBERT, "{}", "A É ``", "[CLS] ▁a ▁ e ▁ \" [SEP]" },
    { ALBERT, "{\"do_lower_case\":false}", "A É ``", "[CLS] ▁A ▁ <unk> ▁ \" [SEP]" },
    { ALBERT, "{\"do_lower_case\":false}", "A é", "[CLS] ▁A ▁ e [SEP]" },
    { ALBERT, "{\"keep_accents\":true}", "A É", "[CLS] ▁a ▁ é [SEP]" },
    { ALBERT, "{\"split_by_punct\":true}", "Aa,b", "[CLS] ▁a a , b [SEP]" },
    { DEBERTA, "{\"keep_accents\":false}", "A é", "[CLS] ▁A ▁ é [SEP]" },
    { DEBERTA, "{\"do_lower_case\":true}", "A É", "[CLS] ▁a ▁ é [SEP]" },
    { DEBERTA, "{\"split_by_punct\":true}", "a,,b, a", "[CLS] ▁a ▁ , ▁ , ▁b ▁ , ▁a [SEP]" },
    { DEBERTA, "{\"split_by_punct\":true}", "a[MASK]b A,", "[CLS] ▁a [MASK] ▁b ▁A ▁ , [SEP]" },
    { DEBERTA, "{\"split_by_punct\":true,\"do_lower_case\":true}", "Aa,b a", "[CLS] ▁a a ▁ , ▁b ▁a [SEP]" },
  };
  g_autofree char *path = test_make_folder ();
  g_autofree char *model_path = g_build_filename (path, "spiece.model", NULL);
  g_autofree char *config = g_build_filename (path, "config.json", NULL);
  g_autofree char *options = g_build_filename (path, "tokenizer_config.json", NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) model = g_string_new (NULL);
      g_autofree char *type = g_strdup_printf ("{\"model_type\":\"%s\"}", cases[i].type);
      g_autoptr (GError) error = NULL;

      for (guint j = 0; cases[i].special[j] != NULL; j++)
        append_piece (model, cases[i].special[j], 0,
                      g_ascii_strncasecmp (cases[i].special[j] + 1, "unk", 3) == 0 ? HL_PIECE_UNKNOWN
                                                                                   : HL_PIECE_CONTROL);
      for (guint j = 0; j < G_N_ELEMENTS (normal); j++)
        append_piece (model, normal[j], g_utf8_strlen (normal[j], -1) > 1 ? -2 : -3, HL_PIECE_NORMAL);
      g_assert_true (g_file_set_contents (model_path, model->str, (gssize) model->len, NULL));
      g_assert_true (g_file_set_contents (config, type, -1, NULL));
      g_assert_true (g_file_set_contents (options, cases[i].config, -1, NULL));
      g_autoptr (HlTokenizer) tokenizer = hl_tokenizer_open (folder, &error);
      g_assert_no_error (error);
      g_autofree char *tokens = spell (tokenizer, cases[i].text, NULL);
      g_assert_cmpstr (tokens, ==, cases[i].tokens);
    }
  test_remove_folder (path);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    {
      g_autofree char *test = g_strdup_printf ("/tokenizer-pieces/same/%s", families[i]);
      g_test_add_data_func (test, families[i], test_same);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (damaged); i++)
    {
      g_autofree char *test = g_strdup_printf ("/tokenizer-pieces/damaged/%s", damaged[i].name);
      g_test_add_data_func (test, GSIZE_TO_POINTER (i), test_damaged);
    }
  g_test_add_func ("/tokenizer-pieces/pairs", test_pairs);
  g_test_add_func ("/tokenizer-pieces/files", test_files);
  g_test_add_func ("/tokenizer-pieces/wrong-family", test_wrong_family);
  g_test_add_func ("/tokenizer-pieces/options", test_options);
  return g_test_run ();
}
