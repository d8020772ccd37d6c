/* SPDX-License-Identifier: MIT */
/* Values of a pickle. They may refer to one another in circles, so one heap owns them all and nothing is counted. */
#include "core/archive/pydata/hl-pickle-value.h"

#include <glib/gi18n-lib.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

/* For all that is in disorder. */
gboolean
hl_pickle_fail (GError **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("the pickle is damaged"));
  return FALSE;
}

gpointer
hl_pickle_refuse (GError **error)
{
  hl_pickle_fail (error);
  return NULL;
}

gboolean
hl_pickle_fail_full (GError **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the pickle holds more than %d values"), HL_LIMIT_PICKLE_VALUES);
  return FALSE;
}

gboolean
hl_pickle_fail_long (GError **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the text in the pickle is too long"));
  return FALSE;
}

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

HlPickleHeap *
hl_pickle_heap_new (void)
{
  HlPickleHeap *self = g_new0 (HlPickleHeap, 1);

  self->values = g_ptr_array_new_with_free_func (free_value);
  self->storages = g_ptr_array_new ();
  self->kept = g_ptr_array_new_with_free_func (g_object_unref);
  return self;
}

void
hl_pickle_heap_free (HlPickleHeap *self)
{
  g_ptr_array_unref (self->storages);
  g_ptr_array_unref (self->values);
  g_ptr_array_unref (self->kept);
  g_free (self);
}

HlPickleValue *
hl_pickle_heap_add (HlPickleHeap *self,
                    HlPickleKind  kind,
                    GError      **error)
{
  if (self->values->len >= HL_LIMIT_PICKLE_VALUES)
    {
      hl_pickle_fail_full (error);
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

/* Takes bytes that do not lie in the file as they are. */
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
  if (size > HL_LIMIT_PICKLE_TEXT - self->n_bytes)
    {
      hl_pickle_fail_long (error);
      return NULL;
    }
  self->n_bytes += size;
  HlSpan *span = hl_span_new_for_bytes (bytes);
  g_ptr_array_add (self->kept, span);
  value->text = (HlPickleText){ g_bytes_get_data (bytes, NULL), size, span, 0 };
  return value;
}

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

/* Adds the items of one to the other. What is copied is counted: a little text can ask for it again and again. */
gboolean
hl_pickle_heap_copy (HlPickleHeap  *self,
                     HlPickleValue *target,
                     HlPickleValue *source,
                     GError       **error)
{
  const guint n = source->list.n_items;

  if (n > HL_LIMIT_PICKLE_VALUES - self->n_copied)
    return hl_pickle_fail_full (error);
  self->n_copied += n;
  for (guint i = 0; i < n; i++)
    hl_pickle_list_append (target, source->list.items[i]);
  return TRUE;
}
