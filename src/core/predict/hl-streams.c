/* SPDX-License-Identifier: MIT */
/* One pass over a text, kept: whoever asks for one position after another pays for the head alone. */
#include "core/predict/hl-streams.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/base/hl-error.h"

/* What is kept may take this part of the machine's memory. */
#define MEMORY_SHARE 8

struct _HlStreams
{
  GObject parent_instance;

  HlUnembedding *head;
  guint n_layers;
  gsize n;
  gsize width;
  float *states; /* [n_layers + 1, n, width]; the last behind the final norm */
};

G_DEFINE_FINAL_TYPE (HlStreams, hl_streams, G_TYPE_OBJECT)

static void
hl_streams_finalize (GObject *object)
{
  HlStreams *self = HL_STREAMS (object);

  g_clear_object (&self->head);
  g_free (self->states);
  G_OBJECT_CLASS (hl_streams_parent_class)->finalize (object);
}

static void
hl_streams_class_init (HlStreamsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_streams_finalize;
}

static void
hl_streams_init (HlStreams *self)
{
}

static void
take_stream (const HlStream *stream,
             gpointer        data)
{
  HlStreams *self = data;
  const gsize size = self->n * self->width;

  if (stream->attention != hl_unembedding_get_attention (self->head) ||
      (!stream->final && stream->n_layers == self->n_layers))
    return;
  memcpy (self->states + stream->n_layers * size, stream->states, size * sizeof *self->states);
}

/**
 * hl_streams_new:
 * @head: what the model predicts with
 * @input: the text; with tokens of the decoder if it has one
 * @cancellable: (nullable): stops it between layers
 * @error: %HL_ERROR_VALUE without a text, %HL_ERROR_TOO_LARGE without room, and as hl_model_forward()
 *
 * Runs the model and keeps what goes from layer to layer. Blocks.
 *
 * Returns: (transfer full) (nullable): the stream
 */
HlStreams *
hl_streams_new (HlUnembedding      *head,
                const HlModelInput *input,
                GCancellable       *cancellable,
                GError            **error)
{
  g_return_val_if_fail (HL_IS_UNEMBEDDING (head) && input != NULL, NULL);

  const double budget = (double) sysconf (_SC_PHYS_PAGES) * (double) sysconf (_SC_PAGESIZE) / MEMORY_SHARE;
  const HlAttentionKind attention = hl_unembedding_get_attention (head);
  g_autoptr (HlStreams) self = g_object_new (HL_TYPE_STREAMS, NULL);
  const HlModelHooks hooks = { .stream_func = take_stream, .data = self };

  self->head = g_object_ref (head);
  self->n_layers = hl_model_get_n_layers (hl_unembedding_get_model (head), attention);
  self->n = attention == HL_ATTENTION_DECODER ? input->n_decoder_ids : input->n_ids;
  self->width = hl_unembedding_get_width (head);
  if (self->n == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                   attention == HL_ATTENTION_DECODER
                     ? _ ("the model predicts what its decoder writes; there is no text for it")
                     : _ ("the text has no tokens"));
      return NULL;
    }
  const double size = (self->n_layers + 1.0) * (double) self->n * (double) self->width * sizeof (float);
  if (size > budget)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("what goes from layer to layer takes %.1f GB; %.1f GB of memory may be used"), size / 1e9,
                   budget / 1e9);
      return NULL;
    }
  self->states = g_try_malloc ((gsize) size);
  if (self->states == NULL)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  if (!hl_model_forward_with (hl_unembedding_get_model (head), input, &hooks, NULL, cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * hl_streams_get_head:
 * @self: a stream
 *
 * Returns: (transfer none): what the model predicts with
 */
HlUnembedding *
hl_streams_get_head (HlStreams *self)
{
  g_return_val_if_fail (HL_IS_STREAMS (self), NULL);

  return self->head;
}

/**
 * hl_streams_get_n:
 * @self: a stream
 *
 * Returns: positions of the text
 */
gsize
hl_streams_get_n (HlStreams *self)
{
  g_return_val_if_fail (HL_IS_STREAMS (self), 0);

  return self->n;
}

/**
 * hl_streams_get_n_layers:
 * @self: a stream
 *
 * Returns: layers of the model
 */
guint
hl_streams_get_n_layers (HlStreams *self)
{
  g_return_val_if_fail (HL_IS_STREAMS (self), 0);

  return self->n_layers;
}

/**
 * hl_streams_predict:
 * @self: a stream
 * @position: a position of the text
 * @n_candidates: tokens of each row, at most as many as the model has
 * @candidates: [n_layers + 1, n_candidates], filled: before the first layer, after each, and last what the model says
 * @error: %HL_ERROR_VALUE when there is no such position, or logits are no numbers
 *
 * Takes the stream at a position through the head: the lens (nostalgebraist 2020). Blocks.
 *
 * Returns: whether it could be computed
 */
gboolean
hl_streams_predict (HlStreams   *self,
                    gsize        position,
                    guint        n_candidates,
                    HlCandidate *candidates,
                    GError     **error)
{
  g_return_val_if_fail (HL_IS_STREAMS (self), FALSE);
  g_return_val_if_fail (n_candidates > 0 && n_candidates <= hl_unembedding_get_n_tokens (self->head), FALSE);

  const gsize n_tokens = hl_unembedding_get_n_tokens (self->head);
  const guint n_rows = self->n_layers + 1;

  if (position >= self->n)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("there is no position %" PRIu64 ": the text has %zu tokens"),
                   (guint64) position, self->n);
      return FALSE;
    }
  g_autofree float *states = g_new (float, n_rows * self->width);
  g_autofree float *logits = g_try_new (float, n_rows *n_tokens);
  if (logits == NULL)
    return hl_error_set_no_memory (error);
  for (guint row = 0; row < n_rows; row++)
    memcpy (states + row * self->width, self->states + (row * self->n + position) * self->width,
            self->width * sizeof *states);
  hl_unembedding_norm (self->head, states, self->n_layers, states);
  if (!hl_unembedding_logits (self->head, states, n_rows, logits, error))
    return FALSE;
  for (guint row = 0; row < n_rows; row++)
    {
      hl_candidates_rank (logits + row * n_tokens, n_tokens, n_candidates, candidates + row * n_candidates);
      if (!isfinite (candidates[row * n_candidates].probability))
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the logits of position %u are NaN or infinite"),
                       (guint) position);
          return FALSE;
        }
    }
  return TRUE;
}
