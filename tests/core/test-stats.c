/* SPDX-License-Identifier: MIT */
#include "test-stats.h"

/* The numbers of all heads of layer 0, then of layer 1 …, over the first queries; free with g_free(). */
HlHeadStats *
test_compute_stats (HlAttention       *attention,
                    HlAttentionSource *source,
                    gsize              n_queries,
                    HlHeadNumberSet    wanted,
                    GCancellable      *cancellable,
                    GError           **error)
{
  guint n = 0;

  for (guint layer = 0; layer < hl_attention_source_get_n_layers (source); layer++)
    n += hl_attention_source_get_n_heads (source, layer);
  g_autofree HlHeadStats *stats = g_new0 (HlHeadStats, MAX (n, 1));
  if (!hl_head_stats_compute_range (attention, source, 0, n_queries, 0, n, wanted, stats, cancellable, error))
    return NULL;
  return g_steal_pointer (&stats);
}
