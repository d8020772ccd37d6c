/* SPDX-License-Identifier: MIT */
/* The tokens that end a text, and those that never stand in one: generation_config.json, then config.json, then the tokenizer; of a model
 * in one file, its metadata. */
#include "core/predict/hl-generation-rules.h"

#include "core/tokenizer/hl-tokenizer-files.h"

/* A number, or a list of numbers. */
static void
take_ids (GArray     *ids,
          HlJsonValue value)
{
  guint32 id;
  HlJsonIter iter;

  if (hl_json_value_as_uint (value, &id))
    g_array_append_val (ids, id);
  if (hl_json_value_get_kind (value) != HL_JSON_ARRAY)
    return;
  hl_json_iter_init (&iter, value);
  while (hl_json_iter_next (&iter))
    if (hl_json_value_as_uint (iter.value, &id))
      g_array_append_val (ids, id);
}

/* Of words that must not be written, those of one token. Marian's padding is one. */
static void
take_bad_words (GArray     *ids,
                HlJsonValue value)
{
  HlJsonIter iter;

  if (hl_json_value_get_kind (value) != HL_JSON_ARRAY)
    return;
  hl_json_iter_init (&iter, value);
  while (hl_json_iter_next (&iter))
    if (hl_json_value_get_kind (iter.value) == HL_JSON_ARRAY && hl_json_value_get_length (iter.value) == 1)
      take_ids (ids, iter.value);
}

static gboolean
read_file (HlGenerationRules *self,
           HlModel           *model,
           const char        *name,
           GError           **error)
{
  GError *local_error = NULL;
  g_autoptr (HlJsonTree) tree = hl_tokenizer_files_config (hl_model_get_checkpoint (model), name, &local_error);

  if (tree == NULL)
    {
      if (local_error != NULL)
        g_propagate_error (error, local_error);
      return local_error == NULL;
    }
  const HlJsonValue root = hl_json_tree_get_root (tree);
  const HlJsonValue text = hl_json_value_get (root, "text_config");
  if (self->ends->len == 0)
    take_ids (self->ends, hl_json_value_get (root, "eos_token_id"));
  if (self->ends->len == 0 && hl_json_value_get_kind (text) == HL_JSON_OBJECT)
    take_ids (self->ends, hl_json_value_get (text, "eos_token_id"));
  if (self->never->len == 0)
    take_bad_words (self->never, hl_json_value_get (root, "bad_words_ids"));
  return TRUE;
}

/* A file may have several, each under a name of its own. */
static gboolean
read_metadata (HlGenerationRules *self,
               HlModel           *model,
               GError           **error)
{
  static const char *const names[] = { "eos_token_id", "eot_token_id", "eom_token_id" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      guint64 size;

      if (!hl_model_config_has (hl_model_get_config (model), names[i]))
        continue;
      if (!hl_model_config_read_size (hl_model_get_config (model), names[i], 0, &size, error))
        return FALSE;
      const guint32 id = (guint32) size;
      g_array_append_val (self->ends, id);
    }
  return TRUE;
}

gboolean
hl_generation_rules_load (HlGenerationRules *self,
                          HlModel           *model,
                          GError           **error)
{
  HlTokenizer *tokenizer = hl_model_get_tokenizer (model);
  guint32 id;

  self->ends = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->never = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (hl_model_is_file (model)
        ? !read_metadata (self, model, error)
        : !read_file (self, model, "generation_config.json", error) || !read_file (self, model, "config.json", error))
    return FALSE;
  if (self->ends->len == 0 && tokenizer != NULL && hl_tokenizer_get_special_token (tokenizer, HL_SPECIAL_EOS, &id))
    g_array_append_val (self->ends, id);
  return TRUE;
}

void
hl_generation_rules_clear (HlGenerationRules *self)
{
  g_clear_pointer (&self->ends, g_array_unref);
  g_clear_pointer (&self->never, g_array_unref);
}

/* Returns whether a token ends a text. */
gboolean
hl_generation_rules_ends (const HlGenerationRules *self,
                          guint32                  id)
{
  for (guint i = 0; i < self->ends->len; i++)
    if (g_array_index (self->ends, guint32, i) == id)
      return TRUE;
  return FALSE;
}
