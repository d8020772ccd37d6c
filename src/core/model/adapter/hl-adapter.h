/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/checkpoint/hl-weights.h"

G_BEGIN_DECLS

/**
 * HlAdapter:
 *
 * What PEFT keeps of a model that was trained further: products that are added to its matrices (LoRA), and tensors that take the place of
 * others. Its files are mapped. Immutable.
 */
typedef struct _HlAdapter HlAdapter;

gboolean    hl_adapter_is_such  (GFile              *folder);
HlAdapter  *hl_adapter_open     (GFile              *folder,
                                 GError            **error);
void        hl_adapter_free     (HlAdapter          *self);
const char *hl_adapter_get_base (HlAdapter          *self);
gboolean    hl_adapter_changes  (HlAdapter          *self,
                                 const char         *tensor);
gboolean    hl_adapter_put_base (HlAdapter          *self,
                                 HlWeights          *weights,
                                 const char *const  *prefixes,
                                 GError            **error);
gboolean    hl_adapter_apply    (HlAdapter          *self,
                                 HlWeights          *weights,
                                 const char *const  *prefixes,
                                 gboolean            transposed,
                                 GError            **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlAdapter, hl_adapter_free)

G_END_DECLS
