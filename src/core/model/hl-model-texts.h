/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/hl-model.h"

G_BEGIN_DECLS

gboolean hl_model_forward_texts (HlModel             *self,
                                 const HlModelInput  *inputs,
                                 guint                n,
                                 HlLayerFunc          func,
                                 gpointer             data,
                                 HlProgress          *progress,
                                 GCancellable        *cancellable,
                                 GError             **error);

G_END_DECLS
