/* SPDX-License-Identifier: MIT */
/*
 * What the view of steps shows of a head: its matrices, pooled where they are larger than any screen. Immutable once
 * read.
 */
#pragma once

#include "draw/paint/hl-value-cells.h"
#include "draw/scene/hl-scene-job.h"
#include "view/hl-view-state.h"

G_BEGIN_DECLS

/* The most rows, and the most columns, that are kept of a matrix. */
#define HL_STEPS_MAX_GRID 1024

/**
 * HlStepsMatrix:
 * @step: which matrix
 * @rows: its rows that are shown, queries or keys
 * @columns: its columns that are shown, keys or features
 * @grid_rows: rows of @grid: as many as @rows has unless they are too many
 * @grid_columns: likewise
 * @grid: (nullable): [grid_rows, grid_columns] once read; numbers that fall together as the one farthest from zero,
 *   masked ones as −∞
 * @min: the smallest finite number that is shown; 0 if there is none
 * @max: the greatest
 * @has_nan: whether some are no numbers
 *
 * One matrix of a head.
 */
typedef struct
{
  HlStep   step;
  HlRange  rows;
  HlRange  columns;
  gsize    grid_rows;
  gsize    grid_columns;
  float   *grid;
  double   min;
  double   max;
  gboolean has_nan;
} HlStepsMatrix;

/**
 * HlStepsData:
 * @parent: how it is read and compared
 * @steps: the head
 * @queries: the queries that are shown
 * @keys: the keys that are shown
 * @n_matrices: how many steps the head has
 * @matrices: (array length=n_matrices): their matrices, in order
 *
 * The matrices of a head.
 */
typedef struct
{
  HlSceneData    parent;
  HlHeadSteps   *steps;
  HlRange        queries;
  HlRange        keys;
  guint          n_matrices;
  HlStepsMatrix  matrices[HL_N_STEPS];
} HlStepsData;

HlStepsData  *hl_steps_data_new       (HlViewState          *state);
HlValueCells  hl_steps_matrix_get_cells (const HlStepsMatrix  *matrix);
HlValuePaint  hl_steps_matrix_get_paint (const HlStepsMatrix  *matrix,
                                         HlColourMap           map,
                                         gboolean              dark);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlStepsData, hl_scene_data_unref)

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
