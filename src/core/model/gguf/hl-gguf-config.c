/* SPDX-License-Identifier: MIT */
/* The metadata of a GGUF file under the names that a config.json has for it. */
#include "core/model/gguf/hl-gguf-config.h"

#include <glib/gi18n-lib.h>

#include "core/archive/hl-tree-archive.h"
#include "core/base/hl-error.h"

/* Keys behind the architecture's name, and what config.json calls the same. */
static const struct
{
  const char *key;
  const char *name;
} keys[] = {
  { "embedding_length", "hidden_size" },
  { "block_count", "num_hidden_layers" },
  { "decoder_block_count", "num_decoder_layers" },
  { "feed_forward_length", "intermediate_size" },
  { "context_length", "max_position_embeddings" },
  { "attention.head_count", "num_attention_heads" },
  { "attention.head_count_kv", "num_key_value_heads" },
  { "attention.key_length", "head_dim" },
  { "attention.layer_norm_epsilon", "layer_norm_eps" },
  { "attention.layer_norm_rms_epsilon", "rms_norm_eps" },
  { "attention.sliding_window", "sliding_window" },
  { "attention.relative_buckets_count", "relative_attention_num_buckets" },
  { "attn_logit_softcapping", "attn_logit_softcapping" },
  { "final_logit_softcapping", "final_logit_softcapping" },
  { "logit_scale", "logit_scale" },
  { "rope.freq_base", "rope_theta" },
  { "rope.freq_base_swa", "rope_local_base_freq" },
  { "use_parallel_residual", "use_parallel_residual" },
  { "decoder_start_token_id", "decoder_start_token_id" },
};

/* A value of its architecture; %NULL when it is not there. */
static const HlGgufValue *
get_value (HlGgufArchive *archive,
           const char    *architecture,
           const char    *key)
{
  g_autofree char *path = g_strconcat (architecture, ".", key, NULL);

  return hl_gguf_archive_get_value (archive, path);
}

static void
add_variant (HlArchiveNode *root,
             const char    *name,
             GVariant      *variant)
{
  HlArchiveNode *node = hl_archive_node_new (HL_MEMBER_OTHER);

  node->attribute = g_variant_ref_sink (variant);
  hl_archive_node_add (root, name, node);
}

/* One number for the whole model, also where files have the same for every layer. */
static gboolean
add_number (HlArchiveNode     *root,
            const char        *key,
            const char        *name,
            const HlGgufValue *value,
            GError           **error)
{
  gint64 integer, other;
  double number;

  if (value->n == 0 || value->type == HL_GGUF_STRING)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is no number"), key);
      return FALSE;
    }
  if (!hl_gguf_value_get_integer (value, 0, &integer))
    {
      if (!hl_gguf_value_get_number (value, 0, &number))
        return FALSE;
      add_variant (root, name, g_variant_new_double (number));
      return TRUE;
    }
  for (guint64 i = 1; i < value->n; i++)
    if (!hl_gguf_value_get_integer (value, i, &other) || other != integer)
      {
        g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("models whose layers differ in “%s” are not known"),
                     key);
        return FALSE;
      }
  add_variant (root, name, g_variant_new_int64 (integer));
  return TRUE;
}

/* What has no key of its own, but follows from others. */
static void
add_derived (HlArchiveNode *root,
             HlGgufArchive *archive,
             const char    *architecture,
             guint64        n_words)
{
  const HlGgufValue *turned = get_value (archive, architecture, "rope.dimension_count");
  const HlGgufValue *length = get_value (archive, architecture, "attention.key_length");
  const HlGgufValue *width = get_value (archive, architecture, "embedding_length");
  const HlGgufValue *heads = get_value (archive, architecture, "attention.head_count");
  const HlGgufValue *scale = get_value (archive, architecture, "attention.scale");
  double n_turned, head_size = 0, n_heads, factor;

  if (length != NULL && length->n > 0)
    hl_gguf_value_get_number (length, 0, &head_size);
  else if (width != NULL && heads != NULL && width->n > 0 && heads->n > 0 &&
           hl_gguf_value_get_number (width, 0, &head_size) && hl_gguf_value_get_number (heads, 0, &n_heads) &&
           n_heads > 0)
    head_size /= n_heads;
  if (turned != NULL && turned->n > 0 && head_size > 0 && hl_gguf_value_get_number (turned, 0, &n_turned))
    add_variant (root, "partial_rotary_factor", g_variant_new_double (n_turned / head_size));
  if (scale != NULL && scale->n > 0 && hl_gguf_value_get_number (scale, 0, &factor) && factor > 0)
    add_variant (root, "query_pre_attn_scalar", g_variant_new_double (1 / (factor * factor)));
  add_variant (root, "vocab_size", g_variant_new_int64 ((gint64) n_words));
}

static gboolean
count_words (HlGgufArchive *archive,
             guint64       *n_words,
             GError       **error)
{
  g_autoptr (HlTensor) words = hl_archive_open_tensor (HL_ARCHIVE (archive), "token_embd.weight", error);

  if (words == NULL)
    return FALSE;
  *n_words = hl_tensor_get_shape (words)->dims[0];
  return TRUE;
}

/* Makes the configuration of a model in a GGUF file. */
HlModelConfig *
hl_gguf_config_new (HlGgufArchive *archive,
                    const char    *architecture,
                    const char    *type,
                    GError       **error)
{
  g_autoptr (HlArchiveNode) root = hl_archive_node_new (HL_MEMBER_GROUP);
  guint64 n_words;

  if (!count_words (archive, &n_words, error))
    return NULL;
  add_variant (root, "model_type", g_variant_new_string (type));
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const HlGgufValue *value = get_value (archive, architecture, keys[i].key);

      if (value != NULL && !add_number (root, keys[i].key, keys[i].name, value, error))
        return NULL;
    }
  add_derived (root, archive, architecture, n_words);
  g_autoptr (HlArchive) tree = hl_tree_archive_new ("GGUF", g_steal_pointer (&root));
  return hl_model_config_new (tree);
}
