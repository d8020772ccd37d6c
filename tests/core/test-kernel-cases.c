/* SPDX-License-Identifier: MIT */
/* Each case is computed twice: by the kernel, and plainly in double precision from the formulas. */
#include "test-kernel-cases.h"

#include "core/compute/hl-attend-output.h"
#include "core/compute/hl-attend.h"
#include "core/compute/hl-matmul.h"
#include "core/compute/hl-norm.h"
#include "core/compute/hl-rotary.h"

#include <math.h>
#include <string.h>

#define PRODUCT(m, n, k, type, ...)                                                                \
  {                                                                                                \
    .kind = KERNEL_MATMUL, .sizes = { m, n, k }, .dtype = HL_DTYPE_##type, __VA_ARGS__             \
  }
#define PANELS(m, n, k, type, ...)                                                                 \
  {                                                                                                \
    .kind = KERNEL_PANELS, .sizes = { m, n, k }, .dtype = HL_DTYPE_##type, __VA_ARGS__             \
  }
#define ATTEND(queries, keys, features, heads, ...)                                                \
  {                                                                                                \
    .kind = KERNEL_ATTEND, .sizes = { queries, keys, features }, .n_heads = heads, __VA_ARGS__     \
  }
#define ROWS(what, rows, width, ...)                                                               \
  {                                                                                                \
    .kind = KERNEL_##what, .sizes = { rows, width }, __VA_ARGS__                                   \
  }

/* clang-format off */
const KernelCase kernel_cases[] = {
  ROWS (TILE, 1, 1), ROWS (TILE, 5, 0), ROWS (TILE, 6, 33), ROWS (TILE, 12, 384),
  PRODUCT (1, 1, 1, F32), PRODUCT (3, 31, 17, F32), PRODUCT (13, 33, 15, F32), PRODUCT (2, 5, 0, F32), PRODUCT (0, 5, 3, F32), PRODUCT (25, 96, 64, F32),
  PRODUCT (7, 70, 37, F32, .plain_order = TRUE), PRODUCT (16, 64, 300, F32, .plain_order = TRUE),
  PRODUCT (19, 45, 50, F16), PRODUCT (19, 45, 50, BF16),
  PRODUCT (9, 45, 50, BF16, .plain_order = TRUE), PRODUCT (9, 40, 20, F64),
  PRODUCT (16, 384, 384, F32), PRODUCT (16, 1536, 384, F32), PRODUCT (16, 384, 1536, F32),
  PRODUCT (128, 384, 384, F32), PRODUCT (128, 1536, 384, F32), PRODUCT (128, 384, 1536, F32),
  PRODUCT (512, 384, 384, F32), PRODUCT (512, 1536, 384, F32), PRODUCT (512, 384, 1536, F32),
  PANELS (1, 1, 1, F32), PANELS (13, 33, 15, F32), PANELS (19, 45, 50, F16),
  PANELS (16, 384, 384, F32), PANELS (16, 1536, 384, F32), PANELS (16, 384, 1536, F32), PANELS (128, 1536, 384, F32),
  ATTEND (1, 1, 1, 1), ATTEND (5, 7, 3, 2), ATTEND (13, 13, 8, 2), ATTEND (40, 70, 33, 1), ATTEND (200, 200, 64, 2),
  ATTEND (45, 45, 16, 4, .n_key_heads = 2), ATTEND (45, 45, 16, 3, .n_key_heads = 1),
  ATTEND (45, 45, 16, 2, .causal = TRUE), ATTEND (3, 40, 16, 2, .causal = TRUE), ATTEND (40, 3, 16, 2, .causal = TRUE),
  ATTEND (300, 300, 16, 1, .causal = TRUE, .window = 5), ATTEND (300, 300, 40, 1, .window = 9),
  ATTEND (50, 50, 16, 2, .softcap = 2), ATTEND (50, 60, 16, 2, .has_bias = TRUE),
  ATTEND (45, 45, 16, 2, .causal = TRUE, .softcap = 3, .has_bias = TRUE), ATTEND (4, 0, 8, 1), ATTEND (0, 4, 8, 1),
  ATTEND (16, 16, 32, 12), ATTEND (128, 128, 32, 12), ATTEND (512, 512, 32, 12),
  ROWS (SOFTMAX, 2, 0), ROWS (SOFTMAX, 2, 1), ROWS (SOFTMAX, 8, 17), ROWS (SOFTMAX, 4, 1000), ROWS (SOFTMAX, 512, 512),
  ROWS (NORM, 1, 1, .centre = TRUE), ROWS (NORM, 3, 7, .centre = TRUE, .has_bias = TRUE), ROWS (NORM, 3, 33),
  ROWS (NORM, 128, 384, .centre = TRUE, .has_bias = TRUE), ROWS (NORM, 0, 5),
  ROWS (NORM_ADD, 3, 7, .centre = TRUE, .has_bias = TRUE), ROWS (NORM_ADD, 3, 33),
  ROWS (NORM_ADD, 128, 384, .centre = TRUE, .has_bias = TRUE),
  ROWS (ACTIVATE, 1, 1, .activation = HL_ACTIVATION_GELU), ROWS (ACTIVATE, 0, 9, .activation = HL_ACTIVATION_GELU),
  ROWS (ACTIVATE, 3, 1001, .activation = HL_ACTIVATION_GELU),
  ROWS (ACTIVATE, 3, 1001, .activation = HL_ACTIVATION_GELU_TANH, .has_bias = TRUE),
  ROWS (ACTIVATE, 3, 1001, .activation = HL_ACTIVATION_QUICK_GELU),
  ROWS (ACTIVATE, 3, 1001, .activation = HL_ACTIVATION_SILU, .has_bias = TRUE),
  ROWS (ACTIVATE, 3, 1001, .activation = HL_ACTIVATION_RELU),
  ROWS (ACTIVATE, 128, 1536, .activation = HL_ACTIVATION_GELU, .has_bias = TRUE),
  ROWS (GATE, 3, 77, .activation = HL_ACTIVATION_SILU), ROWS (GATE, 3, 77, .activation = HL_ACTIVATION_GELU, .has_bias = TRUE),
  { .kind = KERNEL_ROTARY, .sizes = { 1, 1, 0 } }, { .kind = KERNEL_ROTARY, .sizes = { 9, 5, 3 } },
  { .kind = KERNEL_ROTARY, .sizes = { 128, 32, 0 } },
};
/* clang-format on */

const guint n_kernel_cases = G_N_ELEMENTS (kernel_cases);

#define EPSILON 1e-5f

static guint
get_key_heads (const KernelCase *self)
{
  return self->n_key_heads > 0 ? self->n_key_heads : self->n_heads;
}

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

static const char *const kind_names[] = {
  "tile", "product",     "product of panels", "attention", "softmax",
  "norm", "norm of sum", "activation",        "gate",      "rotary",
};

char *
kernel_case_dup_name (const KernelCase *self)
{
  GString *name = g_string_new (kind_names[self->kind]);

  g_string_append_printf (name, " %zu x %zu", self->sizes[0], self->sizes[1]);
  if (self->sizes[2] > 0)
    g_string_append_printf (name, " x %zu", self->sizes[2]);
  if (self->n_heads > 0)
    g_string_append_printf (name, ", %u heads, %u of keys", self->n_heads, get_key_heads (self));
  if (self->kind == KERNEL_MATMUL || self->kind == KERNEL_PANELS)
    g_string_append_printf (name, ", %s%s", hl_dtype_get_name (self->dtype),
                            self->plain_order ? ", rows" : "");
  if (self->kind == KERNEL_ACTIVATE || self->kind == KERNEL_GATE)
    g_string_append_printf (name, ", function %d", self->activation);
  if (self->kind == KERNEL_NORM || self->kind == KERNEL_NORM_ADD)
    g_string_append (name, self->centre ? ", centred" : ", root mean square");
  if (self->causal)
    g_string_append (name, ", causal");
  if (self->window > 0)
    g_string_append_printf (name, ", window %" G_GUINT64_FORMAT, self->window);
  if (self->softcap > 0)
    g_string_append (name, ", capped");
  if (self->has_bias)
    g_string_append (name, ", biased");
  return g_string_free (name, FALSE);
}

/* Floating-point operations of what is a product, or 0. */
double
kernel_case_count (const KernelCase *self)
{
  const double size = (double) self->sizes[0] * (double) self->sizes[1];

  switch (self->kind)
    {
    case KERNEL_TILE:
      return 2 * size * HL_TILE_COLUMNS;
    case KERNEL_MATMUL:
    case KERNEL_PANELS:
      return 2 * size * (double) self->sizes[2];
    case KERNEL_ATTEND:
      return 4 * size * (double) self->sizes[2] * self->n_heads;
    default:
      return 0;
    }
}

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
        memcpy (self->stored + i * size,
                (const guint8 *) &self->b[i] + (G_BYTE_ORDER == G_LITTLE_ENDIAN ? 2 : 0), size);
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
  const gsize n_queries = kernel->sizes[0], n_keys = kernel->sizes[1],
              n_features = kernel->sizes[2];
  const guint key_head = head / (kernel->n_heads / get_key_heads (kernel));
  const gint64 position = (gint64) query +
                          (kernel->causal ? (gint64) n_keys - (gint64) n_queries : 0);
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
        const float *values = self->c + head / (kernel->n_heads / get_key_heads (kernel)) * n_keys *
                                          n_features;
        double *row = self->expected + (query * kernel->n_heads + head) * n_features;

        expect_weights (self, head, query, weights);
        for (gsize key = 0; key < n_keys; key++)
          for (gsize i = 0; i < n_features; i++)
            row[i] += weights[key] * values[key * n_features + i];
      }
}

/* Row 0 of the softmax is wholly masked, and of the others the even keys of every third. */
static gboolean
is_masked (gsize row,
           gsize key)
{
  return row == 0 || (row % 3 == 0 && key % 2 == 0);
}

static void
expect_softmax (KernelRun *self)
{
  const gsize n = self->kernel->sizes[1];

  for (gsize row = 0; row < self->kernel->sizes[0]; row++)
    {
      double sum = 0;
      for (gsize key = 0; key < n; key++)
        if (is_masked (row, key))
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
        x[i] = x[i] / sqrt (squares + EPSILON) * self->c[i] +
               (self->bias != NULL ? self->bias[i] : 0);
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
  const gsize n_queries = kernel->sizes[0], n_keys = kernel->sizes[1],
              n_features = kernel->sizes[2];

  self->a = make_numbers (self, kernel->n_heads * n_queries * n_features);
  self->b = make_numbers (self, get_key_heads (kernel) * n_keys * n_features);
  self->c = make_numbers (self, get_key_heads (kernel) * n_keys * n_features);
  self->bias = kernel->has_bias ? make_numbers (self, kernel->n_heads * (n_queries + n_keys - 1))
                                : NULL;
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

  hl_attend_output (&rule, kernel->n_heads, get_key_heads (kernel), kernel->sizes[0],
                    kernel->sizes[1], kernel->sizes[2], self->a, self->b, self->c, self->result,
                    &self->scratch);
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
      hl_rotary_fill_table (n_rows, width, self->b, 1, table);
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
        tile->multiply (MIN (tile->n_rows, m - row), k, self->a + row * k, k, panel,
                        HL_TILE_COLUMNS, product + row * HL_TILE_COLUMNS, HL_TILE_COLUMNS);
      for (gsize i = 0; i < self->n_results; i++)
        if (rank == 0 ||
            fabs (product[i] - self->expected[i]) > fabs (self->result[i] - self->expected[i]))
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
      hl_matmul (sizes[0], sizes[1], sizes[2], self->a, sizes[2], &factor, self->result, sizes[1],
                 &self->scratch);
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
  hl_scratch_clear (&self->scratch);
  g_free (self->a);
  g_free (self->b);
  g_free (self->c);
  g_free (self->bias);
  g_free (self->stored);
  g_free (self->panels);
  g_free (self->result);
  g_free (self->expected);
  g_free (self->scales);
  g_free (self);
}
