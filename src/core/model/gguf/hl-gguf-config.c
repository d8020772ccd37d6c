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
  gboolean by_layer; /* whether layers may differ in it */
} keys[] = {
  { "embedding_length", "hidden_size" },
  { "decoder_block_count", "num_decoder_layers" },
  { "feed_forward_length", "intermediate_size", TRUE },
  { "feed_forward_length", "d_ff", TRUE },
  { "context_length", "max_position_embeddings" },
  { "expert_count", "num_local_experts" },
  { "expert_used_count", "num_experts_per_tok" },
  { "expert_feed_forward_length", "moe_intermediate_size" },
  { "expert_shared_count", "n_shared_experts" },
  { "expert_shared_feed_forward_length", "shared_expert_intermediate_size" },
  { "expert_group_count", "n_group" },
  { "expert_group_used_count", "topk_group" },
  { "expert_weights_norm", "norm_topk_prob" },
  { "expert_weights_scale", "routed_scaling_factor" },
  { "attention.head_count", "num_attention_heads", TRUE },
  { "attention.head_count", "num_heads", TRUE },
  { "attention.head_count_kv", "num_key_value_heads", TRUE },
  { "attention.key_length", "head_dim" },
  /* Where layers with a window have heads of another size, what is above is that of the others. */
  { "attention.key_length_swa", "head_dim" },
  { "attention.shared_kv_layers", "num_kv_shared_layers" },
  { "attention.causal", "is_causal" },
  { "embedding_length_per_layer_input", "hidden_size_per_layer_input" },
  { "attention.layer_norm_epsilon", "layer_norm_eps" },
  { "attention.layer_norm_rms_epsilon", "rms_norm_eps" },
  { "attention.sliding_window", "sliding_window" },
  { "attention.relative_buckets_count", "relative_attention_num_buckets" },
  { "attention.q_lora_rank", "q_lora_rank" },
  { "attention.kv_lora_rank", "kv_lora_rank" },
  { "attention.temperature_scale", "rope_scaling/llama_4_scaling_beta" },
  { "full_attention_interval", "full_attention_interval" },
  { "ssm.conv_kernel", "linear_conv_kernel_dim" },
  { "ssm.state_size", "linear_key_head_dim" },
  { "ssm.group_count", "linear_num_key_heads" },
  { "ssm.time_step_rank", "linear_num_value_heads" },
  { "attention.clamp_kqv", "clip_qkv" },
  { "attention.clamp_kqv", "attn_config/clip_qkv" },
  { "attention.max_alibi_bias", "attn_config/alibi_bias_max" },
  { "attn_logit_softcapping", "attn_logit_softcapping" },
  { "final_logit_softcapping", "final_logit_softcapping" },
  { "embedding_scale", "embedding_multiplier" },
  { "residual_scale", "residual_multiplier" },
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
  const HlFamily *family;
  HlArchiveNode *root;
  guint n_layers;
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

/* Likewise what may be a size; files say anything. */
static gboolean
get_size (const Maker *self,
          const char  *key,
          double      *size)
{
  return get_number (self, key, size) && *size >= 0 && *size <= G_MAXINT32;
}

/* Adds a member; the name is perhaps of a member of a group, or of one within another. */
static void
add_node (Maker         *self,
          const char    *name,
          HlArchiveNode *node)
{
  HlArchiveNode *parent = self->root;
  const char *slash;

  for (; (slash = strchr (name, '/')) != NULL; name = slash + 1)
    {
      g_autofree char *group = g_strndup (name, (gsize) (slash - name));

      if (hl_archive_node_get (parent, group) == NULL)
        hl_archive_node_add (parent, group, hl_archive_node_new (HL_MEMBER_GROUP));
      parent = hl_archive_node_get (parent, group);
    }
  hl_archive_node_add (parent, name, node);
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

/* Whether a list has something for each layer, and nothing more: files say anything of how long it is. */
static gboolean
check_by_layer (Maker             *self,
                const char        *key,
                const HlGgufValue *value,
                GError           **error)
{
  if (value->n == self->n_layers)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” lists %u layers of %u"), key,
               (guint) MIN (value->n, G_MAXUINT), self->n_layers);
  return FALSE;
}

/* What layers have that differ, under the name that config.json has for all of them; what it says of the model is the greatest. */
static gboolean
add_by_layer (Maker             *self,
              const char        *key,
              const char        *name,
              const HlGgufValue *value,
              GError           **error)
{
  gint64 greatest = 0;

  if (!check_by_layer (self, key, value, error))
    return FALSE;
  for (guint layer = 0; layer < self->n_layers; layer++)
    {
      g_autofree char *path = g_strdup_printf ("per_layer_config/%u/%s", layer, name);
      gint64 integer = 0;

      hl_gguf_value_get_integer (value, layer, &integer);
      add_variant (self, path, g_variant_new_int64 (integer));
      greatest = MAX (greatest, integer);
    }
  add_variant (self, name, g_variant_new_int64 (greatest));
  return TRUE;
}

/* One number for the whole model, also where files have the same for every layer. */
static gboolean
add_number (Maker             *self,
            const char        *key,
            const char        *name,
            gboolean           by_layer,
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
        if (by_layer)
          return add_by_layer (self, key, name, value, error);
        g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("models whose layers differ in “%s” are not known"),
                     key);
        return FALSE;
      }
  add_variant (self, name, g_variant_new_int64 (integer));
  return TRUE;
}

/* Which layers have a window: every but the last of so many, or a list of them. */
static gboolean
add_pattern (Maker   *self,
             GError **error)
{
  static const char key[] = "attention.sliding_window_pattern";
  const HlGgufValue *value = get_value (self, key);
  gint64 integer;

  if (value == NULL || value->n == 0 || !hl_gguf_value_get_integer (value, 0, &integer))
    return TRUE;
  if (!value->is_array)
    {
      add_variant (self, "sliding_window_pattern", g_variant_new_int64 (integer));
      return TRUE;
    }
  if (!check_by_layer (self, key, value, error))
    return FALSE;
  HlArchiveNode *node = hl_archive_node_new (HL_MEMBER_STRINGS);
  g_autoptr (GStrvBuilder) types = g_strv_builder_new ();
  for (guint64 i = 0; i < value->n; i++)
    {
      hl_gguf_value_get_integer (value, i, &integer);
      g_strv_builder_add (types, integer != 0 ? "sliding_attention" : "full_attention");
    }
  node->strings = g_strv_builder_end (types);
  add_node (self, "layer_types", node);
  return TRUE;
}

/* A tensor with divisors of the frequencies of rotary embeddings, if there is such a tensor. */
static gboolean
add_divisors (Maker      *self,
              const char *tensor,
              const char *name,
              GError    **error)
{
  if (!hl_weights_has (self->weights, tensor))
    return TRUE;
  g_autoptr (HlArchiveNode) node = hl_archive_node_new (HL_MEMBER_TENSOR);
  node->tensor = hl_weights_find (self->weights, (const char *const[]){ tensor, NULL }, error);
  if (node->tensor == NULL)
    return FALSE;
  add_node (self, name, g_steal_pointer (&node));
  return TRUE;
}

/* How rotary embeddings are scaled. A factor alone divides positions, mostly; LLaMA 3's divisors are a tensor, those of Phi-3 are two, of
 * short texts and of long ones. */
static gboolean
add_scaling (Maker   *self,
             GError **error)
{
  const gboolean is_long = hl_weights_has (self->weights, "rope_factors_long.weight");
  const HlGgufValue *type = get_value (self, "rope.scaling.type");
  gsize length = 0;
  const char *name = type != NULL ? hl_gguf_value_get_string (type, &length) : NULL;

  double number;
  /* The key of files from before there were several ways. */
  const gboolean is_old = get_value (self, "rope.scaling.factor") == NULL &&
                          get_number (self, "rope.scale_linear", &number) && number > 0;

  if (is_old)
    add_variant (self, "rope_scaling/factor", g_variant_new_double (number));
  if (is_long)
    {
      add_variant (self, "rope_scaling/rope_type", g_variant_new_string ("longrope"));
      if (get_number (self, "rope.scaling.attn_factor", &number))
        add_variant (self, "rope_scaling/attention_factor", g_variant_new_double (number));
    }
  else if (name != NULL && !(length == 4 && strncmp (name, "none", length) == 0))
    {
      g_autofree char *bytes = g_strndup (name, length);
      g_autofree char *text = g_utf8_make_valid (bytes, -1);
      add_variant (self, "rope_scaling/rope_type", g_variant_new_string (text));
    }
  else if (name == NULL && (is_old || get_value (self, "rope.scaling.factor") != NULL))
    {
      const char *scaling = self->architecture->scaling;
      add_variant (self, "rope_scaling/rope_type", g_variant_new_string (scaling != NULL ? scaling : "linear"));
    }
  /* That of scores, a tenth of it, which files have only where it is that of cosines and sines too. */
  if (get_number (self, "rope.scaling.yarn_log_multiplier", &number))
    {
      add_variant (self, "rope_scaling/mscale", g_variant_new_double (10 * number));
      add_variant (self, "rope_scaling/mscale_all_dim", g_variant_new_double (10 * number));
    }
  return add_divisors (self, "rope_freqs.weight", "rope_scaling/divisors", error) &&
         add_divisors (self, "rope_factors_short.weight", "rope_scaling/short_factor", error) &&
         add_divisors (self, "rope_factors_long.weight", "rope_scaling/long_factor", error);
}

/* The sizes of heads whose keys and values are made by way of fewer features. Files that keep the two products of each head apart give the
 * sizes of what goes into these, and those of heads besides. */
static gboolean
add_latent_sizes (Maker *self)
{
  double key_size, value_size, n_turned;

  if (get_value (self, "attention.kv_lora_rank") == NULL || !get_size (self, "rope.dimension_count", &n_turned) ||
      !(get_size (self, "attention.key_length_mla", &key_size) || get_size (self, "attention.key_length", &key_size)) ||
      !(get_size (self, "attention.value_length_mla", &value_size) ||
        get_size (self, "attention.value_length", &value_size)) ||
      n_turned > key_size)
    return FALSE;
  add_variant (self, "qk_rope_head_dim", g_variant_new_int64 ((gint64) n_turned));
  add_variant (self, "qk_nope_head_dim", g_variant_new_int64 ((gint64) (key_size - n_turned)));
  add_variant (self, "v_head_dim", g_variant_new_int64 ((gint64) value_size));
  return TRUE;
}

/* Layers without a map: files give what all heads give together. */
static void
add_delta_sizes (Maker *self)
{
  double width, n_heads;

  if (get_size (self, "ssm.inner_size", &width) && get_size (self, "ssm.time_step_rank", &n_heads) && n_heads >= 1)
    add_variant (self, "linear_value_head_dim", g_variant_new_int64 ((gint64) (width / n_heads)));
}

/* Whether some layer has keys, and no values but these. */
static gboolean
has_keys_only (const Maker *self)
{
  for (guint layer = 0; layer < self->n_layers; layer++)
    {
      g_autofree char *key = g_strdup_printf ("blk.%u.attn_k.weight", layer);
      g_autofree char *value = g_strdup_printf ("blk.%u.attn_v.weight", layer);

      if (hl_weights_has (self->weights, key) && !hl_weights_has (self->weights, value))
        return TRUE;
    }
  return FALSE;
}

/* The heads of layers without a window, in models of which the others' are of another size. */
static void
add_global_heads (Maker *self)
{
  const HlGgufValue *value = get_value (self, "attention.key_length");
  double local_size, n_turned;
  gint64 head_size;

  if (value == NULL || value->n == 0 || !hl_gguf_value_get_integer (value, 0, &head_size) ||
      !get_number (self, "attention.key_length_swa", &local_size) || local_size <= 0)
    return;
  add_variant (self, "global_head_dim", g_variant_new_int64 (head_size));
  if (get_number (self, "rope.dimension_count_swa", &n_turned))
    add_variant (self, "rope_parameters/sliding_attention/partial_rotary_factor",
                 g_variant_new_double (n_turned / local_size));
  if (has_keys_only (self))
    add_variant (self, "attention_k_eq_v", g_variant_new_int64 (1));
}

/* The base of rotary embeddings. What files do not say is not what config.json would leave out, but the same for all. */
static void
add_bases (Maker *self)
{
  double base = 10000;

  if (!get_number (self, "rope.freq_base", &base))
    add_variant (self, "rope_theta", g_variant_new_double (base));
  if (self->architecture->windowed_type != NULL && get_value (self, "rope.freq_base_swa") == NULL)
    add_variant (self, "rope_local_base_freq", g_variant_new_double (base));
}

/* What has no key of its own, but follows from others, or from which tensors there are. */
static void
add_derived (Maker *self)
{
  double width = 0, n_heads = 0, head_size = 0, n_turned, factor;

  get_number (self, "embedding_length", &width);
  get_number (self, "attention.head_count", &n_heads);
  if (!get_number (self, "attention.key_length", &head_size) && n_heads > 0)
    head_size = width / n_heads;
  if (!add_latent_sizes (self) && head_size > 0 && get_number (self, "rope.dimension_count", &n_turned))
    add_variant (self, "partial_rotary_factor", g_variant_new_double (n_turned / head_size));
  if (self->architecture->n_unnormed_experts > 0 && get_number (self, "expert_count", &factor) &&
      factor == self->architecture->n_unnormed_experts)
    add_variant (self, "use_qk_norm", g_variant_new_int64 (0));
  add_global_heads (self);
  /* What config.json has of models that can be with experts and without. */
  if (get_number (self, "expert_count", &factor) && factor > 0)
    add_variant (self, "enable_moe_block", g_variant_new_int64 (1));
  if (get_number (self, "logit_scale", &factor))
    add_variant (self, self->architecture->divided ? "logits_scaling" : "logit_scale", g_variant_new_double (factor));
  if (get_number (self, "attention.scale", &factor) && factor > 0)
    add_variant (self, "query_pre_attn_scalar", g_variant_new_double (1 / (factor * factor)));
  else if (self->architecture->n_wide_layers > 0 && self->n_layers == self->architecture->n_wide_layers && n_heads > 0)
    add_variant (self, "query_pre_attn_scalar", g_variant_new_double (width / n_heads));
  else if (self->family->usual.scalar > 0 && head_size > 0)
    add_variant (self, "query_pre_attn_scalar", g_variant_new_double (head_size));
  if (self->family->usual.multiplier > 0)
    add_variant (self, "attention_multiplier", g_variant_new_double (0));
  if (self->family->usual.window > 0 && get_value (self, "attention.sliding_window") == NULL)
    add_variant (self, "sliding_window", g_variant_new_int64 (self->architecture->usual_window));
  if (self->architecture->both_ways)
    add_variant (self, "use_bidirectional_attention", g_variant_new_int64 (1));
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
                    const HlFamily           *family,
                    const char               *type,
                    guint                     n_layers,
                    GError                  **error)
{
  g_autoptr (HlArchiveNode) root = hl_archive_node_new (HL_MEMBER_GROUP);
  Maker maker = { archive, weights, architecture, family, root, n_layers };

  add_variant (&maker, "model_type", g_variant_new_string (type));
  add_variant (&maker, "num_hidden_layers", g_variant_new_int64 (n_layers));
  add_variant (&maker, "num_layers", g_variant_new_int64 (n_layers));
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const HlGgufValue *value = get_value (&maker, keys[i].key);

      if (value != NULL && !add_number (&maker, keys[i].key, keys[i].name, keys[i].by_layer, value, error))
        return NULL;
    }
  if (!add_words (&maker, error) || !add_scaling (&maker, error) || !add_pattern (&maker, error))
    return NULL;
  add_ends (&maker);
  add_derived (&maker);
  add_bases (&maker);
  add_delta_sizes (&maker);
  g_autoptr (HlArchive) tree = hl_tree_archive_new ("GGUF", g_steal_pointer (&root));
  return hl_model_config_new (tree);
}
