/* SPDX-License-Identifier: MIT */
/* Tensors of PyTorch and arrays of NumPy in a pickle: what they say of themselves. Their numbers are not touched
 * here. */
#include "core/archive/pydata/hl-pickle-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-error.h"

/**
 * hl_pickle_get_shape: (skip)
 * @value: a list of integers
 * @shape: (out caller-allocates): the same as sizes
 * @error: %HL_ERROR_RANK, %HL_ERROR_CORRUPT
 *
 * Returns: whether they are sizes
 */
gboolean
hl_pickle_get_shape (const HlPickleValue *value,
                     HlShape             *shape,
                     GError             **error)
{
  if (value->kind != HL_PICKLE_LIST)
    return hl_pickle_fail (error);
  if (value->list.n_items > HL_MAX_RANK)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_RANK,
                   _ ("a tensor in the pickle has %u axes; at most %d are read"),
                   value->list.n_items, HL_MAX_RANK);
      return FALSE;
    }
  shape->rank = value->list.n_items;
  for (guint i = 0; i < shape->rank; i++)
    {
      const HlPickleValue *size = value->list.items[i];
      if (size->kind != HL_PICKLE_INTEGER || size->integer < 0)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                       _ ("a tensor in the pickle has a size that is not a number of elements"));
          return FALSE;
        }
      shape->dims[i] = (guint64) size->integer;
    }
  return TRUE;
}

/**
 * hl_pickle_make_tensor: (skip)
 * @heap: where to put values
 * @arguments: the storage, where in it the tensor begins, its sizes and strides, and what is of no use here
 * @n_arguments: how many
 * @is_typed: whether the type of the elements is among them, and the storage is plain bytes
 * @error: %HL_ERROR_CORRUPT, %HL_ERROR_RANK, %HL_ERROR_VALUE, %HL_ERROR_UNSUPPORTED
 *
 * Returns: (nullable): a tensor, as torch._utils._rebuild_tensor and its successors make it
 */
HlPickleValue *
hl_pickle_make_tensor (HlPickleHeap         *heap,
                       HlPickleValue *const *arguments,
                       guint                 n_arguments,
                       gboolean              is_typed,
                       GError              **error)
{
  const guint plain = is_typed ? 7 : 6;

  if (n_arguments < 4 || arguments[0]->kind != HL_PICKLE_STORAGE ||
      arguments[1]->kind != HL_PICKLE_INTEGER || arguments[1]->integer < 0 ||
      arguments[3]->kind != HL_PICKLE_LIST ||
      (is_typed && (n_arguments < 7 || arguments[6]->kind != HL_PICKLE_GLOBAL ||
                    arguments[6]->global.id != HL_GLOBAL_TYPE)))
    {
      hl_pickle_fail (error);
      return NULL;
    }
  if (n_arguments > plain && arguments[plain]->kind == HL_PICKLE_DICTIONARY &&
      arguments[plain]->list.n_items > 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                   _ ("a tensor in the pickle is stored conjugated or negated, which is not read"));
      return NULL;
    }
  HlPickleValue *value = hl_pickle_heap_add (heap, HL_PICKLE_TENSOR, error);
  if (value == NULL)
    return NULL;
  HlPickleTensor *tensor = value->tensor;
  tensor->storage = arguments[0]->storage;
  tensor->type = is_typed ? arguments[6]->global : tensor->storage->type;
  tensor->offset = (guint64) arguments[1]->integer;
  if (!hl_pickle_get_shape (arguments[2], &tensor->shape, error))
    return NULL;
  if (arguments[3]->list.n_items != tensor->shape.rank)
    {
      hl_pickle_fail (error);
      return NULL;
    }
  for (guint i = 0; i < tensor->shape.rank; i++)
    {
      const HlPickleValue *stride = arguments[3]->list.items[i];
      if (stride->kind != HL_PICKLE_INTEGER)
        {
          hl_pickle_fail (error);
          return NULL;
        }
      tensor->strides[i] = stride->integer;
    }
  return value;
}

static HlPickleValue *
make_type (HlPickleHeap         *heap,
           HlPickleValue *const *arguments,
           guint                 n_arguments,
           GError              **error)
{
  if (n_arguments == 0 || arguments[0]->kind != HL_PICKLE_TEXT || arguments[0]->text.size > 20)
    {
      hl_pickle_fail (error);
      return NULL;
    }
  HlPickleValue *value = hl_pickle_heap_add (heap, HL_PICKLE_TYPE, error);
  if (value == NULL)
    return NULL;
  /* The byte order comes in front when the type is completed. */
  memcpy (value->code + 1, arguments[0]->text.data, arguments[0]->text.size);
  value->code[0] = '=';
  if (value->code[1] != '\0' && strchr ("<>|=", value->code[1]) != NULL)
    memmove (value->code, value->code + 1, arguments[0]->text.size + 1);
  return value;
}

/**
 * hl_pickle_make_array: (skip)
 * @heap: where to put values
 * @arguments: of the call
 * @n_arguments: how many
 * @id: which function of NumPy it is
 * @error: %HL_ERROR_CORRUPT, %HL_ERROR_RANK
 *
 * Returns: (nullable): an array, or a type of its elements
 */
HlPickleValue *
hl_pickle_make_array (HlPickleHeap         *heap,
                      HlPickleValue *const *arguments,
                      guint                 n_arguments,
                      int                   id,
                      GError              **error)
{
  if (id == HL_GLOBAL_ARRAY_TYPE)
    return make_type (heap, arguments, n_arguments, error);

  HlPickleValue *value = hl_pickle_heap_add (heap, HL_PICKLE_ARRAY, error);
  if (value == NULL || id == HL_GLOBAL_ARRAY)
    return value; /* completed by its state */
  HlPickleArray *array = value->array;
  if (id == HL_GLOBAL_ARRAY_SCALAR)
    {
      if (n_arguments != 2 || arguments[0]->kind != HL_PICKLE_TYPE)
        {
          hl_pickle_fail (error);
          return NULL;
        }
      array->type = arguments[0];
      array->data = arguments[1];
      return value;
    }
  /* Bytes, type, sizes, and which axis is fastest. */
  if (n_arguments != 4 || arguments[1]->kind != HL_PICKLE_TYPE)
    {
      hl_pickle_fail (error);
      return NULL;
    }
  array->data = arguments[0];
  array->type = arguments[1];
  array->is_fortran = hl_pickle_is_text (arguments[3], "F");
  return hl_pickle_get_shape (arguments[2], &array->shape, error) ? value : NULL;
}

/**
 * hl_pickle_build_array: (skip)
 * @object: an array or a type of elements
 * @state: its state: of an array a version, sizes, type, order and data; of a type a version and a byte order
 * @error: %HL_ERROR_CORRUPT, %HL_ERROR_RANK
 *
 * Returns: whether it is a state of such a thing
 */
gboolean
hl_pickle_build_array (HlPickleValue *object,
                       HlPickleValue *state,
                       GError       **error)
{
  HlPickleValue *const *items = state->list.items;

  if (state->kind != HL_PICKLE_LIST || state->list.n_items < 2)
    return hl_pickle_fail (error);
  if (object->kind == HL_PICKLE_TYPE)
    {
      if (items[1]->kind != HL_PICKLE_TEXT || items[1]->text.size != 1)
        return hl_pickle_fail (error);
      object->code[0] = (char) items[1]->text.data[0];
      return TRUE;
    }
  /* The oldest states have no version. */
  const guint first = state->list.n_items == 4 ? 0 : 1;
  if (state->list.n_items != first + 4 || items[first + 1]->kind != HL_PICKLE_TYPE)
    return hl_pickle_fail (error);
  object->array->type = items[first + 1];
  object->array->is_fortran = items[first + 2]->kind == HL_PICKLE_INTEGER &&
                              items[first + 2]->integer != 0;
  object->array->data = items[first + 3];
  return hl_pickle_get_shape (items[first], &object->array->shape, error);
}
