/* SPDX-License-Identifier: MIT */
/* The work of the view of steps between two frames: numbers, and the cells as pixels. */
#pragma once

#include "draw/scene/hl-scene-job.h"
#include "draw/steps/hl-steps-data.h"

G_BEGIN_DECLS

/**
 * HlStepsImages:
 * @data: whose numbers
 * @map: the colours of weights
 * @dark: of which theme the others are
 * @scale: device pixels a logical pixel
 * @widths: (array fixed-size=12): of each matrix's cells, device pixels
 * @heights: (array fixed-size=12): likewise
 * @surfaces: (array fixed-size=12): the pixels once made
 *
 * The cells of all matrices as pixels, in the order of @data's matrices.
 */
typedef struct
{
  HlStepsData     *data;
  HlColourMap      map;
  gboolean         dark;
  double           scale;
  int              widths[HL_N_STEPS];
  int              heights[HL_N_STEPS];
  cairo_surface_t *surfaces[HL_N_STEPS];
} HlStepsImages;

void     hl_steps_images_free (HlStepsImages       *self);
gboolean hl_steps_images_same (const HlStepsImages *self,
                               const HlStepsImages *other);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlStepsImages, hl_steps_images_free)

#define HL_TYPE_STEPS_JOB (hl_steps_job_get_type ())
G_DECLARE_FINAL_TYPE (HlStepsJob, hl_steps_job, HL, STEPS_JOB, HlSceneJob)

/**
 * HlStepsJob:
 * @images: (nullable): pixels to make
 *
 * Makes the pixels of the data of the job.
 */
struct _HlStepsJob
{
  HlSceneJob parent_instance;

  HlStepsImages *images;
};

G_END_DECLS
