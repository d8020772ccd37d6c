/* SPDX-License-Identifier: MIT */
/* A tensor that is handed out before its numbers are there. */
#include "core/base/tensor/hl-pending-tensor.h"

#include "core/base/hl-error.h"

#include <string.h>

struct _HlPendingTensor
{
  HlTensor parent_instance;

  gsize size; /* bytes */
  GMutex lock;
  GCond changed;
  HlTensor *numbers; /* guarded by the lock, as is the reason; set once */
  GError *reason;
};

G_DEFINE_FINAL_TYPE (HlPendingTensor, hl_pending_tensor, HL_TYPE_TENSOR)

static void
wake (GCancellable    *cancellable,
      HlPendingTensor *self)
{
  g_mutex_lock (&self->lock);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

/* Sleeps until the numbers are there or will not be; the former are returned. */
static HlTensor *
wait_for_numbers (HlPendingTensor *self,
                  GCancellable    *cancellable,
                  GError         **error)
{
  HlTensor *numbers = NULL;
  gulong handler = 0;

  if (cancellable != NULL && !hl_pending_tensor_is_ready (self))
    handler = g_cancellable_connect (cancellable, G_CALLBACK (wake), self, NULL);
  g_mutex_lock (&self->lock);
  while (self->numbers == NULL && self->reason == NULL && !g_cancellable_is_cancelled (cancellable))
    g_cond_wait (&self->changed, &self->lock);
  if (self->numbers != NULL)
    numbers = g_object_ref (self->numbers);
  else if (self->reason != NULL)
    g_propagate_error (error, g_error_copy (self->reason));
  else
    g_cancellable_set_error_if_cancelled (cancellable, error);
  g_mutex_unlock (&self->lock);
  /* Waits for wake() to end, which takes the lock. */
  if (handler != 0)
    g_cancellable_disconnect (cancellable, handler);
  return numbers;
}

static gboolean
hl_pending_tensor_read_f32 (HlTensor      *tensor,
                            const guint64 *start,
                            const guint64 *count,
                            float         *target,
                            GCancellable  *cancellable,
                            GError       **error)
{
  g_autoptr (HlTensor) numbers = wait_for_numbers (HL_PENDING_TENSOR (tensor), cancellable, error);

  return numbers != NULL && hl_tensor_read_f32 (numbers, start, count, target, cancellable, error);
}

static void
hl_pending_tensor_finalize (GObject *object)
{
  HlPendingTensor *self = HL_PENDING_TENSOR (object);

  g_clear_object (&self->numbers);
  g_clear_error (&self->reason);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (hl_pending_tensor_parent_class)->finalize (object);
}

static void
hl_pending_tensor_class_init (HlPendingTensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_pending_tensor_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = hl_pending_tensor_read_f32;
}

static void
hl_pending_tensor_init (HlPendingTensor *self)
{
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
}

/**
 * hl_pending_tensor_new:
 * @shape: its sizes
 * @error: %HL_ERROR_TOO_LARGE
 *
 * Returns: (transfer full) (nullable): a tensor of float32 that waits to be filled; no memory is taken until then
 */
HlPendingTensor *
hl_pending_tensor_new (const HlShape *shape,
                       GError       **error)
{
  guint64 size;

  if (!hl_shape_get_n_bytes (shape, sizeof (float), &size) || size > G_MAXSSIZE)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  HlPendingTensor *self = g_object_new (HL_TYPE_PENDING_TENSOR, NULL);
  hl_tensor_set_layout (HL_TENSOR (self), HL_DTYPE_F32, shape);
  self->size = (gsize) size;
  return self;
}

/**
 * hl_pending_tensor_fill:
 * @self: a tensor that is neither filled nor has failed
 * @numbers: as many as its shape says, last axis fastest; copied
 * @error: %HL_ERROR_TOO_LARGE when there is no memory for them; then those who wait go on waiting
 *
 * Gives it its numbers and wakes those who wait for them. From any thread.
 *
 * Returns: whether it is filled
 */
gboolean
hl_pending_tensor_fill (HlPendingTensor *self,
                        const float     *numbers,
                        GError         **error)
{
  g_return_val_if_fail (HL_IS_PENDING_TENSOR (self), FALSE);

  float *copy = g_try_malloc (self->size);
  if (copy == NULL && self->size > 0)
    return hl_error_set_no_memory (error);
  /* Of nothing there is nothing to copy, and no place to copy it from. */
  if (self->size > 0)
    memcpy (copy, numbers, self->size);
  g_autoptr (GBytes) bytes = g_bytes_new_take (copy, self->size);
  HlTensor *filled =
    hl_tensor_new_for_bytes (HL_DTYPE_F32, hl_tensor_get_shape (HL_TENSOR (self)), NULL, FALSE, bytes, 0, error);
  if (filled == NULL)
    return FALSE;

  g_mutex_lock (&self->lock);
  g_assert (self->numbers == NULL && self->reason == NULL);
  self->numbers = filled;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  return TRUE;
}

/**
 * hl_pending_tensor_fail:
 * @self: a tensor
 * @reason: why there will be no numbers
 *
 * Gives those who wait, and those who will read later, an error. Does nothing if it is filled or has failed before. From any thread.
 */
void
hl_pending_tensor_fail (HlPendingTensor *self,
                        const GError    *reason)
{
  g_return_if_fail (HL_IS_PENDING_TENSOR (self));

  g_mutex_lock (&self->lock);
  if (self->numbers == NULL && self->reason == NULL)
    self->reason = g_error_copy (reason);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

/**
 * hl_pending_tensor_is_ready:
 * @self: a tensor
 *
 * Returns: whether reading it does not wait: it is filled, or has failed
 */
gboolean
hl_pending_tensor_is_ready (HlPendingTensor *self)
{
  g_return_val_if_fail (HL_IS_PENDING_TENSOR (self), FALSE);

  g_mutex_lock (&self->lock);
  const gboolean ready = self->numbers != NULL || self->reason != NULL;
  g_mutex_unlock (&self->lock);
  return ready;
}
