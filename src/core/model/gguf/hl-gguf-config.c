/* SPDX-License-Identifier: MIT */
/* The metadata of a GGUF file under the names that a config.json has for it. */
#include "core/model/gguf/hl-gguf-config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/archive/hl-tree-archive.h"
#include "core/base/hl-error.h"

/* Keys behind the architecture's name, and what config.json calls the same; of some that are of both stacks of a model, also what it
 * calls them when they are of either. */
static const struct
{
  const char *key;
  const char *name;
} keys[] = {
  { "embedding_length", "hidden_size" },
  { "block_count", "num_hidden_layers" },
  { "block_count", "num_layers" },
  { "decoder_block_count", "num_decoder_layers" },
  { "feed_forward_length", "intermediate_size" },
  { "feed_forward_length", "d_ff" },
  { "context_length", "max_position_embeddings" },
  { "expert_count", "num_local_experts" },
  { "expert_used_count", "num_experts_per_tok" },
  { "expert_feed_forward_length", "moe_intermediate_size" },
  { "attention.head_count", "num_attention_heads" },
  { "attention.head_count", "num_heads" },
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
  { "rope.scaling.factor", "rope_scaling/factor" },
  { "rope.scaling.original_context_length", "rope_scaling/original_max_position_embeddings" },
  { "rope.scaling.yarn_beta_fast", "rope_scaling/beta_fast" },
  { "rope.scaling.yarn_beta_slow", "rope_scaling/beta_slow" },
};

/* A configuration as it is made. */
typedef struct
{
  HlGgufArchive *archive;
  HlWeights *weights;
  const HlGgufArchitecture *architecture;
  HlArchiveNode *root;
} Maker;

/* A value of its architecture; %NULL when it is not there. */
static const HlGgufValue *
get_value (const Maker *self,
           const char  *key)
{
  g_autofree char *path = g_strconcat (self->architecture->name, ".", key, NULL);

  return hl_gguf_archive_get_value (self->archive, path);
}

/* Reads a number, the first of several; leaves it as it is when there is none. */
static gboolean
get_number (const Maker *self,
            const char  *key,
            double      *number)
{
  const HlGgufValue *value = get_value (self, key);

  return value != NULL && value->n > 0 && hl_gguf_value_get_number (value, 0, number);
}

/* Adds a member; the name is perhaps of a member of a group. */
static void
add_node (Maker         *self,
          const char    *name,
          HlArchiveNode *node)
{
  const char *slash = strchr (name, '/');

  if (slash == NULL)
    {
      hl_archive_node_add (self->root, name, node);
      return;
    }
  g_autofree char *group = g_strndup (name, (gsize) (slash - name));
  if (hl_archive_node_get (self->root, group) == NULL)
    hl_archive_node_add (self->root, group, hl_archive_node_new (HL_MEMBER_GROUP));
  hl_archive_node_add (hl_archive_node_get (self->root, group), slash + 1, node);
}

static void
add_variant (Maker      *self,
             const char *name,
             GVariant   *variant)
{
  HlArchiveNode *node = hl_archive_node_new (HL_MEMBER_OTHER);

  node->attribute = g_variant_ref_sink (variant);
  add_node (self, name, node);
}

/* One number for the whole model, also where files have the same for every layer. */
static gboolean
add_number (Maker             *self,
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
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is no number"), key);
          return FALSE;
        }
      add_variant (self, name, g_variant_new_double (number));
      return TRUE;
    }
  for (guint64 i = 1; i < value->n; i++)
    if (!hl_gguf_value_get_integer (value, i, &other) || other != integer)
      {
        g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("models whose layers differ in “%s” are not known"),
                     key);
        return FALSE;
      }
  add_variant (self, name, g_variant_new_int64 (integer));
  return TRUE;
}

/* Which layers have a window: every but the last of so many, or a list of them. */
static void
add_pattern (Maker *self)
{
  const HlGgufValue *value = get_value (self, "attention.sliding_window_pattern");
  gint64 integer;

  if (value == NULL || value->n == 0 || !hl_gguf_value_get_integer (value, 0, &integer))
    return;
  if (!value->is_array)
    {
      add_variant (self, "sliding_window_pattern", g_variant_new_int64 (integer));
      return;
    }
  HlArchiveNode *node = hl_archive_node_new (HL_MEMBER_STRINGS);
  g_autoptr (GStrvBuilder) types = g_strv_builder_new ();
  for (guint64 i = 0; i < value->n; i++)
    {
      hl_gguf_value_get_integer (value, i, &integer);
      g_strv_builder_add (types, integer != 0 ? "sliding_attention" : "full_attention");
    }
  node->strings = g_strv_builder_end (types);
  add_node (self, "layer_types", node);
}

/* How rotary embeddings are scaled. A factor alone divides positions; LLaMA 3's divisors are a tensor. */
static gboolean
add_scaling (Maker   *self,
             GError **error)
{
  const HlGgufValue *type = get_value (self, "rope.scaling.type");
  gsize length = 0;
  const char *name = type != NULL ? hl_gguf_value_get_string (type, &length) : NULL;

  if (name != NULL && !(length == 4 && strncmp (name, "none", length) == 0))
    {
      g_autofree char *bytes = g_strndup (name, length);
      g_autofree char *text = g_utf8_make_valid (bytes, -1);
      add_variant (self, "rope_scaling/rope_type", g_variant_new_string (text));
    }
  else if (name == NULL && get_value (self, "rope.scaling.factor") != NULL)
    {
      add_variant (self, "rope_scaling/rope_type", g_variant_new_string ("linear"));
    }
  if (!hl_weights_has (self->weights, "rope_freqs.weight"))
    return TRUE;
  g_autoptr (HlArchiveNode) node = hl_archive_node_new (HL_MEMBER_TENSOR);
  node->tensor = hl_weights_find (self->weights, (const char *const[]){ "rope_freqs.weight", NULL }, error);
  if (node->tensor == NULL)
    return FALSE;
  add_node (self, "rope_scaling/divisors", g_steal_pointer (&node));
  return TRUE;
}

/* What has no key of its own, but follows from others, or from which tensors there are. */
static void
add_derived (Maker *self)
{
  double width = 0, n_heads = 0, n_layers = 0, head_size = 0, n_turned, factor;

  get_number (self, "embedding_length", &width);
  get_number (self, "block_count", &n_layers);
  get_number (self, "attention.head_count", &n_heads);
  if (!get_number (self, "attention.key_length", &head_size) && n_heads > 0)
    head_size = width / n_heads;
  if (head_size > 0 && get_number (self, "rope.dimension_count", &n_turned))
    add_variant (self, "partial_rotary_factor", g_variant_new_double (n_turned / head_size));
  if (get_number (self, "attention.scale", &factor) && factor > 0)
    add_variant (self, "query_pre_attn_scalar", g_variant_new_double (1 / (factor * factor)));
  else if (self->architecture->n_wide_layers > 0 && n_layers == self->architecture->n_wide_layers && n_heads > 0)
    add_variant (self, "query_pre_attn_scalar", g_variant_new_double (width / n_heads));
  if (hl_weights_has (self->weights, "enc.blk.0.ffn_gate.weight"))
    add_variant (self, "feed_forward_proj", g_variant_new_string ("gated-gelu"));
}

/* The tokens that end a text, and a turn of a talk. */
static void
add_ends (Maker *self)
{
  static const struct
  {
    const char *key;
    const char *name;
  } ends[] = {
    { "tokenizer.ggml.eos_token_id", "eos_token_id" },
    { "tokenizer.ggml.eot_token_id", "eot_token_id" },
    { "tokenizer.ggml.eom_token_id", "eom_token_id" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      const HlGgufValue *value = hl_gguf_archive_get_value (self->archive, ends[i].key);
      gint64 id;

      if (value != NULL && !value->is_array && hl_gguf_value_get_integer (value, 0, &id))
        add_variant (self, ends[i].name, g_variant_new_int64 (id));
    }
}

static gboolean
add_words (Maker   *self,
           GError **error)
{
  g_autoptr (HlTensor)
    words = hl_weights_find (self->weights, (const char *const[]){ "token_embd.weight", NULL }, error);

  if (words == NULL)
    return FALSE;
  add_variant (self, "vocab_size", g_variant_new_int64 ((gint64) hl_tensor_get_shape (words)->dims[0]));
  return TRUE;
}

/* Makes the configuration of a model in a GGUF file. */
HlModelConfig *
hl_gguf_config_new (HlGgufArchive            *archive,
                    HlWeights                *weights,
                    const HlGgufArchitecture *architecture,
                    GError                  **error)
{
  g_autoptr (HlArchiveNode) root = hl_archive_node_new (HL_MEMBER_GROUP);
  Maker maker = { archive, weights, architecture, root };

  add_variant (&maker, "model_type", g_variant_new_string (architecture->type));
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const HlGgufValue *value = get_value (&maker, keys[i].key);

      if (value != NULL && !add_number (&maker, keys[i].key, keys[i].name, value, error))
        return NULL;
    }
  if (!add_words (&maker, error) || !add_scaling (&maker, error))
    return NULL;
  add_pattern (&maker);
  add_ends (&maker);
  add_derived (&maker);
  g_autoptr (HlArchive) tree = hl_tree_archive_new ("GGUF", g_steal_pointer (&root));
  return hl_model_config_new (tree);
}
