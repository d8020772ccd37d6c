/* SPDX-License-Identifier: MIT */
/* What a model view knows of the heads of a source: their thumbnails, and their numbers as far as somebody asked. */
#pragma once

#include "core/analysis/hl-head-stats.h"
#include "draw/model-view/hl-thumbnail.h"

G_BEGIN_DECLS

/**
 * HlThumbnailSlot:
 * @thumbnail: (nullable): the picture, perhaps in another style than is wanted now
 * @stats: (nullable): its numbers
 *
 * What there is of one head.
 */
typedef struct
{
  HlThumbnail *thumbnail;
  HlHeadStats *stats;
} HlThumbnailSlot;

/**
 * HlThumbnailSet:
 * @source: (nullable): whose weights; %NULL for none yet
 * @queries: of which queries
 * @keys: of which keys
 * @n_layers: how many layers
 * @starts: (array length=n_layers): the slot of each layer's first head
 * @slots: all heads of layer 0, then of layer 1 …
 * @preview: (nullable): the enlarged thumbnail of the head in focus
 *
 * The heads of a source.
 */
typedef struct
{
  HlAttentionSource *source;
  HlRange            queries;
  HlRange            keys;
  guint              n_layers;
  guint             *starts;
  HlThumbnailSlot   *slots;
  HlThumbnail       *preview;
} HlThumbnailSet;

void             hl_thumbnail_set_clear  (HlThumbnailSet       *self);
gboolean         hl_thumbnail_set_is_of  (const HlThumbnailSet *self,
                                          HlViewState          *state);
void             hl_thumbnail_set_follow (HlThumbnailSet       *self,
                                          HlViewState          *state);
HlThumbnailSlot *hl_thumbnail_set_get    (HlThumbnailSet       *self,
                                          guint                 layer,
                                          guint                 head);

G_END_DECLS
