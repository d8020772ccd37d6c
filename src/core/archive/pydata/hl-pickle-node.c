/* SPDX-License-Identifier: MIT */
/* What a pickle made, as members of an archive: dictionaries and lists are groups, tensors and lists of numbers are
 * tensors, lists of strings are strings, and what stands alone is an attribute. */
#include "core/archive/pydata/hl-pickle-node.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "core/archive/pydata/hl-npy-array.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"

typedef struct
{
  guint n_nodes;
  GCancellable *cancellable;
} Builder;

static HlArchiveNode *convert (Builder *self, HlPickleValue *value, guint depth, GError **error);

static char *
make_string (const HlPickleText *text,
             gboolean           *repaired)
{
  return hl_utf8_make_valid ((const char *) text->data, text->size, repaired);
}

static HlArchiveNode *
make_attribute (GVariant *value)
{
  HlArchiveNode *node = hl_archive_node_new (HL_MEMBER_OTHER);

  node->attribute = g_variant_ref_sink (value);
  return node;
}

static HlArchiveNode *
make_strings (const HlPickleList *list)
{
  gsize n_text = 0;

  for (guint i = 0; i < list->n_items; i++)
    n_text += list->items[i]->text.size;
  HlArchiveNode *node = hl_archive_node_new (n_text <= HL_LIMIT_STRINGS_TEXT ? HL_MEMBER_STRINGS : HL_MEMBER_OTHER);
  if (n_text > HL_LIMIT_STRINGS_TEXT)
    {
      node->problem = g_error_new (HL_ERROR, HL_ERROR_TOO_LARGE, _ ("a list of strings has more than %d MiB of text"),
                                   (int) (HL_LIMIT_STRINGS_TEXT >> 20));
      return node;
    }
  node->strings = g_new0 (char *, list->n_items + 1);
  for (guint i = 0; i < list->n_items; i++)
    {
      gboolean repaired;
      node->strings[i] = make_string (&list->items[i]->text, &repaired);
      node->n_repaired += repaired;
    }
  return node;
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

/* The same as numbers, if it is numbers, or lists of one size of them. */
static HlTensor *
list_to_tensor (const HlPickleValue *value)
{
  HlShape shape;
  guint64 n;

  /* One list can be at many places: more numbers than there can be values are not plain lists of them. */
  if (!measure (value, &shape) || !hl_shape_get_n_elements (&shape, &n) || n > HL_LIMIT_PICKLE_VALUES)
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

/* Lists in lists, as deep as an array of objects has axes, the outermost first; NULL unless there are as many objects as
 * the sizes say, or for too many lists. Their items stay those of the array. */
static GPtrArray *
nest_objects (const HlPickleArray *array)
{
  const HlShape *shape = &array->shape;
  guint64 n, n_lists = 1, n_all = 1;

  if (!hl_shape_get_n_elements (shape, &n) || n == 0 || n != array->data->list.n_items)
    return NULL;
  /* None of the products is more than the number of objects. */
  for (guint axis = 0; axis + 1 < shape->rank; axis++)
    n_all += n_lists *= shape->dims[axis];
  if (n_all > HL_LIMIT_PICKLE_LISTS)
    return NULL;
  GPtrArray *lists = g_ptr_array_new_with_free_func (free_list);
  n = 0;
  nest (array, 0, &n, lists);
  return lists;
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

/* An array whose elements are bytes in the pickle. */
static HlArchiveNode *
make_array_of_bytes (const HlNpyHeader  *header,
                     const HlPickleText *text,
                     GError            **error)
{
  gint64 strides[HL_LIMIT_RANK];
  g_autoptr (HlSpan) bytes = hl_span_slice (text->span, text->offset, text->size);

  if (header->type.kind != HL_NPY_NUMBERS)
    return hl_npy_node_new_for_text (header, bytes, error);
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
  const HlPickleArray *array = value->array;
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
      const HlPickleList *list = &array->data->list;
      const gboolean is_one = array->data->kind == HL_PICKLE_LIST && array->shape.rank == 0 && list->n_items == 1;
      if (is_one || array->data->kind != HL_PICKLE_LIST || array->shape.rank < 2)
        return convert (self, is_one ? list->items[0] : array->data, depth + 1, error);
      g_autoptr (GPtrArray) lists = nest_objects (array);
      return convert (self, lists != NULL ? lists->pdata[0] : array->data, depth + 1, error);
    }
  /* Python 2 had no bytes but strings. */
  if (array->data->kind == HL_PICKLE_BYTES || array->data->kind == HL_PICKLE_TEXT)
    return make_array_of_bytes (&header, &array->data->text, error);
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

static char *
make_name (const HlPickleValue *key)
{
  if (key->kind == HL_PICKLE_INTEGER)
    return g_strdup_printf ("%" PRId64, key->integer);
  return key->kind == HL_PICKLE_TEXT ? make_string (&key->text, NULL) : NULL;
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

  for (guint i = 0; i < list->n_items; i += is_list ? 1 : 2)
    {
      /* A key that is no name cannot be asked for. */
      g_autofree char *name = is_list ? g_strdup_printf ("%u", i) : make_name (list->items[i]);
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

  for (guint i = 0; i < list->n_items; i++)
    n_texts += list->items[i]->kind == HL_PICKLE_TEXT;
  if (n_texts > 0 && n_texts == list->n_items)
    return make_strings (list);
  g_autoptr (HlTensor) tensor = list_to_tensor (value);
  if (tensor == NULL)
    return make_group (self, value, depth, error);
  HlArchiveNode *node = hl_archive_node_new (HL_MEMBER_TENSOR);
  node->tensor = g_steal_pointer (&tensor);
  return node;
}

static HlArchiveNode *
convert (Builder       *self,
         HlPickleValue *value,
         guint          depth,
         GError       **error)
{
  g_autofree char *text = NULL;

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
      text = make_string (&value->text, NULL);
      return make_attribute (g_variant_new_string (text));
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
hl_pickle_node_new (HlPickleValue *value,
                    GCancellable  *cancellable,
                    GError       **error)
{
  Builder builder = { .cancellable = cancellable };

  return convert (&builder, value, 0, error);
}
