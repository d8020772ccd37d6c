/* SPDX-License-Identifier: MIT */
/* Tokenizers of GGUF files. The metadata names a kind; a kind makes the parts that tokenizer.json would describe, straight from the lists in
 * the file: a quarter of a million tokens are copied once and never spelt out. */
#include "core/tokenizer/gguf/hl-gguf-tokenizer.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/tokenizer/gguf/hl-gguf-pre.h"
#include "core/tokenizer/gguf/hl-gguf-tokens.h"
#include "core/tokenizer/hl-tokenizer-files.h"
#include "core/tokenizer/hl-tokenizer-parts.h"
#include "core/tokenizer/pieces/hl-piece-tokenizer.h"

#define SPACE "▁"
#define MERGES "tokenizer.ggml.merges"
#define CHARSMAP "tokenizer.ggml.precompiled_charsmap"
#define MAX_NAME 80

/* What files that do not say so mean. */
typedef struct
{
  gboolean add_bos;
  gboolean add_eos;
  gboolean add_sep;
  gboolean add_space_prefix;
  gboolean remove_extra_spaces;
} Flags;

typedef struct
{
  HlGgufTokens tokens;
  Flags flags;
} Metadata;

typedef struct
{
  const char *name;
  Flags flags;
  gboolean has_roles; /* these tokens have roles if the file does not say which have */
  guint32 roles[HL_N_SPECIAL_TOKENS];
  gboolean (*make) (Metadata *metadata, HlTokenizerParts *parts, GError **error);
} Kind;

/* Parts without a list in them are described as tokenizer.json describes them. */
static HlNormalizer *
make_normalizer (const char *json)
{
  g_autoptr (HlJsonTree) tree = hl_json_tree_new (json, strlen (json), NULL);
  HlNormalizer *normalizer = hl_normalizer_load (hl_json_tree_get_root (tree), 0, NULL);

  g_assert (normalizer != NULL);
  return normalizer;
}

static HlPreTokenizer *
make_pre_tokenizer (const char *json)
{
  g_autoptr (HlJsonTree) tree = hl_json_tree_new (json, strlen (json), NULL);
  HlPreTokenizer *pre_tokenizer = hl_pre_tokenizer_load (hl_json_tree_get_root (tree), 0, NULL);

  g_assert (pre_tokenizer != NULL);
  return pre_tokenizer;
}

/* The single string of a key: %NULL without @error if there is none. */
static char *
dup_name (HlGgufArchive *archive,
          const char    *key,
          GError       **error)
{
  const HlGgufValue *value = hl_gguf_archive_get_value (archive, key);
  gsize length = 0;

  if (value == NULL)
    return NULL;
  const char *name = hl_gguf_value_get_string (value, &length);
  if (name == NULL || !g_utf8_validate (name, (gssize) length, NULL))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is not a string of UTF-8"), key);
      return NULL;
    }
  return hl_utf8_quote (name, length, MAX_NAME);
}

static const guint32 *
get_unknown (const Metadata *metadata)
{
  const guint32 *unknown = &metadata->tokens.roles[HL_SPECIAL_UNK];

  return *unknown != HL_NO_TOKEN ? unknown : NULL;
}

/* The scores of tokens that a text may be cut into; not a number for others. */
static float *
dup_scores (const HlGgufTokens *tokens)
{
  float *scores = g_new (float, tokens->n);

  for (guint32 id = 0; id < tokens->n; id++)
    scores[id] = tokens->types[id] == HL_GGUF_TOKEN_NORMAL ? tokens->scores[id] : (float) NAN;
  return scores;
}

/* Special tokens around one text, and around two, of which the second may begin with some of its own. */
static void
make_template (const Metadata   *metadata,
               guint32           first,
               guint32           last,
               guint32           between,
               guint32           segment,
               HlTokenizerParts *parts)
{
  const Flags *flags = &metadata->flags;
  HlTemplateItem items[8];
  guint n = 0, n_single;

  if (flags->add_bos && first != HL_NO_TOKEN)
    items[n++] = (HlTemplateItem){ -1, first, 0 };
  items[n++] = (HlTemplateItem){ 0, 0, 0 };
  if (last != HL_NO_TOKEN)
    items[n++] = (HlTemplateItem){ -1, last, 0 };
  n_single = n;
  if (between != HL_NO_TOKEN)
    items[n++] = (HlTemplateItem){ -1, between, segment };
  items[n++] = (HlTemplateItem){ 1, 0, segment };
  if (last != HL_NO_TOKEN)
    items[n++] = (HlTemplateItem){ -1, last, segment };
  parts->post_processor = hl_post_processor_new (items, n_single, items, n);
}

/* Every text begins and ends alike, and the second is another segment. */
static void
make_plain_template (const Metadata   *metadata,
                     HlTokenizerParts *parts)
{
  const guint32 *roles = metadata->tokens.roles;

  make_template (metadata, roles[HL_SPECIAL_BOS], metadata->flags.add_eos ? roles[HL_SPECIAL_EOS] : HL_NO_TOKEN,
                 metadata->flags.add_bos ? roles[HL_SPECIAL_BOS] : HL_NO_TOKEN, 1, parts);
}

/* What ends a text stands twice between two. */
static void
make_doubled_template (const Metadata   *metadata,
                       HlTokenizerParts *parts)
{
  const guint32 *roles = metadata->tokens.roles;
  const guint32 last = roles[HL_SPECIAL_EOS] != HL_NO_TOKEN ? roles[HL_SPECIAL_EOS] : roles[HL_SPECIAL_SEP];

  make_template (metadata, roles[HL_SPECIAL_BOS], metadata->flags.add_eos ? last : HL_NO_TOKEN, last, 0, parts);
}

/* In a vocabulary of characters runs of line breaks are whole tokens, whether or not merges lead to them. */
static gboolean
is_line_breaks (const char *token)
{
  const gsize n = strspn (token, "\n");

  return n > 1 && token[n] == '\0';
}

/* Tokens that are looked for as they are spelt: those that files say are special or were added, and all that have a role. */
static gboolean
make_added (const Metadata   *metadata,
            gboolean          line_breaks,
            HlTokenizerParts *parts,
            GError          **error)
{
  const HlGgufTokens *tokens = &metadata->tokens;
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (HlAddedToken));

  for (guint32 id = 0; id < tokens->n; id++)
    {
      HlAddedToken token = { .content = hl_vocabulary_get_token (parts->model->vocabulary, id), .id = id };
      gboolean added = tokens->types[id] == HL_GGUF_TOKEN_UNKNOWN || tokens->types[id] == HL_GGUF_TOKEN_CONTROL ||
                       tokens->types[id] == HL_GGUF_TOKEN_USER_DEFINED;
      for (guint i = 0; i < HL_N_SPECIAL_TOKENS; i++)
        added |= tokens->roles[i] == id;
      if (token.content == NULL || !(added || (line_breaks && is_line_breaks (token.content))))
        continue;
      /* The masks of RoBERTa and its kin take the space before them; files do not say so. */
      token.lstrip = tokens->roles[HL_SPECIAL_MASK] == id && strcmp (token.content, "<mask>") == 0;
      g_array_append_val (list, token);
    }
  parts->added = hl_added_tokens_new ((const HlAddedToken *) (gconstpointer) list->data, list->len, NULL,
                                      parts->model->vocabulary, NULL, error);
  return parts->added != NULL;
}

static HlTokenModel *
make_merges (const Metadata     *metadata,
             const HlBpeOptions *options,
             GError            **error)
{
  const HlGgufValue *list = hl_gguf_archive_get_value (metadata->tokens.archive, MERGES);
  HlGgufStrings strings;

  if (list == NULL || !list->is_array || list->type != HL_GGUF_STRING || list->n > HL_LIMIT_TOKEN_ID)
    {
      g_set_error (error, HL_ERROR, list == NULL ? HL_ERROR_MISSING : HL_ERROR_DTYPE,
                   list == NULL ? _ ("the file has no “%s”") : _ ("“%s” is not a list of merges"), MERGES);
      return NULL;
    }
  HlVocabulary *vocabulary = hl_gguf_tokens_make_vocabulary (&metadata->tokens, NULL, error);
  if (vocabulary == NULL)
    return NULL;
  g_autoptr (HlTokenModel) model = hl_bpe_model_new (vocabulary, options, (guint) list->n);
  hl_gguf_strings_init (&strings, list);
  for (guint i = 0; i < list->n; i++)
    {
      gsize length;
      const char *merge = hl_gguf_strings_next (&strings, &length);
      if (!hl_bpe_model_add_merge (model, merge, length, i, error))
        return NULL;
    }
  return g_steal_pointer (&model);
}

/* The marks that SentencePiece puts in place of spaces. */
static HlNormalizer *
make_space_normalizer (const Flags *flags)
{
  return make_normalizer (flags->add_space_prefix
                            ? "{\"type\":\"Sequence\",\"normalizers\":[{\"type\":\"Prepend\",\"prepend\":\"" SPACE
                              "\"},"
                              "{\"type\":\"Replace\",\"pattern\":{\"String\":\" \"},\"content\":\"" SPACE "\"}]}"
                            : "{\"type\":\"Replace\",\"pattern\":{\"String\":\" \"},\"content\":\"" SPACE "\"}");
}

static HlBpeOptions
get_character_options (const Metadata *metadata)
{
  const guint32 *unknown = get_unknown (metadata);

  return (HlBpeOptions){ .byte_fallback = TRUE,
                         .fuse_unknown = TRUE,
                         .has_unknown = unknown != NULL,
                         .unknown = unknown != NULL ? *unknown : 0 };
}

static gboolean
make_characters (Metadata         *metadata,
                 HlTokenizerParts *parts,
                 GError          **error)
{
  const HlBpeOptions options = get_character_options (metadata);

  parts->model = make_merges (metadata, &options, error);
  if (parts->model == NULL)
    return FALSE;
  parts->normalizer = make_space_normalizer (&metadata->flags);
  /* Files of this kind that say otherwise are wrong: llama.cpp corrects them too. */
  metadata->flags.add_bos = TRUE;
  make_plain_template (metadata, parts);
  return make_added (metadata, TRUE, parts, error);
}

static gboolean
make_byte_level (Metadata         *metadata,
                 HlTokenizerParts *parts,
                 GError          **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *name = dup_name (metadata->tokens.archive, "tokenizer.ggml.pre", &local);
  const HlGgufPre *pre = local == NULL ? hl_gguf_pre_find (name != NULL ? name : "default", &local) : NULL;
  Flags *flags = &metadata->flags;

  if (pre == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (pre->characters)
    return make_characters (metadata, parts, error);
  flags->add_bos = pre->add_bos;
  flags->add_sep = pre->add_sep;
  if (!hl_gguf_tokens_read_flag (&metadata->tokens, "tokenizer.ggml.add_bos_token", &flags->add_bos, error) ||
      !hl_gguf_tokens_read_flag (&metadata->tokens, "tokenizer.ggml.add_sep_token", &flags->add_sep, error))
    return FALSE;
  const HlBpeOptions options = { .ignore_merges = pre->ignore_merges };
  parts->model = make_merges (metadata, &options, error);
  if (parts->model == NULL)
    return FALSE;
  if (pre->nfc)
    parts->normalizer = make_normalizer ("{\"type\":\"NFC\"}");
  guint n_patterns = 0;
  while (pre->patterns[n_patterns] != NULL)
    n_patterns++;
  parts->pre_tokenizer = hl_pre_tokenizer_new_byte_level (pre->patterns, n_patterns, flags->add_space_prefix, error);
  if (parts->pre_tokenizer == NULL)
    return FALSE;
  if (flags->add_sep)
    make_doubled_template (metadata, parts);
  else
    make_plain_template (metadata, parts);
  return make_added (metadata, FALSE, parts, error);
}

static gboolean
make_scored (Metadata         *metadata,
             HlTokenizerParts *parts,
             GError          **error)
{
  const HlBpeOptions options = get_character_options (metadata);

  if (!hl_gguf_tokens_require_scores (&metadata->tokens, error))
    return FALSE;
  HlVocabulary *vocabulary = hl_gguf_tokens_make_vocabulary (&metadata->tokens, NULL, error);
  if (vocabulary == NULL)
    return FALSE;
  g_autofree float *scores = dup_scores (&metadata->tokens);
  parts->model = hl_bpe_model_new_scored (vocabulary, &options, scores);
  parts->normalizer = make_space_normalizer (&metadata->flags);
  make_plain_template (metadata, parts);
  return make_added (metadata, FALSE, parts, error);
}

/* The table of replacements is there byte by byte. */
static gboolean
make_charsmap (const Metadata *metadata,
               HlNormalizer  **normalizer,
               GError        **error)
{
  const HlGgufValue *table = hl_gguf_archive_get_value (metadata->tokens.archive, CHARSMAP);

  if (table == NULL || table->n == 0)
    return TRUE;
  if (!table->is_array || (table->type != HL_GGUF_I8 && table->type != HL_GGUF_U8))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("“%s” is not a list of bytes"), CHARSMAP);
      return FALSE;
    }
  *normalizer = hl_normalizer_new_precompiled (table->data, table->n, error);
  return *normalizer != NULL;
}

static gboolean
make_unigram (Metadata         *metadata,
              HlTokenizerParts *parts,
              GError          **error)
{
  const Flags *flags = &metadata->flags;
  const guint32 *roles = metadata->tokens.roles;
  /* XLM-RoBERTa and its kin leave out all kinds of spaces, T5 those that the table knows. */
  const gboolean encoder = flags->add_bos && flags->add_eos;

  if (!hl_gguf_tokens_require_scores (&metadata->tokens, error) || !make_charsmap (metadata, &parts->normalizer, error))
    return FALSE;
  HlVocabulary *vocabulary = hl_gguf_tokens_make_vocabulary (&metadata->tokens, NULL, error);
  if (vocabulary == NULL)
    return FALSE;
  g_autofree float *scores = dup_scores (&metadata->tokens);
  parts->model = hl_unigram_model_new (vocabulary, scores, get_unknown (metadata), error);
  if (parts->model == NULL)
    return FALSE;
  if (flags->remove_extra_spaces && !encoder)
    {
      HlNormalizer *fewer =
        make_normalizer ("{\"type\":\"Sequence\",\"normalizers\":[{\"type\":\"Strip\",\"strip_left\":false,"
                         "\"strip_right\":true},{\"type\":\"Replace\",\"pattern\":{\"Regex\":\" {2,}\"},"
                         "\"content\":\"" SPACE "\"}]}");
      parts->normalizer = parts->normalizer != NULL ? hl_normalizer_new_sequence (parts->normalizer, fewer) : fewer;
    }
  const char *scheme = flags->add_space_prefix ? "always" : "never";
  g_autofree char *json = g_strdup_printf ("{\"type\":\"Sequence\",\"pretokenizers\":[%s{\"type\":\"Metaspace\","
                                           "\"prepend_scheme\":\"%s\"}]}",
                                           encoder ? "{\"type\":\"WhitespaceSplit\"}," : "", scheme);
  parts->pre_tokenizer = make_pre_tokenizer (json);
  if (encoder)
    make_doubled_template (metadata, parts);
  else
    make_template (metadata, roles[HL_SPECIAL_BOS], flags->add_eos ? roles[HL_SPECIAL_EOS] : HL_NO_TOKEN, HL_NO_TOKEN,
                   0, parts);
  return make_added (metadata, FALSE, parts, error);
}

/* Words begin with ▁ in files and continuations with nothing; here words with nothing and continuations with ##. What stands in brackets is
 * neither: older files leave it alone. */
static gboolean
spell_word_piece (const char     *token,
                  gsize           length,
                  HlGgufTokenType type,
                  GString        *spelling)
{
  if (type != HL_GGUF_TOKEN_NORMAL || (length > 2 && token[0] == '[' && token[length - 1] == ']'))
    return FALSE;
  if (length > strlen (SPACE) && memcmp (token, SPACE, strlen (SPACE)) == 0)
    g_string_append_len (spelling, token + strlen (SPACE), (gssize) (length - strlen (SPACE)));
  else
    g_string_append_printf (spelling, "##%.*s", (int) length, token);
  return TRUE;
}

/* A vocabulary that has words with capitals is of a model that tells them apart. */
static gboolean
has_capitals (const Metadata *metadata)
{
  HlGgufStrings strings;

  hl_gguf_strings_init (&strings, metadata->tokens.spellings);
  for (guint32 id = 0; id < metadata->tokens.n; id++)
    {
      gsize length;
      const char *token = hl_gguf_strings_next (&strings, &length);
      if (metadata->tokens.types[id] == HL_GGUF_TOKEN_NORMAL && length > strlen (SPACE) &&
          memcmp (token, SPACE, strlen (SPACE)) == 0 && g_ascii_isupper (token[strlen (SPACE)]))
        return TRUE;
    }
  return FALSE;
}

static gboolean
make_word_piece (Metadata         *metadata,
                 HlTokenizerParts *parts,
                 GError          **error)
{
  guint32 *roles = metadata->tokens.roles;
  gboolean lowercase = !has_capitals (metadata);
  gboolean strip = lowercase;

  if (!hl_gguf_tokens_read_flag (&metadata->tokens, "tokenizer.ggml.normalizer.lowercase", &lowercase, error) ||
      !hl_gguf_tokens_read_flag (&metadata->tokens, "tokenizer.ggml.normalizer.strip_accents", &strip, error))
    return FALSE;
  HlVocabulary *vocabulary = hl_gguf_tokens_make_vocabulary (&metadata->tokens, spell_word_piece, error);
  if (vocabulary == NULL)
    return FALSE;
  parts->model = hl_word_piece_model_new (vocabulary, get_unknown (metadata), error);
  if (parts->model == NULL)
    return FALSE;
  g_autofree char *json = g_strdup_printf ("{\"type\":\"BertNormalizer\",\"lowercase\":%s,\"strip_accents\":%s}",
                                           lowercase ? "true" : "false", strip ? "true" : "false");
  parts->normalizer = make_normalizer (json);
  parts->pre_tokenizer = make_pre_tokenizer ("{\"type\":\"BertPreTokenizer\"}");
  if (roles[HL_SPECIAL_CLS] == HL_NO_TOKEN)
    roles[HL_SPECIAL_CLS] = roles[HL_SPECIAL_BOS];
  make_template (metadata, roles[HL_SPECIAL_CLS], metadata->flags.add_sep ? roles[HL_SPECIAL_SEP] : HL_NO_TOKEN,
                 HL_NO_TOKEN, 1, parts);
  return make_added (metadata, FALSE, parts, error);
}

#define NONE HL_NO_TOKEN

/* Roles in the order of HlSpecialToken: padding, class, separator, beginning, end, mask, unknown. */
static const Kind kinds[] = {
  { .name = "gpt2", .make = make_byte_level },
  { .name = "llama",
    .flags = { .add_bos = TRUE, .add_space_prefix = TRUE },
    .has_roles = TRUE,
    .roles = { NONE, NONE, NONE, 1, 2, NONE, 0 },
    .make = make_scored },
  { .name = "bert",
    .flags = { .add_bos = TRUE, .add_sep = TRUE },
    .has_roles = TRUE,
    .roles = { 0, NONE, 102, 101, NONE, 103, 100 },
    .make = make_word_piece },
  { .name = "t5",
    .flags = { .add_eos = TRUE },
    .has_roles = TRUE,
    .roles = { 0, NONE, NONE, NONE, 1, NONE, 2 },
    .make = make_unigram },
  { .name = "gemma4", .make = make_characters },
};

static const Kind *
find_kind (HlGgufArchive *archive,
           GError       **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *name = dup_name (archive, "tokenizer.ggml.model", &local);

  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (name, kinds[i].name) == 0)
      return &kinds[i];
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  else if (name == NULL || strcmp (name, "none") == 0 || strcmp (name, "no_vocab") == 0)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("the file has no tokenizer"));
  else
    g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("tokenizers of the kind “%s” are not supported"), name);
  return NULL;
}

static gboolean
read_flags (Metadata *self,
            GError  **error)
{
  const struct
  {
    const char *key;
    gboolean *flag;
  } keys[] = {
    { "tokenizer.ggml.add_bos_token", &self->flags.add_bos },
    { "tokenizer.ggml.add_eos_token", &self->flags.add_eos },
    { "tokenizer.ggml.add_sep_token", &self->flags.add_sep },
    { "tokenizer.ggml.add_space_prefix", &self->flags.add_space_prefix },
    { "tokenizer.ggml.remove_extra_whitespaces", &self->flags.remove_extra_spaces },
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (!hl_gguf_tokens_read_flag (&self->tokens, keys[i].key, keys[i].flag, error))
      return FALSE;
  return TRUE;
}

/**
 * hl_tokenizer_new_from_gguf:
 * @archive: a GGUF file
 * @error: %HL_ERROR_MISSING if there is no tokenizer in it, %HL_ERROR_UNSUPPORTED naming what is not known, or which part of
 *   the metadata is wrong
 *
 * Makes the tokenizer that a file's metadata describes: `gpt2` (byte-level merges), `llama` (merges by scores), `bert` (WordPiece), `t5`
 * (unigram) or `gemma4` (merges of characters). Nothing of the file is used afterwards. Blocks: 10 to 100 ms.
 *
 * Returns: (transfer full): the tokenizer
 */
HlTokenizer *
hl_tokenizer_new_from_gguf (HlGgufArchive *archive,
                            GError       **error)
{
  g_return_val_if_fail (HL_IS_GGUF_ARCHIVE (archive), NULL);

  g_auto (HlTokenizerParts) parts;
  Metadata metadata = { .flags = { FALSE } };
  const Kind *kind = find_kind (archive, error);

  hl_tokenizer_parts_init (&parts);
  if (kind == NULL)
    return NULL;
  metadata.flags = kind->flags;
  gboolean done = hl_gguf_tokens_read (&metadata.tokens, archive, error) && read_flags (&metadata, error);
  for (guint i = 0; done && kind->has_roles && i < HL_N_SPECIAL_TOKENS; i++)
    if (metadata.tokens.roles[i] == HL_NO_TOKEN && kind->roles[i] < metadata.tokens.n)
      metadata.tokens.roles[i] = kind->roles[i];
  done = done && kind->make (&metadata, &parts, error) && hl_archive_check (HL_ARCHIVE (archive), error);
  memcpy (parts.special, metadata.tokens.roles, sizeof parts.special);
  hl_gguf_tokens_clear (&metadata.tokens);
  return done ? hl_tokenizer_new_from_parts (&parts) : NULL;
}

/**
 * hl_tokenizer_open:
 * @file: a model folder, a file of a tokenizer, or a GGUF file
 * @error: as hl_tokenizer_load(), hl_tokenizer_load_pieces() and hl_tokenizer_new_from_gguf()
 *
 * Reads a tokenizer, wherever it is. Blocks.
 *
 * Returns: (transfer full): the tokenizer
 */
HlTokenizer *
hl_tokenizer_open (GFile   *file,
                   GError **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  if (!hl_gguf_archive_is_such (file))
    {
      g_autoptr (GFile) pieces = hl_tokenizer_files_find_pieces (file);
      return pieces != NULL ? hl_tokenizer_load_pieces (pieces, error) : hl_tokenizer_load (file, error);
    }
  g_autoptr (HlArchive) archive = hl_gguf_archive_open (file, NULL, NULL, error);
  return archive != NULL ? hl_tokenizer_new_from_gguf (HL_GGUF_ARCHIVE (archive), error) : NULL;
}
