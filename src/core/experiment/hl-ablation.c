/* SPDX-License-Identifier: MIT */
/* Heads switched off. The stream before every layer is kept from one pass as it is; with a head changed, the model goes on from the layer of
 * that head only. Heads of a layer go on together, as rows of the same products. */
#include "core/experiment/hl-ablation.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/model/hl-stack.h"

/* Rows of the products that heads are put together for: more are not done any sooner, and take memory. */
#define MAX_ROWS 1024

/* What is kept of the pass may take this part of the machine's memory. */
#define MEMORY_SHARE 4

/* A stack of the model, as it ran with all heads intact. */
typedef struct
{
  HlAttentionKind attention;
  const guint32 *ids;
  const HlPixels *pixels;
  const guint32 *segments;
  gsize n_tokens;
  gsize width;
  guint n_layers;
  gboolean whole; /* whether layers need more than what they get of the one before, so that runs begin with the first */
  float *streams; /* [n_layers, n_tokens, width], before every layer */
  float *final;   /* [n_tokens, width] */
} Stack;

struct _HlAblation
{
  GObject parent_instance;

  HlModelCall *call;
  HlUnembedding *unembedding;
  Stack stacks[2]; /* the only one, or encoder and decoder */
  guint n_stacks;
  double *pooled; /* [width], the mean of the final states of the last stack */
  gboolean has_aim;
  gsize position;
  guint32 token;
  double *log_probabilities; /* [n_tokens of the vocabulary], with an aim */
};

G_DEFINE_FINAL_TYPE (HlAblation, hl_ablation, G_TYPE_OBJECT)

static void
hl_ablation_finalize (GObject *object)
{
  HlAblation *self = HL_ABLATION (object);

  for (guint i = 0; i < G_N_ELEMENTS (self->stacks); i++)
    {
      g_free (self->stacks[i].streams);
      g_free (self->stacks[i].final);
    }
  g_free (self->pooled);
  g_free (self->log_probabilities);
  g_clear_object (&self->unembedding);
  g_clear_object (&self->call);
  G_OBJECT_CLASS (hl_ablation_parent_class)->finalize (object);
}

static void
hl_ablation_class_init (HlAblationClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_ablation_finalize;
}

static void
hl_ablation_init (HlAblation *self)
{
}

static const Stack *
get_last (const HlAblation *self)
{
  return &self->stacks[self->n_stacks - 1];
}

static void
stack_init (Stack          *self,
            HlModel        *model,
            HlAttentionKind attention,
            const guint32  *ids,
            const guint32  *segments,
            gsize           n_tokens)
{
  *self = (Stack){
    .attention = attention,
    .ids = ids,
    .segments = segments,
    .n_tokens = n_tokens,
    .width = hl_model_get_width (model, attention),
    .n_layers = hl_model_get_n_layers (model, attention),
    .whole = !hl_stack_can_begin_anywhere (hl_model_get_stack (model, attention)),
  };
}

static gboolean
stack_allocate (Stack   *self,
                GError **error)
{
  const double budget = (double) sysconf (_SC_PHYS_PAGES) * (double) sysconf (_SC_PAGESIZE) / MEMORY_SHARE;
  const double size = (double) self->n_layers * (double) self->n_tokens * (double) self->width * sizeof (float);

  if (size <= budget)
    {
      self->streams = g_try_new (float, self->n_layers * self->n_tokens * self->width);
      self->final = g_try_new (float, self->n_tokens * self->width);
    }
  if (self->streams != NULL && self->final != NULL)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
               _ ("what goes from layer to layer takes %.1f GB for %zu tokens; %.1f GB of memory may be used"),
               size / 1e9, self->n_tokens, budget / 1e9);
  return FALSE;
}

static void
keep_stream (const HlStream *stream,
             gpointer        data)
{
  HlAblation *self = data;
  Stack *stack = stream->attention == self->stacks[0].attention ? &self->stacks[0] : &self->stacks[1];
  const gsize size = stack->n_tokens * stack->width;

  if (stream->final)
    memcpy (stack->final, stream->states, size * sizeof (float));
  else if (stream->n_layers < stack->n_layers)
    memcpy (stack->streams + stream->n_layers * size, stream->states, size * sizeof (float));
}

static void
pool (const float *states,
      gsize        n,
      gsize        width,
      double      *mean)
{
  memset (mean, 0, width * sizeof *mean);
  for (gsize i = 0; i < n; i++)
    for (gsize k = 0; k < width; k++)
      mean[k] += states[i * width + k];
  for (gsize k = 0; k < width; k++)
    mean[k] /= (double) n;
}

/* 1 − the cosine. Of vectors that have no direction it is 1, unless both have none. */
static double
get_change (const double *a,
            const double *b,
            gsize         n)
{
  double product = 0, a_square = 0, b_square = 0;

  for (gsize i = 0; i < n; i++)
    {
      product += a[i] * b[i];
      a_square += a[i] * a[i];
      b_square += b[i] * b[i];
    }
  if (a_square == 0 || b_square == 0)
    return a_square == b_square ? 0 : 1;
  const double change = 1 - product / sqrt (a_square) / sqrt (b_square);
  return change < 0 ? 0 : change;
}

/* All are NaN where one is NaN or +∞, or all are −∞, which is a token that is ruled out. */
static void
take_log_softmax (const float *logits,
                  gsize        n,
                  double      *target)
{
  double greatest = -INFINITY, sum = 0;

  for (gsize i = 0; i < n; i++)
    greatest = MAX (greatest, logits[i]);
  for (gsize i = 0; i < n; i++)
    sum += exp (logits[i] - greatest);
  for (gsize i = 0; i < n; i++)
    target[i] = logits[i] - greatest - log (sum);
}

static gboolean
set_aim (HlAblation          *self,
         const HlAblationAim *aim,
         GError             **error)
{
  const Stack *last = get_last (self);
  const gsize n = hl_unembedding_get_n_tokens (self->unembedding);

  if (hl_unembedding_get_attention (self->unembedding) != last->attention)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("without a text for the decoder, the model predicts nothing"));
      return FALSE;
    }
  if (aim->position >= last->n_tokens)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("there is no token %zu; the last is %zu"), aim->position,
                   last->n_tokens - 1);
      return FALSE;
    }
  if (aim->token >= 0 && (guint64) aim->token >= n)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("there is no token %u; the model predicts %zu"),
                   (guint) aim->token, n);
      return FALSE;
    }
  g_autofree float *logits = g_new (float, n);
  if (!hl_unembedding_logits (self->unembedding, last->final + aim->position * last->width, 1, logits, error))
    return FALSE;
  self->has_aim = TRUE;
  self->position = aim->position;
  self->token = (guint32) MAX (aim->token, 0);
  for (guint32 token = 0; aim->token < 0 && token < n; token++)
    if (logits[token] > logits[self->token])
      self->token = token;
  self->log_probabilities = g_new (double, n);
  take_log_softmax (logits, n, self->log_probabilities);
  if (!isnan (self->log_probabilities[0]))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the logits of position %zu are NaN or infinite"), aim->position);
  return FALSE;
}

/**
 * hl_ablation_new:
 * @call: a model and what it is run on
 * @unembedding: (nullable): what the model predicts with; needed for an aim
 * @aim: (nullable): which prediction effects are measured by; %NULL for their effect on the final states only
 * @cancellable: (nullable): stops it between layers
 * @error: as hl_model_forward(), %HL_ERROR_TOO_LARGE without memory, and %HL_ERROR_VALUE for an aim that is not there or whose
 *   logits are no numbers
 *
 * Runs the model once as it is. Blocks.
 *
 * Returns: (transfer full) (nullable): what can be run with heads changed
 */
HlAblation *
hl_ablation_new (HlModelCall         *call,
                 HlUnembedding       *unembedding,
                 const HlAblationAim *aim,
                 GCancellable        *cancellable,
                 GError             **error)
{
  g_return_val_if_fail (HL_IS_MODEL_CALL (call), NULL);
  g_return_val_if_fail (aim == NULL || unembedding != NULL, NULL);

  g_autoptr (HlAblation) self = g_object_new (HL_TYPE_ABLATION, NULL);
  HlModel *model = hl_model_call_get_model (call);
  const HlModelInput *input = hl_model_call_get_input (call);
  const HlModelHooks hooks = { .stream_func = keep_stream, .data = self };

  if (!hl_model_check_whole (model, error))
    return NULL;
  self->call = g_object_ref (call);
  self->unembedding = unembedding != NULL ? g_object_ref (unembedding) : NULL;
  stack_init (&self->stacks[self->n_stacks++], model,
              hl_model_has_decoder (model) ? HL_ATTENTION_ENCODER : HL_ATTENTION_SELF, input->ids, input->segments,
              input->n_ids);
  self->stacks[0].pixels = input->pixels;
  if (hl_model_call_has (call, HL_ATTENTION_DECODER))
    stack_init (&self->stacks[self->n_stacks++], model, HL_ATTENTION_DECODER, input->decoder_ids, NULL,
                input->n_decoder_ids);
  for (guint i = 0; i < self->n_stacks; i++)
    if (!stack_allocate (&self->stacks[i], error))
      return NULL;
  if (!hl_model_forward_with (model, input, &hooks, NULL, cancellable, error))
    return NULL;
  const Stack *last = get_last (self);
  self->pooled = g_new (double, last->width);
  pool (last->final, last->n_tokens, last->width, self->pooled);
  for (gsize k = 0; k < last->width; k++)
    if (!isfinite (self->pooled[k]))
      {
        g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("what leaves the last layer is NaN or infinite"));
        return NULL;
      }
  if (aim != NULL && !set_aim (self, aim, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * hl_ablation_get_call:
 * @self: an ablation
 *
 * Returns: (transfer none): the model, and what it is run on
 */
HlModelCall *
hl_ablation_get_call (HlAblation *self)
{
  g_return_val_if_fail (HL_IS_ABLATION (self), NULL);

  return self->call;
}

/**
 * hl_ablation_has_aim:
 * @self: an ablation
 *
 * Returns: whether effects are measured by a prediction too
 */
gboolean
hl_ablation_has_aim (HlAblation *self)
{
  g_return_val_if_fail (HL_IS_ABLATION (self), FALSE);

  return self->has_aim;
}

/**
 * hl_ablation_get_position:
 * @self: an ablation with an aim
 *
 * Returns: the token of the last stack whose prediction is looked at
 */
gsize
hl_ablation_get_position (HlAblation *self)
{
  g_return_val_if_fail (HL_IS_ABLATION (self) && self->has_aim, 0);

  return self->position;
}

/**
 * hl_ablation_get_token:
 * @self: an ablation with an aim
 *
 * Returns: the token whose probability is looked at
 */
guint32
hl_ablation_get_token (HlAblation *self)
{
  g_return_val_if_fail (HL_IS_ABLATION (self) && self->has_aim, 0);

  return self->token;
}

/**
 * hl_ablation_get_probability:
 * @self: an ablation with an aim
 *
 * Returns: its probability with all heads as they are
 */
double
hl_ablation_get_probability (HlAblation *self)
{
  g_return_val_if_fail (HL_IS_ABLATION (self) && self->has_aim, NAN);

  return exp (self->log_probabilities[self->token]);
}

/* What the final states of one stream come to, and its logits. */
static HlAblationEffect
measure (HlAblation  *self,
         const float *states,
         const float *logits)
{
  const Stack *last = get_last (self);
  g_autofree double *pooled = g_new (double, last->width);
  HlAblationEffect effect = { .divergence = NAN, .probability = NAN, .log_change = NAN };

  pool (states, last->n_tokens, last->width, pooled);
  effect.state_change = get_change (self->pooled, pooled, last->width);
  if (logits == NULL)
    return effect;
  const gsize n = hl_unembedding_get_n_tokens (self->unembedding);
  g_autofree double *changed = g_new (double, n);
  const double *intact = self->log_probabilities;
  double sum = 0;

  take_log_softmax (logits, n, changed);
  for (gsize i = 0; i < n; i++)
    if (intact[i] > -INFINITY || isnan (intact[i]))
      sum += exp (intact[i]) * (intact[i] - changed[i]);
  effect.divergence = sum < 0 ? 0 : sum / G_LN2;
  effect.probability = exp (changed[self->token]);
  effect.log_change = changed[self->token] - intact[self->token];
  return effect;
}

/* The effects of streams side by side, whose final states are [n, n_tokens, width]. Logits are of some of them at a time. */
static gboolean
measure_all (HlAblation       *self,
             gsize             n,
             const float      *states,
             HlAblationEffect *effects,
             GError          **error)
{
  const Stack *last = get_last (self);
  const gsize size = last->n_tokens * last->width;
  const gsize n_logits = self->has_aim ? hl_unembedding_get_n_tokens (self->unembedding) : 0;
  const gsize chunk = self->has_aim ? CLAMP (HL_LIMIT_LOGITS / n_logits, 1, n) : n;
  g_autofree float *rows = self->has_aim ? g_try_new (float, chunk * last->width) : NULL;
  g_autofree float *logits = self->has_aim ? g_try_new (float, chunk *n_logits) : NULL;

  if (self->has_aim && (rows == NULL || logits == NULL))
    return hl_error_set_no_memory (error);
  for (gsize first = 0; first < n; first += chunk)
    {
      const gsize end = MIN (first + chunk, n);

      for (gsize i = first; self->has_aim && i < end; i++)
        memcpy (rows + (i - first) * last->width, states + i * size + self->position * last->width,
                last->width * sizeof (float));
      if (self->has_aim && !hl_unembedding_logits (self->unembedding, rows, end - first, logits, error))
        return FALSE;
#pragma omp parallel for
      for (gsize i = first; i < end; i++)
        effects[i] = measure (self, states + i * size, logits != NULL ? logits + (i - first) * n_logits : NULL);
    }
  return TRUE;
}

static gboolean
is_of_encoder (const HlAblation *self,
               const HlHeadEdit *edit)
{
  return self->n_stacks == 2 && edit->attention == HL_ATTENTION_ENCODER;
}

/* A run of a stack from where it is as it was. */
static HlStackRun
go_on (const Stack *stack,
       guint        layer)
{
  if (stack->whole)
    layer = 0;
  return (HlStackRun){
    .ids = stack->ids,
    .pixels = stack->pixels,
    .segments = stack->segments,
    .n_tokens = stack->n_tokens,
    .attention = stack->attention,
    .first_layer = layer,
    .start = stack->streams + layer * stack->n_tokens * stack->width,
  };
}

/* The decoder, from its beginning, on what an encoder gave in each of some streams. */
static gboolean
run_decoder (HlAblation       *self,
             const HlHeadEdit *edits,
             gsize             n_edits,
             gsize             n_streams,
             const float      *memory,
             float           **output,
             GCancellable     *cancellable,
             GError          **error)
{
  HlStackRun run = go_on (&self->stacks[1], 0);

  run.start = NULL;
  run.n_streams = n_streams;
  run.memory = memory;
  run.n_memory = self->stacks[0].n_tokens;
  run.edits = edits;
  run.n_edits = n_edits;
  return hl_model_run_stack (hl_model_call_get_model (self->call), &run, output, cancellable, error);
}

/* Some edits of the same attention of one layer, each in a stream of its own. */
static gboolean
run_apart (HlAblation       *self,
           const HlHeadEdit *edits,
           gsize             n,
           float           **states,
           GCancellable     *cancellable,
           GError          **error)
{
  const gboolean encoder = is_of_encoder (self, edits);
  HlStackRun run = go_on (encoder ? &self->stacks[0] : get_last (self), edits->layer);
  g_autofree float *memory = NULL;

  run.memory = self->n_stacks == 2 && !encoder ? self->stacks[0].final : NULL;
  run.n_memory = run.memory != NULL ? self->stacks[0].n_tokens : 0;
  run.edits = edits;
  run.n_edits = n;
  run.apart = TRUE;
  if (!hl_model_run_stack (hl_model_call_get_model (self->call), &run, encoder ? &memory : states, cancellable, error))
    return FALSE;
  return !encoder || run_decoder (self, NULL, 0, n, memory, states, cancellable, error);
}

/* Whether there is such a head in what the model was run on. */
static gboolean
check_edits (HlAblation       *self,
             const HlHeadEdit *edits,
             gsize             n_edits,
             GError          **error)
{
  HlModel *model = hl_model_call_get_model (self->call);

  for (gsize i = 0; i < n_edits; i++)
    if (!hl_model_call_has (self->call, edits[i].attention) ||
        edits[i].layer >= hl_model_get_n_layers (model, edits[i].attention) ||
        edits[i].head >= hl_model_get_shape (model, edits[i].attention, edits[i].layer)->n_heads)
      {
        g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the model has no head %u in layer %u of this attention"),
                     edits[i].head, edits[i].layer);
        return FALSE;
      }
  return TRUE;
}

/* How many edits, from the first, can go on together. */
static gsize
count_together (const HlHeadEdit *edits,
                gsize             n_edits,
                gsize             n_tokens)
{
  const gsize n_most = CLAMP (MAX_ROWS / n_tokens, 1, n_edits);
  gsize n = 1;

  while (n < n_most && edits[n].attention == edits[0].attention && edits[n].layer == edits[0].layer)
    n++;
  return n;
}

/**
 * hl_ablation_run:
 * @self: an ablation
 * @edits: (array length=n_edits): what is done to heads; those of one layer had better follow one another
 * @n_edits: how many
 * @func: told of each, in their order, as soon as some are done
 * @data: for @func
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it between layers
 * @error: %HL_ERROR_VALUE for a head that is not there, and as hl_model_forward()
 *
 * Makes one edit at a time, all others undone. Blocks.
 *
 * Returns: whether all are done
 */
gboolean
hl_ablation_run (HlAblation       *self,
                 const HlHeadEdit *edits,
                 gsize             n_edits,
                 HlAblationFunc    func,
                 gpointer          data,
                 HlProgress       *progress,
                 GCancellable     *cancellable,
                 GError          **error)
{
  g_return_val_if_fail (HL_IS_ABLATION (self), FALSE);

  const gsize n_tokens = MAX (self->stacks[0].n_tokens, get_last (self)->n_tokens);
  gsize n;

  if (!check_edits (self, edits, n_edits, error))
    return FALSE;
  for (gsize i = 0; i < n_edits; i += n)
    {
      g_autofree float *states = NULL;

      n = count_together (edits + i, n_edits - i, n_tokens);
      g_autofree HlAblationEffect *effects = g_new (HlAblationEffect, n);
      hl_progress_set (progress, (double) i / (double) n_edits, _ ("Switching heads off"));
      if (!run_apart (self, edits + i, n, &states, cancellable, error) ||
          !measure_all (self, n, states, effects, error))
        return FALSE;
      for (gsize k = 0; k < n; k++)
        func (&edits[i + k], &effects[k], data);
    }
  hl_progress_set (progress, 1, NULL);
  return TRUE;
}

/* The first layer of a stack that an edit is in; how many layers there are, without any. */
static guint
find_first (const HlAblation *self,
            const Stack      *stack,
            const HlHeadEdit *edits,
            gsize             n_edits)
{
  const gboolean encoder = self->n_stacks == 2 && stack == &self->stacks[0];
  guint first = stack->n_layers;

  for (gsize i = 0; i < n_edits; i++)
    if (is_of_encoder (self, &edits[i]) == encoder)
      first = MIN (first, edits[i].layer);
  return first;
}

/* All edits in one stream. */
static gboolean
run_edits (HlAblation       *self,
           const HlHeadEdit *edits,
           gsize             n_edits,
           float           **states,
           GCancellable     *cancellable,
           GError          **error)
{
  HlModel *model = hl_model_call_get_model (self->call);
  const Stack *last = get_last (self);
  const guint encoder_first = self->n_stacks == 2 ? find_first (self, &self->stacks[0], edits, n_edits) : 0;
  const guint first = find_first (self, last, edits, n_edits);

  if (self->n_stacks == 2 && encoder_first < self->stacks[0].n_layers)
    {
      HlStackRun run = go_on (&self->stacks[0], encoder_first);
      g_autofree float *memory = NULL;

      run.edits = edits;
      run.n_edits = n_edits;
      return hl_model_run_stack (model, &run, &memory, cancellable, error) &&
             run_decoder (self, edits, n_edits, 1, memory, states, cancellable, error);
    }
  if (first == last->n_layers)
    {
      *states = g_memdup2 (last->final, last->n_tokens * last->width * sizeof (float));
      return TRUE;
    }
  HlStackRun run = go_on (last, first);
  run.memory = self->n_stacks == 2 ? self->stacks[0].final : NULL;
  run.n_memory = run.memory != NULL ? self->stacks[0].n_tokens : 0;
  run.edits = edits;
  run.n_edits = n_edits;
  return hl_model_run_stack (model, &run, states, cancellable, error);
}

/**
 * hl_ablation_run_together:
 * @self: an ablation
 * @edits: (array length=n_edits): what is done to heads
 * @n_edits: how many
 * @effect: (out): what all of them together do
 * @cancellable: (nullable): stops it between layers
 * @error: as hl_ablation_run()
 *
 * Makes all edits at once. Blocks.
 *
 * Returns: whether that could be computed
 */
gboolean
hl_ablation_run_together (HlAblation       *self,
                          const HlHeadEdit *edits,
                          gsize             n_edits,
                          HlAblationEffect *effect,
                          GCancellable     *cancellable,
                          GError          **error)
{
  g_return_val_if_fail (HL_IS_ABLATION (self), FALSE);

  g_autofree float *states = NULL;

  return check_edits (self, edits, n_edits, error) && run_edits (self, edits, n_edits, &states, cancellable, error) &&
         measure_all (self, 1, states, effect, error);
}

/**
 * hl_ablation_list_heads:
 * @call: a model and what it is run on
 * @attention: an attention of it
 * @kind: what is to be done to each head
 * @n_edits: (out): how many heads there are
 *
 * Returns: (transfer full) (array length=n_edits): an edit of every head, by layer; free with g_free()
 */
HlHeadEdit *
hl_ablation_list_heads (HlModelCall    *call,
                        HlAttentionKind attention,
                        HlHeadEditKind  kind,
                        gsize          *n_edits)
{
  g_return_val_if_fail (HL_IS_MODEL_CALL (call), NULL);
  g_return_val_if_fail (hl_model_call_has (call, attention), NULL);

  HlModel *model = hl_model_call_get_model (call);
  GArray *edits = g_array_new (FALSE, FALSE, sizeof (HlHeadEdit));

  for (guint layer = 0; layer < hl_model_get_n_layers (model, attention); layer++)
    for (guint head = 0; head < hl_model_get_shape (model, attention, layer)->n_heads; head++)
      {
        const HlHeadEdit edit = { attention, layer, head, kind };

        g_array_append_val (edits, edit);
      }
  *n_edits = edits->len;
  return (HlHeadEdit *) (void *) g_array_free (edits, FALSE);
}
