/* SPDX-License-Identifier: MIT */
/* A run of a model: the document first, then, layer by layer, what is in it. No map of tokens by tokens is kept: weights follow from
 * queries and keys by the rules of the layers. */
#include "core/model/hl-model-run.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/hl-error.h"
#include "core/base/tensor/hl-pending-tensor.h"
#include "core/document/attention/hl-check.h"
#include "core/model/hl-model-image.h"
#include "core/model/hl-model-texts.h"
#include "core/model/hl-stack-rule.h"
#include "core/tokenizer/text/hl-letters.h"

/**
 * HlModelTokens:
 * @ids: (nullable) (array length=n): their numbers; %NULL of those that pixels become
 * @segments: (nullable) (array length=n): 0 for the first text, 1 for the second; %NULL when they are not known
 * @names: (array length=n): as the vocabulary spells them, or their numbers; %NULL-terminated
 * @n: how many; 0 for none at all
 * @sentence_b_start: the first token of the second text; 0 when there is none
 *
 * What one side of a model is run on.
 */
typedef struct
{
  guint32 *ids;
  guint32 *segments;
  char **names;
  gsize n;
  gsize sentence_b_start;
} HlModelTokens;

static void
take_ids (HlModelTokens *self,
          HlModel       *model,
          const guint32 *ids,
          gsize          n)
{
  self->n = n;
  self->ids = g_memdup2 (ids, n * sizeof *ids);
  self->names = g_new0 (char *, n + 1);
  for (gsize i = 0; i < n; i++)
    self->names[i] = hl_model_dup_token_name (model, ids[i]);
}

/* Models that tell fewer texts apart than their tokenizer take all tokens for the first text's, as transformers has them. */
static void
fit_segments (HlModelTokens *self,
              HlModel       *model)
{
  const gsize n_segments = hl_model_get_n_segments (model);

  for (gsize i = 0; i < self->n; i++)
    if (self->segments[i] >= n_segments)
      {
        g_clear_pointer (&self->segments, g_free);
        return;
      }
}

static HlEncoding *
encode (HlModel    *model,
        const char *text,
        const char *text_pair,
        gsize       max_length,
        GPtrArray  *checks,
        GError    **error)
{
  HlTokenizer *tokenizer = hl_model_require_tokenizer (model, error);
  g_autoptr (HlEncoding) encoding = NULL;

  if (tokenizer != NULL)
    encoding = hl_tokenizer_encode (tokenizer, text, text_pair, (guint) MIN (max_length, G_MAXUINT32), error);
  if (encoding == NULL)
    return NULL;
  if (encoding->n_cut > 0)
    g_ptr_array_add (
      checks, hl_check_new_about (HL_CHECK_TOPIC_LENGTH, HL_SEVERITY_WARNING,
                                  g_dngettext (GETTEXT_PACKAGE,
                                               "the model takes at most %zu tokens: %u token of the text is left out",
                                               "the model takes at most %zu tokens: %u tokens of the text are left out",
                                               encoding->n_cut),
                                  max_length, encoding->n_cut));
  return g_steal_pointer (&encoding);
}

/* How many of a text's characters, not bytes, the vocabulary does not have, from 0 to 1: an emoji has more bytes than a
 * word. */
static double
get_unknown_share (HlTokenizer *tokenizer,
                   const char  *text,
                   gsize        max_length,
                   guint32      unknown)
{
  g_autoptr (HlEncoding)
    encoding = hl_tokenizer_encode (tokenizer, text, NULL, (guint) MIN (max_length, G_MAXUINT32), NULL);
  guint64 n = 0, n_unknown = 0;

  for (guint i = 0; encoding != NULL && i < encoding->n_tokens; i++)
    {
      if (encoding->special[i])
        continue;
      const HlOffsets *where = &encoding->offsets[i];
      const guint64 length = g_utf8_strlen (text + where->start, where->end - where->start);
      n += length;
      n_unknown += encoding->ids[i] == unknown ? length : 0;
    }
  return n > 0 ? (double) n_unknown / (double) n : 0;
}

/* A protein without spaces is one unknown word to many models. */
static void
note_unknown (HlModel    *model,
              const char *text,
              GPtrArray  *checks)
{
  HlTokenizer *tokenizer = hl_model_get_tokenizer (model);
  const gsize max_length = hl_model_get_max_length (model);
  guint32 unknown;

  if (text == NULL || !hl_tokenizer_get_special_token (tokenizer, HL_SPECIAL_UNK, &unknown))
    return;
  const double share = get_unknown_share (tokenizer, text, max_length, unknown);
  if (share <= 0.5)
    return;
  g_autofree char *letters = hl_letters_space_out (text);
  const gboolean helps = get_unknown_share (tokenizer, letters, max_length, unknown) <= 0.5;
  const char *name = hl_tokenizer_get_token (tokenizer, unknown);

  g_ptr_array_add (
    checks, hl_check_new_about (helps ? HL_CHECK_TOPIC_UNKNOWN : HL_CHECK_TOPIC_NONE, HL_SEVERITY_WARNING,
                                helps ? _ ("%.0f %% of the text is unknown to the model and became %s; its letters by "
                                           "themselves are known")
                                      : _ ("%.0f %% of the text is unknown to the model and became %s"),
                                share * 100, name));
}

/* Most texts have nothing of the kind and need not be looked at again. */
static gboolean
has_unknown (HlModel          *model,
             const HlEncoding *encoding)
{
  guint32 unknown;

  if (!hl_tokenizer_get_special_token (hl_model_get_tokenizer (model), HL_SPECIAL_UNK, &unknown))
    return FALSE;
  for (guint i = 0; i < encoding->n_tokens; i++)
    if (encoding->ids[i] == unknown)
      return TRUE;
  return FALSE;
}

/* Makes tokens of the text, or of the encoder's, or names those of pixels that the model takes. A text that is too long is cut, which is said; token numbers are
 * not. */
static gboolean
hl_model_tokens_read (HlModelTokens     *self,
                      HlModel           *model,
                      const HlModelText *text,
                      const HlPixels    *pixels,
                      GPtrArray         *checks,
                      GError           **error)
{
  if (pixels != NULL)
    {
      self->n = hl_model_count_tokens (model, pixels);
      self->names = hl_model_dup_pixel_names (model, pixels);
      return TRUE;
    }
  if (text->ids != NULL)
    {
      take_ids (self, model, text->ids, text->n_ids);
      return TRUE;
    }
  if (text->text == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("there is no text"));
      return FALSE;
    }
  g_autoptr (HlEncoding)
    encoding = encode (model, text->text, text->text_pair, hl_model_get_max_length (model), checks, error);
  if (encoding == NULL)
    return FALSE;
  if (has_unknown (model, encoding))
    {
      note_unknown (model, text->text, checks);
      note_unknown (model, text->text_pair, checks);
    }
  self->n = encoding->n_tokens;
  self->ids = g_steal_pointer (&encoding->ids);
  self->names = g_steal_pointer (&encoding->tokens);
  self->segments = g_steal_pointer (&encoding->segments);
  self->sentence_b_start = encoding->sentence_b_start > 0 ? (gsize) encoding->sentence_b_start : 0;
  fit_segments (self, model);
  return TRUE;
}

/* Makes tokens of what the decoder is to write; none when there is no such text. */
static gboolean
hl_model_tokens_read_target (HlModelTokens     *self,
                             HlModel           *model,
                             const HlModelText *text,
                             GPtrArray         *checks,
                             GError           **error)
{
  guint32 start;

  if (!hl_model_has_decoder (model))
    {
      if (text->target_text == NULL && text->decoder_ids == NULL)
        return TRUE;
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the model has no decoder for a target text"));
      return FALSE;
    }
  if (text->decoder_ids != NULL)
    {
      take_ids (self, model, text->decoder_ids, text->n_decoder_ids);
      return TRUE;
    }
  if (text->target_text == NULL)
    {
      g_ptr_array_add (checks,
                       hl_check_new (HL_SEVERITY_INFO,
                                     _ ("there is no text for the decoder: only the encoder’s attention is computed")));
      return TRUE;
    }
  g_autoptr (HlEncoding)
    encoding = encode (model, text->target_text, NULL, hl_model_get_max_length (model), checks, error);
  if (encoding == NULL)
    return FALSE;
  if (!hl_model_get_decoder_start (model, &start) || encoding->n_tokens == 0)
    {
      take_ids (self, model, encoding->ids, encoding->n_tokens);
      return TRUE;
    }
  g_autofree guint32 *ids = g_new (guint32, encoding->n_tokens);
  ids[0] = start;
  memcpy (ids + 1, encoding->ids, (encoding->n_tokens - 1) * sizeof *ids);
  take_ids (self, model, ids, encoding->n_tokens);
  return TRUE;
}

static void
hl_model_tokens_clear (HlModelTokens *self)
{
  g_clear_pointer (&self->ids, g_free);
  g_clear_pointer (&self->segments, g_free);
  g_clear_pointer (&self->names, g_strfreev);
}

/* What a run keeps may take this part of the machine's memory. */
#define MEMORY_SHARE 2

#define MAX_ATTENTIONS 3

/* Tokens of a layer that are copied by more than one thread. */
#define MIN_PARALLEL 64

enum
{
  QUERIES,
  KEYS,
  VALUES,
  INPUTS,
  STREAM, /* where it is not the inputs */
  DISTANCE_QUERIES,
  DISTANCE_KEYS,
  N_QUANTITIES,
};

/* One kind of attention, whose tensors are filled layer by layer. */
typedef struct
{
  HlAttentionKind kind;
  guint n_layers;
  HlLayerTensor *layers[N_QUANTITIES]; /* n_layers of each that there is */
} RunAttention;

struct _HlModelRun
{
  GObject parent_instance;

  HlModel *model;
  HlModelCall *call;
  HlPixels *pixels;   /* nullable */
  HlPicture *picture; /* nullable: of the pixels */
  HlModelTokens tokens;
  HlModelTokens target;
  RunAttention attentions[MAX_ATTENTIONS];
  guint n_attentions;
  HlDocument *document;
  int started; /* atomic */
};

G_DEFINE_FINAL_TYPE (HlModelRun, hl_model_run, G_TYPE_OBJECT)

static void
fail_layer (const RunAttention *attention,
            guint               layer,
            const GError       *reason)
{
  for (guint i = 0; i < N_QUANTITIES; i++)
    if (attention->layers[i] != NULL)
      hl_pending_tensor_fail (HL_PENDING_TENSOR (attention->layers[i][layer].tensor), reason);
}

/* Those who wait, and those who come later, are told why there is nothing: what somebody else stopped they did not cancel. */
static void
fail_all (HlModelRun   *self,
          const GError *reason)
{
  const gboolean was_stopped = reason == NULL || g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  for (guint i = 0; i < self->n_attentions; i++)
    for (guint layer = 0; layer < self->attentions[i].n_layers; layer++)
      {
        g_autoptr (GError) stopped =
          was_stopped ? g_error_new (HL_ERROR, HL_ERROR_NOT_COMPUTED, _ ("layer %u was not computed"), layer) : NULL;
        fail_layer (&self->attentions[i], layer, was_stopped ? stopped : reason);
      }
}

static void
clear_attention (RunAttention *attention)
{
  for (guint j = 0; j < N_QUANTITIES; j++)
    {
      for (guint layer = 0; attention->layers[j] != NULL && layer < attention->n_layers; layer++)
        g_clear_object (&attention->layers[j][layer].tensor);
      g_free (attention->layers[j]);
    }
}

static void
hl_model_run_finalize (GObject *object)
{
  HlModelRun *self = HL_MODEL_RUN (object);

  fail_all (self, NULL);
  for (guint i = 0; i < self->n_attentions; i++)
    clear_attention (&self->attentions[i]);
  g_clear_object (&self->document);
  hl_model_tokens_clear (&self->tokens);
  hl_model_tokens_clear (&self->target);
  g_clear_pointer (&self->pixels, hl_pixels_unref);
  g_clear_pointer (&self->picture, hl_picture_unref);
  g_clear_object (&self->call);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (hl_model_run_parent_class)->finalize (object);
}

static void
hl_model_run_class_init (HlModelRunClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_model_run_finalize;
}

static void
hl_model_run_init (HlModelRun *self)
{
}

/* The shape of what a layer of an attention has of each; of rank 0 where it has none. */
static void
get_shapes (HlModel        *model,
            HlAttentionKind kind,
            guint           layer,
            gsize           n_queries,
            gsize           n_keys,
            HlShape         shapes[N_QUANTITIES])
{
  const HlLayerShape *shape = hl_model_get_shape (model, kind, layer);

  shapes[QUERIES] = (HlShape){ 3, { shape->n_heads, n_queries, shape->head_size } };
  shapes[KEYS] = (HlShape){ 3, { shape->n_key_heads, n_keys, shape->head_size } };
  shapes[VALUES] = (HlShape){ 3, { shape->n_key_heads, n_keys, shape->value_size } };
  shapes[INPUTS] = (HlShape){ 2, { n_queries, hl_model_get_width (model, kind) } };
  shapes[STREAM] = hl_model_has_norm_before (model, kind) ? shapes[INPUTS] : (HlShape){ 0 };
  shapes[DISTANCE_QUERIES] = shapes[DISTANCE_KEYS] = (HlShape){ 0 };
  const HlDistanceTable *table = hl_model_get_stack (model, kind)->distances;
  if (table == NULL)
    return;
  const HlShape distances = { 3, { shape->n_heads, hl_distance_table_get_n_rows (table, n_keys), shape->head_size } };
  if (table->parts.has_queries)
    shapes[DISTANCE_QUERIES] = distances;
  if (table->parts.has_keys)
    shapes[DISTANCE_KEYS] = distances;
}

/* Bytes that an attention will take; in double, which does not overflow. */
static double
measure_attention (HlModel        *model,
                   HlAttentionKind kind,
                   gsize           n_queries,
                   gsize           n_keys)
{
  HlShape shapes[N_QUANTITIES];
  double size = 0;

  for (guint layer = 0; layer < hl_model_get_n_layers (model, kind); layer++)
    {
      get_shapes (model, kind, layer, n_queries, n_keys, shapes);
      for (guint j = 0; j < N_QUANTITIES; j++)
        {
          double part = shapes[j].rank > 0 ? sizeof (float) : 0;
          for (guint axis = 0; axis < shapes[j].rank; axis++)
            part *= (double) shapes[j].dims[axis];
          size += part;
        }
    }
  if (kind != HL_ATTENTION_CROSS)
    size += hl_stack_measure_bias (hl_model_get_stack (model, kind), 2 * n_queries);
  return size;
}

static gboolean
check_memory (HlModel *model,
              gsize    n,
              gsize    n_target,
              GError **error)
{
  const double budget = (double) sysconf (_SC_PHYS_PAGES) * (double) sysconf (_SC_PAGESIZE) / MEMORY_SHARE;
  double size =
    measure_attention (model, hl_model_has_decoder (model) ? HL_ATTENTION_ENCODER : HL_ATTENTION_SELF, n, n);

  if (n_target > 0)
    size += measure_attention (model, HL_ATTENTION_DECODER, n_target, n_target) +
            measure_attention (model, HL_ATTENTION_CROSS, n_target, n);
  if (size <= budget)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
               _ ("queries, keys and values of %zu tokens take %.1f GB; %.1f GB of memory may be used"), n + n_target,
               size / 1e9, budget / 1e9);
  return FALSE;
}

/* Of a tensor of this layer alone: rows and columns, and heads before them if there are. */
static HlLayerTensor
make_layer (HlTensor *tensor)
{
  const int rank = (int) hl_tensor_get_shape (tensor)->rank;

  return (HlLayerTensor){
    .tensor = tensor,
    .layer_axis = -1,
    .batch_axis = -1,
    .head_axis = rank - 3,
    .row_axis = rank - 2,
    .column_axis = rank - 1,
  };
}

typedef HlTensor *(*OpenFunc) (HlModel *model, HlAttentionKind kind, guint layer, HlIngredient ingredient);

/* Returns the tensors of all layers; %NULL when there is one that has none, since its heads are made of another layer's, or it has no heads. */
static HlLayerTensor *
open_all (HlModel        *model,
          OpenFunc        open,
          HlAttentionKind kind,
          guint           n_layers,
          HlIngredient    ingredient)
{
  g_autofree HlLayerTensor *layers = g_new (HlLayerTensor, n_layers);

  for (guint layer = 0; layer < n_layers; layer++)
    {
      HlTensor *tensor = open (model, kind, layer, ingredient);
      if (tensor == NULL)
        {
          while (layer-- > 0)
            g_object_unref (layers[layer].tensor);
          return NULL;
        }
      layers[layer] = make_layer (tensor);
    }
  return g_steal_pointer (&layers);
}

/* The weights that queries, keys and values come from, and their biases. */
static void
open_ingredients (HlModel        *model,
                  HlAttentionKind kind,
                  guint           n_layers,
                  HlLayerTensor  *layers[HL_N_INGREDIENTS])
{
  for (HlIngredient i = HL_INGREDIENT_QUERY_WEIGHTS; i <= HL_INGREDIENT_VALUE_WEIGHTS; i++)
    {
      layers[i] = open_all (model, hl_model_open_weights, kind, n_layers, i);
      if (layers[i] != NULL)
        layers[HL_INGREDIENT_QUERY_BIAS + i] = open_all (model, hl_model_open_bias, kind, n_layers, i);
    }
}

static void
close_ingredients (HlLayerTensor *layers[HL_N_INGREDIENTS],
                   guint          n_layers)
{
  for (guint i = 0; i < HL_N_INGREDIENTS; i++)
    {
      for (guint layer = 0; layers[i] != NULL && layer < n_layers; layer++)
        g_object_unref (layers[i][layer].tensor);
      g_free (layers[i]);
    }
}

static gboolean
add_attention (HlModelRun          *self,
               GPtrArray           *attentions,
               HlAttentionKind      kind,
               const HlModelTokens *queries,
               const HlModelTokens *keys,
               GError             **error)
{
  RunAttention *attention = &self->attentions[self->n_attentions];
  HlShape shapes[N_QUANTITIES];
  g_autoptr (GBytes) bias = NULL;
  g_autofree HlAttentionRule *rules = hl_model_make_rules (self->model, kind, queries->n, &bias, error);

  if (rules == NULL)
    return FALSE;
  get_shapes (self->model, kind, 0, queries->n, keys->n, shapes);
  attention->kind = kind;
  for (guint j = 0; j < N_QUANTITIES; j++)
    if (shapes[j].rank > 0)
      attention->layers[j] = g_new0 (HlLayerTensor, hl_model_get_n_layers (self->model, kind));
  self->n_attentions++;
  for (; attention->n_layers < hl_model_get_n_layers (self->model, kind); attention->n_layers++)
    {
      get_shapes (self->model, kind, attention->n_layers, queries->n, keys->n, shapes);
      for (guint j = 0; j < N_QUANTITIES; j++)
        {
          if (shapes[j].rank == 0)
            continue;
          HlPendingTensor *tensor = hl_pending_tensor_new (&shapes[j], error);
          if (tensor == NULL)
            return FALSE;
          attention->layers[j][attention->n_layers] = make_layer (HL_TENSOR (tensor));
        }
    }
  /* With a gate of each query's own, a head's result is not its values times the rows of its output. */
  const gboolean gated = hl_model_get_family_row (self->model)->output_gate;
  g_autofree HlLayerTensor *output = g_new (HlLayerTensor, attention->n_layers);
  g_autofree HlFinish *finishes = g_new (HlFinish, attention->n_layers);
  for (guint layer = 0; layer < attention->n_layers; layer++)
    {
      output[layer] = make_layer (hl_model_open_output (self->model, kind, layer));
      finishes[layer] = hl_model_get_finish (self->model, kind, layer);
    }
  g_autoptr (HlTensor) output_norm = hl_model_open_output_norm (self->model, kind);
  HlLayerTensor *ingredients[HL_N_INGREDIENTS] = { NULL };
  open_ingredients (self->model, kind, attention->n_layers, ingredients);
  HlAttentionInit init = {
    .kind = kind,
    .projections = { attention->layers[QUERIES], attention->layers[KEYS] },
    .values = attention->layers[VALUES],
    .distances = { attention->layers[DISTANCE_QUERIES], attention->layers[DISTANCE_KEYS] },
    .inputs = attention->layers[INPUTS],
    .output = gated ? NULL : output,
    .stream = attention->layers[shapes[STREAM].rank > 0 ? STREAM : INPUTS],
    .output_norm = output_norm,
    .finishes = finishes,
    .n_layers = attention->n_layers,
    .tokens = { (const char *const *) queries->names, (const char *const *) keys->names },
    .n_used = { queries->n, keys->n },
    .pictures = { self->picture, self->picture },
    .sentence_b_start = kind == HL_ATTENTION_SELF || kind == HL_ATTENTION_ENCODER ? queries->sentence_b_start : 0,
    .rules = rules,
    .bias = bias,
  };
  for (guint i = 0; i < HL_N_INGREDIENTS; i++)
    init.ingredients[i] = ingredients[i];
  g_ptr_array_add (attentions, hl_attention_new (&init));
  close_ingredients (ingredients, attention->n_layers);
  for (guint layer = 0; layer < attention->n_layers; layer++)
    g_object_unref (output[layer].tensor);
  return TRUE;
}

static HlModelInput
get_input (HlModelRun *self)
{
  return (HlModelInput){
    .ids = self->tokens.ids,
    .pixels = self->pixels,
    .segments = self->tokens.segments,
    .n_ids = self->tokens.n,
    .decoder_ids = self->target.ids,
    .n_decoder_ids = self->target.n,
  };
}

/* What it sees is measured before there are tokens of it. */
static gboolean
see (HlModelRun        *self,
     const HlModelText *text,
     GPtrArray         *checks,
     GError           **error)
{
  if (text->image != NULL &&
      !hl_model_process_image (self->model, text->image, &self->pixels, &self->picture, checks, error))
    return FALSE;
  if (text->pixels != NULL)
    self->pixels = hl_pixels_ref (text->pixels);
  return self->pixels == NULL ||
         (hl_model_check_pixels (self->model, self->pixels, error) &&
          check_memory (self->model, hl_model_count_tokens (self->model, self->pixels), 0, error));
}

/* Of pixels alone it is known where patches stand, and not what was there. */
static void
place_patches (HlModelRun *self)
{
  if (self->pixels != NULL && self->picture == NULL)
    self->picture =
      hl_picture_new_for_names ((const char *const *) self->tokens.names, self->tokens.n, NULL, self->tokens.n);
}

/**
 * hl_model_run_new:
 * @model: a model
 * @text: what it is to be run on
 * @error: what is wrong with the text or the tokenizer; %HL_ERROR_TOO_LARGE for a text that the model or the memory has no room for
 *
 * Makes tokens of the text or pixels and the document of what follows from them. Pixels and images are for the part of the model that takes them,
 * hl_model_require_vision(). Computes nothing yet, and is fast but for images, hl_model_process_image().
 *
 * Returns: (transfer full) (nullable): a run
 */
HlModelRun *
hl_model_run_new (HlModel           *model,
                  const HlModelText *text,
                  GError           **error)
{
  g_return_val_if_fail (HL_IS_MODEL (model), NULL);
  g_return_val_if_fail (text != NULL, NULL);

  g_autoptr (HlModelRun) self = g_object_new (HL_TYPE_MODEL_RUN, NULL);
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);

  g_return_val_if_fail (text->pixels == NULL || text->image == NULL, NULL);
  if (text->pixels != NULL || text->image != NULL)
    model = hl_model_require_vision (model, error);
  if (model == NULL)
    return NULL;
  const HlAttentionKind kind = hl_model_has_decoder (model) ? HL_ATTENTION_ENCODER : HL_ATTENTION_SELF;
  self->model = g_object_ref (model);
  /* Token numbers are measured before they are copied. */
  if ((text->ids != NULL && !check_memory (model, text->n_ids, 0, error)) || !see (self, text, checks, error) ||
      !hl_model_tokens_read (&self->tokens, model, text, self->pixels, checks, error) ||
      !hl_model_tokens_read_target (&self->target, model, text, checks, error) ||
      !check_memory (model, self->tokens.n, self->target.n, error))
    return NULL;
  place_patches (self);
  const HlModelInput input = get_input (self);
  if (!hl_model_check_input (model, &input, error))
    return NULL;

  if (!add_attention (self, attentions, kind, &self->tokens, &self->tokens, error) ||
      (self->target.ids != NULL &&
       (!add_attention (self, attentions, HL_ATTENTION_DECODER, &self->target, &self->target, error) ||
        !add_attention (self, attentions, HL_ATTENTION_CROSS, &self->target, &self->tokens, error))))
    return NULL;
  g_autoptr (HlExample) example = hl_example_new (NULL, text->text, text->text_pair, attentions, checks);
  self->call = hl_model_call_new (model, &input);
  self->document =
    hl_document_new (hl_model_get_file (model), "model", hl_model_get_name (model), example, G_OBJECT (self->call));
  return g_steal_pointer (&self);
}

/**
 * hl_model_run_get_document:
 * @self: a run
 *
 * Returns: (transfer none): what follows from the text: complete but for its numbers. Reading those of a layer waits until the layer is
 *   computed, and is an error when it will not be
 */
HlDocument *
hl_model_run_get_document (HlModelRun *self)
{
  g_return_val_if_fail (HL_IS_MODEL_RUN (self), NULL);

  return self->document;
}

/**
 * hl_model_run_get_call:
 * @self: a run
 *
 * Returns: (transfer none): the model and its tokens; the document keeps it as well
 */
HlModelCall *
hl_model_run_get_call (HlModelRun *self)
{
  g_return_val_if_fail (HL_IS_MODEL_RUN (self), NULL);

  return self->call;
}

/**
 * hl_model_run_take_layer:
 * @self: a run that is not executed
 * @projections: a layer of its text, computed by somebody else
 * @error: %HL_ERROR_TOO_LARGE without memory
 *
 * Copies what a layer is to show into the document. For whoever has run the model already.
 *
 * Returns: whether it could be copied
 */
gboolean
hl_model_run_take_layer (HlModelRun               *self,
                         const HlLayerProjections *projections,
                         GError                  **error)
{
  g_return_val_if_fail (HL_IS_MODEL_RUN (self) && projections != NULL, FALSE);

  const HlDistances *distances = projections->rule.distances;
  const float *const numbers[N_QUANTITIES] = {
    [QUERIES] = projections->queries,
    [KEYS] = projections->keys,
    [VALUES] = projections->values,
    [INPUTS] = projections->inputs,
    [STREAM] = projections->stream,
    [DISTANCE_QUERIES] = distances != NULL ? distances->queries : NULL,
    [DISTANCE_KEYS] = distances != NULL ? distances->keys : NULL,
  };
  GError *errors[N_QUANTITIES] = { NULL };
  const RunAttention *attention = self->attentions;

  while (attention->kind != projections->attention)
    attention++;
    /* Most of it is the time that new memory takes. */
#pragma omp parallel for if (projections->n_queries >= MIN_PARALLEL)
  for (guint i = 0; i < N_QUANTITIES; i++)
    if (attention->layers[i] != NULL)
      hl_pending_tensor_fill (HL_PENDING_TENSOR (attention->layers[i][projections->layer].tensor), numbers[i],
                              &errors[i]);
  GError *first = NULL;
  for (guint i = 0; i < N_QUANTITIES; i++)
    if (first == NULL)
      first = errors[i];
    else
      g_clear_error (&errors[i]);
  if (first != NULL)
    g_propagate_error (error, first);
  return first == NULL;
}

typedef struct
{
  HlModelRun *const *runs;
  GError *error;
} Filling;

static void
fill_layer (const HlLayerProjections *projections,
            gpointer                  data)
{
  Filling *self = data;

  if (self->error == NULL)
    hl_model_run_take_layer (self->runs[projections->text], projections, &self->error);
}

/* Whoever waits for layers is told how it went. */
static gboolean
finish (HlModelRun *const *runs,
        guint              n,
        GError            *reason,
        Filling           *filling,
        HlProgress        *progress,
        GError           **error)
{
  if (filling->error != NULL)
    {
      g_clear_error (&reason);
      reason = filling->error;
    }
  if (reason == NULL)
    {
      hl_progress_set (progress, 1, NULL);
      return TRUE;
    }
  for (guint i = 0; i < n; i++)
    fail_all (runs[i], reason);
  g_propagate_error (error, reason);
  return FALSE;
}

/**
 * hl_model_run_execute:
 * @self: a run that has not been executed
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it between layers
 * @error: as hl_model_forward(), and %HL_ERROR_TOO_LARGE without memory
 *
 * Computes all layers; once, on any thread. When it fails, those who wait for layers that are not done get the same error. When it
 * is cancelled, or dropped before, they get %HL_ERROR_NOT_COMPUTED: a reader's %G_IO_ERROR_CANCELLED is its own.
 *
 * Returns: whether all layers are done
 */
gboolean
hl_model_run_execute (HlModelRun   *self,
                      HlProgress   *progress,
                      GCancellable *cancellable,
                      GError      **error)
{
  g_return_val_if_fail (HL_IS_MODEL_RUN (self), FALSE);
  g_return_val_if_fail (g_atomic_int_compare_and_exchange (&self->started, FALSE, TRUE), FALSE);

  const HlModelInput input = get_input (self);
  Filling filling = { .runs = &self };
  GError *reason = NULL;

  hl_model_forward (self->model, &input, fill_layer, &filling, progress, cancellable, &reason);
  return finish (&self, 1, reason, &filling, progress, error);
}

/**
 * hl_model_run_execute_together:
 * @runs: (array length=n): runs of one model that have not been executed
 * @n: how many, at least one
 * @cancellable: (nullable): stops it between layers
 * @error: as hl_model_run_execute()
 *
 * hl_model_run_execute() of several short texts in one pass, hl_model_forward_texts(). When it fails, it fails for all.
 *
 * Returns: whether all layers of all are done
 */
gboolean
hl_model_run_execute_together (HlModelRun *const *runs,
                               guint              n,
                               GCancellable      *cancellable,
                               GError           **error)
{
  g_return_val_if_fail (runs != NULL && n > 0, FALSE);

  g_autofree HlModelInput *inputs = g_new (HlModelInput, n);
  Filling filling = { .runs = runs };
  GError *reason = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_return_val_if_fail (HL_IS_MODEL_RUN (runs[i]) && runs[i]->model == runs[0]->model, FALSE);
      g_return_val_if_fail (g_atomic_int_compare_and_exchange (&runs[i]->started, FALSE, TRUE), FALSE);
      inputs[i] = get_input (runs[i]);
    }
  hl_model_forward_texts (runs[0]->model, inputs, n, fill_layer, &filling, NULL, cancellable, &reason);
  return finish (runs, n, reason, &filling, NULL, error);
}
