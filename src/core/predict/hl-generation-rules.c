/* SPDX-License-Identifier: MIT */
/* The tokens that end a text, those that never stand in one, not at its beginning, or always there, and how long it is at least.
 * What ends it is in generation_config.json, then config.json, then the tokenizer; of a model in one file, in its metadata. The
 * rest is in config.json only where there is no generation_config.json, as in transformers. */
#include "core/predict/hl-generation-rules.h"

#include <math.h>

#include "core/tokenizer/hl-folder-files.h"

enum
{
  TOKEN_ENDS = 1 << 0,
  TOKEN_NEVER = 1 << 1,
  TOKEN_NOT_AT_FIRST = 1 << 2,
};

static void
mark (HlGenerationRules *self,
      guint8             what,
      guint64            id)
{
  if (id < self->n_tokens)
    self->tokens[id] |= what;
}

/* A number, or a list of numbers. Returns whether there is any. */
static gboolean
mark_all (HlGenerationRules *self,
          guint8             what,
          HlJsonValue        value)
{
  HlJsonIter iter;
  guint32 id;
  gboolean is_any = hl_json_value_as_uint (value, &id);

  if (is_any)
    mark (self, what, id);
  if (hl_json_value_get_kind (value) != HL_JSON_ARRAY)
    return is_any;
  hl_json_iter_init (&iter, value);
  while (hl_json_iter_next (&iter))
    if (hl_json_value_as_uint (iter.value, &id))
      {
        mark (self, what, id);
        is_any = TRUE;
      }
  return is_any;
}

static gboolean
take_ends (HlGenerationRules *self,
           const HlJsonTree  *tree)
{
  const HlJsonValue root = hl_json_tree_get_root (tree);
  const HlJsonValue text = hl_json_value_get (root, "text_config");

  return mark_all (self, TOKEN_ENDS, hl_json_value_get (root, "eos_token_id")) ||
         (hl_json_value_get_kind (text) == HL_JSON_OBJECT &&
          mark_all (self, TOKEN_ENDS, hl_json_value_get (text, "eos_token_id")));
}

/* Of words that must not be written, those of one token; one that ends a text may. Marian's padding is one. */
static void
take_bad_words (HlGenerationRules *self,
                HlJsonValue        value)
{
  HlJsonIter iter, word;
  guint32 id;

  if (hl_json_value_get_kind (value) != HL_JSON_ARRAY)
    return;
  hl_json_iter_init (&iter, value);
  while (hl_json_iter_next (&iter))
    {
      if (hl_json_value_get_kind (iter.value) != HL_JSON_ARRAY || hl_json_value_get_length (iter.value) != 1)
        continue;
      hl_json_iter_init (&word, iter.value);
      if (hl_json_iter_next (&word) && hl_json_value_as_uint (word.value, &id) && !hl_generation_rules_ends (self, id))
        mark (self, TOKEN_NEVER, id);
    }
}

static void
take_rules (HlGenerationRules *self,
            const HlJsonTree  *tree)
{
  const HlJsonValue root = hl_json_tree_get_root (tree);

  take_bad_words (self, hl_json_value_get (root, "bad_words_ids"));
  mark_all (self, TOKEN_NEVER, hl_json_value_get (root, "suppress_tokens"));
  mark_all (self, TOKEN_NOT_AT_FIRST, hl_json_value_get (root, "begin_suppress_tokens"));
  if (!hl_json_value_as_uint (hl_json_value_get (root, "min_new_tokens"), &self->min_new_tokens))
    hl_json_value_as_uint (hl_json_value_get (root, "min_length"), &self->min_length);
  self->has_first = hl_json_value_as_uint (hl_json_value_get (root, HL_GENERATION_FIRST), &self->first);
}

static gboolean
open_file (HlModel     *model,
           const char  *name,
           HlJsonTree **tree,
           GError     **error)
{
  GError *local_error = NULL;

  *tree = hl_folder_files_read_json (hl_model_get_checkpoint (model), name, &local_error);
  if (local_error != NULL)
    g_propagate_error (error, local_error);
  return local_error == NULL;
}

/* A file may have several, each under a name of its own. */
static gboolean
read_metadata (HlGenerationRules *self,
               HlModel           *model,
               gboolean          *has_ends,
               GError           **error)
{
  static const char *const names[] = { "eos_token_id", "eot_token_id", "eom_token_id" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      guint64 id;

      if (!hl_model_config_has (hl_model_get_config (model), names[i]))
        continue;
      if (!hl_model_config_read_size (hl_model_get_config (model), names[i], 0, &id, error))
        return FALSE;
      mark (self, TOKEN_ENDS, id);
      *has_ends = TRUE;
    }
  return TRUE;
}

gboolean
hl_generation_rules_load (HlGenerationRules *self,
                          HlModel           *model,
                          gsize              n_tokens,
                          GError           **error)
{
  HlTokenizer *tokenizer = hl_model_get_tokenizer (model);
  g_autoptr (HlJsonTree) generation = NULL;
  g_autoptr (HlJsonTree) config = NULL;
  gboolean has_ends = FALSE;
  guint32 id;

  self->tokens = g_new0 (guint8, n_tokens);
  self->n_tokens = n_tokens;
  if (hl_model_is_file (model) ? !read_metadata (self, model, &has_ends, error)
                               : !open_file (model, "generation_config.json", &generation, error) ||
                                   !open_file (model, "config.json", &config, error))
    return FALSE;
  has_ends = has_ends || (generation != NULL && take_ends (self, generation)) ||
             (config != NULL && take_ends (self, config));
  if (!has_ends && tokenizer != NULL && hl_tokenizer_get_special_token (tokenizer, HL_SPECIAL_EOS, &id))
    mark (self, TOKEN_ENDS, id);
  const HlJsonTree *rules = generation != NULL ? generation : config;
  if (rules != NULL)
    take_rules (self, rules);
  return hl_model_is_file (model) || hl_model_check_files (model, error);
}

void
hl_generation_rules_clear (HlGenerationRules *self)
{
  g_clear_pointer (&self->tokens, g_free);
}

/* Returns whether a token ends a text. */
gboolean
hl_generation_rules_ends (const HlGenerationRules *self,
                          guint32                  id)
{
  return id < self->n_tokens && (self->tokens[id] & TOKEN_ENDS) != 0;
}

/* Takes away the tokens that do not follow a text of n_ids tokens, n_prompt of which it began with: their logits become −∞. */
void
hl_generation_rules_apply (const HlGenerationRules *self,
                           gsize                    n_prompt,
                           gsize                    n_ids,
                           float                   *logits)
{
  const gboolean is_forced = self->has_first && n_ids == 1;
  /* The first that is free: a token that is forced is not. */
  const gboolean is_first = n_ids == n_prompt + (self->has_first && n_prompt == 1 ? 1 : 0);
  const gboolean is_short = n_ids < self->min_length || n_ids - n_prompt < self->min_new_tokens;
  const guint8 barred = TOKEN_NEVER | (is_first ? TOKEN_NOT_AT_FIRST : 0) | (is_short ? TOKEN_ENDS : 0);

  for (gsize i = 0; i < self->n_tokens; i++)
    if (is_forced ? i != self->first : (self->tokens[i] & barred) != 0)
      logits[i] = -INFINITY;
}
