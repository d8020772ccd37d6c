/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/json/hl-json-tree.h"
#include "core/tokenizer/model/hl-vocabulary.h"
#include "core/tokenizer/text/hl-pieces.h"

G_BEGIN_DECLS

typedef struct _HlTokenModel HlTokenModel;

/**
 * HlToken:
 * @id: its id
 * @start: first byte, in the text of the pieces
 * @end: one past the last byte
 *
 * A token found.
 */
typedef struct
{
  guint32 id;
  gsize start;
  gsize end;
} HlToken;

static inline void
hl_token_add (GArray *tokens,
              guint32 id,
              gsize   start,
              gsize   end)
{
  const HlToken token = { id, start, end };

  g_array_append_val (tokens, token);
}

/**
 * HlTokenModelClass:
 * @type: its name in tokenizer files
 * @load: reads its settings; a vocabulary that is an object has been read, another kind it adds itself
 * @tokenize: cuts each piece into tokens, which it adds to an array
 * @free: frees it, but for what is in #HlTokenModel
 *
 * A kind of model.
 */
typedef struct
{
  const char *type;
  HlTokenModel *(*load) (HlJsonValue config, HlVocabulary *vocabulary, GError **error);
  gboolean (*tokenize) (const HlTokenModel *self, const HlPieces *pieces, GArray *tokens, GError **error);
  void (*free) (HlTokenModel *self);
} HlTokenModelClass;

/**
 * HlTokenModel:
 * @klass: what it is
 * @vocabulary: its tokens
 * @has_unknown: whether @unknown is an id
 * @unknown: the token of what is not in the vocabulary
 *
 * Cuts a piece of text into tokens of a vocabulary. Immutable. What each one needs follows in its own
 * structure.
 */
struct _HlTokenModel
{
  const HlTokenModelClass *klass;
  HlVocabulary *vocabulary;
  gboolean has_unknown;
  guint32 unknown;
};

/**
 * HlBpeOptions:
 * @byte_fallback: what is not in the vocabulary becomes the tokens of its bytes
 * @fuse_unknown: unknown characters side by side are one token
 * @ignore_merges: a piece that is a token as a whole stays one
 * @has_unknown: whether @unknown is an id; otherwise what is not in the vocabulary is left out
 * @unknown: the token of what is not in the vocabulary
 *
 * How byte-pair encoding is done.
 */
typedef struct
{
  gboolean byte_fallback;
  gboolean fuse_unknown;
  gboolean ignore_merges;
  gboolean has_unknown;
  guint32 unknown;
} HlBpeOptions;

HlTokenModel *hl_token_model_load (HlJsonValue config, GError **error);
gboolean hl_token_model_tokenize (const HlTokenModel *self, const HlPieces *pieces, GArray *tokens, GError **error);

HlTokenModel *hl_bpe_model_new (HlVocabulary *vocabulary, const HlBpeOptions *options, guint n_merges);
gboolean hl_bpe_model_add_merge (HlTokenModel *self, const char *merge, gsize length, guint index, GError **error);
HlTokenModel *hl_bpe_model_new_scored (HlVocabulary *vocabulary, const HlBpeOptions *options, const float *scores);
HlTokenModel *
hl_unigram_model_new (HlVocabulary *vocabulary, const float *scores, const guint32 *unknown, GError **error);
HlTokenModel *hl_word_piece_model_new (HlVocabulary *vocabulary, const guint32 *unknown, GError **error);

extern const HlTokenModelClass hl_bpe_model;
extern const HlTokenModelClass hl_unigram_model;
extern const HlTokenModelClass hl_word_level_model;
extern const HlTokenModelClass hl_word_piece_model;

/* Here, since a model that cannot be made is freed by who makes it. */
static inline void
hl_token_model_free (HlTokenModel *self)
{
  if (self->klass != NULL)
    self->klass->free (self);
  g_clear_pointer (&self->vocabulary, hl_vocabulary_free);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlTokenModel, hl_token_model_free)

G_END_DECLS
