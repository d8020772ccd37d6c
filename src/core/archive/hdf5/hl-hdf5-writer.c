/* SPDX-License-Identifier: MIT */
/* Writes HDF5: tensors chunked as asked, shuffled and packed with gzip, in their own type. */
#include "core/archive/hdf5/hl-hdf5-writer.h"

#include "core/archive/hdf5/hl-hdf5.h"
#include "core/base/hl-error.h"
#include "core/base/file/hl-temp-file.h"
#include "core/base/hl-limits.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define GZIP_LEVEL 4

struct _HlHdf5Writer
{
  GObject parent_instance;

  HlTempFile *temp;
  guint life; /* of the library, in which the numbers are what they were */
  hid_t file;
  HlHdf5Handle *handle;

  hid_t dataset; /* the tensor that is being written; invalid between tensors */
  hid_t space;
  hid_t type;
  HlDType dtype;
  HlShape shape;
  guint64 band; /* rows that are written at once: those of a chunk */
  guint64 row;  /* the first row of the band, counted over all axes but the last */
  float *numbers;
  guint8 *halves;
  gsize n_numbers;
};

static void hl_hdf5_writer_iface_init (HlArchiveWriterInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlHdf5Writer,
                               hl_hdf5_writer,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ARCHIVE_WRITER, hl_hdf5_writer_iface_init))

static herr_t
take_reason (unsigned            n,
             const H5E_error2_t *entry,
             void               *data)
{
  char **reason = data;

  if (n == 0 && entry->desc != NULL)
    *reason = g_utf8_make_valid (entry->desc, -1);
  return 0;
}

/* Returns whether a step was done, and whatever the library has written was; else says why not, with the innermost reason that it gives if it
 * is the one that failed. */
static gboolean
check (HlHdf5Writer *self,
       gboolean      is_done,
       GError      **error)
{
  const int write_error = self->handle != NULL ? self->handle->write_error : 0;
  g_autofree char *reason = NULL;

  if (is_done && write_error == 0)
    return TRUE;
  if (write_error != 0)
    reason = g_strdup (g_strerror (write_error));
  else
    H5Ewalk2 (H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, &reason);
  H5Eclear2 (H5E_DEFAULT);
  g_set_error (error, HL_ERROR, HL_ERROR_IO, _ ("it cannot be written: %s"),
               reason != NULL ? reason : _ ("the HDF5 library does not say why"));
  return FALSE;
}

static gboolean
is_there (HlHdf5Writer *self,
          GError      **error)
{
  g_autoptr (GError) reason = NULL;

  if (hl_hdf5_check_life (self->life, &reason))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_IO, _ ("it cannot be written: %s"), reason->message);
  return FALSE;
}

static hid_t
create_string_type (void)
{
  const hid_t type = H5Tcopy (H5T_C_S1);

  if (type >= 0 && (H5Tset_size (type, H5T_VARIABLE) < 0 || H5Tset_cset (type, H5T_CSET_UTF8) < 0))
    {
      H5Tclose (type);
      return H5I_INVALID_HID;
    }
  return type;
}

/* Sixteen bits wide, which the library has no name for in this version. */
static hid_t
create_half_type (gsize exponent_bits)
{
  const hid_t type = H5Tcopy (H5T_IEEE_F32LE);
  const gsize mantissa_bits = 15 - exponent_bits;

  if (type >= 0 && (H5Tset_fields (type, 15, mantissa_bits, exponent_bits, 0, mantissa_bits) < 0 ||
                    H5Tset_precision (type, 16) < 0 || H5Tset_size (type, 2) < 0 ||
                    H5Tset_ebias (type, ((size_t) 1 << (exponent_bits - 1)) - 1) < 0))
    {
      H5Tclose (type);
      return H5I_INVALID_HID;
    }
  return type;
}

static gboolean
is_half (HlDType dtype)
{
  return dtype == HL_DTYPE_F16 || dtype == HL_DTYPE_BF16;
}

static hid_t
create_type (HlDType dtype)
{
  switch (dtype)
    {
    case HL_DTYPE_F16:
      return create_half_type (5);
    case HL_DTYPE_BF16:
      return create_half_type (8);
    case HL_DTYPE_U8:
      return H5Tcopy (H5T_STD_U8LE);
    case HL_DTYPE_I32:
      return H5Tcopy (H5T_STD_I32LE);
    default:
      return H5Tcopy (H5T_IEEE_F32LE);
    }
}

/* Names in UTF-8, groups made on the way. */
static hid_t
create_link_properties (void)
{
  const hid_t properties = H5Pcreate (H5P_LINK_CREATE);

  if (properties >= 0 &&
      (H5Pset_char_encoding (properties, H5T_CSET_UTF8) < 0 || H5Pset_create_intermediate_group (properties, 1) < 0))
    {
      H5Pclose (properties);
      return H5I_INVALID_HID;
    }
  return properties;
}

static hid_t
open_group (HlHdf5Writer *self,
            const char   *path)
{
  g_auto (HlHdf5Id) links = create_link_properties ();

  if (*path == '\0')
    return H5Gopen2 (self->file, "/", H5P_DEFAULT);
  if (H5Lexists (self->file, path, H5P_DEFAULT) > 0)
    return H5Gopen2 (self->file, path, H5P_DEFAULT);
  H5Eclear2 (H5E_DEFAULT); /* a group on the way may not be there yet */
  return H5Gcreate2 (self->file, path, links, H5P_DEFAULT, H5P_DEFAULT);
}

/* One value if @n is 0, else an array. */
static gboolean
write_attribute (hid_t       group,
                 const char *name,
                 hid_t       type,
                 gsize       n,
                 const void *value)
{
  const hsize_t size = n;
  g_auto (HlHdf5Id) space = n > 0 ? H5Screate_simple (1, &size, NULL) : H5Screate (H5S_SCALAR);
  g_auto (HlHdf5Id) properties = H5Pcreate (H5P_ATTRIBUTE_CREATE);

  if (H5Pset_char_encoding (properties, H5T_CSET_UTF8) < 0)
    return FALSE;
  g_auto (HlHdf5Id) attribute = H5Acreate2 (group, name, type, space, properties, H5P_DEFAULT);
  return attribute >= 0 && H5Awrite (attribute, type, value) >= 0;
}

static gboolean
hl_hdf5_writer_set_attribute (HlArchiveWriter *writer,
                              const char      *path,
                              const char      *name,
                              GVariant        *value,
                              GError         **error)
{
  HlHdf5Writer *self = HL_HDF5_WRITER (writer);
  g_autoptr (HlHdf5Lock) lock = hl_hdf5_lock ();
  gboolean written = FALSE;

  if (!is_there (self, error))
    return FALSE;
  g_auto (HlHdf5Id) group = open_group (self, path);
  if (group < 0)
    return check (self, FALSE, error);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    {
      g_auto (HlHdf5Id) type = create_string_type ();
      const char *string = g_variant_get_string (value, NULL);
      written = write_attribute (group, name, type, 0, &string);
    }
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    {
      const gint64 integer = g_variant_get_int64 (value);
      written = write_attribute (group, name, H5T_NATIVE_INT64, 0, &integer);
    }
  else if (g_variant_is_container (value))
    {
      gsize n;
      const gboolean is_whole = g_variant_is_of_type (value, G_VARIANT_TYPE ("ax"));
      const void *numbers = g_variant_get_fixed_array (value, &n, sizeof (gint64));
      written = write_attribute (group, name, is_whole ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, n, numbers);
    }
  else
    {
      const double number = g_variant_get_double (value);
      written = write_attribute (group, name, H5T_NATIVE_DOUBLE, 0, &number);
    }
  return check (self, written, error);
}

static hid_t
create_dataset (HlHdf5Writer  *self,
                const char    *name,
                hid_t          type,
                hid_t          space,
                guint          rank,
                const hsize_t *chunk)
{
  g_auto (HlHdf5Id) links = create_link_properties ();
  g_auto (HlHdf5Id) properties = H5Pcreate (H5P_DATASET_CREATE);

  if (H5Pset_obj_track_times (properties, 0) < 0)
    return H5I_INVALID_HID;
  if (chunk != NULL &&
      (H5Pset_chunk (properties, (int) rank, chunk) < 0 || H5Pset_shuffle (properties) < 0 ||
       H5Pset_deflate (properties, GZIP_LEVEL) < 0 || H5Pset_fill_time (properties, H5D_FILL_TIME_NEVER) < 0))
    return H5I_INVALID_HID;
  return H5Dcreate2 (self->file, name, type, space, links, properties, H5P_DEFAULT);
}

static gboolean
hl_hdf5_writer_add_strings (HlArchiveWriter   *writer,
                            const char        *name,
                            const char *const *strings,
                            gsize              n_strings,
                            GError           **error)
{
  HlHdf5Writer *self = HL_HDF5_WRITER (writer);
  g_autoptr (HlHdf5Lock) lock = hl_hdf5_lock ();
  const hsize_t n = n_strings;

  if (!is_there (self, error))
    return FALSE;
  g_auto (HlHdf5Id) type = create_string_type ();
  g_auto (HlHdf5Id) space = H5Screate_simple (1, &n, NULL);
  g_auto (HlHdf5Id) dataset = create_dataset (self, name, type, space, 1, NULL);

  return check (self, dataset >= 0 && (n == 0 || H5Dwrite (dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, strings) >= 0),
                error);
}

static void
end_tensor (HlHdf5Writer *self)
{
  hl_hdf5_let_go (self->life, self->dataset);
  hl_hdf5_let_go (self->life, self->space);
  hl_hdf5_let_go (self->life, self->type);
  self->dataset = self->space = self->type = H5I_INVALID_HID;
  g_clear_pointer (&self->numbers, g_free);
  g_clear_pointer (&self->halves, g_free);
}

static gboolean
hl_hdf5_writer_begin_tensor (HlArchiveWriter *writer,
                             const char      *name,
                             HlDType          dtype,
                             const HlShape   *shape,
                             const guint64   *chunk,
                             GError         **error)
{
  HlHdf5Writer *self = HL_HDF5_WRITER (writer);
  g_autoptr (HlHdf5Lock) lock = hl_hdf5_lock ();
  const guint rank = shape->rank;
  hsize_t sizes[HL_LIMIT_RANK], chunk_sizes[HL_LIMIT_RANK];

  g_return_val_if_fail (self->dataset < 0, FALSE);

  if (!is_there (self, error))
    return FALSE;
  for (guint i = 0; i < rank; i++)
    {
      sizes[i] = shape->dims[i];
      chunk_sizes[i] = chunk != NULL ? chunk[i] : shape->dims[i];
    }
  self->dtype = dtype;
  self->shape = *shape;
  self->type = create_type (dtype);
  self->space = H5Screate_simple ((int) rank, sizes, NULL);
  self->dataset = create_dataset (self, name, self->type, self->space, rank, chunk_sizes);
  if (self->dataset < 0)
    {
      end_tensor (self);
      return check (self, FALSE, error);
    }

  /* A chunk is packed once if all of it is written at once. */
  self->band = rank >= 2 ? chunk_sizes[rank - 2] : 1;
  self->row = 0;
  self->n_numbers = 0;
  self->numbers = g_try_malloc_n (self->band * shape->dims[rank - 1], sizeof (float));
  if (is_half (dtype))
    self->halves = g_try_malloc_n (self->band * shape->dims[rank - 1], 2);
  if (self->numbers == NULL || (is_half (dtype) && self->halves == NULL))
    {
      end_tensor (self);
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there is not enough memory for one chunk of “%s”"), name);
      return FALSE;
    }
  return TRUE;
}

static guint16
to_bf16 (float value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  if (value != value)
    return (guint16) (bits >> 16 | 0x40); /* stays NaN */
  return (guint16) ((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static gboolean
write_band (HlHdf5Writer *self,
            GError      **error)
{
  const guint rank = self->shape.rank;
  const guint64 width = self->shape.dims[rank - 1];
  const guint64 n_rows = self->n_numbers / width;
  hsize_t start[HL_LIMIT_RANK] = { 0 }, count[HL_LIMIT_RANK];
  const void *data = self->numbers;

  guint64 rest = self->row;
  for (guint axis = rank - 1; axis-- > 0; rest /= self->shape.dims[axis])
    {
      start[axis] = rest % self->shape.dims[axis];
      count[axis] = 1;
    }
  if (rank >= 2)
    count[rank - 2] = n_rows;
  count[rank - 1] = width;

  if (self->halves != NULL)
    {
      guint16 *halves = (guint16 *) self->halves;
      for (gsize i = 0; i < self->n_numbers; i++)
        halves[i] =
          GUINT16_TO_LE (self->dtype == HL_DTYPE_F16 ? hl_f32_to_f16 (self->numbers[i]) : to_bf16 (self->numbers[i]));
      data = halves;
    }
  g_autoptr (HlHdf5Lock) lock = hl_hdf5_lock ();
  if (!is_there (self, error))
    return FALSE;
  g_auto (HlHdf5Id) memory = H5Screate_simple ((int) rank, count, NULL);
  const gboolean is_done = memory >= 0 &&
                           H5Sselect_hyperslab (self->space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                           H5Dwrite (self->dataset, self->halves != NULL ? self->type : H5T_NATIVE_FLOAT, memory,
                                     self->space, H5P_DEFAULT, data) >= 0;
  if (!check (self, is_done, error))
    return FALSE;
  self->row += n_rows;
  self->n_numbers = 0;
  return TRUE;
}

static gboolean
hl_hdf5_writer_write (HlArchiveWriter *writer,
                      const float     *numbers,
                      gsize            n,
                      GError         **error)
{
  HlHdf5Writer *self = HL_HDF5_WRITER (writer);
  const guint rank = self->shape.rank;
  const guint64 width = self->shape.dims[rank - 1];
  const guint64 height = rank >= 2 ? self->shape.dims[rank - 2] : 1;

  g_return_val_if_fail (self->dataset >= 0, FALSE);

  while (n > 0)
    {
      /* A band ends with its chunk, and with the matrix that it is part of. */
      const guint64 room = MIN (self->band, height - self->row % height) * width;
      const gsize taken = MIN (n, room - self->n_numbers);
      memcpy (self->numbers + self->n_numbers, numbers, taken * sizeof (float));
      self->n_numbers += taken;
      numbers += taken;
      n -= taken;
      if (self->n_numbers == room && !write_band (self, error))
        return FALSE;
    }

  guint64 n_rows = 1;
  for (guint axis = 0; axis + 1 < rank; axis++)
    n_rows *= self->shape.dims[axis];
  if (self->row == n_rows)
    {
      /* At once: a file is not closed before what is in it. */
      g_autoptr (HlHdf5Lock) lock = hl_hdf5_lock ();
      end_tensor (self);
    }
  return TRUE;
}

static gboolean
hl_hdf5_writer_close (HlArchiveWriter *writer,
                      GError         **error)
{
  HlHdf5Writer *self = HL_HDF5_WRITER (writer);
  g_autoptr (HlHdf5Lock) lock = hl_hdf5_lock ();

  g_return_val_if_fail (self->dataset < 0, FALSE);

  if (!is_there (self, error))
    return FALSE;
  const hid_t file = self->file;
  self->file = H5I_INVALID_HID;
  const gboolean is_closed = H5Fclose (file) >= 0;
  if (is_closed)
    hl_hdf5_forget (file);
  return check (self, is_closed, error) && hl_temp_file_commit (self->temp, error);
}

static void
hl_hdf5_writer_iface_init (HlArchiveWriterInterface *iface)
{
  iface->set_attribute = hl_hdf5_writer_set_attribute;
  iface->add_strings = hl_hdf5_writer_add_strings;
  iface->begin_tensor = hl_hdf5_writer_begin_tensor;
  iface->write = hl_hdf5_writer_write;
  iface->close = hl_hdf5_writer_close;
}

static void
hl_hdf5_writer_finalize (GObject *object)
{
  HlHdf5Writer *self = HL_HDF5_WRITER (object);

  end_tensor (self);
  hl_hdf5_let_go (self->life, self->file);
  g_clear_pointer (&self->handle, hl_hdf5_handle_unref);
  g_clear_pointer (&self->temp, hl_temp_file_free);
  G_OBJECT_CLASS (hl_hdf5_writer_parent_class)->finalize (object);
}

static void
hl_hdf5_writer_class_init (HlHdf5WriterClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_hdf5_writer_finalize;
}

static void
hl_hdf5_writer_init (HlHdf5Writer *self)
{
  self->file = self->dataset = self->space = self->type = H5I_INVALID_HID;
}

/* Float16 and bfloat16 stay what they are. Strings have variable length. */
HlArchiveWriter *
hl_hdf5_writer_new (GFile   *file,
                    GError **error)
{
  g_autoptr (HlHdf5Writer) self = g_object_new (HL_TYPE_HDF5_WRITER, NULL);
  void *handle;

  self->temp = hl_temp_file_new (file, error);
  if (self->temp == NULL)
    return NULL;

  g_autoptr (HlHdf5Lock) lock = hl_hdf5_lock ();
  self->life = hl_hdf5_get_life ();
  if (!is_there (self, error))
    return NULL;
  self->file = hl_hdf5_create_file (hl_temp_file_get_fd (self->temp));
  if (self->file < 0 || H5Fget_vfd_handle (self->file, H5P_DEFAULT, &handle) < 0)
    {
      check (self, FALSE, error);
      return NULL;
    }
  self->handle = g_atomic_rc_box_acquire (handle);
  return HL_ARCHIVE_WRITER (g_steal_pointer (&self));
}
