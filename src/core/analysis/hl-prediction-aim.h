/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-example.h"
#include "core/model/hl-model-call.h"
#include "core/predict/hl-unembedding.h"

G_BEGIN_DECLS

HlAttention *hl_prediction_aim_find_attention (HlUnembedding  *unembedding,
                                               HlExample      *example);
gboolean     hl_prediction_aim_find_position  (HlUnembedding  *unembedding,
                                               HlModelCall    *call,
                                               HlAttention    *attention,
                                               const char     *written,
                                               gsize          *position,
                                               GError        **error);
gboolean     hl_prediction_aim_find_token     (HlUnembedding  *unembedding,
                                               const char     *written,
                                               guint32        *token,
                                               GError        **error);
char        *hl_prediction_aim_name_token     (HlModel        *model,
                                               guint32         token);

G_END_DECLS
