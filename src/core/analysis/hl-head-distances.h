/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-progress.h"
#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

/**
 * HlHeadDistances:
 *
 * How far apart all heads of an attention are, over one text or several: Clark et al. 2019, section 6.
 */
typedef struct _HlHeadDistances HlHeadDistances;

HlHeadDistances *hl_head_distances_new     (void);
HlHeadDistances *hl_head_distances_ref     (HlHeadDistances       *self);
void             hl_head_distances_unref   (HlHeadDistances       *self);
HlHeadDistances *hl_head_distances_copy    (const HlHeadDistances *self);
gboolean         hl_head_distances_add     (HlHeadDistances       *self,
                                            HlAttentionSource     *source,
                                            gsize                  first_query,
                                            gsize                  n_queries,
                                            HlProgress            *progress,
                                            GCancellable          *cancellable,
                                            GError               **error);
gboolean         hl_head_distances_merge   (HlHeadDistances       *self,
                                            const HlHeadDistances *other,
                                            GError               **error);
double          *hl_head_distances_from    (HlAttentionSource     *source,
                                            guint                  head,
                                            gsize                  first_query,
                                            gsize                  n_queries,
                                            gsize                  step,
                                            GCancellable          *cancellable,
                                            GError               **error);
gsize            hl_head_distances_get_size (const HlHeadDistances *self);
guint            hl_head_distances_get_n   (const HlHeadDistances *self);
double           hl_head_distances_get     (const HlHeadDistances *self,
                                            guint                  a,
                                            guint                  b);
double          *hl_head_distances_arrange (const HlHeadDistances *self,
                                            GCancellable          *cancellable,
                                            GError               **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlHeadDistances, hl_head_distances_unref)

G_END_DECLS
