/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-layer-tensor.h"

G_BEGIN_DECLS

/**
 * HlCellMask:
 *
 * Which single keys a query cannot see, where no rule says it: keys that none sees, such as padding in the middle, and a bit for each cell. Bits stay
 * where they are until they are asked for. Immutable.
 */
typedef struct _HlCellMask HlCellMask;

HlCellMask          *hl_cell_mask_new      (const guint8        *keys,
                                            gsize                n_keys,
                                            const HlLayerTensor *bits,
                                            guint                n_layers);
HlCellMask          *hl_cell_mask_ref      (HlCellMask          *self);
void                 hl_cell_mask_unref    (HlCellMask          *self);
const guint8        *hl_cell_mask_get_keys (HlCellMask          *self);
const HlLayerTensor *hl_cell_mask_get_bits (HlCellMask          *self,
                                            guint                layer);
gboolean             hl_cell_mask_read     (HlCellMask          *self,
                                            guint                layer,
                                            gsize                first_query,
                                            gsize                n_queries,
                                            gsize                first_key,
                                            gsize                n_keys,
                                            guint8              *seen,
                                            GCancellable        *cancellable,
                                            GError             **error);
guint8              *hl_cell_mask_read_new (HlCellMask          *self,
                                            guint                layer,
                                            gsize                first_query,
                                            gsize                n_queries,
                                            gsize                first_key,
                                            gsize                n_keys,
                                            GCancellable        *cancellable,
                                            GError             **error);
void                 hl_cell_mask_mark     (const guint8        *seen,
                                            gsize                n,
                                            float               *weights);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlCellMask, hl_cell_mask_unref)

G_END_DECLS
