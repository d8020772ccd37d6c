/* SPDX-License-Identifier: MIT */
/* Several texts in one pass. Short texts have too few rows for products to be fast: together they read the weights once, and attend apart. */
#include "core/model/hl-model-texts.h"

#include <string.h>

/* The tokens of one side of a model, of all texts one behind the other. */
typedef struct
{
  guint32 *ids;
  guint32 *segments;
  gsize *lengths; /* of each text */
  gsize n;        /* of all */
} Tokens;

static void
tokens_init (Tokens *self,
             guint   n_texts,
             gsize   n)
{
  self->ids = g_new (guint32, MAX (n, 1));
  self->lengths = g_new (gsize, n_texts);
}

static void
tokens_add (Tokens        *self,
            guint          text,
            const guint32 *ids,
            gsize          n)
{
  if (n > 0)
    memcpy (self->ids + self->n, ids, n * sizeof *ids);
  self->lengths[text] = n;
  self->n += n;
}

static void
tokens_clear (Tokens *self)
{
  g_free (self->ids);
  g_free (self->segments);
  g_free (self->lengths);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tokens, tokens_clear)

static void
take_texts (Tokens             *self,
            const HlModelInput *inputs,
            guint               n_texts)
{
  gsize n = 0;

  for (guint i = 0; i < n_texts; i++)
    n += inputs[i].n_ids;
  tokens_init (self, n_texts, n);
  for (guint i = 0; i < n_texts; i++)
    {
      if (inputs[i].segments != NULL && self->segments == NULL)
        self->segments = g_new0 (guint32, n);
      if (inputs[i].segments != NULL)
        memcpy (self->segments + self->n, inputs[i].segments, inputs[i].n_ids * sizeof (guint32));
      tokens_add (self, i, inputs[i].ids, inputs[i].n_ids);
    }
}

/* A text without a target has no tokens for the decoder. */
static void
take_targets (Tokens             *self,
              const HlModelInput *inputs,
              guint               n_texts)
{
  gsize n = 0;

  for (guint i = 0; i < n_texts; i++)
    n += inputs[i].decoder_ids != NULL ? inputs[i].n_decoder_ids : 0;
  tokens_init (self, n_texts, n);
  for (guint i = 0; i < n_texts; i++)
    tokens_add (self, i, inputs[i].decoder_ids, inputs[i].decoder_ids != NULL ? inputs[i].n_decoder_ids : 0);
}

/**
 * hl_model_forward_texts:
 * @self: a model
 * @inputs: (array length=n): what it is run on; each is good by itself, hl_model_check_input()
 * @n: how many, at least one
 * @func: told of every layer of every text, see #HlLayerProjections.text
 * @data: for @func
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it between layers
 * @error: as hl_model_forward()
 *
 * Does what hl_model_forward() does for each of several texts in one pass, with the same numbers. It is for texts that are short: what is needed of
 * memory grows with all of their tokens. Blocks.
 *
 * Returns: whether all layers are done
 */
gboolean
hl_model_forward_texts (HlModel            *self,
                        const HlModelInput *inputs,
                        guint               n,
                        HlLayerFunc         func,
                        gpointer            data,
                        HlProgress         *progress,
                        GCancellable       *cancellable,
                        GError            **error)
{
  g_auto (Tokens) texts = { 0 }, targets = { 0 };
  g_autofree float *memory = NULL;

  g_return_val_if_fail (HL_IS_MODEL (self), FALSE);
  g_return_val_if_fail (inputs != NULL && n > 0 && func != NULL, FALSE);

  take_texts (&texts, inputs, n);
  if (hl_model_has_decoder (self))
    take_targets (&targets, inputs, n);
  HlStackRun run = {
    .ids = texts.ids,
    .segments = texts.segments,
    .n_tokens = texts.n,
    .lengths = texts.lengths,
    .n_streams = n,
    .attention = hl_model_has_decoder (self) ? HL_ATTENTION_ENCODER : HL_ATTENTION_SELF,
    .func = func,
    .data = data,
    .progress = progress,
    .progress_begin = 0,
    .progress_end = targets.n > 0 ? 0.5 : 1,
  };
  if (!hl_model_run_stack (self, &run, targets.n > 0 ? &memory : NULL, cancellable, error))
    return FALSE;
  if (targets.n == 0)
    return TRUE;
  run.ids = targets.ids;
  run.segments = NULL;
  run.n_tokens = targets.n;
  run.lengths = targets.lengths;
  run.memory = memory;
  run.n_memory = texts.n;
  run.memory_lengths = texts.lengths;
  run.attention = HL_ATTENTION_DECODER;
  run.progress_begin = 0.5;
  run.progress_end = 1;
  return hl_model_run_stack (self, &run, NULL, cancellable, error);
}
