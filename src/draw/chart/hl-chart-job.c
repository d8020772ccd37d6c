/* SPDX-License-Identifier: MIT */
#include "draw/chart/hl-chart-job.h"

#include "draw/chart/hl-chart-data.h"

struct _HlChartJob
{
  HlSceneJob parent_instance;
};

G_DEFINE_FINAL_TYPE (HlChartJob, hl_chart_job, HL_TYPE_SCENE_JOB)

static gboolean
hl_chart_job_read (HlSceneJob        *self,
                   HlSceneData       *data,
                   const HlSceneData *known,
                   GCancellable      *cancellable,
                   GError           **error)
{
  return hl_chart_data_read ((HlChartData *) data, (const HlChartData *) known, hl_scene_job_get_progress (self),
                             cancellable, error);
}

static void
hl_chart_job_class_init (HlChartJobClass *klass)
{
  HL_SCENE_JOB_CLASS (klass)->read = hl_chart_job_read;
}

static void
hl_chart_job_init (HlChartJob *self)
{
}
