/* SPDX-License-Identifier: MIT */
/* Tokenizers of GGUF files: those that make-gguf.py makes of tokenizer.json give the same tokens of every fifth of 37,408 lines as what they
 * were made of, which test-tokenizer.c compares with the Python library; and each lie of the metadata gets its sentence. */
#include "core/archive/gguf/hl-gguf-archive.h"
#include "core/base/hl-error.h"
#include "core/tokenizer/gguf/hl-gguf-pre.h"
#include "core/tokenizer/gguf/hl-gguf-tokenizer.h"

#include "test-tokenizer-corpus.h"

#include <math.h>
#include <string.h>

/* Under the sanitizers everything takes many times as long. */
#ifdef __SANITIZE_ADDRESS__
#define MAX_CASES 2500
#else
#define MAX_CASES G_MAXUINT
#endif

/* That a file was read as what it was made of shows in fewer of the lines. Odd, since there are eight kinds of them by turns. */
#define CASE_STEP 5

static char *
get_made (const char *name,
          const char *suffix)
{
  g_autofree char *file = g_strconcat ("tokenizer-", name, suffix, NULL);

  return g_test_build_filename (G_TEST_BUILT, file, NULL);
}

static HlTokenizer *
load_json (const char *name)
{
  g_autofree char *path = get_made (name, ".json");
  g_autoptr (GError) error = NULL;
  g_autofree char *json = NULL;
  gsize size;

  g_file_get_contents (path, &json, &size, &error);
  g_assert_no_error (error);
  HlTokenizer *tokenizer = hl_tokenizer_new_from_json (json, size, &error);
  g_assert_no_error (error);
  return tokenizer;
}

static HlTokenizer *
load_gguf (const char *name)
{
  g_autofree char *path = get_made (name, ".gguf");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  HlTokenizer *tokenizer = hl_tokenizer_open (file, &error);

  g_assert_no_error (error);
  return tokenizer;
}

static void
test_same (gconstpointer data)
{
  const guint n_cases = MIN (test_corpus_get_n_cases (), MAX_CASES);
  g_autoptr (HlTokenizer) expected = load_json (data);
  g_autoptr (HlTokenizer) actual = load_gguf (data);
  guint n_bad = 0, next_block = 0;
  gboolean telling = TRUE;
  TestCorpus corpus;

  test_corpus_init (&corpus);
  for (guint i = 0; i < n_cases; i += CASE_STEP)
    {
      if (i >= next_block)
        {
          telling = test_corpus_is_telling (next_block);
          next_block += TEST_CORPUS_BLOCK;
        }
      if (!telling)
        continue;
      g_autofree char *text = NULL;
      g_autofree char *pair = NULL;
      g_autoptr (GError) error = NULL;
      guint max_length;
      test_corpus_get_case (&corpus, i, &text, &pair, &max_length);
      g_autoptr (HlEncoding) a = hl_tokenizer_encode (expected, text, pair, max_length, &error);
      g_assert_no_error (error);
      g_autoptr (HlEncoding) b = hl_tokenizer_encode (actual, text, pair, max_length, &error);
      g_assert_no_error (error);
      gboolean same = a->n_tokens == b->n_tokens;
      for (guint j = 0; same && j < a->n_tokens; j++)
        same = a->ids[j] == b->ids[j] && a->segments[j] == b->segments[j] && a->special[j] == b->special[j] &&
               strcmp (a->tokens[j], b->tokens[j]) == 0;
      if (!same && n_bad++ < 5)
        g_test_message ("case %u differs: “%s”", i, text);
    }
  test_corpus_clear (&corpus);
  g_assert_cmpuint (n_bad, ==, 0);
}

/* A value of the metadata: a string, a number, or a list of either. */
typedef struct
{
  const char *key;
  HlGgufType type;
  const char *strings; /* with | between those of a list */
  const double *numbers;
  gsize n;
} Value;

#define STRING(key, string)                                                                                            \
  {                                                                                                                    \
    "tokenizer.ggml." key, HL_GGUF_STRING, string, NULL, 0                                                             \
  }
#define STRINGS(key, strings)                                                                                          \
  {                                                                                                                    \
    "tokenizer.ggml." key, HL_GGUF_STRING, strings, NULL, G_MAXSIZE                                                    \
  }
#define NUMBER(key, type, number)                                                                                      \
  {                                                                                                                    \
    "tokenizer.ggml." key, type, NULL, (const double[]){ number }, 0                                                   \
  }
#define NUMBERS(key, type, ...)                                                                                        \
  {                                                                                                                    \
    "tokenizer.ggml." key, type, NULL, (const double[]){ __VA_ARGS__ },                                                \
      G_N_ELEMENTS (((const double[]){ __VA_ARGS__ }))                                                                 \
  }

static void
put (GByteArray *bytes,
     guint64     number,
     guint       n_bytes)
{
  number = GUINT64_TO_LE (number);
  g_byte_array_append (bytes, (const guint8 *) &number, n_bytes);
}

static void
put_string (GByteArray *bytes,
            const char *string)
{
  put (bytes, strlen (string), 8);
  g_byte_array_append (bytes, (const guint8 *) string, (guint) strlen (string));
}

static void
put_number (GByteArray *bytes,
            HlGgufType  type,
            double      number)
{
  const float single = (float) number;
  guint32 bits;

  memcpy (&bits, &single, sizeof bits);
  put (bytes, type == HL_GGUF_F32 ? bits : (guint64) (gint64) number, (guint) hl_gguf_type_get_size (type));
}

static void
put_value (GByteArray  *bytes,
           const Value *value)
{
  put_string (bytes, value->key);
  if (value->n > 0)
    put (bytes, HL_GGUF_ARRAY, 4);
  put (bytes, value->type, 4);
  if (value->numbers != NULL)
    {
      if (value->n > 0)
        put (bytes, value->n, 8);
      for (gsize i = 0; i < MAX (value->n, 1); i++)
        put_number (bytes, value->type, value->numbers[i]);
    }
  else if (value->n == 0)
    {
      put_string (bytes, value->strings);
    }
  else
    {
      g_auto (GStrv) list = g_strsplit (value->strings, "|", -1);
      put (bytes, g_strv_length (list), 8);
      for (char **string = list; *string != NULL; string++)
        put_string (bytes, *string);
    }
}

/* Makes a tokenizer of values, of which the last of a key counts; those without anything are left out. */
static HlTokenizer *
make (const Value *const *values,
      GError            **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GPtrArray) last = g_ptr_array_new ();
  g_autoptr (GFileIOStream) stream = NULL;
  g_autoptr (GFile) file = g_file_new_tmp ("tokenizer-XXXXXX.gguf", &stream, error);

  g_assert_nonnull (file);
  for (; *values != NULL; values++)
    for (const Value *value = *values; value->key != NULL; value++)
      {
        for (guint i = 0; i < last->len; i++)
          if (strcmp (((const Value *) last->pdata[i])->key, value->key) == 0)
            g_ptr_array_remove_index (last, i--);
        if (value->strings != NULL || value->numbers != NULL)
          g_ptr_array_add (last, (gpointer) value);
      }
  g_byte_array_append (bytes, (const guint8 *) "GGUF", 4);
  put (bytes, 3, 4);
  put (bytes, 0, 8);
  put (bytes, last->len, 8);
  for (guint i = 0; i < last->len; i++)
    put_value (bytes, last->pdata[i]);
  g_assert_true (g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (stream)), bytes->data,
                                            bytes->len, NULL, NULL, error));
  /* Whoever reads what is being written waits for its end. */
  g_assert_true (g_io_stream_close (G_IO_STREAM (stream), NULL, error));
  HlTokenizer *tokenizer = hl_tokenizer_open (file, error);
  g_assert_true (g_file_delete (file, NULL, NULL));
  return tokenizer;
}

static const Value byte_level[] = {
  STRING ("model", "gpt2"),
  STRING ("pre", "gpt-2"),
  STRINGS ("tokens", "a|b|ab|<e>"),
  NUMBERS ("token_type", HL_GGUF_I32, 1, 1, 1, 3),
  STRINGS ("merges", "a b"),
  NUMBER ("eos_token_id", HL_GGUF_U32, 3),
  { NULL },
};

static const Value scored[] = {
  STRING ("model", "llama"),
  STRINGS ("tokens", "<unk>|<s>|</s>|\342\226\201|a|b|ab|ba"),
  NUMBERS ("token_type", HL_GGUF_I32, 2, 3, 3, 1, 1, 1, 1, 1),
  NUMBERS ("scores", HL_GGUF_F32, 0, 0, 0, -9, -9, -9, -1, -1),
  { NULL },
};

static const Value unigram[] = {
  STRING ("model", "t5"),
  STRINGS ("tokens", "<pad>|</s>|<unk>|a|b|ab"),
  NUMBERS ("token_type", HL_GGUF_I32, 3, 3, 2, 1, 1, 1),
  NUMBERS ("scores", HL_GGUF_F32, 0, 0, 0, -3, -3, -2),
  { NULL },
};

typedef struct
{
  const char *name;
  const Value *base;
  Value lie;
  HlError code;
  const char *part;
} Lie;

static void
test_lie (gconstpointer data)
{
  const Lie *lie = data;
  const Value lies[] = { lie->lie, { NULL } };
  const Value *const values[] = { lie->base, lies, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTokenizer) tokenizer = make (values, &error);

  g_assert_null (tokenizer);
  g_assert_error (error, HL_ERROR, (int) lie->code);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_null (strchr (error->message, '\n'));
  if (strstr (error->message, lie->part) == NULL)
    g_error ("“%s” lacks “%s”", error->message, lie->part);
}

static char *
encode (HlTokenizer *tokenizer,
        const char  *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlEncoding) encoding = hl_tokenizer_encode (tokenizer, text, NULL, 0, &error);
  GString *ids = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < encoding->n_tokens; i++)
    g_string_append_printf (ids, "%s%u", i > 0 ? " " : "", encoding->ids[i]);
  return g_string_free (ids, FALSE);
}

static void
check_ids (const Value *base,
           Value        more,
           const char  *text,
           const char  *expected)
{
  const Value mores[] = { more, { NULL } };
  const Value *const values[] = { base, mores, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTokenizer) tokenizer = make (values, &error);

  g_assert_no_error (error);
  g_autofree char *ids = encode (tokenizer, text);
  g_assert_cmpstr (ids, ==, expected);
}

/* By hand, after the rules. */
static void
test_rules (void)
{
  const Value nothing = STRING ("pre", NULL);

  check_ids (byte_level, nothing, "abb<e>", "2 1 3");
  check_ids (byte_level, (Value) NUMBER ("add_eos_token", HL_GGUF_BOOL, 1), "ab", "2 3");
  /* Of pairs with the same score the leftmost is joined first; the text begins with a space. */
  check_ids (scored, nothing, "aba", "1 3 6 4");
  check_ids (scored, nothing, "baba", "1 3 7 7");
  check_ids (scored, (Value) NUMBER ("add_bos_token", HL_GGUF_BOOL, 0), "b</s>", "3 5 2");
  check_ids (scored, (Value) NUMBER ("add_space_prefix", HL_GGUF_BOOL, 0), "xyb", "1 0 5");
  check_ids (unigram, nothing, "abba", "5 4 3 1");
  /* What is said to be unused is no token of any text. */
  check_ids (unigram, (Value) NUMBERS ("token_type", HL_GGUF_I32, 3, 3, 2, 1, 1, 5), "ab", "3 4 1");
  check_ids (byte_level, (Value) NUMBER ("padding_token_id", HL_GGUF_U32, 4294967295.0), "a", "0");
}

static void
test_roles (void)
{
  const Value more[] = { NUMBER ("mask_token_id", HL_GGUF_U32, 2),
                         NUMBER ("seperator_token_id", HL_GGUF_U32, 1),
                         { NULL } };
  const Value *const values[] = { byte_level, more, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTokenizer) tokenizer = make (values, &error);
  guint32 id;

  g_assert_no_error (error);
  g_assert_true (hl_tokenizer_get_special_token (tokenizer, HL_SPECIAL_MASK, &id));
  g_assert_cmpuint (id, ==, 2);
  g_assert_true (hl_tokenizer_get_special_token (tokenizer, HL_SPECIAL_SEP, &id));
  g_assert_cmpuint (id, ==, 1);
  g_assert_true (hl_tokenizer_get_special_token (tokenizer, HL_SPECIAL_EOS, &id));
  g_assert_cmpuint (id, ==, 3);
  g_assert_false (hl_tokenizer_get_special_token (tokenizer, HL_SPECIAL_PAD, &id));
  g_assert_cmpuint (hl_tokenizer_get_n_tokens (tokenizer), ==, 4);
}

/* Every name of how text is cut has patterns that can be read. */
static void
test_pre (void)
{
  static const char *const names[] = {
    "default",   "gpt-2",     "roberta-bpe", "smollm",      "starcoder",   "falcon",         "llama-bpe",
    "dbrx",      "qwen2",     "qwen35",      "deepseek-v3", "tekken",      "gpt-4o",         "olmo",
    "command-r", "stablelm2", "bloom",       "viking",      "seed-coder",  "minicpm5",       "tiny_aya",
    "gemma4",    "glm4",      "bailingmoe",  "llama4",      "modern-bert", "deepseek-coder",
  };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const Value more[] = { { "tokenizer.ggml.pre", HL_GGUF_STRING, names[i], NULL, 0 }, { NULL } };
      const Value *const values[] = { byte_level, more, NULL };
      g_autoptr (HlTokenizer) tokenizer = make (values, &error);
      g_assert_no_error (error);
      g_autofree char *ids = encode (tokenizer, "abb");
      g_assert_cmpstr (ids, ==, "2 1");
    }
  g_assert_null (hl_gguf_pre_find ("gpt", &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED);
}

int
main (int   argc,
      char *argv[])
{
  static const char *const names[] = {
    "bert-uncased", "bert-cased", "gpt2",  "roberta", "gpt-neox", "llama3",      "qwen",
    "o200k",        "llama",      "gemma", "gemma4",  "t5",       "xlm-roberta",
  };

  const Lie lies[] = {
    { "no-kind", byte_level, STRING ("model", NULL), HL_ERROR_MISSING, "no tokenizer" },
    { "none", byte_level, STRING ("model", "none"), HL_ERROR_MISSING, "no tokenizer" },
    { "kind", byte_level, STRING ("model", "rwkv"), HL_ERROR_UNSUPPORTED, "“rwkv”" },
    { "kind-number", byte_level, NUMBER ("model", HL_GGUF_U32, 1), HL_ERROR_VALUE, "tokenizer.ggml.model" },
    { "pre", byte_level, STRING ("pre", "nothing"), HL_ERROR_UNSUPPORTED, "“nothing”" },
    { "pre-utf8", byte_level, STRING ("pre", "\377"), HL_ERROR_VALUE, "tokenizer.ggml.pre" },
    { "no-tokens", byte_level, STRINGS ("tokens", NULL), HL_ERROR_MISSING, "tokenizer.ggml.tokens" },
    { "tokens-numbers", byte_level, NUMBERS ("tokens", HL_GGUF_U32, 1, 2), HL_ERROR_DTYPE, "a list of strings" },
    { "twice", byte_level, STRINGS ("tokens", "a|b|ab|a"), HL_ERROR_VALUE, "0 and 3 are both “a”" },
    { "utf8", byte_level, STRINGS ("tokens", "a|b|ab|\303"), HL_ERROR_ENCODING, "entry 3" },
    { "types", byte_level, NUMBERS ("token_type", HL_GGUF_I32, 1, 1), HL_ERROR_VALUE, "has 2 entries" },
    { "types-strings", byte_level, STRINGS ("token_type", "a|b|c|d"), HL_ERROR_DTYPE, "a list of numbers" },
    { "type", byte_level, NUMBERS ("token_type", HL_GGUF_I32, 1, 1, 1, 7), HL_ERROR_VALUE, "entry 3" },
    { "no-merges", byte_level, STRINGS ("merges", NULL), HL_ERROR_MISSING, "tokenizer.ggml.merges" },
    { "merges-numbers", byte_level, NUMBERS ("merges", HL_GGUF_U32, 1), HL_ERROR_DTYPE, "tokenizer.ggml.merges" },
    { "merge", byte_level, STRINGS ("merges", "a b|ab"), HL_ERROR_VALUE, "entry 1" },
    { "merge-left", byte_level, STRINGS ("merges", "c b"), HL_ERROR_MISSING, "“c”" },
    { "merge-joined", byte_level, STRINGS ("merges", "b a"), HL_ERROR_MISSING, "“ba”" },
    { "merge-utf8", byte_level, STRINGS ("merges", "\303 a"), HL_ERROR_MISSING, "entry 0" },
    { "role", byte_level, NUMBER ("eos_token_id", HL_GGUF_U32, 4), HL_ERROR_VALUE,
      "“tokenizer.ggml.eos_token_id” is 4" },
    { "role-number", byte_level, NUMBER ("eos_token_id", HL_GGUF_F32, 1), HL_ERROR_DTYPE, "a whole number" },
    { "flag", byte_level, NUMBER ("add_bos_token", HL_GGUF_U32, 1), HL_ERROR_DTYPE, "true or false" },
    { "no-scores", scored, NUMBERS ("scores", HL_GGUF_F32, 0), HL_ERROR_VALUE, "has 1 entries" },
    { "scores-missing", unigram, STRINGS ("scores", NULL), HL_ERROR_MISSING, "tokenizer.ggml.scores" },
    { "score", unigram, NUMBERS ("scores", HL_GGUF_F32, 0, 0, 0, -3, NAN, -2), HL_ERROR_VALUE, "entry 4" },
    { "charsmap", unigram, NUMBERS ("precompiled_charsmap", HL_GGUF_U8, 8, 0, 0, 0, 1, 0, 0), HL_ERROR_CORRUPT,
      "precompiled_charsmap" },
    { "charsmap-type", unigram, NUMBERS ("precompiled_charsmap", HL_GGUF_F32, 8, 0, 0, 0), HL_ERROR_DTYPE,
      "a list of bytes" },
    { "charsmap-utf8", unigram, NUMBERS ("precompiled_charsmap", HL_GGUF_U8, 4, 0, 0, 0, 0, 0, 0, 0, 255),
      HL_ERROR_ENCODING, "precompiled_charsmap" },
  };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tokenizer-gguf/rules", test_rules);
  g_test_add_func ("/tokenizer-gguf/roles", test_roles);
  g_test_add_func ("/tokenizer-gguf/pre", test_pre);
  for (guint i = 0; i < G_N_ELEMENTS (lies); i++)
    {
      g_autofree char *path = g_strconcat ("/tokenizer-gguf/lie/", lies[i].name, NULL);
      g_test_add_data_func (path, &lies[i], test_lie);
    }
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_strconcat ("/tokenizer-gguf/same/", names[i], NULL);
      g_test_add_data_func (path, names[i], test_same);
    }
  return g_test_run ();
}
