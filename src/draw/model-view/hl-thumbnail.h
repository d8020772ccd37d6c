/* SPDX-License-Identifier: MIT */
/* One head as a small picture: its weights pooled to so many pixels, as a heatmap or as lines. Immutable once made. */
#pragma once

#include "core/analysis/hl-head-stats.h"
#include "view/hl-view-state.h"

#include <cairo.h>

G_BEGIN_DECLS

/* How a thumbnail looks. */
typedef struct
{
  HlThumbnailKind  kind;        /* heatmap or lines */
  HlColourMap      map;         /* colours of a heatmap */
  HlValueScaleKind value_scale; /* how weights become places on map; each head from 0 to its own largest weight */
  gboolean         relative;    /* whether lines are as strong as their part of the strongest of the map */
  double           least_whole; /* what that stands for at least; 0 for nothing */
  gboolean         dark;        /* which theme */
  /* whether the text is read from right to left: the first key is on the right, as are queries beside lines */
  gboolean         mirrored;
  guint            width;  /* device pixels */
  guint            height; /* device pixels */
  double           scale;  /* device pixels a logical pixel */
} HlThumbnailStyle;

/* The picture. */
typedef struct
{
  HlAttentionSource *source;    /* whose weights */
  guint              layer;     /* of which layer */
  guint              head;      /* of which head */
  HlRange            queries;   /* of which queries */
  HlRange            keys;      /* of which keys */
  HlThumbnailStyle   style;     /* how it looks */
  gsize              n_rows;    /* rows of values */
  gsize              n_columns; /* columns of values */
  float             *values;    /* n_rows × n_columns weights, pooled by their maximum; NULL until they are read */
  /* of a heatmap a pixel for each of values, of lines style's width × height; NULL until it is made */
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

/* What there is of one head. */
typedef struct
{
  HlThumbnail *thumbnail; /* the picture, perhaps in another style than is wanted now; may be NULL */
  HlHeadStats *stats;     /* its numbers; may be NULL */
} HlThumbnailSlot;

/* The heads of a source. */
typedef struct
{
  HlAttentionSource *source;   /* whose weights; NULL for none yet */
  HlRange            queries;  /* of which queries */
  HlRange            keys;     /* of which keys */
  guint              n_layers; /* how many layers */
  guint             *starts;   /* the slot of each layer's first head */
  HlThumbnailSlot   *slots;    /* all heads of layer 0, then of layer 1 … */
  HlThumbnail       *preview;  /* the enlarged thumbnail of the head in focus; may be NULL */
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
