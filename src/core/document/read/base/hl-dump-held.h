/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention-rule.h"
#include "core/document/read/base/hl-dump-context.h"

G_BEGIN_DECLS

/**
 * HlDumpHeld:
 * @weights: (unowned): the stored maps; of no layers where weights follow from queries and keys
 * @batch: which item of their batch
 * @has_scores: whether they are scores, of which a softmax makes weights
 * @mask: which keys a query cannot see
 * @n_queries: queries of every map
 * @n_keys: keys of every map
 * @keys: (unowned) (nullable): [@n_keys], 0 for those that no query sees, where the queries are such keys, too
 *
 * What it takes to find out which positions hold weight.
 */
typedef struct
{
  const HlDumpMaps *weights;
  guint64           batch;
  gboolean          has_scores;
  HlMask            mask;
  gsize             n_queries;
  gsize             n_keys;
  const guint8     *keys;
} HlDumpHeld;

/**
 * HL_DUMP_HELD_N_HEADS:
 *
 * How many heads are looked at.
 */
#define HL_DUMP_HELD_N_HEADS 2

gsize    hl_dump_held_count_rows   (const HlDumpHeld    *self,
                                    gsize                n_rows);
guint    hl_dump_held_get_layer    (const HlDumpHeld    *self,
                                    guint                which);
gboolean hl_dump_held_is_padding   (const HlDumpHeld    *self,
                                    const HlMask        *mask,
                                    gsize                query);
void     hl_dump_held_find_text    (const HlDumpHeld    *self,
                                    const HlMask        *mask,
                                    gsize               *first_query,
                                    gsize               *end_query);
gboolean hl_dump_held_read         (const HlDumpHeld    *self,
                                    const HlDumpContext *context,
                                    guint                which,
                                    gsize                first_query,
                                    gsize                n_rows,
                                    float               *rows,
                                    GError             **error);
gboolean hl_dump_held_read_head    (const HlDumpHeld    *self,
                                    const HlDumpContext *context,
                                    guint                layer_index,
                                    guint64              head,
                                    gsize                first_query,
                                    gsize                n_rows,
                                    float               *rows,
                                    GError             **error);
gboolean hl_dump_held_find_keys    (const HlDumpHeld    *self,
                                    const HlDumpContext *context,
                                    gsize                n_queries,
                                    gsize               *end_key,
                                    GError             **error);
gboolean hl_dump_held_find_queries (const HlDumpHeld    *self,
                                    const HlDumpContext *context,
                                    gsize                first_query,
                                    gsize               *end_query,
                                    GError             **error);

G_END_DECLS
