/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"
#include "core/document/read/hl-dump-context.h"

G_BEGIN_DECLS

/**
 * HlDumpTokens:
 * @queries: (nullable): tokens of the queries, at most as many as there are
 * @keys: (nullable): tokens of the keys
 * @n_used_queries: queries that are not padding
 * @n_used_keys: keys that are not padding
 *
 * The tokens of one attention.
 */
typedef struct
{
  char **queries;
  char **keys;
  gsize  n_used_queries;
  gsize  n_used_keys;
} HlDumpTokens;

void hl_dump_tokens_read       (HlDumpTokens        *self,
                                const HlDumpContext *context,
                                HlAttentionKind      kind,
                                gsize                n_queries,
                                gsize                n_keys,
                                gboolean             causal,
                                gboolean             projected);
void hl_dump_tokens_read_steps (HlDumpTokens        *self,
                                const HlDumpContext *context,
                                HlAttentionKind      kind,
                                gsize                n_queries,
                                gsize                n_keys,
                                gsize                first_query);
void hl_dump_tokens_clear      (HlDumpTokens        *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlDumpTokens, hl_dump_tokens_clear)

G_END_DECLS
