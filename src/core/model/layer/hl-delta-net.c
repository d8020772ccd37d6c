/* SPDX-License-Identifier: MIT */
/* Gated delta nets, token after token, a head a thread. */
#include "core/model/layer/hl-delta-net.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-kernel.h"
#include "core/base/hl-limits.h"

#define MAX_HEAD_SIZE 4096
#define MAX_TAPS 64

/* Numbers in the matrices of a layer: 64 MB. Models have some hundred thousand. */
#define MAX_MATRICES (1 << 24)

/* Below the root of a query's or key's squares. */
#define UNIT_EPSILON 1e-6f

struct _HlDeltaNet
{
  guint n_key_heads;
  guint n_value_heads;
  gsize key_size;
  gsize value_size;
  gsize n_taps;
  gsize mixed_width; /* of queries, keys and values */
  gboolean tiled;    /* whether heads of values that share a key are not beside one another */
  HlLinear mixed;    /* also the gate, by key heads, when that has no tensor; likewise the next but one */
  HlLinear gate;
  HlLinear write;
  HlLinear decay;
  HlLinear output;
  float *taps;       /* [n_taps, mixed_width] */
  float *decay_bias; /* [n_value_heads] */
  float *rates;      /* [n_value_heads] */
  float *norm;       /* [value_size] */
  HlActivation activation;
  float epsilon;
};

struct _HlDeltaState
{
  float *matrices; /* [n_value_heads, key_size, value_size] */
  float *rows;     /* [n_taps − 1, mixed_width], the last products of earlier tokens */
};

static gsize
count_matrices (const HlDeltaNet *net)
{
  return net->n_value_heads * net->key_size * net->value_size;
}

/* Returns numbers that are kept of the tokens. */
gsize
hl_delta_net_get_state_size (const HlDeltaNet *self)
{
  return count_matrices (self) + self->n_taps * self->mixed_width;
}

/* Returns that of no tokens; %NULL without memory. */
HlDeltaState *
hl_delta_state_new (const HlDeltaNet *net)
{
  g_autoptr (HlDeltaState) self = g_new (HlDeltaState, 1);

  self->matrices = g_try_new0 (float, count_matrices (net));
  self->rows = g_try_new0 (float, net->n_taps * net->mixed_width);
  return self->matrices != NULL && self->rows != NULL ? g_steal_pointer (&self) : NULL;
}

/* Makes @self what @other is, both of @net. */
void
hl_delta_state_copy (HlDeltaState       *self,
                     const HlDeltaState *other,
                     const HlDeltaNet   *net)
{
  memcpy (self->matrices, other->matrices, count_matrices (net) * sizeof *self->matrices);
  memcpy (self->rows, other->rows, net->n_taps * net->mixed_width * sizeof *self->rows);
}

/* Forgets all tokens. */
void
hl_delta_state_reset (HlDeltaState     *self,
                      const HlDeltaNet *net)
{
  memset (self->matrices, 0, count_matrices (net) * sizeof *self->matrices);
  memset (self->rows, 0, net->n_taps * net->mixed_width * sizeof *self->rows);
}

void
hl_delta_state_free (HlDeltaState *self)
{
  g_free (self->matrices);
  g_free (self->rows);
  g_free (self);
}

static gboolean
read_sizes (HlDeltaNet    *self,
            HlModelConfig *config,
            GError       **error)
{
  guint64 n_key_heads, n_value_heads, key_size, value_size, n_taps;

  if (!hl_model_config_read_size (config, "linear_num_key_heads", 16, &n_key_heads, error) ||
      !hl_model_config_read_size (config, "linear_num_value_heads", 32, &n_value_heads, error) ||
      !hl_model_config_read_size (config, "linear_key_head_dim", 128, &key_size, error) ||
      !hl_model_config_read_size (config, "linear_value_head_dim", 128, &value_size, error) ||
      !hl_model_config_read_size (config, "linear_conv_kernel_dim", 4, &n_taps, error))
    return FALSE;
  if (n_key_heads == 0 || n_value_heads == 0 || n_value_heads > HL_LIMIT_HEADS || n_value_heads % n_key_heads != 0 ||
      key_size == 0 || key_size > MAX_HEAD_SIZE || value_size == 0 || value_size > MAX_HEAD_SIZE || n_taps == 0 ||
      n_taps > MAX_TAPS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                   _ ("the sizes of linear attention in config.json do not fit one another"));
      return FALSE;
    }
  if (!hl_model_config_check_size ("linear_num_value_heads × linear_key_head_dim × linear_value_head_dim",
                                   n_value_heads * key_size * value_size, MAX_MATRICES, error))
    return FALSE;
  self->n_key_heads = (guint) n_key_heads;
  self->n_value_heads = (guint) n_value_heads;
  self->key_size = key_size;
  self->value_size = value_size;
  self->n_taps = n_taps;
  self->mixed_width = 2 * n_key_heads * key_size + n_value_heads * value_size;
  return TRUE;
}

/* The convolution's weights, [width, 1, taps] in files, with the numbers of a tap beside one another. */
static float *
read_taps (const HlDeltaNet *self,
           HlWeights        *weights,
           const char       *name,
           GError          **error)
{
  const guint64 start[3] = { 0, 0, 0 }, dims[3] = { self->mixed_width, 1, self->n_taps };
  const guint64 flat[2] = { self->mixed_width, self->n_taps };
  g_autofree char *path = g_strconcat (name, ".weight", NULL);
  g_autofree float *stored = g_new (float, self->mixed_width * self->n_taps);
  g_autoptr (HlTensor) found = hl_weights_find (weights, (const char *const[]){ path, NULL }, error);

  if (found == NULL)
    return NULL;
  const gboolean is_flat = hl_tensor_get_shape (found)->rank == 2;
  g_autoptr (HlTensor) tensor = hl_weights_get (weights, path, is_flat ? 2 : 3, is_flat ? flat : dims, error);
  if (tensor == NULL || !hl_tensor_read_f32 (tensor, start, is_flat ? flat : dims, stored, NULL, error))
    return NULL;
  float *taps = g_new (float, self->mixed_width * self->n_taps);
  for (gsize i = 0; i < self->mixed_width; i++)
    for (gsize tap = 0; tap < self->n_taps; tap++)
      taps[tap * self->mixed_width + i] = stored[i * self->n_taps + tap];
  return taps;
}

static gboolean
load_linear (HlLinear   *linear,
             HlWeights  *weights,
             const char *path,
             const char *name,
             gsize       n_in,
             gsize       n_out,
             GError    **error)
{
  g_autofree char *whole = g_strconcat (path, name, NULL);

  return hl_linear_load (linear, weights, whole, n_in, n_out, FALSE, FALSE, error);
}

static gboolean
load_vector (float     **vector,
             HlWeights  *weights,
             const char *path,
             const char *name,
             gsize       size,
             GError    **error)
{
  g_autofree char *whole = g_strconcat (path, name, NULL);

  *vector = hl_weights_get_vector (weights, whole, size, error);
  return *vector != NULL;
}

/* Two products, or both in one, of which only @first has a tensor then. */
static gboolean
load_pair (HlLinear   *first,
           HlLinear   *second,
           HlWeights  *weights,
           const char *path,
           const char *both_name,
           const char *first_name,
           const char *second_name,
           gsize       n_in,
           gsize       n_first,
           gsize       n_second,
           GError    **error)
{
  g_autofree char *both = both_name != NULL ? g_strconcat (path, both_name, ".weight", NULL) : NULL;

  if (both != NULL && hl_weights_has (weights, both))
    return load_linear (first, weights, path, both_name, n_in, n_first + n_second, error);
  return load_linear (first, weights, path, first_name, n_in, n_first, error) &&
         load_linear (second, weights, path, second_name, n_in, n_second, error);
}

/* How fast what a head keeps fades. */
static gboolean
load_rates (HlDeltaNet         *self,
            HlWeights          *weights,
            const HlDeltaNames *names,
            const char         *path,
            GError            **error)
{
  const gboolean negative = names->negative_rates != NULL;

  if (!load_vector (&self->rates, weights, path, negative ? names->negative_rates : names->rates, self->n_value_heads,
                    error))
    return FALSE;
  for (guint head = 0; head < self->n_value_heads; head++)
    self->rates[head] = negative ? -self->rates[head] : expf (self->rates[head]);
  return TRUE;
}

/* Finds the tensors whose names begin with @path and checks their shapes. */
HlDeltaNet *
hl_delta_net_load (HlWeights          *weights,
                   HlModelConfig      *config,
                   const HlDeltaNames *names,
                   const char         *path,
                   gsize               width,
                   HlActivation        activation,
                   float               epsilon,
                   GError            **error)
{
  g_autoptr (HlDeltaNet) self = g_new0 (HlDeltaNet, 1);
  g_autofree char *taps = g_strconcat (path, names->taps, NULL);

  self->activation = activation;
  self->epsilon = epsilon;
  if (!read_sizes (self, config, error))
    return NULL;
  const gsize value_width = hl_delta_net_get_width (self);
  self->tiled = names->tiled;
  if (!load_pair (&self->mixed, &self->gate, weights, path, names->mixed_and_gate, names->mixed, names->gate, width,
                  self->mixed_width, value_width, error) ||
      !load_pair (&self->write, &self->decay, weights, path, names->write_and_decay, names->write, names->decay, width,
                  self->n_value_heads, self->n_value_heads, error) ||
      !load_linear (&self->output, weights, path, names->output, value_width, width, error) ||
      !load_vector (&self->decay_bias, weights, path, names->decay_bias, self->n_value_heads, error) ||
      !load_rates (self, weights, names, path, error) ||
      !load_vector (&self->norm, weights, path, names->norm, self->value_size, error))
    return NULL;
  self->taps = read_taps (self, weights, taps, error);
  return self->taps != NULL ? g_steal_pointer (&self) : NULL;
}

void
hl_delta_net_free (HlDeltaNet *self)
{
  hl_linear_clear (&self->mixed);
  hl_linear_clear (&self->gate);
  hl_linear_clear (&self->write);
  hl_linear_clear (&self->decay);
  hl_linear_clear (&self->output);
  g_free (self->taps);
  g_free (self->decay_bias);
  g_free (self->rates);
  g_free (self->norm);
  g_free (self);
}

/* Returns numbers that hl_delta_net_project() gives of a token. */
gsize
hl_delta_net_get_products (const HlDeltaNet *self)
{
  return self->mixed_width + hl_delta_net_get_width (self) + 2 * self->n_value_heads;
}

/* Returns numbers that hl_delta_net_run() gives of a token. */
gsize
hl_delta_net_get_width (const HlDeltaNet *self)
{
  return self->n_value_heads * self->value_size;
}

/* Returns what follows. */
const HlLinear *
hl_delta_net_get_output (const HlDeltaNet *self)
{
  return &self->output;
}

/* Puts what stands together for each key head, some parts of given sizes, part behind part. */
static void
part_groups (guint        n_groups,
             const gsize *sizes,
             guint        n_parts,
             float       *row,
             float       *stored)
{
  gsize all = 0, first = 0;

  for (guint part = 0; part < n_parts; part++)
    all += sizes[part];
  memcpy (stored, row, n_groups * all * sizeof *row);
  for (guint part = 0; part < n_parts; part++)
    {
      for (guint group = 0; group < n_groups; group++)
        {
          memcpy (row, stored + group * all + first, sizes[part] * sizeof *row);
          row += sizes[part];
        }
      first += sizes[part];
    }
}

/* [n_rows, products] of tokens of any streams. */
void
hl_delta_net_project (const HlDeltaNet *self,
                      gsize             n_rows,
                      const float      *input,
                      float            *products,
                      HlScratch        *scratch)
{
  const HlLinear *const parts[] = { &self->mixed, &self->gate, &self->write, &self->decay };
  const gsize all = hl_delta_net_get_products (self);

  const gsize heads = self->n_value_heads / self->n_key_heads;
  const gsize mixed[] = { self->key_size, self->key_size, heads * self->value_size, heads * self->value_size };
  const gsize gates[] = { heads, heads };
  const gsize n_mixed = self->mixed_width + hl_delta_net_get_width (self);
  float *at = products;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i]->tensor != NULL)
      {
        hl_linear_apply (parts[i], n_rows, input, parts[i]->n_in, at, all, scratch);
        at += parts[i]->n_out;
      }
  if (self->gate.tensor != NULL && self->decay.tensor != NULL)
    return;
  g_autofree float *stored = g_new (float, n_mixed);
  for (gsize i = 0; i < n_rows; i++)
    {
      if (self->gate.tensor == NULL)
        part_groups (self->n_key_heads, mixed, G_N_ELEMENTS (mixed), products + i * all, stored);
      if (self->decay.tensor == NULL)
        part_groups (self->n_key_heads, gates, G_N_ELEMENTS (gates), products + i * all + n_mixed, stored);
    }
}

/* The products of each token with those of the tokens just before it. */
HL_KERNEL static void
convolve (const HlDeltaNet   *self,
          const HlDeltaState *state,
          gsize               n,
          const float        *products,
          gsize               stride,
          float              *mixed)
{
  const gsize width = self->mixed_width, n_before = self->n_taps - 1;

  for (gsize i = 0; i < n; i++)
    {
      float *row = mixed + i * width;

      memset (row, 0, width * sizeof *row);
      for (gsize tap = 0; tap < self->n_taps; tap++)
        {
          const float *source = i + tap < n_before ? state->rows + (i + tap) * width
                                                   : products + (i + tap - n_before) * stride;
          const float *taps = self->taps + tap * width;

#pragma omp simd
          for (gsize k = 0; k < width; k++)
            row[k] += taps[k] * source[k];
        }
    }
}

/* Keeps the products that the next tokens need. */
static void
keep_rows (const HlDeltaNet *self,
           HlDeltaState     *state,
           gsize             n,
           const float      *products,
           gsize             stride)
{
  const gsize width = self->mixed_width, n_before = self->n_taps - 1;
  const gsize n_left = n < n_before ? n_before - n : 0;

  memmove (state->rows, state->rows + (n_before - n_left) * width, n_left * width * sizeof (float));
  for (gsize i = n_left; i < n_before; i++)
    memcpy (state->rows + i * width, products + (n - (n_before - i)) * stride, width * sizeof (float));
}

/* A vector of length 1, times a factor. */
HL_KERNEL static void
make_unit (const float *vector,
           gsize        n,
           float        factor,
           float       *unit)
{
  float sum = 0;

#pragma omp simd reduction(+ : sum)
  for (gsize i = 0; i < n; i++)
    sum += vector[i] * vector[i];
  const float scale = factor / sqrtf (sum + UNIT_EPSILON);
#pragma omp simd
  for (gsize i = 0; i < n; i++)
    unit[i] = vector[i] * scale;
}

/* One token of a head: the matrix fades, what it has for the key is replaced in part by the value, and the query reads it. */
HL_KERNEL static void
step (float       *matrix,
      gsize        key_size,
      gsize        value_size,
      const float *query,
      const float *key,
      const float *value,
      float        fade,
      float        share,
      float       *change,
      float       *output)
{
  memset (change, 0, value_size * sizeof *change);
  for (gsize i = 0; i < key_size; i++)
    {
      float *row = matrix + i * value_size;
      const float feature = key[i];

#pragma omp simd
      for (gsize k = 0; k < value_size; k++)
        {
          row[k] *= fade;
          change[k] += feature * row[k];
        }
    }
#pragma omp simd
  for (gsize k = 0; k < value_size; k++)
    change[k] = (value[k] - change[k]) * share;
  memset (output, 0, value_size * sizeof *output);
  for (gsize i = 0; i < key_size; i++)
    {
      float *row = matrix + i * value_size;
      const float feature = key[i], part = query[i];

#pragma omp simd
      for (gsize k = 0; k < value_size; k++)
        {
          row[k] += feature * change[k];
          output[k] += part * row[k];
        }
    }
}

static float
get_sigmoid (float x)
{
  return 1 / (1 + expf (-x));
}

/* The norm of what a head gives, and its gate. */
static void
finish (const HlDeltaNet *self,
        const float      *gate,
        float            *output)
{
  float sum = 0;

  for (gsize k = 0; k < self->value_size; k++)
    sum += output[k] * output[k];
  const float scale = 1 / sqrtf (sum / (float) self->value_size + self->epsilon);
  for (gsize k = 0; k < self->value_size; k++)
    output[k] *= scale * self->norm[k] * gate[k] * get_sigmoid (gate[k]);
}

static void
run_head (const HlDeltaNet *self,
          HlDeltaState     *state,
          guint             head,
          gsize             n,
          const float      *mixed,
          const float      *products,
          float            *output)
{
  const gsize key_size = self->key_size, value_size = self->value_size;
  const gsize key_width = self->n_key_heads * key_size, value_width = hl_delta_net_get_width (self);
  const gsize stride = hl_delta_net_get_products (self);
  const guint key_head = self->tiled ? head % self->n_key_heads : head / (self->n_value_heads / self->n_key_heads);
  float *matrix = state->matrices + head * key_size * value_size;
  g_autofree float *room = g_new (float, 2 * key_size + value_size);
  float *query = room, *key = room + key_size, *change = key + key_size;

  for (gsize i = 0; i < n; i++)
    {
      const float *row = mixed + i * self->mixed_width;
      const float *gates = products + i * stride + self->mixed_width;
      const float *writes = gates + value_width, *decays = writes + self->n_value_heads;
      const float x = decays[head] + self->decay_bias[head];
      const float softplus = x > 20 ? x : log1pf (expf (x));
      float *target = output + i * value_width + head * value_size;

      make_unit (row + key_head * key_size, key_size, 1 / sqrtf ((float) key_size), query);
      make_unit (row + key_width + key_head * key_size, key_size, 1, key);
      step (matrix, key_size, value_size, query, key, row + 2 * key_width + head * value_size,
            expf (-self->rates[head] * softplus), get_sigmoid (writes[head]), change, target);
      finish (self, gates + head * value_size, target);
    }
}

/* What the heads of one stream give, [n, width], of its @products. @state is of the tokens before, and then of these too. */
void
hl_delta_net_run (const HlDeltaNet *self,
                  HlDeltaState     *state,
                  gsize             n,
                  const float      *products,
                  float            *output)
{
  const gsize stride = hl_delta_net_get_products (self);
  g_autofree float *mixed = g_new (float, MAX (n * self->mixed_width, 1));

  convolve (self, state, n, products, stride, mixed);
  keep_rows (self, state, n, products, stride);
  hl_activation_apply (self->activation, n, self->mixed_width, NULL, mixed, self->mixed_width);
#pragma omp parallel for schedule(dynamic)
  for (guint head = 0; head < self->n_value_heads; head++)
    run_head (self, state, head, n, mixed, products, output);
}
