/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compute/hl-attend-tile.h"
#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

/**
 * HlQkHead:
 * @layer: its layer
 * @head: which query head
 * @key_head: whose keys it uses
 * @panels: these keys, as hl_attend_make_panels() makes them
 *
 * What is kept of a head: its keys, and of each query whose weights were made, what makes some of them again without the rest. Shared by
 * threads.
 */
typedef struct
{
  guint   layer;
  guint   head;
  guint   key_head;
  GBytes *panels;

  /*< private >*/
  gsize          n_queries;
  HlSoftmaxNorm *norms;
  GMutex         lock;
} HlQkHead;

void     hl_qk_head_unref     (HlQkHead            *self);
gboolean hl_qk_head_get_norms (HlQkHead            *self,
                               gsize                first_query,
                               gsize                n_queries,
                               HlSoftmaxNorm       *norms);
void     hl_qk_head_set_norms (HlQkHead            *self,
                               gsize                first_query,
                               gsize                n_queries,
                               const HlSoftmaxNorm *norms);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlQkHead, hl_qk_head_unref)

/**
 * HlQkCache:
 *
 * The heads that were looked at last. Shared by threads.
 */
typedef struct _HlQkCache HlQkCache;

HlQkCache *hl_qk_cache_new  (HlAttention  *attention);
void       hl_qk_cache_free (HlQkCache    *self);
HlQkHead  *hl_qk_cache_get  (HlQkCache    *self,
                             guint         layer,
                             guint         head,
                             GCancellable *cancellable,
                             GError      **error);

G_END_DECLS
