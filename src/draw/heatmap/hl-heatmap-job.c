/* SPDX-License-Identifier: MIT */
/* The work of a heatmap between two frames. */
#include "draw/heatmap/hl-heatmap-job.h"

#include <math.h>

#include "draw/paint/hl-value-scale.h"

G_DEFINE_FINAL_TYPE (HlHeatmapJob, hl_heatmap_job, HL_TYPE_SCENE_JOB)

static void
set_open (HlHeatmapPaint          *paint,
          HlValueScaleKind         kind,
          const HlHeatmapExtremes *extremes)
{
  if (kind != HL_VALUE_SCALE_OFF_DIAGONAL)
    return;
  paint->scale.is_open_below = extremes->whole_min < paint->scale.min;
  paint->scale.is_open = extremes->whole_max > paint->scale.max;
}

/* Completes a paint, whose scale only the weights themselves tell. */
void
hl_heatmap_job_set_scale (HlHeatmapPaint          *paint,
                          HlValueScaleKind         kind,
                          const HlHeatmapData     *data,
                          const HlHeatmapExtremes *beside)
{
  HlHeatmapExtremes both = data->extremes;

  hl_heatmap_extremes_join (&both, beside);
  if (data->is_signed)
    {
      hl_value_scale_init_signed (&paint->scale, kind, MAX (fabs (both.min), fabs (both.max)));
      set_open (paint, kind, &both);
      return;
    }
  /* A colour map that began at the smallest weight would make nothing look like something. */
  if (kind == HL_VALUE_SCALE_LOG)
    hl_value_scale_init (&paint->scale, kind, both.min_positive, both.max);
  else
    hl_value_scale_init (&paint->scale, kind, MIN (both.min, 0), both.max);
  set_open (paint, kind, &both);
}

static gboolean
read_tiles (HlHeatmapJob *self,
            gboolean      with_data,
            GCancellable *cancellable,
            GError      **error)
{
  self->tile_region =
    hl_heatmap_region_new (hl_scene_job_get_data (HL_SCENE_JOB (self)), &self->tile_cell, &self->tile_pixels);
  return hl_heatmap_region_read (self->tile_region, with_data, cancellable, error);
}

/* What tiles show of a head that is not kept comes with what is kept of it. */
static gboolean
hl_heatmap_job_read (HlSceneJob        *job,
                     HlSceneData       *data,
                     const HlSceneData *known,
                     GCancellable      *cancellable,
                     GError           **error)
{
  HlHeatmapJob *self = HL_HEATMAP_JOB (job);

  return self->tile_pixels.width > 0 ? read_tiles (self, TRUE, cancellable, error)
                                     : hl_scene_data_read (data, known, cancellable, error);
}

static gboolean
read_line (HlHeatmapJob *self,
           GCancellable *cancellable,
           GError      **error)
{
  const HlHeatmapData *data = hl_scene_job_get_data (HL_SCENE_JOB (self));
  const gboolean is_row = self->line_pick.kind == HL_PICK_QUERY;
  const HlRange rows = is_row ? (HlRange){ self->line_pick.query - data->queries.first, 1 }
                              : (HlRange){ 0, data->queries.n };
  const HlRange columns = is_row ? (HlRange){ 0, data->keys.n }
                                 : (HlRange){ self->line_pick.key - data->keys.first, 1 };

  self->line_values = g_new (float, rows.n *columns.n);
  return hl_heatmap_data_pool (data, rows, columns, rows.n, columns.n, self->line_values, cancellable, error);
}

static gboolean
hl_heatmap_job_run (HlSceneJob   *job,
                    GCancellable *cancellable,
                    GError      **error)
{
  HlHeatmapJob *self = HL_HEATMAP_JOB (job);
  HlHeatmapData *data = hl_scene_job_get_data (job);

  if (self->tile_pixels.width > 0 && self->tile_region == NULL && !read_tiles (self, FALSE, cancellable, error))
    return FALSE;
  self->beside_extremes = (HlHeatmapExtremes) HL_HEATMAP_EXTREMES_INIT;
  /* What is wrong there is said there; this picture then has the scale that it would have alone. */
  if (self->beside.source != NULL &&
      !hl_heatmap_extremes_find (&self->beside, &self->beside_extremes, cancellable, NULL) &&
      g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  hl_heatmap_job_set_scale (&self->paint, self->scale_kind, data, &self->beside_extremes);

  if (self->tile_region != NULL)
    {
      self->surfaces = hl_heatmap_tiles_cut (self->tile_region, &self->paint, cancellable);
      if (self->surfaces == NULL)
        return !g_cancellable_set_error_if_cancelled (cancellable, error);
    }
  if (self->region_pixels.width > 0)
    {
      self->region = hl_heatmap_region_new (data, &self->region_cell, &self->region_pixels);
      if (!hl_heatmap_region_read (self->region, FALSE, cancellable, error))
        return FALSE;
    }
  return self->line_pick.kind == HL_PICK_NONE || read_line (self, cancellable, error);
}

static void
hl_heatmap_job_finalize (GObject *object)
{
  HlHeatmapJob *self = HL_HEATMAP_JOB (object);

  g_clear_pointer (&self->tile_region, hl_heatmap_region_free);
  g_clear_pointer (&self->region, hl_heatmap_region_free);
  g_clear_pointer (&self->surfaces, g_ptr_array_unref);
  g_clear_object (&self->beside_source);
  g_free (self->line_values);
  G_OBJECT_CLASS (hl_heatmap_job_parent_class)->finalize (object);
}

static void
hl_heatmap_job_class_init (HlHeatmapJobClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_heatmap_job_finalize;
  HL_SCENE_JOB_CLASS (klass)->read = hl_heatmap_job_read;
  HL_SCENE_JOB_CLASS (klass)->run = hl_heatmap_job_run;
}

static void
hl_heatmap_job_init (HlHeatmapJob *self)
{
}
