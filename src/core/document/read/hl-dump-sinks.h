/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/read/base/hl-dump-context.h"
#include "core/document/read/base/hl-dump-maps.h"

G_BEGIN_DECLS

/**
 * HlDumpSinks:
 * @numbers: those of all layers that have some, one after another
 * @of_layers: (nullable): [n_layers], where those of a layer begin; %NULL of a layer without. %NULL without any
 *
 * Scores of a sink of each head, of the layers that have sinks.
 */
typedef struct
{
  float *numbers;
  const float **of_layers;
} HlDumpSinks;

gboolean hl_dump_sinks_read (const HlDumpContext *context,
                             const HlDumpMaps *base,
                             gboolean strict,
                             HlDumpSinks *sinks,
                             GError **error);
void hl_dump_sinks_clear (HlDumpSinks *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlDumpSinks, hl_dump_sinks_clear)

G_END_DECLS
