/* SPDX-License-Identifier: MIT */
/*
 * A logit as a sum. What sublayers add is linear in the logit once the scales of all norms behind them are known, so the direction that
 * counts is followed back from the logit, layer by layer: through a norm w · (x − mean) · f + b, with its f as it was in the pass, a
 * direction d becomes f · centre (d · w), and d · b is a bias.
 */
#include "core/experiment/hl-attribution.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"

/* A sublayer of the last stack, at the position. */
typedef struct
{
  HlSublayer sublayer;
  guint layer;
  float *before; /* [width] */
  float *result; /* [width] */
  float *heads;  /* [heads · value size]; NULL of a feed-forward */
} Kept;

typedef struct
{
  HlModel *model;
  const HlStack *stack;
  HlAttentionKind attention;
  gsize position;
  GArray *sublayers;
  float *embedding; /* [width] */
  float *stream;    /* [width], what leaves the last layer */
  float *state;     /* [width], behind the final norm */
  double *direction;
  double bias;
  GArray *items;
} Work;

static void
clear_kept (gpointer data)
{
  Kept *self = data;

  g_free (self->before);
  g_free (self->result);
  g_free (self->heads);
}

static void
work_clear (Work *self)
{
  g_clear_pointer (&self->sublayers, g_array_unref);
  g_clear_pointer (&self->items, g_array_unref);
  g_free (self->embedding);
  g_free (self->stream);
  g_free (self->state);
  g_free (self->direction);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static float *
dup_row (const float *rows,
         gsize        row,
         gsize        width)
{
  return g_memdup2 (rows + row * width, width * sizeof *rows);
}

static void
keep_stream (const HlStream *stream,
             gpointer        data)
{
  Work *self = data;

  if (stream->attention != self->attention)
    return;
  if (stream->n_layers == 0)
    self->embedding = dup_row (stream->states, self->position, stream->width);
  if (stream->n_layers == self->stack->n_layers && !stream->final)
    self->stream = dup_row (stream->states, self->position, stream->width);
  if (stream->final)
    self->state = dup_row (stream->states, self->position, stream->width);
}

static void
keep_result (const HlSublayerResult *result,
             gpointer                data)
{
  Work *self = data;

  if (result->attention != self->attention)
    return;
  const HlLayerShape *shape = &self->stack->shapes[result->layer];
  const gsize heads_width = shape->n_heads * shape->value_size;
  const Kept kept = {
    .sublayer = result->sublayer,
    .layer = result->layer,
    .before = dup_row (result->before, self->position, result->width),
    .result = dup_row (result->result, self->position, result->width),
    .heads = result->heads != NULL ? dup_row (result->heads, self->position, heads_width) : NULL,
  };
  g_array_append_val (self->sublayers, kept);
}

static double
multiply (const double *direction,
          const float  *row,
          gsize         n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += direction[i] * row[i];
  return sum;
}

/* 1 / √(var + ε) of what a norm was given. */
static double
get_factor (const HlNorm *norm,
            const double *row,
            gsize         n)
{
  double mean = 0, squares = 0;

  for (gsize i = 0; norm->centre && i < n; i++)
    mean += row[i] / (double) n;
  for (gsize i = 0; i < n; i++)
    squares += (row[i] - mean) * (row[i] - mean);
  return 1 / sqrt (squares / (double) n + norm->epsilon);
}

/* From behind a norm to before it; what its bias adds is taken. */
static void
go_back (Work         *self,
         const HlNorm *norm,
         const double *row,
         double       *direction)
{
  const gsize n = self->stack->width;
  double mean = 0;

  if (norm->weight == NULL)
    return;
  if (norm->bias != NULL)
    self->bias += multiply (direction, norm->bias, n);
  const double factor = get_factor (norm, row, n);
  for (gsize i = 0; i < n; i++)
    {
      direction[i] *= norm->weight[i] * factor;
      mean += direction[i] / (double) n;
    }
  for (gsize i = 0; norm->centre && i < n; i++)
    direction[i] -= mean;
}

static double *
widen (const float *row,
       gsize        n)
{
  double *wide = g_new (double, n);

  for (gsize i = 0; i < n; i++)
    wide[i] = row[i];
  return wide;
}

/* What a norm makes of a row. */
static void
apply_norm (const HlNorm *norm,
            double       *row,
            gsize         n)
{
  double mean = 0;

  if (norm->weight == NULL)
    return;
  const double factor = get_factor (norm, row, n);
  for (gsize i = 0; norm->centre && i < n; i++)
    mean += row[i] / (double) n;
  for (gsize i = 0; i < n; i++)
    row[i] = (row[i] - mean) * factor * norm->weight[i] + (norm->bias != NULL ? norm->bias[i] : 0);
}

static void
add_item (Work             *self,
          HlAttributionPart part,
          HlAttentionKind   attention,
          guint             layer,
          guint             head,
          double            value)
{
  const HlAttributionItem item = { part, attention, layer, head, value };
  HlAttributionItem *last = self->items->len > 0 ? &g_array_index (self->items, HlAttributionItem, self->items->len - 1)
                                                 : NULL;

  /* What a layer adds of its own embeddings counts as its feed-forward's. */
  if (last != NULL && part == HL_ATTRIBUTION_FEED_FORWARD && last->part == part && last->attention == attention &&
      last->layer == layer)
    last->value += value;
  else
    g_array_append_val (self->items, item);
}

/* z_h · W_O^h · direction of every head. Items are gathered from the end to the beginning. */
static gboolean
add_heads (Work         *self,
           const Kept   *kept,
           const double *direction,
           GError      **error)
{
  const HlLayerShape *shape = &self->stack->shapes[kept->layer];
  const gsize size = shape->value_size, width = self->stack->width;
  const HlAttentionKind attention = kept->sublayer == HL_SUBLAYER_CROSS ? HL_ATTENTION_CROSS : self->attention;
  g_autofree float *rows = g_new (float, size *width);
  g_autoptr (HlTensor) output = hl_model_open_output (self->model, attention, kept->layer);

  for (guint head = shape->n_heads; head-- > 0;)
    {
      const guint64 start[3] = { head, 0, 0 }, count[3] = { 1, size, width };
      double sum = 0;

      if (!hl_tensor_read_f32 (output, start, count, rows, NULL, error))
        return FALSE;
      for (gsize i = 0; i < size; i++)
        sum += kept->heads[head * size + i] * multiply (direction, rows + i * width, width);
      add_item (self, HL_ATTRIBUTION_HEAD, attention, kept->layer, head, sum);
    }
  return TRUE;
}

/* The weights of a sublayer that follow what it computes. */
typedef struct
{
  const HlNorm *inner;
  const HlNorm *after;
  const float *bias;
} Rest;

static Rest
get_rest (const HlStack *stack,
          const Kept    *kept)
{
  static const HlNorm none = { NULL };
  const HlLayer *layer = hl_stack_get_layer (stack, kept->layer);
  const HlAttentionSublayer *attention = kept->sublayer == HL_SUBLAYER_CROSS ? &layer->cross : &layer->attention;

  if (kept->sublayer == HL_SUBLAYER_INPUT)
    return (Rest){ &layer->input.norm, &none, NULL };
  if (kept->sublayer == HL_SUBLAYER_FEED_FORWARD)
    return (Rest){ &layer->feed_forward.inner, &layer->feed_forward.after, layer->feed_forward.out.bias };
  return (Rest){ &attention->inner, &attention->after, attention->output.bias };
}

static gboolean
add_sublayer (Work       *self,
              const Kept *kept,
              GError    **error)
{
  const gsize n = self->stack->width;
  const Rest rest = get_rest (self->stack, kept);
  g_autofree double *result = widen (kept->result, n);

  for (gsize i = 0; rest.bias != NULL && i < n; i++)
    result[i] += rest.bias[i];
  g_autofree double *sum = g_memdup2 (result, n * sizeof *sum);
  apply_norm (rest.inner, sum, n);
  for (gsize i = 0; i < n; i++)
    sum[i] += kept->before[i];
  go_back (self, rest.after, sum, self->direction);
  g_autofree double *direction = g_memdup2 (self->direction, n * sizeof *direction);
  go_back (self, rest.inner, result, direction);
  if (rest.bias != NULL)
    self->bias += multiply (direction, rest.bias, n);
  if (kept->heads != NULL)
    return add_heads (self, kept, direction, error);
  add_item (self, kept->sublayer == HL_SUBLAYER_LINEAR ? HL_ATTRIBUTION_LINEAR : HL_ATTRIBUTION_FEED_FORWARD,
            self->attention, kept->layer, 0, multiply (direction, kept->result, n));
  return TRUE;
}

/* Adds or takes off the row of a token. */
static gboolean
add_token (Work          *self,
           HlUnembedding *unembedding,
           guint32        token,
           int            sign,
           GError       **error)
{
  const gsize n = self->stack->width;
  g_autofree float *row = g_new (float, n);
  float bias;

  if (!hl_unembedding_read_row_at (unembedding, token, self->state, row, &bias, error))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    self->direction[i] += sign * row[i];
  self->bias += sign * bias;
  return TRUE;
}

static gboolean
find_top (HlUnembedding *unembedding,
          const float   *state,
          guint32       *token,
          GError       **error)
{
  const gsize n = hl_unembedding_get_n_tokens (unembedding);
  g_autofree float *logits = g_new (float, n);

  if (!hl_unembedding_logits (unembedding, state, 1, logits, error))
    return FALSE;
  *token = 0;
  for (guint32 i = 0; i < n; i++)
    if (logits[i] > logits[*token])
      *token = i;
  return TRUE;
}

static gboolean
has_norms (const HlLayer *layer)
{
  return layer->attention.inner.weight != NULL || layer->attention.after.weight != NULL ||
         layer->cross.inner.weight != NULL || layer->cross.after.weight != NULL ||
         layer->feed_forward.inner.weight != NULL || layer->feed_forward.after.weight != NULL;
}

/* Whether something else than the final norm lies between a term and the logit. */
static gboolean
has_norms_between (const HlStack *stack,
                   HlUnembedding *unembedding)
{
  gboolean found = !hl_unembedding_is_linear (unembedding);

  for (guint i = 0; i < stack->n_own_layers; i++)
    found = found || has_norms (&stack->layers[i]);
  return found;
}

static gboolean
check_position (HlModelCall    *call,
                HlAttentionKind attention,
                gsize           position,
                GError        **error)
{
  const HlModelInput *input = hl_model_call_get_input (call);
  const gsize n = attention == HL_ATTENTION_DECODER ? input->n_decoder_ids : input->n_ids;

  if (!hl_model_call_has (call, attention))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("without a text for the decoder, the model predicts nothing"));
      return FALSE;
    }
  if (hl_model_get_stack (hl_model_call_get_model (call), attention)->convolution != NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                   _ ("the model has a convolution beside its first layer, so that a logit is no sum of what heads and "
                      "layers give"));
      return FALSE;
    }
  if (position < n)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("there is no token %zu; the last is %zu"), position, n - 1);
  return FALSE;
}

/* All items, the last first. */
static gboolean
add_items (Work    *self,
           GError **error)
{
  g_autofree double *stream = widen (self->stream, self->stack->width);

  go_back (self, &self->stack->final_norm, stream, self->direction);
  for (guint i = self->sublayers->len; i-- > 0;)
    {
      const Kept *kept = &g_array_index (self->sublayers, Kept, i), *next = kept + 1;
      const float factor = hl_stack_get_layer (self->stack, kept->layer)->factor;

      for (gsize k = 0; (i + 1 == self->sublayers->len || next->layer != kept->layer) && k < self->stack->width; k++)
        self->direction[k] *= factor;
      if (!add_sublayer (self, kept, error))
        return FALSE;
    }
  add_item (self, HL_ATTRIBUTION_EMBEDDING, self->attention, 0, 0,
            multiply (self->direction, self->embedding, self->stack->width));
  return TRUE;
}

static void
reverse (GArray *items)
{
  for (guint i = 0; i < items->len / 2; i++)
    {
      HlAttributionItem *a = &g_array_index (items, HlAttributionItem, i);
      HlAttributionItem *b = &g_array_index (items, HlAttributionItem, items->len - 1 - i);
      const HlAttributionItem kept = *a;

      *a = *b;
      *b = kept;
    }
}

/**
 * hl_attribution_compute:
 * @call: a model and what it is run on
 * @unembedding: what it predicts with
 * @position: the token of the last stack whose prediction is looked at
 * @token: a token; −1 for the most likely one
 * @other: a token whose logit is taken off; −1 for none
 * @cancellable: (nullable): stops it between layers
 * @error: %HL_ERROR_VALUE for a position or token that is not there, and as hl_model_forward()
 *
 * Runs the model and takes the logit of @token, or what it has more than @other, apart: z_h W_O^h of a head, scaled as the norms behind it
 * scale the whole stream, times the row of the token (Elhage et al. 2021). Their sum is the logit. Of models with norms between their
 * layers, such as BERT, the scale of each norm is that of the pass; of a masked-language head the gate a (x) / x of its activation is too. What a head
 * does through later layers is theirs. Blocks.
 *
 * Returns: (transfer full) (nullable): the sum
 */
HlAttribution *
hl_attribution_compute (HlModelCall   *call,
                        HlUnembedding *unembedding,
                        gsize          position,
                        gint64         token,
                        gint64         other,
                        GCancellable  *cancellable,
                        GError       **error)
{
  g_return_val_if_fail (HL_IS_MODEL_CALL (call), NULL);
  g_return_val_if_fail (HL_IS_UNEMBEDDING (unembedding), NULL);

  HlModel *model = hl_model_call_get_model (call);
  g_auto (Work) self = {
    .model = model,
    .attention = hl_unembedding_get_attention (unembedding),
    .position = position,
    .sublayers = g_array_new (FALSE, FALSE, sizeof (Kept)),
    .items = g_array_new (FALSE, FALSE, sizeof (HlAttributionItem)),
  };
  const HlModelHooks hooks = { .stream_func = keep_stream, .sublayer_func = keep_result, .data = &self };
  guint32 chosen = (guint32) MAX (token, 0);

  g_array_set_clear_func (self.sublayers, clear_kept);
  self.stack = hl_model_get_stack (model, self.attention);
  self.direction = g_new0 (double, self.stack->width);
  if (!check_position (call, self.attention, position, error) ||
      !hl_model_forward_with (model, hl_model_call_get_input (call), &hooks, NULL, cancellable, error) ||
      (token < 0 && !find_top (unembedding, self.state, &chosen, error)) ||
      !add_token (&self, unembedding, chosen, 1, error) ||
      (other >= 0 && !add_token (&self, unembedding, (guint32) other, -1, error)))
    return NULL;
  const double logit = self.bias + multiply (self.direction, self.state, self.stack->width);
  if (!isfinite (logit))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the logits of position %zu are NaN or infinite"), position);
      return NULL;
    }
  if (!add_items (&self, error))
    return NULL;
  reverse (self.items);
  add_item (&self, HL_ATTRIBUTION_BIAS, self.attention, 0, 0, self.bias);

  HlAttribution *result = g_new (HlAttribution, 1);
  *result = (HlAttribution){
    .position = position,
    .token = chosen,
    .other = other,
    .logit = logit,
    .is_capped = hl_unembedding_get_softcap (unembedding) > 0,
    .is_frozen = has_norms_between (self.stack, unembedding),
  };
  result->items = g_array_steal (self.items, &result->n_items);
  return result;
}

void
hl_attribution_free (HlAttribution *self)
{
  g_free (self->items);
  g_free (self);
}
