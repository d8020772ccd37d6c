/* SPDX-License-Identifier: MIT */
/* A matrix that stays where it is, and a product of two small ones that is added to what is read of it. */
#include "core/model/adapter/hl-low-rank-tensor.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

/* Rows whose lengths are measured at a time. */
#define BAND 64

struct _HlLowRankTensor
{
  HlTensor parent_instance;

  HlTensor *base;
  HlLowRank change;
  guint64 rank;
  guint64 n_in;
  guint64 n_out;
  float *factors; /* of the rows, once somebody asked for them; those of DoRA */
};

G_DEFINE_FINAL_TYPE (HlLowRankTensor, hl_low_rank_tensor, HL_TYPE_TENSOR)

/* Some columns of A, or rows of B. */
static float *
read_part (HlTensor     *tensor,
           guint         axis,
           guint64       first,
           guint64       n,
           GCancellable *cancellable,
           GError      **error)
{
  const HlShape *shape = hl_tensor_get_shape (tensor);
  guint64 start[2] = { 0, 0 }, count[2] = { shape->dims[0], shape->dims[1] };

  start[axis] = first;
  count[axis] = n;
  g_autofree float *numbers = g_new (float, MAX (count[0] * count[1], 1));
  return hl_tensor_read_f32 (tensor, start, count, numbers, cancellable, error) ? g_steal_pointer (&numbers) : NULL;
}

/* What is read of the matrix, and the product. */
static gboolean
read_sum (HlLowRankTensor *self,
          const guint64   *start,
          const guint64   *count,
          float           *target,
          GCancellable    *cancellable,
          GError         **error)
{
  const guint in_axis = self->change.transposed ? 0 : 1, out_axis = 1 - in_axis;
  const guint64 n_in = count[in_axis], n_out = count[out_axis];

  if (!hl_tensor_read_f32 (self->base, start, count, target, cancellable, error))
    return FALSE;
  g_autofree float *down = read_part (self->change.down, 1, start[in_axis], n_in, cancellable, error);
  g_autofree float *up = down != NULL ? read_part (self->change.up, 0, start[out_axis], n_out, cancellable, error)
                                      : NULL;
  if (up == NULL)
    return FALSE;
  for (guint64 out = 0; out < n_out; out++)
    for (guint64 k = 0; k < self->rank; k++)
      {
        const float factor = self->change.scale * up[out * self->rank + k];
        const float *row = down + k * n_in;

        if (self->change.transposed)
          for (guint64 in = 0; in < n_in; in++)
            target[in * n_out + out] += factor * row[in];
        else
          for (guint64 in = 0; in < n_in; in++)
            target[out * n_in + in] += factor * row[in];
      }
  return TRUE;
}

/* What brings each row, or column of a matrix that is stored the other way, to its length. */
static float *
measure (HlLowRankTensor *self,
         GCancellable    *cancellable,
         GError         **error)
{
  const guint out_axis = self->change.transposed ? 1 : 0;
  const guint64 n_in = self->n_in, n_out = self->n_out, first = 0;
  g_autofree float *factors = g_new (float, MAX (n_out, 1));
  g_autofree float *numbers = g_new (float, MAX (BAND * n_in, 1));

  if (!hl_tensor_read_f32 (self->change.magnitude, &first, &n_out, factors, cancellable, error))
    return NULL;
  for (guint64 done = 0; done < n_out; done += BAND)
    {
      const guint64 n = MIN (BAND, n_out - done);
      guint64 start[2] = { 0, 0 }, count[2] = { n_in, n_in };

      start[out_axis] = done;
      count[out_axis] = n;
      if (!read_sum (self, start, count, numbers, cancellable, error))
        return NULL;
      for (guint64 i = 0; i < n; i++)
        {
          double sum = 0;
          for (guint64 in = 0; in < n_in; in++)
            {
              const double number = (double) numbers[self->change.transposed ? in * n + i : i * n_in + in];
              sum += number * number;
            }
          factors[done + i] = (float) ((double) factors[done + i] / sqrt (sum));
        }
    }
  return g_steal_pointer (&factors);
}

/* Returns what rows are multiplied by; measured by the first who asks, and by several if they ask at once. */
static const float *
get_factors (HlLowRankTensor *self,
             GCancellable    *cancellable,
             GError         **error)
{
  float *factors = g_atomic_pointer_get (&self->factors);

  if (factors != NULL)
    return factors;
  factors = measure (self, cancellable, error);
  if (factors != NULL && !g_atomic_pointer_compare_and_exchange (&self->factors, NULL, factors))
    g_free (factors);
  return g_atomic_pointer_get (&self->factors);
}

static gboolean
hl_low_rank_tensor_read_f32 (HlTensor      *tensor,
                             const guint64 *start,
                             const guint64 *count,
                             float         *target,
                             GCancellable  *cancellable,
                             GError       **error)
{
  HlLowRankTensor *self = HL_LOW_RANK_TENSOR (tensor);
  const guint out_axis = self->change.transposed ? 1 : 0;
  const float *factors = NULL;

  if (count[0] == 0 || count[1] == 0)
    return TRUE;
  if (self->change.magnitude != NULL)
    {
      factors = get_factors (self, cancellable, error);
      if (factors == NULL)
        return FALSE;
    }
  if (!read_sum (self, start, count, target, cancellable, error))
    return FALSE;
  for (guint64 i = 0; factors != NULL && i < count[0]; i++)
    for (guint64 k = 0; k < count[1]; k++)
      target[i * count[1] + k] *= factors[start[out_axis] + (out_axis == 0 ? i : k)];
  return TRUE;
}

static void
hl_low_rank_tensor_finalize (GObject *object)
{
  HlLowRankTensor *self = HL_LOW_RANK_TENSOR (object);

  g_clear_object (&self->base);
  g_clear_object (&self->change.down);
  g_clear_object (&self->change.up);
  g_clear_object (&self->change.magnitude);
  g_free (self->factors);
  G_OBJECT_CLASS (hl_low_rank_tensor_parent_class)->finalize (object);
}

static void
hl_low_rank_tensor_class_init (HlLowRankTensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_low_rank_tensor_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = hl_low_rank_tensor_read_f32;
}

static void
hl_low_rank_tensor_init (HlLowRankTensor *self)
{
}

/* Whether these can be multiplied, and the product added to the matrix. */
static gboolean
check_shapes (HlTensor        *base,
              const HlLowRank *change,
              GError         **error)
{
  const HlShape *shape = hl_tensor_get_shape (base);
  const HlShape *down = hl_tensor_get_shape (change->down), *up = hl_tensor_get_shape (change->up);
  const HlShape *magnitude = change->magnitude != NULL ? hl_tensor_get_shape (change->magnitude) : NULL;
  const guint in_axis = change->transposed ? 0 : 1;

  if (down->rank == 2 && down->dims[0] > HL_LIMIT_ADAPTER_RANK)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("the rank of the adapter is %" PRIu64 "; it can be at most %d"), down->dims[0],
                   HL_LIMIT_ADAPTER_RANK);
      return FALSE;
    }
  if (shape->rank == 2 && down->rank == 2 && up->rank == 2 && up->dims[1] == down->dims[0] &&
      shape->dims[in_axis] == down->dims[1] && shape->dims[1 - in_axis] == up->dims[0] &&
      (magnitude == NULL || (magnitude->rank == 1 && magnitude->dims[0] == up->dims[0])))
    return TRUE;
  g_autofree char *base_text = hl_shape_to_string (shape);
  g_autofree char *down_text = hl_shape_to_string (down);
  g_autofree char *up_text = hl_shape_to_string (up);
  g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("matrices of %s and %s cannot be added to one of %s"), up_text,
               down_text, base_text);
  return FALSE;
}

/**
 * hl_low_rank_tensor_new:
 * @base: a matrix
 * @change: what is added to it
 * @error: %HL_ERROR_SHAPE when that does not fit, %HL_ERROR_TOO_LARGE when it has too many rows and columns
 *
 * Returns: (transfer full): the sum, which is made of what is read of it each time; its type is float32
 */
HlTensor *
hl_low_rank_tensor_new (HlTensor        *base,
                        const HlLowRank *change,
                        GError         **error)
{
  g_return_val_if_fail (HL_IS_TENSOR (base) && change != NULL, NULL);

  if (!check_shapes (base, change, error))
    return NULL;
  HlLowRankTensor *self = g_object_new (HL_TYPE_LOW_RANK_TENSOR, NULL);
  hl_tensor_set_layout (HL_TENSOR (self), HL_DTYPE_F32, hl_tensor_get_shape (base));
  self->base = g_object_ref (base);
  self->change = *change;
  g_object_ref (self->change.down);
  g_object_ref (self->change.up);
  if (self->change.magnitude != NULL)
    g_object_ref (self->change.magnitude);
  self->rank = hl_tensor_get_shape (change->down)->dims[0];
  self->n_in = hl_tensor_get_shape (change->down)->dims[1];
  self->n_out = hl_tensor_get_shape (change->up)->dims[0];
  return HL_TENSOR (self);
}

/**
 * hl_low_rank_tensor_get_base:
 * @self: a sum
 *
 * Returns: (transfer none): the matrix without what is added
 */
HlTensor *
hl_low_rank_tensor_get_base (HlLowRankTensor *self)
{
  g_return_val_if_fail (HL_IS_LOW_RANK_TENSOR (self), NULL);

  return self->base;
}

/**
 * hl_low_rank_tensor_get_change: (skip)
 * @self: a sum
 *
 * Returns: (transfer none): what is added
 */
const HlLowRank *
hl_low_rank_tensor_get_change (HlLowRankTensor *self)
{
  g_return_val_if_fail (HL_IS_LOW_RANK_TENSOR (self), NULL);

  return &self->change;
}
