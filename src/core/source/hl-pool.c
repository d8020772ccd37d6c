/* SPDX-License-Identifier: MIT */
/*
 * The one pooling: rows of weights go in one after the other, a row of their greatest weights or means comes out; and
 * rows of numbers of which some are masked are folded into cells.
 */
#include "core/source/hl-pool.h"

#include "core/base/hl-error.h"
#include "core/base/hl-kernel.h"

#include <math.h>

/* Returns where bin @bin begins; without overflow for every @n that fits in memory. */
gsize
hl_pool_get_bin_start (gsize bin,
                       gsize n_bins,
                       gsize n)
{
  return (bin | n) <= G_MAXUINT32 ? bin * n / n_bins : (gsize) ((unsigned __int128) bin * n / n_bins);
}

/* Nothing has been added yet. */
static void
reset (HlPool *self)
{
  for (gsize i = 0; self->largest != NULL && i < self->n_keys; i++)
    self->largest[i] = NAN;
  for (gsize i = 0; self->sums != NULL && i < self->n_columns; i++)
    {
      self->sums[i] = 0;
      self->counts[i] = 0;
    }
}

/* Returns whether @self can be used; it must be cleared in any case. */
gboolean
hl_pool_init (HlPool                   *self,
              const HlAttentionRequest *request,
              gboolean                  is_signed,
              GError                  **error)
{
  *self = (HlPool){
    .pooling = request->pooling,
    .is_signed = is_signed,
    .n_keys = request->n_keys,
    .n_columns = request->n_columns,
  };
  self->starts = g_try_new (gsize, request->n_columns + 1);
  if (request->pooling == HL_POOLING_MAX)
    self->largest = g_try_new (float, request->n_keys);
  else
    {
      self->sums = g_try_new (double, request->n_columns);
      self->counts = g_try_new (guint64, request->n_columns);
    }
  if (self->starts == NULL || (self->largest == NULL && (self->sums == NULL || self->counts == NULL)))
    return hl_error_set_no_memory (error);
  for (gsize column = 0; column <= self->n_columns; column++)
    self->starts[column] = hl_pool_get_bin_start (column, self->n_columns, self->n_keys);
  reset (self);
  return TRUE;
}

void
hl_pool_clear (HlPool *self)
{
  g_clear_pointer (&self->starts, g_free);
  g_clear_pointer (&self->largest, g_free);
  g_clear_pointer (&self->sums, g_free);
  g_clear_pointer (&self->counts, g_free);
}

/* Of each two the larger, folded into what is there: NaN in @target means nothing yet. NaN weights do not count. Of 0 and −0, which is masked,
 * the sum: it is 0. */
HL_KERNEL static void
take_larger (const float *weights,
             gsize        n,
             float       *target)
{
#pragma omp simd
  for (gsize i = 0; i < n; i++)
    {
      const float larger = weights[i] > target[i] || target[i] != target[i] ? weights[i] : target[i];
      const float zero = weights[i] + target[i];

      target[i] = weights[i] == 0 && target[i] == 0 ? zero : larger;
    }
}

/* Likewise, of each two the one farther from zero. */
HL_KERNEL static void
take_farther (const float *weights,
              gsize        n,
              float       *target)
{
#pragma omp simd
  for (gsize i = 0; i < n; i++)
    target[i] = fabsf (weights[i]) > fabsf (target[i]) || target[i] != target[i] ? weights[i] : target[i];
}

static void
add_to_sums (HlPool      *self,
             const float *weights)
{
  for (gsize column = 0; column < self->n_columns; column++)
    for (gsize i = self->starts[column]; i < self->starts[column + 1]; i++)
      if (!isnan (weights[i]))
        {
          self->sums[column] += weights[i];
          self->counts[column]++;
        }
}

void
hl_pool_add (HlPool      *self,
             const float *weights)
{
  if (self->pooling == HL_POOLING_MEAN)
    add_to_sums (self, weights);
  else if (self->is_signed)
    take_farther (weights, self->n_keys, self->largest);
  else
    take_larger (weights, self->n_keys, self->largest);
}

/* One comparison for each, which almost all bins need alone. */
static float
get_largest (const float *weights,
             gsize        n)
{
  float largest = -INFINITY;

  for (gsize i = 0; i < n; i++)
    largest = weights[i] == 0 && largest == 0 ? weights[i] + largest : weights[i] > largest ? weights[i] : largest;
  if (largest > -INFINITY)
    return largest;
  for (gsize i = 0; i < n; i++)
    if (weights[i] == -INFINITY)
      return -INFINITY;
  return NAN;
}

static float
get_farthest (const float *weights,
              gsize        n)
{
  float farthest = weights[0];

  for (gsize i = 1; i < n; i++)
    farthest = fabsf (weights[i]) > fabsf (farthest) || farthest != farthest ? weights[i] : farthest;
  return farthest;
}

/* Gives the answer's row and is empty again. */
void
hl_pool_finish (HlPool *self,
                float  *target)
{
  for (gsize column = 0; column < self->n_columns; column++)
    {
      const gsize start = self->starts[column];
      const gsize n = self->starts[column + 1] - start;

      if (self->pooling == HL_POOLING_MEAN)
        target[column] = self->counts[column] > 0 ? (float) (self->sums[column] / self->counts[column]) : NAN;
      else
        target[column] = (self->is_signed ? get_farthest : get_largest) (self->largest + start, n);
    }
  reset (self);
}

/* What is seen where two share a place. The one farther from zero; what is masked, and what is no number, gives way. */
static float
get_seen (float a,
          float b)
{
  if (b == -INFINITY || (b != b && a != -INFINITY))
    return a;
  if (a == -INFINITY || a != a)
    return b;
  return fabsf (b) > fabsf (a) ? b : a;
}

/*
 * Folds @n numbers, −∞ where they are masked, into cells that began as −∞: those that fall together, or if there are more
 * cells than numbers, the number that each shows.
 */
void
hl_pool_fold_row (const float *numbers,
                  gsize        n,
                  float       *target,
                  gsize        n_columns)
{
  for (gsize column = 0, first = 0; column < n_columns; column++)
    {
      const gsize next = hl_pool_get_bin_start (column + 1, n_columns, n);

      for (gsize i = first; i < MAX (next, first + 1); i++)
        target[column] = get_seen (target[column], numbers[i]);
      first = next;
    }
}
