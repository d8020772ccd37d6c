/* SPDX-License-Identifier: MIT */
#include "draw/chart/hl-chart-job.h"

struct _HlChartJob
{
  HlSceneJob parent_instance;
};

G_DEFINE_FINAL_TYPE (HlChartJob, hl_chart_job, HL_TYPE_SCENE_JOB)

static void
hl_chart_job_class_init (HlChartJobClass *klass)
{
}

static void
hl_chart_job_init (HlChartJob *self)
{
}
