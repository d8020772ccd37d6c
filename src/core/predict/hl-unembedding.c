/* SPDX-License-Identifier: MIT */
/* The head of a model: a projection or a transform, where the family has one, the rows of the tokens, bias, scale and cap. */
#include "core/predict/hl-unembedding.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/model/family/hl-activation-name.h"
#include "core/model/layer/hl-norm-load.h"

struct _HlUnembedding
{
  GObject parent_instance;

  HlModel *model;
  const HlStack *stack;
  HlLinear rows;      /* [n_tokens, width of the rows], with the bias */
  HlLinear project;   /* without a tensor when there is none */
  HlLinear transform; /* likewise */
  HlActivation activation;
  HlNorm norm;
  float scale;
  float softcap; /* 0 for none */
};

G_DEFINE_FINAL_TYPE (HlUnembedding, hl_unembedding, G_TYPE_OBJECT)

static void
hl_unembedding_finalize (GObject *object)
{
  HlUnembedding *self = HL_UNEMBEDDING (object);

  hl_linear_clear (&self->rows);
  hl_linear_clear (&self->project);
  hl_linear_clear (&self->transform);
  hl_norm_clear (&self->norm);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (hl_unembedding_parent_class)->finalize (object);
}

static void
hl_unembedding_class_init (HlUnembeddingClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_unembedding_finalize;
}

static void
hl_unembedding_init (HlUnembedding *self)
{
}

/* Whether the files have the first part of a head at all: weights of the layers alone are often published. */
static gboolean
check_head (const HlHeadNames *names,
            HlWeights         *weights,
            gboolean           tied,
            gboolean           both_ways,
            gboolean           classes,
            GError           **error)
{
  g_autofree char *dense = names->dense != NULL ? g_strconcat (names->dense, ".weight", NULL) : NULL;
  gboolean has_rows = tied;

  for (const char *const *name = names->rows; name != NULL && *name != NULL; name++)
    has_rows = has_rows || hl_weights_has (weights, *name);
  if (has_rows && !both_ways && (dense == NULL || hl_weights_has (weights, dense)))
    return TRUE;
  if (names->discriminator != NULL && hl_weights_has (weights, names->discriminator))
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
                 _ ("this checkpoint is a discriminator, which tells replaced tokens from others and predicts none"));
  else
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
                 classes ? _ ("this checkpoint has no head that tells classes of images")
                         : _ ("this checkpoint has no head that predicts tokens"));
  return FALSE;
}

static gboolean
load_transform (HlUnembedding     *self,
                const HlHeadNames *names,
                GError           **error)
{
  HlWeights *weights = hl_model_get_weights (self->model);
  HlModelConfig *config = hl_model_get_config (self->model);
  g_autofree char *activation = NULL;
  gboolean dense_bias, norm_bias;

  if (names->dense == NULL)
    return TRUE;
  if (!hl_switch_read (&names->dense_bias, config, &dense_bias, error) ||
      !hl_switch_read (&self->stack->family->norm_bias, config, &norm_bias, error) ||
      (names->activation != NULL &&
       !hl_model_config_read_string (config, names->activation, "gelu", &activation, error)))
    return FALSE;
  self->norm.centre = TRUE;
  self->norm.epsilon = self->stack->epsilon;
  /* ALBERT and ELECTRA go back to the width of their embeddings. */
  return hl_activation_find (activation != NULL ? activation : "gelu", &self->activation, error) &&
         hl_linear_load (&self->transform, weights, names->dense, self->stack->width, self->rows.n_in, FALSE,
                         dense_bias, error) &&
         hl_norm_load (&self->norm, weights, names->norm, self->rows.n_in, norm_bias, error);
}

/* What is added for each token: a vector, which BART keeps as a matrix of one row. */
static gboolean
load_bias (HlUnembedding     *self,
           const HlHeadNames *names,
           GError           **error)
{
  HlWeights *weights = hl_model_get_weights (self->model);
  gboolean needed, found = FALSE;

  if (names->bias == NULL)
    return TRUE;
  if (!hl_switch_read (&names->bias_needed, hl_model_get_config (self->model), &needed, error))
    return FALSE;
  for (const char *const *name = names->bias; *name != NULL; name++)
    found = found || hl_weights_has (weights, *name);
  if (!found && !needed)
    return TRUE;
  g_autoptr (HlTensor) tensor = hl_weights_find (weights, names->bias, error);
  if (tensor == NULL)
    return FALSE;
  const HlShape *shape = hl_tensor_get_shape (tensor);
  const guint64 start[2] = { 0, 0 };
  guint64 n_numbers;
  if (shape->rank == 0 || shape->rank > 2 || shape->dims[shape->rank - 1] != self->rows.n_out ||
      !hl_shape_get_n_elements (shape, &n_numbers) || n_numbers != self->rows.n_out)
    {
      g_autofree char *sizes = hl_shape_to_string (shape);
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("tensor “%s” is %s; a number for each of %zu tokens is needed"),
                   names->bias[0] + 1, sizes, self->rows.n_out);
      return FALSE;
    }
  self->rows.bias = g_new (float, n_numbers);
  return hl_tensor_read_f32 (tensor, start, shape->dims, self->rows.bias, NULL, error);
}

/* The rows of its own, or those of the words. How wide they are, the embeddings say. */
static gboolean
load_rows (HlUnembedding     *self,
           const HlHeadNames *names,
           GError           **error)
{
  HlWeights *weights = hl_model_get_weights (self->model);
  const gsize width = names->dense != NULL || names->project != NULL ? self->stack->embedding_width
                                                                     : self->stack->width;
  gboolean own = FALSE;

  for (const char *const *name = names->rows; *name != NULL; name++)
    own = own || hl_weights_has (weights, *name);
  self->rows.tensor = own ? hl_weights_find (weights, names->rows, error) : g_object_ref (self->stack->words);
  if (self->rows.tensor == NULL)
    return FALSE;
  const HlShape *shape = hl_tensor_get_shape (self->rows.tensor);
  if (shape->rank != 2 || shape->dims[1] != width || shape->dims[0] == 0 || shape->dims[0] > G_MAXUINT32)
    {
      g_autofree char *sizes = hl_shape_to_string (shape);
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("tensor “%s” is %s; rows of %zu numbers are needed"),
                   names->rows[0] + 1, sizes, width);
      return FALSE;
    }
  self->rows.n_in = width;
  self->rows.n_out = shape->dims[0];
  return TRUE;
}

static gboolean
load_project (HlUnembedding     *self,
              const HlHeadNames *names,
              GError           **error)
{
  return names->project == NULL || self->stack->embedding_width == self->stack->width ||
         hl_linear_load (&self->project, hl_model_get_weights (self->model), names->project, self->stack->width,
                         self->stack->embedding_width, FALSE, FALSE, error);
}

/**
 * hl_unembedding_load:
 * @model: a model
 * @error: %HL_ERROR_VALUE when layers are left out, %HL_ERROR_MISSING when the files hold no head that predicts tokens, %HL_ERROR_SHAPE and others when it does not fit
 *
 * Finds what the model predicts tokens with: the decoder's head of two stacks. Rows of its own come before those of the word embeddings,
 * which are taken only where config.json or the family ties them. Is fast, as only vectors are read.
 *
 * Returns: (transfer full) (nullable): the head
 */
HlUnembedding *
hl_unembedding_load (HlModel *model,
                     GError **error)
{
  g_return_val_if_fail (HL_IS_MODEL (model), NULL);

  const HlHeadNames *names = &hl_model_get_family_row (model)->head;
  HlModelConfig *config = hl_model_get_config (model);
  g_autoptr (HlUnembedding) self = g_object_new (HL_TYPE_UNEMBEDDING, NULL);
  gboolean tied, scaled;
  double softcap = 0, multiplier = 1, divisor;

  if (!hl_model_check_whole (model, error))
    return NULL;
  self->model = g_object_ref (model);
  self->stack = hl_model_get_stack (model, hl_unembedding_get_attention (self));
  if (!hl_switch_read (&names->tied, config, &tied, error) ||
      !hl_switch_read (&names->scaled, config, &scaled, error) ||
      !hl_model_config_read_number (config, "logits_scaling", 1, &divisor, error) ||
      (names->softcap != NULL && !hl_model_config_read_number (config, names->softcap, 0, &softcap, error)) ||
      (names->multiplier != NULL &&
       !hl_model_config_read_number (config, names->multiplier, names->multiplier_fallback, &multiplier, error)) ||
      !check_head (names, hl_model_get_weights (model), tied, self->stack->both_ways,
                   hl_unembedding_tells_classes (self), error))
    return NULL;
  if (softcap < 0 || divisor <= 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” in config.json is not above 0"),
                   divisor <= 0 ? "logits_scaling" : names->softcap);
      return NULL;
    }
  self->softcap = (float) softcap;
  self->scale = (scaled ? 1 / sqrtf ((float) self->stack->width) : 1) * (float) (multiplier / divisor);
  if (!load_rows (self, names, error) || !load_bias (self, names, error) || !load_project (self, names, error) ||
      !load_transform (self, names, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * hl_unembedding_get_model:
 * @self: a head
 *
 * Returns: (transfer none): the model that it is of
 */
HlModel *
hl_unembedding_get_model (HlUnembedding *self)
{
  g_return_val_if_fail (HL_IS_UNEMBEDDING (self), NULL);

  return self->model;
}

/**
 * hl_unembedding_get_attention:
 * @self: a head
 *
 * Returns: the attention whose layers it stands behind: %HL_ATTENTION_DECODER of an encoder–decoder model, %HL_ATTENTION_SELF of others
 */
HlAttentionKind
hl_unembedding_get_attention (HlUnembedding *self)
{
  g_return_val_if_fail (HL_IS_UNEMBEDDING (self), HL_ATTENTION_SELF);

  return hl_model_has_decoder (self->model) ? HL_ATTENTION_DECODER : HL_ATTENTION_SELF;
}

/**
 * hl_unembedding_get_n_tokens:
 * @self: a head
 *
 * Returns: how many tokens it tells apart, which may be more than the tokenizer has
 */
gsize
hl_unembedding_get_n_tokens (HlUnembedding *self)
{
  g_return_val_if_fail (HL_IS_UNEMBEDDING (self), 0);

  return self->rows.n_out;
}

/**
 * hl_unembedding_get_width:
 * @self: a head
 *
 * Returns: features of the states that it takes: what goes from layer to layer
 */
gsize
hl_unembedding_get_width (HlUnembedding *self)
{
  g_return_val_if_fail (HL_IS_UNEMBEDDING (self), 0);

  return self->stack->width;
}

/**
 * hl_unembedding_is_masked:
 * @self: a head
 *
 * Returns: whether a position's prediction is of the token that stands there, as masked language models have it, and not of the next
 */
gboolean
hl_unembedding_is_masked (HlUnembedding *self)
{
  g_return_val_if_fail (HL_IS_UNEMBEDDING (self), FALSE);

  return !self->stack->causal;
}

/**
 * hl_unembedding_tells_classes:
 * @self: a head
 *
 * Returns: whether what it predicts are classes of an image, by the first token, and not tokens
 */
gboolean
hl_unembedding_tells_classes (HlUnembedding *self)
{
  g_return_val_if_fail (HL_IS_UNEMBEDDING (self), FALSE);

  return hl_model_takes_pixels (self->model);
}

/**
 * hl_unembedding_is_linear:
 * @self: a head
 *
 * Returns: whether a logit is a product of the state with a row of its own, plus a bias, but for a cap; hl_unembedding_read_row() needs it
 */
gboolean
hl_unembedding_is_linear (HlUnembedding *self)
{
  g_return_val_if_fail (HL_IS_UNEMBEDDING (self), FALSE);

  return self->transform.tensor == NULL;
}

/**
 * hl_unembedding_get_softcap:
 * @self: a head
 *
 * Returns: c of c·tanh (logit / c), which bounds logits (Gemma Team 2024); 0 for none
 */
float
hl_unembedding_get_softcap (HlUnembedding *self)
{
  g_return_val_if_fail (HL_IS_UNEMBEDDING (self), 0);

  return self->softcap;
}

/**
 * hl_unembedding_norm:
 * @self: a head
 * @stream: [n, width], what leaves a layer
 * @n: positions
 * @states: [n, width], filled with what hl_unembedding_logits() takes; may be @stream
 *
 * Applies the norm that stands behind the model's last layer, if there is one: that of the lens by layer (nostalgebraist 2020).
 */
void
hl_unembedding_norm (HlUnembedding *self,
                     const float   *stream,
                     gsize          n,
                     float         *states)
{
  g_return_if_fail (HL_IS_UNEMBEDDING (self));

  const gsize width = self->stack->width;

  if (self->stack->final_norm.weight != NULL)
    hl_norm_apply (&self->stack->final_norm, n, width, stream, width, states, width);
  else if (states != stream)
    memcpy (states, stream, n * width * sizeof *states);
}

/* Bias and cap, in place. */
static void
finish_logits (HlUnembedding *self,
               gsize          n,
               float         *logits)
{
  const gsize n_tokens = self->rows.n_out;

  if (self->rows.bias == NULL && self->softcap == 0)
    return;
#pragma omp parallel for if (n * n_tokens >= 65536)
  for (gsize i = 0; i < n; i++)
    for (gsize token = 0; token < n_tokens; token++)
      {
        float *logit = &logits[i * n_tokens + token];

        if (self->rows.bias != NULL)
          *logit += self->rows.bias[token];
        if (self->softcap > 0)
          *logit = self->softcap * tanhf (*logit / self->softcap);
      }
}

/* Returns what the rows of the tokens are multiplied by; %NULL when it is the states themselves. */
static float *
transform_states (HlUnembedding *self,
                  const float   *states,
                  gsize          n,
                  HlScratch     *scratch)
{
  const HlLinear *linear = self->transform.tensor != NULL ? &self->transform : &self->project;
  const gsize width = self->stack->width;
  const gsize n_out = linear->tensor != NULL ? linear->n_out : width;

  if (linear->tensor == NULL && self->scale == 1)
    return NULL;
  float *result = g_new (float, n *n_out);
  if (linear->tensor != NULL)
    hl_linear_apply (linear, n, states, width, result, n_out, scratch);
  else
    memcpy (result, states, n * width * sizeof *result);
  for (gsize i = 0; self->scale != 1 && i < n * n_out; i++)
    result[i] *= self->scale;
  if (linear == &self->transform)
    {
      hl_activation_apply (self->activation, n, n_out, linear->bias, result, n_out);
      hl_norm_apply (&self->norm, n, n_out, result, n_out, result, n_out);
    }
  return result;
}

/**
 * hl_unembedding_logits:
 * @self: a head
 * @states: [n, width], what leaves the model, its final norm included
 * @n: positions
 * @logits: [n, n_tokens], filled
 * @error: %HL_ERROR_TRUNCATED when the file got shorter meanwhile
 *
 * Computes the logit of every token at some positions: with transform, bias, scale and cap, as the family has them.
 *
 * Returns: whether they could be computed
 */
gboolean
hl_unembedding_logits (HlUnembedding *self,
                       const float   *states,
                       gsize          n,
                       float         *logits,
                       GError       **error)
{
  g_return_val_if_fail (HL_IS_UNEMBEDDING (self), FALSE);

  g_auto (HlScratch) scratch = { 0 };
  g_autofree float *transformed = transform_states (self, states, n, &scratch);

  hl_linear_apply (&self->rows, n, transformed != NULL ? transformed : states, self->rows.n_in, logits,
                   self->rows.n_out, &scratch);
  finish_logits (self, n, logits);
  return hl_weights_check (hl_model_get_weights (self->model), error);
}

static gboolean
check_token (HlUnembedding *self,
             guint32        token,
             GError       **error)
{
  if (token < self->rows.n_out)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("there is no token %u; the model predicts %zu"), token,
               self->rows.n_out);
  return FALSE;
}

/**
 * hl_unembedding_read_row:
 * @self: a head that is linear
 * @token: a token
 * @row: [width], filled with what a state is multiplied by for the token's logit: projection and scale are in it
 * @bias: (out): what is added
 * @error: %HL_ERROR_UNSUPPORTED when the head is not linear, %HL_ERROR_VALUE when there is no such token
 *
 * Reads W_U[t] and b[t]: before a cap, the token's logit is row · state + bias.
 *
 * Returns: whether it could be read
 */
gboolean
hl_unembedding_read_row (HlUnembedding *self,
                         guint32        token,
                         float         *row,
                         float         *bias,
                         GError       **error)
{
  g_return_val_if_fail (HL_IS_UNEMBEDDING (self), FALSE);

  const gsize n_in = self->rows.n_in, width = self->stack->width;
  const guint64 start[2] = { token, 0 }, count[2] = { 1, n_in };

  if (!hl_unembedding_is_linear (self))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                   _ ("the head of this model has a layer of its own, so that no row is a token’s"));
      return FALSE;
    }
  if (!check_token (self, token, error))
    return FALSE;
  *bias = self->rows.bias != NULL ? self->rows.bias[token] : 0;
  g_autofree float *own = g_new (float, n_in);
  if (!hl_tensor_read_f32 (self->rows.tensor, start, count, own, NULL, error))
    return FALSE;
  for (gsize i = 0; i < n_in; i++)
    own[i] *= self->scale;
  if (self->project.tensor == NULL)
    {
      memcpy (row, own, width * sizeof *row);
      return TRUE;
    }
  /* W_U[t] · P, for P of [n_in, width] as it is stored. */
  const guint64 origin[2] = { 0, 0 }, all[2] = { n_in, width };
  g_autofree float *projection = g_new (float, n_in *width);
  if (!hl_tensor_read_f32 (self->project.tensor, origin, all, projection, NULL, error))
    return FALSE;
  memset (row, 0, width * sizeof *row);
  for (gsize i = 0; i < n_in; i++)
    for (gsize k = 0; k < width; k++)
      row[k] += own[i] * projection[i * width + k];
  return TRUE;
}

/* Reads W of a linear layer, [n_out, n_in]. */
static float *
read_matrix (const HlLinear *linear,
             GError        **error)
{
  const guint64 start[2] = { 0, 0 }, count[2] = { linear->n_out, linear->n_in };
  g_autofree float *matrix = g_new (float, linear->n_out * linear->n_in);

  return hl_tensor_read_f32 (linear->tensor, start, count, matrix, NULL, error) ? g_steal_pointer (&matrix) : NULL;
}

/* What the transform makes of a state, up to its norm: @products before the activation, @gates what that multiplies them by. */
static void
open_transform (HlUnembedding *self,
                const float   *matrix,
                const float   *state,
                float         *products,
                float         *gates)
{
  const gsize n_in = self->transform.n_in, n = self->transform.n_out;

  for (gsize i = 0; i < n; i++)
    {
      double sum = self->transform.bias != NULL ? self->transform.bias[i] : 0;
      for (gsize k = 0; k < n_in; k++)
        sum += (double) matrix[i * n_in + k] * state[k];
      products[i] = (float) sum;
    }
  memcpy (gates, products, n * sizeof *gates);
  hl_activation_apply (self->activation, 1, n, NULL, gates, n);
  for (gsize i = 0; i < n; i++)
    gates[i] = products[i] != 0 ? gates[i] / products[i] : 0;
}

/**
 * hl_unembedding_read_row_at:
 * @self: a head
 * @token: a token
 * @state: [width], what leaves the model at some position, its final norm included
 * @row: [width], filled with what the state is multiplied by for the token's logit
 * @bias: (out): what is added
 * @error: %HL_ERROR_VALUE when there is no such token
 *
 * As hl_unembedding_read_row(), also of a head with a transform, at one state: the gate a (x) / x of its activation and the scale of its
 * norm are as they are there, which makes it linear. Before a cap, the token's logit at @state is row · state + bias.
 *
 * Returns: whether it could be read
 */
gboolean
hl_unembedding_read_row_at (HlUnembedding *self,
                            guint32        token,
                            const float   *state,
                            float         *row,
                            float         *bias,
                            GError       **error)
{
  g_return_val_if_fail (HL_IS_UNEMBEDDING (self), FALSE);

  if (hl_unembedding_is_linear (self))
    return hl_unembedding_read_row (self, token, row, bias, error);
  if (!check_token (self, token, error))
    return FALSE;
  const gsize n = self->transform.n_out, width = self->stack->width;
  const guint64 start[2] = { token, 0 }, count[2] = { 1, n };
  g_autofree float *direction = g_new (float, n);
  g_autofree float *products = g_new (float, n);
  g_autofree float *gates = g_new (float, n);
  g_autofree float *matrix = read_matrix (&self->transform, error);
  double mean = 0, squares = 0, direction_mean = 0, constant;

  if (matrix == NULL || !hl_tensor_read_f32 (self->rows.tensor, start, count, direction, NULL, error))
    return FALSE;
  open_transform (self, matrix, state, products, gates);
  for (gsize i = 0; i < n; i++)
    mean += (double) products[i] * gates[i] / (double) n;
  for (gsize i = 0; i < n; i++)
    squares += pow ((double) products[i] * gates[i] - mean, 2);
  const double factor = 1 / sqrt (squares / (double) n + self->norm.epsilon);
  constant = self->rows.bias != NULL ? self->rows.bias[token] : 0;
  for (gsize i = 0; i < n; i++)
    {
      constant += self->norm.bias != NULL ? (double) direction[i] * self->norm.bias[i] : 0;
      direction[i] *= (float) (self->norm.weight[i] * factor);
      direction_mean += direction[i] / (double) n;
    }
  g_autofree double *sums = g_new0 (double, width);
  for (gsize i = 0; i < n; i++)
    {
      const double part = (direction[i] - direction_mean) * gates[i];

      constant += self->transform.bias != NULL ? part * self->transform.bias[i] : 0;
      for (gsize k = 0; k < width; k++)
        sums[k] += part * matrix[i * width + k];
    }
  for (gsize k = 0; k < width; k++)
    row[k] = (float) sums[k];
  *bias = (float) constant;
  return TRUE;
}
