/* SPDX-License-Identifier: MIT */
/*
 * What the view of steps shows of a head: its matrices, pooled where they are larger than any screen. Immutable once
 * read.
 */
#pragma once

#include "draw/paint/hl-value-cells.h"
#include "draw/scene/hl-scene-data.h"
#include "view/hl-view-state.h"

G_BEGIN_DECLS

/**
 * HL_STEPS_MAX_GRID:
 *
 * The most rows, and the most columns, that are kept of a matrix.
 */
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

G_END_DECLS
