/* SPDX-License-Identifier: MIT */
/* Whether types, fill values and attributes are as long as they say. The library (1.10.8) copies the names and values
 * of enumerations, fill values of the third version and the value of every attribute out of the header of an object, as
 * many bytes as are announced, without a look at where the header ends. Layouts: HDF5 File Format Specification, IV.A.1,
 * IV.A.2.d, IV.A.2.f and IV.A.2.m. */
#include "core/base/hl-limits.h"
#include "core/archive/hdf5/hl-hdf5.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#define MESSAGE_TYPE 0x03
#define MESSAGE_FILL 0x05
#define MESSAGE_LINK 0x06
#define MESSAGE_CONTINUATION 0x10
#define MESSAGE_ATTRIBUTE 0x0c
#define FLAG_SHARED 0x02
#define FILL_HAS_VALUE 0x20

typedef struct
{
  HlHdf5Bytes bytes;
  gboolean is_new; /* the second version of headers */
  gboolean has_order;
  gboolean with_attributes;
  gboolean with_links;
  guint8 *fill; /* where the fill value is to go, or NULL */
  gsize n_fill;
  gboolean has_fill;    /* one of so many bytes was found */
  gboolean breaks_fill; /* one is longer than its message */
  gboolean shares_fill; /* one lies elsewhere, where it cannot be looked at */
  GArray *blocks;       /* of Block, still to be looked at and looked at */
} Header;

typedef struct
{
  guint64 address;
  guint64 size;
} Block;

/* Names one after the other, before the third version each up to a multiple of 8, and then their values. */
static gboolean
is_sound_enumeration (const guint8 *names,
                      gsize         size,
                      guint         n_members,
                      gsize         value_size,
                      gsize         unit)
{
  gsize at = 0;

  for (guint i = 0; i < n_members; i++)
    {
      const gsize n = strnlen ((const char *) names + at, size - at);
      if (n == size - at)
        return FALSE;
      at += (n + unit) / unit * unit;
      if (at > size)
        return FALSE;
    }
  return n_members * value_size <= size - at;
}

/* Integers, floats, strings and what is made of them. Compounds and arrays hold types within types, and Headlight has
 * no use for them. */
static gboolean
is_sound_type (const guint8 *type,
               gsize         size,
               guint         depth)
{
  if (size < 8 || depth > 4)
    return FALSE;
  const guint version = type[0] >> 4;
  const guint64 value_size = hl_hdf5_bytes_get (type + 4, 4);

  switch (type[0] & 0x0f)
    {
    case H5T_INTEGER:
    case H5T_BITFIELD:
      return size >= 12;
    case H5T_FLOAT:
      return size >= 20;
    case H5T_ENUM:
      /* Over integers of the same size, as everyone writes them. */
      return size >= 20 && (type[8] & 0x0f) == H5T_INTEGER && value_size >= 1 && value_size <= 8 &&
             hl_hdf5_bytes_get (type + 12, 4) == value_size &&
             is_sound_enumeration (type + 20, size - 20, (guint) hl_hdf5_bytes_get (type + 1, 2), value_size,
                                   version < 3 ? 8 : 1);
    case H5T_VLEN:
      return is_sound_type (type + 8, size - 8, depth + 1);
    case H5T_OPAQUE:
      return size - 8 >= type[1];
    case H5T_STRING:
    case H5T_REFERENCE:
    case H5T_TIME:
      return TRUE;
    default:
      return FALSE;
    }
}

/* The product of the sizes in a dataspace; FALSE if it makes no sense. */
static gboolean
count_elements (const guint8 *space,
                gsize         size,
                gsize         n_length,
                guint64      *n)
{
  const gsize first = size > 0 && space[0] == 1 ? 8 : 4;

  *n = 1;
  if (size < first || (space[0] != 1 && space[0] != 2) || space[1] > H5S_MAX_RANK || size - first < space[1] * n_length)
    return FALSE;
  if (space[0] == 2 && space[3] == 2) /* null */
    *n = 0;
  for (guint i = 0; i < space[1]; i++)
    if (!g_uint64_checked_mul (n, *n, hl_hdf5_bytes_get (space + first + i * n_length, n_length)))
      return FALSE;
  return TRUE;
}

/* Name, type, sizes and value, one after the other; in the first version each but the value up to a multiple of 8. */
static gboolean
is_sound_attribute (const guint8 *message,
                    gsize         size,
                    gsize         n_length)
{
  const guint version = size >= 8 ? message[0] : 0;
  const gsize unit = version == 1 ? 8 : 1;
  gsize sizes[3];
  gsize at = version == 3 ? 9 : 8;
  gsize type_at = 0, space_at = 0;
  guint64 n, n_bytes;

  /* A type that lies elsewhere has a size that is not known here. */
  if (version < 1 || version > 3 || (version > 1 && message[1] & 1))
    return FALSE;
  for (guint i = 0; i < 3; i++)
    {
      sizes[i] = (gsize) hl_hdf5_bytes_get (message + 2 + 2 * i, 2);
      if (i == 1)
        type_at = at;
      if (i == 2)
        space_at = at;
      at += (sizes[i] + unit - 1) / unit * unit;
    }
  if (at > size || sizes[0] == 0 || !is_sound_type (message + type_at, sizes[1], 0))
    return FALSE;
  return count_elements (message + space_at, sizes[2], n_length, &n) &&
         g_uint64_checked_mul (&n_bytes, n, hl_hdf5_bytes_get (message + type_at + 4, 4)) && n_bytes <= size - at;
}

static gboolean
add_block (Header *self,
           guint64 address,
           guint64 size)
{
  const Block block = { address, size };

  if (self->blocks->len == HL_LIMIT_HDF5_HEADERS || size > HL_LIMIT_HDF5_HEADER)
    return FALSE;
  g_array_append_val (self->blocks, block);
  return TRUE;
}

/* A version, then in flags since the third, before it in bytes, among other things whether there is a value; then how long
 * it is, and the value, of the type of the dataset. */
static gboolean
take_fill (Header       *self,
           const guint8 *message,
           gsize         size)
{
  const gboolean has_flags = size > 0 && message[0] == 3;
  const gsize at = has_flags ? 2 : 4;

  if (size >= at && (has_flags ? message[1] & FILL_HAS_VALUE : message[3]) == 0)
    return TRUE;
  self->breaks_fill = size < at + 4 || hl_hdf5_bytes_get (message + at, 4) > size - at - 4;
  if (self->breaks_fill)
    return FALSE;
  if (self->fill != NULL && hl_hdf5_bytes_get (message + at, 4) == self->n_fill)
    {
      memcpy (self->fill, message + at + 4, self->n_fill);
      self->has_fill = TRUE;
    }
  return TRUE;
}

/* A name, and behind it where a member is: an address, or text with its length. */
static gboolean
is_sound_link (const guint8 *message,
               gsize         size,
               gsize         n_address)
{
  const guint flags = size >= 2 ? message[1] : 0xff;
  const gsize n_length = (gsize) 1 << (flags & 3);
  const gsize type_at = 2;
  gsize at = type_at + (flags & 0x08 ? 1 : 0) + (flags & 0x04 ? 8 : 0) + (flags & 0x10 ? 1 : 0);

  if (flags > 0x1f || message[0] != 1 || size < at + n_length || (flags & 0x10 && message[at - 1] > 1))
    return FALSE;
  const guint type = flags & 0x08 ? message[type_at] : 0;
  const guint64 n_name = hl_hdf5_bytes_get (message + at, n_length);
  at += n_length;
  if (n_name == 0 || n_name > size - at || (type > 1 && type < 64))
    return FALSE;
  at += (gsize) n_name;
  if (type == 0)
    return n_address <= size - at;
  return size - at >= 2 && hl_hdf5_bytes_get (message + at, 2) <= size - at - 2 &&
         (type > 1 || hl_hdf5_bytes_get (message + at, 2) > 0);
}

static gboolean
check_message (Header       *self,
               guint         type,
               guint         flags,
               const guint8 *message,
               gsize         size)
{
  const gsize n_address = self->bytes.n_address;

  if (type == MESSAGE_TYPE)
    return !(flags & FLAG_SHARED) && is_sound_type (message, size, 0);
  if (type == MESSAGE_FILL)
    {
      self->shares_fill |= (flags & FLAG_SHARED) != 0;
      return !self->shares_fill && take_fill (self, message, size);
    }
  if ((type == MESSAGE_ATTRIBUTE && !self->with_attributes) || (type == MESSAGE_LINK && !self->with_links))
    return TRUE;
  if (type == MESSAGE_LINK)
    return !(flags & FLAG_SHARED) && is_sound_link (message, size, n_address);
  if (type == MESSAGE_ATTRIBUTE)
    return !(flags & FLAG_SHARED) && is_sound_attribute (message, size, self->bytes.n_length);
  if (type != MESSAGE_CONTINUATION)
    return TRUE;
  if (size < n_address + self->bytes.n_length)
    return FALSE;

  const guint64 address = hl_hdf5_bytes_get (message, n_address);
  const guint64 length = hl_hdf5_bytes_get (message + n_address, self->bytes.n_length);
  if (!self->is_new)
    return add_block (self, address, length);
  /* Between a signature and a checksum. */
  return length >= 8 && add_block (self, address + 4, length - 8);
}

static gboolean
check_block (Header *self,
             guint64 address,
             gsize   size)
{
  const gsize n_head = self->is_new ? (self->has_order ? 6 : 4) : 8;
  g_autofree guint8 *block = g_try_malloc (MAX (size, 1));

  if (block == NULL || !hl_hdf5_bytes_read (&self->bytes, address, block, size))
    return FALSE;
  for (gsize at = 0; size - at >= n_head;)
    {
      const guint8 *head = block + at;
      const guint type = (guint) hl_hdf5_bytes_get (head, self->is_new ? 1 : 2);
      const gsize n = (gsize) hl_hdf5_bytes_get (head + (self->is_new ? 1 : 2), 2);
      const guint flags = head[self->is_new ? 3 : 4];

      at += n_head;
      if (n > size - at || !check_message (self, type, flags, block + at, n))
        return FALSE;
      at += n;
    }
  return TRUE;
}

/* Finds the first block of messages behind the head of a header. */
static gboolean
read_head (Header *self,
           guint64 address)
{
  guint8 head[32] = { 0 };

  if (!hl_hdf5_bytes_read (&self->bytes, address, head, 16))
    return FALSE;
  self->is_new = memcmp (head, "OHDR", 4) == 0;
  if (!self->is_new)
    return head[0] == 1 && add_block (self, address + 16, hl_hdf5_bytes_get (head + 8, 4));

  const guint flags = head[5];
  const gsize n_size = (gsize) 1 << (flags & 3);
  const gsize size_at = 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0);
  self->has_order = (flags & 0x04) != 0;
  return hl_hdf5_bytes_read (&self->bytes, address + size_at, head, n_size) &&
         add_block (self, address + size_at + n_size, hl_hdf5_bytes_get (head, n_size));
}

static gboolean
check_header (Header *self,
              hid_t   object,
              guint64 address)
{
  g_autoptr (GArray) blocks = g_array_new (FALSE, FALSE, sizeof (Block));

  self->blocks = blocks;
  if (!hl_hdf5_bytes_init (&self->bytes, object) || !read_head (self, address))
    return FALSE;
  for (guint i = 0; i < blocks->len; i++)
    {
      const Block block = g_array_index (blocks, Block, i);
      if (!check_block (self, block.address, (gsize) block.size))
        return FALSE;
    }
  return TRUE;
}

/* To be called before the library is asked for an attribute of object. */
gboolean
hl_hdf5_check_attributes (hid_t       object,
                          const char *name,
                          GError    **error)
{
  Header header = { .with_attributes = TRUE };
  H5O_info_t info;

  if (H5Oget_info2 (object, &info, H5O_INFO_BASIC) >= 0 && check_header (&header, object, info.addr))
    return TRUE;
  if (!hl_hdf5_is_as_opened (object, error))
    return FALSE;
  g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
               _ ("the attributes of “%s” cannot be read: they are damaged, or of a kind that is not read"), name);
  return FALSE;
}

/* To be called before the library lists the members of a group: where one of few cannot be read, it frees what it has not made (1.10.8). */
gboolean
hl_hdf5_check_links (hid_t       group,
                     const char *name,
                     GError    **error)
{
  Header header = { .with_links = TRUE };
  H5O_info_t info;

  if (H5Oget_info2 (group, &info, H5O_INFO_BASIC) >= 0 && check_header (&header, group, info.addr))
    return TRUE;
  if (hl_hdf5_is_as_opened (group, error))
    g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("the members of the group “%s” cannot be read"), name);
  return FALSE;
}

/* To be called before the library opens an object. */
gboolean
hl_hdf5_check_type (hid_t       group,
                    const char *link,
                    const char *name,
                    GError    **error)
{
  Header header = { 0 };
  H5O_info_t info;

  if (H5Oget_info_by_name2 (group, link, &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0)
    {
      hl_hdf5_set_error (error, _ ("“%s” cannot be opened"), name);
      return FALSE;
    }
  if (check_header (&header, group, info.addr))
    return TRUE;
  if (!hl_hdf5_is_as_opened (group, error))
    return FALSE;
  if (header.breaks_fill)
    g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("“%s” is damaged: less of it is stored than it announces"),
                 name);
  else if (header.shares_fill)
    g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                 _ ("“%s” cannot be opened: it shares its fill value with others, which is not read"), name);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                 _ ("“%s” cannot be opened: its type is damaged, or made of other types (compounds, arrays, named "
                    "types), which are not read"),
                 name);
  return FALSE;
}

/* What was never written of a dataset reads as zeros unless the file says what else, as it is stored, in @size bytes, and that it is put
 * there. Returns whether that is found, which it is not in files from before HDF5 1.6. The library crashes on some damaged fill values (1.10.8),
 * so it is not asked for them. */
gboolean
hl_hdf5_read_fill (hid_t   dataset,
                   guint8 *value,
                   gsize   size)
{
  g_auto (HlHdf5Id) plist = H5Dget_create_plist (dataset);
  H5D_fill_value_t kind = H5D_FILL_VALUE_DEFAULT;
  H5D_fill_time_t time = H5D_FILL_TIME_IFSET;
  Header header = { .fill = value, .n_fill = size };
  H5O_info_t info;

  memset (value, 0, size);
  if (H5Pfill_value_defined (plist, &kind) < 0 || kind != H5D_FILL_VALUE_USER_DEFINED ||
      H5Pget_fill_time (plist, &time) < 0 || time == H5D_FILL_TIME_NEVER)
    return TRUE;
  return H5Oget_info2 (dataset, &info, H5O_INFO_BASIC) >= 0 && check_header (&header, dataset, info.addr) &&
         header.has_fill;
}
