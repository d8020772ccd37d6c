/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/hl-document.h"
#include "core/model/hl-model-text.h"
#include "core/model/hl-model.h"

G_BEGIN_DECLS

#define HL_TYPE_MODEL_RUN (hl_model_run_get_type ())
/**
 * HlModelRun:
 *
 * A model run on a text, as a document that is there before its numbers are: layers can be looked at as they are done.
 */
G_DECLARE_FINAL_TYPE (HlModelRun, hl_model_run, HL, MODEL_RUN, GObject)

HlModelRun *hl_model_run_new          (HlModel            *model,
                                       const HlModelText  *text,
                                       GError            **error);
HlDocument *hl_model_run_get_document (HlModelRun         *self);
gboolean    hl_model_run_execute      (HlModelRun         *self,
                                       HlProgress         *progress,
                                       GCancellable       *cancellable,
                                       GError            **error);

G_END_DECLS
