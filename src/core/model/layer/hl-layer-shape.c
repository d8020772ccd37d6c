/* SPDX-License-Identifier: MIT */
/* Layers of a model that differ: in what they see, in how positions get into them, in their scale. */
#include "core/model/layer/hl-layer-shape.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/model/layer/hl-distance-table.h"
#include "core/document/attention/hl-attention.h"
#include "core/model/layer/hl-rope.h"

/* Characters of a name that are told. */
#define MAX_SHOWN 40

static const char *const known_types[] = {
  "full_attention", "sliding_attention", "chunked_attention", "linear_attention", "global", "local", NULL
};

/* What layers are called as GPT-Neo lists them: kinds in turn, each list with how often it comes. %NULL when it does not. */
static gboolean
read_repeated_types (guint          n_layers,
                     HlModelConfig *config,
                     char        ***types,
                     GError       **error)
{
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
  guint n_listed = 0;

  for (guint i = 0; n_listed <= n_layers; i++)
    {
      g_autofree char *list_key = g_strdup_printf ("attention_types/%u/0", i);
      g_autofree char *times_key = g_strdup_printf ("attention_types/%u/1", i);
      g_auto (GStrv) list = NULL;
      guint64 n_times;

      if (!hl_model_config_read_strings (config, list_key, &list, error))
        return FALSE;
      if (list == NULL)
        break;
      if (!hl_model_config_read_size (config, times_key, HL_CONFIG_REQUIRED, &n_times, error))
        return FALSE;
      for (; n_times > 0 && n_listed <= n_layers; n_times--, n_listed += g_strv_length (list))
        g_strv_builder_addv (all, (const char **) list);
    }
  *types = n_listed > 0 ? g_strv_builder_end (all) : NULL;
  return TRUE;
}

/* What layers are called in config.json; %NULL when it does not say. */
static gboolean
read_types (guint          n_layers,
            HlModelConfig *config,
            char        ***types,
            GError       **error)
{
  if (!hl_model_config_read_strings (config, "layer_types", types, error))
    return FALSE;
  const gboolean is_neo = *types == NULL;
  if ((is_neo && !hl_model_config_read_strings (config, "attention_layers", types, error)) ||
      (*types == NULL && !read_repeated_types (n_layers, config, types, error)))
    return FALSE;
  /* Layers of a longer model that are left over there are none of this one. */
  for (guint i = is_neo && *types != NULL ? g_strv_length (*types) : 0; i > n_layers; i--)
    g_clear_pointer (&(*types)[i - 1], g_free);
  if (*types != NULL && g_strv_length (*types) != n_layers)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” in config.json lists %u layers of %u"), "layer_types",
                   g_strv_length (*types), n_layers);
      return FALSE;
    }
  for (guint layer = 0; *types != NULL && layer < n_layers; layer++)
    if (!g_strv_contains (known_types, (*types)[layer]))
      {
        g_autofree char *shown = hl_utf8_quote ((*types)[layer], strlen ((*types)[layer]), MAX_SHOWN);
        g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                     _ ("layer %u is of a kind in config.json that is not known: “%s”"), layer, shown);
        return FALSE;
      }
  return TRUE;
}

static gboolean
refuse_sizes (guint    layer,
              guint64  n_heads,
              guint64  n_key_heads,
              guint64  head_size,
              guint64  width,
              GError **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
               _ ("the sizes of layer %u in config.json do not fit one another: %u heads, %u key heads, "
                  "head size %u, width %u"),
               layer, (guint) n_heads, (guint) n_key_heads, (guint) head_size, (guint) width);
  return FALSE;
}

/* Which layers have linear attention, of a family that has such layers. */
static gboolean
read_kinds (HlLayerShape      *layers,
            guint              n_layers,
            const HlFamily    *family,
            const char *const *types,
            HlModelConfig     *config,
            GError           **error)
{
  guint64 interval;
  guint n_maps = 0;

  if (family->stack.delta.mixed == NULL)
    return TRUE;
  if (!hl_model_config_read_size (config, "full_attention_interval", 4, &interval, error))
    return FALSE;
  for (guint layer = 0; layer < n_layers; layer++)
    {
      const gboolean linear = types != NULL ? g_str_equal (types[layer], "linear_attention")
                                            : interval > 0 && (layer + 1) % interval != 0;

      layers[layer].kind = linear ? HL_LAYER_DELTA : HL_LAYER_ATTENTION;
      if (linear)
        layers[layer].n_heads = layers[layer].n_key_heads = 0;
      n_maps += !linear;
    }
  if (n_maps > 0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("no layer of the model has attention that could be shown"));
  return FALSE;
}

/* Which layers see only so far: as listed, or by the family's rule. */
static gboolean
read_windows (HlLayerShape      *layers,
              guint              n_layers,
              const HlFamily    *family,
              gboolean           causal,
              const char *const *types,
              HlModelConfig     *config,
              GError           **error)
{
  const gboolean all = family->windows == HL_WINDOWS_ALL || family->windows == HL_WINDOWS_ALL_IF_USED;
  const gboolean asked = family->windows == HL_WINDOWS_ALL_IF_USED || family->windows == HL_WINDOWS_UPPER ||
                         family->windows == HL_WINDOWS_ODD_BELOW || family->windows == HL_WINDOWS_UNTURNED;
  guint64 window, period, upper;
  gboolean used;

  if (family->windows == HL_WINDOWS_NONE || family->windows == HL_WINDOWS_CHUNKS)
    return TRUE;
  if (!hl_model_config_read_size (config, "local_attention|sliding_window|window_size", family->usual.window, &window,
                                  error) ||
      !hl_model_config_read_size (config, "sliding_window_pattern|_sliding_window_pattern|global_attn_every_n_layers",
                                  family->window_period, &period, error) ||
      !hl_model_config_read_size (config, "max_window_layers", n_layers, &upper, error) ||
      !hl_model_config_read_boolean (config, "use_sliding_window", FALSE, &used, error))
    return FALSE;
  if (asked && !used)
    window = 0;
  /* Of a window to both sides, config.json gives the whole width; the rule wants one side and the query's own place. */
  if (!causal && window > 0)
    window = window / 2 + 1;
  for (guint layer = 0; layer < n_layers; layer++)
    {
      gboolean local = FALSE;

      if (all)
        local = TRUE;
      else if (types != NULL)
        local = g_str_equal (types[layer], "sliding_attention") || g_str_equal (types[layer], "local");
      else if (family->windows == HL_WINDOWS_ALL_UNLISTED)
        local = TRUE;
      else if (family->windows == HL_WINDOWS_UPPER)
        local = layer >= upper;
      else if (family->windows == HL_WINDOWS_ODD_BELOW)
        local = layer % 2 == 0 && layer < upper;
      else if (family->windows == HL_WINDOWS_UNTURNED)
        local = layers[layer].rope == HL_LAYER_ROPE_NONE;
      else if (period > 0)
        local = family->windows == HL_WINDOWS_NOT_EVERY_NTH ? (layer + 1) % period != 0 : layer % period != 0;
      if (local)
        layers[layer].window = window;
    }
  return TRUE;
}

/* Whether queries and keys are turned by position at all. */
gboolean
hl_layer_shape_read_turned (const HlFamily *family,
                            HlModelConfig  *config,
                            gboolean       *turned,
                            GError        **error)
{
  g_autofree char *type = NULL;
  gboolean has_alibi;

  if (!hl_switch_read (&family->has_alibi, config, &has_alibi, error) ||
      (family->position_type != NULL &&
       !hl_model_config_read_string (config, family->position_type, "absolute", &type, error)))
    return FALSE;
  *turned = family->rotary && !has_alibi && (type == NULL || g_str_equal (type, "rotary"));
  return TRUE;
}

/* Which layers have a rotary embedding, of a model that has one. */
static gboolean
read_ropes (HlLayerShape   *layers,
            guint           n_layers,
            const HlFamily *family,
            HlModelConfig  *config,
            GError        **error)
{
  g_autofree double *listed = NULL;
  gsize n_listed = 0;
  guint64 interval = 0;
  gboolean has_rope;

  if (!hl_layer_shape_read_turned (family, config, &has_rope, error))
    return FALSE;
  if (family->rope_layers == HL_ROPE_LAYERS_LISTED &&
      (!hl_model_config_read_numbers (config, "no_rope_layers", HL_LIMIT_LAYERS, &listed, &n_listed, error) ||
       !hl_model_config_read_size (config, "no_rope_layer_interval", 4, &interval, error)))
    return FALSE;
  if (n_listed > 0 && n_listed != n_layers)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” in config.json lists %u layers of %u"), "no_rope_layers",
                   (guint) n_listed, n_layers);
      return FALSE;
    }
  for (guint layer = 0; layer < n_layers; layer++)
    {
      gboolean turned = has_rope;

      /* In spite of its name, the list has 1 where there is one. */
      if (n_listed > 0)
        turned = turned && listed[layer] != 0;
      else if (interval > 0)
        turned = turned && (layer + 1) % interval != 0;
      if (family->rope_layers == HL_ROPE_LAYERS_WITH_WINDOW)
        turned = turned && layers[layer].window > 0;
      turned = turned && layers[layer].kind == HL_LAYER_ATTENTION;
      layers[layer].rope = !turned                                               ? HL_LAYER_ROPE_NONE
                           : layers[layer].window > 0 && family->local_theta > 0 ? HL_LAYER_ROPE_LOCAL
                                                                                 : HL_LAYER_ROPE_GLOBAL;
    }
  return TRUE;
}

/* Chunks are in the layers that are listed, or in those that know positions. */
static gboolean
read_chunks (HlLayerShape      *layers,
             guint              n_layers,
             const HlFamily    *family,
             const char *const *types,
             HlModelConfig     *config,
             GError           **error)
{
  guint64 chunk;

  if (family->windows != HL_WINDOWS_CHUNKS)
    return TRUE;
  if (!hl_model_config_read_size (config, "attention_chunk_size", 8192, &chunk, error))
    return FALSE;
  for (guint layer = 0; layer < n_layers; layer++)
    if (types != NULL ? g_str_equal (types[layer], "chunked_attention") : layers[layer].rope != HL_LAYER_ROPE_NONE)
      layers[layer].chunk = chunk;
  return TRUE;
}

/* A size that config.json gives for a layer, or those of its kind, where it is not that of all. */
static gboolean
read_own_size (HlModelConfig *config,
               guint          layer,
               const char    *keys,
               guint64        fallback,
               guint64       *size,
               GError       **error)
{
  g_auto (GStrv) list = g_strsplit (keys, "|", -1);
  g_autoptr (GString) own = g_string_new (NULL);

  for (char **key = list; *key != NULL; key++)
    g_string_append_printf (own, "%sper_layer_config/%u/%s", own->len > 0 ? "|" : "", layer, *key);
  return hl_model_config_read_size (config, own->str, fallback, size, error);
}

/* What layers have in common that are called alike and see all keys: sizes of their heads, and values that are keys. */
static gboolean
read_global_sizes (HlLayerShape      *layers,
                   guint              n_layers,
                   const char *const *types,
                   HlModelConfig     *config,
                   GError           **error)
{
  guint64 head_size, n_key_heads;
  gboolean same;

  if (!hl_model_config_read_size (config, "global_head_dim", 0, &head_size, error) ||
      !hl_model_config_read_size (config, "num_global_key_value_heads", 0, &n_key_heads, error) ||
      !hl_model_config_read_boolean (config, "attention_k_eq_v", FALSE, &same, error))
    return FALSE;
  for (guint i = 0; types != NULL && i < n_layers; i++)
    if (g_str_equal (types[i], "full_attention"))
      {
        layers[i].keys_are_values = same;
        if (head_size > 0 && head_size <= HL_LIMIT_WIDTH / layers[i].n_heads)
          layers[i].head_size = layers[i].value_size = head_size;
        if (same && n_key_heads > 0 && layers[i].n_heads % n_key_heads == 0)
          layers[i].n_key_heads = (guint) n_key_heads;
      }
  return TRUE;
}

/* The last layers may use the keys and values of the last before them that is of their kind; their feed-forward may be wider. */
static gboolean
read_sources (HlLayerShape      *layers,
              guint              n_layers,
              const char *const *types,
              HlModelConfig     *config,
              GError           **error)
{
  guint64 n_borrowers;
  gboolean wide;

  if (!hl_model_config_read_size (config, "num_kv_shared_layers", 0, &n_borrowers, error) ||
      !hl_model_config_read_boolean (config, "use_double_wide_mlp", FALSE, &wide, error))
    return FALSE;
  for (guint i = 0; i < n_layers; i++)
    layers[i].source = i;
  if (n_borrowers == 0)
    return TRUE;
  for (guint i = n_borrowers < n_layers ? n_layers - (guint) n_borrowers : 0; i < n_layers; i++)
    {
      guint source = n_borrowers < n_layers ? n_layers - (guint) n_borrowers : 0;

      while (source > 0 && types != NULL && !g_str_equal (types[source - 1], types[i]))
        source--;
      if (source == 0 || types == NULL || layers[source - 1].n_key_heads != layers[i].n_key_heads ||
          layers[source - 1].head_size != layers[i].head_size)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                       _ ("there is no layer in config.json whose keys and values layer %u could use"), i);
          return FALSE;
        }
      layers[i].source = source - 1;
      layers[i].borrows = TRUE;
      if (wide)
        layers[i].inner_width *= 2;
    }
  return TRUE;
}

/* Sizes that differ by layer. */
static gboolean
read_own_sizes (HlLayerShape  *layers,
                guint          n_layers,
                HlModelConfig *config,
                GError       **error)
{
  for (guint i = 0; i < n_layers; i++)
    {
      HlLayerShape *layer = &layers[i];
      guint64 n_heads, n_key_heads, head_size, inner;

      if (layer->kind != HL_LAYER_ATTENTION)
        continue;
      if (!read_own_size (config, i, "num_attention_heads|num_heads", layer->n_heads, &n_heads, error) ||
          !read_own_size (config, i, "num_key_value_heads", layer->n_key_heads, &n_key_heads, error) ||
          !read_own_size (config, i, "head_dim", layer->head_size, &head_size, error) ||
          !read_own_size (config, i, "intermediate_size|d_ff", layer->inner_width, &inner, error))
        return FALSE;
      if (n_heads == layer->n_heads && n_key_heads == layer->n_key_heads && head_size == layer->head_size &&
          inner == layer->inner_width)
        continue;
      if (!hl_model_config_check_size ("num_attention_heads", n_heads, HL_LIMIT_HEADS, error) ||
          !hl_model_config_check_size ("num_attention_heads × head_dim", n_heads * head_size, HL_LIMIT_WIDTH, error) ||
          !hl_model_config_check_size ("intermediate_size", inner, HL_LIMIT_WIDTH, error))
        return FALSE;
      if (n_heads == 0 || n_key_heads == 0 || n_heads % n_key_heads != 0 || head_size == 0 || inner == 0)
        return refuse_sizes (i, n_heads, n_key_heads, head_size, inner, error);
      layer->n_heads = (guint) n_heads;
      layer->n_key_heads = (guint) n_key_heads;
      layer->value_size = layer->value_size == layer->head_size ? head_size : layer->value_size;
      layer->head_size = head_size;
      layer->inner_width = inner;
    }
  return TRUE;
}

static gboolean
read_scales (HlLayerShape   *layers,
             guint           n_layers,
             const HlFamily *family,
             HlModelConfig  *config,
             GError        **error)
{
  HlDistanceParts parts = { 0 };
  double scalar, multiplier, stretch = 1;
  gboolean scaled, by_layer;

  if (!hl_model_config_read_number (config, "query_pre_attn_scalar", family->usual.scalar, &scalar, error) ||
      !hl_model_config_read_number (config, "attention_multiplier|attn_config/softmax_scale", family->usual.multiplier,
                                    &multiplier, error) ||
      !hl_model_config_read_boolean (config, "scale_attn_weights", TRUE, &scaled, error) ||
      !hl_model_config_read_boolean (config, "scale_attn_by_inverse_layer_idx", FALSE, &by_layer, error))
    return FALSE;
  if (scalar < 0 || (scalar == 0 && hl_model_config_has (config, "query_pre_attn_scalar")))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” in config.json is not above 0"), "query_pre_attn_scalar");
      return FALSE;
    }
  if (family->stretched_scale && !hl_rope_read_stretch (config, &stretch, error))
    return FALSE;
  if (family->stack.distances != NULL && !hl_distance_parts_read (&parts, config, error))
    return FALSE;
  for (guint layer = 0; layer < n_layers; layer++)
    {
      /* Of scores that have several parts, as many times the variance. */
      const double size = (scalar > 0 ? scalar : (double) layers[layer].head_size) *
                          (1 + parts.has_keys + parts.has_queries);
      const double scale = multiplier != 0 ? multiplier : family->unscaled || !scaled ? 1 : stretch / sqrt (size);

      layers[layer].scale = (float) (by_layer ? scale / (layer + 1) : scale);
    }
  return TRUE;
}

/* What queries are multiplied by that stand far from the start. */
static gboolean
read_heat (HlLayerShape   *layers,
           guint           n_layers,
           const HlFamily *family,
           HlModelConfig  *config,
           GError        **error)
{
  const gboolean all = family->heat == HL_HEAT_ALL;
  gboolean used = all;
  double heat, length;

  if (family->heat == HL_HEAT_NONE)
    return TRUE;
  if (!hl_model_config_read_number (config,
                                    all ? "rope_parameters/llama_4_scaling_beta|rope_scaling/llama_4_scaling_beta"
                                        : "attn_scale",
                                    all ? 0 : 0.1, &heat, error) ||
      !hl_model_config_read_number (config,
                                    all ? "rope_parameters/original_max_position_embeddings|"
                                          "rope_scaling/original_max_position_embeddings"
                                        : "floor_scale",
                                    8192, &length, error) ||
      (!all && !hl_model_config_read_boolean (config, "attn_temperature_tuning", TRUE, &used, error)))
    return FALSE;
  if (!(length >= 1))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” in config.json is not above 0"),
                   all ? "original_max_position_embeddings" : "floor_scale");
      return FALSE;
    }
  for (guint layer = 0; used && layer < n_layers; layer++)
    if (all || layers[layer].rope == HL_LAYER_ROPE_NONE)
      {
        layers[layer].heat = heat;
        layers[layer].heat_length = length;
        layers[layer].heat_offset = all ? 0 : 1;
      }
  return TRUE;
}

/* Whether a layer has the sizes that its family's way to queries, keys and values is made for. */
static gboolean
is_computable (const HlLayerShape *layer,
               const HlFamily     *family)
{
  const HlStackNames *names = &family->stack;
  const gboolean latent = names->latent.key_down != NULL, distances = names->distances != NULL;
  const gboolean quarters = family->fused_order == HL_FUSED_IN_QUARTERS;

  if ((latent || distances || quarters) && layer->n_key_heads != layer->n_heads)
    return FALSE;
  if (layer->borrows && (latent || distances || names->attention.fused != NULL || family->decoder.layer != NULL))
    return FALSE;
  if (latent && (layer->head_size <= layer->first_turned || (layer->head_size - layer->first_turned) % 2 != 0))
    return FALSE;
  return (!quarters || layer->n_heads % 4 == 0) && (!family->permuted || layer->head_size % 2 == 0);
}

/* Layers have the sizes that they are computed with, and those that have a table in common the ones it is made for: one of angles, or what
 * distance adds to scores. */
static gboolean
check_sizes (const HlLayerShape *layers,
             guint               n_layers,
             const HlFamily     *family,
             HlModelConfig      *config,
             GError            **error)
{
  gsize first_of[HL_N_LAYER_ROPES];
  gboolean has_alibi;

  if (!hl_switch_read (&family->has_alibi, config, &has_alibi, error))
    return FALSE;
  const gboolean same = has_alibi || family->stack.relative_bias != NULL || family->stack.distances != NULL;
  for (guint rope = 0; rope < HL_N_LAYER_ROPES; rope++)
    first_of[rope] = n_layers;
  for (guint i = 0; i < n_layers; i++)
    {
      const HlLayerShape *layer = &layers[i], *model = &layers[0];

      if (!is_computable (layer, family))
        return refuse_sizes (i, layer->n_heads, layer->n_key_heads, layer->head_size, layer->inner_width, error);
      if (layer->rope != HL_LAYER_ROPE_NONE)
        {
          if (first_of[layer->rope] == n_layers)
            first_of[layer->rope] = i;
          const HlLayerShape *turned = &layers[first_of[layer->rope]];
          if (layer->head_size - layer->first_turned != turned->head_size - turned->first_turned)
            return refuse_sizes (i, layer->n_heads, layer->n_key_heads, layer->head_size, layer->inner_width, error);
        }
      if (same && (layer->n_heads != model->n_heads || layer->head_size != model->head_size))
        return refuse_sizes (i, layer->n_heads, layer->n_key_heads, layer->head_size, layer->inner_width, error);
    }
  return TRUE;
}

/* Returns the layers of a stack, all with the sizes of @base; free with g_free(). */
HlLayerShape *
hl_layer_shapes_read (const HlLayerShape *base,
                      guint               n_layers,
                      const HlFamily     *family,
                      gboolean            causal,
                      HlModelConfig      *config,
                      GError            **error)
{
  g_autofree HlLayerShape *layers = g_new (HlLayerShape, n_layers);
  /* In most families a layer's window says whether it is turned, in this one the other way round. */
  const gboolean ropes_first = family->windows == HL_WINDOWS_UNTURNED;
  g_auto (GStrv) types = NULL;

  for (guint layer = 0; layer < n_layers; layer++)
    {
      layers[layer] = *base;
      layers[layer].gated = family->output_gate;
    }
  if (!read_types (n_layers, config, &types, error) ||
      !read_kinds (layers, n_layers, family, (const char *const *) types, config, error) ||
      !read_global_sizes (layers, n_layers, (const char *const *) types, config, error) ||
      !read_own_sizes (layers, n_layers, config, error) ||
      !read_sources (layers, n_layers, (const char *const *) types, config, error) ||
      (ropes_first && !read_ropes (layers, n_layers, family, config, error)) ||
      !read_windows (layers, n_layers, family, causal, (const char *const *) types, config, error) ||
      (!ropes_first && !read_ropes (layers, n_layers, family, config, error)) ||
      !check_sizes (layers, n_layers, family, config, error) ||
      !read_chunks (layers, n_layers, family, (const char *const *) types, config, error) ||
      !read_scales (layers, n_layers, family, config, error) || !read_heat (layers, n_layers, family, config, error))
    return NULL;
  return g_steal_pointer (&layers);
}

/* Features of queries, gates, keys and values of a token. */
gsize
hl_layer_shape_get_products (const HlLayerShape *self)
{
  const guint n_parts = (self->gated ? 2 : 1) * self->n_heads + self->n_key_heads;

  return n_parts * self->head_size + self->n_key_heads * self->value_size;
}
