/* SPDX-License-Identifier: MIT */
/*
 * What the view of steps shows of a head. A query's rows of all matrices are made together and only their pooled
 * numbers are kept, so that no matrix of queries and keys is ever in memory.
 */
#include "draw/steps/hl-steps-data.h"

#include <float.h>
#include <string.h>

#include "core/base/hl-kernel.h"
#include "core/base/hl-worker.h"
#include "core/source/hl-pool.h"
#include "draw/paint/hl-theme.h"

typedef struct
{
  float min;
  float max;
  gboolean has_nan;
} Extremes;

G_DEFINE_FINAL_TYPE (HlStepsJob, hl_steps_job, HL_TYPE_SCENE_JOB)

static void
clear (HlSceneData *data)
{
  HlStepsData *self = (HlStepsData *) data;

  for (guint i = 0; i < self->n_matrices; i++)
    g_free (self->matrices[i].grid);
  hl_head_steps_unref (self->steps);
}

static gboolean
equal (const HlSceneData *self,
       const HlSceneData *other)
{
  const HlStepsData *a = (const HlStepsData *) self;
  const HlStepsData *b = (const HlStepsData *) other;

  return hl_head_steps_equal (a->steps, b->steps) && hl_range_equal (a->queries, b->queries) &&
         hl_range_equal (a->keys, b->keys);
}

HL_KERNEL static void
find_extremes (const float *row,
               gsize        n,
               Extremes    *extremes)
{
  float min = extremes->min, max = extremes->max;
  guint n_nan = 0;

#pragma omp simd reduction(min : min) reduction(max : max) reduction(+ : n_nan)
  for (gsize j = 0; j < n; j++)
    {
      const float low = fabsf (row[j]) <= FLT_MAX ? row[j] : INFINITY;
      const float high = fabsf (row[j]) <= FLT_MAX ? row[j] : -INFINITY;

      min = low < min ? low : min;
      max = high > max ? high : max;
      n_nan += row[j] != row[j];
    }
  extremes->min = min;
  extremes->max = max;
  extremes->has_nan |= n_nan > 0;
}

static void
pool_row (const HlStepsMatrix *matrix,
          const float         *row,
          gsize                grid_row)
{
  hl_pool_fold_row (row, matrix->columns.n, matrix->grid + grid_row * matrix->grid_columns, matrix->grid_columns);
}

/* The rows of a grid's row that are in memory, or in the file. */
static gboolean
read_features (const HlStepsData   *self,
               const HlStepsMatrix *matrix,
               gsize                grid_row,
               float               *scratch,
               Extremes            *extremes,
               GError             **error)
{
  const gsize n = matrix->rows.n;

  for (gsize i = grid_row * n / matrix->grid_rows; i < (grid_row + 1) * n / matrix->grid_rows; i++)
    {
      if (!hl_head_steps_get_row (self->steps, matrix->step, matrix->rows.first + i, scratch, error))
        return FALSE;
      find_extremes (scratch + matrix->columns.first, matrix->columns.n, extremes);
      pool_row (matrix, scratch + matrix->columns.first, grid_row);
    }
  return TRUE;
}

/* What the mask hides has a weight of 0, which is not what it looks like. */
static void
mark_masked (const HlStepsData *self,
             gsize              query,
             float             *weights)
{
  gsize first, end;

  hl_mask_get_visible (&self->steps->rule.mask, self->steps->n_queries, self->steps->n_keys, query, &first, &end);
  for (gsize key = 0; key < self->steps->n_keys; key++)
    if (key < first || key >= end || hl_weight_is_masked (&self->steps->rule.mask, weights[key]))
      weights[key] = -INFINITY;
}

/* One row of the grids of all matrices that follow from scores. */
static gboolean
follow_queries (const HlStepsData *self,
                gsize              grid_row,
                float             *rows[HL_N_STEPS],
                Extremes          *extremes,
                GError           **error)
{
  const gsize n_grid = MIN (self->queries.n, HL_STEPS_MAX_GRID);

  for (gsize i = grid_row * self->queries.n / n_grid; i < (grid_row + 1) * self->queries.n / n_grid; i++)
    {
      const gsize query = self->queries.first + i;

      if (!hl_head_steps_follow_query (self->steps, query, rows, error))
        return FALSE;
      mark_masked (self, query, rows[HL_STEP_WEIGHTS]);
      for (guint m = 0; m < self->n_matrices; m++)
        {
          const HlStepsMatrix *matrix = &self->matrices[m];
          if (rows[matrix->step] == NULL)
            continue;
          const float *row = rows[matrix->step] + matrix->columns.first;

          find_extremes (row, matrix->columns.n, &extremes[m]);
          pool_row (matrix, row, grid_row);
        }
    }
  return TRUE;
}

static void
merge (HlStepsMatrix  *matrix,
       const Extremes *extremes)
{
  matrix->min = MIN (matrix->min, extremes->min);
  matrix->max = MAX (matrix->max, extremes->max);
  matrix->has_nan |= extremes->has_nan;
}

static gboolean
read_matrix (const HlStepsData *self,
             HlStepsMatrix     *matrix,
             GCancellable      *cancellable,
             GError           **error)
{
  g_autofree float *scratch = g_new (float, MAX (hl_head_steps_get_n_columns (self->steps, matrix->step), 1));
  Extremes extremes = { INFINITY, -INFINITY, FALSE };

  for (gsize row = 0; row < matrix->grid_rows; row++)
    if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
        !read_features (self, matrix, row, scratch, &extremes, error))
      return FALSE;
  merge (matrix, &extremes);
  return TRUE;
}

static gboolean
make_maps (HlStepsData  *self,
           GCancellable *cancellable,
           GError      **error)
{
  const gsize n_grid = MIN (self->queries.n, HL_STEPS_MAX_GRID);
  HlSharedError shared = { NULL };

#pragma omp parallel
  {
    float *rows[HL_N_STEPS] = { NULL };
    Extremes extremes[HL_N_STEPS];
    GError *here = NULL;

    for (guint m = 0; m < self->n_matrices; m++)
      {
        const HlStep step = self->matrices[m].step;
        extremes[m] = (Extremes){ INFINITY, -INFINITY, FALSE };
        if (hl_step_follows_query (step))
          rows[step] = g_new (float, MAX (hl_head_steps_get_n_columns (self->steps, step), 1));
      }
#pragma omp for schedule(dynamic, 4)
    for (gsize row = 0; row < n_grid; row++)
      if (here == NULL && !g_cancellable_is_cancelled (cancellable))
        follow_queries (self, row, rows, extremes, &here);
    if (here != NULL)
      hl_shared_error_take (&shared, here);
#pragma omp critical
    for (guint m = 0; m < self->n_matrices; m++)
      merge (&self->matrices[m], &extremes[m]);
    for (guint step = 0; step < HL_N_STEPS; step++)
      g_free (rows[step]);
  }
  return hl_shared_error_propagate (&shared, error) && !g_cancellable_set_error_if_cancelled (cancellable, error);
}

static gboolean
read_numbers (HlSceneData       *data,
              const HlSceneData *known_data,
              GCancellable      *cancellable,
              GError           **error)
{
  HlStepsData *self = (HlStepsData *) data;
  const HlStepsData *known = (const HlStepsData *) known_data;

  if (!hl_head_steps_read (self->steps, known != NULL ? known->steps : NULL, cancellable, error))
    return FALSE;
  for (guint m = 0; m < self->n_matrices; m++)
    {
      HlStepsMatrix *matrix = &self->matrices[m];
      const gsize n_cells = matrix->grid_rows * matrix->grid_columns;

      matrix->grid = g_new (float, MAX (n_cells, 1));
      for (gsize i = 0; i < n_cells; i++)
        matrix->grid[i] = -INFINITY;
      matrix->min = INFINITY;
      matrix->max = -INFINITY;
      if (!hl_step_follows_query (matrix->step) && n_cells > 0 && !read_matrix (self, matrix, cancellable, error))
        return FALSE;
    }
  if (self->queries.n > 0 && self->keys.n > 0 && !make_maps (self, cancellable, error))
    return FALSE;
  for (guint m = 0; m < self->n_matrices; m++)
    if (self->matrices[m].min > self->matrices[m].max)
      self->matrices[m].min = self->matrices[m].max = 0;
  return TRUE;
}

static const HlSceneDataClass data_class = { equal, read_numbers, clear };

HlStepsData *
hl_steps_data_new (const HlShown *shown)
{
  HlStepsData *self = g_atomic_rc_box_new0 (HlStepsData);

  self->parent.klass = &data_class;
  self->steps = hl_head_steps_new (shown->original, shown->selection.layer, shown->selection.head,
                                   shown->options.score_scale, shown->options.mask);
  self->queries = shown->queries;
  self->keys = shown->keys;
  for (HlStep step = HL_STEP_NONE + 1; step < HL_N_STEPS; step++)
    {
      HlStepsMatrix *matrix = &self->matrices[self->n_matrices];

      if (!hl_head_steps_has (self->steps, step))
        continue;
      matrix->step = step;
      matrix->rows = hl_step_is_weights (step)            ? (HlRange){ 0, hl_head_steps_get_n_rows (self->steps, step) }
                     : hl_step_get_side (step) == HL_KEYS ? self->keys
                                                          : self->queries;
      matrix->columns = hl_step_is_map (step) ? self->keys
                        : hl_step_is_projection (step)
                          ? self->queries
                          : (HlRange){ 0, hl_head_steps_get_n_columns (self->steps, step) };
      matrix->grid_rows = MIN (matrix->rows.n, HL_STEPS_MAX_GRID);
      matrix->grid_columns = MIN (matrix->columns.n, HL_STEPS_MAX_GRID);
      self->n_matrices++;
    }
  return self;
}

HlValueCells
hl_steps_matrix_get_cells (const HlStepsMatrix *matrix)
{
  return (HlValueCells){ matrix->grid, matrix->grid_rows, matrix->grid_columns };
}

/* Weights from 0 to the greatest, all else on both sides of zero. */
HlValuePaint
hl_steps_matrix_get_paint (const HlStepsMatrix *matrix,
                           HlColourMap          map,
                           gboolean             dark)
{
  const gboolean is_weights = matrix->step == HL_STEP_WEIGHTS;

  return (HlValuePaint){
    .theme = hl_theme_get (dark),
    .diverging = !is_weights,
    .map = map,
    .limit = is_weights ? matrix->max : MAX (fabs (matrix->min), fabs (matrix->max)),
  };
}

void
hl_steps_images_free (HlStepsImages *self)
{
  for (guint i = 0; i < HL_N_STEPS; i++)
    g_clear_pointer (&self->surfaces[i], cairo_surface_destroy);
  hl_scene_data_unref (self->data);
  g_free (self);
}

gboolean
hl_steps_images_same (const HlStepsImages *self,
                      const HlStepsImages *other)
{
  return self->data == other->data && self->map == other->map && self->dark == other->dark &&
         self->scale == other->scale && memcmp (self->widths, other->widths, sizeof self->widths) == 0 &&
         memcmp (self->heights, other->heights, sizeof self->heights) == 0;
}

static gboolean
make_images (HlStepsImages *images,
             GCancellable  *cancellable,
             GError       **error)
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
hl_steps_job_run (HlSceneJob   *job,
                  GCancellable *cancellable,
                  GError      **error)
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
