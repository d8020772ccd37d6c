/* SPDX-License-Identifier: MIT */
/* Text into tokens: added tokens are set aside, the rest is normalized, cut into pieces, the pieces into
 * tokens of the vocabulary, and special tokens put around them. */
#include "core/tokenizer/hl-tokenizer.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/tokenizer/hl-tokenizer-beside.h"
#include "core/tokenizer/hl-folder-files.h"
#include "core/tokenizer/hl-tokenizer-files.h"
#include "core/tokenizer/hl-tokenizer-parts.h"
#include "core/tokenizer/text/hl-unicode.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* As many bytes may spell one of a text: `<0x41>` has six. */
#define TIMES_SPELT 8

struct _HlTokenizer
{
  GObject parent_instance;

  HlTokenizerParts parts;
  guint max_length; /* 0: none */
  gboolean cut_left;
};

G_DEFINE_FINAL_TYPE (HlTokenizer, hl_tokenizer, G_TYPE_OBJECT)

static void
hl_tokenizer_finalize (GObject *object)
{
  HlTokenizer *self = HL_TOKENIZER (object);

  hl_tokenizer_parts_clear (&self->parts);
  G_OBJECT_CLASS (hl_tokenizer_parent_class)->finalize (object);
}

static void
hl_tokenizer_class_init (HlTokenizerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_tokenizer_finalize;
}

static void
hl_tokenizer_init (HlTokenizer *self)
{
  hl_tokenizer_parts_init (&self->parts);
}

/* Returns a tokenizer of these parts, which it takes. */
HlTokenizer *
hl_tokenizer_new_from_parts (HlTokenizerParts *parts)
{
  HlTokenizer *self = g_object_new (HL_TYPE_TOKENIZER, NULL);

  self->parts = *parts;
  hl_tokenizer_parts_init (parts);
  return self;
}

/* A part of a tokenizer: what is said beside the file goes before what it has. */
static HlJsonValue
get_part (HlJsonValue       root,
          const char       *key,
          const HlJsonTree *beside)
{
  return beside != NULL ? hl_json_tree_get_root (beside) : hl_json_value_get (root, key);
}

static gboolean
load_components (HlTokenizer             *self,
                 HlJsonValue              root,
                 const HlTokenizerBeside *beside,
                 GError                 **error)
{
  const HlJsonValue normalizer = get_part (root, "normalizer", beside != NULL ? beside->normalizer : NULL);
  const HlJsonValue pre_tokenizer = get_part (root, "pre_tokenizer", beside != NULL ? beside->pre_tokenizer : NULL);
  const HlJsonValue truncation = hl_json_value_get (root, "truncation");
  const HlJsonValue model = hl_json_get_member (root, "model", HL_JSON_OBJECT, error);
  const char *direction = NULL;

  if (hl_json_value_get_kind (model) == HL_JSON_MISSING ||
      !hl_json_get_uint (truncation, "max_length", &self->max_length, error) ||
      !hl_json_get_string (truncation, "direction", &direction, error))
    return FALSE;
  self->cut_left = g_strcmp0 (direction, "Left") == 0;
  if (hl_json_value_get_kind (normalizer) > HL_JSON_NULL)
    {
      self->parts.normalizer = hl_normalizer_load (normalizer, 0, error);
      if (self->parts.normalizer == NULL)
        return FALSE;
    }
  if (hl_json_value_get_kind (pre_tokenizer) > HL_JSON_NULL)
    {
      self->parts.pre_tokenizer = hl_pre_tokenizer_load (pre_tokenizer, 0, error);
      if (self->parts.pre_tokenizer == NULL)
        return FALSE;
    }
  self->parts.model = hl_token_model_load (model, error);
  if (self->parts.model == NULL)
    return FALSE;
  self->parts.added = hl_added_tokens_load (hl_json_value_get (root, "added_tokens"),
                                            beside != NULL ? &beside->tokens : NULL, self->parts.model->vocabulary,
                                            self->parts.normalizer, error);
  if (self->parts.added == NULL)
    return FALSE;
  self->parts.post_processor = hl_post_processor_load (hl_json_value_get (root, "post_processor"), error);
  if (self->parts.post_processor == NULL)
    return FALSE;
  if (self->parts.model->has_unknown)
    self->parts.special[HL_SPECIAL_UNK] = self->parts.model->unknown;
  return TRUE;
}

static HlTokenizer *
new_from_tree (const HlJsonTree        *tree,
               const HlTokenizerBeside *beside,
               GError                 **error)
{
  g_autoptr (HlTokenizer) self = g_object_new (HL_TYPE_TOKENIZER, NULL);

  return load_components (self, hl_json_tree_get_root (tree), beside, error) ? g_steal_pointer (&self) : NULL;
}

/**
 * hl_tokenizer_new_from_json:
 * @text: (array length=size): the contents of a tokenizer.json
 * @size: its bytes
 * @error: what is wrong with it
 *
 * Returns: (transfer full): the tokenizer; its only special role known is @HL_SPECIAL_UNK
 */
HlTokenizer *
hl_tokenizer_new_from_json (const char *text,
                            gsize       size,
                            GError    **error)
{
  g_autoptr (HlJsonTree) tree = hl_json_tree_new (text, size, error);

  return tree != NULL ? new_from_tree (tree, NULL, error) : NULL;
}

/* Roles of special tokens, and the longest input, as transformers writes them. */
static gboolean
load_config (HlTokenizer *self,
             GFile       *folder,
             const char  *name,
             GError     **error)
{
  static const char *const roles[] = {
    [HL_SPECIAL_PAD] = "pad_token", [HL_SPECIAL_CLS] = "cls_token", [HL_SPECIAL_SEP] = "sep_token",
    [HL_SPECIAL_BOS] = "bos_token", [HL_SPECIAL_EOS] = "eos_token", [HL_SPECIAL_MASK] = "mask_token",
    [HL_SPECIAL_UNK] = "unk_token",
  };
  g_autoptr (GError) local = NULL;
  g_autoptr (HlJsonTree) tree = hl_folder_files_read_json (folder, name, &local);
  const char *side = NULL;
  double max_length;

  if (tree == NULL)
    {
      if (local == NULL)
        return TRUE;
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  const HlJsonValue root = hl_json_tree_get_root (tree);
  for (guint i = 0; i < HL_N_SPECIAL_TOKENS; i++)
    {
      const HlJsonValue value = hl_json_value_get (root, roles[i]);
      const char *token = hl_json_value_as_string (value);
      if (token == NULL)
        token = hl_json_value_as_string (hl_json_value_get (value, "content"));
      if (token != NULL)
        hl_tokenizer_get_id (self, token, &self->parts.special[i]);
    }
  if (!hl_json_get_string (root, "truncation_side", &side, error))
    return FALSE;
  if (side != NULL)
    self->cut_left = strcmp (side, "left") == 0;
  /* Models without a limit have an enormous number there. */
  if (hl_json_value_as_double (hl_json_value_get (root, "model_max_length"), &max_length) && max_length >= 1 &&
      max_length < G_MAXINT32)
    self->max_length = (guint) max_length;
  return TRUE;
}

/* Reads roles of special tokens, and the longest text, from the files of a folder, if they are there. */
gboolean
hl_tokenizer_load_configs (HlTokenizer *self,
                           GFile       *folder,
                           GError     **error)
{
  return load_config (self, folder, "special_tokens_map.json", error) &&
         load_config (self, folder, "tokenizer_config.json", error);
}

/**
 * hl_tokenizer_load:
 * @folder: a model folder, or one of the files below in it
 * @error: %HL_ERROR_MISSING if there is no tokenizer in it, %HL_ERROR_UNSUPPORTED naming what is not
 *   known, or what is wrong with a file
 *
 * Reads tokenizer.json; without one vocab.txt, or vocab.json and merges.txt. Looks for more in
 * special_tokens_map.json, added_tokens.json, tokenizer_config.json and config.json. Blocks.
 *
 * Returns: (transfer full): the tokenizer
 */
HlTokenizer *
hl_tokenizer_load (GFile   *folder,
                   GError **error)
{
  g_auto (HlTokenizerBeside) beside = { .trees = NULL };
  g_autoptr (HlTokenizer) self = NULL;
  gsize size;

  g_return_val_if_fail (G_IS_FILE (folder), NULL);

  g_autofree char *text = hl_tokenizer_files_read (folder, &size, error);
  g_autoptr (HlJsonTree) tree = text != NULL ? hl_json_tree_new (text, size, error) : NULL;
  if (tree == NULL)
    return NULL;
  /* A long file is not in memory more often than it need be. */
  g_clear_pointer (&text, g_free);
  g_autoptr (GFile) parent = g_file_query_file_type (folder, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_DIRECTORY
                               ? g_object_ref (folder)
                               : g_file_get_parent (folder);
  if (!hl_tokenizer_beside_read_tokens (&beside, parent, error) ||
      !hl_tokenizer_beside_read_options (&beside, parent, hl_json_tree_get_root (tree), error))
    return NULL;
  self = new_from_tree (tree, &beside, error);
  return self != NULL && hl_tokenizer_load_configs (self, parent, error) ? g_steal_pointer (&self) : NULL;
}

/* A text as tokens, with the bytes that each was made from. */
typedef struct
{
  GArray *tokens; /* of HlToken */
  guint first;
  guint n;
} Sequence;

static gboolean
is_byte_space (gunichar c)
{
  return c == 0x120 || hl_unicode_is (c, HL_CHAR_SPACE);
}

/* Takes as many characters off the ends of what a token of a byte-level vocabulary was made from as it has
 * spaces there; where a space was added, that is a character too many, as in the library. */
static void
trim (const HlPostProcessor *processor,
      const char            *text,
      const char            *spelling,
      gsize                  length,
      gboolean               first,
      HlToken               *token)
{
  const char *start = spelling, *end = spelling + length;
  guint before = 0, after = 0;

  for (; start < end && is_byte_space (g_utf8_get_char (start)); start = g_utf8_next_char (start))
    before++;
  while (end > spelling && is_byte_space (g_utf8_get_char (g_utf8_prev_char (end))))
    {
      end = g_utf8_prev_char (end);
      after++;
    }
  /* A single space at the beginning may have been added; if there are more, none was. */
  if (before == 1 && (first || token->start == 0) && processor->add_prefix_space)
    before = 0;
  for (; before > 0 && token->start < token->end; before--)
    token->start += (gsize) g_utf8_skip[(guchar) text[token->start]];
  /* It leaves an end alone that does not have that much before it. */
  if ((glong) after > g_utf8_strlen (text, (gssize) MIN (token->end, after * 4u)))
    after = 0;
  for (; after > 0 && token->end > token->start; after--)
    token->end = (gsize) (g_utf8_prev_char (text + token->end) - text);
}

static gboolean
tokenize (HlTokenizer *self,
          const char  *text,
          GArray      *tokens,
          GError     **error)
{
  g_auto (HlPieces) pieces = { .pieces = NULL };
  const gsize length = strlen (text);
  const char *invalid;
  HlTextRoom room;

  if (length > HL_LIMIT_TEXT)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the text is longer than %d MiB"), HL_LIMIT_TEXT >> 20);
      return FALSE;
    }
  if (!g_utf8_validate (text, (gssize) length, &invalid))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_ENCODING, _ ("the text is not valid UTF-8 at byte %zu"),
                   (gsize) (invalid - text));
      return FALSE;
    }
  hl_text_room_init (&room, length);
  hl_pieces_init (&pieces, &room);
  if (!hl_added_tokens_extract (self->parts.added, self->parts.normalizer, text, length, &pieces, error) ||
      (self->parts.pre_tokenizer != NULL && !hl_pre_tokenizer_apply (self->parts.pre_tokenizer, &pieces, error)))
    return FALSE;
  if (!hl_token_model_tokenize (self->parts.model, &pieces, tokens, error))
    return FALSE;
  for (guint i = 0; i < tokens->len; i++)
    {
      HlToken *token = &g_array_index (tokens, HlToken, i);
      const HlOffsets *spans = pieces.text.spans;
      const gsize start = spans[token->start].start, end = spans[token->end - 1].end;
      /* An added token may have taken spaces beside it, which its spelling does not have. */
      const gboolean added = hl_vocabulary_get_token (hl_added_tokens_get_vocabulary (self->parts.added), token->id) !=
                             NULL;
      const char *spelling = added ? pieces.text.bytes + token->start : hl_tokenizer_get_token (self, token->id);
      const gsize spelling_length = added ? token->end - token->start : strlen (spelling);
      token->start = start;
      token->end = MAX (start, end);
      if (self->parts.post_processor->trim_offsets)
        trim (self->parts.post_processor, text, spelling, spelling_length, i == 0, token);
    }
  return TRUE;
}

/* How transformers cuts a pair: the longer text gives way first. */
static void
truncate_sequences (HlTokenizer *self,
                    Sequence    *sequences,
                    guint        room)
{
  guint *shorter = &sequences[0].n, *longer = &sequences[1].n;
  const guint before[2] = { sequences[0].n, sequences[1].n };

  if (before[0] + before[1] <= room)
    return;
  if (sequences[1].tokens == NULL)
    {
      sequences[0].n = room;
    }
  else
    {
      if (*shorter > *longer)
        {
          shorter = &sequences[1].n;
          longer = &sequences[0].n;
        }
      *longer = *shorter > room ? *shorter : MAX (*shorter, room - *shorter);
      if (*shorter + *longer > room)
        {
          *shorter = room / 2;
          *longer = *shorter + room % 2;
        }
    }
  for (guint i = 0; i < 2; i++)
    if (self->cut_left)
      sequences[i].first = before[i] - sequences[i].n;
}

/* Each token of a text is spelt again, and how, the vocabulary says. */
static gboolean
check_spellings (HlTokenizer    *self,
                 const GArray   *items,
                 const Sequence *sequences,
                 gsize           length,
                 GError        **error)
{
  gsize left = MAX (HL_LIMIT_STRINGS_TEXT, length * TIMES_SPELT);

  for (guint i = 0; i < items->len; i++)
    {
      const HlTemplateItem *item = &g_array_index (items, HlTemplateItem, i);
      const Sequence *sequence = item->sequence >= 0 ? &sequences[item->sequence] : NULL;
      for (guint j = 0; j < (sequence != NULL ? sequence->n : 1); j++)
        {
          const guint32 id = sequence != NULL ? g_array_index (sequence->tokens, HlToken, sequence->first + j).id
                                              : item->id;
          const gsize n = strlen (hl_tokenizer_get_token (self, id));
          if (n > left)
            {
              g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                           _ ("the spellings of the tokens are longer than %d MiB together"),
                           (int) (MAX (HL_LIMIT_STRINGS_TEXT, length * TIMES_SPELT) >> 20));
              return FALSE;
            }
          left -= n;
        }
    }
  return TRUE;
}

static void
fill (HlTokenizer   *self,
      HlEncoding    *encoding,
      guint          at,
      guint32        id,
      guint32        segment,
      const HlToken *token)
{
  const char *spelling = hl_tokenizer_get_token (self, id);

  encoding->ids[at] = id;
  encoding->tokens[at] = g_strdup (spelling);
  encoding->segments[at] = segment;
  if (token != NULL)
    encoding->offsets[at] = (HlOffsets){ (guint32) token->start, (guint32) token->end };
  else
    encoding->special[at] = 1;
}

/**
 * hl_tokenizer_encode:
 * @self: a tokenizer
 * @text: a text, UTF-8
 * @text_pair: (nullable): a second one
 * @max_length: the most tokens, special ones included; 0 for any number
 * @error: %HL_ERROR_ENCODING, %HL_ERROR_TOO_LARGE, %HL_ERROR_MISSING if something is not in the vocabulary
 *   and that has no token for such; %HL_ERROR_VALUE if @max_length has no room for the special tokens
 *
 * Ids, tokens, segments and offsets are those of the Python `tokenizers` library, but for unknown pieces of a
 * Unigram vocabulary, which here are spelt as the unknown token is, and for offsets after a character that
 * SentencePiece's table makes several of or that byte-pair encoding leaves out, of spaces that BERT's normalizer puts beside
 * ideographs, and behind nothing that is put before a text: these here still are where the token came from. If there are more
 * tokens than @max_length, the longer text loses some first, and both are cut to the same length if that is not enough.
 *
 * Returns: (transfer full): the tokens
 */
HlEncoding *
hl_tokenizer_encode (HlTokenizer *self,
                     const char  *text,
                     const char  *text_pair,
                     guint        max_length,
                     GError     **error)
{
  g_autoptr (GArray) a = NULL;
  g_autoptr (GArray) b = NULL;

  g_return_val_if_fail (HL_IS_TOKENIZER (self), NULL);
  g_return_val_if_fail (text != NULL, NULL);

  const gboolean pair = text_pair != NULL;
  const guint n_special = hl_post_processor_get_n_special (self->parts.post_processor, pair);
  const GArray *items = pair ? self->parts.post_processor->pair : self->parts.post_processor->single;
  a = g_array_new (FALSE, FALSE, sizeof (HlToken));
  if (!tokenize (self, text, a, error))
    return NULL;
  if (pair)
    {
      b = g_array_new (FALSE, FALSE, sizeof (HlToken));
      if (!tokenize (self, text_pair, b, error))
        return NULL;
    }
  Sequence sequences[2] = { { a, 0, a->len }, { b, 0, pair ? b->len : 0 } };
  const guint n_all = sequences[0].n + sequences[1].n;
  if (max_length > 0)
    {
      if (max_length < n_special)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("%u tokens at most leave no room for %u special tokens"),
                       max_length, n_special);
          return NULL;
        }
      truncate_sequences (self, sequences, max_length - n_special);
    }

  if (!check_spellings (self, items, sequences, strlen (text) + (pair ? strlen (text_pair) : 0), error))
    return NULL;
  HlEncoding *encoding = hl_encoding_new (sequences[0].n + sequences[1].n + n_special);
  encoding->n_cut = n_all - sequences[0].n - sequences[1].n;
  guint at = 0;
  for (guint i = 0; i < items->len; i++)
    {
      const HlTemplateItem *item = &g_array_index (items, HlTemplateItem, i);
      if (item->sequence < 0)
        {
          fill (self, encoding, at++, item->id, item->segment, NULL);
          continue;
        }
      const Sequence *sequence = &sequences[item->sequence];
      if (item->sequence == 1 && sequence->n > 0)
        encoding->sentence_b_start = at;
      for (guint j = 0; j < sequence->n; j++)
        {
          const HlToken *token = &g_array_index (sequence->tokens, HlToken, sequence->first + j);
          fill (self, encoding, at++, token->id, item->segment, token);
        }
    }
  return encoding;
}

/**
 * hl_tokenizer_get_token:
 * @self: a tokenizer
 * @id: an id
 *
 * Returns: (transfer none): how its token is spelt; empty if there is no such token
 */
const char *
hl_tokenizer_get_token (HlTokenizer *self,
                        guint32      id)
{
  const char *token;

  g_return_val_if_fail (HL_IS_TOKENIZER (self), "");

  token = hl_vocabulary_get_token (hl_added_tokens_get_vocabulary (self->parts.added), id);
  if (token == NULL)
    token = hl_vocabulary_get_token (self->parts.model->vocabulary, id);
  return token != NULL ? token : "";
}

/**
 * hl_tokenizer_get_id:
 * @self: a tokenizer
 * @token: a token as the vocabulary spells it
 * @id: (out): its id
 *
 * Returns: whether there is such a token
 */
gboolean
hl_tokenizer_get_id (HlTokenizer *self,
                     const char  *token,
                     guint32     *id)
{
  g_return_val_if_fail (HL_IS_TOKENIZER (self), FALSE);

  return hl_vocabulary_find (hl_added_tokens_get_vocabulary (self->parts.added), token, strlen (token), id) ||
         hl_vocabulary_find (self->parts.model->vocabulary, token, strlen (token), id);
}

/**
 * hl_tokenizer_get_n_tokens:
 * @self: a tokenizer
 *
 * Returns: the largest id plus 1: what a model needs embeddings for
 */
guint32
hl_tokenizer_get_n_tokens (HlTokenizer *self)
{
  g_return_val_if_fail (HL_IS_TOKENIZER (self), 0);

  return MAX (hl_vocabulary_get_n_ids (self->parts.model->vocabulary),
              hl_vocabulary_get_n_ids (hl_added_tokens_get_vocabulary (self->parts.added)));
}

/**
 * hl_tokenizer_get_max_length:
 * @self: a tokenizer
 *
 * Returns: the most tokens that its files allow; 0 if they do not say
 */
guint
hl_tokenizer_get_max_length (HlTokenizer *self)
{
  g_return_val_if_fail (HL_IS_TOKENIZER (self), 0);

  return self->max_length;
}

/**
 * hl_tokenizer_get_special_token:
 * @self: a tokenizer
 * @role: what it is for
 * @id: (out): its id
 *
 * Returns: whether there is one
 */
gboolean
hl_tokenizer_get_special_token (HlTokenizer   *self,
                                HlSpecialToken role,
                                guint32       *id)
{
  g_return_val_if_fail (HL_IS_TOKENIZER (self), FALSE);
  g_return_val_if_fail (role < HL_N_SPECIAL_TOKENS, FALSE);

  *id = self->parts.special[role];
  /* Also where nothing beside the tokenizer says so: then these two spellings are the mask's. */
  if (*id == HL_NO_TOKEN && role == HL_SPECIAL_UNK && self->parts.model->has_unknown)
    *id = self->parts.model->unknown;
  if (*id == HL_NO_TOKEN && role == HL_SPECIAL_MASK && !hl_tokenizer_get_id (self, "[MASK]", id) &&
      !hl_tokenizer_get_id (self, "<mask>", id))
    *id = HL_NO_TOKEN;
  return *id != HL_NO_TOKEN;
}
