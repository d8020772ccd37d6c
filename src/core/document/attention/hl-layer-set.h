/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-bits.h"
#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

/**
 * HlLayerSet:
 *
 * Some layers of an attention. A value: copy it by assignment.
 */
typedef struct
{
  guint64 bits[HL_MAX_LAYERS / 64];
} HlLayerSet;

static inline gboolean
hl_layer_set_contains (const HlLayerSet *set,
                       guint             layer)
{
  return layer < HL_MAX_LAYERS && hl_bits_contain (set->bits, layer);
}

static inline void
hl_layer_set_add (HlLayerSet *set,
                  guint       layer)
{
  g_return_if_fail (layer < HL_MAX_LAYERS);
  hl_bits_add (set->bits, layer);
}

static inline void
hl_layer_set_remove (HlLayerSet *set,
                     guint       layer)
{
  g_return_if_fail (layer < HL_MAX_LAYERS);
  hl_bits_remove (set->bits, layer);
}

static inline guint
hl_layer_set_count (const HlLayerSet *set)
{
  return hl_bits_count (set->bits, G_N_ELEMENTS (set->bits));
}

static inline void
hl_layer_set_truncate (HlLayerSet *set,
                       guint       n_layers)
{
  for (guint layer = n_layers; layer < HL_MAX_LAYERS; layer++)
    hl_layer_set_remove (set, layer);
}

static inline gboolean
hl_layer_set_equal (const HlLayerSet *a,
                    const HlLayerSet *b)
{
  return hl_bits_equal (a->bits, b->bits, G_N_ELEMENTS (a->bits));
}

G_END_DECLS
