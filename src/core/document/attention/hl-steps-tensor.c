/* SPDX-License-Identifier: MIT */
/* The maps of a generation, step below step. */
#include "core/document/attention/hl-steps-tensor.h"

#include <string.h>

#include "core/base/hl-error.h"

struct _HlStepsTensor
{
  HlTensor parent_instance;

  HlStepsPart *parts; /* in the order of their rows, which do not overlap */
  guint n_parts;
  GBytes *items; /* what the parts' items point into */
};

G_DEFINE_FINAL_TYPE (HlStepsTensor, hl_steps_tensor, HL_TYPE_TENSOR)

/* The first part that has rows at @row or below. */
static guint
find_part (HlStepsTensor *self,
           guint64        row)
{
  guint low = 0, high = self->n_parts;

  while (low < high)
    {
      const guint middle = low + (high - low) / 2;
      const HlStepsPart *part = &self->parts[middle];
      if (part->first_row + part->n_rows <= row)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Copies what a part has of a region. */
static gboolean
read_part (const HlStepsPart *part,
           guint64            item,
           guint64            head,
           const guint64     *start,
           const guint64     *count,
           float             *target,
           GCancellable      *cancellable,
           GError           **error)
{
  const guint64 top = MAX (start[2], part->first_row);
  const guint64 bottom = MIN (start[2] + count[2], part->first_row + part->n_rows);
  const guint64 left = MAX (start[3], part->first_column);
  const guint64 right = MIN (start[3] + count[3], part->first_column + part->n_columns);
  const gint64 own_item = part->items != NULL ? part->items[item] : (gint64) item;
  HlLayerTensor layer = part->layer;

  if (own_item < 0 || top >= bottom || left >= right)
    return TRUE;
  layer.batch = (guint64) own_item;
  target += (top - start[2]) * count[3] + (left - start[3]);
  const guint64 width = right - left, height = bottom - top;
  if (width == count[3] || height == 1)
    return hl_layer_tensor_read (&layer, head, top - part->first_row, height,
                                 left - part->first_column, width, target, cancellable, error);

  g_autofree float *rows = g_try_malloc_n (height * width, sizeof (float));
  if (rows == NULL)
    return hl_error_set_no_memory (error);
  if (!hl_layer_tensor_read (&layer, head, top - part->first_row, height, left - part->first_column,
                             width, rows, cancellable, error))
    return FALSE;
  for (guint64 row = 0; row < height; row++)
    memcpy (target + row * count[3], rows + row * width, width * sizeof (float));
  return TRUE;
}

static gboolean
hl_steps_tensor_read_f32 (HlTensor      *tensor,
                          const guint64 *start,
                          const guint64 *count,
                          float         *target,
                          GCancellable  *cancellable,
                          GError       **error)
{
  HlStepsTensor *self = HL_STEPS_TENSOR (tensor);
  const guint64 n_numbers = count[2] * count[3];

  if (count[0] == 0 || count[1] == 0 || n_numbers == 0)
    return TRUE;
  for (guint64 item = 0; item < count[0]; item++)
    for (guint64 head = 0; head < count[1]; head++)
      {
        memset (target, 0, n_numbers * sizeof (float));
        for (guint i = find_part (self, start[2]);
             i < self->n_parts && self->parts[i].first_row < start[2] + count[2]; i++)
          if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
              !read_part (&self->parts[i], start[0] + item, start[1] + head, start, count, target,
                          cancellable, error))
            return FALSE;
        target += n_numbers;
      }
  return TRUE;
}

static void
hl_steps_tensor_finalize (GObject *object)
{
  HlStepsTensor *self = HL_STEPS_TENSOR (object);

  for (guint i = 0; i < self->n_parts; i++)
    g_object_unref (self->parts[i].layer.tensor);
  g_free (self->parts);
  g_clear_pointer (&self->items, g_bytes_unref);
  G_OBJECT_CLASS (hl_steps_tensor_parent_class)->finalize (object);
}

static void
hl_steps_tensor_class_init (HlStepsTensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_steps_tensor_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = hl_steps_tensor_read_f32;
}

static void
hl_steps_tensor_init (HlStepsTensor *self)
{
}

/**
 * hl_steps_tensor_new: (skip)
 * @parts: (array length=n_parts): at least one, in the order of their rows, which do not overlap; all have as many
 *   heads
 * @n_parts: how many
 * @n_batch: how many items the whole has
 * @n_rows: how many queries
 * @n_columns: how many keys
 * @items: (nullable): what the items of @parts point into
 *
 * Returns: (transfer full): [batch, head, query, key]
 */
HlTensor *
hl_steps_tensor_new (const HlStepsPart *parts,
                     guint              n_parts,
                     guint64            n_batch,
                     guint64            n_rows,
                     guint64            n_columns,
                     GBytes            *items)
{
  HlStepsTensor *self = g_object_new (HL_TYPE_STEPS_TENSOR, NULL);
  const HlShape shape = {
    4, { n_batch, hl_layer_tensor_get_n_heads (&parts->layer), n_rows, n_columns }
  };

  self->parts = g_memdup2 (parts, n_parts * sizeof *parts);
  self->n_parts = n_parts;
  for (guint i = 0; i < n_parts; i++)
    g_object_ref (parts[i].layer.tensor);
  self->items = items != NULL ? g_bytes_ref (items) : NULL;
  hl_tensor_set_layout (HL_TENSOR (self), hl_tensor_get_dtype (parts->layer.tensor), &shape);
  return HL_TENSOR (self);
}
