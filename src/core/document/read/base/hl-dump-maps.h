/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"
#include "core/document/attention/hl-attention.h"
#include "core/document/guess/hl-layout.h"

G_BEGIN_DECLS

/**
 * HlDumpMaps:
 * @layers: (array length=n_layers): where the numbers of each layer lie
 * @n_layers: how many layers; 0 while nothing has been opened
 * @n_batch: how many batch items each layer holds; 1 without a batch axis
 * @is_generation: whether they are steps of a generation, or one of them
 * @first_query: of a generation, the position of the first query among all tokens
 *
 * All layers of `attention`, `queries` or the like, whether they are one tensor or a group of them.
 */
typedef struct
{
  HlLayerTensor *layers;
  guint          n_layers;
  guint64        n_batch;
  gboolean       is_generation;
  guint64        first_query;
} HlDumpMaps;

/**
 * HlDumpMapsKind:
 * @HL_DUMP_MAPS_WEIGHTS: maps of queries × keys
 * @HL_DUMP_MAPS_PROJECTIONS: tokens × features
 * @HL_DUMP_MAPS_STREAMS: tokens × features too, of all heads together: there is no axis of heads
 * @HL_DUMP_MAPS_NORMS: heads × tokens, each a number
 * @HL_DUMP_MAPS_BIASES: heads × distances, likewise
 *
 * What the last axes are.
 */
typedef enum {
  HL_DUMP_MAPS_WEIGHTS,
  HL_DUMP_MAPS_PROJECTIONS,
  HL_DUMP_MAPS_STREAMS,
  HL_DUMP_MAPS_NORMS,
  HL_DUMP_MAPS_BIASES,
} HlDumpMapsKind;

gboolean hl_dump_maps_open        (HlDumpMaps              *self,
                                   HlArchive               *archive,
                                   const char              *path,
                                   HlDumpMapsKind           kind,
                                   GCancellable            *cancellable,
                                   GError                 **error);
gboolean hl_dump_maps_open_shared (HlDumpMaps              *self,
                                   HlTensor                *tensor,
                                   const char              *path,
                                   HlDumpMapsKind           kind,
                                   guint                    n_layers,
                                   GError                 **error);
gboolean hl_dump_maps_check_rows  (const HlDumpMaps        *self,
                                   const char              *name,
                                   GError                 **error);
gboolean hl_dump_maps_open_layout (HlDumpMaps              *self,
                                   HlArchive               *archive,
                                   const HlLayoutAttention *attention,
                                   GCancellable            *cancellable,
                                   GError                 **error);
void     hl_dump_maps_clear       (HlDumpMaps              *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlDumpMaps, hl_dump_maps_clear)

G_END_DECLS
