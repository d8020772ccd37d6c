/* SPDX-License-Identifier: MIT */
/* Each case is computed twice: by the kernel, and plainly in double precision from the formulas. */
#include "test-kernel-cases.h"

#include "core/compute/hl-attend.h"
#include "core/compute/hl-matmul.h"
#include "core/compute/hl-norm.h"
#include "core/compute/hl-rotary.h"

#include <math.h>
#include <string.h>

#define EPSILON 1e-5f

struct _KernelRun
{
  const KernelCase *kernel;
  guint32 seed;
  HlScratch scratch;
  float *a;    /* left factor, queries, rows */
  float *b;    /* right factor, keys, addend, rotary table */
  float *c;    /* values, weights of a norm */
  float *bias; /* or %NULL */
  guint8 *stored;
  float *panels;
  float *result;
  double *expected;
  double *scales; /* what errors are relative to */
  gsize n_results;
};

/* Numbers from −2 to 2, the same every time. */
static float *
make_numbers (KernelRun *self,
              gsize      n)
{
  float *numbers = g_new (float, n + 1);

  for (gsize i = 0; i < n; i++)
    {
      self->seed = self->seed * 1664525u + 1013904223u;
      numbers[i] = (float) (self->seed >> 8) / (1 << 22) - 2;
    }
  return numbers;
}

static void
allocate_results (KernelRun *self)
{
  self->result = g_new0 (float, self->n_results + 1);
  self->expected = g_new0 (double, self->n_results + 1);
  self->scales = g_new (double, self->n_results + 1);
  for (gsize i = 0; i < self->n_results; i++)
    self->scales[i] = 1;
}

/* Stores the right factor as its type, and reads from it what the kernel will see. */
static void
store_factor (KernelRun *self,
              gsize      n)
{
  const HlDType dtype = self->kernel->dtype;
  const gsize size = hl_dtype_get_size (dtype);

  self->stored = g_malloc0 ((n + 1) * size);
  for (gsize i = 0; i < n; i++)
    {
      const guint16 half = hl_f32_to_f16 (self->b[i]);
      const double wide = self->b[i];

      if (dtype == HL_DTYPE_F64)
        memcpy (self->stored + i * size, &wide, size);
      else if (dtype == HL_DTYPE_F16)
        memcpy (self->stored + i * size, &half, size);
      else if (dtype == HL_DTYPE_F32)
        memcpy (self->stored + i * size, &self->b[i], size);
      else
        memcpy (self->stored + i * size, (const guint8 *) &self->b[i] + (G_BYTE_ORDER == G_LITTLE_ENDIAN ? 2 : 0),
                size);
    }
  hl_dtype_convert_to_f32 (dtype, FALSE, self->stored, size, self->b, n);
}

static HlFactor
get_factor (KernelRun *self,
            gsize      n,
            gsize      k)
{
  const KernelCase *kernel = self->kernel;

  return (HlFactor){ .data = self->stored,
                     .dtype = kernel->dtype,
                     .stride = kernel->plain_order ? n : k,
                     .transposed = !kernel->plain_order,
                     .panels = self->panels };
}

static void
expect_product (KernelRun *self,
                gsize      m,
                gsize      n,
                gsize      k)
{
  for (gsize i = 0; i < m; i++)
    for (gsize j = 0; j < n; j++)
      {
        double sum = 0, size = 0;
        for (gsize l = 0; l < k; l++)
          {
            const double product = (double) self->a[i * k + l] *
                                   self->b[self->kernel->plain_order ? l * n + j : j * k + l];
            sum += product;
            size += fabs (product);
          }
        self->expected[i * n + j] = sum;
        self->scales[i * n + j] = MAX (size, 1);
      }
}

/* One row of weights; those that the mask hides are 0. */
static void
expect_weights (const KernelRun *self,
                guint            head,
                gsize            query,
                double          *weights)
{
  const KernelCase *kernel = self->kernel;
  const gsize n_queries = kernel->sizes[0], n_keys = kernel->sizes[1], n_features = kernel->sizes[2];
  const guint key_head = head / (kernel->n_heads / kernel_case_get_key_heads (kernel));
  const gint64 position = (gint64) query + (kernel->causal ? (gint64) n_keys - (gint64) n_queries : 0);
  double sum = 0;

  for (gsize key = 0; key < n_keys; key++)
    {
      const gint64 ahead = (gint64) key - position;
      const gboolean hidden = (kernel->causal && ahead > 0) ||
                              (kernel->window > 0 && ABS (ahead) >= (gint64) kernel->window);
      double score = 0;

      for (gsize i = 0; i < n_features; i++)
        score += (double) self->a[(head * n_queries + query) * n_features + i] *
                 self->b[(key_head * n_keys + key) * n_features + i];
      score /= sqrt ((double) n_features);
      if (kernel->softcap > 0)
        score = kernel->softcap * tanh (score / kernel->softcap);
      if (self->bias != NULL)
        score += self->bias[head * (n_queries + n_keys - 1) + key + n_queries - 1 - query];
      weights[key] = hidden ? 0 : exp (score);
      sum += weights[key];
    }
  for (gsize key = 0; key < n_keys && sum > 0; key++)
    weights[key] /= sum;
}

static void
expect_attention (KernelRun *self)
{
  const KernelCase *kernel = self->kernel;
  const gsize n_keys = kernel->sizes[1], n_features = kernel->sizes[2];
  g_autofree double *weights = g_new (double, n_keys + 1);

  for (guint head = 0; head < kernel->n_heads; head++)
    for (gsize query = 0; query < kernel->sizes[0]; query++)
      {
        const float *values = self->c +
                              head / (kernel->n_heads / kernel_case_get_key_heads (kernel)) * n_keys * n_features;
        double *row = self->expected + (query * kernel->n_heads + head) * n_features;

        expect_weights (self, head, query, weights);
        for (gsize key = 0; key < n_keys; key++)
          for (gsize i = 0; i < n_features; i++)
            row[i] += weights[key] * values[key * n_features + i];
      }
}

/* Row 0 is wholly masked, and of every third row the even keys. */
static void
expect_softmax (KernelRun *self)
{
  const gsize n = self->kernel->sizes[1];

  for (gsize row = 0; row < self->kernel->sizes[0]; row++)
    {
      double sum = 0;
      for (gsize key = 0; key < n; key++)
        if (row == 0 || (row % 3 == 0 && key % 2 == 0))
          self->a[row * n + key] = -INFINITY;
        else
          sum += exp ((double) self->a[row * n + key]);
      for (gsize key = 0; key < n; key++)
        self->expected[row * n + key] = sum > 0 ? exp ((double) self->a[row * n + key]) / sum : 0;
    }
}

static void
expect_norm (KernelRun *self)
{
  const KernelCase *kernel = self->kernel;
  const gsize width = kernel->sizes[1];

  for (gsize row = 0; row < kernel->sizes[0]; row++)
    {
      double *x = self->expected + row * width;
      double mean = 0, squares = 0;

      for (gsize i = 0; i < width; i++)
        {
          x[i] = self->a[row * width + i];
          if (kernel->kind == KERNEL_NORM_ADD)
            x[i] += (double) self->b[row * width + i] + (self->bias != NULL ? self->bias[i] : 0);
          mean += x[i] / (double) width;
        }
      for (gsize i = 0; i < width; i++)
        {
          x[i] -= kernel->centre ? mean : 0;
          squares += x[i] * x[i] / (double) width;
        }
      for (gsize i = 0; i < width; i++)
        x[i] = x[i] / sqrt (squares + EPSILON) * self->c[i] + (self->bias != NULL ? self->bias[i] : 0);
    }
}

static double
activate (HlActivation function,
          double       x)
{
  switch (function)
    {
    case HL_ACTIVATION_GELU:
      return x * 0.5 * erfc (-x / sqrt (2));
    case HL_ACTIVATION_GELU_TANH:
      return 0.5 * x * (1 + tanh (sqrt (2 / G_PI) * (x + 0.044715 * x * x * x)));
    case HL_ACTIVATION_QUICK_GELU:
      return x / (1 + exp (-1.702 * x));
    case HL_ACTIVATION_SILU:
      return x / (1 + exp (-x));
    default:
      return MAX (x, 0);
    }
}

static void
expect_activation (KernelRun *self)
{
  const KernelCase *kernel = self->kernel;
  const gsize width = kernel->sizes[1];
  const gsize stride = kernel->kind == KERNEL_GATE ? 2 * width : width;

  for (gsize i = 0; i < kernel->sizes[0] * stride; i++)
    {
      const gsize column = i % stride;
      const double x = (double) self->a[i] + (self->bias != NULL ? self->bias[column] : 0);

      self->expected[i] = column < width ? activate (kernel->activation, x) : (double) self->a[i];
      if (column >= width)
        self->expected[i - width] *= x;
    }
}

static void
expect_rotary (KernelRun *self)
{
  const gsize n_pairs = self->kernel->sizes[1], stride = 2 * n_pairs + self->kernel->sizes[2];

  for (gsize i = 0; i < self->kernel->sizes[0]; i++)
    {
      double *row = self->expected + i * stride;

      for (gsize k = 0; k < stride; k++)
        row[k] = self->a[i * stride + k];
      for (gsize k = 0; k < n_pairs; k++)
        {
          /* The angle is rounded as the kernel says that it is. */
          const double angle = (double) ((float) i * self->b[k]);
          const double x = row[k], y = row[k + n_pairs];

          row[k] = x * cos (angle) - y * sin (angle);
          row[k + n_pairs] = y * cos (angle) + x * sin (angle);
        }
    }
}

/* Sets up one of the kernels that multiply. */
static void
prepare_product (KernelRun *self)
{
  const KernelCase *kernel = self->kernel;
  const gboolean is_tile = kernel->kind == KERNEL_TILE;
  const gsize m = kernel->sizes[0], n = is_tile ? HL_TILE_COLUMNS : kernel->sizes[1];
  const gsize k = is_tile ? kernel->sizes[1] : kernel->sizes[2];

  self->a = make_numbers (self, m * k);
  self->b = make_numbers (self, n * k);
  self->n_results = m * n;
  allocate_results (self);
  if (!is_tile)
    store_factor (self, n * k);
  expect_product (self, m, n, k);
  if (kernel->kind == KERNEL_PANELS)
    {
      const HlFactor factor = get_factor (self, n, k);
      self->panels = hl_factor_new_panels (&factor, n, k);
    }
}

static void
prepare_attention (KernelRun *self)
{
  const KernelCase *kernel = self->kernel;
  const gsize n_queries = kernel->sizes[0], n_keys = kernel->sizes[1], n_features = kernel->sizes[2];

  self->a = make_numbers (self, kernel->n_heads * n_queries * n_features);
  self->b = make_numbers (self, kernel_case_get_key_heads (kernel) * n_keys * n_features);
  self->c = make_numbers (self, kernel_case_get_key_heads (kernel) * n_keys * n_features);
  self->bias = kernel->has_bias ? make_numbers (self, kernel->n_heads * (n_queries + n_keys - 1)) : NULL;
  self->n_results = n_queries * kernel->n_heads * n_features;
  allocate_results (self);
  expect_attention (self);
}

static void
prepare_rows (KernelRun *self)
{
  const KernelCase *kernel = self->kernel;
  const gsize width = kernel->sizes[1];

  self->n_results = kernel->sizes[0] * width;
  if (kernel->kind == KERNEL_GATE)
    self->n_results *= 2;
  if (kernel->kind == KERNEL_ROTARY)
    self->n_results = kernel->sizes[0] * (2 * width + kernel->sizes[2]);
  self->a = make_numbers (self, self->n_results);
  self->b = make_numbers (self, self->n_results);
  self->c = make_numbers (self, 2 * width);
  self->bias = kernel->has_bias ? make_numbers (self, 2 * width) : NULL;
  allocate_results (self);
  if (kernel->kind == KERNEL_SOFTMAX)
    expect_softmax (self);
  else if (kernel->kind == KERNEL_ACTIVATE || kernel->kind == KERNEL_GATE)
    expect_activation (self);
  else if (kernel->kind == KERNEL_ROTARY)
    expect_rotary (self);
  else
    expect_norm (self);
}

KernelRun *
kernel_run_new (const KernelCase *kernel)
{
  KernelRun *self = g_new0 (KernelRun, 1);

  self->kernel = kernel;
  self->seed = 7;
  if (kernel->kind <= KERNEL_PANELS)
    prepare_product (self);
  else if (kernel->kind == KERNEL_ATTEND)
    prepare_attention (self);
  else
    prepare_rows (self);
  return self;
}

static void
start_attention (KernelRun *self)
{
  const KernelCase *kernel = self->kernel;
  const HlAttentionRule rule = {
    .scale = 1 / sqrt ((double) kernel->sizes[2]),
    .softcap = kernel->softcap,
    .mask = { .causal = kernel->causal, .window = kernel->window },
    .bias = self->bias,
  };

  hl_attend_output (&rule, kernel->n_heads, kernel_case_get_key_heads (kernel), kernel->sizes[0], kernel->sizes[1],
                    kernel->sizes[2], kernel->sizes[2], self->a, self->b, self->c, self->result, &self->scratch);
}

/* Those that work in place. */
static void
start_rows (KernelRun *self)
{
  const KernelCase *kernel = self->kernel;
  const gsize n_rows = kernel->sizes[0], width = kernel->sizes[1];
  const HlNorm norm = { self->c, self->bias, kernel->centre, EPSILON };
  g_autofree float *table = NULL;

  memcpy (self->result, self->a, self->n_results * sizeof (float));
  switch (kernel->kind)
    {
    case KERNEL_SOFTMAX:
      for (gsize row = 0; row < n_rows; row++)
        hl_attend_softmax (self->result + row * width, width);
      break;
    case KERNEL_NORM:
      hl_norm_apply (&norm, n_rows, width, self->a, width, self->result, width);
      break;
    case KERNEL_NORM_ADD:
      hl_norm_add_apply (&norm, n_rows, width, self->b, self->bias, self->result);
      break;
    case KERNEL_ACTIVATE:
      hl_activation_apply (kernel->activation, n_rows, width, self->bias, self->result, width);
      break;
    case KERNEL_GATE:
      hl_activation_gate (kernel->activation, n_rows, width, self->bias, self->result, 2 * width);
      break;
    default:
      table = g_new (float, n_rows * 2 * width);
      hl_rotary_fill_table (0, n_rows, width, self->b, 1, table);
      hl_rotary_apply (n_rows, width, table, self->result, 2 * width + kernel->sizes[2]);
      break;
    }
}

/* The largest difference of all tiles that the machine has stands in for the others. */
static void
start_tiles (KernelRun *self)
{
  const gsize m = self->kernel->sizes[0], k = self->kernel->sizes[1];
  g_autofree float *panel = g_new (float, (k + 1) * HL_TILE_COLUMNS);
  g_autofree float *product = g_new (float, m *HL_TILE_COLUMNS);
  const HlTile *tile;

  for (guint rank = 0; (tile = hl_tile_get (rank)) != NULL; rank++)
    {
      tile->pack (HL_TILE_COLUMNS, k, self->b, k, panel);
      for (gsize row = 0; row < m; row += tile->n_rows)
        tile->multiply (MIN (tile->n_rows, m - row), row == 0, k, self->a + row * k, k, panel, HL_TILE_COLUMNS,
                        product + row * HL_TILE_COLUMNS, HL_TILE_COLUMNS);
      for (gsize i = 0; i < self->n_results; i++)
        if (rank == 0 || fabs (product[i] - self->expected[i]) > fabs (self->result[i] - self->expected[i]))
          self->result[i] = product[i];
    }
}

/* Computes the case once. */
void
kernel_run_start (KernelRun *self)
{
  const gsize *sizes = self->kernel->sizes;

  if (self->kernel->kind == KERNEL_TILE)
    {
      start_tiles (self);
    }
  else if (self->kernel->kind <= KERNEL_PANELS)
    {
      const HlFactor factor = get_factor (self, sizes[1], sizes[2]);
      hl_matmul (sizes[0], sizes[1], sizes[2], self->a, sizes[2], &factor, self->result, sizes[1], &self->scratch);
    }
  else if (self->kernel->kind == KERNEL_ATTEND)
    {
      start_attention (self);
    }
  else
    {
      start_rows (self);
    }
}

/* The largest difference; of sums of products relative to the sum of their sizes; infinite for NaN. */
double
kernel_run_get_error (KernelRun *self)
{
  double error = 0;

  for (gsize i = 0; i < self->n_results; i++)
    {
      const double difference = fabs (self->result[i] - self->expected[i]) / self->scales[i];

      if (isnan (difference))
        return INFINITY;
      error = MAX (error, difference);
    }
  return error;
}

void
kernel_run_free (KernelRun *self)
{
  gpointer const all[] = { self->a,      self->b,      self->c,        self->bias,  self->stored,
                           self->panels, self->result, self->expected, self->scales };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    g_free (all[i]);
  hl_scratch_clear (&self->scratch);
  g_free (self);
}
