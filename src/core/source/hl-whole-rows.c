/* SPDX-License-Identifier: MIT */
/* Rows of a source whose numbers depend on all weights of the query, also on those that were not asked for. */
#include "core/source/hl-whole-rows.h"

#include "core/base/hl-error.h"

#include <string.h>

/* Weights are read this many at a time: a source that makes them does so for many queries at once. */
#define BAND_NUMBERS (512u * 1024)

/**
 * hl_whole_rows_read:
 * @source: where the rows come from
 * @request: exact weights
 * @change_row: what is done to each whole row, in the order of queries and in this thread
 * @data: for @change_row
 * @target: (out caller-allocates): [n_queries, n_keys] the wanted part of the changed rows
 * @cancellable: (nullable): stops it
 * @error: as hl_attention_source_read(), and %HL_ERROR_TOO_LARGE
 *
 * Reads whole rows in bands, changes them and hands on the part that is wanted.
 *
 * Returns: whether @target was filled
 */
gboolean
hl_whole_rows_read (HlAttentionSource         *source,
                    const HlAttentionRequest  *request,
                    HlChangeRow                change_row,
                    gpointer                   data,
                    float                     *target,
                    GCancellable              *cancellable,
                    GError                   **error)
{
  const gsize all_keys = hl_attention_source_get_n_keys (source);
  const gsize n_queries = request->n_queries;
  const gsize n_keys = request->n_keys;
  const gsize n_band = CLAMP (BAND_NUMBERS / all_keys, 1, n_queries);
  g_autofree float *band = g_try_malloc_n (n_band * all_keys, sizeof (float));

  if (band == NULL)
    return hl_error_set_no_memory (error);
  for (gsize done = 0; done < n_queries; done += n_band)
    {
      const gsize n = MIN (n_band, n_queries - done);
      HlAttentionRequest whole = hl_attention_request_get_band (request, done, n);

      whole.first_key = 0;
      whole.n_keys = whole.n_columns = all_keys;
      if (!hl_attention_source_read (source, &whole, band, cancellable, error))
        return FALSE;
      for (gsize i = 0; i < n; i++)
        {
          float *row = band + i * all_keys;

          change_row (row, all_keys, whole.first_query + i, data);
          memcpy (target + (done + i) * n_keys, row + request->first_key, n_keys * sizeof (float));
        }
    }
  return TRUE;
}
