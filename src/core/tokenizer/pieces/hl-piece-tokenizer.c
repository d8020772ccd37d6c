/* SPDX-License-Identifier: MIT */
/* Tokenizers of folders that have a model of SentencePiece and no tokenizer.json. Which tokens a family puts before and behind its pieces,
 * and around a text, the file does not say: a table does. */
#include "core/tokenizer/pieces/hl-piece-tokenizer.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-utf8.h"
#include "core/tokenizer/hl-tokenizer-beside.h"
#include "core/tokenizer/hl-folder-files.h"
#include "core/tokenizer/hl-tokenizer-parts.h"

#define SPACE "▁"
#define MAX_SHOWN 40
#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* How two texts follow one another. */
typedef enum
{
  PAIR_DOUBLED, /* what ends a text stands twice between them */
  PAIR_ENDED,   /* each ends alike */
  PAIR_BEGUN,   /* each begins alike */
} Pair;

/* Which options of tokenizer_config.json a family asks for; it passes over the others. */
enum
{
  ASKS_CASE = 1 << 0,        /* do_lower_case */
  ASKS_ACCENTS = 1 << 1,     /* keep_accents */
  ASKS_PUNCTUATION = 1 << 2, /* split_by_punct */
  ASKS_LEGACY = 1 << 3,      /* legacy */
  ASKS_SPACE = 1 << 4,       /* add_prefix_space */
};

struct _HlPieceKind
{
  const char *const *names; /* classes of tokenizers without “Tokenizer”, and types of models */
  const char *const *head;  /* what stands in place of the first pieces */
  guint n_replaced;         /* so many */
  const char *const *tail;  /* what stands behind the last */
  guint n_extra;            /* so many more of T5's kind, the last first */
  const char *begin;
  const char *end;
  Pair pair;
  guint32 segment;        /* of the second text */
  const char *normalizer; /* nullable: what is done to a text before all, as tokenizer.json says it */
  guint asks;
  gboolean lower;     /* where do_lower_case is not said */
  gboolean any_class; /* whether models of this type have it whatever class is named */
  const char *special[HL_N_SPECIAL_TOKENS];
};

/* Roles in the order of HlSpecialToken: padding, class, separator, beginning, end, mask, unknown. */
#define FAIRSEQ_ROLES                                                                                                  \
  {                                                                                                                    \
    "<pad>", "<s>", "</s>", "<s>", "</s>", "<mask>", "<unk>"                                                           \
  }
#define LLAMA_ROLES                                                                                                    \
  {                                                                                                                    \
    NULL, NULL, NULL, "<s>", "</s>", NULL, "<unk>"                                                                     \
  }
#define BERT_ROLES                                                                                                     \
  {                                                                                                                    \
    "<pad>", "[CLS]", "[SEP]", "[CLS]", "[SEP]", "[MASK]", "<unk>"                                                     \
  }

// clang-format off
static const HlPieceKind kinds[] = {
  { LIST ("XLMRoberta", "xlm-roberta", "xlm-roberta-xl"), LIST ("<s>", "<pad>", "</s>", "<unk>"), 3, LIST ("<mask>"),
    .begin = "<s>", .end = "</s>", .pair = PAIR_DOUBLED, .special = FAIRSEQ_ROLES },
  { LIST ("Camembert", "camembert"), LIST ("<s>NOTUSED", "<pad>", "</s>NOTUSED", "<unk>", "<unk>NOTUSED"), 1,
    LIST ("<mask>"), .begin = "<s>", .end = "</s>", .pair = PAIR_DOUBLED, .special = FAIRSEQ_ROLES },
  { LIST ("T5", "t5"), .n_extra = 100, .end = "</s>", .pair = PAIR_ENDED,
    .special = { "<pad>", NULL, NULL, NULL, "</s>", NULL, "<unk>" } },
  { LIST ("MT5", "mt5", "umt5"), .end = "</s>", .pair = PAIR_ENDED,
    .special = { "<pad>", NULL, NULL, NULL, "</s>", NULL, "<unk>" } },
  { LIST ("Albert", "albert"), .asks = ASKS_CASE | ASKS_ACCENTS, .lower = TRUE, .begin = "[CLS]", .end = "[SEP]",
    .pair = PAIR_ENDED, .segment = 1,
    .normalizer = "{\"type\":\"Sequence\",\"normalizers\":["
                  "{\"type\":\"Replace\",\"pattern\":{\"String\":\"``\"},\"content\":\"\\\"\"},"
                  "{\"type\":\"Replace\",\"pattern\":{\"String\":\"''\"},\"content\":\"\\\"\"}]}",
    .special = BERT_ROLES },
  { LIST ("DebertaV2", "deberta-v2"), .asks = ASKS_CASE | ASKS_PUNCTUATION, .tail = LIST ("[MASK]"), .begin = "[CLS]",
    .end = "[SEP]", .pair = PAIR_ENDED, .segment = 1,
    .special = { "[PAD]", "[CLS]", "[SEP]", "[CLS]", "[SEP]", "[MASK]", "[UNK]" } },
  { LIST ("Llama"), .asks = ASKS_LEGACY | ASKS_SPACE, .begin = "<s>", .pair = PAIR_BEGUN, .segment = 1,
    .special = LLAMA_ROLES },
  { LIST ("llama"), .asks = ASKS_LEGACY, .begin = "<s>", .pair = PAIR_BEGUN, .segment = 1, .special = LLAMA_ROLES },
  { LIST ("mistral", "mixtral"), .any_class = TRUE, .asks = ASKS_LEGACY, .begin = "<s>", .pair = PAIR_BEGUN,
    .segment = 1, .special = LLAMA_ROLES },
  { LIST ("Gemma", "gemma", "gemma2", "gemma3_text", "gemma3"), .begin = "<bos>", .pair = PAIR_BEGUN, .segment = 1,
    .special = { "<pad>", NULL, NULL, "<bos>", "<eos>", NULL, "<unk>" } },
};
// clang-format on

/* Returns what a class of tokenizers, or a type of models, is; %NULL when that is not known. */
const HlPieceKind *
hl_piece_kind_find (const char *name)
{
  g_autofree char *stem = g_strdup (name);
  char *class = strstr (stem, "Tokenizer");

  if (class != NULL)
    *class = '\0';
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_strv_contains (kinds[i].names, stem))
      return &kinds[i];
  return NULL;
}

/* The pieces of a family: its own before and behind those of the file. */
static GArray *
list_pieces (const HlPieceFile *file,
             const HlPieceKind *kind,
             GPtrArray         *names,
             GError           **error)
{
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (HlPieceEntry));

  if (file->pieces->len < kind->n_replaced)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                   _ ("the vocabulary has too few entries for a model of this family"));
      return NULL;
    }
  for (guint i = 0; kind->head != NULL && kind->head[i] != NULL; i++)
    {
      const gboolean unknown = g_strcmp0 (kind->head[i], kind->special[HL_SPECIAL_UNK]) == 0;
      const HlPieceEntry piece = { kind->head[i], strlen (kind->head[i]), 0,
                                   unknown ? HL_PIECE_UNKNOWN : HL_PIECE_CONTROL };
      g_array_append_val (list, piece);
    }
  g_array_append_vals (list, &g_array_index (file->pieces, HlPieceEntry, kind->n_replaced),
                       file->pieces->len - kind->n_replaced);
  for (guint i = 0; kind->tail != NULL && kind->tail[i] != NULL; i++)
    {
      const HlPieceEntry piece = { kind->tail[i], strlen (kind->tail[i]), 0, HL_PIECE_CONTROL };
      g_array_append_val (list, piece);
    }
  for (guint i = kind->n_extra; i-- > 0;)
    {
      char *name = g_strdup_printf ("<extra_id_%u>", i);
      const HlPieceEntry piece = { name, strlen (name), 0, HL_PIECE_CONTROL };
      g_ptr_array_add (names, name);
      g_array_append_val (list, piece);
    }
  return g_steal_pointer (&list);
}

static HlVocabulary *
make_vocabulary (GArray  *pieces,
                 GError **error)
{
  g_autoptr (HlVocabulary) vocabulary = hl_vocabulary_new ();

  hl_vocabulary_reserve (vocabulary, pieces->len);
  for (guint32 id = 0; id < pieces->len; id++)
    {
      const HlPieceEntry *piece = &g_array_index (pieces, HlPieceEntry, id);
      guint32 other = id;

      if (!hl_vocabulary_check (vocabulary, piece->text, piece->length, error))
        return NULL;
      if (!hl_vocabulary_add_once (vocabulary, piece->text, piece->length, &other))
        {
          g_autofree char *shown = hl_utf8_quote (piece->text, piece->length, MAX_SHOWN);
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the tokens %u and %u are both “%s”"), other, id, shown);
          return NULL;
        }
    }
  return g_steal_pointer (&vocabulary);
}

static gboolean
make_model (const HlPieceFile *file,
            GArray            *pieces,
            HlTokenizerParts  *parts,
            GError           **error)
{
  HlVocabulary *vocabulary = make_vocabulary (pieces, error);
  g_autofree float *scores = g_new (float, pieces->len);
  guint32 unknown = HL_NO_TOKEN;

  if (vocabulary == NULL)
    return FALSE;
  for (guint32 id = 0; id < pieces->len; id++)
    {
      const HlPieceEntry *piece = &g_array_index (pieces, HlPieceEntry, id);
      scores[id] = piece->type == HL_PIECE_NORMAL ? piece->score : (float) NAN;
      if (piece->type == HL_PIECE_UNKNOWN)
        unknown = id;
    }
  if (file->model == HL_PIECE_MODEL_UNIGRAM)
    {
      parts->model = hl_unigram_model_new (vocabulary, scores, unknown != HL_NO_TOKEN ? &unknown : NULL, error);
      return parts->model != NULL;
    }
  const HlBpeOptions options = { .byte_fallback = file->byte_fallback,
                                 .fuse_unknown = TRUE,
                                 .has_unknown = unknown != HL_NO_TOKEN,
                                 .unknown = unknown != HL_NO_TOKEN ? unknown : 0 };
  parts->model = hl_bpe_model_new_scored (vocabulary, &options, scores);
  return TRUE;
}

static HlNormalizer *
load_normalizer (const char *json)
{
  g_autoptr (HlJsonTree) tree = hl_json_tree_new (json, strlen (json), NULL);
  HlNormalizer *normalizer = hl_normalizer_load (hl_json_tree_get_root (tree), 0, NULL);

  g_assert (normalizer != NULL);
  return normalizer;
}

static void
add_normalizer (HlTokenizerParts *parts,
                HlNormalizer     *next)
{
  parts->normalizer = parts->normalizer != NULL ? hl_normalizer_new_sequence (parts->normalizer, next) : next;
}

/* What is done to a text: characters are replaced, spaces left out, one put before it, and each marked. */
static gboolean
make_normalizer (const HlPieceFile    *file,
                 const HlPieceKind    *kind,
                 const HlPieceOptions *options,
                 HlTokenizerParts     *parts,
                 GError              **error)
{
  if (kind->normalizer != NULL)
    parts->normalizer = load_normalizer (kind->normalizer);
  if ((kind->asks & ASKS_ACCENTS) && !options->keep_accents)
    add_normalizer (parts, load_normalizer ("{\"type\":\"Sequence\",\"normalizers\":["
                                            "{\"type\":\"NFKD\"},{\"type\":\"StripAccents\"}]}"));
  if (options->lower)
    add_normalizer (parts, load_normalizer ("{\"type\":\"Lowercase\"}"));
  if (file->charsmap_size > 0)
    {
      HlNormalizer *table = hl_normalizer_new_precompiled (file->charsmap, file->charsmap_size, error);
      if (table == NULL)
        return FALSE;
      add_normalizer (parts, table);
    }
  if (file->fewer_spaces)
    add_normalizer (parts, load_normalizer (
                             "{\"type\":\"Sequence\",\"normalizers\":["
                             "{\"type\":\"Replace\",\"pattern\":{\"Regex\":\" {2,}\"},\"content\":\" \"},"
                             "{\"type\":\"Replace\",\"pattern\":{\"Regex\":\"^ \"},\"content\":\"\"},"
                             "{\"type\":\"Replace\",\"pattern\":{\"Regex\":\"[ " SPACE "]+$\"},\"content\":\"\"}]}"));
  if (options->prefix != HL_PIECE_PREFIX_MODEL)
    return TRUE;
  if (file->dummy_prefix)
    add_normalizer (parts, load_normalizer ("{\"type\":\"Prepend\",\"prepend\":\"" SPACE "\"}"));
  add_normalizer (parts,
                  load_normalizer ("{\"type\":\"Replace\",\"pattern\":{\"String\":\" \"},\"content\":\"" SPACE "\"}"));
  return TRUE;
}

/* Where a family does not put spaces before texts as SentencePiece does, they are put before what a text is cut into. */
static void
make_pre_tokenizer (const HlPieceFile    *file,
                    const HlPieceOptions *options,
                    HlTokenizerParts     *parts)
{
  static const char *const schemes[] = {
    [HL_PIECE_PREFIX_FIRST] = "first", [HL_PIECE_PREFIX_ALWAYS] = "always", [HL_PIECE_PREFIX_NEVER] = "never"
  };

  if (options->prefix == HL_PIECE_PREFIX_MODEL)
    return;
  g_autofree char *json =
    g_strdup_printf ("{\"type\":\"Sequence\",\"pretokenizers\":[%s{\"type\":\"Metaspace\",\"replacement\":\"" SPACE
                     "\",\"prepend_scheme\":\"%s\",\"split\":false}]}",
                     options->split_punctuation ? "{\"type\":\"Punctuation\",\"behavior\":\"Isolated\"}," : "",
                     schemes[file->dummy_prefix ? options->prefix : HL_PIECE_PREFIX_NEVER]);
  g_autoptr (HlJsonTree) tree = hl_json_tree_new (json, strlen (json), NULL);

  parts->pre_tokenizer = hl_pre_tokenizer_load (hl_json_tree_get_root (tree), 0, NULL);
  g_assert (parts->pre_tokenizer != NULL);
}

static gboolean
make_added (GArray               *pieces,
            const HlPieceKind    *kind,
            const HlPieceOptions *options,
            HlTokenizerParts     *parts,
            GError              **error)
{
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (HlAddedToken));

  for (guint32 id = 0; id < pieces->len; id++)
    {
      const HlPieceEntry *piece = &g_array_index (pieces, HlPieceEntry, id);
      HlAddedToken token = { .content = hl_vocabulary_get_token (parts->model->vocabulary, id), .id = id };

      if (token.content == NULL ||
          (piece->type != HL_PIECE_UNKNOWN && piece->type != HL_PIECE_CONTROL && piece->type != HL_PIECE_USER_DEFINED))
        continue;
      token.lstrip = g_strcmp0 (token.content, kind->special[HL_SPECIAL_MASK]) == 0;
      g_array_append_val (list, token);
    }
  parts->added = hl_added_tokens_new ((const HlAddedToken *) (gconstpointer) list->data, list->len, options->more,
                                      parts->model->vocabulary, NULL, error);
  return parts->added != NULL;
}

/* A token around texts, which has to be there. */
static gboolean
find_token (const HlTokenizerParts *parts,
            const char             *name,
            guint32                *id,
            GError                **error)
{
  *id = HL_NO_TOKEN;
  if (name == NULL || hl_vocabulary_find (parts->model->vocabulary, name, strlen (name), id))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("the vocabulary has no token “%s”"), name);
  return FALSE;
}

static gboolean
make_template (const HlPieceKind    *kind,
               const HlPieceOptions *options,
               HlTokenizerParts     *parts,
               GError              **error)
{
  /* Of those that only begin texts, files may say that they do not, or that they end them too. */
  const gboolean asked = kind->pair == PAIR_BEGUN;
  const char *first = asked && !options->begin ? NULL : kind->begin;
  const char *last = asked && options->end ? kind->special[HL_SPECIAL_EOS] : kind->end;
  HlTemplateItem items[8];
  guint32 begin, end;
  guint n = 0, n_single;

  if (!find_token (parts, first, &begin, error) || !find_token (parts, last, &end, error))
    return FALSE;
  if (begin != HL_NO_TOKEN)
    items[n++] = (HlTemplateItem){ -1, begin, 0 };
  items[n++] = (HlTemplateItem){ 0, 0, 0 };
  if (end != HL_NO_TOKEN)
    items[n++] = (HlTemplateItem){ -1, end, 0 };
  n_single = n;
  if (kind->pair == PAIR_DOUBLED)
    items[n++] = (HlTemplateItem){ -1, end, kind->segment };
  if (asked && begin != HL_NO_TOKEN)
    items[n++] = (HlTemplateItem){ -1, begin, kind->segment };
  items[n++] = (HlTemplateItem){ 1, 0, kind->segment };
  if (end != HL_NO_TOKEN)
    items[n++] = (HlTemplateItem){ -1, end, kind->segment };
  parts->post_processor = hl_post_processor_new (items, n_single, items, n);
  return TRUE;
}

/**
 * hl_tokenizer_new_from_pieces: (skip)
 * @file: a model of SentencePiece
 * @kind: the family of models that it is of
 * @options: what files beside it say
 * @error: %HL_ERROR_VALUE or %HL_ERROR_MISSING when it cannot be of that family
 *
 * Returns: (transfer full): the tokenizer
 */
HlTokenizer *
hl_tokenizer_new_from_pieces (const HlPieceFile    *file,
                              const HlPieceKind    *kind,
                              const HlPieceOptions *options,
                              GError              **error)
{
  g_auto (HlTokenizerParts) parts;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) pieces = list_pieces (file, kind, names, error);

  hl_tokenizer_parts_init (&parts);
  if (pieces == NULL || !make_model (file, pieces, &parts, error) ||
      !make_normalizer (file, kind, options, &parts, error) || !make_added (pieces, kind, options, &parts, error) ||
      !make_template (kind, options, &parts, error))
    return NULL;
  make_pre_tokenizer (file, options, &parts);
  for (guint i = 0; i < HL_N_SPECIAL_TOKENS; i++)
    if (kind->special[i] != NULL)
      hl_vocabulary_find (parts.model->vocabulary, kind->special[i], strlen (kind->special[i]), &parts.special[i]);
  return hl_tokenizer_new_from_parts (&parts);
}

/* Where a space is put before texts. The class of Llama’s tokenizers does not do it as SentencePiece does: before no part that begins with one,
 * and, but where it is to be as of old, only before what a text begins with. Others are as SentencePiece unless they are told not to be: where
 * “legacy” is null, too. */
static gboolean
read_prefix (const HlPieceKind *kind,
             HlJsonValue        config,
             HlPieceOptions    *options,
             GError           **error)
{
  const gboolean unsaid = hl_json_value_get_kind (hl_json_value_get (config, "legacy")) == HL_JSON_MISSING;
  const gboolean of_class = (kind->asks & ASKS_SPACE) != 0;
  gboolean legacy = unsaid && !of_class, space = TRUE;

  if (!hl_json_get_boolean (config, "legacy", &legacy, error) ||
      (of_class && !hl_json_get_boolean (config, "add_prefix_space", &space, error)))
    return FALSE;
  if (!space)
    options->prefix = HL_PIECE_PREFIX_NEVER;
  else if (!legacy)
    options->prefix = HL_PIECE_PREFIX_FIRST;
  else if (of_class)
    options->prefix = HL_PIECE_PREFIX_ALWAYS;
  return TRUE;
}

static gboolean
read_config (const HlPieceKind *kind,
             HlJsonValue        config,
             HlPieceOptions    *options,
             GError           **error)
{
  if (!hl_json_get_boolean (config, "add_bos_token", &options->begin, error) ||
      !hl_json_get_boolean (config, "add_eos_token", &options->end, error) ||
      ((kind->asks & ASKS_CASE) && !hl_json_get_boolean (config, "do_lower_case", &options->lower, error)) ||
      ((kind->asks & ASKS_ACCENTS) && !hl_json_get_boolean (config, "keep_accents", &options->keep_accents, error)) ||
      ((kind->asks & ASKS_PUNCTUATION) &&
       !hl_json_get_boolean (config, "split_by_punct", &options->split_punctuation, error)))
    return FALSE;
  /* Then each piece has one. */
  if (options->split_punctuation)
    options->prefix = HL_PIECE_PREFIX_ALWAYS;
  return !(kind->asks & ASKS_LEGACY) || read_prefix (kind, config, options, error);
}

/* What files beside a model of SentencePiece say of texts. Their tokens are looked for in a text as it was typed: what is between them begins
 * anew. */
static gboolean
read_options (HlTokenizerBeside *beside,
              const HlPieceKind *kind,
              GFile             *folder,
              HlPieceOptions    *options,
              GError           **error)
{
  GError *local_error = NULL;

  if (!hl_tokenizer_beside_read_tokens (beside, folder, error))
    return FALSE;
  for (guint i = 0; i < beside->tokens.listed->len; i++)
    g_array_index (beside->tokens.listed, HlAddedToken, i).normalized = FALSE;
  for (guint i = 0; i < beside->tokens.named->len; i++)
    g_array_index (beside->tokens.named, HlAddedToken, i).normalized = FALSE;
  *options = (HlPieceOptions){ .more = &beside->tokens, .begin = TRUE, .lower = kind->lower };
  g_autoptr (HlJsonTree) config = hl_folder_files_read_json (folder, "tokenizer_config.json", &local_error);
  if (local_error != NULL)
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  if (config == NULL)
    config = hl_json_tree_new ("{}", 2, NULL);
  return read_config (kind, hl_json_tree_get_root (config), options, error);
}

/**
 * hl_tokenizer_load_pieces:
 * @file: a model of SentencePiece, beside a tokenizer_config.json or a config.json
 * @error: %HL_ERROR_UNSUPPORTED when these name no known family, or what is wrong with the file
 *
 * Reads a tokenizer. Blocks: some 100 ms for a quarter of a million pieces.
 *
 * Returns: (transfer full): the tokenizer
 */
HlTokenizer *
hl_tokenizer_load_pieces (GFile   *file,
                          GError **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autofree char *basename = g_file_get_basename (file);
  g_autofree char *class = NULL;
  g_autofree char *type = NULL;
  g_autoptr (GError) local_error = NULL;
  g_auto (HlTokenizerBeside) beside = { .trees = NULL };
  HlPieceOptions options;

  if (folder == NULL ||
      !hl_folder_files_read_text (folder, "tokenizer_config.json", "tokenizer_class", &class, error) ||
      !hl_folder_files_read_text (folder, "config.json", "model_type", &type, error))
    return NULL;
  const HlPieceKind *of_type = type != NULL ? hl_piece_kind_find (type) : NULL;
  const HlPieceKind *kind = class != NULL ? hl_piece_kind_find (class) : NULL;
  if (kind == NULL || (of_type != NULL && of_type->any_class))
    kind = of_type;
  if (kind == NULL)
    {
      const char *name = class != NULL ? class : type;
      g_autofree char *shown = name != NULL ? hl_utf8_quote (name, strlen (name), MAX_SHOWN) : NULL;

      if (shown != NULL)
        g_set_error (
          error, HL_ERROR, HL_ERROR_UNSUPPORTED,
          _ ("the tokenizer is only there as a SentencePiece model, “%s”; for “%s”, “tokenizer.json” is needed"),
          basename, shown);
      else
        g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                     _ ("no file beside the SentencePiece model “%s” says which kind of model it is for"), basename);
      return NULL;
    }
  if (!read_options (&beside, kind, folder, &options, error))
    return NULL;
  g_autoptr (HlPieceFile) pieces = hl_piece_file_load (file, &local_error);
  g_autoptr (HlTokenizer) self = pieces != NULL ? hl_tokenizer_new_from_pieces (pieces, kind, &options, &local_error)
                                                : NULL;
  if (self == NULL)
    {
      g_propagate_prefixed_error (error, g_steal_pointer (&local_error), "%s: ", basename);
      return NULL;
    }
  return hl_tokenizer_load_configs (self, folder, error) ? g_steal_pointer (&self) : NULL;
}
