/* SPDX-License-Identifier: MIT */
/* What a dataset or an attribute is made of: element types, and which of them Headlight reads; lists of strings and
 * single values. */
#include "core/base/hl-limits.h"
#include "core/archive/hdf5/hl-hdf5-storage.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

/* A file that is shorter counts as this long. */
#define LEAST_ROOM (G_GUINT64_CONSTANT (64) << 10)

typedef struct
{
  HlDType dtype;
  gsize size;
  gsize exponent_at;
  gsize exponent_bits;
  gsize mantissa_bits;
  gsize bias;
} FloatLayout;

static const FloatLayout float_layouts[] = {
  { HL_DTYPE_F16, 2, 10, 5, 10, 15 },
  { HL_DTYPE_BF16, 2, 7, 8, 7, 127 },
  { HL_DTYPE_F32, 4, 23, 8, 23, 127 },
  { HL_DTYPE_F64, 8, 52, 11, 52, 1023 },
};

static gboolean
get_float_dtype (hid_t    type,
                 HlDType *dtype)
{
  size_t sign_at, exponent_at, exponent_bits, mantissa_at, mantissa_bits;
  const gsize size = H5Tget_size (type);

  if (H5Tget_fields (type, &sign_at, &exponent_at, &exponent_bits, &mantissa_at, &mantissa_bits) < 0 ||
      H5Tget_norm (type) != H5T_NORM_IMPLIED || H5Tget_offset (type) != 0 || H5Tget_precision (type) != 8 * size)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (float_layouts); i++)
    {
      const FloatLayout *layout = &float_layouts[i];
      if (size == layout->size && sign_at == 8 * size - 1 && exponent_at == layout->exponent_at &&
          exponent_bits == layout->exponent_bits && mantissa_at == 0 && mantissa_bits == layout->mantissa_bits &&
          H5Tget_ebias (type) == layout->bias)
        {
          *dtype = layout->dtype;
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
get_integer_dtype (hid_t    type,
                   HlDType *dtype)
{
  static const HlDType dtypes[2][4] = {
    { HL_DTYPE_U8, HL_DTYPE_U16, HL_DTYPE_U32, HL_DTYPE_U64 },
    { HL_DTYPE_I8, HL_DTYPE_I16, HL_DTYPE_I32, HL_DTYPE_I64 },
  };
  const gsize size = H5Tget_size (type);

  if (H5Tget_offset (type) != 0 || H5Tget_precision (type) != 8 * size)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (dtypes[0]); i++)
    if (size == (gsize) 1 << i)
      {
        *dtype = dtypes[H5Tget_sign (type) == H5T_SGN_2][i];
        return TRUE;
      }
  return FALSE;
}

/* h5py stores bool as an enumeration of two names over int8, 0 and 1. */
static gboolean
is_boolean (hid_t type)
{
  guint8 values[2];

  return H5Tget_size (type) == 1 && H5Tget_nmembers (type) == 2 && H5Tget_member_value (type, 0, &values[0]) >= 0 &&
         H5Tget_member_value (type, 1, &values[1]) >= 0 && MIN (values[0], values[1]) == 0 &&
         MAX (values[0], values[1]) == 1;
}

gboolean
hl_hdf5_get_dtype (hid_t     type,
                   HlDType  *dtype,
                   gboolean *swapped)
{
  H5T_order_t order;

  switch (H5Tget_class (type))
    {
    case H5T_FLOAT:
      if (!get_float_dtype (type, dtype))
        return FALSE;
      break;
    case H5T_INTEGER:
      if (!get_integer_dtype (type, dtype))
        return FALSE;
      break;
    case H5T_ENUM:
      if (!is_boolean (type))
        return FALSE;
      *dtype = HL_DTYPE_BOOL;
      *swapped = FALSE;
      return TRUE;
    default:
      return FALSE;
    }

  order = H5Tget_order (type);
  if (order != H5T_ORDER_LE && order != H5T_ORDER_BE)
    return FALSE;
  *swapped = order != (G_BYTE_ORDER == G_LITTLE_ENDIAN ? H5T_ORDER_LE : H5T_ORDER_BE);
  return TRUE;
}

char *
hl_hdf5_describe_type (hid_t type)
{
  const gsize bits = 8 * H5Tget_size (type);
  HlDType dtype;
  gboolean swapped;

  if (hl_hdf5_get_dtype (type, &dtype, &swapped))
    return g_strdup (hl_dtype_get_name (dtype));
  switch (H5Tget_class (type))
    {
    case H5T_FLOAT:
      return g_strdup_printf (_ ("floating-point numbers of %zu bits in an unknown layout"), bits);
    case H5T_INTEGER:
      return g_strdup_printf (_ ("integers of %zu bits in an unknown layout"), bits);
    case H5T_STRING:
      return g_strdup (_ ("strings"));
    case H5T_COMPOUND:
      return g_strdup (_ ("compounds"));
    case H5T_ENUM:
      return g_strdup (_ ("enumerations"));
    case H5T_REFERENCE:
      return g_strdup (_ ("references"));
    case H5T_VLEN:
      return g_strdup (_ ("sequences of variable length"));
    case H5T_ARRAY:
      return g_strdup (_ ("arrays"));
    case H5T_OPAQUE:
      return g_strdup (_ ("opaque bytes"));
    case H5T_BITFIELD:
      return g_strdup (_ ("bit fields"));
    default:
      return g_strdup (_ ("something unknown"));
    }
}

/* Where the text of a fixed field ends. */
static gsize
measure_field (const char *field,
               gsize       size,
               H5T_str_t   padding)
{
  if (padding != H5T_STR_SPACEPAD)
    return strnlen (field, size);
  while (size > 0 && field[size - 1] == ' ')
    size--;
  return size;
}

/* All elements as they are stored: @type is what the library is to take them for. */
static gboolean
read_elements (hid_t       id,
               hid_t       type,
               guint64     n,
               const char *name,
               guint8     *target,
               GError    **error)
{
  HlHdf5Storage storage;

  if (H5Iget_type (id) != H5I_ATTR)
    return hl_hdf5_storage_init (&storage, id, H5Tget_size (type), name, error) &&
           hl_hdf5_storage_read_list (&storage, id, type, name, target, error);
  if (H5Aget_storage_size (id) < n * H5Tget_size (type) || H5Aread (id, type, target) < 0)
    {
      hl_hdf5_set_error (error, _ ("“%s” cannot be read"), name);
      return FALSE;
    }
  return TRUE;
}

static gboolean
take_fields (const guint8 *bytes,
             guint64       n,
             hid_t         type,
             const char   *name,
             GPtrArray    *strings,
             gsize        *n_repaired,
             GError      **error)
{
  const gsize size = H5Tget_size (type);
  const H5T_str_t padding = H5Tget_strpad (type);
  gsize n_text = 0;

  for (guint64 i = 0; i < n; i++)
    n_text += measure_field ((const char *) bytes + i * size, size, padding);
  if (n_text > HL_LIMIT_STRINGS_TEXT)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the strings of “%s” are more than %d MiB"), name,
                   (int) (HL_LIMIT_STRINGS_TEXT >> 20));
      return FALSE;
    }
  for (guint64 i = 0; i < n; i++)
    {
      const char *field = (const char *) bytes + i * size;
      g_ptr_array_add (strings, hl_hdf5_take_text (field, measure_field (field, size, padding), n_repaired));
    }
  return TRUE;
}

static gboolean
read_text (hid_t       id,
           hid_t       type,
           guint64     n,
           const char *name,
           GPtrArray  *strings,
           gsize      *n_repaired,
           GError    **error)
{
  const gboolean is_variable = H5Tis_variable_str (type) > 0;
  g_auto (HlHdf5Id) place = is_variable ? hl_hdf5_make_place_type (id) : H5I_INVALID_HID;
  const hid_t stored = is_variable ? place : type;
  const gsize size = stored >= 0 ? H5Tget_size (stored) : 0;

  if (n == 0)
    return TRUE;
  if (size == 0)
    {
      hl_hdf5_set_error (error, _ ("the text of “%s” cannot be read"), name);
      return FALSE;
    }
  g_autofree guint8 *bytes = size <= HL_LIMIT_HDF5_TEXT / n ? g_try_malloc0_n (n, size) : NULL;
  if (bytes == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("“%s” announces %" PRIu64 " strings of %zu bytes, which is too much text"), name, n, size);
      return FALSE;
    }
  if (!read_elements (id, stored, n, name, bytes, error))
    return FALSE;
  if (is_variable)
    return hl_hdf5_read_places (id, bytes, n, name, strings, n_repaired, error);
  return take_fields (bytes, n, type, name, strings, n_repaired, error);
}

char **
hl_hdf5_read_strings (hid_t       dataset,
                      const char *name,
                      gsize      *n_repaired,
                      GError    **error)
{
  g_auto (HlHdf5Id) type = H5Dget_type (dataset);
  HlHdf5Storage storage;

  *n_repaired = 0;
  if (type < 0)
    {
      hl_hdf5_set_error (error, _ ("the type of “%s” cannot be read"), name);
      return NULL;
    }
  if (H5Tget_class (type) != H5T_STRING)
    {
      g_autofree char *kind = hl_hdf5_describe_type (type);
      g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("“%s” holds %s, not strings"), name, kind);
      return NULL;
    }
  if (!hl_hdf5_storage_init (&storage, dataset, H5Tget_size (type), name, error))
    return NULL;
  if (storage.shape.rank > 1)
    {
      g_autofree char *sizes = hl_shape_to_string (&storage.shape);
      g_set_error (error, HL_ERROR, HL_ERROR_RANK, _ ("“%s” has rank %u (%s); a list of strings has rank 1"), name,
                   storage.shape.rank, sizes);
      return NULL;
    }
  const guint64 n = storage.shape.rank == 1 ? storage.shape.dims[0] : 1;
  if (n > HL_LIMIT_STRINGS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("“%s” announces %" PRIu64 " strings; at most %d are read"),
                   name, n, HL_LIMIT_STRINGS);
      return NULL;
    }

  /* Those that were never written are empty, and take memory all the same. */
  g_auto (HlHdf5Id) file = H5Iget_file_id (dataset);
  const guint64 room = MAX (hl_hdf5_get_file_size (file), LEAST_ROOM);
  if (storage.element_size > 0 && n / HL_LIMIT_HDF5_EXPANSION > room / storage.element_size)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("“%s” announces %" PRIu64 " strings, far more than the file has room for"), name, n);
      return NULL;
    }

  g_autoptr (GPtrArray) strings = g_ptr_array_new_null_terminated (n, g_free, TRUE);
  if (!read_text (dataset, type, n, name, strings, n_repaired, error))
    return NULL;
  char **list = (char **) g_ptr_array_steal (strings, NULL);
  return list != NULL ? list : g_new0 (char *, 1); /* of no strings there is no array either */
}

static GVariant *
take_integer (const guint8 *bytes,
              gsize         size,
              gboolean      little,
              gboolean      is_signed)
{
  guint64 value = 0;

  for (gsize i = 0; i < size; i++)
    value = value << 8 | bytes[little ? size - 1 - i : i];
  if (is_signed && size < 8 && value >> (8 * size - 1) != 0)
    value |= ~G_GUINT64_CONSTANT (0) << (8 * size);
  if (!is_signed && value > G_MAXINT64)
    return g_variant_new_double ((double) value);
  return g_variant_new_int64 ((gint64) value);
}

/* The values of an attribute, floating. */
static gboolean
read_integers (hid_t       id,
               hid_t       type,
               guint64     n,
               const char *name,
               GVariant  **values,
               GError    **error)
{
  const gsize size = H5Tget_size (type);
  g_auto (HlHdf5Id) base = H5Tget_class (type) == H5T_ENUM ? H5Tget_super (type) : H5Tcopy (type);
  const gboolean little = H5Tget_order (base) != H5T_ORDER_BE;
  const gboolean is_signed = H5Tget_sign (base) == H5T_SGN_2;

  if (size == 0 || size > sizeof (guint64) || H5Tget_precision (base) != 8 * size)
    {
      g_autofree char *kind = hl_hdf5_describe_type (type);
      g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("“%s” holds %s"), name, kind);
      return FALSE;
    }
  g_autofree guint8 *bytes = g_malloc0_n (n, size);
  if (!read_elements (id, type, n, name, bytes, error))
    return FALSE;
  for (guint64 i = 0; i < n; i++)
    values[i] = take_integer (bytes + i * size, size, little, is_signed);
  return TRUE;
}

static gboolean
read_floats (hid_t       id,
             hid_t       type,
             guint64     n,
             const char *name,
             GVariant  **values,
             GError    **error)
{
  HlDType dtype;
  gboolean swapped;

  if (!hl_hdf5_get_dtype (type, &dtype, &swapped))
    {
      g_autofree char *kind = hl_hdf5_describe_type (type);
      g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("“%s” holds %s"), name, kind);
      return FALSE;
    }
  const gsize size = hl_dtype_get_size (dtype);
  g_autofree guint8 *bytes = g_malloc0_n (n, size);
  if (!read_elements (id, type, n, name, bytes, error))
    return FALSE;
  for (guint64 i = 0; i < n; i++)
    if (dtype == HL_DTYPE_F64)
      {
        guint64 bits;
        double wide;

        memcpy (&bits, bytes + i * size, sizeof bits);
        bits = swapped ? GUINT64_SWAP_LE_BE (bits) : bits;
        memcpy (&wide, &bits, sizeof wide);
        values[i] = g_variant_new_double (wide);
      }
    else
      {
        float value;

        hl_dtype_convert_to_f32 (dtype, swapped, bytes + i * size, size, &value, 1);
        values[i] = g_variant_new_double (value);
      }
  return TRUE;
}

static gboolean
read_texts (hid_t       id,
            hid_t       type,
            guint64     n,
            const char *name,
            GVariant  **values,
            GError    **error)
{
  g_autoptr (GPtrArray) strings = g_ptr_array_new_with_free_func (g_free);
  gsize n_repaired = 0;

  if (!read_text (id, type, n, name, strings, &n_repaired, error))
    return FALSE;
  if (n_repaired > 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_ENCODING, _ ("“%s” is not valid UTF-8"), name);
      return FALSE;
    }
  for (guint64 i = 0; i < n; i++)
    values[i] = g_variant_new_string (g_ptr_array_index (strings, i));
  return TRUE;
}

/* One value is `s`, `x` or `d`; a list is `as` or `ad`, of an attribute alone. */
static GVariant *
make_value (GVariant **values,
            guint64    n,
            gboolean   is_list)
{
  if (!is_list)
    return values[0];
  if (g_variant_is_of_type (values[0], G_VARIANT_TYPE_STRING))
    return g_variant_new_array (G_VARIANT_TYPE_STRING, values, n);
  for (guint64 i = 0; i < n; i++)
    if (g_variant_is_of_type (values[i], G_VARIANT_TYPE_INT64))
      {
        g_autoptr (GVariant) integer = g_variant_ref_sink (values[i]);
        values[i] = g_variant_new_double ((double) g_variant_get_int64 (integer));
      }
  return g_variant_new_array (G_VARIANT_TYPE_DOUBLE, values, n);
}

GVariant *
hl_hdf5_read_value (hid_t       id,
                    const char *name,
                    GError    **error)
{
  const gboolean is_attribute = H5Iget_type (id) == H5I_ATTR;
  g_auto (HlHdf5Id) type = is_attribute ? H5Aget_type (id) : H5Dget_type (id);
  g_auto (HlHdf5Id) space = is_attribute ? H5Aget_space (id) : H5I_INVALID_HID;
  HlHdf5Storage storage;
  HlShape shape;
  guint64 n;

  if (type < 0 || (is_attribute && space < 0))
    {
      hl_hdf5_set_error (error, _ ("the type and sizes of “%s” cannot be read"), name);
      return NULL;
    }
  if (is_attribute ? !hl_hdf5_get_shape (space, name, &shape, error)
                   : !hl_hdf5_storage_init (&storage, id, H5Tget_size (type), name, error))
    return NULL;
  if (!is_attribute)
    shape = storage.shape;
  const gboolean is_list = is_attribute && shape.rank == 1 && shape.dims[0] > 1 && shape.dims[0] <= HL_LIMIT_LAYERS;
  if (!hl_shape_get_n_elements (&shape, &n) || (n != 1 && !is_list))
    {
      g_autofree char *sizes = hl_shape_to_string (&shape);
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” has %s values, not one"), name, sizes);
      return NULL;
    }
  if (H5Tget_size (type) > HL_LIMIT_HDF5_ATTRIBUTE / n)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("“%s” has %zu bytes, which is too much"), name,
                   (gsize) H5Tget_size (type));
      return NULL;
    }

  g_autofree GVariant **values = g_new0 (GVariant *, n);
  switch (H5Tget_class (type))
    {
    case H5T_STRING:
      return read_texts (id, type, n, name, values, error) ? make_value (values, n, is_list) : NULL;
    case H5T_INTEGER:
    case H5T_ENUM:
      return read_integers (id, type, n, name, values, error) ? make_value (values, n, is_list) : NULL;
    case H5T_FLOAT:
      return read_floats (id, type, n, name, values, error) ? make_value (values, n, is_list) : NULL;
    default:
      {
        g_autofree char *kind = hl_hdf5_describe_type (type);
        g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("“%s” holds %s, neither text nor a number"), name, kind);
        return NULL;
      }
    }
}
