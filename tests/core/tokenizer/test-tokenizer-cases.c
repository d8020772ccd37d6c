/* SPDX-License-Identifier: MIT */
/* Small tokenizers that no family has against what the Python library makes of them, which tests/tokenizer/make-cases.py wrote. */
#include "core/base/hl-error.h"
#include "core/json/hl-json-tree.h"
#include "core/tokenizer/hl-tokenizer.h"

#include <string.h>

/* The code points that sets are compared on: what Unicode has characters for. */
#define FIRST_END 0x33480
#define SECOND_START 0xe0000
#define SECOND_END 0xe0200

static HlJsonTree *
load_cases (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "tokenizer", "cases.json", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *json = NULL;
  gsize size;

  g_file_get_contents (path, &json, &size, &error);
  g_assert_no_error (error);
  HlJsonTree *tree = hl_json_tree_new (json, size, &error);
  g_assert_no_error (error);
  return tree;
}

static const char *
get_string (HlJsonValue value,
            const char *key)
{
  return hl_json_value_as_string (hl_json_value_get (value, key));
}

static void
add_number (GString *list,
            guint32  number)
{
  g_string_append_printf (list, "%s%u", list->len > 0 ? " " : "", number);
}

static char *
spell_list (HlJsonValue list)
{
  GString *numbers = g_string_new (NULL);
  HlJsonIter iter;

  hl_json_iter_init (&iter, list);
  while (hl_json_iter_next (&iter))
    {
      guint32 number;
      g_assert_true (hl_json_value_as_uint (iter.value, &number));
      add_number (numbers, number);
    }
  return g_string_free (numbers, FALSE);
}

/* Returns whether both are what the library has. */
static gboolean
check_text (HlTokenizer *tokenizer,
            HlJsonValue  row)
{
  const char *text = get_string (row, "text");
  g_autofree char *known_ids = spell_list (hl_json_value_get (row, "ids"));
  g_autofree char *known_offsets = spell_list (hl_json_value_get (row, "offsets"));
  g_autoptr (GString) ids = g_string_new (NULL);
  g_autoptr (GString) offsets = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlEncoding) encoding = hl_tokenizer_encode (tokenizer, text, NULL, 0, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < encoding->n_tokens; i++)
    {
      add_number (ids, encoding->ids[i]);
      add_number (offsets, encoding->offsets[i].start);
      add_number (offsets, encoding->offsets[i].end);
    }
  if (g_str_equal (ids->str, known_ids) && g_str_equal (offsets->str, known_offsets))
    return TRUE;
  g_test_message ("“%s”: %s at %s, not %s at %s", text, ids->str, offsets->str, known_ids, known_offsets);
  return FALSE;
}

static void
test_cases (void)
{
  g_autoptr (HlJsonTree) tree = load_cases ();
  guint n = 0, bad = 0;
  HlJsonIter iter, text;

  hl_json_iter_init (&iter, hl_json_value_get (hl_json_tree_get_root (tree), "cases"));
  while (hl_json_iter_next (&iter))
    {
      const char *json = get_string (iter.value, "tokenizer");
      g_autoptr (GError) error = NULL;
      g_autoptr (HlTokenizer) tokenizer = hl_tokenizer_new_from_json (json, strlen (json), &error);
      gboolean good = tokenizer != NULL;

      if (error != NULL)
        g_test_message ("%s", error->message);
      hl_json_iter_init (&text, hl_json_value_get (iter.value, "texts"));
      while (tokenizer != NULL && hl_json_iter_next (&text))
        good = check_text (tokenizer, text.value) && good;
      if (!good)
        g_test_message ("%s", json);
      bad += !good;
      n++;
    }
  g_assert_cmpuint (n, >, 50);
  g_assert_cmpuint (bad, ==, 0);
}

static char *
spell_code_points (GArray *starts)
{
  GString *text = g_string_new (NULL);

  for (gunichar c = 1; c < SECOND_END; c++)
    {
      c = c == 0xd800 ? 0xe000 : c == FIRST_END ? SECOND_START : c;
      g_array_append_val (starts, text->len);
      g_string_append_unichar (text, c);
    }
  return g_string_free (text, FALSE);
}

/* The sum of what is not left in the text. */
static char *
sum_removed (const HlEncoding *encoding,
             const char       *text,
             const GArray     *starts,
             guint            *n)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_MD5);
  guint token = 0;

  for (guint i = 0; i < starts->len; i++)
    {
      const gsize at = g_array_index (starts, gsize, i);
      const guint32 c = GUINT32_TO_LE (g_utf8_get_char (text + at));
      while (token < encoding->n_tokens && encoding->offsets[token].end <= at)
        token++;
      if (token < encoding->n_tokens && encoding->offsets[token].start <= at)
        continue;
      g_checksum_update (sum, (const guchar *) &c, sizeof c);
      (*n)++;
    }
  return g_strdup (g_checksum_get_string (sum));
}

static HlTokenizer *
remove_set (const char *regex,
            GError    **error)
{
  g_autofree char *escaped = g_strescape (regex, NULL);
  g_autofree char *json =
    g_strdup_printf ("{\"model\":{\"type\":\"WordLevel\",\"unk_token\":\"?\",\"vocab\":{\"?\":0}},"
                     "\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":{\"Regex\":\"%s\"},"
                     "\"behavior\":\"Removed\"}}",
                     escaped);

  return hl_tokenizer_new_from_json (json, strlen (json), error);
}

/* Which characters a set has, one by one. */
static void
test_sets (void)
{
  g_autoptr (HlJsonTree) tree = load_cases ();
  g_autoptr (GArray) starts = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_autofree char *text = spell_code_points (starts);
  guint bad = 0;
  HlJsonIter iter;

  hl_json_iter_init (&iter, hl_json_value_get (hl_json_tree_get_root (tree), "sets"));
  while (hl_json_iter_next (&iter))
    {
      const char *regex = get_string (iter.value, "regex");
      guint32 known = 0;
      guint n = 0;
      g_autoptr (GError) error = NULL;
      g_autoptr (HlTokenizer) tokenizer = remove_set (regex, &error);
      g_assert_no_error (error);
      g_autoptr (HlEncoding) encoding = hl_tokenizer_encode (tokenizer, text, NULL, 0, &error);
      g_assert_no_error (error);
      g_autofree char *sum = sum_removed (encoding, text, starts, &n);

      g_assert_true (hl_json_value_as_uint (hl_json_value_get (iter.value, "n"), &known));
      if (g_str_equal (sum, get_string (iter.value, "sum")))
        continue;
      g_test_message ("“%s” has %u characters of the %u that it should have", regex, n, known);
      bad++;
    }
  g_assert_cmpuint (bad, ==, 0);
}

/* To which side every character goes between letters of two scripts. */
static void
test_scripts (void)
{
  static const char json[] = "{\"model\":{\"type\":\"WordLevel\",\"unk_token\":\"?\",\"vocab\":{\"?\":0}},"
                             "\"pre_tokenizer\":{\"type\":\"UnicodeScripts\"}}";
  g_autoptr (HlJsonTree) tree = load_cases ();
  const HlJsonValue known = hl_json_value_get (hl_json_tree_get_root (tree), "scripts");
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_MD5);
  g_autoptr (GArray) starts = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_autofree char *characters = spell_code_points (starts);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTokenizer) tokenizer = hl_tokenizer_new_from_json (json, strlen (json), &error);
  guint32 n = 0, n_known = 0;
  gsize before = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < starts->len; i++)
    {
      const char *c = characters + g_array_index (starts, gsize, i);
      g_autofree char *text = g_strdup_printf ("a%.*sя", g_utf8_skip[(guchar) *c], c);
      g_autoptr (HlEncoding) encoding = hl_tokenizer_encode (tokenizer, text, NULL, 0, &error);
      g_assert_no_error (error);
      for (guint j = 0; j < encoding->n_tokens; j++, n++)
        {
          const guint32 end = GUINT32_TO_LE ((guint32) before + encoding->offsets[j].end);
          g_checksum_update (sum, (const guchar *) &end, sizeof end);
        }
      before += strlen (text);
    }
  g_assert_true (hl_json_value_as_uint (hl_json_value_get (known, "n"), &n_known));
  g_assert_cmpuint (n, ==, n_known);
  g_assert_cmpstr (g_checksum_get_string (sum), ==, get_string (known, "sum"));
}

static void
check_refused (HlTokenizer  *tokenizer,
               const GError *error,
               int           code,
               const char   *words)
{
  g_assert_null (tokenizer);
  g_assert_error (error, HL_ERROR, code);
  if (strstr (error->message, words) == NULL)
    g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
}

/* What would mean something else here. */
static void
test_refused (void)
{
  static const struct
  {
    const char *regex;
    const char *words;
  } patterns[] = {
    { "\\Ga", "\\G" },      { "\\V", "\\V" },        { "\\X", "\\X" },        { "\\xe9", "\\x" },
    { "[\\xe9a]", "\\x" },  { "\\xe2\\x96", "\\x" }, { "\\303\\251", "\\3" }, { "[[:graph:]]", "[:" },
    { "[[:alpha]]", "[:" }, { "[a[^b]]", "[[" },     { "[a-[b]]", "[[" },     { "[[a]&&b]", "&&" },
    { "a{2}?b", "{n}?" },
  };
  static const struct
  {
    const char *json;
    const char *words;
  } models[] = {
    { "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0},\"merges\":[],\"dropout\":0.1}}", "“dropout”" },
    { "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"<0x41>\":0},\"merges\":[],\"byte_fallback\":true,"
      "\"end_of_word_suffix\":\"a\"}}",
      "together with “end_of_word_suffix”" },
    { "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"<0x41>\":0},\"merges\":[],\"byte_fallback\":true,"
      "\"continuing_subword_prefix\":\"a\"}}",
      "together with “continuing_subword_prefix”" },
    { "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"zz\":2},\"merges\":[]},\"added_tokens\":["
      "{\"id\":2,\"content\":\"zz\"},{\"id\":3,\"content\":\"<x>\"}]}",
      "“<x>” and “zz” have one id" },
  };
  static const guint many[] = { 500, 10000 };

  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autoptr (GError) error = NULL;
      HlTokenizer *tokenizer = remove_set (patterns[i].regex, &error);
      check_refused (tokenizer, error, HL_ERROR_UNSUPPORTED, patterns[i].words);
    }
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autoptr (GError) error = NULL;
      HlTokenizer *tokenizer = hl_tokenizer_new_from_json (models[i].json, strlen (models[i].json), &error);
      check_refused (tokenizer, error, HL_ERROR_UNSUPPORTED, models[i].words);
    }
  /* A few letters each, and much more for PCRE2. */
  for (guint i = 0; i < G_N_ELEMENTS (many); i++)
    {
      g_autoptr (GString) regex = g_string_new (NULL);
      g_autoptr (GError) error = NULL;
      for (guint j = 0; j < many[i]; j++)
        g_string_append (regex, "\\b\\w");
      HlTokenizer *tokenizer = remove_set (regex->str, &error);
      check_refused (tokenizer, error, HL_ERROR_TOO_LARGE, "is too large");
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tokenizer-cases/cases", test_cases);
  g_test_add_func ("/tokenizer-cases/sets", test_sets);
  g_test_add_func ("/tokenizer-cases/scripts", test_scripts);
  g_test_add_func ("/tokenizer-cases/refused", test_refused);
  return g_test_run ();
}
