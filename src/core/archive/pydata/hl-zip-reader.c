/* SPDX-License-Identifier: MIT */
/* The members of zip files, as PKWARE's APPNOTE 6.3 describes them: the end, which says where the directory is, and the
 * directory with its 64-bit extension, which the minizip of Debian 12 does not read. Names are names and not paths to
 * follow: what is unpacked into a file goes into one that has none. */
#include "core/archive/pydata/hl-zip-reader.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "core/archive/hl-archive.h"
#include "core/archive/pydata/hl-inflate.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"

#define END_SIZE 22
#define LOCATOR_SIZE 20
#define WIDE_END_SIZE 56
#define MAX_COMMENT 65535

#define ENTRY_SIZE 46
#define LOCAL_SIZE 30
#define ZIP64_EXTRA 0x0001
#define FLAG_ENCRYPTED 0x0001
#define HOST_UNIX 3

/* What the end of a zip file says of its directory. */
typedef struct
{
  guint64 start;
  guint64 size;
  guint64 n_members;
} End;

static void
free_member (gpointer data)
{
  HlZipMember *member = data;

  g_free (member->name);
  g_free (member);
}

static gboolean
fail (GError    **error,
      HlError     code,
      const char *sentence,
      const char *name)
{
  g_autoptr (GString) format = g_string_new (sentence);

  g_string_replace (format, "%s", name, 1);
  g_set_error_literal (error, HL_ERROR, code, format->str);
  return FALSE;
}

/* A number as zip files hold it, its lowest byte first. */
static guint64
get (const guint8 *bytes,
     guint         size)
{
  guint64 value = 0;

  for (guint i = size; i-- > 0;)
    value = value << 8 | bytes[i];
  return value;
}

/* The sizes that did not fit, if the file has any. @at is where the plain end stands. */
static gboolean
read_wide_end (End     *self,
               HlSpan  *file,
               guint64 *at,
               GError **error)
{
  guint8 locator[LOCATOR_SIZE];
  guint8 end[WIDE_END_SIZE];

  if (*at < LOCATOR_SIZE)
    return TRUE;
  if (!hl_span_read (file, *at - LOCATOR_SIZE, locator, sizeof locator, error))
    return FALSE;
  if (get (locator, 4) != 0x07064b50)
    return TRUE;
  const guint64 place = get (locator + 8, 8);
  if (place > *at || *at - place < WIDE_END_SIZE + LOCATOR_SIZE)
    return fail (error, HL_ERROR_CORRUPT, _ ("the end of the zip file is damaged"), "");
  if (!hl_span_read (file, place, end, sizeof end, error))
    return FALSE;
  if (get (end, 4) != 0x06064b50)
    return fail (error, HL_ERROR_CORRUPT, _ ("the end of the zip file is damaged"), "");
  self->n_members = get (end + 32, 8);
  self->size = get (end + 40, 8);
  self->start = get (end + 48, 8);
  *at = place;
  return TRUE;
}

/* Finds the directory; it lies within the file and is not too large. */
static gboolean
find_end (End     *self,
          HlSpan  *file,
          GError **error)
{
  const guint64 size = hl_span_get_size (file);
  const gsize n = (gsize) MIN (size, END_SIZE + MAX_COMMENT);
  g_autofree guint8 *tail = g_malloc (n + 1);
  gsize i;

  if (!hl_span_read (file, size - n, tail, n, error))
    return FALSE;
  for (i = n >= END_SIZE ? n - END_SIZE + 1 : 0; i > 0; i--)
    if (get (tail + i - 1, 4) == 0x06054b50 && get (tail + i - 1 + 20, 2) == n - (i - 1) - END_SIZE)
      break;
  if (i == 0)
    return fail (error, HL_ERROR_TRUNCATED, _ ("the zip file has no directory: it was not written to its end"), "");

  const guint8 *end = tail + i - 1;
  guint64 at = size - n + (i - 1);
  self->n_members = get (end + 10, 2);
  self->size = get (end + 12, 4);
  self->start = get (end + 16, 4);
  if (!read_wide_end (self, file, &at, error))
    return FALSE;
  if (self->start > at || self->size > at - self->start)
    return fail (error, HL_ERROR_CORRUPT, _ ("the directory of the zip file lies outside the file"), "");
  if (self->n_members > HL_LIMIT_MEMBERS || self->size > HL_LIMIT_ZIP_DIRECTORY)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the zip file has too many members; at most %d are read"),
                   HL_LIMIT_MEMBERS);
      return FALSE;
    }
  return TRUE;
}

/* The sizes and the offset that did not fit 32 bits, in the order of APPNOTE 4.5.3. */
static gboolean
read_wide (const guint8 *extra,
           gsize         size,
           HlZipMember  *member,
           GError      **error)
{
  guint64 *const values[] = { &member->size, &member->packed_size, &member->header };

  for (gsize at = 0; size - at >= 4;)
    {
      const gsize length = get (extra + at + 2, 2);
      const guint8 *field = extra + at + 4;
      gsize n_left = length;

      if (length > size - at - 4)
        break;
      if (get (extra + at, 2) == ZIP64_EXTRA)
        {
          for (guint i = 0; i < G_N_ELEMENTS (values); i++)
            {
              if (*values[i] != G_MAXUINT32)
                continue;
              if (n_left < 8)
                return fail (error, HL_ERROR_CORRUPT, _ ("the sizes of the member “%s” are missing"), member->name);
              *values[i] = get (field, 8);
              field += 8;
              n_left -= 8;
            }
          return TRUE;
        }
      at += 4 + length;
    }
  return TRUE;
}

static gboolean
check_name (const char *name,
            GError    **error)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);

  if (*name == '/' || *name == '\0' || strchr (name, '\\') != NULL ||
      g_strv_contains ((const char *const *) parts, ".."))
    return fail (error, HL_ERROR_CORRUPT, _ ("the member “%s” has a name that leads out of the file"), name);
  return TRUE;
}

/* One entry of the directory. @n_read is how long it is; no member for a folder. */
static gboolean
read_entry (const guint8 *bytes,
            gsize         size,
            gsize        *n_read,
            HlZipMember **result,
            GError      **error)
{
  *result = NULL;
  if (size < ENTRY_SIZE || get (bytes, 4) != 0x02014b50)
    return fail (error, HL_ERROR_CORRUPT, _ ("the directory of the zip file is damaged"), "");
  const gsize name_length = get (bytes + 28, 2);
  const gsize extra_length = get (bytes + 30, 2);
  *n_read = ENTRY_SIZE + name_length + extra_length + get (bytes + 32, 2);
  if (*n_read > size)
    return fail (error, HL_ERROR_CORRUPT, _ ("the directory of the zip file is damaged"), "");

  const guint host = bytes[5];
  const guint flags = (guint) get (bytes + 8, 2);
  const guint method = (guint) get (bytes + 10, 2);
  const guint32 attributes = (guint32) get (bytes + 38, 4);
  HlZipMember *member = g_new0 (HlZipMember, 1);
  *result = member;
  member->name = hl_utf8_make_valid ((const char *) bytes + ENTRY_SIZE, name_length, NULL);
  member->crc = (guint32) get (bytes + 16, 4);
  member->packed_size = get (bytes + 20, 4);
  member->size = get (bytes + 24, 4);
  member->header = get (bytes + 42, 4);
  member->is_packed = method == 8;

  if (!check_name (member->name, error) || !read_wide (bytes + ENTRY_SIZE + name_length, extra_length, member, error))
    return FALSE;
  if (host == HOST_UNIX && S_ISLNK (attributes >> 16))
    return fail (error, HL_ERROR_EXTERNAL, _ ("the member “%s” is a link to another file"), member->name);
  if (flags & FLAG_ENCRYPTED)
    return fail (error, HL_ERROR_UNSUPPORTED, _ ("the member “%s” is encrypted"), member->name);
  if (method != 0 && method != 8)
    return fail (error, HL_ERROR_UNSUPPORTED, _ ("the member “%s” is packed in a way that Headlight does not read"),
                 member->name);
  if (!member->is_packed && member->size != member->packed_size)
    return fail (error, HL_ERROR_CORRUPT, _ ("the member “%s” has two sizes"), member->name);
  return TRUE;
}

/* Finds where the bytes of a member begin, by the header in front of them. */
static gboolean
locate (HlSpan      *file,
        guint64      end,
        HlZipMember *member,
        GError     **error)
{
  guint8 header[LOCAL_SIZE];

  if (member->header > end || end - member->header < LOCAL_SIZE)
    return fail (error, HL_ERROR_CORRUPT, _ ("the member “%s” lies outside the file"), member->name);
  if (!hl_span_read (file, member->header, header, LOCAL_SIZE, error))
    return FALSE;
  const gsize name_length = get (header + 26, 2);
  member->offset = member->header + LOCAL_SIZE + name_length + get (header + 28, 2);
  if (get (header, 4) != 0x04034b50 || member->offset > end || member->packed_size > end - member->offset)
    return fail (error, HL_ERROR_CORRUPT, _ ("the member “%s” lies outside the file"), member->name);

  g_autofree char *bytes = g_malloc (MAX (name_length, 1));
  if (!hl_span_read (file, member->header + LOCAL_SIZE, bytes, name_length, error))
    return FALSE;
  g_autofree char *name = hl_utf8_make_valid (bytes, name_length, NULL);
  if (!g_str_equal (name, member->name))
    return fail (error, HL_ERROR_CORRUPT, _ ("the member “%s” has another name in front of its bytes"), member->name);
  return TRUE;
}

static int
compare_places (gconstpointer a,
                gconstpointer b)
{
  const guint64 first = (*(HlZipMember *const *) a)->header;
  const guint64 second = (*(HlZipMember *const *) b)->header;

  return first < second ? -1 : first > second;
}

static gboolean
check_places (HlZipReader *self,
              GError     **error)
{
  guint64 n_unpacked = 0;

  g_ptr_array_sort (self->members, compare_places);
  for (guint i = 0; i < self->members->len; i++)
    {
      HlZipMember *member = self->members->pdata[i];
      const HlZipMember *next = i + 1 < self->members->len ? self->members->pdata[i + 1] : NULL;

      if (next != NULL && next->header < member->offset + member->packed_size)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("the members “%s” and “%s” overlap"), member->name,
                       next->name);
          return FALSE;
        }
      if (!member->is_packed)
        continue;
      if (member->size > HL_LIMIT_ZIP_UNPACKED - n_unpacked)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                       _ ("its packed members would need more than 2 GiB; files without "
                          "compression can be larger"));
          return FALSE;
        }
      n_unpacked += member->size;
      member->place = hl_zip_store_reserve (self->store, member->size);
    }
  return TRUE;
}

static gboolean
read_entries (HlZipReader  *self,
              const End    *end,
              GCancellable *cancellable,
              GError      **error)
{
  g_autofree guint8 *bytes = g_malloc (MAX (end->size, 1));
  gsize at = 0;

  if (!hl_span_read (self->file, end->start, bytes, end->size, error))
    return FALSE;
  for (guint64 i = 0; i < end->n_members; i++)
    {
      HlZipMember *member;
      gsize n_read = 0;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      const gboolean read = read_entry (bytes + at, end->size - at, &n_read, &member, error);
      if (!read || g_str_has_suffix (member->name, "/"))
        {
          g_clear_pointer (&member, free_member);
          if (!read)
            return FALSE;
          at += n_read;
          continue;
        }
      g_ptr_array_add (self->members, member);
      if (g_tree_lookup (self->index, member->name) != NULL)
        return fail (error, HL_ERROR_CORRUPT, _ ("there are two members “%s”"), member->name);
      g_tree_insert (self->index, member->name, member);
      if (!locate (self->file, end->start, member, error))
        return FALSE;
      at += n_read;
    }
  return check_places (self, error);
}

/* Reads the directory of a zip file and checks it: members that overlap, lie about where they are, are named twice or are
 * links are refused. */
HlZipReader *
hl_zip_reader_new (HlSpan       *file,
                   GCancellable *cancellable,
                   GError      **error)
{
  End end = { 0 };

  g_return_val_if_fail (HL_IS_SPAN (file), NULL);

  if (!find_end (&end, file, error))
    return NULL;
  g_autoptr (HlZipReader) self = g_new0 (HlZipReader, 1);
  self->file = g_object_ref (file);
  self->store = hl_zip_store_new (file);
  self->members = g_ptr_array_new_with_free_func (free_member);
  self->index = g_tree_new ((GCompareFunc) strcmp);
  return read_entries (self, &end, cancellable, error) ? g_steal_pointer (&self) : NULL;
}

void
hl_zip_reader_free (HlZipReader *self)
{
  g_tree_unref (self->index);
  g_ptr_array_unref (self->members);
  g_object_unref (self->store);
  g_object_unref (self->file);
  g_free (self);
}

/* Its bytes as they are in the file, packed or not. */
HlSpan *
hl_zip_reader_get_bytes (HlZipReader       *self,
                         const HlZipMember *member)
{
  return hl_span_slice (self->file, member->offset, member->packed_size);
}

static HlSpan *
unpack (HlZipReader       *self,
        const HlZipMember *member,
        guint64            n,
        GCancellable      *cancellable,
        GError           **error)
{
  g_autoptr (HlSpan) packed = hl_zip_reader_get_bytes (self, member);

  if (n == member->size)
    return hl_zip_store_unpack (self->store, packed, member->place, n, member->crc, cancellable, error);
  g_autoptr (GBytes) bytes = hl_inflate (packed, member->size, n, member->crc, cancellable, error);
  return bytes != NULL ? hl_span_new_for_bytes (bytes) : NULL;
}

/* The first @n_wanted bytes, or all there are; in the file if stored. What is unpacked is in memory if it is not all of the member, or
 * there is room in the store; else in a file. */
HlSpan *
hl_zip_reader_open (HlZipReader       *self,
                    const HlZipMember *member,
                    guint64            n_wanted,
                    GCancellable      *cancellable,
                    GError           **error)
{
  const guint64 n = MIN (n_wanted, member->size);

  if (!member->is_packed)
    return hl_span_slice (self->file, member->offset, n);
  HlSpan *bytes = unpack (self, member, n, cancellable, error);
  if (bytes == NULL)
    g_prefix_error (error, _ ("the member “%s” cannot be read: "), member->name);
  return bytes;
}
