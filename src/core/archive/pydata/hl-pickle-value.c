/* SPDX-License-Identifier: MIT */
/* Values of a pickle. They may refer to one another in circles, so one heap owns them all and nothing is counted. */
#include "core/archive/pydata/hl-pickle-value.h"

#include <glib/gi18n-lib.h>

#include "core/base/hl-error.h"

static void
free_value (gpointer data)
{
  HlPickleValue *value = data;

  switch (value->kind)
    {
    case HL_PICKLE_LIST:
    case HL_PICKLE_DICTIONARY:
      g_free (value->list.items);
      break;
    case HL_PICKLE_STORAGE:
      g_clear_object (&value->storage->span);
      g_free (value->storage->key);
      g_free (value->storage);
      break;
    case HL_PICKLE_TENSOR:
      g_free (value->tensor);
      break;
    case HL_PICKLE_ARRAY:
      g_free (value->array);
      break;
    default:
      break;
    }
  g_free (value);
}

/**
 * hl_pickle_heap_new: (skip)
 *
 * Returns: (transfer full): a heap with nothing in it
 */
HlPickleHeap *
hl_pickle_heap_new (void)
{
  HlPickleHeap *self = g_new0 (HlPickleHeap, 1);

  self->values = g_ptr_array_new_with_free_func (free_value);
  self->storages = g_ptr_array_new ();
  self->kept = g_ptr_array_new_with_free_func (g_object_unref);
  return self;
}

/**
 * hl_pickle_heap_free: (skip)
 * @self: a heap
 *
 * Frees it with all its values.
 */
void
hl_pickle_heap_free (HlPickleHeap *self)
{
  g_ptr_array_unref (self->storages);
  g_ptr_array_unref (self->values);
  g_ptr_array_unref (self->kept);
  g_free (self);
}

/**
 * hl_pickle_heap_add: (skip)
 * @self: a heap
 * @kind: what is wanted
 * @error: %HL_ERROR_TOO_LARGE
 *
 * Returns: (transfer none) (nullable): a new value, empty
 */
HlPickleValue *
hl_pickle_heap_add (HlPickleHeap *self,
                    HlPickleKind  kind,
                    GError      **error)
{
  if (self->values->len >= HL_PICKLE_MAX_VALUES)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the pickle holds more than %d values"),
                   HL_PICKLE_MAX_VALUES);
      return NULL;
    }
  HlPickleValue *value = g_new0 (HlPickleValue, 1);
  value->kind = kind;
  if (kind == HL_PICKLE_STORAGE)
    value->storage = g_new0 (HlPickleStorage, 1);
  else if (kind == HL_PICKLE_TENSOR)
    value->tensor = g_new0 (HlPickleTensor, 1);
  else if (kind == HL_PICKLE_ARRAY)
    value->array = g_new0 (HlPickleArray, 1);
  g_ptr_array_add (self->values, value);
  if (kind == HL_PICKLE_STORAGE)
    g_ptr_array_add (self->storages, value);
  return value;
}

/**
 * hl_pickle_heap_add_integer: (skip)
 * @self: a heap
 * @integer: a number
 * @error: %HL_ERROR_TOO_LARGE
 *
 * Returns: (transfer none) (nullable): a value of it
 */
HlPickleValue *
hl_pickle_heap_add_integer (HlPickleHeap *self,
                            gint64        integer,
                            GError      **error)
{
  HlPickleValue *value = hl_pickle_heap_add (self, HL_PICKLE_INTEGER, error);

  if (value != NULL)
    value->integer = integer;
  return value;
}

/**
 * hl_pickle_heap_add_text: (skip)
 * @self: a heap
 * @kind: %HL_PICKLE_TEXT or %HL_PICKLE_BYTES
 * @text: (transfer full): bytes that do not lie in the file as they are
 * @size: how many
 * @error: %HL_ERROR_TOO_LARGE
 *
 * Returns: (transfer none) (nullable): a value of them
 */
HlPickleValue *
hl_pickle_heap_add_text (HlPickleHeap *self,
                         HlPickleKind  kind,
                         char         *text,
                         gsize         size,
                         GError      **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_take (text, size);
  HlPickleValue *value = hl_pickle_heap_add (self, kind, error);

  if (value == NULL)
    return NULL;
  if (size > HL_PICKLE_MAX_BYTES - self->n_bytes)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the text in the pickle is too long"));
      return NULL;
    }
  self->n_bytes += size;
  HlSpan *span = hl_span_new_for_bytes (bytes);
  g_ptr_array_add (self->kept, span);
  value->text = (HlPickleText){ g_bytes_get_data (bytes, NULL), size, span, 0 };
  return value;
}

/**
 * hl_pickle_list_append: (skip)
 * @self: a list or dictionary
 * @item: an element, key or value
 *
 * Adds it at the end.
 */
void
hl_pickle_list_append (HlPickleValue *self,
                       HlPickleValue *item)
{
  HlPickleList *list = &self->list;

  if (list->n_items == list->n_allocated)
    {
      list->n_allocated = list->n_allocated > 0 ? list->n_allocated * 2 : 4;
      list->items = g_renew (HlPickleValue *, list->items, list->n_allocated);
    }
  list->items[list->n_items++] = item;
}

/**
 * hl_pickle_heap_copy: (skip)
 * @self: a heap
 * @target: a list or dictionary
 * @source: another of the same kind
 * @error: %HL_ERROR_TOO_LARGE when as much has been copied as there may be values: a little text can ask for it again
 *   and again
 *
 * Adds the items of one to the other.
 *
 * Returns: whether that was done
 */
gboolean
hl_pickle_heap_copy (HlPickleHeap  *self,
                     HlPickleValue *target,
                     HlPickleValue *source,
                     GError       **error)
{
  const guint n = source->list.n_items;

  if (n > HL_PICKLE_MAX_VALUES - self->n_copied)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the pickle holds more than %d values"),
                   HL_PICKLE_MAX_VALUES);
      return FALSE;
    }
  self->n_copied += n;
  for (guint i = 0; i < n; i++)
    hl_pickle_list_append (target, source->list.items[i]);
  return TRUE;
}
