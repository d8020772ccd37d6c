/* SPDX-License-Identifier: MIT */
/* Element types and sizes of HDF5 datasets: which of them Headlight reads, and what the others are. */
#include "core/archive/hdf5/hl-hdf5.h"

#include <glib/gi18n-lib.h>

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

/* h5py stores bool as an enumeration of two names over int8. */
static gboolean
is_boolean (hid_t type)
{
  return H5Tget_size (type) == 1 && H5Tget_nmembers (type) == 2;
}

/**
 * hl_hdf5_get_dtype: (skip)
 * @type: an HDF5 type
 * @dtype: (out): the element type that it is
 * @swapped: (out): whether its bytes are in the order foreign to this machine
 *
 * With the lock held.
 *
 * Returns: %FALSE if Headlight has no such element type
 */
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

/**
 * hl_hdf5_describe_type: (skip)
 * @type: an HDF5 type
 *
 * With the lock held.
 *
 * Returns: (transfer full): what it is, for a sentence about why it cannot be used
 */
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

/**
 * hl_hdf5_get_shape: (skip)
 * @space: a dataspace
 * @name: whose it is
 * @shape: (out): its sizes
 * @error: %HL_ERROR_RANK, %HL_ERROR_TOO_LARGE, %HL_ERROR_SHAPE
 *
 * With the lock held.
 *
 * Returns: whether it has sizes that a tensor can have
 */
gboolean
hl_hdf5_get_shape (hid_t        space,
                   const char  *name,
                   HlShape     *shape,
                   GError     **error)
{
  hsize_t dims[H5S_MAX_RANK];
  guint64 n_elements;
  const int rank = H5Sget_simple_extent_ndims (space);

  if (H5Sget_simple_extent_type (space) == H5S_NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” is empty: its dataspace is null"), name);
      return FALSE;
    }
  if (rank < 0 || rank > H5S_MAX_RANK || H5Sget_simple_extent_dims (space, dims, NULL) != rank)
    {
      hl_hdf5_set_error (error, _ ("the sizes of “%s” cannot be read"), name);
      return FALSE;
    }
  if (rank > HL_MAX_RANK)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_RANK, _ ("“%s” has rank %d; at most %d is read"), name, rank, HL_MAX_RANK);
      return FALSE;
    }
  shape->rank = (guint) rank;
  for (int i = 0; i < rank; i++)
    shape->dims[i] = dims[i];
  if (!hl_shape_get_n_bytes (shape, sizeof (double), &n_elements))
    {
      g_autofree char *sizes = hl_shape_to_string (shape);
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("“%s” announces %s numbers, which is too many"), name,
                   sizes);
      return FALSE;
    }
  return TRUE;
}
