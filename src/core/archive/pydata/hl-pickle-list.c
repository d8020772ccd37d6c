/* SPDX-License-Identifier: MIT */
/* Lists of lists of Python: as tensors where they are of numbers, and as what arrays of objects are. */
#include "core/archive/pydata/hl-pickle-list.h"

/* The most lists that an array of objects becomes. */
#define MAX_LISTS 250000

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
 * Returns: (transfer full) (nullable): the same as numbers, float64; %NULL unless it is numbers, or lists of one size
 *   of them
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

static void
free_list (gpointer data)
{
  HlPickleValue *value = data;

  g_free (value->list.items);
  g_free (value);
}

/* The list along an axis, from one item of the array on; NumPy has them with the last axis the fastest, whatever it
 * says of the order of numbers. */
static HlPickleValue *
nest (const HlPickleArray *array,
      guint                axis,
      guint64             *next,
      GPtrArray           *lists)
{
  HlPickleValue *value = g_new0 (HlPickleValue, 1);
  const guint n = (guint) array->shape.dims[axis];

  g_ptr_array_add (lists, value);
  value->kind = HL_PICKLE_LIST;
  value->list.items = g_new (HlPickleValue *, n);
  value->list.n_items = n;
  for (guint i = 0; i < n; i++)
    value->list.items[i] = axis + 1 < array->shape.rank ? nest (array, axis + 1, next, lists)
                                                        : array->data->list.items[(*next)++];
  return value;
}

/**
 * hl_pickle_list_nest: (skip)
 * @array: an array of objects, with a list of them
 *
 * Makes lists in lists, as deep as the array has axes. Their items are those of the array and stay its own.
 *
 * Returns: (transfer full) (nullable) (element-type HlPickleValue): all lists, the outermost first; %NULL unless there
 *   are as many objects as the sizes say, or for too many lists
 */
GPtrArray *
hl_pickle_list_nest (const HlPickleArray *array)
{
  const HlShape *shape = &array->shape;
  guint64 n, n_lists = 1, n_all = 1;

  if (!hl_shape_get_n_elements (shape, &n) || n == 0 || n != array->data->list.n_items)
    return NULL;
  /* None of the products is more than the number of objects. */
  for (guint axis = 0; axis + 1 < shape->rank; axis++)
    n_all += n_lists *= shape->dims[axis];
  if (n_all > MAX_LISTS)
    return NULL;
  GPtrArray *lists = g_ptr_array_new_with_free_func (free_list);
  n = 0;
  nest (array, 0, &n, lists);
  return lists;
}
