/* SPDX-License-Identifier: MIT */
/* The pixels of a heatmap, kept as tiles. */
#pragma once

#include "draw/heatmap/hl-heatmap-layout.h"
#include "draw/heatmap/hl-heatmap-region.h"

G_BEGIN_DECLS

/* Device pixels of a side of a tile. */
#define HL_HEATMAP_TILE 256

typedef struct _HlHeatmapTiles HlHeatmapTiles;

HlHeatmapTiles *hl_heatmap_tiles_new         (void);
void            hl_heatmap_tiles_free        (HlHeatmapTiles         *self);
void            hl_heatmap_tiles_reset       (HlHeatmapTiles         *self,
                                              const HlHeatmapData    *data,
                                              const HlHeatmapPaint   *paint);
gboolean        hl_heatmap_tiles_are_of      (HlHeatmapTiles         *self,
                                              const HlHeatmapData    *data,
                                              const HlHeatmapPaint   *paint);
HlHeatmapPixels hl_heatmap_tiles_get_seen    (const HlHeatmapLayout  *layout);
gboolean        hl_heatmap_tiles_get_missing (HlHeatmapTiles         *self,
                                              const HlHeatmapLayout  *layout,
                                              HlHeatmapPixels        *missing);
void            hl_heatmap_tiles_add         (HlHeatmapTiles         *self,
                                              const HlHeatmapRegion  *region,
                                              GPtrArray              *surfaces);
GPtrArray      *hl_heatmap_tiles_cut         (const HlHeatmapRegion  *region,
                                              const HlHeatmapPaint   *paint,
                                              GCancellable           *cancellable);
void            hl_heatmap_tiles_paint       (HlHeatmapTiles         *self,
                                              const HlHeatmapLayout  *layout,
                                              cairo_t                *cr);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlHeatmapTiles, hl_heatmap_tiles_free)

G_END_DECLS
