/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention-rule.h"
#include "core/document/read/base/hl-dump-context.h"
#include "core/document/read/base/hl-dump-maps.h"

G_BEGIN_DECLS

/**
 * HlDumpDistances:
 * @biases: [layer][head, distance], no head axis
 * @tables: of each side [layer][head, row, feature]
 * @distances: (nullable): which row each distance has
 *
 * What a dump adds to scores by distance. Each is empty unless it is there and fits.
 */
typedef struct
{
  HlDumpMaps   biases;
  HlDumpMaps   tables[2];
  HlDistances *distances;
} HlDumpDistances;

gboolean hl_dump_distances_open  (HlDumpDistances     *self,
                                  const HlDumpContext *context,
                                  const HlDumpMaps    *queries,
                                  const HlDumpMaps    *keys,
                                  gboolean             strict,
                                  GError             **error);
void     hl_dump_distances_clear (HlDumpDistances     *self);

G_END_DECLS
