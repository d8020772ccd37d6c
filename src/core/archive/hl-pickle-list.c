/* SPDX-License-Identifier: MIT */
/* Lists of lists of numbers of Python as tensors. */
#include "core/archive/hl-pickle-list.h"

/* The sizes that the first elements announce. */
static gboolean
measure (const HlPickleValue *value,
         HlShape             *shape)
{
  shape->rank = 0;
  for (; value->kind == HL_PICKLE_LIST; value = value->list.items[0])
    {
      if (value->list.n_items == 0 || shape->rank == HL_MAX_RANK)
        return FALSE;
      shape->dims[shape->rank++] = value->list.n_items;
    }
  return value->kind == HL_PICKLE_INTEGER || value->kind == HL_PICKLE_NUMBER;
}

static gboolean
fill (const HlPickleValue *value,
      const HlShape       *shape,
      guint                axis,
      double             **target)
{
  if (axis == shape->rank)
    {
      if (value->kind != HL_PICKLE_INTEGER && value->kind != HL_PICKLE_NUMBER)
        return FALSE;
      *(*target)++ = value->kind == HL_PICKLE_INTEGER ? (double) value->integer : value->number;
      return TRUE;
    }
  if (value->kind != HL_PICKLE_LIST || value->list.n_items != shape->dims[axis])
    return FALSE;
  for (guint i = 0; i < value->list.n_items; i++)
    if (!fill (value->list.items[i], shape, axis + 1, target))
      return FALSE;
  return TRUE;
}

/**
 * hl_pickle_list_to_tensor: (skip)
 * @value: a list
 *
 * Returns: (transfer full) (nullable): the same as numbers, float64; %NULL unless it is numbers, or lists of one size of them
 */
HlTensor *
hl_pickle_list_to_tensor (const HlPickleValue *value)
{
  HlShape shape;
  guint64 n;

  /* One list can be at many places: more numbers than there can be values are not plain lists of them. */
  if (!measure (value, &shape) || !hl_shape_get_n_elements (&shape, &n) || n > HL_PICKLE_MAX_VALUES)
    return NULL;
  g_autofree double *numbers = g_new (double, n);
  double *end = numbers;
  if (!fill (value, &shape, 0, &end))
    return NULL;
  g_autoptr (GBytes) bytes = g_bytes_new_take (g_steal_pointer (&numbers), n * sizeof (double));
  return hl_tensor_new_for_bytes (HL_DTYPE_F64, &shape, NULL, FALSE, bytes, 0, NULL);
}
