/* SPDX-License-Identifier: MIT */
/* Writes NPZ: a zip file of arrays as numpy.lib.format describes them (version 1.0). Strings are arrays of fixed-width
 * Unicode, attributes such arrays without axes. NumPy has no bfloat16, which becomes float32. Members are stored, not
 * packed, and numbers aligned, so that they can be used where they lie; times are 1980-01-01, so that the same content
 * gives the same bytes. */
#include "core/archive/pydata/hl-npz-writer.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <zip.h>

#include "core/archive/hl-archive.h"
#include "core/base/hl-error.h"
#include "core/base/file/hl-temp-file.h"
#include "core/base/hl-limits.h"

/* The offset of each member's first byte is a multiple of this. */
#define ALIGNMENT 64

#define LOCAL_HEADER_SIZE 30
#define ZIP64_EXTRA_SIZE 20
#define PADDING_EXTRA 0xd935 /* as Android's zipalign has it: the alignment, then zeros */
#define DOS_DATE 0x0021      /* 1980-01-01 */
#define UTF8_FLAG 0x0800

/* Numbers that are converted at a time. */
#define BATCH 4096

struct _HlNpzWriter
{
  GObject parent_instance;

  HlTempFile *file;
  zipFile zip;
  gboolean has_member;
  guint64 at;    /* where minizip stands in the file */
  GError *error; /* why the file could not be written */
  HlDType dtype;
  guint64 n_missing; /* numbers of the tensor that have not come yet */
};

static void hl_npz_writer_iface_init (HlArchiveWriterInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlNpzWriter,
                               hl_npz_writer,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ARCHIVE_WRITER, hl_npz_writer_iface_init))

static voidpf
open_stream (voidpf      opaque,
             const void *name,
             int         mode)
{
  return opaque;
}

static uLong
write_stream (voidpf      opaque,
              voidpf      stream,
              const void *bytes,
              uLong       size)
{
  HlNpzWriter *self = stream;

  if (self->error != NULL || !hl_temp_file_write (self->file, bytes, size, &self->error))
    return 0;
  self->at += size;
  return size;
}

static ZPOS64_T
tell_stream (voidpf opaque,
             voidpf stream)
{
  return ((HlNpzWriter *) stream)->at;
}

/* Only to where something was written: a member's checksum stands before its bytes. */
static long
seek_stream (voidpf   opaque,
             voidpf   stream,
             ZPOS64_T offset,
             int      origin)
{
  HlNpzWriter *self = stream;

  if (origin != ZLIB_FILEFUNC_SEEK_SET || self->error != NULL || !hl_temp_file_seek (self->file, offset, &self->error))
    return -1;
  self->at = offset;
  return 0;
}

static int
close_stream (voidpf opaque,
              voidpf stream)
{
  return 0;
}

static int
test_stream (voidpf opaque,
             voidpf stream)
{
  return ((HlNpzWriter *) stream)->error != NULL;
}

/* What minizip says of a call becomes an error. */
static gboolean
check (HlNpzWriter *self,
       int          status,
       GError     **error)
{
  if (status == ZIP_OK)
    return TRUE;
  if (self->error != NULL)
    g_propagate_error (error, g_steal_pointer (&self->error));
  else
    hl_error_set_no_memory (error);
  return FALSE;
}

static gboolean
write_bytes (HlNpzWriter *self,
             const void  *bytes,
             gsize        size,
             GError     **error)
{
  return check (self, zipWriteInFileInZip (self->zip, bytes, (guint) size), error);
}

/* The 64-bit extension is there only where the size needs it. */
static gboolean
begin_member (HlNpzWriter *self,
              const char  *name,
              guint64      size,
              GError     **error)
{
  const zip_fileinfo info = { .dosDate = (uLong) DOS_DATE << 16 };
  const gboolean wide = size >= G_MAXUINT32;
  guint8 padding[6 + ALIGNMENT] = { PADDING_EXTRA & 0xff, PADDING_EXTRA >> 8, 0, 0, ALIGNMENT };

  if (strlen (name) > G_MAXUINT16)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("a name of more than 65,535 bytes does not fit a zip file"));
      return FALSE;
    }
  if (self->has_member && !check (self, zipCloseFileInZip (self->zip), error))
    return FALSE;
  self->has_member = TRUE;
  const guint64 unpadded = self->at + LOCAL_HEADER_SIZE + strlen (name) + (wide ? ZIP64_EXTRA_SIZE : 0) + 6;
  const guint n_zeros = (guint) ((ALIGNMENT - unpadded % ALIGNMENT) % ALIGNMENT);
  padding[2] = (guint8) (2 + n_zeros);
  return check (self,
                zipOpenNewFileInZip4_64 (self->zip, name, &info, padding, 6 + n_zeros, NULL, 0, NULL, 0, 0, FALSE,
                                         -MAX_WBITS, DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, NULL, 0, wide ? 45 : 20,
                                         UTF8_FLAG, wide),
                error);
}

/* A member with the header of an array, as long as keeps the elements aligned. */
static gboolean
begin_array (HlNpzWriter   *self,
             const char    *name,
             const char    *type,
             const HlShape *shape,
             guint64        n_bytes,
             GError       **error)
{
  g_autofree char *path = g_strconcat (name, ".npy", NULL);
  g_autoptr (GString) header = g_string_new_len ("\x93NUMPY\x01\x00\x00\x00", 10);

  g_string_append_printf (header, "{'descr': '%s', 'fortran_order': False, 'shape': (", type);
  for (guint i = 0; i < shape->rank; i++)
    g_string_append_printf (header, "%s%" PRIu64 "%s", i > 0 ? " " : "", shape->dims[i],
                            i + 1 < shape->rank || shape->rank == 1 ? "," : "");
  g_string_append (header, "), }");
  while ((header->len + 1) % ALIGNMENT != 0)
    g_string_append_c (header, ' ');
  g_string_append_c (header, '\n');
  header->str[8] = (char) ((header->len - 10) & 0xff);
  header->str[9] = (char) ((header->len - 10) >> 8);
  return begin_member (self, path, header->len + n_bytes, error) && write_bytes (self, header->str, header->len, error);
}

static gboolean
write_strings (HlNpzWriter       *self,
               const char        *name,
               const HlShape     *shape,
               const char *const *strings,
               gsize              n_strings,
               GError           **error)
{
  glong width = 1; /* NumPy knows no type of width 0 */
  guint64 n_bytes;

  for (gsize i = 0; i < n_strings; i++)
    width = MAX (width, g_utf8_strlen (strings[i], -1));
  if (!g_uint64_checked_mul (&n_bytes, (guint64) width * 4, n_strings) || n_bytes > HL_LIMIT_NPY_STRINGS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("“%s” would need more than 1 GiB in NPZ, which gives every string the room "
                      "of the longest"),
                   name);
      return FALSE;
    }

  g_autofree char *type = g_strdup_printf ("<U%ld", width);
  g_autofree guint32 *row = g_new (guint32, width);
  if (!begin_array (self, name, type, shape, n_bytes, error))
    return FALSE;
  for (gsize i = 0; i < n_strings; i++)
    {
      const char *c = strings[i];
      for (glong k = 0; k < width; k++)
        {
          row[k] = GUINT32_TO_LE (g_utf8_get_char (c)); /* zeros after the end */
          if (*c != '\0')
            c = g_utf8_next_char (c);
        }
      if (!write_bytes (self, row, (gsize) width * 4, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
write_list (HlNpzWriter *self,
            const char  *name,
            GVariant    *list,
            GError     **error)
{
  const gboolean is_whole = g_variant_is_of_type (list, G_VARIANT_TYPE ("ax"));
  gsize n;
  const guint64 *numbers = g_variant_get_fixed_array (list, &n, sizeof (guint64));
  const HlShape shape = { .rank = 1, .dims = { n } };
  g_autofree guint64 *words = g_new (guint64, n);

  for (gsize i = 0; i < n; i++)
    words[i] = GUINT64_TO_LE (numbers[i]);
  return begin_array (self, name, is_whole ? "<i8" : "<f8", &shape, n * sizeof *words, error) &&
         write_bytes (self, words, n * sizeof *words, error);
}

static gboolean
hl_npz_writer_set_attribute (HlArchiveWriter *writer,
                             const char      *group,
                             const char      *name,
                             GVariant        *value,
                             GError         **error)
{
  HlNpzWriter *self = HL_NPZ_WRITER (writer);
  g_autofree char *path = hl_archive_join (group, name);
  g_autofree char *text = NULL;
  const HlShape scalar = { .rank = 0 };

  if (g_variant_is_container (value))
    return write_list (self, path, value, error);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    {
      text = g_variant_dup_string (value, NULL);
    }
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    {
      text = g_strdup_printf ("%" PRId64, g_variant_get_int64 (value));
    }
  else
    {
      text = g_malloc (G_ASCII_DTOSTR_BUF_SIZE);
      g_ascii_dtostr (text, G_ASCII_DTOSTR_BUF_SIZE, g_variant_get_double (value));
    }
  return write_strings (self, path, &scalar, (const char *const *) &text, 1, error);
}

static gboolean
hl_npz_writer_add_strings (HlArchiveWriter   *writer,
                           const char        *name,
                           const char *const *strings,
                           gsize              n_strings,
                           GError           **error)
{
  const HlShape shape = { .rank = 1, .dims = { n_strings } };

  return write_strings (HL_NPZ_WRITER (writer), name, &shape, strings, n_strings, error);
}

static const char *
get_name (HlDType dtype)
{
  switch (dtype)
    {
    case HL_DTYPE_F16:
      return "<f2";
    case HL_DTYPE_U8:
      return "|u1";
    case HL_DTYPE_I32:
      return "<i4";
    default:
      return "<f4";
    }
}

/* As they stand in the file. */
static void
convert (HlDType      dtype,
         const float *numbers,
         gsize        n,
         guint32     *target)
{
  guint16 *halves = (guint16 *) target;
  guint8 *bytes = (guint8 *) target;

  switch (dtype)
    {
    case HL_DTYPE_F16:
      for (gsize i = 0; i < n; i++)
        halves[i] = GUINT16_TO_LE (hl_f32_to_f16 (numbers[i]));
      break;
    case HL_DTYPE_U8:
      for (gsize i = 0; i < n; i++)
        bytes[i] = (guint8) numbers[i];
      break;
    case HL_DTYPE_I32:
      for (gsize i = 0; i < n; i++)
        target[i] = GUINT32_TO_LE ((guint32) (gint32) numbers[i]);
      break;
    default:
      memcpy (target, numbers, n * sizeof (float));
      for (gsize i = 0; i < n; i++)
        target[i] = GUINT32_TO_LE (target[i]);
    }
}

static gboolean
hl_npz_writer_begin_tensor (HlArchiveWriter *writer,
                            const char      *name,
                            HlDType          dtype,
                            const HlShape   *shape,
                            const guint64   *chunk,
                            GError         **error)
{
  HlNpzWriter *self = HL_NPZ_WRITER (writer);

  g_return_val_if_fail (self->n_missing == 0, FALSE);

  if (!hl_shape_get_n_elements (shape, &self->n_missing))
    g_assert_not_reached ();
  self->dtype = dtype == HL_DTYPE_BF16 ? HL_DTYPE_F32 : dtype; /* NumPy has no bfloat16 */
  return begin_array (self, name, get_name (self->dtype), shape, self->n_missing * hl_dtype_get_size (self->dtype),
                      error);
}

static gboolean
hl_npz_writer_write (HlArchiveWriter *writer,
                     const float     *numbers,
                     gsize            n,
                     GError         **error)
{
  HlNpzWriter *self = HL_NPZ_WRITER (writer);
  guint32 words[BATCH];

  g_return_val_if_fail (n <= self->n_missing, FALSE);

  self->n_missing -= n;
  while (n > 0)
    {
      const gsize taken = MIN (n, BATCH);
      convert (self->dtype, numbers, taken, words);
      if (!write_bytes (self, words, taken * hl_dtype_get_size (self->dtype), error))
        return FALSE;
      numbers += taken;
      n -= taken;
    }
  return TRUE;
}

static gboolean
hl_npz_writer_close (HlArchiveWriter *writer,
                     GError         **error)
{
  HlNpzWriter *self = HL_NPZ_WRITER (writer);

  g_return_val_if_fail (self->n_missing == 0, FALSE);

  return check (self, zipClose (g_steal_pointer (&self->zip), NULL), error) && hl_temp_file_commit (self->file, error);
}

static void
hl_npz_writer_iface_init (HlArchiveWriterInterface *iface)
{
  iface->set_attribute = hl_npz_writer_set_attribute;
  iface->add_strings = hl_npz_writer_add_strings;
  iface->begin_tensor = hl_npz_writer_begin_tensor;
  iface->write = hl_npz_writer_write;
  iface->close = hl_npz_writer_close;
}

static void
hl_npz_writer_finalize (GObject *object)
{
  HlNpzWriter *self = HL_NPZ_WRITER (object);

  if (self->zip != NULL)
    zipClose (self->zip, NULL);
  g_clear_pointer (&self->file, hl_temp_file_free);
  g_clear_error (&self->error);
  G_OBJECT_CLASS (hl_npz_writer_parent_class)->finalize (object);
}

static void
hl_npz_writer_class_init (HlNpzWriterClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_npz_writer_finalize;
}

static void
hl_npz_writer_init (HlNpzWriter *self)
{
}

HlArchiveWriter *
hl_npz_writer_new (GFile   *file,
                   GError **error)
{
  g_autoptr (HlNpzWriter) self = g_object_new (HL_TYPE_NPZ_WRITER, NULL);
  zlib_filefunc64_def functions = {
    .zopen64_file = open_stream,
    .zwrite_file = write_stream,
    .ztell64_file = tell_stream,
    .zseek64_file = seek_stream,
    .zclose_file = close_stream,
    .zerror_file = test_stream,
    .opaque = self,
  };

  self->file = hl_temp_file_new (file, error);
  if (self->file == NULL)
    return NULL;
  self->zip = zipOpen2_64 (NULL, APPEND_STATUS_CREATE, NULL, &functions);
  if (self->zip == NULL)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  return HL_ARCHIVE_WRITER (g_steal_pointer (&self));
}
