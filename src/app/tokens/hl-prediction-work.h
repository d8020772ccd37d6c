/* SPDX-License-Identifier: MIT */
/* What the panel of predictions asks of workers: one position after another, the newest alone. */
#pragma once

#include "core/model/hl-model-call.h"
#include "core/predict/hl-streams.h"

G_BEGIN_DECLS

/* Tokens of each row. */
#define HL_PREDICTION_TOP 5

#define HL_TYPE_PREDICTION_WORK (hl_prediction_work_get_type ())
G_DECLARE_FINAL_TYPE (HlPredictionWork, hl_prediction_work, HL, PREDICTION_WORK, GObject)

HlPredictionWork  *hl_prediction_work_new          (void);
void               hl_prediction_work_ask          (HlPredictionWork *self,
                                                    HlModelCall      *call,
                                                    gint64            position);
const GError      *hl_prediction_work_get_error    (HlPredictionWork *self);
gboolean           hl_prediction_work_is_masked    (HlPredictionWork *self);
gboolean           hl_prediction_work_tells_classes    (HlPredictionWork *self);
gsize              hl_prediction_work_get_position (HlPredictionWork *self);
const char        *hl_prediction_work_get_subject  (HlPredictionWork *self);
guint              hl_prediction_work_get_n_rows   (HlPredictionWork *self);
guint              hl_prediction_work_get_n_top    (HlPredictionWork *self);
const HlCandidate *hl_prediction_work_get_row      (HlPredictionWork *self,
                                                    guint             row);
const char        *hl_prediction_work_get_label    (HlPredictionWork *self,
                                                    guint             row,
                                                    guint             rank);

G_END_DECLS
