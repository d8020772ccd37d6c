/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/panels/hl-state-panel.h"

G_BEGIN_DECLS

/* What a model says without some of its heads; of documents that a model made. */
#define HL_TYPE_EXPERIMENT_PANEL (hl_experiment_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlExperimentPanel, hl_experiment_panel, HL, EXPERIMENT_PANEL, HlStatePanel)

G_END_DECLS
