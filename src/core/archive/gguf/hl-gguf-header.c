/* SPDX-License-Identifier: MIT */
/* The header of a GGUF file, versions 2 and 3, of either byte order: pairs of keys and values, then what there is to know of each tensor.
 * Nothing is taken on trust: a count is believed item by item, every length is held against the bytes that are left, and tensors against
 * one another. */
#include "core/archive/gguf/hl-gguf-header.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/block/hl-block-tensor.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/base/text/hl-text-hash.h"

#define MAGIC "GGUF"
#define MAX_QUOTED 80
#define MAX_DIMS 4
#define DEFAULT_ALIGNMENT 32

/* Types of tensors by their numbers in files; −1 for those that no file has any more. */
static const struct
{
  guint32 number;
  HlDType dtype;
} types[] = {
  { 0, HL_DTYPE_F32 },
  { 1, HL_DTYPE_F16 },
  { 2, HL_DTYPE_Q4_0 },
  { 3, HL_DTYPE_Q4_1 },
  { 6, HL_DTYPE_Q5_0 },
  { 7, HL_DTYPE_Q5_1 },
  { 8, HL_DTYPE_Q8_0 },
  { 10, HL_DTYPE_Q2_K },
  { 11, HL_DTYPE_Q3_K },
  { 12, HL_DTYPE_Q4_K },
  { 13, HL_DTYPE_Q5_K },
  { 14, HL_DTYPE_Q6_K },
  { 16, HL_DTYPE_IQ2_XXS },
  { 17, HL_DTYPE_IQ2_XS },
  { 18, HL_DTYPE_IQ3_XXS },
  { 19, HL_DTYPE_IQ1_S },
  { 20, HL_DTYPE_IQ4_NL },
  { 21, HL_DTYPE_IQ3_S },
  { 22, HL_DTYPE_IQ2_S },
  { 23, HL_DTYPE_IQ4_XS },
  { 24, HL_DTYPE_I8 },
  { 25, HL_DTYPE_I16 },
  { 26, HL_DTYPE_I32 },
  { 27, HL_DTYPE_I64 },
  { 28, HL_DTYPE_F64 },
  { 29, HL_DTYPE_IQ1_M },
  { 30, HL_DTYPE_BF16 },
  { 34, HL_DTYPE_TQ1_0 },
  { 35, HL_DTYPE_TQ2_0 },
  { 39, HL_DTYPE_MXFP4 },
  { HL_GGUF_MXFP4_IN_PAIRS, HL_DTYPE_MXFP4 },
};

/* Where reading is. */
typedef struct
{
  const guint8 *bytes;
  gsize size;
  gsize at;
  gboolean swapped;
} Cursor;

static void
free_entry (gpointer data)
{
  HlGgufEntry *entry = data;

  g_free (entry->name);
  g_free (entry);
}

void
hl_gguf_header_free (HlGgufHeader *self)
{
  g_hash_table_unref (self->index);
  g_ptr_array_unref (self->entries);
  g_hash_table_unref (self->values);
  g_free (self);
}

/* Steps over some bytes, if they are there. */
static const guint8 *
take (Cursor     *self,
      guint64     n,
      const char *what,
      GError    **error)
{
  if (n > self->size - self->at)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED,
                   _ ("%s takes %" PRIu64 " bytes from byte %zu on, but the file has only %zu"), what, n, self->at,
                   self->size);
      return NULL;
    }
  const guint8 *bytes = self->bytes + self->at;
  self->at += n;
  return bytes;
}

static gboolean
take_u32 (Cursor     *self,
          const char *what,
          guint32    *number,
          GError    **error)
{
  const guint8 *bytes = take (self, sizeof *number, what, error);

  if (bytes == NULL)
    return FALSE;
  *number = hl_gguf_load_u32 (bytes, self->swapped);
  return TRUE;
}

static gboolean
take_u64 (Cursor     *self,
          const char *what,
          guint64    *number,
          GError    **error)
{
  const guint8 *bytes = take (self, sizeof *number, what, error);

  if (bytes == NULL)
    return FALSE;
  *number = hl_gguf_load_u64 (bytes, self->swapped);
  return TRUE;
}

/* A name of its own memory, which can stand in a sentence. */
static char *
take_name (Cursor     *self,
           const char *what,
           gsize       max_length,
           GError    **error)
{
  guint64 length;

  if (!take_u64 (self, what, &length, error))
    return NULL;
  if (length > max_length)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("%s is said to have %" PRIu64 " bytes; at most %zu are read"), what, length, max_length);
      return NULL;
    }
  const char *bytes = (const char *) take (self, length, what, error);
  if (bytes == NULL)
    return NULL;
  if (memchr (bytes, 0, length) != NULL || !g_utf8_validate (bytes, (gssize) length, NULL))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_ENCODING, _ ("%s is not valid UTF-8"), what);
      return NULL;
    }
  for (gsize i = 0; i < length; i++)
    if (g_ascii_iscntrl (bytes[i]))
      {
        g_set_error (error, HL_ERROR, HL_ERROR_ENCODING, _ ("%s holds control characters"), what);
        return NULL;
      }
  return g_strndup (bytes, length);
}

/* Steps over the items of a value, of which those of some types have all one length. */
static gboolean
take_items (Cursor      *self,
            const char  *key,
            HlGgufValue *value,
            GError     **error)
{
  const gsize size = hl_gguf_type_get_size (value->type);
  guint64 n_bytes;

  value->data = self->bytes + self->at;
  if (size > 0)
    {
      if (!g_uint64_checked_mul (&n_bytes, value->n, size))
        n_bytes = G_MAXUINT64;
      return take (self, n_bytes, key, error) != NULL;
    }
  for (guint64 i = 0; i < value->n; i++)
    if (!take_u64 (self, key, &n_bytes, error) || take (self, n_bytes, key, error) == NULL)
      return FALSE;
  return TRUE;
}

static gboolean
take_value (Cursor      *self,
            const char  *key,
            HlGgufValue *value,
            GError     **error)
{
  guint32 type;

  *value = (HlGgufValue){ .swapped = self->swapped, .n = 1 };
  if (!take_u32 (self, key, &type, error))
    return FALSE;
  value->is_array = type == HL_GGUF_ARRAY;
  if (value->is_array && (!take_u32 (self, key, &type, error) || !take_u64 (self, key, &value->n, error)))
    return FALSE;
  if (type >= HL_N_GGUF_TYPES || type == HL_GGUF_ARRAY)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("%s is of type %u, which is not known"), key, type);
      return FALSE;
    }
  value->type = (HlGgufType) type;
  return take_items (self, key, value, error);
}

static gboolean
parse_values (HlGgufHeader *self,
              Cursor       *cursor,
              guint64       n,
              GError      **error)
{
  for (guint64 i = 0; i < n; i++)
    {
      g_autofree char *what = g_strdup_printf (_ ("key %" PRIu64 " of %" PRIu64), i + 1, n);
      g_autofree char *key = take_name (cursor, what, HL_LIMIT_GGUF_KEY, error);
      g_autofree HlGgufValue *value = g_new (HlGgufValue, 1);

      if (key == NULL)
        return FALSE;
      g_autofree char *start = hl_utf8_quote (key, strlen (key), MAX_QUOTED);
      g_autofree char *quoted = g_strdup_printf ("“%s”", start);
      if (!take_value (cursor, quoted, value, error))
        return FALSE;
      if (g_hash_table_contains (self->values, key))
        {
          g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("%s is there twice"), quoted);
          return FALSE;
        }
      g_hash_table_insert (self->values, g_steal_pointer (&key), g_steal_pointer (&value));
    }
  return TRUE;
}

static gboolean
set_type (HlGgufEntry *self,
          guint32      number)
{
  self->type = number;
  for (guint i = 0; i < G_N_ELEMENTS (types) && !self->is_readable; i++)
    {
      self->is_readable = types[i].number == number;
      self->dtype = types[i].dtype;
    }
  return self->is_readable;
}

/* The sizes of a tensor, which files list the innermost first, and its bytes. */
static gboolean
take_shape (Cursor      *cursor,
            HlGgufEntry *entry,
            GError     **error)
{
  g_autofree char *what = g_strdup_printf (_ ("tensor “%s”"), entry->name);
  guint32 rank, type;

  if (!take_u32 (cursor, what, &rank, error))
    return FALSE;
  if (rank == 0 || rank > MAX_DIMS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("tensor “%s” is said to have %u axes; it can have 1 to %d"),
                   entry->name, rank, MAX_DIMS);
      return FALSE;
    }
  entry->shape.rank = rank;
  for (guint32 axis = rank; axis-- > 0;)
    if (!take_u64 (cursor, what, &entry->shape.dims[axis], error))
      return FALSE;
  if (!take_u32 (cursor, what, &type, error) || !take_u64 (cursor, what, &entry->begin, error))
    return FALSE;
  if (!set_type (entry, type))
    return TRUE;
  if (!hl_block_shape_get_n_bytes (entry->dtype, &entry->shape, &entry->n_bytes))
    {
      g_autofree char *sizes = hl_shape_to_string (&entry->shape);
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("tensor “%s” of %s elements cannot be of type %s"), entry->name,
                   sizes, hl_dtype_get_name (entry->dtype));
      return FALSE;
    }
  return TRUE;
}

static gboolean
parse_entries (HlGgufHeader *self,
               Cursor       *cursor,
               guint64       n,
               GError      **error)
{
  for (guint64 i = 0; i < n; i++)
    {
      g_autofree char *what = g_strdup_printf (_ ("name %" PRIu64 " of %" PRIu64 " tensors"), i + 1, n);
      HlGgufEntry *entry = g_new0 (HlGgufEntry, 1);

      g_ptr_array_add (self->entries, entry);
      entry->name = take_name (cursor, what, HL_LIMIT_GGUF_NAME, error);
      if (entry->name == NULL || !take_shape (cursor, entry, error))
        return FALSE;
      if (!g_hash_table_insert (self->index, entry->name, entry))
        {
          g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("tensor “%s” is there twice"), entry->name);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
read_alignment (HlGgufHeader *self,
                guint64      *alignment,
                GError      **error)
{
  const HlGgufValue *value = g_hash_table_lookup (self->values, "general.alignment");
  gint64 number = DEFAULT_ALIGNMENT;

  if (value != NULL && (value->is_array || !hl_gguf_value_get_integer (value, 0, &number) || number <= 0 ||
                        number > HL_LIMIT_GGUF_ALIGNMENT || (number & (number - 1)) != 0))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is no power of two up to %d"), "general.alignment",
                   HL_LIMIT_GGUF_ALIGNMENT);
      return FALSE;
    }
  *alignment = (guint64) number;
  return TRUE;
}

static int
compare_entries (gconstpointer a,
                 gconstpointer b)
{
  const HlGgufEntry *first = *(const HlGgufEntry *const *) a;
  const HlGgufEntry *second = *(const HlGgufEntry *const *) b;

  return first->begin < second->begin ? -1 : first->begin > second->begin;
}

/* Finds where in the file tensors are, and holds them against its end and one another. */
static gboolean
place_entries (HlGgufHeader *self,
               gsize         header_size,
               gsize         size,
               GError      **error)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_sized_new (self->entries->len);
  const HlGgufEntry *before = NULL;
  guint64 alignment;

  if (!read_alignment (self, &alignment, error))
    return FALSE;
  const guint64 first = (header_size + alignment - 1) / alignment * alignment;
  for (guint i = 0; i < self->entries->len; i++)
    {
      HlGgufEntry *entry = self->entries->pdata[i];

      if (entry->begin % alignment != 0)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                       _ ("tensor “%s” begins at byte %" PRIu64 " of the data, which is no multiple of %" PRIu64),
                       entry->name, entry->begin, alignment);
          return FALSE;
        }
      if (first > size || entry->begin > size - first || entry->n_bytes > size - first - entry->begin)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED,
                       _ ("tensor “%s” takes %" PRIu64 " bytes from byte %" PRIu64 " of the data on, but the file has "
                          "only %" PRIu64),
                       entry->name, entry->n_bytes, entry->begin, first > size ? 0 : (guint64) size - first);
          return FALSE;
        }
      entry->begin += first;
      g_ptr_array_add (sorted, entry);
    }
  g_ptr_array_sort (sorted, compare_entries);
  for (guint i = 0; i < sorted->len; i++)
    {
      const HlGgufEntry *entry = sorted->pdata[i];

      if (before != NULL && entry->begin < before->begin + before->n_bytes)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("tensors “%s” and “%s” overlap"), before->name,
                       entry->name);
          return FALSE;
        }
      if (entry->n_bytes > 0)
        before = entry;
    }
  return TRUE;
}

/* Finds out which version and byte order the file has. */
static gboolean
take_version (HlGgufHeader *self,
              Cursor       *cursor,
              GError      **error)
{
  const guint8 *magic = take (cursor, strlen (MAGIC), MAGIC, error);

  if (magic == NULL)
    return FALSE;
  if (memcmp (magic, MAGIC, strlen (MAGIC)) != 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNKNOWN_FORMAT, _ ("the file does not begin as a GGUF file does"));
      return FALSE;
    }
  cursor->swapped = G_BYTE_ORDER != G_LITTLE_ENDIAN;
  if (!take_u32 (cursor, MAGIC, &self->version, error))
    return FALSE;
  if (self->version > G_MAXUINT16)
    {
      self->version = GUINT32_SWAP_LE_BE (self->version);
      cursor->swapped = !cursor->swapped;
    }
  self->swapped = cursor->swapped;
  if (self->version < 2 || self->version > 3)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                   _ ("the file is of GGUF version %u; versions 2 and 3 are read"), self->version);
      return FALSE;
    }
  return TRUE;
}

/* Checks the header of a whole file. */
HlGgufHeader *
hl_gguf_header_parse (const guint8 *bytes,
                      gsize         size,
                      GError      **error)
{
  g_autoptr (HlGgufHeader) self = g_new0 (HlGgufHeader, 1);
  Cursor cursor = { .bytes = bytes, .size = size };
  guint64 n_entries, n_values;

  self->values = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, g_free);
  self->entries = g_ptr_array_new_with_free_func (free_entry);
  self->index = g_hash_table_new (hl_text_hash, g_str_equal);
  if (!take_version (self, &cursor, error) || !take_u64 (&cursor, MAGIC, &n_entries, error) ||
      !take_u64 (&cursor, MAGIC, &n_values, error))
    return NULL;
  if (n_entries > HL_LIMIT_GGUF_ENTRIES || n_values > HL_LIMIT_GGUF_ENTRIES)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("the file is said to have %" PRIu64 " tensors and %" PRIu64
                      " keys; at most %d of either are read"),
                   n_entries, n_values, HL_LIMIT_GGUF_ENTRIES);
      return NULL;
    }
  if (!parse_values (self, &cursor, n_values, error) || !parse_entries (self, &cursor, n_entries, error) ||
      !place_entries (self, cursor.at, size, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* Returns a string of the metadata; nothing that comes after it is looked at. */
char *
hl_gguf_header_find_string (const guint8 *bytes,
                            gsize         size,
                            const char   *key,
                            GError      **error)
{
  Cursor cursor = { .bytes = bytes, .size = size };
  HlGgufHeader header = { 0 };
  guint64 n_entries, n_values;

  if (!take_version (&header, &cursor, error) || !take_u64 (&cursor, MAGIC, &n_entries, error) ||
      !take_u64 (&cursor, MAGIC, &n_values, error))
    return NULL;
  for (guint64 i = 0; i < n_values; i++)
    {
      g_autofree char *what = g_strdup_printf (_ ("key %" PRIu64 " of %" PRIu64), i + 1, n_values);
      g_autofree char *name = take_name (&cursor, what, HL_LIMIT_GGUF_KEY, error);
      HlGgufValue value;
      gsize length;

      if (name == NULL || !take_value (&cursor, name, &value, error))
        return NULL;
      const char *string = g_str_equal (name, key) && !value.is_array ? hl_gguf_value_get_string (&value, &length)
                                                                      : NULL;
      if (string != NULL)
        return g_utf8_make_valid (string, (gssize) length);
    }
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("the file has no “%s”"), key);
  return NULL;
}
