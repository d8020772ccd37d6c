/* SPDX-License-Identifier: MIT */
/* One head as a small picture: its weights pooled to so many pixels, as a heatmap or as lines. Immutable once made. */
#pragma once

#include "core/analysis/hl-head-stats.h"
#include "view/hl-view-state.h"

#include <cairo.h>

G_BEGIN_DECLS

/**
 * HlThumbnailStyle:
 * @kind: heatmap or lines
 * @map: colours of a heatmap
 * @value_scale: how weights become places on @map; each head from 0 to its own largest weight
 * @dark: which theme
 * @mirrored: whether the text is read from right to left: the first key is on the right, as are queries beside lines
 * @width: device pixels
 * @height: device pixels
 * @scale: device pixels a logical pixel
 *
 * How a thumbnail looks.
 */
typedef struct
{
  HlThumbnailKind  kind;
  HlColourMap      map;
  HlValueScaleKind value_scale;
  gboolean         dark;
  gboolean         mirrored;
  guint            width;
  guint            height;
  double           scale;
} HlThumbnailStyle;

/**
 * HlThumbnail:
 * @source: whose weights
 * @layer: of which layer
 * @head: of which head
 * @queries: of which queries
 * @keys: of which keys
 * @style: how it looks
 * @n_rows: rows of @values
 * @n_columns: columns of @values
 * @values: (nullable): n_rows × n_columns weights, pooled by their maximum; %NULL until they are read
 * @surface: (nullable): of a heatmap a pixel for each of @values, of lines @style's width × height; %NULL until it is
 *   made
 *
 * The picture.
 */
typedef struct
{
  HlAttentionSource *source;
  guint              layer;
  guint              head;
  HlRange            queries;
  HlRange            keys;
  HlThumbnailStyle   style;
  gsize              n_rows;
  gsize              n_columns;
  float             *values;
  cairo_surface_t   *surface;
} HlThumbnail;

HlThumbnail *hl_thumbnail_new     (HlAttentionSource      *source,
                                   guint                   layer,
                                   guint                   head,
                                   HlRange                 queries,
                                   HlRange                 keys,
                                   const HlThumbnailStyle *style);
HlThumbnail *hl_thumbnail_ref     (HlThumbnail            *self);
void         hl_thumbnail_unref   (HlThumbnail            *self);
gboolean     hl_thumbnail_looks   (const HlThumbnail      *self,
                                   const HlThumbnailStyle *style);
gsize        hl_thumbnail_get_size (const HlThumbnail     *self);
gboolean     hl_thumbnail_make    (HlThumbnail            *self,
                                   const HlThumbnail      *known,
                                   GCancellable           *cancellable,
                                   GError                **error);
void         hl_thumbnail_paint   (const HlThumbnail       *self,
                                   const cairo_rectangle_t *box,
                                   cairo_t                 *cr);
void         hl_thumbnail_draw    (const HlThumbnail       *self,
                                   const cairo_rectangle_t *box,
                                   cairo_t                 *cr);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlThumbnail, hl_thumbnail_unref)

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
