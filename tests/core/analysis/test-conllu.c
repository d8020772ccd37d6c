/* SPDX-License-Identifier: MIT */
/* Sentences in CoNLL-U and lists of texts: what is read of them, and what is said of those that are none. */
#include "core/analysis/corpus/hl-conllu.h"
#include "core/analysis/corpus/hl-corpus.h"
#include "core/analysis/corpus/hl-text-list.h"
#include "core/analysis/corpus/hl-word-runs.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/text/hl-lines.h"
#include "core/tokenizer/hl-tokenizer.h"

#include "test-dumps.h"

#include <string.h>

#define WORD(id, form, head, relation, misc) id "\t" form "\t_\t_\t_\t_\t" head "\t" relation "\t_\t" misc "\n"

static HlConllu *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  HlConllu *self = hl_conllu_parse (text, strlen (text), &error);

  g_assert_no_error (error);
  return self;
}

static HlAnnotation *
read_first (const char *text)
{
  g_autoptr (HlConllu) conllu = parse (text);
  g_autoptr (GError) error = NULL;
  HlAnnotation *annotation = hl_conllu_read (conllu, 0, &error);

  g_assert_no_error (error);
  return annotation;
}

static void
assert_text (const char *conllu,
             const char *expected)
{
  g_autoptr (HlAnnotation) annotation = read_first (conllu);
  gsize starts[20];
  g_autofree char *text = hl_annotation_make_text (annotation, starts);

  g_assert_cmpstr (text, ==, expected);
  for (guint i = 0; i < hl_annotation_get_n (annotation); i++)
    g_assert_true (g_str_has_prefix (text + starts[i], hl_annotation_get_word (annotation, i)->form));
}

static void
test_words (void)
{
  g_autoptr (HlConllu)
    conllu = parse ("\xef\xbb\xbf# sent_id = 1\r\n" WORD ("1", "Wir", "2", "nsubj", "_")
                      WORD ("2", "gehen", "0", "root", "Gloss=go|SpaceAfter=No")
                        WORD ("3", ".", "2", "punct", "_") "\n\n"
                                                           "# newdoc id = b\n" WORD ("1", "Ja", "_", "_", "_"));
  g_autoptr (HlAnnotation) first = hl_conllu_read (conllu, 0, NULL), second = hl_conllu_read (conllu, 1, NULL);

  g_assert_cmpuint (hl_conllu_get_n (conllu), ==, 2);
  g_assert_cmpuint (hl_conllu_get_line (conllu, 0), ==, 2);
  g_assert_cmpuint (hl_conllu_get_line (conllu, 1), ==, 8);
  g_assert_true (hl_conllu_begins_document (conllu, 0));
  g_assert_true (hl_conllu_begins_document (conllu, 1));
  g_assert_true (hl_conllu_has_dependencies (conllu));
  g_assert_false (hl_conllu_has_mentions (conllu));
  g_assert_cmpuint (hl_annotation_get_n (first), ==, 3);
  g_assert_cmpstr (hl_annotation_get_word (first, 1)->form, ==, "gehen");
  g_assert_cmpint (hl_annotation_get_word (first, 0)->head, ==, 1);
  g_assert_cmpstr (hl_annotation_get_word (first, 0)->relation, ==, "nsubj");
  g_assert_cmpint (hl_annotation_get_word (first, 1)->head, ==, HL_WORD_ROOT);
  g_assert_false (hl_annotation_get_word (first, 1)->space_after);
  g_assert_cmpint (hl_annotation_get_word (second, 0)->head, ==, HL_WORD_NONE);
  g_assert_null (hl_annotation_get_word (second, 0)->relation);
}

static void
test_ranges (void)
{
  /* A word of several that spell it is written as it is; where they spell it otherwise, they are written out. */
  assert_text (WORD ("1", "We", "3", "nsubj", "_") WORD ("2-3", "don't", "_", "_", "SpaceAfter=No")
                 WORD ("2", "do", "3", "aux", "_") WORD ("3", "n't", "0", "root", "_")
                   WORD ("4", ".", "3", "punct", "_"),
               "We don't.");
  assert_text (WORD ("1-2", "du", "_", "_", "_") WORD ("1", "de", "3", "case", "_") WORD ("2", "le", "3", "det", "_")
                 WORD ("3", "pain", "0", "root", "_") WORD ("3.1", "gapped", "_", "_", "_"),
               "de le pain");
  /* Heads in a circle are what somebody annotated. */
  assert_text (WORD ("1", "a", "2", "x", "_") WORD ("2", "b", "1", "x", "_"), "a b");
}

static void
assert_mention (const HlAnnotation *annotation,
                guint               index,
                guint               first,
                guint               n,
                guint               head)
{
  const HlMention *mention = hl_annotation_get_mention (annotation, index);

  g_assert_cmpuint (mention->first, ==, first);
  g_assert_cmpuint (mention->n, ==, n);
  g_assert_cmpuint (mention->head, ==, head);
}

static void
test_mentions (void)
{
  g_autoptr (HlAnnotation) annotation = read_first (
    WORD ("1", "Her", "2", "nmod", "Entity=(e3-person-2-(e1-person-1)") WORD ("2", "cat", "3", "nsubj", "Entity=e3)")
      WORD ("3", "saw", "0", "root", "_") WORD ("4", "it", "3", "obj", "Entity=(e1--1)(e9[1/2]-x-1|SpaceAfter=No")
        WORD ("5", "all", "3", "obj", "Entity=e9[1/2])") WORD ("6", "now", "3", "advmod", "Entity=(e9[2/2]-x-1)"));

  /* The second part of a mention that is not in one piece stands for nothing by itself. */
  g_assert_cmpuint (hl_annotation_get_n_mentions (annotation), ==, 4);
  assert_mention (annotation, 0, 0, 1, 0);
  assert_mention (annotation, 1, 0, 2, 1);
  assert_mention (annotation, 2, 3, 1, 3);
  assert_mention (annotation, 3, 3, 2, 3);
  g_assert_cmpuint (hl_annotation_get_mention (annotation, 0)->entity, ==,
                    hl_annotation_get_mention (annotation, 2)->entity);
  g_assert_cmpuint (hl_annotation_get_mention (annotation, 0)->entity, !=,
                    hl_annotation_get_mention (annotation, 1)->entity);

  /* Without a head, it is the word that depends on none of the others; fields can stand in another order. */
  g_autoptr (HlAnnotation)
    headless = read_first ("# global.Entity = eid-head-etype\n" WORD ("1", "the", "3", "det", "Entity=(a-3-x")
                             WORD ("2", "old", "3", "amod", "Entity=(b") WORD ("3", "cat", "0", "root", "Entity=b)a)"));
  assert_mention (headless, 0, 1, 2, 2);
  assert_mention (headless, 1, 0, 3, 2);

  /* What is not written has no words. */
  g_autoptr (HlAnnotation)
    empty = read_first (WORD ("1", "saw", "0", "root", "_") WORD ("1.1", "_", "_", "_", "Entity=(e1-person-1)"));
  g_assert_cmpuint (hl_annotation_get_n_mentions (empty), ==, 0);
}

static void
test_bad_sentences (void)
{
  static const struct
  {
    const char *text;
    const char *message;
  } cases[] = {
    { "", "there is no sentence in it" },
    { "# only = this\n\n", "there is no sentence in it" },
    { "1\ta\tb\n", "line 1: there are 3 columns; CoNLL-U has 10" },
    { "\n" WORD ("2", "a", "0", "root", "_"), "line 2: the word is numbered “2”; it is word 1" },
    { WORD ("1", "a", "2", "x", "_"), "line 1: the head of word 1 is word 2, and the sentence has 1" },
    { WORD ("1", "a", "x", "x", "_"), "line 1: “x” is no head; it is the number of a word, 0 or _" },
    { WORD ("1", "a", "-1", "x", "_"), "line 1: “-1” is no head; it is the number of a word, 0 or _" },
    { WORD ("1", "a", "1", "x", "_"), "line 1: word 1 is its own head" },
    { WORD ("1", "", "0", "root", "_"), "line 1: the word is empty" },
    { WORD ("2-3", "a", "_", "_", "_"), "line 1: “2-3” is not the range of the next words" },
    { WORD ("1-2", "a", "_", "_", "_") WORD ("1", "a", "0", "root", "_"),
      "line 2: the words of the range 1-2 are not all there" },
    { WORD ("1", "a", "0", "root", "Entity=(e1-x-1"),
      "line 1: a mention that began in the sentence does not end in it" },
    { WORD ("1", "a", "0", "root", "Entity=e1)"), "line 1: the mention “e1” ends and has not begun" },
    { WORD ("1", "a", "0", "root", "Entity=e1"), "line 1: “Entity” neither opens nor closes a mention" },
    { WORD ("1", "a", "0", "root", "Entity=(-x-1)"), "line 1: a mention has no name" },
    { WORD ("1", "a", "xüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüü", "x", "_"),
      "line 1: “xüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüü…” is no head; it is the number of a word, 0 or _" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (hl_conllu_parse (cases[i].text, strlen (cases[i].text), &error));
      g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

/* What is wrong with a sentence for the model is of its line in the file. */
static void
test_corpus (void)
{
  static const char *const names[] = { "config.json", "model.safetensors" };
  static const char tokenizer[] = "{\"version\": \"1.0\", \"added_tokens\": [], \"normalizer\": null, "
                                  "\"pre_tokenizer\": {\"type\": \"WhitespaceSplit\"}, \"post_processor\": null, "
                                  "\"decoder\": null, \"model\": {\"type\": \"WordLevel\", \"unk_token\": \"a\", "
                                  "\"vocab\": {\"a\": 0, \"b\": 1, \"unknown\": 1000}}}";
  static const char text[] = WORD ("1", "a", "0", "root", "_")
    WORD ("2", "b", "1", "x", "_") "\n# two\n" WORD ("1", "unknown", "0", "root", "_");
  g_autofree char *path = test_make_folder ();
  g_autofree char *file = g_build_filename (path, "tokenizer.json", NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  HlExample *example = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *name = g_test_build_filename (G_TEST_DIST, "..", "model", "checkpoints", "gpt2", names[i], NULL);
      g_autoptr (GFile) source = g_file_new_for_path (name);
      g_autoptr (GFile) target = g_file_get_child (folder, names[i]);
      g_assert_true (g_file_copy (source, target, G_FILE_COPY_NONE, NULL, NULL, NULL, &error));
    }
  g_assert_true (g_file_set_contents (file, tokenizer, -1, &error));
  g_autoptr (HlModel) model = hl_model_load (folder, &error);
  g_assert_no_error (error);
  g_autoptr (HlConllu) sentences = hl_conllu_parse (text, sizeof text - 1, &error);
  g_assert_no_error (error);
  g_autoptr (HlCorpus) corpus = hl_corpus_new_for_sentences (model, sentences, &error);
  g_assert_no_error (error);

  g_assert_cmpuint (hl_corpus_get_n (corpus), ==, 2);
  g_autoptr (HlDocument) document = hl_corpus_read (corpus, 0, &example, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (hl_attention_get_tokens (hl_example_get_attention (example, 0), HL_KEYS)[1], ==, "b");
  g_clear_object (&example);
  g_assert_null (hl_corpus_read (corpus, 1, &example, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  g_assert_true (g_str_has_prefix (error->message, "line 5: "));
  test_remove_folder (path);
}

static void
test_bad_lines (void)
{
  static const char bad[] = "\n" WORD ("1", "\xff", "0", "root", "_");
  g_autofree char *longest = g_strnfill (HL_LIMIT_LINE + 1, 'a');
  g_autoptr (GError) error = NULL, other = NULL;

  g_assert_null (hl_conllu_parse (bad, sizeof bad - 1, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_ENCODING);
  g_assert_cmpstr (error->message, ==, "line 2 is not text in UTF-8");
  g_assert_null (hl_conllu_parse (longest, HL_LIMIT_LINE + 1, &other));
  g_assert_error (other, HL_ERROR, HL_ERROR_TOO_LARGE);
  g_assert_cmpstr (other->message, ==, "line 1 is longer than 1 MiB");
}

static void
test_texts (void)
{
  static const char text[] = "\xef\xbb\xbfone\r\n\n  \nans\twers\nlast";
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTextList) list = hl_text_list_parse (text, sizeof text - 1, &error);
  g_autofree char *first = NULL, *second = NULL, *other = NULL, *third = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (hl_text_list_get_n (list), ==, 3);
  g_assert_cmpuint (hl_text_list_get_line (list, 1), ==, 4);
  g_assert_true (hl_text_list_dup (list, 0, &first, &other, NULL));
  g_assert_cmpstr (first, ==, "one");
  g_assert_null (other);
  g_assert_true (hl_text_list_dup (list, 1, &second, &other, NULL));
  g_assert_cmpstr (second, ==, "ans");
  g_assert_cmpstr (other, ==, "wers");
  g_clear_pointer (&other, g_free);
  g_assert_true (hl_text_list_dup (list, 2, &third, &other, NULL));
  g_assert_cmpstr (third, ==, "last");
}

static void
assert_bad_texts (const char *text,
                  gsize       size,
                  HlError     code,
                  const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (hl_text_list_parse (text, size, &error));
  g_assert_error (error, HL_ERROR, (int) code);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_bad_texts (void)
{
  g_autofree char *longest = g_strnfill (HL_LIMIT_LINE + 1, 'a');

  assert_bad_texts ("", 0, HL_ERROR_VALUE, "there is no text in it");
  assert_bad_texts (" \n", 2, HL_ERROR_VALUE, "there is no text in it");
  assert_bad_texts ("a\nb\xff\n", 5, HL_ERROR_ENCODING, "line 2 is not text in UTF-8");
  assert_bad_texts ("a\0b", 3, HL_ERROR_ENCODING, "line 1 is not text in UTF-8");
  assert_bad_texts ("a\tb\tc", 5, HL_ERROR_VALUE,
                    "line 1 has more than one tab; it is a text, or two separated by a tab");
  assert_bad_texts (longest, HL_LIMIT_LINE + 1, HL_ERROR_TOO_LARGE, "line 1 is longer than 1 MiB");
}

/* The longest line ends as any other does, and one byte more is too long wherever its end is. */
static void
test_longest_line (void)
{
  static const char *const rest[] = { "", "\n", "\r\n", "\r\nb", "\nb\n" };

  for (guint i = 0; i < G_N_ELEMENTS (rest); i++)
    {
      g_autofree char *letters = g_strnfill (HL_LIMIT_LINE, 'a');
      g_autofree char *text = g_strconcat ("first\n", letters, rest[i], NULL);
      g_autofree char *longer = g_strconcat ("first\na", letters, rest[i], NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (HlTextList) list = hl_text_list_parse (text, strlen (text), &error);

      g_assert_no_error (error);
      g_assert_cmpuint (hl_text_list_get_n (list), ==, strchr (rest[i], 'b') != NULL ? 3 : 2);
      assert_bad_texts (longer, strlen (longer), HL_ERROR_TOO_LARGE, "line 2 is longer than 1 MiB");
    }
}

static void
test_cancelled (void)
{
  g_autofree char *path = test_make_folder (), *name = g_build_filename (path, "texts", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (name);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL, other = NULL;

  g_assert_true (g_file_set_contents (name, "one\n", -1, NULL));
  g_cancellable_cancel (cancellable);
  g_assert_null (hl_text_list_load (file, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (hl_conllu_load (file, cancellable, &other));
  g_assert_error (other, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  test_remove_folder (path);
}

static HlTokenSpan *
find (const char *const *tokens,
      GError           **error)
{
  g_autoptr (HlAnnotation) annotation = hl_annotation_new ();

  hl_annotation_add_word (annotation, "Café", HL_WORD_NONE, NULL, TRUE);
  hl_annotation_add_word (annotation, "tables", HL_WORD_NONE, NULL, FALSE);
  hl_annotation_add_word (annotation, "!", HL_WORD_NONE, NULL, FALSE);
  return hl_word_runs_find_by_text (annotation, tokens, g_strv_length ((char **) tokens), error);
}

static void
test_runs (void)
{
  static const char *const spellings[][9] = {
    { "[CLS]", "cafe", "table", "##s", "!", "[SEP]" }, { "<s>", "Caf", "Ã©", "Ġtables", "!", "</s>" },
    { "▁Cafe", "́", "▁t", "ables", "!", "</s>" },       { "[CLS]", "[UNK]", "tables", "!", "[SEP]" },
    { "ĠC", "af", "Ã", "©", "Ġtab", "les", "!" },
  };
  static const HlTokenSpan expected[][3] = {
    { { 1, 1 }, { 2, 2 }, { 4, 1 } }, { { 1, 2 }, { 3, 1 }, { 4, 1 } }, { { 0, 2 }, { 2, 2 }, { 4, 1 } },
    { { 1, 1 }, { 2, 1 }, { 3, 1 } }, { { 0, 4 }, { 4, 2 }, { 6, 1 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (spellings); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree HlTokenSpan *runs = find (spellings[i], &error);

      g_assert_no_error (error);
      for (guint word = 0; word < 3; word++)
        {
          g_assert_cmpuint (runs[word].first, ==, expected[i][word].first);
          g_assert_cmpuint (runs[word].n, ==, expected[i][word].n);
        }
    }
}

static void
test_bad_runs (void)
{
  static const struct
  {
    const char *tokens[6];
    const char *message;
  } cases[] = {
    { { "[CLS]", "cafe", "chairs", "!", "[SEP]" },
      "the annotations do not fit: word 2 is “tables”, and token 2 is “chairs”" },
    { { "[CLS]", "cafe", "tables", "[SEP]" }, "the annotations do not fit: there is no token for word 3, “!”" },
    { { "ĠCaf", "Ã", "Ġtables", "!" }, "the annotations do not fit: word 1 is “Café”, and token 0 is “ĠCaf”" },
    { { "cafe", "tables", "!", "more" },
      "the annotations do not fit: behind the last of 3 words there is token 3, “more”" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (find (cases[i].tokens, &error));
      g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

/* Each token is looked at once, however long its word is: minutes, were all of them before it looked at again. */
static void
test_long_run (void)
{
  const gsize n = 100000;
  g_autoptr (HlAnnotation) annotation = hl_annotation_new ();
  g_autofree const char **tokens = g_new (const char *, n + 1);
  g_autoptr (GString) form = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < n; i++)
    {
      tokens[i] = "É";
      g_string_append (form, "é");
    }
  tokens[n] = "b";
  hl_annotation_add_word (annotation, form->str, HL_WORD_NONE, NULL, FALSE);
  hl_annotation_add_word (annotation, "b", HL_WORD_NONE, NULL, FALSE);
  g_autofree HlTokenSpan *runs = hl_word_runs_find_by_text (annotation, tokens, n + 1, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (runs[0].n, ==, n);
  g_assert_cmpuint (runs[1].first, ==, n);
}

/* However a tokenizer cuts and spells, all tokens of the text are of its words, one after another. */
static void
test_tokenizers (void)
{
  static const char *const names[] = { "bert-uncased", "gpt2", "roberta",     "llama",
                                       "llama3",       "t5",   "xlm-roberta", "gemma" };
  g_autoptr (HlAnnotation) annotation = hl_annotation_new ();
  gsize starts[6];

  hl_annotation_add_word (annotation, "Unbelievable", HL_WORD_NONE, NULL, TRUE);
  hl_annotation_add_word (annotation, "naïveté", HL_WORD_NONE, NULL, FALSE);
  hl_annotation_add_word (annotation, ",", HL_WORD_NONE, NULL, TRUE);
  hl_annotation_add_word (annotation, "do", HL_WORD_NONE, NULL, FALSE);
  hl_annotation_add_word (annotation, "n't", HL_WORD_NONE, NULL, TRUE);
  hl_annotation_add_word (annotation, "日本", HL_WORD_NONE, NULL, TRUE);
  g_autofree char *text = hl_annotation_make_text (annotation, starts);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *file = g_strconcat (names[i], ".json", NULL);
      g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "tokenizer", file, NULL);
      g_autofree char *json = NULL;
      g_autoptr (GError) error = NULL;
      gsize size, next = 0;

      g_assert_true (g_file_get_contents (path, &json, &size, &error));
      g_autoptr (HlTokenizer) tokenizer = hl_tokenizer_new_from_json (json, size, &error);
      g_assert_no_error (error);
      g_autoptr (HlEncoding) encoding = hl_tokenizer_encode (tokenizer, text, NULL, 0, &error);
      g_assert_no_error (error);
      g_autofree HlTokenSpan *runs = hl_word_runs_find_by_offsets (annotation, starts, encoding, encoding->n_tokens);
      while (next < encoding->n_tokens && encoding->special[next])
        next++;
      for (guint word = 0; word < 6; word++)
        {
          g_test_message ("%s: word %u has %zu tokens from %zu on", names[i], word, runs[word].n, runs[word].first);
          /* A vocabulary may have a token for the two parts of “don't” that begins in the first. */
          if (runs[word].n == 0 && word == 4)
            continue;
          g_assert_cmpuint (runs[word].n, >, 0);
          g_assert_cmpuint (runs[word].first, ==, next);
          next += runs[word].n;
        }
      while (next < encoding->n_tokens && encoding->special[next])
        next++;
      g_assert_cmpuint (next, ==, encoding->n_tokens);

      /* What is cut off has no tokens. */
      g_autofree HlTokenSpan *cut = hl_word_runs_find_by_offsets (annotation, starts, encoding, runs[2].first);
      g_assert_cmpuint (cut[2].n, ==, 0);
      g_assert_cmpuint (cut[1].n, ==, runs[1].n);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/conllu/words", test_words);
  g_test_add_func ("/conllu/ranges", test_ranges);
  g_test_add_func ("/conllu/mentions", test_mentions);
  g_test_add_func ("/conllu/bad", test_bad_sentences);
  g_test_add_func ("/conllu/bad-lines", test_bad_lines);
  g_test_add_func ("/conllu/corpus", test_corpus);
  g_test_add_func ("/texts/lines", test_texts);
  g_test_add_func ("/texts/bad", test_bad_texts);
  g_test_add_func ("/texts/longest-line", test_longest_line);
  g_test_add_func ("/texts/cancelled", test_cancelled);
  g_test_add_func ("/word-runs/spellings", test_runs);
  g_test_add_func ("/word-runs/long", test_long_run);
  g_test_add_func ("/word-runs/tokenizers", test_tokenizers);
  g_test_add_func ("/word-runs/bad", test_bad_runs);
  return g_test_run ();
}
