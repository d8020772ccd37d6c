/* SPDX-License-Identifier: MIT */
/* The panel that tells which token a model holds for likely where the focus is, and what its layers would say. */
#pragma once

#include "app/panels/hl-state-panel.h"

G_BEGIN_DECLS

#define HL_TYPE_PREDICTION_PANEL (hl_prediction_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlPredictionPanel, hl_prediction_panel, HL, PREDICTION_PANEL, HlStatePanel)

G_END_DECLS
