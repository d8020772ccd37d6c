/* SPDX-License-Identifier: MIT */
#include "draw/scene/hl-map-read.h"

#include <string.h>

/* The numbers of a token over the other side; an HlFocusRead of an HlMapRow. */
gboolean
hl_map_copy_row (gsize    token,
                 float   *target,
                 gpointer data)
{
  const HlMapRow *row = data;
  const gsize n_keys = row->keys.n;

  if (row->side == HL_QUERIES)
    memcpy (target, row->map + (token - row->queries.first) * n_keys, n_keys * sizeof (float));
  else
    for (gsize i = 0; i < row->queries.n; i++)
      target[i] = row->map[i * n_keys + token - row->keys.first];
  return TRUE;
}

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
