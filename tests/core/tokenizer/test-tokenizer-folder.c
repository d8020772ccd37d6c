/* SPDX-License-Identifier: MIT */
/* What a tokenizer is besides its own file: the class that a folder names, tokens that were added later, and options that go before its own.
 * The ids are those of transformers. */
#include "core/base/hl-error.h"
#include "core/model/local/hl-model-tokenizer.h"
#include "core/tokenizer/gguf/hl-gguf-tokenizer.h"

#include "test-dumps.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_FILES 5

typedef struct
{
  const char *name;
  const char *contents;
} File;

typedef struct
{
  const char *name;
  File files[MAX_FILES];
  const char *text;
  const char *tokens; /* %NULL: it is refused */
  const char *words;  /* with this */
  const char *pair;
} Case;

/* Of thirteen words, the last of them 12. */
#define WORDS "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nhello\n##lo\nnew\n[\n]\nhe\n\303\251\n"
/* Nineteen words, the last of them 18. */
#define MPNET_WORDS                                                                                                    \
  "<s>\n<pad>\n</s>\n<unk>\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n<mask>\na\nhello\n##lo\n[\n]\ncls\nhe\n\303\251\ne\n"         \
  "\344\270\255\n"
#define MERGES                                                                                                         \
  {                                                                                                                    \
    "merges.txt", "#version: 0.2\na b\n"                                                                               \
  }
#define BYTES                                                                                                          \
  {                                                                                                                    \
    "vocab.json",                                                                                                      \
      "{\"<s>\":0,\"<pad>\":1,\"</s>\":2,\"<unk>\":3,\"a\":4,\"b\":5,\"ab\":6,\"\304\240\":7,\"<mask>\":8,"            \
      "\"x\":9,\"<\":10,\">\":11}"                                                                                     \
  }
#define CONFIG(text)                                                                                                   \
  {                                                                                                                    \
    "tokenizer_config.json", text                                                                                      \
  }
#define MODEL(type)                                                                                                    \
  {                                                                                                                    \
    "config.json", "{\"model_type\":\"" type "\"}"                                                                     \
  }
#define BERT_FILE(normalizer)                                                                                          \
  {                                                                                                                    \
    "tokenizer.json", "{\"normalizer\":{\"type\":\"BertNormalizer\"," normalizer                                       \
                      "},\"pre_tokenizer\":{\"type\":\"BertPreTokenizer\"},\"model\":{\"type\":\"WordPiece\","         \
                      "\"unk_token\":\"[UNK]\",\"vocab\":{\"[UNK]\":0,\"a\":1,\"A\":2,\"e\":3,\"\303\251\":4,"         \
                      "\"\344\270\255\":5,\"\344\270\255a\":6}}}"                                                      \
  }
#define BYTES_FILE(prefix)                                                                                             \
  {                                                                                                                    \
    "tokenizer.json", "{\"added_tokens\":[{\"id\":3,\"content\":\"<e>\",\"special\":true}],\"pre_tokenizer\":"         \
                      "{\"type\":\"ByteLevel\",\"add_prefix_space\":" prefix "},\"model\":{\"type\":\"BPE\","          \
                      "\"vocab\":{\"a\":0,\"b\":1,\"\304\240\":2,\"<e>\":3,\"x\":4},\"merges\":[]}}"                   \
  }

static const Case cases[] = {
  { "bert", { { "vocab.txt", WORDS }, CONFIG ("{\"tokenizer_class\":\"BertTokenizerFast\"}") }, "hello A", "2 6 5 3" },
  { "japanese",
    { { "vocab.txt", WORDS },
      CONFIG ("{\"tokenizer_class\":\"BertJapaneseTokenizer\",\"word_tokenizer_type\":\"mecab\"}") },
    "hello",
    NULL,
    "only there as “vocab.txt”; for “BertJapaneseTokenizer”, “tokenizer.json” is needed" },
  { "japanese-model",
    { { "vocab.txt", WORDS },
      { "config.json", "{\"model_type\":\"bert\",\"tokenizer_class\":\"BertJapaneseTokenizer\"}" } },
    "hello",
    NULL,
    "“BertJapaneseTokenizer”" },

  { "mpnet",
    { { "vocab.txt", MPNET_WORDS }, CONFIG ("{\"tokenizer_class\":\"MPNetTokenizer\"}") },
    "hello A <mask>",
    "0 10 9 8 2" },
  { "mpnet-words", { { "vocab.txt", MPNET_WORDS }, MODEL ("mpnet") }, "[CLS] a", "0 12 14 13 9 2" },
  { "mpnet-pair", { { "vocab.txt", MPNET_WORDS }, MODEL ("mpnet") }, "hello", "0 10 2 2 9 2", .pair = "a" },
  { "mpnet-special",
    { { "vocab.txt", MPNET_WORDS }, MODEL ("mpnet"), CONFIG ("{\"do_lower_case\":false}") },
    "\303\211 \344\270\255 <unk> zz <pad></s>",
    "0 4 18 4 4 4 4 1 2 2" },
  { "mpnet-named",
    { { "vocab.txt", MPNET_WORDS },
      MODEL ("mpnet"),
      CONFIG ("{\"unk_token\":\"<unk>\",\"cls_token\":{\"content\":\"he\"},\"sep_token\":\"[SEP]\"}") },
    "zz <unk>a",
    "15 3 3 9 6" },

  { "added", { { "vocab.txt", WORDS }, { "added_tokens.json", "{\"[NEW]\":13}" } }, "hello [NEW]a", "2 6 13 5 3" },
  /* What is special is looked for as it was typed. */
  { "added-lower", { { "vocab.txt", WORDS }, { "added_tokens.json", "{\"[NEW]\":13}" } }, "[new]", "2 13 3" },
  { "added-special",
    { { "vocab.txt", WORDS },
      { "added_tokens.json", "{\"[NEW]\":13}" },
      { "special_tokens_map.json", "{\"additional_special_tokens\":[\"[NEW]\"]}" } },
    "[new][NEW]",
    "2 9 8 10 13 3" },
  { "decoder",
    { { "vocab.txt", WORDS },
      CONFIG ("{\"added_tokens_decoder\":{\"14\":{\"content\":\"[X]\",\"special\":true},"
              "\"13\":{\"content\":\"[NEW]\",\"special\":true}}}"),
      { "added_tokens.json", "{\"hello\":15}" } },
    "[X]hello [NEW]",
    "2 14 6 13 3" },
  { "decoder-ids",
    { { "vocab.txt", WORDS }, CONFIG ("{\"added_tokens_decoder\":{\"x\":{\"content\":\"[X]\"}}}") },
    "a",
    NULL,
    "the ids of “added_tokens_decoder” make no sense" },
  { "decoder-strips",
    { BYTES_FILE ("false"),
      CONFIG ("{\"added_tokens_decoder\":{\"3\":{\"content\":\"<e>\",\"lstrip\":true,\"rstrip\":true}}}") },
    "a <e> b",
    "0 3 1" },
  { "named", { BYTES_FILE ("false"), CONFIG ("{\"mask_token\":\"ax\",\"eos_token\":\"<e>\"}") }, "baxa<e>", "1 5 0 3" },
  { "extra",
    { BYTES_FILE ("false"),
      CONFIG ("{\"extra_special_tokens\":[\"bb\"],\"image_token\":\"aa\",\"pad_token\":\"xx\"}") },
    "aabbxx",
    "6 7 5" },

  { "bert-lower",
    { BERT_FILE ("\"lowercase\":false"), CONFIG ("{\"tokenizer_class\":\"BertTokenizer\",\"do_lower_case\":true}") },
    "A \303\251",
    "1 3" },
  { "bert-lower-unsaid", { BERT_FILE ("\"lowercase\":false"), MODEL ("bert"), CONFIG ("{}") }, "A", "1" },
  { "bert-cased",
    { BERT_FILE ("\"lowercase\":true"), CONFIG ("{\"tokenizer_class\":\"BertTokenizer\",\"do_lower_case\":false}") },
    "A \303\251",
    "2 4" },
  { "bert-accents",
    { BERT_FILE ("\"lowercase\":true"), CONFIG ("{\"tokenizer_class\":\"BertTokenizer\",\"strip_accents\":false}") },
    "A \303\251",
    "1 4" },
  { "bert-chinese",
    { BERT_FILE ("\"lowercase\":true"),
      CONFIG ("{\"tokenizer_class\":\"BertTokenizer\",\"tokenize_chinese_chars\":false}") },
    "\344\270\255a",
    "6" },
  /* A class that stands for any file keeps what that has. */
  { "bert-general",
    { BERT_FILE ("\"lowercase\":false"),
      CONFIG ("{\"tokenizer_class\":\"PreTrainedTokenizerFast\",\"do_lower_case\":true}"), MODEL ("bert") },
    "A",
    "2" },
  { "gpt2-space",
    { BYTES_FILE ("false"), CONFIG ("{\"tokenizer_class\":\"GPT2Tokenizer\",\"add_prefix_space\":true}") },
    "ab",
    "2 0 1" },
  { "gpt2-no-space", { BYTES_FILE ("true"), CONFIG ("{\"tokenizer_class\":\"RobertaTokenizer\"}") }, "ab", "0 1" },
  { "own-space", { BYTES_FILE ("true"), CONFIG ("{\"tokenizer_class\":\"QwenTokenizer\"}") }, "ab", "2 0 1" },

  { "bart", { BYTES, MERGES, CONFIG ("{\"tokenizer_class\":\"BartTokenizer\"}") }, "ab", "0 6 2" },
  { "codegen", { BYTES, MERGES, CONFIG ("{\"tokenizer_class\":\"CodeGenTokenizer\"}") }, "ab", "6" },
  { "opt", { BYTES, MERGES, MODEL ("opt") }, "ab", "6" },
  { "blenderbot", { BYTES, MERGES, CONFIG ("{\"tokenizer_class\":\"BlenderbotTokenizer\"}") }, "ab", "7 6 2" },
  { "blenderbot-type", { BYTES, MERGES, MODEL ("blenderbot"), CONFIG ("{\"add_prefix_space\":false}") }, "ab", "6 2" },
  { "gpt2-begins",
    { BYTES, MERGES, MODEL ("gpt2"), CONFIG ("{\"add_bos_token\":true,\"bos_token\":\"<s>\"}") },
    "ab",
    "0 6 0 9",
    .pair = "x" },
  { "gpt2-ends",
    { BYTES, MERGES,
      CONFIG ("{\"tokenizer_class\":\"GPT2Tokenizer\",\"add_eos_token\":true,\"bos_token\":\"<s>\","
              "\"eos_token\":\"</s>\"}") },
    "ab",
    "6 2 9 2",
    .pair = "x" },
  { "codegen-begins-and-ends",
    { BYTES, MERGES,
      CONFIG ("{\"tokenizer_class\":\"CodeGenTokenizer\",\"add_bos_token\":true,\"add_eos_token\":true,"
              "\"bos_token\":\"<s>\",\"eos_token\":\"</s>\"}") },
    "ab",
    "0 6 2 0 9 2",
    .pair = "x" },
  { "gpt2-end-missing",
    { BYTES, MERGES, MODEL ("gpt2"), CONFIG ("{\"add_eos_token\":true,\"bos_token\":\"<s>\"}") },
    "ab",
    NULL,
    "the vocabulary has no token “<|endoftext|>”" },
  { "unsaid", { BYTES, MERGES }, "ab", "0 6 2" },
  { "clip",
    { BYTES, MERGES, CONFIG ("{\"tokenizer_class\":\"CLIPTokenizer\"}") },
    "ab",
    NULL,
    "only there as “merges.txt”; for “CLIPTokenizer”, “tokenizer.json” is needed" },
  { "merges-added", { BYTES, MERGES, MODEL ("gpt2"), { "added_tokens.json", "{\"<x>\":12}" } }, "a<x>b", "4 12 5" },
};

static void
write_file (const char *folder,
            const char *name,
            const char *contents,
            gssize      size)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, contents, size, NULL));
}

static char *
encode (const char *path,
        const char *text,
        const char *pair,
        GError    **error)
{
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (HlTokenizer) tokenizer = hl_tokenizer_open (folder, error);
  g_autoptr (HlEncoding) encoding = tokenizer != NULL ? hl_tokenizer_encode (tokenizer, text, pair, 0, error) : NULL;
  g_autoptr (GString) ids = g_string_new (NULL);

  for (guint i = 0; encoding != NULL && i < encoding->n_tokens; i++)
    g_string_append_printf (ids, "%s%u", i > 0 ? " " : "", encoding->ids[i]);
  return encoding != NULL ? g_string_free (g_steal_pointer (&ids), FALSE) : NULL;
}

static void
test_case (gconstpointer data)
{
  const Case *test = data;
  g_autofree char *path = test_make_folder ();
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < MAX_FILES && test->files[i].name != NULL; i++)
    write_file (path, test->files[i].name, test->files[i].contents, -1);
  g_autofree char *ids = encode (path, test->text, test->pair, &error);
  g_assert_cmpstr (ids, ==, test->tokens);
  if (test->tokens == NULL)
    {
      g_assert_cmpint (error->domain, ==, HL_ERROR);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, test->words));
    }
  test_remove_folder (path);
}

/* Llama's pieces. */
static void
write_llama (const char *path)
{
  g_autofree char *source =
    g_test_build_filename (G_TEST_DIST, "..", "tokenizer", "pieces", "llama", "tokenizer.model", NULL);
  g_autofree char *model = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (source, &model, &size, NULL));
  write_file (path, "tokenizer.model", model, (gssize) size);
}

static char *
spell (HlTokenizer *tokenizer,
       const char  *text,
       const char  *pair)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlEncoding) encoding = hl_tokenizer_encode (tokenizer, text, pair, 0, &error);
  g_autoptr (GString) spelt = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < encoding->n_tokens; i++)
    g_string_append_printf (spelt, "%s%s", i > 0 ? " " : "", encoding->tokens[i]);
  return g_string_free (g_steal_pointer (&spelt), FALSE);
}

/* A model of SentencePiece says neither whether texts begin and end with something, nor which tokens were added. */
static void
test_pieces (void)
{
  static const struct
  {
    const char *config;
    const char *text;
    const char *pair;
    const char *spelt;
  } pieces[] = {
    { "", "The", NULL, "<s> ▁T he" },
    { ",\"add_bos_token\":false", "The", "The", "▁T he ▁T he" },
    { ",\"add_eos_token\":true", "The", "The", "<s> ▁T he </s> <s> ▁T he </s>" },
    { ",\"added_tokens_decoder\":{\"1000\":{\"content\":\"<|im|>\"}}", "The<|im|>", NULL, "<s> ▁T he <|im|>" },
  };
  g_autofree char *path = test_make_folder ();
  g_autoptr (GFile) folder = g_file_new_for_path (path);

  write_llama (path);
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autofree char *config = g_strdup_printf ("{\"tokenizer_class\":\"LlamaTokenizer\"%s}", pieces[i].config);
      g_autoptr (GError) error = NULL;

      write_file (path, "tokenizer_config.json", config, -1);
      g_autoptr (HlTokenizer) tokenizer = hl_tokenizer_open (folder, &error);
      g_assert_no_error (error);
      g_autofree char *spelt = spell (tokenizer, pieces[i].text, pieces[i].pair);
      g_assert_cmpstr (spelt, ==, pieces[i].spelt);
    }
  test_remove_folder (path);
}

/* A name that leads to another folder from some moment on. */
typedef struct
{
  const char *name;
  const char *to;
  int delay;
  gboolean is_begun;
} Change;

static gpointer
change (gpointer data)
{
  Change *self = data;

  g_atomic_int_set (&self->is_begun, TRUE);
  g_usleep ((gulong) self->delay);
  g_assert_cmpint (g_rename (self->to, self->name), ==, 0);
  return NULL;
}

/* While the files of one tokenizer are read, those of another come in their place: nobody gets the words of one and the merges of the other. */
static void
test_replaced (void)
{
  static const File versions[2][2] = {
    { { "vocab.json", "{\"a\":0,\"b\":1,\"ab\":2,\"c\":3,\"bc\":4,\"\304\240\":10}" },
      { "merges.txt", "#version: 0.2\na b\n" } },
    { { "vocab.json", "{\"a\":9,\"b\":8,\"ab\":7,\"c\":6,\"bc\":5,\"\304\240\":10}" },
      { "merges.txt", "#version: 0.2\nb c\n" } },
  };
  g_autofree char *path = test_make_folder ();
  g_autofree char *name = g_build_filename (path, "current", NULL);
  g_autofree char *next = g_build_filename (path, "next", NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (name);

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *version = g_build_filename (path, i == 0 ? "one" : "two", NULL);
      g_assert_cmpint (g_mkdir (version, 0700), ==, 0);
      for (guint j = 0; j < 2; j++)
        write_file (version, versions[i][j].name, versions[i][j].contents, -1);
    }
  for (int i = 0; i < 400; i++)
    {
      Change between = { name, next, i * 3, FALSE };
      g_autoptr (GError) error = NULL;

      g_remove (name);
      g_assert_cmpint (symlink ("one", name), ==, 0);
      g_assert_cmpint (symlink ("two", next), ==, 0);
      GThread *thread = g_thread_new ("change", change, &between);
      while (!g_atomic_int_get (&between.is_begun))
        g_thread_yield ();
      g_autoptr (HlTokenizer) tokenizer = hl_model_open_tokenizer (folder, &error);
      g_thread_join (thread);
      if (tokenizer == NULL)
        {
          g_assert_error (error, HL_ERROR, HL_ERROR_IO);
          continue;
        }
      g_autoptr (HlEncoding) encoding = hl_tokenizer_encode (tokenizer, "abc", NULL, 0, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (encoding->n_tokens, ==, 2);
      g_assert_cmpuint (encoding->ids[0], ==, encoding->ids[1] == 3 ? 2 : 9);
      g_assert_cmpuint (encoding->ids[1], ==, encoding->ids[0] == 2 ? 3 : 5);
    }
  test_remove_folder (path);
}

/* Weights that are written as long as it is wanted. */
typedef struct
{
  int fd;
  int n_written;
  int is_over;
} Weights;

static gpointer
write_weights (gpointer data)
{
  Weights *self = data;

  while (!g_atomic_int_get (&self->is_over))
    g_assert_cmpint (ftruncate (self->fd, g_atomic_int_add (&self->n_written, 1) % 1000), ==, 0);
  return NULL;
}

/* A tokenizer is not read of the weights beside it, which may be written meanwhile. */
static void
test_beside_weights (void)
{
  g_autofree char *path = test_make_folder ();
  g_autofree char *name = g_build_filename (path, "model.safetensors", NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  Weights weights = { g_open (name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600), 0, FALSE };

  write_file (path, "vocab.json", "{\"a\":0,\"b\":1,\"ab\":2,\"\304\240\":3}", -1);
  write_file (path, "merges.txt", "#version: 0.2\na b\n", -1);
  GThread *thread = g_thread_new ("weights", write_weights, &weights);
  while (g_atomic_int_get (&weights.n_written) == 0)
    g_thread_yield ();
  for (guint i = 0; i < 200; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (HlTokenizer) tokenizer = hl_model_open_tokenizer (folder, &error);

      g_assert_no_error (error);
      g_assert_nonnull (tokenizer);
    }
  g_atomic_int_set (&weights.is_over, TRUE);
  g_thread_join (thread);
  close (weights.fd);
  test_remove_folder (path);
}

/* Where a space is put before the parts of a text is said by the class, by the type of the model, and by two options; the tokens are those of
 * transformers. */
static void
test_spaces (void)
{
#define LLAMA "\"tokenizer_class\":\"LlamaTokenizer\","
#define PARTS "x</s>the</s> the"
  static const struct
  {
    const char *type;
    const char *config;
    const char *text;
    const char *spelt;
  } texts[] = {
    { "llama", LLAMA, PARTS, "▁ x </s> t he </s> ▁t he" },
    { "llama", LLAMA "\"legacy\":false,", PARTS, "▁ x </s> t he </s> ▁t he" },
    { "llama", LLAMA "\"legacy\":false,", " the", "▁t he" },
    { "llama", LLAMA "\"legacy\":false,", "</s>the", "</s> t he" },
    { "llama", LLAMA "\"legacy\":true,", PARTS, "▁ x </s> ▁t he </s> ▁t he" },
    { "llama", LLAMA "\"legacy\":true,", " the", "▁t he" },
    { "llama", LLAMA "\"add_prefix_space\":false,\"legacy\":true,", PARTS, "x </s> t he </s> ▁t he" },
    { "llama", "", PARTS, "▁ x </s> ▁t he </s> ▁▁ t he" },
    { "llama", "\"legacy\":true,", " the", "▁▁ t he" },
    { "llama", "\"legacy\":false,\"add_prefix_space\":false,", PARTS, "▁ x </s> t he </s> ▁t he" },
    { "llama", "\"legacy\":null,", PARTS, "▁ x </s> t he </s> ▁t he" },
    { "mistral", LLAMA, PARTS, "▁ x </s> ▁t he </s> ▁▁ t he" },
    { "mixtral", LLAMA "\"legacy\":false,", PARTS, "▁ x </s> t he </s> ▁t he" },
  };
  g_autofree char *path = test_make_folder ();
  g_autoptr (GFile) folder = g_file_new_for_path (path);

  write_llama (path);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *type = g_strdup_printf ("{\"model_type\":\"%s\"}", texts[i].type);
      g_autofree char *config = g_strdup_printf ("{%s\"add_bos_token\":false}", texts[i].config);
      g_autoptr (GError) error = NULL;

      write_file (path, "config.json", type, -1);
      write_file (path, "tokenizer_config.json", config, -1);
      g_autoptr (HlTokenizer) tokenizer = hl_tokenizer_open (folder, &error);
      g_assert_no_error (error);
      g_autofree char *spelt = spell (tokenizer, texts[i].text, NULL);
      g_test_message ("%s %s %s", texts[i].type, config, texts[i].text);
      g_assert_cmpstr (spelt, ==, texts[i].spelt);
    }
  test_remove_folder (path);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("/tokenizer-folder/%s", cases[i].name);
      g_test_add_data_func (name, &cases[i], test_case);
    }
  g_test_add_func ("/tokenizer-folder/pieces", test_pieces);
  g_test_add_func ("/tokenizer-folder/spaces", test_spaces);
  g_test_add_func ("/tokenizer-folder/replaced", test_replaced);
  g_test_add_func ("/tokenizer-folder/beside-weights", test_beside_weights);
  return g_test_run ();
}
