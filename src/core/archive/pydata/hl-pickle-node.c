/* SPDX-License-Identifier: MIT */
/* What a pickle made, as members of an archive: dictionaries and lists are groups, tensors and lists of numbers are
 * tensors, lists of strings are strings, and what stands alone is an attribute. */
#include "core/archive/pydata/hl-pickle-node.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "core/archive/pydata/hl-npy-array.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"

/* What a string takes besides its text. */
#define STRING_ROOM 32

/* Strings that fill up the width of their array take no memory, but are read. */
#define FILLING 16

/* Each list that is in another may be looked at for both. */
#define MAX_LOOKS ((gsize) HL_LIMIT_RANK * HL_LIMIT_PICKLE_VALUES)

/* One value can be at many places: what is made of all of them is counted, and how often they are looked at. */
typedef struct
{
  HlPickleHeap *heap;
  GHashTable *tensors; /* of lists, which are made once */
  guint n_nodes;
  gsize n_looks; /* at items of lists */
  gsize n_numbers;
  gsize n_text;
  GCancellable *cancellable;
} Builder;

static HlArchiveNode *convert (Builder *self, HlPickleValue *value, guint depth, GError **error);

static gboolean
look_at (Builder *self,
         gsize    n_items,
         GError **error)
{
  self->n_looks += n_items;
  return self->n_looks <= MAX_LOOKS || hl_pickle_fail_full (error);
}

static gboolean
spend_text (Builder *self,
            gsize    n,
            GError **error)
{
  const gboolean fits = n <= HL_LIMIT_PICKLE_TEXT - self->n_text;

  self->n_text = fits ? self->n_text + n : HL_LIMIT_PICKLE_TEXT;
  return fits || hl_pickle_fail_long (error);
}

static char *
make_string (Builder            *self,
             const HlPickleText *text,
             gboolean           *repaired,
             GError            **error)
{
  if (!spend_text (self, STRING_ROOM + text->size, error))
    return NULL;
  g_autofree char *string = hl_utf8_make_valid ((const char *) text->data, text->size, repaired);
  const gsize n = strlen (string);
  return n <= text->size || spend_text (self, n - text->size, error) ? g_steal_pointer (&string) : NULL;
}

static HlArchiveNode *
make_attribute (GVariant *value)
{
  HlArchiveNode *node = hl_archive_node_new (HL_MEMBER_OTHER);

  node->attribute = g_variant_ref_sink (value);
  return node;
}

static HlArchiveNode *
make_strings (Builder            *self,
              const HlPickleList *list,
              GError            **error)
{
  gsize n_text = 0;

  for (guint i = 0; i < list->n_items; i++)
    n_text += list->items[i]->text.size;
  g_autoptr (HlArchiveNode)
    node = hl_archive_node_new (n_text <= HL_LIMIT_STRINGS_TEXT ? HL_MEMBER_STRINGS : HL_MEMBER_OTHER);
  if (n_text > HL_LIMIT_STRINGS_TEXT)
    {
      node->problem = g_error_new (HL_ERROR, HL_ERROR_TOO_LARGE, _ ("a list of strings has more than %d MiB of text"),
                                   (int) (HL_LIMIT_STRINGS_TEXT >> 20));
      return g_steal_pointer (&node);
    }
  node->strings = g_new0 (char *, list->n_items + 1);
  for (guint i = 0; i < list->n_items; i++)
    {
      gboolean repaired;
      node->strings[i] = make_string (self, &list->items[i]->text, &repaired, error);
      if (node->strings[i] == NULL)
        return NULL;
      node->n_repaired += repaired;
    }
  return g_steal_pointer (&node);
}

/* The sizes that the first elements announce. */
static gboolean
measure (const HlPickleValue *value,
         HlShape             *shape)
{
  shape->rank = 0;
  for (; value->kind == HL_PICKLE_LIST; value = value->list.items[0])
    {
      if (value->list.n_items == 0 || shape->rank == HL_LIMIT_RANK)
        return FALSE;
      shape->dims[shape->rank++] = value->list.n_items;
    }
  return value->kind == HL_PICKLE_INTEGER || value->kind == HL_PICKLE_NUMBER;
}

static gboolean
fill (Builder             *self,
      const HlPickleValue *value,
      const HlShape       *shape,
      guint                axis,
      double             **target,
      GError             **error)
{
  if (axis == shape->rank)
    {
      if (value->kind != HL_PICKLE_INTEGER && value->kind != HL_PICKLE_NUMBER)
        return FALSE;
      *(*target)++ = value->kind == HL_PICKLE_INTEGER ? (double) value->integer : value->number;
      return TRUE;
    }
  if (value->kind != HL_PICKLE_LIST || value->list.n_items != shape->dims[axis] ||
      !look_at (self, value->list.n_items, error))
    return FALSE;
  for (guint i = 0; i < value->list.n_items; i++)
    if (!fill (self, value->list.items[i], shape, axis + 1, target, error))
      return FALSE;
  return TRUE;
}

/* The same as numbers, if it is numbers, or lists of one size of them; NULL, without an error, if it is not. */
static HlTensor *
list_to_tensor (Builder       *self,
                HlPickleValue *value,
                GError       **error)
{
  HlTensor *tensor = g_hash_table_lookup (self->tensors, value);
  HlShape shape;
  guint64 n;

  if (tensor != NULL)
    return g_object_ref (tensor);
  /* One list can be in another many times: more numbers than there can be values are not plain lists of them. */
  if (!measure (value, &shape) || !hl_shape_get_n_elements (&shape, &n) || n > HL_LIMIT_PICKLE_VALUES)
    return NULL;
  g_autofree double *numbers = g_new (double, n);
  double *end = numbers;
  if (!fill (self, value, &shape, 0, &end, error))
    return NULL;
  if (n > HL_LIMIT_PICKLE_VALUES - self->n_numbers)
    {
      hl_pickle_fail_full (error);
      return NULL;
    }
  self->n_numbers += n;
  g_autoptr (GBytes) bytes = g_bytes_new_take (g_steal_pointer (&numbers), n * sizeof (double));
  tensor = hl_tensor_new_for_bytes (HL_DTYPE_F64, &shape, NULL, FALSE, bytes, 0, NULL);
  g_hash_table_insert (self->tensors, value, g_object_ref (tensor));
  return tensor;
}

/* The list along an axis, from one item of the array on; NumPy has them with the last axis the fastest, whatever it
 * says of the order of numbers. */
static HlPickleValue *
nest (HlPickleHeap        *heap,
      const HlPickleArray *array,
      guint                axis,
      guint64             *next,
      GError             **error)
{
  HlPickleValue *value = hl_pickle_heap_add (heap, HL_PICKLE_LIST, error);

  for (guint64 i = 0; value != NULL && i < array->shape.dims[axis]; i++)
    {
      HlPickleValue *item = axis + 1 < array->shape.rank ? nest (heap, array, axis + 1, next, error)
                                                         : array->data->list.items[(*next)++];
      if (item == NULL)
        return NULL;
      hl_pickle_list_append (value, item);
    }
  return value;
}

/* Makes of an array of objects one of lists in lists, as deep as it has axes. It stays as it is unless there are as many
 * objects as the sizes say, and for too many lists. */
static gboolean
nest_objects (HlPickleHeap  *heap,
              HlPickleArray *array,
              GError       **error)
{
  HlShape *shape = &array->shape;
  guint64 n, n_lists = 1, n_all = 1;

  if (!hl_shape_get_n_elements (shape, &n) || n == 0 || n != array->data->list.n_items)
    return TRUE;
  /* None of the products is more than the number of objects. */
  for (guint axis = 0; axis + 1 < shape->rank; axis++)
    n_all += n_lists *= shape->dims[axis];
  if (n_all > HL_LIMIT_PICKLE_LISTS)
    return TRUE;
  if (n > HL_LIMIT_PICKLE_VALUES - heap->n_copied)
    return hl_pickle_fail_full (error);
  heap->n_copied += n;
  n = 0;
  HlPickleValue *lists = nest (heap, array, 0, &n, error);
  if (lists == NULL)
    return FALSE;
  array->data = lists;
  shape->rank = 1;
  return TRUE;
}

static HlTensor *
open_tensor (const HlPickleTensor *tensor,
             GError              **error)
{
  const HlPickleStorage *storage = tensor->storage;
  gint64 strides[HL_LIMIT_RANK];
  guint64 offset;

  if (tensor->type.dtype < 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("its numbers are of type %s, which is not read"),
                   tensor->type.name);
      return NULL;
    }
  if (storage->span == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("its numbers are not in the file"));
      return NULL;
    }
  const gint64 size = (gint64) hl_dtype_get_size (tensor->type.dtype);
  gboolean fits = g_uint64_checked_mul (&offset, tensor->offset, (guint64) size);
  for (guint i = 0; i < tensor->shape.rank; i++)
    fits = fits && !__builtin_mul_overflow (tensor->strides[i], size, &strides[i]);
  if (!fits)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("a tensor in the pickle is too large"));
      return NULL;
    }
  return hl_span_open_tensor (storage->span, tensor->type.dtype, &tensor->shape, strides, storage->swapped, offset,
                              error);
}

static HlArchiveNode *
make_tensor (HlPickleValue *value,
             GError       **error)
{
  g_autoptr (HlTensor) tensor = open_tensor (value->tensor, error);

  return tensor != NULL ? hl_npy_node_new_for_tensor (tensor, error) : NULL;
}

static gsize
measure_strings (const HlArchiveNode *node)
{
  gsize n = node->attribute != NULL ? g_variant_get_size (node->attribute) : 0;

  for (gsize i = 0; node->strings != NULL && node->strings[i] != NULL; i++)
    n += STRING_ROOM + strlen (node->strings[i]);
  for (GTreeNode *i = node->members != NULL ? g_tree_node_first (node->members) : NULL; i != NULL;
       i = g_tree_node_next (i))
    n += measure_strings (g_tree_node_value (i));
  return n;
}

static HlArchiveNode *
make_array_of_strings (Builder           *self,
                       const HlNpyHeader *header,
                       HlSpan            *bytes,
                       GError           **error)
{
  if (!spend_text (self, STRING_ROOM + hl_span_get_size (bytes) / FILLING, error))
    return NULL;
  g_autoptr (HlArchiveNode) node = hl_npy_node_new_for_text (header, bytes, error);
  return node != NULL && spend_text (self, measure_strings (node), error) ? g_steal_pointer (&node) : NULL;
}

/* An array whose elements are bytes in the pickle. */
static HlArchiveNode *
make_array_of_bytes (Builder            *self,
                     const HlNpyHeader  *header,
                     const HlPickleText *text,
                     GError            **error)
{
  gint64 strides[HL_LIMIT_RANK];
  g_autoptr (HlSpan) bytes = hl_span_slice (text->span, text->offset, text->size);

  if (header->type.kind != HL_NPY_NUMBERS)
    return make_array_of_strings (self, header, bytes, error);
  if (!hl_npy_header_get_strides (header, strides))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("an array in the pickle is too large"));
      return NULL;
    }
  g_autoptr (HlTensor)
    tensor = hl_span_open_tensor (bytes, header->type.dtype, &header->shape, strides, header->type.swapped, 0, error);
  return tensor != NULL ? hl_npy_node_new_for_tensor (tensor, error) : NULL;
}

static HlArchiveNode *
make_array (Builder       *self,
            HlPickleValue *value,
            guint          depth,
            GError       **error)
{
  HlPickleArray *array = value->array;
  HlNpyHeader header = { .shape = array->shape, .is_fortran = array->is_fortran };

  if (array->type == NULL || array->data == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("an array in the pickle has no numbers"));
      return NULL;
    }
  if (!hl_npy_type_parse (&header.type, array->type->code, error))
    return NULL;
  if (header.type.kind == HL_NPY_OBJECTS)
    {
      /* An object that stands alone is meant itself. */
      const gboolean is_list = array->data->kind == HL_PICKLE_LIST;
      if (is_list && array->shape.rank > 1 && !nest_objects (self->heap, array, error))
        return NULL;
      const HlPickleList *list = &array->data->list;
      const gboolean is_one = is_list && array->shape.rank == 0 && list->n_items == 1;
      return convert (self, is_one ? list->items[0] : array->data, depth + 1, error);
    }
  /* Python 2 had no bytes but strings. */
  if (array->data->kind == HL_PICKLE_BYTES || array->data->kind == HL_PICKLE_TEXT)
    return make_array_of_bytes (self, &header, &array->data->text, error);
  g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("an array in the pickle has no numbers"));
  return NULL;
}

/* Adds a member. One that cannot be read has its error; nothing that matters may be missing without a word. */
static gboolean
add_member (Builder       *self,
            HlArchiveNode *group,
            const char    *name,
            HlPickleValue *value,
            guint          depth,
            GError       **error)
{
  g_autoptr (GError) problem = NULL;

  if (value->kind == HL_PICKLE_NONE || value->kind == HL_PICKLE_GLOBAL || value->kind == HL_PICKLE_TYPE)
    return TRUE;
  HlArchiveNode *node = convert (self, value, depth + 1, &problem);
  if (node == NULL && (value->kind == HL_PICKLE_TENSOR || value->kind == HL_PICKLE_ARRAY) &&
      problem->domain == HL_ERROR && self->n_nodes < HL_LIMIT_PICKLE_NODES)
    {
      node = hl_archive_node_new (HL_MEMBER_OTHER);
      g_autofree char *short_name = hl_utf8_shorten (name, 80);
      node->problem =
        g_error_new (HL_ERROR, problem->code, _ ("“%s” cannot be read: %s"), short_name, problem->message);
    }
  if (node == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  hl_archive_node_add (group, name, node);
  return TRUE;
}

/* A key that is no name cannot be asked for. */
static gboolean
make_name (Builder             *self,
           const HlPickleValue *key,
           char               **name,
           GError             **error)
{
  *name = NULL;
  if (key->kind == HL_PICKLE_INTEGER)
    *name = g_strdup_printf ("%" PRId64, key->integer);
  else if (key->kind == HL_PICKLE_TEXT)
    *name = make_string (self, &key->text, NULL, error);
  return *name != NULL || key->kind != HL_PICKLE_TEXT;
}

static HlArchiveNode *
make_group (Builder       *self,
            HlPickleValue *value,
            guint          depth,
            GError       **error)
{
  g_autoptr (HlArchiveNode) group = hl_archive_node_new (HL_MEMBER_GROUP);
  const HlPickleList *list = &value->list;
  const gboolean is_list = value->kind == HL_PICKLE_LIST;

  if (!look_at (self, list->n_items, error))
    return NULL;
  for (guint i = 0; i < list->n_items; i += is_list ? 1 : 2)
    {
      g_autofree char *name = is_list ? g_strdup_printf ("%u", i) : NULL;
      if (!is_list && !make_name (self, list->items[i], &name, error))
        return NULL;
      if (name != NULL && !add_member (self, group, name, list->items[is_list ? i : i + 1], depth, error))
        return NULL;
    }
  return g_steal_pointer (&group);
}

static HlArchiveNode *
make_list (Builder       *self,
           HlPickleValue *value,
           guint          depth,
           GError       **error)
{
  const HlPickleList *list = &value->list;
  guint n_texts = 0;
  g_autoptr (GError) problem = NULL;

  while (n_texts < list->n_items && list->items[n_texts]->kind == HL_PICKLE_TEXT)
    n_texts++;
  if (!look_at (self, n_texts, error))
    return NULL;
  if (n_texts > 0 && n_texts == list->n_items)
    return make_strings (self, list, error);
  HlTensor *tensor = list_to_tensor (self, value, &problem);
  if (problem != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return NULL;
    }
  if (tensor == NULL)
    return make_group (self, value, depth, error);
  HlArchiveNode *node = hl_archive_node_new (HL_MEMBER_TENSOR);
  node->tensor = tensor;
  return node;
}

static HlArchiveNode *
convert (Builder       *self,
         HlPickleValue *value,
         guint          depth,
         GError       **error)
{
  char *text;

  if (depth > HL_LIMIT_PICKLE_DEPTH)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("the pickle is nested too deeply, or something in it holds itself"));
      return NULL;
    }
  if (self->n_nodes++ >= HL_LIMIT_PICKLE_NODES)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the pickle has more than %d members"),
                   HL_LIMIT_PICKLE_NODES);
      return NULL;
    }
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return NULL;
  switch (value->kind)
    {
    case HL_PICKLE_INTEGER:
      return make_attribute (g_variant_new_int64 (value->integer));
    case HL_PICKLE_NUMBER:
      return make_attribute (g_variant_new_double (value->number));
    case HL_PICKLE_TEXT:
      text = make_string (self, &value->text, NULL, error);
      return text != NULL ? make_attribute (g_variant_new_take_string (text)) : NULL;
    case HL_PICKLE_LIST:
      return make_list (self, value, depth, error);
    case HL_PICKLE_DICTIONARY:
      return make_group (self, value, depth, error);
    case HL_PICKLE_TENSOR:
      return make_tensor (value, error);
    case HL_PICKLE_ARRAY:
      return make_array (self, value, depth, error);
    default:
      return hl_archive_node_new (HL_MEMBER_OTHER);
    }
}

HlArchiveNode *
hl_pickle_node_new (HlPickleHeap  *heap,
                    HlPickleValue *value,
                    GCancellable  *cancellable,
                    GError       **error)
{
  g_autoptr (GHashTable) tensors = g_hash_table_new_full (NULL, NULL, NULL, g_object_unref);
  Builder builder = { .heap = heap, .tensors = tensors, .cancellable = cancellable };

  return convert (&builder, value, 0, error);
}
