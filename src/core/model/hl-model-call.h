/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/hl-document.h"
#include "core/model/hl-model.h"

G_BEGIN_DECLS

#define HL_TYPE_MODEL_CALL (hl_model_call_get_type ())
/**
 * HlModelCall:
 *
 * A model and the token numbers or pixels that it was run on: all that is needed to run it again. Immutable.
 */
G_DECLARE_FINAL_TYPE (HlModelCall, hl_model_call, HL, MODEL_CALL, GObject)

HlModelCall        *hl_model_call_new       (HlModel            *model,
                                             const HlModelInput *input);
HlModelCall        *hl_model_call_of        (HlDocument         *document);
HlModel            *hl_model_call_get_model (HlModelCall        *self);
const HlModelInput *hl_model_call_get_input (HlModelCall        *self);
gboolean            hl_model_call_has       (HlModelCall        *self,
                                             HlAttentionKind     attention);

G_END_DECLS
