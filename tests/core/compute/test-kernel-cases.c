/* SPDX-License-Identifier: MIT */
/* The list of cases, and what they are called. */
#include "test-kernel-cases.h"

#include "core/compute/hl-tile.h"

#define PRODUCT(m, n, k, type, ...)                                                                                    \
  {                                                                                                                    \
    .kind = KERNEL_MATMUL, .sizes = { m, n, k }, .dtype = HL_DTYPE_##type, __VA_ARGS__                                 \
  }
#define PANELS(m, n, k, type, ...)                                                                                     \
  {                                                                                                                    \
    .kind = KERNEL_PANELS, .sizes = { m, n, k }, .dtype = HL_DTYPE_##type, __VA_ARGS__                                 \
  }
#define ATTEND(queries, keys, features, heads, ...)                                                                    \
  {                                                                                                                    \
    .kind = KERNEL_ATTEND, .sizes = { queries, keys, features }, .n_heads = heads, __VA_ARGS__                         \
  }
#define ROWS(what, rows, width, ...)                                                                                   \
  {                                                                                                                    \
    .kind = KERNEL_##what, .sizes = { rows, width }, __VA_ARGS__                                                       \
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

guint
kernel_case_get_key_heads (const KernelCase *self)
{
  return self->n_key_heads > 0 ? self->n_key_heads : self->n_heads;
}

static const char *const kind_names[] = {
  "tile", "product", "product of panels", "attention", "softmax", "norm", "norm of sum", "activation", "gate", "rotary",
};

char *
kernel_case_dup_name (const KernelCase *self)
{
  GString *name = g_string_new (kind_names[self->kind]);

  g_string_append_printf (name, " %zu x %zu", self->sizes[0], self->sizes[1]);
  if (self->sizes[2] > 0)
    g_string_append_printf (name, " x %zu", self->sizes[2]);
  if (self->n_heads > 0)
    g_string_append_printf (name, ", %u heads, %u of keys", self->n_heads, kernel_case_get_key_heads (self));
  if (self->kind == KERNEL_MATMUL || self->kind == KERNEL_PANELS)
    g_string_append_printf (name, ", %s%s", hl_dtype_get_name (self->dtype), self->plain_order ? ", rows" : "");
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
