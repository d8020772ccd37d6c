/* SPDX-License-Identifier: MIT */
/* The pooling of what a source gives row by row, and a look at it. */
#include "core/source/hl-bands.h"

#include "core/base/hl-error.h"
#include "core/source/hl-pool.h"

/* Exact rows are read this many numbers at a time when they are pooled. */
#define BAND_SIZE (512 * 1024)

/* Of each of @n_rows rows. */
void
hl_bands_find_extremes (const float *rows, gsize n_rows, gsize n_columns, HlRowExtremes *extremes)
{
  for (gsize i = 0; i < n_rows; i++)
    extremes[i] = hl_row_extremes_find (rows + i * n_columns, n_columns);
}

/* Reads exact rows a band at a time and pools them, looks at them, or both: for sources that know no shorter way. */
gboolean
hl_bands_read (HlAttentionSource *self,
               const HlAttentionRequest *request,
               float *target,
               HlRowExtremes *extremes,
               GCancellable *cancellable,
               GError **error)
{
  HlAttentionSourceInterface *iface = HL_ATTENTION_SOURCE_GET_IFACE (self);
  const gsize band_rows = CLAMP (BAND_SIZE / request->n_keys, 1, request->n_queries);
  g_autofree float *band = g_try_malloc_n (band_rows * request->n_keys, sizeof (float));
  g_auto (HlPool) pool = { 0 };
  gsize row = 0;

  if (target != NULL && !hl_pool_init (&pool, request, hl_attention_source_is_signed (self), error))
    return FALSE;
  if (band == NULL)
    return hl_error_set_no_memory (error);

  for (gsize query = 0; query < request->n_queries; query += band_rows)
    {
      const gsize n = MIN (band_rows, request->n_queries - query);
      const HlAttentionRequest part = hl_attention_request_get_band (request, query, n);

      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !iface->read_rows (self, &part, band, cancellable, error))
        return FALSE;
      if (extremes != NULL)
        hl_bands_find_extremes (band, n, request->n_keys, extremes + query);
      for (gsize i = 0; target != NULL && i < n; i++)
        {
          hl_pool_add (&pool, band + i * request->n_keys);
          if (query + i + 1 == hl_pool_get_bin_start (row + 1, request->n_rows, request->n_queries))
            hl_pool_finish (&pool, target + request->n_columns * row++);
        }
    }
  return TRUE;
}

/* Answers a request about weights that are one number all over, of which there may be far more than can be looked at. */
void
hl_bands_repeat (const HlAttentionRequest *request, float value, float *target, HlRowExtremes *extremes)
{
  HlRowExtremes one = hl_row_extremes_find (&value, 1);

  one.n_nan *= (guint) request->n_keys;
  for (gsize i = 0; target != NULL && i < request->n_rows * request->n_columns; i++)
    target[i] = value;
  for (gsize i = 0; extremes != NULL && i < request->n_queries; i++)
    extremes[i] = one;
}
