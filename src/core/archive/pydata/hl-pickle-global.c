/* SPDX-License-Identifier: MIT */
/* The names that a pickle may mention. In Python they are functions and classes that are called; here each only stands
 * for the data that the call would make. Any other name is an error, and the file is refused: nothing that it could
 * name is ever looked up. */
#include "core/archive/pydata/hl-pickle-global.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"

/* What a name stands for. */
typedef enum
{
  HL_GLOBAL_DICTIONARY,
  HL_GLOBAL_LIST,
  HL_GLOBAL_FIELDS,
  HL_GLOBAL_PLAIN, /* named, never made */
  HL_GLOBAL_ENCODE,
  HL_GLOBAL_BYTES,
  HL_GLOBAL_COPY,
  HL_GLOBAL_ARRAY,
  HL_GLOBAL_ARRAY_BYTES,
  HL_GLOBAL_ARRAY_SCALAR,
  HL_GLOBAL_ARRAY_TYPE,
  HL_GLOBAL_STORAGE,
  HL_GLOBAL_TYPE,
  HL_GLOBAL_LOAD,
  HL_GLOBAL_TENSOR,
  HL_GLOBAL_TENSOR_TYPED,
  HL_GLOBAL_PARAMETER,
  HL_GLOBAL_SUBCLASS,
} HlGlobalId;

static const struct
{
  const char *module;
  const char *name;
  HlGlobalId id;
} globals[] = {
  { "builtins", "dict", HL_GLOBAL_DICTIONARY },
  { "__builtin__", "dict", HL_GLOBAL_DICTIONARY },
  { "collections", "OrderedDict", HL_GLOBAL_DICTIONARY },
  { "collections", "defaultdict", HL_GLOBAL_DICTIONARY },
  { "builtins", "list", HL_GLOBAL_LIST },
  { "__builtin__", "list", HL_GLOBAL_LIST },
  { "builtins", "tuple", HL_GLOBAL_LIST },
  { "__builtin__", "tuple", HL_GLOBAL_LIST },
  { "builtins", "set", HL_GLOBAL_LIST },
  { "__builtin__", "set", HL_GLOBAL_LIST },
  { "builtins", "frozenset", HL_GLOBAL_LIST },
  { "__builtin__", "frozenset", HL_GLOBAL_LIST },
  { "torch", "Size", HL_GLOBAL_LIST },
  { "types", "SimpleNamespace", HL_GLOBAL_FIELDS },
  { "argparse", "Namespace", HL_GLOBAL_FIELDS },
  { "builtins", "int", HL_GLOBAL_PLAIN },
  { "__builtin__", "int", HL_GLOBAL_PLAIN },
  { "builtins", "float", HL_GLOBAL_PLAIN },
  { "__builtin__", "float", HL_GLOBAL_PLAIN },
  { "builtins", "str", HL_GLOBAL_PLAIN },
  { "builtins", "bool", HL_GLOBAL_PLAIN },
  { "builtins", "object", HL_GLOBAL_PLAIN },
  { "__builtin__", "object", HL_GLOBAL_PLAIN },
  { "torch", "device", HL_GLOBAL_PLAIN },
  { "torch", "Tensor", HL_GLOBAL_PLAIN },
  { "torch.nn.parameter", "Parameter", HL_GLOBAL_PLAIN },
  { "numpy", "ndarray", HL_GLOBAL_PLAIN },
  { "builtins", "bytearray", HL_GLOBAL_BYTES },
  { "__builtin__", "bytearray", HL_GLOBAL_BYTES },
  { "builtins", "bytes", HL_GLOBAL_BYTES },
  { "__builtin__", "bytes", HL_GLOBAL_BYTES },
  { "_codecs", "encode", HL_GLOBAL_ENCODE },
  { "copyreg", "_reconstructor", HL_GLOBAL_COPY },
  { "copy_reg", "_reconstructor", HL_GLOBAL_COPY },
  { "copyreg", "__newobj__", HL_GLOBAL_COPY },
  { "numpy", "dtype", HL_GLOBAL_ARRAY_TYPE },
  { "numpy.core.multiarray", "_reconstruct", HL_GLOBAL_ARRAY },
  { "numpy._core.multiarray", "_reconstruct", HL_GLOBAL_ARRAY },
  { "numpy.core.multiarray", "scalar", HL_GLOBAL_ARRAY_SCALAR },
  { "numpy._core.multiarray", "scalar", HL_GLOBAL_ARRAY_SCALAR },
  { "numpy.core.numeric", "_frombuffer", HL_GLOBAL_ARRAY_BYTES },
  { "numpy._core.numeric", "_frombuffer", HL_GLOBAL_ARRAY_BYTES },
  { "torch._utils", "_rebuild_tensor", HL_GLOBAL_TENSOR },
  { "torch._utils", "_rebuild_tensor_v2", HL_GLOBAL_TENSOR },
  { "torch._utils", "_rebuild_tensor_v3", HL_GLOBAL_TENSOR_TYPED },
  { "torch._utils", "_rebuild_parameter", HL_GLOBAL_PARAMETER },
  { "torch._utils", "_rebuild_parameter_with_state", HL_GLOBAL_PARAMETER },
  { "torch._tensor", "_rebuild_from_type_v2", HL_GLOBAL_SUBCLASS },
  { "torch.storage", "_load_from_bytes", HL_GLOBAL_LOAD },
};

/* Types of PyTorch, as storages and as types of elements are called. Those without a type of ours are known but not
 * read. */
static const struct
{
  const char *storage;
  const char *name;
  const char *alias;
  int dtype;
} types[] = {
  { "FloatStorage", "float32", "float", HL_DTYPE_F32 },
  { "DoubleStorage", "float64", "double", HL_DTYPE_F64 },
  { "HalfStorage", "float16", "half", HL_DTYPE_F16 },
  { "BFloat16Storage", "bfloat16", "bfloat16", HL_DTYPE_BF16 },
  { "CharStorage", "int8", "int8", HL_DTYPE_I8 },
  { "ShortStorage", "int16", "short", HL_DTYPE_I16 },
  { "IntStorage", "int32", "int", HL_DTYPE_I32 },
  { "LongStorage", "int64", "long", HL_DTYPE_I64 },
  { "ByteStorage", "uint8", "uint8", HL_DTYPE_U8 },
  { "UInt16Storage", "uint16", "uint16", HL_DTYPE_U16 },
  { "UInt32Storage", "uint32", "uint32", HL_DTYPE_U32 },
  { "UInt64Storage", "uint64", "uint64", HL_DTYPE_U64 },
  { "BoolStorage", "bool", "bool", HL_DTYPE_BOOL },
  { "ComplexHalfStorage", "complex32", "chalf", -1 },
  { "ComplexFloatStorage", "complex64", "cfloat", -1 },
  { "ComplexDoubleStorage", "complex128", "cdouble", -1 },
  { "Float8_e4m3fnStorage", "float8_e4m3fn", "float8_e4m3fn", -1 },
  { "Float8_e5m2Storage", "float8_e5m2", "float8_e5m2", -1 },
  { "Float8_e4m3fnuzStorage", "float8_e4m3fnuz", "float8_e4m3fnuz", -1 },
  { "Float8_e5m2fnuzStorage", "float8_e5m2fnuz", "float8_e5m2fnuz", -1 },
  { "Float8_e8m0fnuStorage", "float8_e8m0fnu", "float8_e8m0fnu", -1 },
  { "Float4_e2m1fn_x2Storage", "float4_e2m1fn_x2", "float4_e2m1fn_x2", -1 },
  { "QInt8Storage", "qint8", "qint8", -1 },
  { "QUInt8Storage", "quint8", "quint8", -1 },
  { "QInt32Storage", "qint32", "qint32", -1 },
  { "UntypedStorage", "UntypedStorage", "TypedStorage", HL_DTYPE_U8 },
};

/* Outputs of transformers are dictionaries with names of their own, and the caches in them objects of plain fields. */
static gboolean
has_fields (const char *module,
            const char *name)
{
  return g_str_equal (module, "transformers.cache_utils") ||
         (g_str_has_prefix (module, "transformers.") && strstr (name, "Output") != NULL && strchr (name, '.') == NULL);
}

static gboolean
find_type (HlPickleGlobal *self,
           const char     *module,
           const char     *name)
{
  const gboolean is_storage = g_str_has_suffix (name, "Storage");

  if (!g_str_equal (module, "torch") &&
      !(is_storage && (g_str_equal (module, "torch.cuda") || g_str_equal (module, "torch.storage"))))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (name, types[i].storage) || g_str_equal (name, types[i].name) || g_str_equal (name, types[i].alias))
      {
        *self = (HlPickleGlobal){ is_storage ? HL_GLOBAL_STORAGE : HL_GLOBAL_TYPE, types[i].dtype, types[i].name };
        return TRUE;
      }
  return FALSE;
}

gboolean
hl_pickle_global_find (HlPickleGlobal *self,
                       const char     *module,
                       const char     *name,
                       GError        **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (globals); i++)
    if (g_str_equal (module, globals[i].module) && g_str_equal (name, globals[i].name))
      {
        *self = (HlPickleGlobal){ globals[i].id, -1, globals[i].name };
        return TRUE;
      }
  if (find_type (self, module, name))
    return TRUE;
  *self = (HlPickleGlobal){ HL_GLOBAL_FIELDS, -1, "" };
  if (has_fields (module, name))
    return TRUE;
  g_autofree char *short_module = hl_utf8_shorten (module, 80);
  g_autofree char *short_name = hl_utf8_shorten (name, 80);
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
               _ ("the pickle names “%s.%s”, which is code and not data; Headlight reads data and runs nothing"),
               short_module, short_name);
  return FALSE;
}

static gboolean
is_text (const HlPickleValue *value,
         const char          *text)
{
  return value->kind == HL_PICKLE_TEXT && value->text.size == strlen (text) &&
         memcmp (value->text.data, text, value->text.size) == 0;
}

/* Text as bytes of Latin-1, which is how bytes are pickled where there is no opcode for them. */
static HlPickleValue *
encode (HlPickleHeap        *heap,
        const HlPickleValue *text,
        GError             **error)
{
  const guint8 *at = text->text.data;
  const guint8 *end = at + text->text.size;
  gsize n = 0;

  if (text->text.size > HL_LIMIT_PICKLE_TEXT - heap->n_bytes)
    return hl_pickle_refuse (error);
  g_autofree char *bytes = g_malloc (MAX (text->text.size, 1));
  while (at < end)
    {
      /* Zeros are bytes like others here. Above ASCII, Latin-1 takes two bytes of UTF-8, of which the first is one of
       * two. */
      const gboolean is_wide = *at >= 0x80;
      if (is_wide && ((*at & 0xfe) != 0xc2 || end - at < 2 || (at[1] & 0xc0) != 0x80))
        return hl_pickle_refuse (error);
      bytes[n++] = (char) (is_wide ? 0x80 | (at[0] & 1) << 6 | (at[1] & 0x3f) : *at);
      at += is_wide ? 2 : 1;
    }
  return hl_pickle_heap_add_text (heap, HL_PICKLE_BYTES, g_steal_pointer (&bytes), n, error);
}

static gboolean
get_shape (const HlPickleValue *value,
           HlShape             *shape,
           GError             **error)
{
  if (value->kind != HL_PICKLE_LIST)
    return hl_pickle_fail (error);
  if (value->list.n_items > HL_LIMIT_RANK)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_RANK, _ ("a tensor in the pickle has %u axes; at most %d are read"),
                   value->list.n_items, HL_LIMIT_RANK);
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

/* As torch._utils._rebuild_tensor and its successors make it: of the storage, where in it the tensor begins, its sizes and
 * strides, and what is of no use here. With @is_typed the type of the elements is among them, and the storage is plain
 * bytes. */
static HlPickleValue *
make_tensor (HlPickleHeap         *heap,
             HlPickleValue *const *arguments,
             guint                 n_arguments,
             gboolean              is_typed,
             GError              **error)
{
  const guint plain = is_typed ? 7 : 6;

  if (n_arguments < 4 || arguments[0]->kind != HL_PICKLE_STORAGE || arguments[1]->kind != HL_PICKLE_INTEGER ||
      arguments[1]->integer < 0 || arguments[3]->kind != HL_PICKLE_LIST ||
      (is_typed &&
       (n_arguments < 7 || arguments[6]->kind != HL_PICKLE_GLOBAL || arguments[6]->global.id != HL_GLOBAL_TYPE)))
    return hl_pickle_refuse (error);
  if (n_arguments > plain && arguments[plain]->kind == HL_PICKLE_DICTIONARY && arguments[plain]->list.n_items > 0)
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
  if (!get_shape (arguments[2], &tensor->shape, error))
    return NULL;
  if (arguments[3]->list.n_items != tensor->shape.rank)
    return hl_pickle_refuse (error);
  for (guint i = 0; i < tensor->shape.rank; i++)
    {
      const HlPickleValue *stride = arguments[3]->list.items[i];
      if (stride->kind != HL_PICKLE_INTEGER)
        return hl_pickle_refuse (error);
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
    return hl_pickle_refuse (error);
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

/* An array, or a type of its elements, by which function of NumPy it is. */
static HlPickleValue *
make_array (HlPickleHeap         *heap,
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
        return hl_pickle_refuse (error);
      array->type = arguments[0];
      array->data = arguments[1];
      return value;
    }
  /* Bytes, type, sizes, and which axis is fastest. */
  if (n_arguments != 4 || arguments[1]->kind != HL_PICKLE_TYPE)
    return hl_pickle_refuse (error);
  array->data = arguments[0];
  array->type = arguments[1];
  array->is_fortran = is_text (arguments[3], "F");
  return get_shape (arguments[2], &array->shape, error) ? value : NULL;
}

/* The state of an array is a version, sizes, type, order and data; of a type a version and a byte order. */
static gboolean
build_array (HlPickleValue *object,
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
  object->array->is_fortran = items[first + 2]->kind == HL_PICKLE_INTEGER && items[first + 2]->integer != 0;
  object->array->data = items[first + 3];
  return get_shape (items[first], &object->array->shape, error);
}

/* What a dictionary, list or set is made of when it is made by a call. A dictionary of pairs is made empty: what Python
 * pickles sets its items afterwards. */
static HlPickleValue *
make_container (HlPickleHeap         *heap,
                HlPickleKind          kind,
                HlPickleValue *const *arguments,
                guint                 n_arguments,
                GError              **error)
{
  HlPickleValue *value = hl_pickle_heap_add (heap, kind, error);
  HlPickleValue *source = n_arguments > 0 ? arguments[n_arguments - 1] : NULL;

  if (value == NULL || source == NULL || source->kind != kind)
    return value;
  return hl_pickle_heap_copy (heap, value, source, error) ? value : NULL;
}

/* The data that a call would make. */
HlPickleValue *
hl_pickle_reduce (HlPickleHeap  *heap,
                  HlPickleValue *function,
                  HlPickleValue *arguments,
                  HlPickleUnpack unpack,
                  gpointer       data,
                  GError       **error)
{
  if (function->kind != HL_PICKLE_GLOBAL || arguments->kind != HL_PICKLE_LIST)
    return hl_pickle_refuse (error);
  HlPickleValue **items = arguments->list.items;
  const guint n = arguments->list.n_items;

  switch ((HlGlobalId) function->global.id)
    {
    case HL_GLOBAL_DICTIONARY:
      return make_container (heap, HL_PICKLE_DICTIONARY, items, n, error);
    case HL_GLOBAL_LIST:
      return make_container (heap, HL_PICKLE_LIST, items, n, error);
    case HL_GLOBAL_FIELDS:
      return hl_pickle_heap_add (heap, HL_PICKLE_DICTIONARY, error);
    case HL_GLOBAL_PLAIN:
    case HL_GLOBAL_TYPE:
    case HL_GLOBAL_STORAGE:
      return hl_pickle_heap_add (heap, HL_PICKLE_NONE, error);
    case HL_GLOBAL_BYTES:
      if (n == 0)
        return hl_pickle_heap_add_text (heap, HL_PICKLE_BYTES, g_strdup (""), 0, error);
      if (items[0]->kind == HL_PICKLE_TEXT)
        return encode (heap, items[0], error);
      if (items[0]->kind == HL_PICKLE_BYTES)
        return items[0];
      break;
    case HL_GLOBAL_ENCODE:
      if (n == 2 && items[0]->kind == HL_PICKLE_TEXT && is_text (items[1], "latin1"))
        return encode (heap, items[0], error);
      break;
    case HL_GLOBAL_COPY:
      /* The class, what it derives from, and what that is made with. */
      if (n > 0 && items[0]->kind == HL_PICKLE_GLOBAL && items[0]->global.id != HL_GLOBAL_COPY)
        {
          HlPickleValue *rest = hl_pickle_heap_add (heap, HL_PICKLE_LIST, error);
          return rest != NULL ? hl_pickle_reduce (heap, items[0], rest, unpack, data, error) : NULL;
        }
      break;
    case HL_GLOBAL_ARRAY:
    case HL_GLOBAL_ARRAY_BYTES:
    case HL_GLOBAL_ARRAY_SCALAR:
    case HL_GLOBAL_ARRAY_TYPE:
      return make_array (heap, items, n, function->global.id, error);
    case HL_GLOBAL_LOAD:
      if (n == 1 && items[0]->kind == HL_PICKLE_BYTES && unpack != NULL)
        return unpack (heap, items[0], data, error);
      break;
    case HL_GLOBAL_TENSOR:
    case HL_GLOBAL_TENSOR_TYPED:
      return make_tensor (heap, items, n, function->global.id == HL_GLOBAL_TENSOR_TYPED, error);
    case HL_GLOBAL_PARAMETER:
      if (n > 0)
        return items[0];
      break;
    case HL_GLOBAL_SUBCLASS:
      /* A function and its arguments, then the class and fields of what is made of them. */
      if (n >= 3 && items[0]->kind == HL_PICKLE_GLOBAL && items[0]->global.id != HL_GLOBAL_SUBCLASS)
        return hl_pickle_reduce (heap, items[0], items[2], unpack, data, error);
      break;
    }
  return hl_pickle_refuse (error);
}

static gboolean
add_fields (HlPickleHeap  *heap,
            HlPickleValue *object,
            HlPickleValue *state,
            GError       **error)
{
  return state->kind != HL_PICKLE_DICTIONARY || state == object || hl_pickle_heap_copy (heap, object, state, error);
}

/* Completes an object that was made by a call: fields are added to those it has. */
gboolean
hl_pickle_build (HlPickleHeap  *heap,
                 HlPickleValue *object,
                 HlPickleValue *state,
                 GError       **error)
{
  if (object->kind == HL_PICKLE_ARRAY || object->kind == HL_PICKLE_TYPE)
    return build_array (object, state, error);
  if (object->kind != HL_PICKLE_DICTIONARY)
    return TRUE;
  if (state->kind != HL_PICKLE_LIST)
    return add_fields (heap, object, state, error);
  /* With slots, a pair: fields, and those in slots. */
  for (guint i = 0; i < MIN (state->list.n_items, 2); i++)
    if (!add_fields (heap, object, state->list.items[i], error))
      return FALSE;
  return TRUE;
}

/* What the file says of something outside the pickle: a storage, whose bytes are still to be found. */
HlPickleValue *
hl_pickle_persistent (HlPickleHeap  *heap,
                      HlPickleValue *id,
                      GError       **error)
{
  HlPickleValue *const *items = id->list.items;

  if (id->kind != HL_PICKLE_LIST || id->list.n_items < 5 || !is_text (items[0], "storage") ||
      items[1]->kind != HL_PICKLE_GLOBAL || items[1]->global.id != HL_GLOBAL_STORAGE ||
      items[2]->kind != HL_PICKLE_TEXT || items[2]->text.size > 1000)
    return hl_pickle_refuse (error);
  if (id->list.n_items > 5 && items[5]->kind != HL_PICKLE_NONE)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                   _ ("a storage is a part of another one, as only very old files have it"));
      return NULL;
    }
  HlPickleValue *value = hl_pickle_heap_add (heap, HL_PICKLE_STORAGE, error);
  if (value == NULL)
    return NULL;
  value->storage->type = items[1]->global;
  value->storage->key = g_strndup ((const char *) items[2]->text.data, items[2]->text.size);
  return value;
}
