/* SPDX-License-Identifier: MIT */
/* Strings of variable length. They lie in global heaps of the file; a dataset or attribute holds only where. The
 * library (1.10.8) follows such a place without a look at where the heap ends or how many objects it has, and a damaged
 * file ends the program. So the places are read as they are, and the heaps here. Layouts: HDF5 File Format
 * Specification, III.E and IV.A.2.d. */
#include "core/archive/hdf5/hl-hdf5.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"

typedef struct
{
  const char *name;
  HlHdf5Bytes bytes;
  guint64 address;  /* of the heap that was read last */
  guint8 *heap;     /* that heap, or NULL */
  guint64 *offsets; /* where its objects begin, by index; 0 for none */
  guint64 *sizes;
  guint64 n_read;
  guint64 n_text;
} Heaps;

static void
clear_heaps (Heaps *self)
{
  g_clear_pointer (&self->heap, g_free);
  g_clear_pointer (&self->offsets, g_free);
  g_clear_pointer (&self->sizes, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Heaps, clear_heaps)

#define N_INDICES 65536

static guint64
round_up (guint64 n)
{
  return (n + 7) / 8 * 8;
}

/* What the opaque types are called that places are read as. A program that shares the library with us has others, such as the objects of h5py. */
#define TAG "place of a string"

/* The library calls this to turn places into opaque bytes of the same size, which they are already. */
static herr_t
keep_place (hid_t        source,
            hid_t        target,
            H5T_cdata_t *data,
            size_t       n,
            size_t       stride,
            size_t       background_stride,
            void        *buffer,
            void        *background,
            hid_t        transfer)
{
  if (data->command == H5T_CONV_INIT)
    {
      char *tag = H5Tget_tag (target);
      const gboolean is_ours = g_strcmp0 (tag, TAG) == 0;

      if (tag != NULL)
        H5free_memory (tag);
      if (!is_ours || H5Tget_size (source) != H5Tget_size (target))
        return -1;
      data->need_bkg = H5T_BKG_NO;
    }
  return 0;
}

static void
register_conversion (void)
{
  g_auto (HlHdf5Id) text = H5Tcopy (H5T_C_S1);
  g_auto (HlHdf5Id) opaque = H5Tcreate (H5T_OPAQUE, 1);

  H5Tset_size (text, H5T_VARIABLE);
  H5Tregister (H5T_PERS_SOFT, "keep place", text, opaque, keep_place);
}

static gboolean
set_damaged (const Heaps *self,
             GError     **error)
{
  if (hl_file_version_check (&self->bytes.handle->version, self->bytes.handle->fd, error))
    g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                 _ ("the text of “%s” cannot be read: the file is damaged where its strings are"), self->name);
  return FALSE;
}

/* Reads a heap and notes where its objects are. A heap: signature, version, three zeros, size. An object: index,
 * references, four zeros, size, and then its bytes; index 0 is what is free. Headers and objects take multiples of
 * 8. */
static gboolean
read_heap (Heaps   *self,
           guint64  address,
           GError **error)
{
  static const guint8 signature[] = { 'G', 'C', 'O', 'L', 1 };
  const gsize n_header = (gsize) round_up (8 + self->bytes.n_length);
  guint8 header[16];

  clear_heaps (self);
  if (!hl_hdf5_bytes_read (&self->bytes, address, header, n_header))
    return set_damaged (self, error);
  const guint64 size = hl_hdf5_bytes_get (header + 8, self->bytes.n_length);
  if (memcmp (header, signature, sizeof signature) != 0 || size < n_header)
    return set_damaged (self, error);
  self->n_read += size;
  if (size > HL_LIMIT_HDF5_TEXT || self->n_read > HL_LIMIT_HDF5_HEAP || (self->heap = g_try_malloc (size)) == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("the strings of “%s” are too large or too scattered to be read"), self->name);
      return FALSE;
    }
  if (!hl_hdf5_bytes_read (&self->bytes, address, self->heap, size))
    return set_damaged (self, error);

  self->address = address;
  self->offsets = g_new0 (guint64, N_INDICES);
  self->sizes = g_new0 (guint64, N_INDICES);
  for (guint64 at = n_header; size - at >= n_header;)
    {
      const guint64 index = hl_hdf5_bytes_get (self->heap + at, 2);
      const guint64 n = hl_hdf5_bytes_get (self->heap + at + 8, self->bytes.n_length);
      if (index == 0)
        break;
      at += n_header;
      if (n > size - at)
        return set_damaged (self, error);
      self->offsets[index] = at;
      self->sizes[index] = n;
      at = MIN (size, at + round_up (n));
    }
  return TRUE;
}

char *
hl_hdf5_take_text (const char *bytes,
                   gsize       length,
                   gsize      *n_repaired)
{
  gboolean changed;
  char *text = hl_utf8_make_valid (bytes, length, &changed);

  *n_repaired += changed;
  return text;
}

/* One string, by its place: length, address of the heap, index in it. */
static gboolean
read_string (Heaps        *self,
             const guint8 *place,
             GPtrArray    *strings,
             gsize        *n_repaired,
             GError      **error)
{
  const guint64 length = hl_hdf5_bytes_get (place, 4);
  const guint64 address = hl_hdf5_bytes_get (place + 4, self->bytes.n_address);
  const guint64 index = hl_hdf5_bytes_get (place + 4 + self->bytes.n_address, 4);

  if (length == 0 || address == 0)
    {
      g_ptr_array_add (strings, g_strdup (""));
      return TRUE;
    }
  if ((self->heap == NULL || self->address != address) && !read_heap (self, address, error))
    return FALSE;
  if (index >= N_INDICES || self->offsets[index] == 0 || length > self->sizes[index])
    return set_damaged (self, error);
  self->n_text += length;
  if (self->n_text > HL_LIMIT_STRINGS_TEXT)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the strings of “%s” are more than %d MiB"), self->name,
                   (int) (HL_LIMIT_STRINGS_TEXT >> 20));
      return FALSE;
    }
  const char *text = (const char *) self->heap + self->offsets[index];
  g_ptr_array_add (strings, hl_hdf5_take_text (text, strnlen (text, length), n_repaired));
  return TRUE;
}

/* The type to read where its strings are. */
hid_t
hl_hdf5_make_place_type (hid_t id)
{
  static guint life; /* of the library, in which it is registered */
  HlHdf5Bytes bytes;
  hid_t place;

  if (hl_hdf5_is_new_life (&life))
    register_conversion ();
  if (!hl_hdf5_bytes_init (&bytes, id))
    return H5I_INVALID_HID;
  place = H5Tcreate (H5T_OPAQUE, 4 + bytes.n_address + 4);
  H5Tset_tag (place, TAG);
  return place;
}

gboolean
hl_hdf5_read_places (hid_t         id,
                     const guint8 *places,
                     guint64       n,
                     const char   *name,
                     GPtrArray    *strings,
                     gsize        *n_repaired,
                     GError      **error)
{
  g_auto (Heaps) heaps = { .name = name };

  if (!hl_hdf5_bytes_init (&heaps.bytes, id))
    {
      hl_hdf5_set_error (error, _ ("the text of “%s” cannot be read"), name);
      return FALSE;
    }
  for (guint64 i = 0; i < n; i++)
    if (!read_string (&heaps, places + i * (4 + heaps.bytes.n_address + 4), strings, n_repaired, error))
      return FALSE;
  return TRUE;
}
