/* SPDX-License-Identifier: MIT */
/* What config.json says of a stack of layers: its sizes, its kinds of positions, its factors. */
#include "core/model/hl-stack-config.h"

#include <glib/gi18n-lib.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/model/family/hl-activation-name.h"
#include "core/model/layer/hl-alibi.h"

#define ALL_HEADS "num_hidden_layers × num_attention_heads"

/* What a size is that config.json does not have. */
static guint64
get_usual (guint size)
{
  return size > 0 ? size : HL_CONFIG_REQUIRED;
}

/* @layer gets the sizes that all layers have unless something else is said of one. */
static gboolean
read_sizes (HlStack       *self,
            HlStackPart    part,
            HlModelConfig *config,
            HlLayerShape  *layer,
            GError       **error)
{
  const gboolean decoder = part == HL_STACK_DECODER;
  const HlUsualSizes *usual = &self->family->usual;
  guint64 n_layers, n_heads, n_key_heads, width, head_size, inner, words = 0, embedding, groups;
  gboolean one_key_head, key_heads_count;
  double ratio = 0;

  if (!hl_model_config_read_size (config, "hidden_size|d_model|n_embd|n_embed|dim", get_usual (usual->width), &width,
                                  error) ||
      !hl_model_config_read_size (config,
                                  decoder ? "decoder_layers|num_decoder_layers|num_layers"
                                          : "encoder_layers|num_hidden_layers|num_layers|n_layer|n_layers",
                                  get_usual (usual->n_layers), &n_layers, error) ||
      !hl_model_config_read_size (config,
                                  decoder ? "decoder_attention_heads|num_heads"
                                          : "encoder_attention_heads|num_attention_heads|num_heads|n_head|n_heads",
                                  get_usual (usual->n_heads), &n_heads, error) ||
      !hl_model_config_read_size (config, "num_key_value_heads|num_kv_heads|n_head_kv",
                                  usual->n_key_heads > 0 ? usual->n_key_heads : n_heads, &n_key_heads, error) ||
      !hl_model_config_read_size (config, "head_dim|d_kv",
                                  usual->head_size > 0 ? usual->head_size
                                  : n_heads > 0        ? width / n_heads
                                                       : 0,
                                  &head_size, error) ||
      !hl_model_config_read_size (
        config,
        decoder
          ? "decoder_ffn_dim|d_ff"
          : "encoder_ffn_dim|intermediate_size_mlp|intermediate_size|ffn_hidden_size|ffn_dim|hidden_dim|d_ff|n_inner",
        usual->inner_width > 0 ? usual->inner_width : 4 * width, &inner, error) ||
      (self->family->stack.patches.projection == NULL &&
       !hl_model_config_read_size (config, decoder ? "decoder_vocab_size|vocab_size" : "vocab_size",
                                   get_usual (usual->n_words), &words, error)) ||
      (self->family->inner_ratio != NULL &&
       !hl_model_config_read_number (config, self->family->inner_ratio, 4, &ratio, error)) ||
      !hl_model_config_read_size (config, "embedding_size|word_embed_proj_dim", width, &embedding, error) ||
      !hl_model_config_read_size (config, "num_hidden_groups", 0, &groups, error) ||
      !hl_switch_read (&self->family->one_key_head, config, &one_key_head, error) ||
      !hl_switch_read (&self->family->key_heads_count, config, &key_heads_count, error))
    return FALSE;
  /* The first files of Falcon 40B have that name for their number, and nothing else to say that it counts. */
  if (one_key_head && !key_heads_count && !hl_model_config_has (config, "n_head_kv"))
    n_key_heads = 1;
  if (self->family->inner_ratio != NULL)
    inner = (guint64) CLAMP ((double) width * ratio, 0, 2.0 * HL_LIMIT_WIDTH);
  if (!hl_model_config_check_size ("num_hidden_layers", n_layers, HL_LIMIT_LAYERS, error) ||
      !hl_model_config_check_size ("num_attention_heads", n_heads, HL_LIMIT_HEADS, error) ||
      !hl_model_config_check_size (ALL_HEADS, n_layers * n_heads, HL_LIMIT_ALL_HEADS, error) ||
      !hl_model_config_check_size ("hidden_size", width, HL_LIMIT_WIDTH, error) ||
      !hl_model_config_check_size ("intermediate_size", inner, HL_LIMIT_WIDTH, error) ||
      !hl_model_config_check_size ("embedding_size", embedding, HL_LIMIT_WIDTH, error) ||
      !hl_model_config_check_size ("num_attention_heads × head_dim", n_heads * head_size, HL_LIMIT_WIDTH, error))
    return FALSE;
  if (n_layers == 0 || n_heads == 0 || width == 0 || inner == 0 || embedding == 0 || n_key_heads == 0 ||
      n_heads % n_key_heads != 0 || head_size == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                   _ ("the sizes in config.json do not fit one another: %u layers, %u heads, %u key heads, "
                      "width %u, head size %u"),
                   (guint) n_layers, (guint) n_heads, (guint) n_key_heads, (guint) width, (guint) head_size);
      return FALSE;
    }
  if (groups > n_layers || (groups > 0 && n_layers % groups != 0))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” in config.json does not divide the number of layers"),
                   "num_hidden_groups");
      return FALSE;
    }
  self->n_layers = self->n_run_layers = (guint) n_layers;
  self->n_own_layers = groups > 0 ? (guint) groups : self->n_layers;
  self->width = width;
  self->vocabulary_size = words;
  self->embedding_width = self->family->stack.projection != NULL ? embedding : width;
  *layer = (HlLayerShape){
    .n_heads = (guint) n_heads,
    .n_key_heads = (guint) n_key_heads,
    .head_size = head_size,
    .value_size = head_size,
    .inner_width = inner,
  };
  return self->family->stack.latent.key_down == NULL || hl_latent_read_shape (layer, config, error);
}

static gboolean
read_activation (HlStack       *self,
                 HlModelConfig *config,
                 GError       **error)
{
  const HlFamily *family = self->family;
  g_autofree char *name = NULL;

  if (!hl_model_config_read_string (config,
                                    family->gelu_is_tanh
                                      ? "hidden_act"
                                      : "feed_forward_proj|hidden_activation|hidden_act|activation_function|activation",
                                    family->activation, &name, error))
    return FALSE;
  self->gated = family->gated || g_str_has_prefix (name, "gated-");
  return hl_activation_find (family->gelu_is_tanh && g_str_equal (name, "gelu") ? "gelu_pytorch_tanh" : name,
                             &self->activation, error);
}

/* Whether tokens see to both sides: a switch, or since Gemma 4 a word, which may mean those of images only. */
static gboolean
read_both_ways (HlModelConfig *config,
                gboolean      *both_ways,
                GError       **error)
{
  static const char key[] = "use_bidirectional_attention";
  g_autofree char *word = NULL;

  if (!hl_model_config_read_string (config, key, "vision", &word, NULL))
    return hl_model_config_read_boolean (config, key, FALSE, both_ways, error);
  *both_ways = g_str_equal (word, "all");
  if (*both_ways || g_str_equal (word, "vision"))
    return TRUE;
  g_autofree char *shown = hl_utf8_quote (word, strlen (word), 40);
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("models with “%s” in config.json are not known"), shown);
  return FALSE;
}

static gboolean
read_switches (HlStack       *self,
               HlModelConfig *config,
               GError       **error)
{
  const HlFamily *family = self->family;
  gboolean scaled_words, both_ways, refused;
  guint64 inner_groups, padding, mask;
  double softcap = 0;

  if (!hl_switch_read (&family->parallel, config, &self->parallel, error) ||
      !hl_switch_read (&family->scaled_words, config, &scaled_words, error) ||
      (family->softcapped && !hl_model_config_read_number (config, "attn_logit_softcapping", 0, &softcap, error)) ||
      !hl_switch_read (&family->mask_dropped, config, &self->drops_mask, error) ||
      !hl_model_config_read_size (config, "mask_token_id", self->drops_mask ? HL_CONFIG_REQUIRED : 0, &mask, error) ||
      !read_both_ways (config, &both_ways, error) ||
      !hl_model_config_read_size (config, "inner_group_num", 1, &inner_groups, error) ||
      !hl_model_config_read_size (config, "pad_token_id", 1, &padding, error))
    return FALSE;
  if ((both_ways && !family->both_ways) || inner_groups != 1)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("models with “%s” in config.json are not known"),
                   both_ways && !family->both_ways ? "use_bidirectional_attention" : "inner_group_num");
      return FALSE;
    }
  self->both_ways = both_ways;
  for (guint i = 0; family->refused != NULL && family->refused[i] != NULL; i++)
    if (!hl_model_config_read_boolean (config, family->refused[i], FALSE, &refused, error))
      return FALSE;
    else if (refused)
      {
        g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("models with “%s” in config.json are not known"),
                     family->refused[i]);
        return FALSE;
      }
  /* A cap too small for a float would be none. */
  if (softcap < 0 || (softcap > 0 && (float) softcap < FLT_MIN))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” in config.json is not above 0"), "attn_logit_softcapping");
      return FALSE;
    }
  self->softcap = (float) softcap;
  self->padding_id = (guint) padding;
  self->mask_id = (guint) mask;
  self->causal = self->causal && !self->both_ways;
  self->word_scale = scaled_words ? sqrtf ((float) self->width) : 1;
  return TRUE;
}

/* What queries, keys, values, words and results of sublayers are multiplied by or cut to. */
static gboolean
read_factors (HlStack       *self,
              HlModelConfig *config,
              GError       **error)
{
  const HlFamily *family = self->family;
  double words, residual, clip = 0;

  if (!hl_model_config_read_number (config, "embedding_multiplier", 1, &words, error) ||
      !hl_model_config_read_number (config, "residual_multiplier", 1, &residual, error) ||
      (family->clip != NULL && !hl_model_config_read_number (config, family->clip, 0, &clip, error)))
    return FALSE;
  if (clip < 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” in config.json is not above 0"), family->clip);
      return FALSE;
    }
  self->word_scale *= (float) words;
  self->residual_scale = (float) residual;
  self->clip = (float) clip;
  return TRUE;
}

/* A bias by distance that has no weights. */
static gboolean
read_alibi (HlStack       *self,
            HlModelConfig *config,
            GError       **error)
{
  const HlFamily *family = self->family;
  gboolean has_alibi;
  double max;

  if (!hl_switch_read (&family->has_alibi, config, &has_alibi, error) ||
      !hl_model_config_read_number (config, "attn_config/alibi_bias_max", 8, &max, error))
    return FALSE;
  if (has_alibi)
    self->slopes =
      hl_alibi_new_slopes (self->shapes[0].n_heads, max, family->alibi == HL_ALIBI_SCALED ? self->shapes[0].scale : 1);
  return TRUE;
}

/* What is added to words: what the family says, or nothing where config.json has queries and keys turned. */
static gboolean
read_position_kind (HlStack       *self,
                    HlModelConfig *config,
                    GError       **error)
{
  const HlFamily *family = self->family;
  g_autofree char *type = NULL;
  gboolean turned = FALSE, added = TRUE;

  if (family->positions != HL_POSITIONS_NONE &&
      !hl_model_config_read_string (config, "position_embedding_type", "absolute", &type, error))
    return FALSE;
  if (type != NULL && g_str_has_prefix (type, "relative_key"))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("models with “%s” in config.json are not known"), type);
      return FALSE;
    }
  if ((family->position_type != NULL && !hl_layer_shape_read_turned (family, config, &turned, error)) ||
      (family->positions_when != NULL &&
       !hl_model_config_read_boolean (config, family->positions_when, TRUE, &added, error)))
    return FALSE;
  self->position_kind = turned || !added ? HL_POSITIONS_NONE : family->positions;
  return TRUE;
}

/* The rotary embeddings that some layer has. */
static gboolean
read_ropes (HlStack       *self,
            HlModelConfig *config,
            GError       **error)
{
  gsize sizes[HL_N_LAYER_ROPES] = { 0 };

  for (guint layer = 0; layer < self->n_layers; layer++)
    sizes[self->shapes[layer].rope] = self->shapes[layer].head_size - self->shapes[layer].first_turned;
  return (sizes[HL_LAYER_ROPE_GLOBAL] == 0 ||
          hl_rope_load (&self->rope, config, self->family, sizes[HL_LAYER_ROPE_GLOBAL], FALSE, error)) &&
         (sizes[HL_LAYER_ROPE_LOCAL] == 0 ||
          hl_rope_load (&self->local_rope, config, self->family, sizes[HL_LAYER_ROPE_LOCAL], TRUE, error));
}

/* Layers may have numbers of heads of their own. */
static gboolean
check_heads (const HlStack *self,
             GError       **error)
{
  guint64 n_heads = 0;

  for (guint layer = 0; layer < self->n_layers; layer++)
    n_heads += self->shapes[layer].n_heads;
  return hl_model_config_check_size (ALL_HEADS, n_heads, HL_LIMIT_ALL_HEADS, error);
}

/* Layers that share weights have the sizes of the first of them, which those are loaded with. */
static gboolean
check_groups (const HlStack *self,
              GError       **error)
{
  const guint n_together = self->n_layers / self->n_own_layers;

  for (guint i = 0; i < self->n_layers; i++)
    {
      const guint first = i - i % n_together;
      const HlLayerShape *layer = &self->shapes[i], *loaded = &self->shapes[first];

      if (layer->kind == loaded->kind && layer->n_heads == loaded->n_heads &&
          layer->n_key_heads == loaded->n_key_heads && layer->head_size == loaded->head_size &&
          layer->value_size == loaded->value_size && layer->inner_width == loaded->inner_width &&
          layer->borrows == loaded->borrows && layer->keys_are_values == loaded->keys_are_values &&
          (layer->rope == HL_LAYER_ROPE_NONE) == (loaded->rope == HL_LAYER_ROPE_NONE))
        continue;
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                   _ ("layer %u shares the weights of layer %u in config.json, but not its sizes"), i, first);
      return FALSE;
    }
  return TRUE;
}

/* A decoder of which config.json says that it sees to both sides after all. How wide a window would be then is not agreed upon. */
static gboolean
read_causal (HlStack       *self,
             HlModelConfig *config,
             GError       **error)
{
  gboolean causal, bounded = self->has_cross;

  if (!hl_model_config_read_boolean (config, "is_causal", TRUE, &causal, error))
    return FALSE;
  if (causal || !self->causal)
    return TRUE;
  for (guint layer = 0; layer < self->n_layers; layer++)
    bounded = bounded || self->shapes[layer].window > 0 || self->shapes[layer].chunk > 0;
  if (bounded)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                   _ ("models that have a window or two stacks are not known with “%s” in config.json"),
                   "is_causal: false");
      return FALSE;
    }
  self->causal = FALSE;
  self->both_ways = TRUE;
  return TRUE;
}

/* Sets all that comes from config.json and not from the weights. */
gboolean
hl_stack_read_config (HlStack       *self,
                      HlStackPart    part,
                      HlModelConfig *config,
                      double        *epsilon,
                      GError       **error)
{
  const HlFamily *family = self->family;
  HlLayerShape layer;

  if (!hl_model_config_read_number (config, "layer_norm_eps|layer_norm_epsilon|rms_norm_eps|norm_eps|norm_epsilon",
                                    family->epsilon, epsilon, error) ||
      !read_sizes (self, part, config, &layer, error) || !read_activation (self, config, error) ||
      !read_switches (self, config, error) || !read_factors (self, config, error) ||
      !read_position_kind (self, config, error))
    return FALSE;
  if (family->own_epsilon)
    *epsilon = family->epsilon;
  self->shapes = hl_layer_shapes_read (&layer, self->n_layers, family, self->causal, config, error);
  return self->shapes != NULL && check_heads (self, error) && check_groups (self, error) &&
         read_causal (self, config, error) && read_alibi (self, config, error) && read_ropes (self, config, error);
}
