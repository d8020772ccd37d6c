/* SPDX-License-Identifier: MIT */
#include "draw/scene/hl-map-read.h"

/* Reads the cells of a head that a picture shows, each by itself: [queries, keys], −0 where they are masked. */
gboolean
hl_map_read (HlAttentionSource *source,
             const HlShownHead *head,
             HlRange            queries,
             HlRange            keys,
             float             *target,
             GCancellable      *cancellable,
             GError           **error)
{
  const HlAttentionRequest request = {
    .layer = head->layer,
    .head = head->head,
    .first_query = queries.first,
    .n_queries = queries.n,
    .first_key = keys.first,
    .n_keys = keys.n,
    .n_rows = queries.n,
    .n_columns = keys.n,
    .pooling = HL_POOLING_MAX,
    .marks_masked = TRUE,
  };

  return queries.n == 0 || keys.n == 0 || hl_attention_source_read (source, &request, target, cancellable, error);
}
