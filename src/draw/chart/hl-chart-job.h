/* SPDX-License-Identifier: MIT */
/* Reads what a chart is drawn of; nothing is painted ahead. */
#pragma once

#include "draw/scene/hl-scene-job.h"

G_BEGIN_DECLS

#define HL_TYPE_CHART_JOB (hl_chart_job_get_type ())
G_DECLARE_FINAL_TYPE (HlChartJob, hl_chart_job, HL, CHART_JOB, HlSceneJob)

G_END_DECLS
