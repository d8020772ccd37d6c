/* SPDX-License-Identifier: MIT */
/* The right factor of a product, and the panels that are made of it. */
#include "core/compute/hl-factor.h"

#include <stdint.h>
#include <string.h>

/**
 * hl_factor_is_plain:
 * @self: a factor
 *
 * Returns: whether its numbers are float32 that can be read where they are
 */
gboolean
hl_factor_is_plain (const HlFactor *self)
{
  return self->dtype == HL_DTYPE_F32 && (uintptr_t) self->data % sizeof (float) == 0;
}

static const guint8 *
get_row (const HlFactor *self,
         gsize           row)
{
  return (const guint8 *) self->data + row * self->stride * hl_dtype_get_size (self->dtype);
}

/**
 * hl_factor_pack_panel:
 * @self: a factor
 * @n: its columns
 * @k: its rows
 * @first: the first of 32 columns
 * @widened: (nullable): [32, k] to work in, if its numbers are not plain
 * @panel: (out caller-allocates): [k, 32]; columns from @n on are 0
 *
 * Brings some columns into the order in which products use them.
 */
void
hl_factor_pack_panel (const HlFactor *self,
                      gsize           n,
                      gsize           k,
                      gsize           first,
                      float          *widened,
                      float          *panel)
{
  const HlTile *tile = hl_tile_get (0);
  const gsize size = hl_dtype_get_size (self->dtype);
  const gsize n_columns = MIN (n - first, HL_TILE_COLUMNS);

  if (self->transposed && hl_factor_is_plain (self))
    {
      tile->pack (n_columns, k, (const float *) self->data + first * self->stride, self->stride,
                  panel);
      return;
    }
  if (self->transposed)
    {
      for (gsize i = 0; i < n_columns; i++)
        hl_dtype_convert_to_f32 (self->dtype, FALSE, get_row (self, first + i), size,
                                 widened + i * k, k);
      tile->pack (n_columns, k, widened, k, panel);
      return;
    }
  for (gsize i = 0; i < k; i++)
    {
      float *row = panel + i * HL_TILE_COLUMNS;

      hl_dtype_convert_to_f32 (self->dtype, FALSE, get_row (self, i) + first * size, size, row,
                               n_columns);
      memset (row + n_columns, 0, (HL_TILE_COLUMNS - n_columns) * sizeof (float));
    }
}

/**
 * hl_factor_new_panels:
 * @self: a factor
 * @n: its columns
 * @k: its rows
 *
 * Makes all panels, for a factor that is used many times. Uses all threads.
 *
 * Returns: (transfer full): [ceil (n / 32), k, 32]
 */
float *
hl_factor_new_panels (const HlFactor *self,
                      gsize           n,
                      gsize           k)
{
  const gsize n_panels = (n + HL_TILE_COLUMNS - 1) / HL_TILE_COLUMNS;
  float *panels = g_new (float, n_panels *k *HL_TILE_COLUMNS);

#pragma omp parallel
  {
    g_autofree float *widened = hl_factor_is_plain (self) ? NULL
                                                          : g_new (float, k *HL_TILE_COLUMNS);

#pragma omp for
    for (gsize i = 0; i < n_panels; i++)
      hl_factor_pack_panel (self, n, k, i * HL_TILE_COLUMNS, widened,
                            panels + i * k * HL_TILE_COLUMNS);
  }
  return panels;
}
