/* SPDX-License-Identifier: MIT */
/*
 * What the view of steps shows of a head: its matrices, pooled where they are larger than any screen. Immutable once
 * read.
 */
#pragma once

#include "core/source/steps/hl-head-steps.h"
#include "draw/paint/hl-value-cells.h"
#include "draw/scene/hl-scene-job.h"
#include "view/shown/hl-shown.h"

G_BEGIN_DECLS

/* The most rows, and the most columns, that are kept of a matrix. */
#define HL_STEPS_MAX_GRID 1024

/* One matrix of a head. */
typedef struct
{
  HlStep   step;         /* which matrix */
  HlRange  rows;         /* its rows that are shown, queries or keys */
  HlRange  columns;      /* its columns that are shown, keys or features */
  gsize    grid_rows;    /* rows of grid: as many as rows has unless they are too many */
  gsize    grid_columns; /* likewise */
  /* [grid_rows, grid_columns] once read; numbers that fall together as the one farthest from zero, masked ones as
   * −∞; may be NULL */
  float   *grid;
  double   min;     /* the smallest finite number that is shown; 0 if there is none */
  double   max;     /* the greatest */
  gboolean has_nan; /* whether some are no numbers */
} HlStepsMatrix;

/* The matrices of a head. */
typedef struct
{
  HlSceneData    parent;               /* how it is read and compared */
  HlHeadSteps   *steps;                /* the head */
  HlRange        queries;              /* the queries that are shown */
  HlRange        keys;                 /* the keys that are shown */
  guint          n_matrices;           /* how many steps the head has */
  HlStepsMatrix  matrices[HL_N_STEPS]; /* their matrices, in order */
} HlStepsData;

HlStepsData  *hl_steps_data_new       (const HlShown        *shown);
HlValueCells  hl_steps_matrix_get_cells (const HlStepsMatrix  *matrix);
HlValuePaint  hl_steps_matrix_get_paint (const HlStepsMatrix  *matrix,
                                         HlColourMap           map,
                                         gboolean              dark);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlStepsData, hl_scene_data_unref)

/* The cells of all matrices as pixels, in the order of data's matrices. */
typedef struct
{
  HlStepsData     *data;                 /* whose numbers */
  HlColourMap      map;                  /* the colours of weights */
  gboolean         dark;                 /* of which theme the others are */
  double           scale;                /* device pixels a logical pixel */
  int              widths[HL_N_STEPS];   /* of each matrix's cells, device pixels */
  int              heights[HL_N_STEPS];  /* likewise */
  cairo_surface_t *surfaces[HL_N_STEPS]; /* the pixels once made */
} HlStepsImages;

void     hl_steps_images_free (HlStepsImages       *self);
gboolean hl_steps_images_same (const HlStepsImages *self,
                               const HlStepsImages *other);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlStepsImages, hl_steps_images_free)

#define HL_TYPE_STEPS_JOB (hl_steps_job_get_type ())
G_DECLARE_FINAL_TYPE (HlStepsJob, hl_steps_job, HL, STEPS_JOB, HlSceneJob)

/* Makes the pixels of the data of the job. */
struct _HlStepsJob
{
  HlSceneJob parent_instance;

  HlStepsImages *images; /* pixels to make; may be NULL */
};

G_END_DECLS
