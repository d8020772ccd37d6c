/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"
#include "core/document/read/base/hl-dump-context.h"
#include "core/document/read/base/hl-dump-held.h"
#include "core/document/tokens/hl-token-times.h"

G_BEGIN_DECLS

/**
 * HlDumpTokens:
 * @queries: (nullable): tokens of the queries, at most as many as there are
 * @keys: (nullable): tokens of the keys
 * @n_used_queries: queries that are not padding
 * @n_used_keys: keys that are not padding
 * @times: (nullable): of each side when its tokens are, of as many as there are queries or keys
 *
 * The tokens of one attention.
 */
typedef struct
{
  char **queries;
  char **keys;
  gsize n_used_queries;
  gsize n_used_keys;
  HlTokenTimes *times[2];
} HlDumpTokens;

gboolean hl_dump_tokens_read (HlDumpTokens *self,
                              const HlDumpContext *context,
                              const HlDumpHeld *held,
                              HlAttentionKind kind,
                              gboolean causal,
                              const HlLayerTensor *projections,
                              guint n_layers,
                              GError **error);
gboolean hl_dump_tokens_read_steps (HlDumpTokens *self,
                                    const HlDumpContext *context,
                                    const HlDumpHeld *held,
                                    HlAttentionKind kind,
                                    gsize first_query,
                                    GError **error);
void hl_dump_tokens_clear (HlDumpTokens *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlDumpTokens, hl_dump_tokens_clear)

G_END_DECLS
