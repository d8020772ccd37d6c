/* SPDX-License-Identifier: MIT */
/* Which models there are. */
#include "core/tokenizer/model/hl-token-model.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const HlTokenModelClass *const classes[] = {
  &hl_bpe_model,
  &hl_unigram_model,
  &hl_word_level_model,
  &hl_word_piece_model,
};

/* Older files do not say which model it is. */
static const char *
guess_type (HlJsonValue config)
{
  if (hl_json_value_get_kind (hl_json_value_get (config, "merges")) != HL_JSON_MISSING)
    return "BPE";
  if (hl_json_value_get_kind (hl_json_value_get (config, "unk_id")) != HL_JSON_MISSING)
    return "Unigram";
  if (hl_json_value_get_kind (hl_json_value_get (config, "max_input_chars_per_word")) != HL_JSON_MISSING)
    return "WordPiece";
  return "WordLevel";
}

HlTokenModel *
hl_token_model_load (HlJsonValue config,
                     GError    **error)
{
  g_autoptr (HlVocabulary) own = hl_vocabulary_new ();
  const char *type = NULL;

  if (!hl_json_get_string (config, "type", &type, error))
    return NULL;
  if (type == NULL)
    type = guess_type (config);
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (strcmp (type, classes[i]->type) == 0)
      {
        if (classes[i] != &hl_unigram_model)
          {
            const HlJsonValue tokens = hl_json_get_member (config, "vocab", HL_JSON_OBJECT, error);
            if (hl_json_value_get_kind (tokens) == HL_JSON_MISSING || !hl_vocabulary_add_object (own, tokens, error))
              return NULL;
          }
        HlTokenModel *self = classes[i]->load (config, own, error);
        if (self == NULL)
          {
            g_prefix_error (error, _ ("model “%s”: "), type);
            return NULL;
          }
        self->vocabulary = g_steal_pointer (&own);
        self->klass = classes[i];
        return self;
      }
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("the tokenizer model “%s” is not supported"), type);
  return NULL;
}

gboolean
hl_token_model_tokenize (const HlTokenModel *self,
                         const HlPieces     *pieces,
                         GArray             *tokens,
                         GError            **error)
{
  return self->klass->tokenize (self, pieces, tokens, error);
}
