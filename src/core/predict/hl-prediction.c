/* SPDX-License-Identifier: MIT */
/* Predictions of a text: the stream goes through the head as it leaves the layers, a few positions at a time. */
#include "core/predict/hl-prediction.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

struct _HlPrediction
{
  GObject parent_instance;

  guint n_rows;   /* layers + 1, or 1 */
  guint n_layers; /* of the model */
  gsize first;    /* the first position */
  gsize n_positions;
  guint n_candidates;
  HlCandidate *candidates; /* [n_rows, n_positions, n_candidates] */
};

G_DEFINE_FINAL_TYPE (HlPrediction, hl_prediction, G_TYPE_OBJECT)

static void
hl_prediction_finalize (GObject *object)
{
  g_free (HL_PREDICTION (object)->candidates);
  G_OBJECT_CLASS (hl_prediction_parent_class)->finalize (object);
}

static void
hl_prediction_class_init (HlPredictionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_prediction_finalize;
}

static void
hl_prediction_init (HlPrediction *self)
{
}

/* Puts a token among the likeliest, which are sorted; of equal ones the first stays first. */
static void
insert_candidate (HlCandidate *candidates,
                  guint       *n,
                  guint        n_most,
                  guint32      id,
                  double       logit)
{
  guint at = *n;

  if (at == n_most && !(logit > candidates[at - 1].probability))
    return;
  if (at == n_most)
    at--;
  else
    (*n)++;
  for (; at > 0 && logit > candidates[at - 1].probability; at--)
    candidates[at] = candidates[at - 1];
  candidates[at] = (HlCandidate){ id, logit };
}

/**
 * hl_candidates_rank:
 * @logits: (array length=n_tokens): a logit for each token; −∞ for one that cannot be
 * @n_tokens: how many
 * @n_candidates: how many are wanted
 * @candidates: (array length=n_candidates): filled, the most likely first
 *
 * Softmax in float64: the greatest logit is taken off before exp, so that none overflows.
 *
 * Returns: how many there are; fewer than wanted when there are not so many tokens
 */
guint
hl_candidates_rank (const float *logits,
                    gsize        n_tokens,
                    guint        n_candidates,
                    HlCandidate *candidates)
{
  double sum = 0;
  guint n = 0;

  g_return_val_if_fail (n_candidates > 0, 0);

  for (gsize i = 0; i < n_tokens; i++)
    insert_candidate (candidates, &n, n_candidates, (guint32) i, logits[i]);
  const double greatest = n > 0 ? candidates[0].probability : 0;
  for (gsize i = 0; i < n_tokens; i++)
    sum += exp (logits[i] - greatest);
  for (guint i = 0; i < n; i++)
    candidates[i].probability = exp (candidates[i].probability - greatest) / sum;
  return n;
}

/* What is asked of the streams of one pass. */
typedef struct
{
  HlPrediction *prediction;
  HlUnembedding *head;
  gboolean all_layers;
  float *states; /* [chunk, width] */
  float *logits; /* [chunk, n_tokens] */
  gsize chunk;
  GCancellable *cancellable;
  GError *error;
} Work;

/* Some positions of one row. */
static gboolean
predict_chunk (Work        *self,
               guint        row,
               gsize        first,
               gsize        n,
               const float *stream,
               gboolean     final)
{
  HlPrediction *prediction = self->prediction;
  const gsize n_tokens = hl_unembedding_get_n_tokens (self->head);
  const float *states = stream;

  if (!final)
    {
      hl_unembedding_norm (self->head, stream, n, self->states);
      states = self->states;
    }
  if (!hl_unembedding_logits (self->head, states, n, self->logits, &self->error))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      HlCandidate *candidates = prediction->candidates +
                                (row * prediction->n_positions + first + i) * prediction->n_candidates;

      hl_candidates_rank (self->logits + i * n_tokens, n_tokens, prediction->n_candidates, candidates);
      if (!isfinite (candidates[0].probability))
        {
          g_set_error (&self->error, HL_ERROR, HL_ERROR_VALUE, _ ("the logits of position %zu are NaN or infinite"),
                       prediction->first + first + i);
          return FALSE;
        }
    }
  return TRUE;
}

static void
on_stream (const HlStream *stream,
           gpointer        data)
{
  Work *self = data;
  HlPrediction *prediction = self->prediction;
  const guint row = self->all_layers ? stream->n_layers : 0;

  /* The last row is that of the model itself, behind its norm. */
  if (stream->attention != hl_unembedding_get_attention (self->head) || (!stream->final && !self->all_layers) ||
      (!stream->final && stream->n_layers == prediction->n_layers))
    return;
  for (gsize first = 0; first < prediction->n_positions; first += self->chunk)
    {
      if (self->error != NULL || g_cancellable_is_cancelled (self->cancellable))
        return;
      predict_chunk (self, row, first, MIN (self->chunk, prediction->n_positions - first),
                     stream->states + (prediction->first + first) * stream->width, stream->final);
    }
}

static HlPrediction *
make_empty (HlUnembedding             *head,
            const HlModelInput        *input,
            const HlPredictionRequest *request,
            GError                   **error)
{
  g_autoptr (HlPrediction) self = g_object_new (HL_TYPE_PREDICTION, NULL);
  const gboolean two = hl_unembedding_get_attention (head) == HL_ATTENTION_DECODER;
  const gsize n = two ? input->n_decoder_ids : input->n_ids;

  if (two && input->n_decoder_ids == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                   _ ("the model predicts what its decoder writes; there is no text for it"));
      return NULL;
    }
  if (n == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the text has no tokens"));
      return NULL;
    }
  if (request->position >= (gint64) n)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("there is no position %" PRId64 ": the text has %zu tokens"),
                   request->position, n);
      return NULL;
    }
  self->n_layers = hl_model_get_n_layers (hl_unembedding_get_model (head), hl_unembedding_get_attention (head));
  self->n_rows = request->all_layers ? self->n_layers + 1 : 1;
  self->first = request->position < 0 ? 0 : (gsize) request->position;
  self->n_positions = request->position < 0 ? n : 1;
  self->n_candidates = (guint) MIN (request->n_candidates, hl_unembedding_get_n_tokens (head));
  if ((double) self->n_rows * (double) self->n_positions * self->n_candidates > HL_LIMIT_CANDIDATES)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("%u tokens at each of %zu positions in %u rows are too many to be kept"), self->n_candidates,
                   self->n_positions, self->n_rows);
      return NULL;
    }
  self->candidates = g_try_new0 (HlCandidate, self->n_rows * self->n_positions * self->n_candidates);
  if (self->candidates == NULL)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  return g_steal_pointer (&self);
}

/**
 * hl_prediction_new:
 * @head: what the model predicts with
 * @input: the text; with tokens of the decoder if it has one
 * @request: what is wanted
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it
 * @error: %HL_ERROR_VALUE when there is no such position or no text, %HL_ERROR_TOO_LARGE, and as hl_model_forward()
 *
 * Runs the model and takes the stream through its head. Blocks.
 *
 * Returns: (transfer full) (nullable): the most likely tokens
 */
HlPrediction *
hl_prediction_new (HlUnembedding             *head,
                   const HlModelInput        *input,
                   const HlPredictionRequest *request,
                   HlProgress                *progress,
                   GCancellable              *cancellable,
                   GError                   **error)
{
  g_return_val_if_fail (HL_IS_UNEMBEDDING (head), NULL);
  g_return_val_if_fail (input != NULL && request != NULL && request->n_candidates > 0, NULL);

  g_autoptr (HlPrediction) self = make_empty (head, input, request, error);
  const gsize n_tokens = hl_unembedding_get_n_tokens (head);
  GError *reason = NULL;

  if (self == NULL)
    return NULL;
  const gsize chunk = CLAMP (HL_LIMIT_LOGITS / n_tokens, 1, self->n_positions);
  g_autofree float *states = g_try_new (float, chunk *hl_unembedding_get_width (head));
  g_autofree float *logits = g_try_new (float, chunk *n_tokens);
  Work work = {
    .prediction = self,
    .head = head,
    .all_layers = request->all_layers,
    .states = states,
    .logits = logits,
    .chunk = chunk,
    .cancellable = cancellable,
  };
  const HlModelHooks hooks = { .stream_func = on_stream, .data = &work };
  if (states == NULL || logits == NULL)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  hl_model_forward_with (hl_unembedding_get_model (head), input, &hooks, progress, cancellable, &reason);
  if (reason == NULL)
    reason = g_steal_pointer (&work.error);
  g_clear_error (&work.error);
  if (reason == NULL && !g_cancellable_set_error_if_cancelled (cancellable, &reason))
    return g_steal_pointer (&self);
  g_propagate_error (error, reason);
  return NULL;
}

/**
 * hl_prediction_get_n_rows:
 * @self: predictions
 *
 * Returns: one more than the model's layers, or 1
 */
guint
hl_prediction_get_n_rows (HlPrediction *self)
{
  g_return_val_if_fail (HL_IS_PREDICTION (self), 0);

  return self->n_rows;
}

/**
 * hl_prediction_get_n_layers:
 * @self: predictions
 * @row: one of them
 *
 * Returns: how many layers are done in a row: 0 for the embeddings, all in the last, which is what the model says
 */
guint
hl_prediction_get_n_layers (HlPrediction *self,
                            guint         row)
{
  g_return_val_if_fail (HL_IS_PREDICTION (self) && row < self->n_rows, 0);

  return self->n_rows > 1 ? row : self->n_layers;
}

/**
 * hl_prediction_get_first:
 * @self: predictions
 *
 * Returns: the first position that they are of
 */
gsize
hl_prediction_get_first (HlPrediction *self)
{
  g_return_val_if_fail (HL_IS_PREDICTION (self), 0);

  return self->first;
}

/**
 * hl_prediction_get_n_positions:
 * @self: predictions
 *
 * Returns: of how many positions they are
 */
gsize
hl_prediction_get_n_positions (HlPrediction *self)
{
  g_return_val_if_fail (HL_IS_PREDICTION (self), 0);

  return self->n_positions;
}

/**
 * hl_prediction_get_n_candidates:
 * @self: predictions
 *
 * Returns: tokens of each position
 */
guint
hl_prediction_get_n_candidates (HlPrediction *self)
{
  g_return_val_if_fail (HL_IS_PREDICTION (self), 0);

  return self->n_candidates;
}

/**
 * hl_prediction_get_candidates:
 * @self: predictions
 * @row: which row
 * @position: a position of the text, one that they are of
 *
 * Returns: (transfer none): the tokens, the most likely first
 */
const HlCandidate *
hl_prediction_get_candidates (HlPrediction *self,
                              guint         row,
                              gsize         position)
{
  g_return_val_if_fail (HL_IS_PREDICTION (self) && row < self->n_rows, NULL);
  g_return_val_if_fail (position >= self->first && position - self->first < self->n_positions, NULL);

  return self->candidates + (row * self->n_positions + position - self->first) * self->n_candidates;
}
