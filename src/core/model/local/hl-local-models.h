/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/local/hl-model-cache.h"

G_BEGIN_DECLS

/**
 * HlLocalModels:
 * @models: (element-type HlLocalModel): what was found, those first that can be opened, by name
 * @places: (element-type utf8): where was looked, for people
 * @notes: (element-type utf8): sentences on what could not be looked at
 *
 * What models are on this computer.
 */
typedef struct
{
  GPtrArray *models;
  GPtrArray *places;
  GPtrArray *notes;
} HlLocalModels;

HlLocalModels *hl_local_models_list        (GCancellable         *cancellable,
                                            GError              **error);
void           hl_local_models_list_async  (GCancellable         *cancellable,
                                            GAsyncReadyCallback   callback,
                                            gpointer              data);
HlLocalModels *hl_local_models_list_finish (GAsyncResult         *result,
                                            GError              **error);
void           hl_local_models_free        (HlLocalModels        *self);

GFile         *hl_model_locate             (const char           *name,
                                            GCancellable         *cancellable,
                                            GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLocalModels, hl_local_models_free)

G_END_DECLS
