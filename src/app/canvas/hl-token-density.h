/* SPDX-License-Identifier: MIT */
#pragma once

#include "view/hl-view-state.h"

G_BEGIN_DECLS

/* How much there is to see at which part of a text, with tokens that are too many put together. */
typedef struct
{
  HlAttentionSource *source;
  HlShownHead       *heads;
  guint              n_heads;
  HlRange            queries;
  HlRange            keys;
  /* Whether bins are queries, each with its strongest weight; otherwise keys, each with the mean weight that it gets. */
  gboolean           of_queries;
  gsize              n_bins;
  float             *bins; /* numbers from 0, once read */
} HlTokenDensity;

HlTokenDensity *hl_token_density_new   (HlViewState           *state,
                                        gboolean               of_queries);
void            hl_token_density_free  (HlTokenDensity        *self);
gboolean        hl_token_density_equal (const HlTokenDensity  *self,
                                        const HlTokenDensity  *other);
gboolean        hl_token_density_read  (HlTokenDensity        *self,
                                        GCancellable          *cancellable,
                                        GError               **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlTokenDensity, hl_token_density_free)

G_END_DECLS
