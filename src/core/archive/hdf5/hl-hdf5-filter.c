/* SPDX-License-Identifier: MIT */
/* Undoes what was done to the chunks of a dataset. The library could, but it takes whatever comes out for a whole
 * chunk, and reads past its end when the file is damaged; it also would do so one chunk at a time for the whole
 * program. */
#include "core/archive/hdf5/hl-hdf5-filter.h"

#include <string.h>

#include <glib/gi18n-lib.h>
#include <zlib.h>

/* What filters add to a chunk at the most: checksums, and the frame of bytes that do not compress. */
#define SLACK 1024

/**
 * hl_hdf5_filters_init: (skip)
 * @self: (out): the filters
 * @plist: how a dataset was made
 * @name: what sentences call it
 * @error: %HL_ERROR_UNSUPPORTED, %HL_ERROR_CORRUPT
 *
 * With the HDF5 lock held.
 *
 * Returns: %FALSE if one of them cannot be undone
 */
gboolean
hl_hdf5_filters_init (HlHdf5Filters  *self,
                      hid_t           plist,
                      const char     *name,
                      GError        **error)
{
  const int n_filters = H5Pget_nfilters (plist);

  if (n_filters < 0 || n_filters > H5Z_MAX_NFILTERS)
    {
      hl_hdf5_set_error (error, _ ("the filters of “%s” cannot be read"), name);
      return FALSE;
    }
  self->n = (guint) n_filters;
  for (guint i = 0; i < self->n; i++)
    {
      unsigned flags, config;
      size_t n_values = 0;

      self->ids[i] = H5Pget_filter2 (plist, i, &flags, &n_values, NULL, 0, NULL, &config);
      switch (self->ids[i])
        {
        case H5Z_FILTER_DEFLATE:
        case H5Z_FILTER_SHUFFLE:
        case H5Z_FILTER_FLETCHER32:
          break;
        case H5Z_FILTER_SZIP:
        case H5Z_FILTER_NBIT:
        case H5Z_FILTER_SCALEOFFSET:
        default:
          g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                       _ ("“%s” is compressed with filter %d, which Headlight cannot undo; gzip can be read"), name,
                       (int) self->ids[i]);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
set_damaged (GError    **error,
             const char *name,
             const char *how)
{
  g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("the numbers of “%s” cannot be read: a chunk is damaged (%s)"),
               name, how);
  return FALSE;
}

static guint32
fold (guint32 sum)
{
  return (sum & 0xffff) + (sum >> 16);
}

/* Fletcher's checksum over 16-bit words, high byte first (J. G. Fletcher 1982). */
static guint32
sum_fletcher32 (const guint8 *bytes,
                gsize         n)
{
  guint32 low = 0, high = 0;

  for (gsize i = 0; i < n; i += 2)
    {
      low += (guint32) bytes[i] << 8 | (i + 1 < n ? bytes[i + 1] : 0);
      high += low;
      /* Sums of 360 words still fit. */
      if (i % 720 == 718)
        {
          low = fold (low);
          high = fold (high);
        }
    }
  low = fold (fold (low));
  high = fold (fold (high));
  return high << 16 | low;
}

static gboolean
undo_fletcher32 (guint8     **bytes,
                 gsize       *n,
                 const char  *name,
                 GError     **error)
{
  guint32 stored;

  if (*n < sizeof stored)
    return set_damaged (error, name, _ ("its checksum is missing"));
  *n -= sizeof stored;
  memcpy (&stored, *bytes + *n, sizeof stored);
  stored = GUINT32_FROM_LE (stored);
  const guint32 sum = sum_fletcher32 (*bytes, *n);
  /* Before HDF5 1.6.3 the bytes of each half were the other way round. */
  const guint32 turned = (sum & 0x00ff00ff) << 8 | (sum >> 8 & 0x00ff00ff);
  return stored == sum || stored == turned || set_damaged (error, name, _ ("its checksum is wrong"));
}

static gboolean
undo_deflate (guint8     **bytes,
              gsize       *n,
              gsize        n_wanted,
              const char  *name,
              GError     **error)
{
  const gsize room = n_wanted + SLACK;
  g_autofree guint8 *plain = g_try_malloc (room);
  z_stream stream = { .next_in = *bytes, .avail_in = (uInt) *n, .next_out = plain, .avail_out = (uInt) room };

  if (plain == NULL || inflateInit (&stream) != Z_OK)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there is not enough memory to unpack “%s”"), name);
      return FALSE;
    }
  const int result = inflate (&stream, Z_FINISH);
  *n = stream.total_out;
  inflateEnd (&stream);
  if (result != Z_STREAM_END)
    return set_damaged (error, name, _ ("it cannot be unpacked"));
  g_free (*bytes);
  *bytes = g_steal_pointer (&plain);
  return TRUE;
}

/* Shuffled bytes: the first of every element, then the second of every element … */
static gboolean
undo_shuffle (guint8     **bytes,
              gsize        n,
              gsize        element_size,
              const char  *name,
              GError     **error)
{
  const gsize n_elements = n / element_size;
  g_autofree guint8 *plain = NULL;

  if (element_size == 1)
    return TRUE;
  plain = g_try_malloc (n);
  if (plain == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there is not enough memory to unpack “%s”"), name);
      return FALSE;
    }
  const guint8 *from = *bytes;
  if (element_size == 2)
    for (gsize i = 0; i < n_elements; i++)
      {
        plain[2 * i] = from[i];
        plain[2 * i + 1] = from[n_elements + i];
      }
  else if (element_size == 4)
    for (gsize i = 0; i < n_elements; i++)
      {
        plain[4 * i] = from[i];
        plain[4 * i + 1] = from[n_elements + i];
        plain[4 * i + 2] = from[2 * n_elements + i];
        plain[4 * i + 3] = from[3 * n_elements + i];
      }
  else
    for (gsize j = 0; j < element_size; j++)
      for (gsize i = 0; i < n_elements; i++)
        plain[i * element_size + j] = from[j * n_elements + i];
  /* What does not fill an element stays where it was. */
  memcpy (plain + n_elements * element_size, from + n_elements * element_size, n - n_elements * element_size);
  g_free (*bytes);
  *bytes = g_steal_pointer (&plain);
  return TRUE;
}

/**
 * hl_hdf5_filters_undo: (skip)
 * @self: filters
 * @skipped: a bit for each filter that was not applied to this chunk
 * @stored: (transfer full): the chunk as it is in the file
 * @n_stored: its bytes
 * @n_wanted: bytes that the chunk has
 * @element_size: bytes an element
 * @name: what sentences call the dataset
 * @error: %HL_ERROR_CORRUPT, %HL_ERROR_TOO_LARGE
 *
 * Needs no lock. Memory for two chunks is taken at the most.
 *
 * Returns: (transfer full) (nullable): exactly @n_wanted bytes
 */
guint8 *
hl_hdf5_filters_undo (const HlHdf5Filters  *self,
                      guint32               skipped,
                      guint8               *stored,
                      gsize                 n_stored,
                      gsize                 n_wanted,
                      gsize                 element_size,
                      const char           *name,
                      GError              **error)
{
  g_autofree guint8 *bytes = stored;
  gsize n = n_stored;

  for (guint i = self->n; i-- > 0;)
    {
      gboolean undone = TRUE;

      if (skipped & (1u << i))
        continue;
      if (self->ids[i] == H5Z_FILTER_FLETCHER32)
        undone = undo_fletcher32 (&bytes, &n, name, error);
      else if (self->ids[i] == H5Z_FILTER_DEFLATE)
        undone = undo_deflate (&bytes, &n, n_wanted, name, error);
      else
        undone = undo_shuffle (&bytes, n, element_size, name, error);
      if (!undone)
        return NULL;
    }
  if (n != n_wanted)
    {
      set_damaged (error, name, _ ("it is not as long as it should be"));
      return NULL;
    }
  return g_steal_pointer (&bytes);
}
