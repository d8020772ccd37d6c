/* SPDX-License-Identifier: MIT */
/* What config.json says of a stack: sizes, activation, which layers see how far. */
#include "core/model/hl-stack.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define MAX_LAYERS 4096
#define MAX_HEADS 1024
#define MAX_WIDTH (1 << 20)

/**
 * hl_switch_read:
 * @self: a switch of a family
 * @config: a configuration
 * @value: (out): how it stands for this model
 * @error: %HL_ERROR_VALUE
 *
 * Returns: whether @value is set
 */
gboolean
hl_switch_read (const HlSwitch *self,
                HlModelConfig  *config,
                gboolean       *value,
                GError        **error)
{
  *value = self->fallback;
  return self->key == NULL || hl_model_config_read_boolean (config, self->key, self->fallback, value, error);
}

static gboolean
read_sizes (HlStack       *self,
            HlStackPart    part,
            HlModelConfig *config,
            GError       **error)
{
  const gboolean decoder = part == HL_STACK_DECODER;
  guint64 n_layers, n_heads, n_key_heads, width, head_size, inner, words, embedding, groups;

  if (!hl_model_config_read_size (config, "hidden_size|d_model|n_embd|dim", HL_CONFIG_REQUIRED, &width, error) ||
      !hl_model_config_read_size (config,
                                  decoder ? "decoder_layers|num_decoder_layers|num_layers"
                                          : "encoder_layers|num_hidden_layers|num_layers|n_layer|n_layers",
                                  HL_CONFIG_REQUIRED, &n_layers, error) ||
      !hl_model_config_read_size (config,
                                  decoder ? "decoder_attention_heads|num_heads"
                                          : "encoder_attention_heads|num_attention_heads|num_heads|n_head|n_heads",
                                  HL_CONFIG_REQUIRED, &n_heads, error) ||
      !hl_model_config_read_size (config, "num_key_value_heads", n_heads, &n_key_heads, error) ||
      !hl_model_config_read_size (config, "head_dim|d_kv", n_heads > 0 ? width / n_heads : 0, &head_size, error) ||
      !hl_model_config_read_size (config,
                                  decoder ? "decoder_ffn_dim|d_ff"
                                          : "encoder_ffn_dim|intermediate_size|ffn_dim|hidden_dim|d_ff|n_inner",
                                  4 * width, &inner, error) ||
      !hl_model_config_read_size (config, decoder ? "decoder_vocab_size|vocab_size" : "vocab_size", HL_CONFIG_REQUIRED,
                                  &words, error) ||
      !hl_model_config_read_size (config, "embedding_size|word_embed_proj_dim", width, &embedding, error) ||
      !hl_model_config_read_size (config, "num_hidden_groups", 0, &groups, error))
    return FALSE;
  if (n_layers == 0 || n_layers > MAX_LAYERS || n_heads == 0 || n_heads > MAX_HEADS || width == 0 ||
      width > MAX_WIDTH || inner == 0 || inner > MAX_WIDTH || embedding == 0 || embedding > MAX_WIDTH ||
      n_key_heads == 0 || n_heads % n_key_heads != 0 || head_size == 0 || n_heads * head_size > MAX_WIDTH)
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
  self->n_layers = (guint) n_layers;
  self->n_own_layers = groups > 0 ? (guint) groups : self->n_layers;
  self->n_heads = (guint) n_heads;
  self->n_key_heads = (guint) n_key_heads;
  self->width = width;
  self->head_size = head_size;
  self->inner_width = inner;
  self->vocabulary_size = words;
  self->embedding_width = self->family->stack.projection != NULL ? embedding : width;
  return TRUE;
}

static gboolean
read_activation (HlStack       *self,
                 HlModelConfig *config,
                 GError       **error)
{
  static const struct
  {
    const char *name;
    HlActivation activation;
  } names[] = {
    { "gelu", HL_ACTIVATION_GELU },
    { "gelu_python", HL_ACTIVATION_GELU },
    { "gelu_new", HL_ACTIVATION_GELU_TANH },
    { "gelu_fast", HL_ACTIVATION_GELU_TANH },
    { "gelu_pytorch_tanh", HL_ACTIVATION_GELU_TANH },
    { "gated-gelu", HL_ACTIVATION_GELU_TANH },
    { "gated-silu", HL_ACTIVATION_SILU },
    { "gated-relu", HL_ACTIVATION_RELU },
    { "quick_gelu", HL_ACTIVATION_QUICK_GELU },
    { "silu", HL_ACTIVATION_SILU },
    { "swish", HL_ACTIVATION_SILU },
    { "relu", HL_ACTIVATION_RELU },
  };
  g_autofree char *name = NULL;

  if (!hl_model_config_read_string (config,
                                    "feed_forward_proj|hidden_activation|hidden_act|activation_function|activation",
                                    self->family->activation, &name, error))
    return FALSE;
  self->gated = self->family->gated || g_str_has_prefix (name, "gated-");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (names[i].name, name))
      {
        self->activation = names[i].activation;
        return TRUE;
      }
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("the activation “%s” in config.json is not known"), name);
  return FALSE;
}

/* Which layers see only so far: as listed, or by the family's rule. */
static gboolean
read_windows (HlStack       *self,
              HlModelConfig *config,
              GError       **error)
{
  const HlFamily *family = self->family;
  g_auto (GStrv) types = NULL;
  guint64 window, period, upper;
  gboolean used;

  self->windows = g_new0 (guint64, self->n_layers);
  if (family->windows == HL_WINDOWS_NONE)
    return TRUE;
  if (!hl_model_config_read_size (config, "local_attention|sliding_window", 0, &window, error) ||
      !hl_model_config_read_size (config, "sliding_window_pattern|_sliding_window_pattern|global_attn_every_n_layers",
                                  family->window_period, &period, error) ||
      !hl_model_config_read_size (config, "max_window_layers", self->n_layers, &upper, error) ||
      !hl_model_config_read_boolean (config, "use_sliding_window", FALSE, &used, error) ||
      !hl_model_config_read_strings (config, "layer_types", &types, error))
    return FALSE;
  if (types != NULL && g_strv_length (types) != self->n_layers)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” in config.json lists %u layers of %u"), "layer_types",
                   g_strv_length (types), self->n_layers);
      return FALSE;
    }
  if (family->windows == HL_WINDOWS_UPPER && !used)
    window = 0;
  /* Of a window to both sides, config.json gives the whole width; the rule wants one side and the query's own place. */
  if (!self->causal && window > 0)
    window = window / 2 + 1;
  for (guint layer = 0; layer < self->n_layers; layer++)
    {
      gboolean local = FALSE;

      if (types != NULL && family->windows != HL_WINDOWS_ALL)
        local = g_str_equal (types[layer], "sliding_attention");
      else if (family->windows == HL_WINDOWS_ALL)
        local = TRUE;
      else if (family->windows == HL_WINDOWS_UPPER)
        local = layer >= upper;
      else if (period > 0)
        local = family->windows == HL_WINDOWS_NOT_EVERY_NTH ? (layer + 1) % period != 0 : layer % period != 0;
      if (local)
        self->windows[layer] = window;
    }
  return TRUE;
}

static gboolean
read_scales (HlStack       *self,
             HlModelConfig *config,
             GError       **error)
{
  double scalar, softcap;
  gboolean scaled, by_layer;

  if (!hl_model_config_read_number (config, "query_pre_attn_scalar", (double) self->head_size, &scalar, error) ||
      !hl_model_config_read_number (config, "attn_logit_softcapping", 0, &softcap, error) ||
      !hl_model_config_read_boolean (config, "scale_attn_weights", TRUE, &scaled, error) ||
      !hl_model_config_read_boolean (config, "scale_attn_by_inverse_layer_idx", FALSE, &by_layer, error))
    return FALSE;
  if (scalar <= 0 || softcap < 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” in config.json is not above 0"),
                   scalar <= 0 ? "query_pre_attn_scalar" : "attn_logit_softcapping");
      return FALSE;
    }
  self->softcap = (float) softcap;
  self->scales = g_new (float, self->n_layers);
  for (guint layer = 0; layer < self->n_layers; layer++)
    {
      const double scale = self->family->unscaled || !scaled ? 1 : 1 / sqrt (scalar);
      self->scales[layer] = (float) (by_layer ? scale / (layer + 1) : scale);
    }
  return TRUE;
}

static gboolean
read_switches (HlStack       *self,
               HlModelConfig *config,
               GError       **error)
{
  const HlFamily *family = self->family;
  gboolean scaled_words, both_ways;
  guint64 inner_groups, padding;

  if (!hl_switch_read (&family->parallel, config, &self->parallel, error) ||
      !hl_switch_read (&family->scaled_words, config, &scaled_words, error) ||
      !hl_model_config_read_boolean (config, "use_bidirectional_attention", FALSE, &both_ways, error) ||
      !hl_model_config_read_size (config, "inner_group_num", 1, &inner_groups, error) ||
      !hl_model_config_read_size (config, "pad_token_id", 1, &padding, error))
    return FALSE;
  if (both_ways || inner_groups != 1)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("models with “%s” in config.json are not known"),
                   both_ways ? "use_bidirectional_attention" : "inner_group_num");
      return FALSE;
    }
  self->padding_id = (guint) padding;
  self->word_scale = scaled_words ? sqrtf ((float) self->width) : 1;
  return TRUE;
}

/**
 * hl_stack_read_config:
 * @self: a stack whose family and direction are set
 * @part: which stack of the model it is
 * @config: the configuration
 * @epsilon: (out): what the norms add to variances
 * @error: %HL_ERROR_MISSING, %HL_ERROR_VALUE or %HL_ERROR_UNSUPPORTED, which names the key
 *
 * Sets all that comes from config.json and not from the weights.
 *
 * Returns: whether it makes sense
 */
gboolean
hl_stack_read_config (HlStack       *self,
                      HlStackPart    part,
                      HlModelConfig *config,
                      double        *epsilon,
                      GError       **error)
{
  const HlFamily *family = self->family;

  return hl_model_config_read_number (config, "layer_norm_eps|layer_norm_epsilon|rms_norm_eps|norm_eps",
                                      family->epsilon, epsilon, error) &&
         read_sizes (self, part, config, error) && read_activation (self, config, error) &&
         read_windows (self, config, error) && read_scales (self, config, error) &&
         read_switches (self, config, error) &&
         (!family->rotary || (hl_rope_load (&self->rope, config, family, self->head_size, FALSE, error) &&
                              (family->local_theta == 0 ||
                               hl_rope_load (&self->local_rope, config, family, self->head_size, TRUE, error))));
}
