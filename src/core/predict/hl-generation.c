/* SPDX-License-Identifier: MIT */
/* A decoder at work: the tokens that it has not seen yet go through its layers, and one is chosen by what it says of the last. */
#include "core/predict/hl-generation.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/predict/hl-generation-rules.h"
#include "core/predict/hl-run-record.h"
#include "core/predict/hl-token-decoder.h"

struct _HlGeneration
{
  GObject parent_instance;

  HlUnembedding *head;
  HlModel *model;
  HlAttentionKind attention;
  const HlStack *stack;
  HlGenerationOptions options;
  char *stop;
  HlGenerationRules rules;
  HlTokenDecoder *decoder; /* nullable: without a tokenizer there is no text */

  guint32 *encoder_ids;
  gsize n_encoder_ids;
  float *memory; /* [n_encoder_ids, width], once the encoder was run */
  GArray *ids;   /* of guint32: those of the text, then those that were written */
  gsize n_prompt;

  HlPast *past;
  HlRunRecord *record; /* nullable */
  float *logits;       /* [n_tokens], of what follows ids */
  gboolean has_logits;
  guint64 random;
  HlGenerationEnd end;
};

G_DEFINE_FINAL_TYPE (HlGeneration, hl_generation, G_TYPE_OBJECT)

static void
hl_generation_finalize (GObject *object)
{
  HlGeneration *self = HL_GENERATION (object);

  g_clear_pointer (&self->past, hl_past_free);
  g_clear_pointer (&self->record, hl_run_record_free);
  g_clear_pointer (&self->decoder, hl_token_decoder_free);
  g_clear_pointer (&self->ids, g_array_unref);
  hl_generation_rules_clear (&self->rules);
  g_free (self->encoder_ids);
  g_free (self->memory);
  g_free (self->logits);
  g_free (self->stop);
  g_clear_object (&self->head);
  G_OBJECT_CLASS (hl_generation_parent_class)->finalize (object);
}

static void
hl_generation_class_init (HlGenerationClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_generation_finalize;
}

static void
hl_generation_init (HlGeneration *self)
{
}

/* The text to go on with: the model's, or what stands in the decoder. */
static gboolean
take_input (HlGeneration       *self,
            const HlModelInput *input,
            GError            **error)
{
  const gboolean two = self->attention == HL_ATTENTION_DECODER;
  guint32 start;

  self->ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (!two)
    g_array_append_vals (self->ids, input->ids, (guint) input->n_ids);
  else if (input->n_decoder_ids > 0)
    g_array_append_vals (self->ids, input->decoder_ids, (guint) input->n_decoder_ids);
  else if (hl_model_get_decoder_start (self->model, &start))
    g_array_append_val (self->ids, start);
  self->n_prompt = self->ids->len;
  if (two)
    {
      self->encoder_ids = g_memdup2 (input->ids, input->n_ids * sizeof *input->ids);
      self->n_encoder_ids = input->n_ids;
    }
  const HlModelInput whole = {
    .ids = input->ids,
    .n_ids = input->n_ids,
    .decoder_ids = two ? (const guint32 *) (const void *) self->ids->data : NULL,
    .n_decoder_ids = two ? self->ids->len : 0,
  };
  return hl_model_check_input (self->model, &whole, error);
}

static gboolean
load_rules (HlGeneration *self,
            GError      **error)
{
  const gsize n_tokens = hl_unembedding_get_n_tokens (self->head);

  if (!hl_generation_rules_load (&self->rules, self->model, n_tokens, error))
    return FALSE;
  if (!self->rules.has_first || self->rules.first < n_tokens)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("there is no token %u; the model predicts %zu"), self->rules.first,
               n_tokens);
  g_prefix_error (error, "%s: ", HL_GENERATION_FIRST);
  return FALSE;
}

/**
 * hl_generation_new:
 * @head: what the model predicts with
 * @input: the text to go on with; of an encoder–decoder model that of the encoder, and, if there is one, the beginning of the decoder's
 * @options: how it is to write
 * @error: %HL_ERROR_UNSUPPORTED for a model that fills masks, %HL_ERROR_VALUE without a text or where the token that follows it is
 *   none of the model's, %HL_ERROR_TOO_LARGE for one that is too long
 *
 * Computes nothing yet.
 *
 * Returns: (transfer full) (nullable): a text at its beginning
 */
HlGeneration *
hl_generation_new (HlUnembedding             *head,
                   const HlModelInput        *input,
                   const HlGenerationOptions *options,
                   GError                   **error)
{
  g_return_val_if_fail (HL_IS_UNEMBEDDING (head), NULL);
  g_return_val_if_fail (input != NULL && options != NULL, NULL);

  g_autoptr (HlGeneration) self = g_object_new (HL_TYPE_GENERATION, NULL);

  if (hl_unembedding_tells_classes (head))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                   _ ("this model tells classes of images; only a decoder goes on with a text"));
      return NULL;
    }
  if (hl_unembedding_is_masked (head))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                   _ ("this model fills masked tokens in; only a decoder goes on with a text"));
      return NULL;
    }
  if (!(options->temperature >= 0) || isinf (options->temperature))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("a temperature is 0 or above"));
      return NULL;
    }
  self->head = g_object_ref (head);
  self->model = hl_unembedding_get_model (head);
  self->attention = hl_unembedding_get_attention (head);
  self->stack = hl_model_get_stack (self->model, self->attention);
  self->options = *options;
  self->stop = g_strdup (options->stop);
  self->random = options->seed;
  if (!take_input (self, input, error) || !load_rules (self, error))
    return NULL;
  if (hl_model_get_tokenizer (self->model) != NULL)
    self->decoder =
      hl_token_decoder_new (hl_model_get_tokenizer (self->model), self->attention == HL_ATTENTION_DECODER);
  self->past = hl_past_new (self->stack);
  if (options->record)
    self->record = hl_run_record_new (self->model);
  self->logits = g_new (float, hl_unembedding_get_n_tokens (head));
  return g_steal_pointer (&self);
}

static void
record_layer (const HlLayerProjections *projections,
              gpointer                  data)
{
  hl_run_record_add (data, projections);
}

/* Runs the encoder, once. */
static gboolean
run_encoder (HlGeneration *self,
             GCancellable *cancellable,
             GError      **error)
{
  const HlStackRun run = {
    .ids = self->encoder_ids,
    .n_tokens = self->n_encoder_ids,
    .attention = HL_ATTENTION_ENCODER,
    .func = self->record != NULL ? record_layer : NULL,
    .data = self->record,
  };

  return self->attention != HL_ATTENTION_DECODER || self->memory != NULL ||
         hl_model_run_stack (self->model, &run, &self->memory, cancellable, error);
}

/* Takes the tokens through the layers that were not yet. */
static gboolean
advance (HlGeneration *self,
         GCancellable *cancellable,
         GError      **error)
{
  const gsize n = self->ids->len;
  g_autofree float *states = NULL;

  if (self->has_logits)
    return TRUE;
  if (!run_encoder (self, cancellable, error))
    return FALSE;
  if (!hl_stack_can_go_on (self->stack, n))
    {
      /* Where a longer text turns all keys otherwise, nothing that was kept is right. */
      hl_past_free (self->past);
      self->past = hl_past_new (self->stack);
      if (self->record != NULL)
        hl_run_record_cut (self->record, 0);
    }
  const gsize n_past = hl_past_get_n (self->past);
  const HlStackRun run = {
    .ids = &g_array_index (self->ids, guint32, n_past),
    .n_tokens = n - n_past,
    .past = self->past,
    .memory = self->memory,
    .n_memory = self->n_encoder_ids,
    .attention = self->attention,
    .func = self->record != NULL ? record_layer : NULL,
    .data = self->record,
  };
  if ((self->record != NULL && !hl_run_record_check (self->record, error)) ||
      !hl_model_run_stack (self->model, &run, &states, cancellable, error))
    {
      /* A pass that stopped half-way told of some layers only, and one without memory forgot what was kept. */
      if (self->record != NULL)
        hl_run_record_cut (self->record, hl_past_get_n (self->past));
      return FALSE;
    }
  const float *last = states + (n - n_past - 1) * hl_unembedding_get_width (self->head);
  self->has_logits = hl_unembedding_logits (self->head, last, 1, self->logits, error);
  if (self->has_logits)
    hl_generation_rules_apply (&self->rules, self->n_prompt, n, self->logits);
  return self->has_logits;
}

/* From 0 to below 1; the next number of SplitMix64 (Steele et al. 2014). */
static double
draw (HlGeneration *self)
{
  guint64 z = self->random += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return (double) ((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* The most likely token, or one that is drawn. FALSE when the logits are no numbers. */
static gboolean
choose (HlGeneration *self,
        guint32      *id)
{
  const gsize n_tokens = hl_unembedding_get_n_tokens (self->head);
  double sum = 0;
  gsize best = 0;

  for (gsize i = 0; i < n_tokens; i++)
    {
      if (isnan (self->logits[i]) || self->logits[i] == INFINITY)
        return FALSE;
      if (self->logits[i] > self->logits[best])
        best = i;
    }
  *id = (guint32) best;
  if (self->options.temperature == 0)
    return self->logits[best] > -INFINITY;
  for (gsize i = 0; i < n_tokens; i++)
    sum += exp (((double) self->logits[i] - self->logits[best]) / self->options.temperature);
  const double wanted = draw (self) * sum;
  double passed = 0;
  for (gsize i = 0; i < n_tokens; i++)
    {
      passed += exp (((double) self->logits[i] - self->logits[best]) / self->options.temperature);
      if (passed > wanted)
        {
          *id = (guint32) i;
          break;
        }
    }
  return self->logits[best] > -INFINITY;
}

static HlGenerationEnd
get_end (HlGeneration *self,
         guint32       id)
{
  if (hl_generation_rules_ends (&self->rules, id))
    return HL_GENERATION_ENDED;
  if (self->stop != NULL && *self->stop != '\0' && strstr (hl_generation_get_text (self), self->stop) != NULL)
    return HL_GENERATION_STOPPED;
  return hl_generation_get_n_new (self) >= self->options.max_tokens ? HL_GENERATION_MAX_TOKENS : HL_GENERATION_GOES_ON;
}

/* The last token need not be read by the model, but in a document it is. */
static gboolean
is_full (HlGeneration *self)
{
  const gsize limit = self->stack->max_length;

  return limit > 0 && self->ids->len + (self->options.record ? 1 : 0) > limit;
}

/**
 * hl_generation_next:
 * @self: a text
 * @id: (out): the token that was written
 * @cancellable: (nullable): stops it between layers
 * @error: as hl_model_forward(), %HL_ERROR_VALUE when logits are no numbers, %HL_ERROR_TOO_LARGE without memory
 *
 * Writes one more token. After an error it can be tried again. Blocks.
 *
 * Returns: whether there is one; %FALSE without an error when the text is at its end
 */
gboolean
hl_generation_next (HlGeneration *self,
                    guint32      *id,
                    GCancellable *cancellable,
                    GError      **error)
{
  g_return_val_if_fail (HL_IS_GENERATION (self), FALSE);

  if (self->end == HL_GENERATION_GOES_ON && hl_generation_get_n_new (self) >= self->options.max_tokens)
    self->end = HL_GENERATION_MAX_TOKENS;
  if (self->end == HL_GENERATION_GOES_ON && is_full (self))
    self->end = HL_GENERATION_FULL;
  if (self->end != HL_GENERATION_GOES_ON || !advance (self, cancellable, error))
    return FALSE;
  if (!choose (self, id))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the logits of position %u are NaN or infinite"),
                   self->ids->len - 1);
      return FALSE;
    }
  g_array_append_val (self->ids, *id);
  self->has_logits = FALSE;
  if (self->decoder != NULL && !hl_generation_rules_ends (&self->rules, *id))
    hl_token_decoder_append (self->decoder, *id);
  self->end = get_end (self, *id);
  return TRUE;
}

/**
 * hl_generation_get_end:
 * @self: a text
 *
 * Returns: why it is at its end, if it is
 */
HlGenerationEnd
hl_generation_get_end (HlGeneration *self)
{
  g_return_val_if_fail (HL_IS_GENERATION (self), HL_GENERATION_GOES_ON);

  return self->end;
}

/**
 * hl_generation_get_ids:
 * @self: a text
 * @n_ids: (out): how many
 *
 * Returns: (transfer none) (array length=n_ids): its tokens, those that it began with first; of two stacks, the decoder's
 */
const guint32 *
hl_generation_get_ids (HlGeneration *self,
                       gsize        *n_ids)
{
  g_return_val_if_fail (HL_IS_GENERATION (self), NULL);

  *n_ids = self->ids->len;
  return (const guint32 *) (const void *) self->ids->data;
}

/**
 * hl_generation_get_n_new:
 * @self: a text
 *
 * Returns: how many of its tokens were written
 */
gsize
hl_generation_get_n_new (HlGeneration *self)
{
  g_return_val_if_fail (HL_IS_GENERATION (self), 0);

  return self->ids->len - self->n_prompt;
}

/**
 * hl_generation_get_logits:
 * @self: a text
 *
 * Returns: (transfer none): the logits that the last token was chosen by, −∞ for tokens that the model's files ruled out
 */
const float *
hl_generation_get_logits (HlGeneration *self)
{
  g_return_val_if_fail (HL_IS_GENERATION (self), NULL);

  return self->logits;
}

/**
 * hl_generation_get_text:
 * @self: a text
 *
 * Returns: (transfer none): what was written, without the text that it began with; valid until more is
 */
const char *
hl_generation_get_text (HlGeneration *self)
{
  g_return_val_if_fail (HL_IS_GENERATION (self), NULL);

  return self->decoder != NULL ? hl_token_decoder_get_text (self->decoder) : "";
}

/**
 * hl_generation_new_document:
 * @self: a text that is recorded
 * @text: (nullable): the text as a document is to have it
 * @error: %HL_ERROR_TOO_LARGE without memory, and as hl_generation_next()
 *
 * Makes a document of all tokens so far, with all its numbers: what a run on them would give, from what was kept. Blocks.
 *
 * Returns: (transfer full) (nullable): the document
 */
HlDocument *
hl_generation_new_document (HlGeneration *self,
                            const char   *text,
                            GError      **error)
{
  g_return_val_if_fail (HL_IS_GENERATION (self) && self->record != NULL, NULL);

  const gboolean two = self->attention == HL_ATTENTION_DECODER;
  gsize n;

  if (!advance (self, NULL, error))
    return NULL;
  const guint32 *ids = hl_generation_get_ids (self, &n);
  const HlModelText all = {
    .text = text,
    .ids = two ? self->encoder_ids : ids,
    .n_ids = two ? self->n_encoder_ids : n,
    .decoder_ids = two ? ids : NULL,
    .n_decoder_ids = two ? n : 0,
  };
  g_autoptr (HlModelRun) run = hl_model_run_new (self->model, &all, error);
  if (run == NULL || !hl_run_record_fill (self->record, n, run, error))
    return NULL;
  return g_object_ref (hl_model_run_get_document (run));
}
