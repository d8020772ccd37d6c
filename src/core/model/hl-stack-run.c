/* SPDX-License-Identifier: MIT */
/* The forward pass: layer by layer, handing out queries, keys and values as soon as they are there. What no attention depends on, the
 * feed-forward of the last layer and what follows, is not computed. */
#include "core/model/hl-stack-run.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/base/hl-error.h"
#include "core/base/hl-kernel.h"
#include "core/compute/hl-attend.h"
#include "core/model/hl-stack-embed.h"
#include "core/model/hl-stack-rule.h"
#include "core/model/hl-stack-project.h"

/* What a pass takes may be this part of the machine's memory. */
#define MEMORY_SHARE 2

/* Keys and values of a layer that others use, of all streams. */
typedef struct
{
  float *keys;
  float *values;
} SharedKeys;

/* The numbers of one pass. */
typedef struct
{
  const HlStack *stack;
  const HlStackRun *run;
  HlStackRows rows;
  float *x;        /* [rows, width]: what goes from layer to layer */
  float *normed;   /* [rows, width] */
  float *result;   /* [rows, width]: of a sublayer */
  float *second;   /* [rows, width]: of the feed-forward, beside attention */
  float *wide;     /* the products within a sublayer */
  float *attended; /* [rows, heads · value size] */
  float *queries;  /* of each stream [heads, n, head size] */
  float *keys;
  float *values;
  HlScratch scratch;
  HlScratch room;     /* of experts, and of what queries and keys are made of */
  SharedKeys *shared; /* nullable: [n_layers], without those that no other uses */
  float *inputs;      /* nullable: [n_tokens, n_layers, size], the embeddings that layers have of their own */
  double n_bytes;     /* that all of this takes */
} Pass;

/* Whether all numbers are finite. */
HL_KERNEL static gboolean
are_finite (const float *numbers,
            gsize        n)
{
  float sum = 0;

#pragma omp simd reduction(+ : sum)
  for (gsize i = 0; i < n; i++)
    sum += numbers[i] * 0.0f; /* 0, or NaN for NaN and infinity */
  return sum == 0;
}

/* Those of one stream, from those of the first. */
static HlLayerProjections
get_projections (const Pass               *self,
                 const HlLayerProjections *first,
                 gsize                     index)
{
  const HlStack *stack = self->stack;
  const gboolean cross = first->attention == HL_ATTENTION_CROSS;
  const HlStackStream stream = hl_stack_rows_get_stream (&self->rows, index);
  const gsize first_key = (cross ? stream.first_memory : stream.first) * first->n_key_heads;
  HlLayerProjections projections = *first;

  projections.text = self->run->lengths != NULL ? (guint) index : 0;
  projections.n_queries = stream.n;
  projections.n_keys = cross ? stream.n_memory : stream.n;
  projections.queries += stream.first * first->n_heads * first->head_size;
  projections.keys += first_key * first->head_size;
  projections.values += first_key * first->value_size;
  projections.inputs += stream.first * stack->width;
  projections.stream += stream.first * stack->width;
  projections.rule = hl_stack_get_rule (stack, first->layer, cross, stream.bias, stream.n_distances);
  projections.rule.distances = stream.distances;
  return projections;
}

/* Tells of every text. */
static void
tell_layer (const Pass               *self,
            const HlLayerProjections *first)
{
  if (self->run->func == NULL || self->rows.n_streams != self->rows.n_texts)
    return;
  for (gsize i = 0; i < self->rows.n_texts; i++)
    {
      const HlLayerProjections projections = get_projections (self, first, i);
      if (projections.n_queries > 0)
        self->run->func (&projections, self->run->data);
    }
}

static void
attend_stream (const Pass               *self,
               const HlLayerProjections *first,
               gsize                     index,
               HlScratch                *scratch)
{
  const HlLayerProjections own = get_projections (self, first, index);
  const gsize size = own.n_heads * own.value_size;

  if (own.n_queries > 0)
    hl_attend_output (&own.rule, own.n_heads, own.n_key_heads, own.n_queries, own.n_keys, own.head_size, own.value_size,
                      own.queries, own.keys, own.values,
                      self->attended + hl_stack_rows_get_stream (&self->rows, index).first * size, scratch);
}

/* What the heads of all streams give. */
static void
attend_streams (Pass                     *self,
                const HlLayerProjections *first)
{
  if (self->rows.n_streams == 1)
    {
      attend_stream (self, first, 0, &self->scratch);
      return;
    }
    /* A stream a thread: short texts are not worth waking threads for each. */
#pragma omp parallel
  {
    g_auto (HlScratch) scratch = { 0 };

#pragma omp for schedule(dynamic)
    for (gsize i = 0; i < self->rows.n_streams; i++)
      attend_stream (self, first, i, &scratch);
  }
}

/* Puts keys and values of the new tokens, or those of the encoder's, to what is kept. */
static void
keep (Pass                     *self,
      const HlLayerProjections *projections,
      gboolean                  has_keys)
{
  HlPast *past = self->run->past;

  if (projections->attention != HL_ATTENTION_CROSS)
    hl_past_append (past, projections->layer, self->rows.n_tokens, projections->keys, projections->values);
  else if (!has_keys)
    hl_past_take_memory (past, projections->layer, projections->n_keys, projections->keys, projections->values);
}

/* What the heads give that ask keys that are kept. */
static void
attend_past (Pass                     *self,
             const HlLayerProjections *projections)
{
  const HlPast *past = self->run->past;
  const HlKeptKeys kept =
    projections->attention == HL_ATTENTION_CROSS
      ? hl_past_get_memory (past, projections->layer)
      : hl_past_get_kept (past, self->stack->shapes[projections->layer].source, self->rows.n_tokens);

  hl_attend_step (&projections->rule, projections->n_heads, self->rows.n_tokens, projections->head_size,
                  projections->value_size, projections->queries, &kept, self->attended, &self->scratch);
}

/* Gives a head another output than its own. */
static void
edit_head (const HlLayerProjections *projections,
           const HlHeadEdit         *edit,
           float                    *attended)
{
  const gsize size = projections->value_size, stride = projections->n_heads * size;
  const guint key_head = edit->head / (projections->n_heads / projections->n_key_heads);
  const float *own = projections->values + key_head * projections->n_keys * size;

  for (gsize i = 0; i < projections->n_queries; i++)
    {
      float *row = attended + i * stride + edit->head * size;
      gsize first = 0, end = 0;

      memset (row, 0, size * sizeof (float));
      if (edit->kind == HL_HEAD_UNIFORM)
        hl_mask_get_visible (&projections->rule.mask, projections->n_queries, projections->n_keys, i, &first, &end);
      for (gsize key = first; key < end; key++)
        for (gsize k = 0; k < size; k++)
          row[k] += own[key * size + k];
      for (gsize k = 0; first < end && k < size; k++)
        row[k] /= (float) (end - first);
    }
}

/* Repeats what there is of one stream for all that it parts into. */
static void
repeat (float *rows,
        gsize  size,
        gsize  n_streams)
{
  for (gsize i = 1; i < n_streams; i++)
    memcpy (rows + i * size, rows, size * sizeof (float));
}

/* Those of keys and values that later layers use, too. */
static void
repeat_shared (Pass *self,
               guint layer,
               gsize n_streams)
{
  const HlLayerShape *shape = &self->stack->shapes[layer];
  const gsize n = self->rows.n_tokens * shape->n_key_heads;

  if (self->shared[layer].keys == NULL)
    return;
  repeat (self->shared[layer].keys, n * shape->head_size, n_streams);
  repeat (self->shared[layer].values, n * shape->value_size, n_streams);
}

/* Makes the edits that are of this attention, after which each may have its own stream. */
static void
edit_heads (Pass                     *self,
            const HlLayerProjections *projections)
{
  const HlStackRun *run = self->run;
  const HlStack *stack = self->stack;
  const gsize attended_size = self->rows.n_tokens * projections->n_heads * projections->value_size;

  if (run->apart && run->edits[0].attention == projections->attention && run->edits[0].layer == projections->layer)
    {
      repeat (self->x, self->rows.n_tokens * stack->width, run->n_edits);
      repeat (self->normed, self->rows.n_tokens * stack->width, run->n_edits);
      repeat (self->attended, attended_size, run->n_edits);
      for (guint layer = 0; self->shared != NULL && layer <= projections->layer; layer++)
        repeat_shared (self, layer, run->n_edits);
      hl_stack_rows_set_n_streams (&self->rows, run->n_edits);
      for (gsize i = 0; i < run->n_edits; i++)
        edit_head (projections, &run->edits[i], self->attended + i * attended_size);
      return;
    }
  for (gsize i = 0; !run->apart && i < run->n_edits; i++)
    if (run->edits[i].attention == projections->attention && run->edits[i].layer == projections->layer)
      for (gsize j = 0; j < self->rows.n_streams; j++)
        {
          const HlLayerProjections own = get_projections (self, projections, j);
          edit_head (&own, &run->edits[i], self->attended + j * attended_size);
        }
}

static void
tell_sublayer (Pass        *self,
               HlSublayer   sublayer,
               guint        layer,
               const float *result)
{
  const HlSublayerResult told = {
    .attention = self->run->attention,
    .sublayer = sublayer,
    .layer = layer,
    .n_streams = self->rows.n_streams,
    .n_tokens = self->rows.n_tokens,
    .width = self->stack->width,
    .before = self->x,
    .heads = sublayer == HL_SUBLAYER_ATTENTION || sublayer == HL_SUBLAYER_CROSS ? self->attended : NULL,
    .result = result,
  };

  if (self->run->sublayer_func != NULL)
    self->run->sublayer_func (&told, self->run->data);
}

static void
tell_stream (Pass    *self,
             guint    n_layers,
             gboolean final)
{
  const HlStream stream = {
    .attention = self->run->attention,
    .n_layers = n_layers,
    .final = final,
    .n_streams = self->rows.n_streams,
    .n_tokens = self->rows.n_tokens,
    .width = self->stack->width,
    .states = self->x,
  };

  if (self->run->stream_func != NULL)
    self->run->stream_func (&stream, self->run->data);
}

/* Some models add less than all of what a sublayer comes to, or of each feature another part. */
static void
scale_result (const Pass  *self,
              const float *scales,
              float       *result)
{
  const gsize width = self->stack->width;
  const float scale = self->stack->residual_scale;

  for (gsize i = 0; scale != 1 && i < self->rows.n_rows * width; i++)
    result[i] *= scale;
  for (gsize i = 0; scales != NULL && i < self->rows.n_rows; i++)
    for (gsize k = 0; k < width; k++)
      result[i * width + k] *= scales[k];
}

/* What heads give is multiplied by σ of their gates. Streams that parted have the same. */
static void
gate_heads (Pass                      *self,
            const HlAttentionSublayer *attention,
            const HlLayerShape        *shape,
            gsize                      n_projected)
{
  const gsize all = hl_layer_shape_get_products (shape), size = shape->value_size;

#pragma omp parallel for if (self->rows.n_rows * shape->n_heads * size >= 8192)
  for (gsize i = 0; i < self->rows.n_rows; i++)
    for (guint head = 0; head < shape->n_heads; head++)
      {
        const gsize first = head * 2 * size + size;
        const float *gates = self->wide + i % n_projected * all + first;
        const float *bias = attention->bias != NULL ? attention->bias + first : NULL;
        float *row = self->attended + (i * shape->n_heads + head) * size;

        for (gsize k = 0; k < size; k++)
          row[k] /= 1 + expf (-(gates[k] + (bias != NULL ? bias[k] : 0)));
      }
}

/* One attention sublayer up to its result, which has no bias yet; or up to its projections only. */
static gboolean
attend (Pass                      *self,
        const HlAttentionSublayer *attention,
        guint                      layer,
        gboolean                   cross,
        gboolean                   projections_only,
        const float               *input,
        GError                   **error)
{
  const HlStack *stack = self->stack;
  const HlStackRun *run = self->run;
  const HlLayerShape *shape = &stack->shapes[layer];
  HlLayerProjections projections = {
    .attention = cross ? HL_ATTENTION_CROSS : run->attention,
    .layer = layer,
    .n_heads = shape->n_heads,
    .n_key_heads = shape->n_key_heads,
    .n_queries = self->rows.n_tokens,
    .n_keys = cross ? run->n_memory : self->rows.n_tokens,
    .head_size = shape->head_size,
    .value_size = shape->value_size,
    .queries = self->queries,
    .keys = self->keys,
    .values = self->values,
    .inputs = input,
    .stream = self->x,
    .width = stack->width,
    .rule = hl_stack_get_rule (stack, layer, cross, self->rows.texts[0].bias, self->rows.texts[0].n_distances),
  };

  const HlStackHeads heads = { self->wide, self->queries, self->keys, self->values, &self->scratch, &self->room };
  const gsize n_key_rows = cross ? hl_stack_rows_get_n_memory (&self->rows) : self->rows.n_rows;
  const gboolean has_keys = cross && run->past != NULL && hl_past_has_memory (run->past, layer);

  const SharedKeys *shared = !cross && self->shared != NULL ? &self->shared[shape->source] : NULL;
  if (shape->borrows && !cross)
    {
      projections.keys = shared->keys;
      projections.values = shared->values;
    }
  if (has_keys)
    {
      const HlKeptKeys kept = hl_past_get_memory (run->past, layer);
      projections.keys = kept.keys;
      projections.values = kept.values;
    }
  hl_stack_project (stack, &self->rows, attention, shape, input, cross ? run->memory : NULL, has_keys || shape->borrows,
                    &heads);
  if (shared != NULL && shared->keys != NULL && !shape->borrows)
    {
      memcpy (shared->keys, self->keys, n_key_rows * shape->n_key_heads * shape->head_size * sizeof (float));
      memcpy (shared->values, self->values, n_key_rows * shape->n_key_heads * shape->value_size * sizeof (float));
    }
  if (stack->distances != NULL)
    hl_stack_project_distances (stack, &self->rows, attention, shape, &self->scratch);
  if (!hl_weights_check (run->weights, error))
    return FALSE;
  if (!are_finite (self->queries, self->rows.n_rows * shape->n_heads * shape->head_size) ||
      !are_finite (projections.keys, n_key_rows * shape->n_key_heads * shape->head_size))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("queries or keys of layer %u are NaN or infinite"), layer);
      return FALSE;
    }
  tell_layer (self, &projections);
  if (run->past != NULL && !shape->borrows)
    keep (self, &projections, has_keys);
  if (projections_only)
    return TRUE;
  if (run->past != NULL && (has_keys || (!cross && hl_past_get_n (run->past) > 0)))
    attend_past (self, &projections);
  else
    attend_streams (self, &projections);
  const gsize n_projected = self->rows.n_rows;
  if (run->n_edits > 0)
    edit_heads (self, &projections);
  if (shape->gated)
    gate_heads (self, attention, shape, n_projected);
  hl_linear_apply (&attention->output, self->rows.n_rows, self->attended, shape->n_heads * shape->value_size,
                   self->result, stack->width, &self->scratch);
  scale_result (self, attention->scale, self->result);
  tell_sublayer (self, cross ? HL_SUBLAYER_CROSS : HL_SUBLAYER_ATTENTION, layer, self->result);
  return TRUE;
}

static void
feed_forward (Pass          *self,
              const HlLayer *layer,
              const float   *input,
              float         *result)
{
  if (layer->experts != NULL)
    hl_experts_apply (layer->experts, self->rows.n_rows, input, result, &self->room, &self->scratch);
  else
    hl_feed_forward_multiply (&layer->feed_forward, self->rows.n_rows, input, self->wide, result, &self->scratch);
  scale_result (self, layer->feed_forward.scale, result);
}

/* The input of a sublayer: normed if it has a norm before. */
static const float *
norm_before (Pass         *self,
             const HlNorm *norm,
             float        *target)
{
  const gsize width = self->stack->width;

  if (norm->weight == NULL)
    return self->x;
  hl_norm_apply (norm, self->rows.n_rows, width, self->x, width, target, width);
  return target;
}

/* Adds a sublayer's result to what goes on. A norm of the result is of all of it, so that its bias comes first. */
static void
add_result (Pass         *self,
            float        *result,
            const float  *bias,
            const HlNorm *inner,
            const HlNorm *after)
{
  const gsize width = self->stack->width;

  if (inner->weight != NULL)
    {
      for (gsize i = 0; bias != NULL && i < self->rows.n_rows; i++)
        for (gsize k = 0; k < width; k++)
          result[i * width + k] += bias[k];
      hl_norm_apply (inner, self->rows.n_rows, width, result, width, result, width);
      bias = NULL;
    }
  hl_norm_add_apply (after, self->rows.n_rows, width, result, bias, self->x);
}

/* What takes the place of attention up to its result. It is told of as a layer without heads. */
static gboolean
mix (Pass             *self,
     const HlDeltaNet *net,
     guint             layer,
     gboolean          last,
     const float      *input,
     GError          **error)
{
  const HlStack *stack = self->stack;
  const HlStackRun *run = self->run;
  const HlLinear *output = hl_delta_net_get_output (net);
  const gsize n_products = hl_delta_net_get_products (net), width = hl_delta_net_get_width (net);
  const HlLayerProjections projections = {
    .attention = run->attention,
    .layer = layer,
    .n_queries = self->rows.n_tokens,
    .n_keys = self->rows.n_tokens,
    .head_size = stack->shapes[layer].head_size,
    .value_size = stack->shapes[layer].value_size,
    .queries = self->queries,
    .keys = self->keys,
    .values = self->values,
    .inputs = input,
    .stream = self->x,
    .width = stack->width,
    .rule = hl_stack_get_rule (stack, layer, FALSE, NULL, 0),
  };

  if (!hl_weights_check (run->weights, error))
    return FALSE;
  tell_layer (self, &projections);
  if (last && run->past == NULL)
    return TRUE;
  hl_delta_net_project (net, self->rows.n_rows, input, self->wide, &self->scratch);
  if (!hl_weights_check (run->weights, error))
    return FALSE;
  for (gsize i = 0; i < self->rows.n_streams; i++)
    {
      const HlStackStream stream = hl_stack_rows_get_stream (&self->rows, i);
      g_autoptr (HlDeltaState) own = run->past == NULL ? hl_delta_state_new (net) : NULL;

      if (run->past == NULL && own == NULL)
        return hl_error_set_no_memory (error);
      hl_delta_net_run (net, own != NULL ? own : hl_past_begin_state (run->past, layer), stream.n,
                        self->wide + stream.first * n_products, self->attended + stream.first * width);
    }
  hl_linear_apply (output, self->rows.n_rows, self->attended, width, self->result, stack->width, &self->scratch);
  tell_sublayer (self, HL_SUBLAYER_LINEAR, layer, self->result);
  return TRUE;
}

/* Adds to each stream what neighbours in @before, the rows that the layer got, give. Streams that parted meanwhile got the same. */
static void
convolve (Pass        *self,
          const float *before,
          gsize        n_before)
{
  const gsize width = self->stack->width;

  for (gsize i = 0; i < self->rows.n_streams; i++)
    {
      const HlStackStream stream = hl_stack_rows_get_stream (&self->rows, i);

      if (stream.n > 0)
        hl_convolution_apply (self->stack->convolution, stream.n, before + stream.first % n_before * width,
                              self->x + stream.first * width, &self->scratch);
    }
}

/* What some models do to all that leaves a layer. */
static void
finish_layer (Pass          *self,
              const HlLayer *layer,
              guint          number)
{
  const HlStack *stack = self->stack;
  const HlNorm none = { 0 };

  if (layer->input.gate.tensor != NULL)
    {
      hl_layer_input_apply (&layer->input, stack->activation, self->rows.n_rows, self->x,
                            self->inputs + number * stack->inputs.size, self->rows.n_tokens,
                            stack->n_layers * stack->inputs.size, self->wide, self->result, &self->scratch);
      tell_sublayer (self, HL_SUBLAYER_INPUT, number, self->result);
      add_result (self, self->result, NULL, &layer->input.norm, &none);
    }
  for (gsize i = 0; layer->factor != 1 && i < self->rows.n_rows * stack->width; i++)
    self->x[i] *= layer->factor;
}

static gboolean
run_layer (Pass    *self,
           guint    number,
           gboolean last,
           GError **error)
{
  const HlStack *stack = self->stack;
  const HlLayer *layer = hl_stack_get_layer (stack, number);
  const HlAttentionSublayer *attention = &layer->attention;
  const HlFeedForward *forward = &layer->feed_forward;
  const float *input = norm_before (self, &attention->before, self->normed);
  const gboolean convolves = stack->convolution != NULL && number == 0;
  const gsize n_before = self->rows.n_rows;
  g_autofree float *before = convolves ? g_memdup2 (self->x, n_before * stack->width * sizeof (float)) : NULL;

  if (layer->delta != NULL ? !mix (self, layer->delta, number, last, input, error)
                           : !attend (self, attention, number, FALSE, last && !stack->has_cross, input, error))
    return FALSE;
  if (last && !stack->has_cross)
    return TRUE;
  if (stack->parallel)
    {
      /* Both get what came in; without a norm of its own, the feed-forward takes that of attention. */
      if (forward->before.weight != NULL)
        input = norm_before (self, &forward->before, self->normed);
      feed_forward (self, layer, input, self->second);
      tell_sublayer (self, HL_SUBLAYER_FEED_FORWARD, number, self->second);
      hl_norm_add_apply (NULL, self->rows.n_rows, stack->width, self->result, attention->output.bias, self->x);
      hl_norm_add_apply (NULL, self->rows.n_rows, stack->width, self->second, forward->out.bias, self->x);
      return TRUE;
    }
  add_result (self, self->result, attention->output.bias, &attention->inner, &attention->after);
  if (stack->has_cross)
    {
      input = norm_before (self, &layer->cross.before, self->normed);
      if (!attend (self, &layer->cross, number, TRUE, last, input, error))
        return FALSE;
      if (last)
        return TRUE;
      add_result (self, self->result, layer->cross.output.bias, &layer->cross.inner, &layer->cross.after);
    }
  input = norm_before (self, &forward->before, self->normed);
  feed_forward (self, layer, input, self->result);
  tell_sublayer (self, HL_SUBLAYER_FEED_FORWARD, number, self->result);
  add_result (self, self->result, forward->out.bias, &forward->inner, &forward->after);
  if (convolves)
    convolve (self, before, n_before);
  finish_layer (self, layer, number);
  return TRUE;
}

/* The most that any layer needs of each, for a token. */
typedef struct
{
  gsize products;
  gsize attended;
  gsize queries;
  gsize keys;
  gsize values;
  gsize inner;
  gsize room;
} Widths;

static Widths
measure_layers (const HlStack *stack)
{
  Widths widths = { 0 };

  for (guint layer = 0; layer < stack->n_run_layers; layer++)
    {
      const HlLayerShape *shape = &stack->shapes[layer];

      widths.products = MAX (widths.products, hl_layer_shape_get_products (shape));
      widths.inner = MAX (widths.inner, (stack->gated ? 2 : 1) * shape->inner_width);
      widths.inner = MAX (widths.inner, stack->inputs.size);
      widths.attended = MAX (widths.attended, shape->n_heads * shape->value_size);
      widths.queries = MAX (widths.queries, shape->n_heads * shape->head_size);
      widths.keys = MAX (widths.keys, shape->n_key_heads * shape->head_size);
      widths.values = MAX (widths.values, shape->n_key_heads * shape->value_size);
      const HlLayer *weights = hl_stack_get_layer (stack, layer);
      if (weights->delta != NULL)
        {
          widths.products = MAX (widths.products, hl_delta_net_get_products (weights->delta));
          widths.attended = MAX (widths.attended, hl_delta_net_get_width (weights->delta));
          widths.room = MAX (widths.room, hl_delta_net_get_products (weights->delta));
        }
      if (weights->attention.latent != NULL)
        widths.room = MAX (widths.room, hl_latent_get_room (weights->attention.latent, shape));
      if (weights->experts != NULL)
        widths.room = MAX (widths.room, hl_experts_get_room (weights->experts));
    }
  if (stack->convolution != NULL)
    widths.room = MAX (widths.room, stack->width);
  return widths;
}

/* Counts what is taken. More than may be is never asked for: the system may promise memory that is not there. */
static gboolean
count (Pass  *self,
       double n_bytes)
{
  const double budget = (double) sysconf (_SC_PHYS_PAGES) * (double) sysconf (_SC_PAGESIZE) / MEMORY_SHARE;

  self->n_bytes += n_bytes;
  return self->n_bytes <= budget;
}

/* Room for rows; whether there was is said to the last who takes some. */
static float *
take (Pass     *self,
      gsize     n_rows,
      gsize     size,
      gboolean *done)
{
  *done = *done && count (self, (double) n_rows * (double) size * sizeof (float));
  float *rows = *done ? g_try_new (float, MAX (n_rows * size, 1)) : NULL;
  *done = rows != NULL;
  return rows;
}

static gboolean
pass_init (Pass             *self,
           const HlStack    *stack,
           const HlStackRun *run,
           GError          **error)
{
  const gsize n_streams = run->apart ? MAX (run->n_edits, 1) : MAX (run->n_streams, 1);
  const gsize n_rows = run->lengths != NULL ? run->n_tokens : n_streams * run->n_tokens;
  const gsize n_distances = 2 * run->n_tokens + hl_past_get_n (run->past);
  const Widths widths = measure_layers (stack);
  gboolean done;

  *self = (Pass){ .stack = stack, .run = run };
  if (!count (self,
              hl_stack_measure_bias (stack, n_distances) + (double) n_rows * (double) widths.room * sizeof (float)))
    return hl_error_set_no_memory (error);
  if (!hl_stack_rows_init (&self->rows, stack, run, error))
    return FALSE;
  const gsize n_key_rows = MAX (n_rows, hl_stack_rows_get_n_memory (&self->rows));
  done = TRUE;
  self->x = take (self, n_rows, stack->width, &done);
  self->normed = take (self, n_rows, stack->width, &done);
  self->result = take (self, n_rows, stack->width, &done);
  if (stack->parallel)
    self->second = take (self, n_rows, stack->width, &done);
  self->wide = take (self, 1, MAX (n_key_rows * widths.products, n_rows * widths.inner), &done);
  self->attended = take (self, n_rows, widths.attended, &done);
  self->queries = take (self, n_rows, widths.queries, &done);
  self->keys = take (self, n_key_rows, widths.keys, &done);
  self->values = take (self, n_key_rows, widths.values, &done);
  if (stack->inputs.words != NULL)
    self->inputs = take (self, run->n_tokens, stack->n_layers * stack->inputs.size, &done);
  for (guint layer = 0; done && layer < stack->n_run_layers; layer++)
    {
      const HlLayerShape *shape = &stack->shapes[layer];

      if (!shape->borrows)
        continue;
      if (self->shared == NULL)
        self->shared = g_new0 (SharedKeys, stack->n_layers);
      SharedKeys *shared = &self->shared[shape->source];
      if (shared->keys != NULL)
        continue;
      shared->keys = take (self, n_key_rows, shape->n_key_heads * shape->head_size, &done);
      shared->values = take (self, n_key_rows, shape->n_key_heads * shape->value_size, &done);
    }
  return done || hl_error_set_no_memory (error);
}

static void
pass_clear (Pass *self)
{
  hl_stack_rows_clear (&self->rows);
  g_free (self->x);
  g_free (self->normed);
  g_free (self->result);
  g_free (self->second);
  g_free (self->wide);
  g_free (self->attended);
  g_free (self->queries);
  g_free (self->keys);
  g_free (self->values);
  g_free (self->inputs);
  for (guint layer = 0; self->shared != NULL && layer < self->stack->n_layers; layer++)
    {
      g_free (self->shared[layer].keys);
      g_free (self->shared[layer].values);
    }
  g_free (self->shared);
  hl_scratch_clear (&self->scratch);
  hl_scratch_clear (&self->room);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pass, pass_clear)

static gboolean
embed_texts (Pass    *self,
             GError **error)
{
  for (gsize i = 0; i < self->rows.n_texts; i++)
    {
      const HlStackStream *text = &self->rows.texts[i];
      HlStackRun run = *self->run;

      run.ids += text->first;
      run.segments = run.segments != NULL ? run.segments + text->first : NULL;
      run.n_tokens = text->n;
      if ((text->n > 0 || self->rows.n_texts == 1) &&
          !hl_stack_embed (self->stack, &run, self->x + text->first * self->stack->width, error))
        return FALSE;
    }
  return TRUE;
}

/* The stream that the first layer gets. */
static gboolean
begin (Pass    *self,
       GError **error)
{
  const gsize size = self->rows.n_tokens * self->stack->width;

  if (self->run->start != NULL)
    {
      memcpy (self->x, self->run->start, self->rows.n_streams * size * sizeof (float));
      return TRUE;
    }
  if (!embed_texts (self, error))
    return FALSE;
  if (self->run->lengths == NULL)
    repeat (self->x, size, self->rows.n_streams);
  return TRUE;
}

/* Returns whether all layers are done. @output is what leaves the stack, [streams, n_tokens, width]; free with g_free(). */
gboolean
hl_stack_run (const HlStack    *self,
              const HlStackRun *run,
              float           **output,
              GCancellable     *cancellable,
              GError          **error)
{
  const gboolean whole = output != NULL || run->stream_func != NULL || run->sublayer_func != NULL;
  g_auto (Pass) pass = { 0 };

  g_return_val_if_fail (!run->apart || (run->n_edits > 0 && run->n_streams <= 1), FALSE);
  g_return_val_if_fail (run->lengths == NULL ||
                          (run->n_streams > 0 && run->stream_func == NULL && run->sublayer_func == NULL &&
                           run->n_edits == 0 && run->past == NULL && run->start == NULL),
                        FALSE);
  g_return_val_if_fail (run->past == NULL || (run->n_streams <= 1 && run->n_edits == 0 && run->start == NULL), FALSE);

  if (run->past != NULL && !hl_past_reserve (run->past, run->n_tokens, error))
    return FALSE;
  if (self->patches != NULL && !hl_stack_check_run (self, run, error))
    return FALSE;

  if (!pass_init (&pass, self, run, error) || !begin (&pass, error) ||
      (pass.inputs != NULL &&
       !hl_layer_inputs_make (&self->inputs, self->n_layers, run->n_tokens, run->ids, pass.x, pass.inputs, error)))
    return FALSE;
  tell_stream (&pass, run->first_layer, FALSE);
  for (guint layer = run->first_layer; layer < self->n_run_layers; layer++)
    {
      const double done = (double) (layer - run->first_layer) / (self->n_run_layers - run->first_layer);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      hl_progress_set (run->progress, run->progress_begin + done * (run->progress_end - run->progress_begin),
                       _ ("Computing attention"));
      if (!run_layer (&pass, layer, layer + 1 == self->n_run_layers && !whole, error))
        return FALSE;
      tell_stream (&pass, layer + 1, FALSE);
    }
  if (run->past != NULL)
    hl_past_finish (run->past, run->n_tokens);
  if (!whole)
    return TRUE;
  if (!hl_weights_check (run->weights, error))
    return FALSE;
  if (self->final_norm.weight != NULL)
    hl_norm_apply (&self->final_norm, pass.rows.n_rows, self->width, pass.x, self->width, pass.x, self->width);
  tell_stream (&pass, self->n_run_layers, TRUE);
  if (output != NULL)
    *output = g_steal_pointer (&pass.x);
  return TRUE;
}
