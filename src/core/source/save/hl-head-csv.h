/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-progress.h"
#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

/**
 * HlHeadCsv:
 * @source: where the weights come from
 * @layer: which layer
 * @head: which head of it
 * @first_query: the first row
 * @n_queries: how many
 * @first_key: the first column
 * @n_keys: how many
 * @query_tokens: a name for each query of @source
 * @key_tokens: a name for each key of @source
 *
 * What of a head becomes a table.
 */
typedef struct
{
  HlAttentionSource *source;
  guint              layer;
  guint              head;
  gsize              first_query;
  gsize              n_queries;
  gsize              first_key;
  gsize              n_keys;
  const char *const *query_tokens;
  const char *const *key_tokens;
} HlHeadCsv;

void     hl_head_csv_append_field (GString          *line,
                                   const char       *text);
gboolean hl_head_csv_save         (const HlHeadCsv  *self,
                                   GFile            *target,
                                   HlProgress       *progress,
                                   GCancellable     *cancellable,
                                   GError          **error);
char    *hl_head_csv_to_string    (const HlHeadCsv  *self,
                                   GCancellable     *cancellable,
                                   GError          **error);

G_END_DECLS
