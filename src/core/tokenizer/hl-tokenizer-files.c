/* SPDX-License-Identifier: MIT */
/* Finds the files of a tokenizer in a model folder, or takes one of them. What is older than tokenizer.json (vocab.txt, or
 * vocab.json and merges.txt) is written as one, so that there is one way to load. */
#include "core/tokenizer/hl-tokenizer-files.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/base/text/hl-lines.h"
#include "core/base/text/hl-text-hash.h"
#include "core/tokenizer/hl-folder-files.h"
#include "core/tokenizer/hl-tokenizer-class.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static void
append_string (GString    *json,
               const char *bytes,
               gsize       length)
{
  g_string_append_c (json, '"');
  for (gsize i = 0; i < length; i++)
    if (bytes[i] == '"' || bytes[i] == '\\')
      g_string_append_printf (json, "\\%c", bytes[i]);
    else if ((guchar) bytes[i] < 0x20)
      g_string_append_printf (json, "\\u%04x", (guint) bytes[i]);
    else
      g_string_append_c (json, bytes[i]);
  g_string_append_c (json, '"');
}

static void
append_added (GString    *json,
              GHashTable *ids,
              const char *token,
              gboolean    lstrip)
{
  gpointer id;

  if (!g_hash_table_lookup_extended (ids, token, NULL, &id))
    return;
  g_string_append (json, json->str[json->len - 1] == '[' ? "{\"content\":" : ",{\"content\":");
  append_string (json, token, strlen (token));
  g_string_append_printf (json, ",\"id\":%u,\"special\":true,\"normalized\":false,\"lstrip\":%s}",
                          GPOINTER_TO_UINT (id), lstrip ? "true" : "false");
}

/* Roles that are of one token are one. */
static void
append_all_added (GString           *json,
                  GHashTable        *ids,
                  const char *const *tokens,
                  guint              n)
{
  for (guint i = 0; i < n; i++)
    {
      gboolean seen = FALSE;
      for (guint j = 0; j < i; j++)
        seen |= strcmp (tokens[i], tokens[j]) == 0;
      if (!seen)
        append_added (json, ids, tokens[i], FALSE);
    }
}

/* A token around texts, if there is to be one, which the vocabulary has to have. */
static gboolean
find_around (GHashTable *ids,
             const char *token,
             gpointer   *id,
             GError    **error)
{
  if (token == NULL || g_hash_table_lookup_extended (ids, token, NULL, id))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("the vocabulary has no token “%s”"), token);
  return FALSE;
}

static void
append_text (GString    *json,
             const char *sequence,
             guint       segment,
             gboolean    begins,
             gboolean    ends)
{
  if (begins)
    g_string_append_printf (json, "{\"SpecialToken\":{\"id\":\"b\",\"type_id\":%u}},", segment);
  g_string_append_printf (json, "{\"Sequence\":{\"id\":\"%s\",\"type_id\":%u}}", sequence, segment);
  if (ends)
    g_string_append_printf (json, ",{\"SpecialToken\":{\"id\":\"e\",\"type_id\":%u}}", segment);
}

/* A token before each text, and one behind each, or only one of them; @segment is that of the second text. */
static gboolean
append_around (GString    *json,
               GHashTable *ids,
               const char *bos,
               const char *eos,
               guint       segment,
               GError    **error)
{
  const gboolean begins = bos != NULL, ends = eos != NULL;
  gpointer bos_id = NULL, eos_id = NULL;

  if (!find_around (ids, bos, &bos_id, error) || !find_around (ids, eos, &eos_id, error))
    return FALSE;
  g_string_append (json, ",\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[");
  append_text (json, "A", 0, begins, ends);
  g_string_append (json, "],\"pair\":[");
  append_text (json, "A", 0, begins, ends);
  g_string_append_c (json, ',');
  append_text (json, "B", segment, begins, ends);
  g_string_append_printf (json, "],\"special_tokens\":{\"b\":{\"ids\":[%u]},\"e\":{\"ids\":[%u]}}}",
                          GPOINTER_TO_UINT (bos_id), GPOINTER_TO_UINT (eos_id));
  return TRUE;
}

static gboolean
append_ends (GString    *json,
             GHashTable *ids,
             const char *type,
             const char *cls,
             const char *sep,
             const char *rest,
             GError    **error)
{
  gpointer cls_id, sep_id;

  if (!g_hash_table_lookup_extended (ids, cls, NULL, &cls_id) ||
      !g_hash_table_lookup_extended (ids, sep, NULL, &sep_id))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("the vocabulary has no token “%s” or no “%s”"), cls, sep);
      return FALSE;
    }
  g_string_append_printf (json, ",\"post_processor\":{\"type\":\"%s\",\"cls\":[", type);
  append_string (json, cls, strlen (cls));
  g_string_append_printf (json, ",%u],\"sep\":[", GPOINTER_TO_UINT (cls_id));
  append_string (json, sep, strlen (sep));
  g_string_append_printf (json, ",%u]%s}", GPOINTER_TO_UINT (sep_id), rest);
  return TRUE;
}

/* A token before the first text, and one behind each. */
static gboolean
append_template (GString    *json,
                 GHashTable *ids,
                 const char *cls,
                 const char *eos,
                 GError    **error)
{
  gpointer cls_id, eos_id;

  if (!g_hash_table_lookup_extended (ids, cls, NULL, &cls_id) ||
      !g_hash_table_lookup_extended (ids, eos, NULL, &eos_id))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("the vocabulary has no token “%s” or no “%s”"), cls, eos);
      return FALSE;
    }
  g_string_append_printf (
    json,
    ",\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[{\"SpecialToken\":{\"id\":\"c\"}},"
    "{\"Sequence\":{\"id\":\"A\"}},{\"SpecialToken\":{\"id\":\"e\"}}],\"pair\":"
    "[{\"SpecialToken\":{\"id\":\"c\"}},{\"Sequence\":{\"id\":\"A\"}},{\"SpecialToken\":{\"id\":\"e\"}},"
    "{\"Sequence\":{\"id\":\"B\",\"type_id\":1}},{\"SpecialToken\":{\"id\":\"e\",\"type_id\":1}}],"
    "\"special_tokens\":{\"c\":{\"ids\":[%u]},\"e\":{\"ids\":[%u]}}}",
    GPOINTER_TO_UINT (cls_id), GPOINTER_TO_UINT (eos_id));
  return TRUE;
}

static gboolean
load_options (GFile       *folder,
              HlJsonTree **tree,
              HlJsonValue *config,
              GError     **error)
{
  g_autoptr (GError) local = NULL;

  *tree = hl_folder_files_read_json (folder, "tokenizer_config.json", &local);
  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (*tree == NULL)
    *tree = hl_json_tree_new ("{}", 2, NULL);
  *config = hl_json_tree_get_root (*tree);
  return TRUE;
}

/* The name of a special token in tokenizer_config.json, which may be a string or an object. */
static const char *
get_name (HlJsonValue config,
          const char *key,
          const char *otherwise)
{
  const HlJsonValue value = hl_json_value_get (config, key);
  const char *name = hl_json_value_as_string (value);

  if (name == NULL)
    name = hl_json_value_as_string (hl_json_value_get (value, "content"));
  return name != NULL ? name : otherwise;
}

/* What only a class says is not made up where the class is not known. */
static gboolean
refuse_class (const char *file,
              const char *class,
              GError    **error)
{
  g_autofree char *shown = hl_utf8_quote (class, strlen (class), 80);

  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
               _ ("the tokenizer is only there as “%s”; for “%s”, “tokenizer.json” is needed"), file, shown);
  return FALSE;
}

/* The longest first, so that a part of a token is not taken for another. */
static int
compare_lengths (gconstpointer a,
                 gconstpointer b)
{
  const gsize first = strlen (*(const char *const *) a), second = strlen (*(const char *const *) b);

  return first != second ? (first > second ? -1 : 1) : strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Of each token the last line that it is; of those that are wanted, or of all, if they are no more than a regular expression can have. */
static GHashTable *
number_lines (const char        *vocab,
              gsize              vocab_size,
              const char *const *wanted)
{
  GHashTable *ids = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, NULL);
  HlLine line = hl_line_before (vocab, vocab_size, 0);

  while (g_hash_table_size (ids) <= HL_LIMIT_PATTERN && hl_line_next (&line))
    {
      guint i = 0;

      while (wanted != NULL && wanted[i] != NULL &&
             (strlen (wanted[i]) != line.size || memcmp (wanted[i], line.text, line.size) != 0))
        i++;
      if (wanted == NULL || wanted[i] != NULL)
        g_hash_table_replace (ids, g_strndup (line.text, line.size), GUINT_TO_POINTER (line.number));
    }
  return ids;
}

/* Of proteins: a vocabulary of residues, which texts are full of without spaces between them. */
static char *
convert_residues (const char *vocab,
                  gsize       vocab_size,
                  gsize      *size,
                  GError    **error)
{
  static const char *const specials[] = { "<cls>", "<pad>", "<eos>", "<unk>", "<mask>" };
  g_autoptr (GHashTable) ids = number_lines (vocab, vocab_size, NULL);
  guint n_tokens;
  g_autofree const char **tokens = (const char **) g_hash_table_get_keys_as_array (ids, &n_tokens);
  g_autoptr (GString) pattern = g_string_new (NULL);
  g_autoptr (GString) json = g_string_sized_new (vocab_size * 3);
  HlLine line = hl_line_before (vocab, vocab_size, 0);

  g_string_append (json, "{\"model\":{\"type\":\"WordLevel\",\"unk_token\":\"<unk>\",\"vocab\":{");
  while (hl_line_next (&line))
    {
      g_string_append (json, line.number > 0 ? "," : "");
      append_string (json, line.text, line.size);
      g_string_append_printf (json, ":%u", line.number);
    }
  g_string_append (json, "}},\"added_tokens\":[");
  for (guint i = 0; i < G_N_ELEMENTS (specials); i++)
    append_added (json, ids, specials[i], FALSE);
  qsort (tokens, n_tokens, sizeof *tokens, compare_lengths);
  for (guint i = 0; i < n_tokens; i++)
    {
      g_autofree char *escaped = g_regex_escape_string (tokens[i], -1);
      if (*tokens[i] != '\0' && pattern->len <= HL_LIMIT_PATTERN)
        g_string_append_printf (pattern, "%s%s", pattern->len > 0 ? "|" : "", escaped);
    }
  g_string_append (json, "],\"pre_tokenizer\":{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"WhitespaceSplit\"},"
                         "{\"type\":\"Split\",\"behavior\":\"Isolated\",\"invert\":false,\"pattern\":{\"Regex\":");
  append_string (json, pattern->str, pattern->len);
  g_string_append (json, "}}]}");
  if (!append_template (json, ids, "<cls>", "<eos>", error))
    return NULL;
  g_string_append_c (json, '}');
  *size = json->len;
  return g_string_free (g_steal_pointer (&json), FALSE);
}

static char *
convert_word_piece (GFile      *folder,
                    const char *name,
                    gsize      *size,
                    GError    **error)
{
  gsize vocab_size;
  g_autofree char *vocab = hl_folder_files_read (folder, name, &vocab_size, error);
  g_autoptr (HlJsonTree) tree = NULL;
  HlJsonValue config;
  gboolean lower = TRUE, chinese = TRUE, strip = TRUE;
  g_autofree char *class_name = NULL;
  HlTokenizerClass class;

  if (vocab == NULL || !hl_tokenizer_class_read (folder, &class, &class_name, error))
    return NULL;
  if (class_name != NULL && class != HL_TOKENIZER_CLASS_BERT && class != HL_TOKENIZER_CLASS_MPNET &&
      class != HL_TOKENIZER_CLASS_RESIDUES)
    {
      refuse_class (name, class_name, error);
      return NULL;
    }
  if (!load_options (folder, &tree, &config, error) || !hl_json_get_boolean (config, "do_lower_case", &lower, error) ||
      !hl_json_get_boolean (config, "tokenize_chinese_chars", &chinese, error))
    return NULL;
  strip = lower;
  if (!hl_json_get_boolean (config, "strip_accents", &strip, error))
    return NULL;

  /* MPNet’s words are BERT’s, whose tokens it has as words too, and what is around them is RoBERTa’s. */
  const gboolean is_mpnet = class == HL_TOKENIZER_CLASS_MPNET;
  const char *cls = is_mpnet ? get_name (config, "cls_token", "<s>") : "[CLS]";
  const char *sep = is_mpnet ? get_name (config, "sep_token", "</s>") : "[SEP]";
  const char *unk = is_mpnet ? get_name (config, "unk_token", "[UNK]") : "[UNK]";
  const char *pad = is_mpnet ? get_name (config, "pad_token", "<pad>") : "[PAD]";
  const char *mask = is_mpnet ? get_name (config, "mask_token", "<mask>") : "[MASK]";
  const char *const specials[] = { pad, unk, cls, sep };
  const char *const wanted[] = { pad, unk, cls, sep, mask, "[CLS]", "<cls>", NULL };
  g_autoptr (GHashTable) ids = number_lines (vocab, vocab_size, wanted);
  if (!g_hash_table_contains (ids, "[CLS]") && g_hash_table_contains (ids, "<cls>"))
    return convert_residues (vocab, vocab_size, size, error);
  g_autoptr (GString) json = g_string_sized_new (vocab_size * 2);
  HlLine line = hl_line_before (vocab, vocab_size, 0);
  g_string_append (json, "{\"model\":{\"type\":\"WordPiece\",\"unk_token\":");
  append_string (json, unk, strlen (unk));
  g_string_append (json, ",\"vocab\":{");
  while (hl_line_next (&line))
    {
      g_string_append (json, line.number > 0 ? "," : "");
      append_string (json, line.text, line.size);
      g_string_append_printf (json, ":%u", line.number);
    }
  g_clear_pointer (&vocab, g_free);
  g_string_append (json, "}},\"added_tokens\":[");
  append_all_added (json, ids, specials, G_N_ELEMENTS (specials));
  append_added (json, ids, mask, is_mpnet);
  g_string_append_printf (json,
                          "],\"normalizer\":{\"type\":\"BertNormalizer\",\"lowercase\":%s,\"strip_accents\":%s,"
                          "\"handle_chinese_chars\":%s},\"pre_tokenizer\":{\"type\":\"BertPreTokenizer\"}",
                          lower ? "true" : "false", strip ? "true" : "false", chinese ? "true" : "false");
  if (!append_ends (json, ids, is_mpnet ? "RobertaProcessing" : "BertProcessing", cls, sep,
                    is_mpnet ? ",\"add_prefix_space\":false" : "", error))
    return NULL;
  g_string_append_c (json, '}');
  *size = json->len;
  return g_string_free (g_steal_pointer (&json), FALSE);
}

/* The numbers of the tokens that are wanted. */
static GHashTable *
read_ids (const char        *vocab,
          gsize              vocab_size,
          const char *const *wanted,
          GError           **error)
{
  g_autoptr (HlJsonTree) tree = hl_json_tree_new (vocab, vocab_size, error);
  g_autoptr (GHashTable) ids = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, NULL);
  HlJsonIter iter;

  if (tree == NULL)
    {
      g_prefix_error (error, "vocab.json: ");
      return NULL;
    }
  if (hl_json_value_get_kind (hl_json_tree_get_root (tree)) != HL_JSON_OBJECT)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“vocab.json” is not an object"));
      return NULL;
    }
  hl_json_iter_init (&iter, hl_json_tree_get_root (tree));
  while (hl_json_iter_next (&iter))
    {
      guint32 id;
      if (g_strv_contains (wanted, iter.key) && hl_json_value_as_uint (iter.value, &id))
        g_hash_table_replace (ids, g_strdup (iter.key), GUINT_TO_POINTER (id));
    }
  return g_steal_pointer (&ids);
}

static void
append_merges (GString    *json,
               const char *merges,
               gsize       merges_size)
{
  HlLine line = hl_line_before (merges, merges_size, 1);
  gboolean first = TRUE;

  g_string_append (json, ",\"merges\":[");
  while (hl_line_next (&line))
    {
      if (line.size == 0 || g_str_has_prefix (line.text, "#version"))
        continue;
      g_string_append (json, first ? "" : ",");
      append_string (json, line.text, line.size);
      first = FALSE;
    }
  g_string_append (json, "]}");
}

#define END_OF_TEXT "<|endoftext|>"

static gboolean
append_gpt2 (GString    *json,
             GHashTable *ids,
             HlJsonValue config,
             GError    **error)
{
  const char *bos = get_name (config, "bos_token", END_OF_TEXT), *eos = get_name (config, "eos_token", END_OF_TEXT);
  const char *const names[] = { bos, eos, get_name (config, "unk_token", END_OF_TEXT),
                                get_name (config, "pad_token", bos) };
  gboolean add_bos = FALSE, add_eos = FALSE;

  if (!hl_json_get_boolean (config, "add_bos_token", &add_bos, error) ||
      !hl_json_get_boolean (config, "add_eos_token", &add_eos, error))
    return FALSE;
  g_string_append (json, ",\"added_tokens\":[");
  append_all_added (json, ids, names, G_N_ELEMENTS (names));
  g_string_append_c (json, ']');
  if (add_bos || add_eos)
    return append_around (json, ids, add_bos ? bos : NULL, add_eos ? eos : NULL, 1, error);
  g_string_append (json, ",\"post_processor\":{\"type\":\"ByteLevel\",\"trim_offsets\":false}");
  return TRUE;
}

static char *
convert_byte_level (GFile   *folder,
                    gsize   *size,
                    GError **error)
{
  static const char *const specials[] = { "<s>", "<pad>", "</s>", "<unk>" };
  gsize vocab_size, merges_size;
  g_autofree char *vocab = hl_folder_files_read (folder, "vocab.json", &vocab_size, error);
  g_autofree char *merges = vocab != NULL ? hl_folder_files_read (folder, "merges.txt", &merges_size, error) : NULL;
  g_autoptr (HlJsonTree) tree = NULL;
  g_autoptr (GHashTable) ids = NULL;
  g_autofree char *class_name = NULL;
  HlTokenizerClass class;
  HlJsonValue config;
  gboolean prefix_space;

  if (merges != NULL && vocab_size + merges_size > HL_LIMIT_JSON_TREE)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("“%s” is larger than %d MiB"), "vocab.json, merges.txt",
                   (int) (HL_LIMIT_JSON_TREE >> 20));
      return NULL;
    }
  if (merges == NULL || !load_options (folder, &tree, &config, error) ||
      !hl_tokenizer_class_read (folder, &class, &class_name, error))
    return NULL;
  prefix_space = class == HL_TOKENIZER_CLASS_BLENDERBOT;
  if (!hl_json_get_boolean (config, "add_prefix_space", &prefix_space, error))
    return NULL;
  const char *const wanted[] = { "<s>",
                                 "<pad>",
                                 "</s>",
                                 "<unk>",
                                 "<mask>",
                                 "Ġ",
                                 get_name (config, "bos_token", END_OF_TEXT),
                                 get_name (config, "eos_token", END_OF_TEXT),
                                 get_name (config, "unk_token", END_OF_TEXT),
                                 get_name (config, "pad_token", END_OF_TEXT),
                                 NULL };
  ids = read_ids (vocab, vocab_size, wanted, error);
  if (ids == NULL)
    return NULL;

  if (!g_hash_table_contains (ids, "Ġ"))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                   _ ("the merges of the tokenizer are not of bytes, as BioGPT’s; “tokenizer.json” is needed"));
      return NULL;
    }
  if (class == HL_TOKENIZER_CLASS_OTHER || class == HL_TOKENIZER_CLASS_BERT || class == HL_TOKENIZER_CLASS_MPNET ||
      class == HL_TOKENIZER_CLASS_RESIDUES)
    {
      refuse_class ("merges.txt", class_name != NULL ? class_name : "BERT", error);
      return NULL;
    }
  g_autoptr (GString) json = g_string_sized_new (vocab_size + merges_size + merges_size / 2);
  /* RoBERTa and its kin have a token for masks; GPT-2 and theirs mostly have not. */
  if (class == HL_TOKENIZER_CLASS_UNSAID)
    class = g_hash_table_contains (ids, "<mask>") ? HL_TOKENIZER_CLASS_ROBERTA : HL_TOKENIZER_CLASS_GPT2;
  g_string_append (json, "{\"model\":{\"type\":\"BPE\",\"vocab\":");
  g_string_append_len (json, vocab, (gssize) vocab_size);
  append_merges (json, merges, merges_size);
  g_clear_pointer (&vocab, g_free);
  g_clear_pointer (&merges, g_free);
  g_string_append_printf (json, ",\"pre_tokenizer\":{\"type\":\"ByteLevel\",\"add_prefix_space\":%s}",
                          prefix_space ? "true" : "false");
  if (class == HL_TOKENIZER_CLASS_GPT2)
    {
      if (!append_gpt2 (json, ids, config, error))
        return NULL;
    }
  else
    {
      g_string_append (json, ",\"added_tokens\":[");
      for (guint i = 0; i < G_N_ELEMENTS (specials); i++)
        append_added (json, ids, specials[i], FALSE);
      append_added (json, ids, "<mask>", TRUE);
      g_string_append_c (json, ']');
      if (!(class == HL_TOKENIZER_CLASS_BLENDERBOT
              ? append_around (json, ids, NULL, "</s>", 0, error)
              : append_ends (json, ids, "RobertaProcessing", "<s>", "</s>",
                             prefix_space ? ",\"add_prefix_space\":true" : ",\"add_prefix_space\":false", error)))
        return NULL;
    }
  g_string_append_c (json, '}');
  *size = json->len;
  return g_string_free (g_steal_pointer (&json), FALSE);
}

static gboolean
has_own_files (GFile *folder)
{
  static const char *const names[] = { "tokenizer.json", "vocab.txt", "merges.txt" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (hl_folder_files_has (folder, names[i]))
      return TRUE;
  return FALSE;
}

static gboolean
is_folder (GFile *file)
{
  return g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_DIRECTORY;
}

/* Returns the model of SentencePiece that a file is, or that a folder has instead of what hl_tokenizer_files_read() reads; %NULL if there
 * is none. */
GFile *
hl_tokenizer_files_find_pieces (GFile *file)
{
  static const char *const names[] = { "tokenizer.model", "spiece.model", "spm.model", "sentencepiece.bpe.model" };

  if (!is_folder (file))
    {
      g_autofree char *name = g_file_get_basename (file);
      return g_str_has_suffix (name, ".model") || g_str_has_suffix (name, ".spm") ? g_object_ref (file) : NULL;
    }
  for (guint i = 0; !has_own_files (file) && i < G_N_ELEMENTS (names); i++)
    if (hl_folder_files_has (file, names[i]))
      return g_file_get_child (file, names[i]);
  return NULL;
}

/* Returns whether there is any that a tokenizer can be read from. */
gboolean
hl_tokenizer_files_are_in (GFile *folder)
{
  g_autoptr (GFile) pieces = hl_tokenizer_files_find_pieces (folder);

  return pieces != NULL || has_own_files (folder);
}

/* One file, by its name: what is none of the older ones is meant as a tokenizer.json. */
static char *
read_one (GFile   *file,
          gsize   *size,
          GError **error)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autoptr (GFile) folder = g_file_get_parent (file);

  if (g_str_has_suffix (name, ".txt") && !g_str_equal (name, "merges.txt"))
    return convert_word_piece (folder, name, size, error);
  if (g_str_equal (name, "merges.txt") || g_str_equal (name, "vocab.json"))
    return convert_byte_level (folder, size, error);
  return hl_folder_files_read (folder, name, size, error);
}

char *
hl_tokenizer_files_read (GFile   *folder,
                         gsize   *size,
                         GError **error)
{
  if (g_file_query_file_type (folder, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_REGULAR)
    return read_one (folder, size, error);
  if (hl_folder_files_has (folder, "tokenizer.json"))
    return hl_folder_files_read (folder, "tokenizer.json", size, error);
  if (hl_folder_files_has (folder, "vocab.txt"))
    return convert_word_piece (folder, "vocab.txt", size, error);
  if (hl_folder_files_has (folder, "merges.txt"))
    return convert_byte_level (folder, size, error);
  g_set_error (
    error, HL_ERROR, HL_ERROR_MISSING,
    _ ("there is no tokenizer: neither “tokenizer.json” nor “vocab.txt” nor “vocab.json” with “merges.txt” nor "
       "“tokenizer.model”"));
  return NULL;
}
