/* SPDX-License-Identifier: MIT */
/* The work of the view of steps between two frames. */
#include "draw/steps/hl-steps-job.h"

#include <string.h>

G_DEFINE_FINAL_TYPE (HlStepsJob, hl_steps_job, HL_TYPE_SCENE_JOB)

/**
 * hl_steps_images_free:
 * @self: (transfer full): pixels
 */
void
hl_steps_images_free (HlStepsImages *self)
{
  for (guint i = 0; i < HL_N_STEPS; i++)
    g_clear_pointer (&self->surfaces[i], cairo_surface_destroy);
  hl_scene_data_unref (self->data);
  g_free (self);
}

/**
 * hl_steps_images_same:
 * @self: pixels, made or not
 * @other: pixels, made or not
 *
 * Returns: whether both look the same
 */
gboolean
hl_steps_images_same (const HlStepsImages *self,
                      const HlStepsImages *other)
{
  return self->data == other->data && self->map == other->map && self->dark == other->dark &&
         self->scale == other->scale && memcmp (self->widths, other->widths, sizeof self->widths) == 0 &&
         memcmp (self->heights, other->heights, sizeof self->heights) == 0;
}

static gboolean
make_images (HlStepsImages  *images,
             GCancellable   *cancellable,
             GError        **error)
{
  for (guint i = 0; i < images->data->n_matrices; i++)
    {
      const HlStepsMatrix *matrix = &images->data->matrices[i];
      const HlValueCells cells = hl_steps_matrix_get_cells (matrix);
      const HlValuePaint paint = hl_steps_matrix_get_paint (matrix, images->map, images->dark);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (cells.n_rows > 0 && cells.n_columns > 0)
        images->surfaces[i] =
          hl_value_cells_make_image (&cells, &paint, images->widths[i], images->heights[i], images->scale);
    }
  return TRUE;
}

static gboolean
hl_steps_job_run (HlSceneJob    *job,
                  GCancellable  *cancellable,
                  GError       **error)
{
  HlStepsJob *self = HL_STEPS_JOB (job);

  return self->images == NULL || make_images (self->images, cancellable, error);
}

static void
hl_steps_job_finalize (GObject *object)
{
  g_clear_pointer (&HL_STEPS_JOB (object)->images, hl_steps_images_free);
  G_OBJECT_CLASS (hl_steps_job_parent_class)->finalize (object);
}

static void
hl_steps_job_class_init (HlStepsJobClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_steps_job_finalize;
  HL_SCENE_JOB_CLASS (klass)->run = hl_steps_job_run;
}

static void
hl_steps_job_init (HlStepsJob *self)
{
}
