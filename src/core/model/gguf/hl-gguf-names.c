/* SPDX-License-Identifier: MIT */
/* A family as GGUF files have it. Tensors of one role have one name there whatever the family, and what a model has besides is seen by
 * whether it is there. */
#include "core/model/gguf/hl-gguf-names.h"

#include <string.h>

static const char *const words[] = { "token_embd.weight", NULL };
static const char *const rows[] = { "/output.weight", NULL };
static const char *const row_bias[] = { "/output.bias", NULL };
static const char *const prefixes[] = { "", NULL };

static const HlDeltaNames delta = {
  .mixed_and_gate = "ssm_in",
  .write_and_decay = "ssm_ba",
  .mixed = "attn_qkv",
  .gate = "attn_gate",
  .write = "ssm_beta",
  .decay = "ssm_alpha",
  .taps = "ssm_conv1d",
  .decay_bias = "ssm_dt.bias",
  .negative_rates = "ssm_a",
  .norm = "ssm_norm.weight",
  .output = "ssm_out",
};

/* What the tensors of a kind of stack are called. */
typedef struct
{
  const char *layer;
  const char *output;
  const char *relative_bias;
  const char *final_norm;
  guint n_layers;
  gboolean has_delta;
} StackNames;

static const StackNames only_stack = { "blk.%u.", "attn_output", NULL, "output_norm", 0, FALSE };
static const StackNames encoder_stack = {
  "enc.blk.%u.", "attn_o", "enc.blk.0.attn_rel_b", "enc.output_norm", 0, FALSE
};
static const StackNames decoder_stack = {
  "dec.blk.%u.", "attn_o", "dec.blk.0.attn_rel_b", "dec.output_norm", 0, FALSE
};

/* Whether the first layer has a tensor. */
static gboolean
has_part (HlWeights  *weights,
          const char *layer,
          const char *name)
{
  g_autofree char *start = g_strndup (layer, (gsize) (strchr (layer, '%') - layer));
  g_autofree char *complete = g_strconcat (start, "0.", name, NULL);

  return hl_weights_has (weights, complete);
}

/* Whether some layer has a tensor. */
static gboolean
has_somewhere (HlWeights        *weights,
               const StackNames *stack,
               const char       *name)
{
  g_autofree char *start = g_strndup (stack->layer, (gsize) (strchr (stack->layer, '%') - stack->layer));

  for (guint layer = 0; layer < stack->n_layers; layer++)
    {
      g_autofree char *complete = g_strdup_printf ("%s%u.%s", start, layer, name);
      if (hl_weights_has (weights, complete))
        return TRUE;
    }
  return FALSE;
}

/* Gives a part that the family has another name. */
static void
rename (const char **name,
        const char  *other)
{
  if (*name != NULL)
    *name = other;
}

static void
name_attention (HlAttentionNames *names,
                const StackNames *stack,
                HlWeights        *weights)
{
  /* Layers without a map have a tensor of that name, too. */
  const gboolean fused = !stack->has_delta && has_part (weights, stack->layer, "attn_qkv.weight");

  names->fused = fused ? "attn_qkv" : NULL;
  names->query = fused ? NULL : "attn_q";
  names->key = fused ? NULL : "attn_k";
  names->value = fused ? NULL : "attn_v";
  names->output = has_part (weights, stack->layer, "attn_out.weight") ? "attn_out" : stack->output;
  rename (&names->query_norm, "attn_q_norm");
  rename (&names->key_norm, "attn_k_norm");
  rename (&names->sinks, has_part (weights, stack->layer, "attn_sinks") ? "attn_sinks" : "attn_sinks.weight");
  rename (&names->before, has_part (weights, stack->layer, "attn_norm_2.weight") ? "attn_norm_2" : "attn_norm");
  rename (&names->inner, "post_attention_norm");
  rename (&names->after, "attn_output_norm");
}

static void
name_cross (HlAttentionNames *names)
{
  rename (&names->query, "cross_attn_q");
  rename (&names->key, "cross_attn_k");
  rename (&names->value, "cross_attn_v");
  rename (&names->output, "cross_attn_o");
  rename (&names->before, "cross_attn_norm");
}

static void
name_feed_forward (HlFeedForwardNames *names,
                   const StackNames   *stack,
                   HlWeights          *weights)
{
  names->gate = has_somewhere (weights, stack, "ffn_gate.weight") ? "ffn_gate" : NULL;
  names->in = "ffn_up";
  rename (&names->plain, "ffn_up");
  names->out = "ffn_down";
  /* Where there are two norms of what goes into a layer, that of the feed-forward has the usual name. */
  if (has_part (weights, stack->layer, "attn_norm_2.weight"))
    names->before = "attn_norm";
  else if (!has_part (weights, stack->layer, "ffn_norm.weight") &&
           has_part (weights, stack->layer, "post_attention_norm.weight"))
    rename (&names->before, "post_attention_norm");
  else
    rename (&names->before, names->before != NULL && g_str_has_suffix (names->before, "|") ? "ffn_norm|" : "ffn_norm");
  rename (&names->inner, "post_ffw_norm");
  rename (&names->after, "layer_output_norm");
}

/* Experts, of a family that has them, or of files whose architecture may have them as well. Older files have a tensor for each. */
static void
name_experts (HlExpertNames    *names,
              const StackNames *stack,
              HlWeights        *weights)
{
  const gboolean apart = has_part (weights, stack->layer, "ffn_gate.0.weight");
  const gboolean fused = has_somewhere (weights, stack, "ffn_gate_up_exps.weight");

  names->router = "ffn_gate_inp";
  rename (&names->correction, "exp_probs_b.bias");
  names->gate = apart ? "ffn_gate.%u" : fused ? NULL : "ffn_gate_exps";
  names->in = apart ? "ffn_up.%u" : fused ? "ffn_gate_up_exps" : "ffn_up_exps";
  names->out = apart ? "ffn_down.%u" : "ffn_down_exps";
  names->all_in = names->all_out = NULL;
  rename (&names->shared.gate, "ffn_gate_shexp");
  rename (&names->shared.in, "ffn_up_shexp");
  rename (&names->shared.out, "ffn_down_shexp");
  rename (&names->shared_gate, "ffn_gate_inp_shexp");
}

/* Newer files keep what makes the keys of a head apart from what makes its values. */
static void
name_latent (HlLatentNames    *names,
             const StackNames *stack,
             HlWeights        *weights)
{
  const gboolean apart = has_part (weights, stack->layer, "attn_k_b.weight");

  names->query = "attn_q";
  names->query_down = "attn_q_a";
  names->query_norm = "attn_q_a_norm";
  names->query_up = "attn_q_b";
  names->key_down = "attn_kv_a_mqa";
  names->key_norm = "attn_kv_a_norm";
  names->key_up = apart ? NULL : "attn_kv_b";
  names->head_keys = apart ? "attn_k_b" : NULL;
  names->head_values = apart ? "attn_v_b" : NULL;
}

static void
name_inputs (HlInputNames *names)
{
  rename (&names->words, "per_layer_token_embd");
  rename (&names->projection, "per_layer_model_proj");
  rename (&names->norm, "per_layer_proj_norm");
  rename (&names->gate, "inp_gate");
  rename (&names->out, "proj");
  rename (&names->after, "post_norm");
}

static void
name_stack (HlStackNames     *names,
            const StackNames *stack,
            HlWeights        *weights)
{
  names->words = words;
  rename (&names->positions, "position_embd");
  rename (&names->segments, "token_types");
  rename (&names->embedding_norm, "token_embd_norm");
  names->layer = stack->layer;
  name_attention (&names->attention, stack, weights);
  if (names->latent.key_down != NULL)
    name_latent (&names->latent, stack, weights);
  if (stack->has_delta)
    names->delta = delta;
  name_feed_forward (&names->feed_forward, stack, weights);
  if (names->experts.router != NULL || has_part (weights, stack->layer, "ffn_gate_inp.weight"))
    name_experts (&names->experts, stack, weights);
  name_inputs (&names->inputs);
  rename (&names->factor, "layer_output_scale.weight");
  rename (&names->relative_bias, stack->relative_bias);
  rename (&names->final_norm, stack->final_norm);
}

/* Makes a copy of a family's row for the tensors of a file; free with g_free(). */
HlFamily *
hl_gguf_names_apply (const HlFamily           *family,
                     const HlGgufArchitecture *architecture,
                     HlWeights                *weights,
                     guint                     n_layers)
{
  HlFamily *self = g_memdup2 (family, sizeof *family);
  const gboolean two = family->decoder.layer != NULL;
  StackNames own = two ? encoder_stack : only_stack, second = decoder_stack;
  const StackNames *first = &own;

  own.n_layers = second.n_layers = n_layers;
  own.has_delta = family->stack.delta.mixed != NULL;

  /* UMT5 has distances of its own in every layer. */
  if (hl_weights_has (weights, "enc.blk.1.attn_rel_b.weight"))
    own.relative_bias = "enc.blk.%u.attn_rel_b";
  if (hl_weights_has (weights, "dec.blk.1.attn_rel_b.weight"))
    second.relative_bias = "dec.blk.%u.attn_rel_b";
  self->prefixes = prefixes;
  name_stack (&self->stack, first, weights);
  if (two)
    {
      name_stack (&self->decoder, &second, weights);
      name_cross (&self->decoder.cross);
    }
  self->head.rows = rows;
  self->head.tied = (HlSwitch){ NULL, TRUE };
  if (self->head.bias != NULL)
    self->head.bias = row_bias;
  self->head.bias_needed = (HlSwitch){ NULL, FALSE };

  const gboolean fused = self->stack.attention.fused != NULL;
  self->qkv_bias = (HlSwitch){ NULL, has_somewhere (weights, first, fused ? "attn_qkv.bias" : "attn_q.bias") };
  self->output_bias = (HlSwitch){ NULL, has_somewhere (weights, first, "attn_output.bias") ||
                                          has_somewhere (weights, first, "attn_out.bias") };
  self->feed_forward_bias = (HlSwitch){ NULL, has_part (weights, first->layer, "ffn_up.bias") };
  self->norm_bias = (HlSwitch){ NULL, has_part (weights, first->layer, "attn_norm.bias") ||
                                        has_part (weights, first->layer, "attn_output_norm.bias") };
  if (!family->head_norm_bare)
    self->head_norm = (HlSwitch){ NULL, has_somewhere (weights, first, "attn_q_norm.weight") };
  /* Files give the heads of keys that there are. */
  self->one_key_head = (HlSwitch){ NULL, FALSE };
  self->permuted = architecture->permuted && !fused;
  self->stack.delta.tiled = architecture->tiled;
  /* What is called LLaMA and has experts is Mixtral. */
  if (family->stack.experts.router == NULL)
    self->routing = HL_ROUTING_SOFTMAX_OF_CHOSEN;
  self->shares_renormalised.fallback = architecture->renormalised;
  self->experts_transposed = FALSE;
  /* Whoever writes such files has done these already. */
  self->fused_order = HL_FUSED_IN_TURN;
  self->plus_one = FALSE;
  self->transposed = FALSE;
  return self;
}
