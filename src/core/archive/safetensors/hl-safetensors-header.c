/* SPDX-License-Identifier: MIT */
/* The header of a safetensors file: a length, and JSON of one shape only. Read token by token, so that nothing
 * a hostile file nests or repeats takes memory, and every promise it makes is held against the bytes there are. */
#include "core/archive/safetensors/hl-safetensors-header.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/base/text/hl-text-hash.h"
#include "core/json/hl-json-reader.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#define LENGTH_SIZE 8

/* The type that is read by a table. */
#define FLOAT8 "F8_E4M3"

/* The format's names of element types. Those that Headlight has no use for are known by their size, so that
 * a file with one of them opens nevertheless. */
static const struct
{
  const char *name;
  gsize size;
  int dtype;
} types[] = {
  { "F64", 8, HL_DTYPE_F64 },   { "F32", 4, HL_DTYPE_F32 }, { "F16", 2, HL_DTYPE_F16 }, { "BF16", 2, HL_DTYPE_BF16 },
  { "I64", 8, HL_DTYPE_I64 },   { "I32", 4, HL_DTYPE_I32 }, { "I16", 2, HL_DTYPE_I16 }, { "I8", 1, HL_DTYPE_I8 },
  { "U64", 8, HL_DTYPE_U64 },   { "U32", 4, HL_DTYPE_U32 }, { "U16", 2, HL_DTYPE_U16 }, { "U8", 1, HL_DTYPE_U8 },
  { "BOOL", 1, HL_DTYPE_BOOL }, { FLOAT8, 1, HL_DTYPE_U8 }, { "F8_E5M2", 1, -1 },       { "F8_E8M0", 1, -1 },
  { "F8_E4M3FNUZ", 1, -1 },     { "F8_E5M2FNUZ", 1, -1 },   { "C64", 8, -1 },
};

/* Frees it. */
static void
free_entry (gpointer data)
{
  HlSafetensorsEntry *entry = data;

  g_free (entry->name);
  g_free (entry);
}

static gboolean
set_type (HlSafetensorsEntry *self,
          const char         *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (types[i].name, name))
      {
        g_strlcpy (self->type_name, types[i].name, sizeof self->type_name);
        self->is_readable = types[i].dtype >= 0;
        self->dtype = self->is_readable ? (HlDType) types[i].dtype : HL_DTYPE_U8;
        self->is_float8 = g_str_equal (name, FLOAT8);
        self->element_size = types[i].size;
        return TRUE;
      }
  return FALSE;
}

/* Holds what a tensor says of itself against itself and the size of the data. */
static gboolean
check_entry (const HlSafetensorsEntry *self,
             guint64                   n_data,
             GError                  **error)
{
  g_autofree char *sizes = hl_shape_to_string (&self->shape);
  guint64 needed;

  if (!hl_shape_get_n_bytes (&self->shape, self->element_size, &needed))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("tensor “%s” of %s elements is too large"), self->name,
                   sizes);
      return FALSE;
    }
  if (self->end < self->begin)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                   _ ("tensor “%s” ends at byte %" PRIu64 ", before it begins at %" PRIu64), self->name, self->end,
                   self->begin);
      return FALSE;
    }
  if (self->end > n_data)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED,
                   _ ("tensor “%s” reaches to byte %" PRIu64 " of the data, but the file has only %" PRIu64),
                   self->name, self->end, n_data);
      return FALSE;
    }
  if (self->end - self->begin != needed)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                   _ ("tensor “%s” has %" PRIu64 " bytes, but %s elements of %s take "
                      "%" PRIu64),
                   self->name, self->end - self->begin, sizes, self->type_name, needed);
      return FALSE;
    }
  return TRUE;
}

static int
compare_entries (gconstpointer a,
                 gconstpointer b)
{
  const HlSafetensorsEntry *first = *(const HlSafetensorsEntry *const *) a;
  const HlSafetensorsEntry *second = *(const HlSafetensorsEntry *const *) b;

  if (first->begin != second->begin)
    return first->begin < second->begin ? -1 : 1;
  return first->end < second->end ? -1 : first->end > second->end;
}

/* Holds the tensors against one another: they have to fill the data, one after the other. */
static gboolean
check_entries (GPtrArray *entries,
               guint64    n_data,
               GError   **error)
{
  guint64 at = 0;

  g_ptr_array_sort (entries, compare_entries);
  for (guint i = 0; i < entries->len; i++)
    {
      const HlSafetensorsEntry *entry = entries->pdata[i];
      if (entry->begin < at)
        {
          const HlSafetensorsEntry *before = entries->pdata[i - 1];
          g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("tensors “%s” and “%s” overlap"), before->name,
                       entry->name);
          return FALSE;
        }
      if (entry->begin > at)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                       _ ("%" PRIu64 " bytes before tensor “%s” belong to no tensor"), entry->begin - at, entry->name);
          return FALSE;
        }
      at = entry->end;
    }
  if (at != n_data)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("%" PRIu64 " bytes at the end belong to no tensor"),
                   n_data - at);
      return FALSE;
    }
  return TRUE;
}

typedef struct
{
  HlJsonReader reader;
  GString *text;
  HlSafetensorsHeader *header;
} Parser;

static gboolean
read_string (Parser  *self,
             gsize    max_length,
             GError **error)
{
  if (hl_json_reader_peek (&self->reader) != '"')
    return hl_json_reader_fail (&self->reader, _ ("a string"), error);
  g_string_truncate (self->text, 0);
  return hl_json_reader_read_string (&self->reader, self->text, max_length, error);
}

/* The name of the next member, if there is one. */
static gboolean
read_key (Parser   *self,
          gboolean *more,
          GError  **error)
{
  g_string_truncate (self->text, 0);
  return hl_json_reader_next (&self->reader, more, error) &&
         (!*more || hl_json_reader_read_name (&self->reader, self->text, HL_LIMIT_SAFETENSORS_NAME, error));
}

/* A list of integers that cannot be negative. */
static gboolean
read_numbers (Parser     *self,
              const char *name,
              const char *member,
              guint64    *numbers,
              guint       max_numbers,
              guint      *n_numbers,
              GError    **error)
{
  *n_numbers = 0;
  if (!hl_json_reader_begin (&self->reader, '[', _ ("a list of numbers"), error))
    return FALSE;
  for (;;)
    {
      HlJsonNumber number;
      gboolean more;
      gint64 value;

      if (!hl_json_reader_next (&self->reader, &more, error))
        return FALSE;
      if (!more)
        return TRUE;
      const int c = hl_json_reader_peek (&self->reader);
      if (c != '-' && !g_ascii_isdigit (c))
        return hl_json_reader_fail (&self->reader, _ ("a number"), error);
      if (!hl_json_reader_read_number (&self->reader, &number, error))
        return FALSE;
      if (!number.integer || !hl_json_number_to_int64 (&number, &value) || value < 0)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                       _ ("“%s” of tensor “%s” has a number that is no size or offset"), member, name);
          return FALSE;
        }
      if (*n_numbers == max_numbers)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_RANK, _ ("“%s” of tensor “%s” has more than %u numbers"), member, name,
                       max_numbers);
          return FALSE;
        }
      numbers[(*n_numbers)++] = (guint64) value;
    }
}

static gboolean
read_type (Parser             *self,
           HlSafetensorsEntry *entry,
           GError            **error)
{
  if (!read_string (self, HL_LIMIT_SAFETENSORS_NAME, error))
    return FALSE;
  if (set_type (entry, self->text->str))
    return TRUE;
  g_autofree char *start = hl_utf8_quote (self->text->str, self->text->len, 40);
  g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("tensor “%s” is of the unknown type “%s”"), entry->name, start);
  return FALSE;
}

static gboolean
fail_missing (const char *name,
              const char *member,
              GError    **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("tensor “%s” has no “%s”"), name, member);
  return FALSE;
}

/* The members of one tensor, each exactly once. */
static gboolean
read_members (Parser             *self,
              HlSafetensorsEntry *entry,
              GError            **error)
{
  gboolean has_type = FALSE, has_shape = FALSE, has_offsets = FALSE;
  guint n;

  if (!hl_json_reader_begin (&self->reader, '{', _ ("the description of a tensor"), error))
    return FALSE;
  for (gboolean more;;)
    {
      gboolean *has;

      if (!read_key (self, &more, error))
        return FALSE;
      if (!more)
        break;
      if (g_str_equal (self->text->str, "dtype"))
        has = &has_type;
      else if (g_str_equal (self->text->str, "shape"))
        has = &has_shape;
      else if (g_str_equal (self->text->str, "data_offsets"))
        has = &has_offsets;
      else
        {
          g_autofree char *start = hl_utf8_quote (self->text->str, self->text->len, 40);
          g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                       _ ("tensor “%s” has a member “%s”, which no safetensors file has"), entry->name, start);
          return FALSE;
        }
      if (*has)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("tensor “%s” has “%s” twice"), entry->name,
                       self->text->str);
          return FALSE;
        }
      *has = TRUE;
      if (has == &has_type)
        {
          if (!read_type (self, entry, error))
            return FALSE;
        }
      else if (has == &has_shape)
        {
          if (!read_numbers (self, entry->name, "shape", entry->shape.dims, HL_LIMIT_RANK, &entry->shape.rank, error))
            return FALSE;
        }
      else
        {
          guint64 offsets[2];
          if (!read_numbers (self, entry->name, "data_offsets", offsets, 2, &n, error))
            return FALSE;
          if (n != 2)
            {
              g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("“data_offsets” of tensor “%s” are not two numbers"),
                           entry->name);
              return FALSE;
            }
          entry->begin = offsets[0];
          entry->end = offsets[1];
        }
    }
  return (has_type || fail_missing (entry->name, "dtype", error)) &&
         (has_shape || fail_missing (entry->name, "shape", error)) &&
         (has_offsets || fail_missing (entry->name, "data_offsets", error));
}

static gboolean
read_tensor (Parser  *self,
             guint64  n_data,
             GError **error)
{
  HlSafetensorsHeader *header = self->header;
  HlSafetensorsEntry *entry = g_new0 (HlSafetensorsEntry, 1);

  entry->name = g_strdup (self->text->str);
  g_ptr_array_add (header->entries, entry);
  if (header->entries->len > HL_LIMIT_SAFETENSORS_ENTRIES)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there are more than %d tensors"),
                   HL_LIMIT_SAFETENSORS_ENTRIES);
      return FALSE;
    }
  if (*entry->name == '\0')
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("a tensor has an empty name"));
      return FALSE;
    }
  if (!g_hash_table_insert (header->index, entry->name, entry))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("there are two tensors “%s”"), entry->name);
      return FALSE;
    }
  return read_members (self, entry, error) && check_entry (entry, n_data, error);
}

static gboolean
read_metadata (Parser  *self,
               GError **error)
{
  if (self->header->metadata != NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("“%s” is there twice"), "__metadata__");
      return FALSE;
    }
  self->header->metadata = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, g_free);
  if (!hl_json_reader_begin (&self->reader, '{', _ ("an object"), error))
    return FALSE;
  for (gboolean more;;)
    {
      if (!read_key (self, &more, error))
        return FALSE;
      if (!more)
        return TRUE;
      g_autofree char *key = g_strdup (self->text->str);
      if (!read_string (self, HL_LIMIT_SAFETENSORS_METADATA, error))
        return FALSE;
      if (!g_hash_table_insert (self->header->metadata, g_steal_pointer (&key), g_strdup (self->text->str)))
        {
          g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("“%s” has a member twice"), "__metadata__");
          return FALSE;
        }
    }
}

static gboolean
read_header (Parser  *self,
             guint64  n_data,
             GError **error)
{
  if (!hl_json_reader_begin (&self->reader, '{', _ ("an object"), error))
    return FALSE;
  for (gboolean more;;)
    {
      if (!read_key (self, &more, error))
        return FALSE;
      if (!more)
        break;
      if (!(g_str_equal (self->text->str, "__metadata__") ? read_metadata (self, error)
                                                          : read_tensor (self, n_data, error)))
        return FALSE;
    }
  if (!hl_json_reader_end (&self->reader, _ ("the end of the header"), error))
    return FALSE;
  return check_entries (self->header->entries, n_data, error);
}

/* Reads the header and checks all of it: types, that shapes take the bytes they are given, that tensors neither
 * overlap nor leave gaps, and that the last ends where the file does. */
HlSafetensorsHeader *
hl_safetensors_header_parse (const char *bytes,
                             gsize       size,
                             GError    **error)
{
  guint64 length;

  if (size < LENGTH_SIZE)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED, _ ("the file ends within the length of its header"));
      return NULL;
    }
  memcpy (&length, bytes, sizeof length);
  length = GUINT64_FROM_LE (length);
  if (length > HL_LIMIT_SAFETENSORS_HEADER)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("the header would take %" PRIu64 " bytes; at most %d are read"), length,
                   HL_LIMIT_SAFETENSORS_HEADER);
      return NULL;
    }
  if (length > size - LENGTH_SIZE)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED,
                   _ ("the header would take %" PRIu64 " bytes, but only %zu follow"), length, size - LENGTH_SIZE);
      return NULL;
    }

  g_autoptr (HlSafetensorsHeader) header = g_new0 (HlSafetensorsHeader, 1);
  header->entries = g_ptr_array_new_with_free_func (free_entry);
  header->index = g_hash_table_new (hl_text_hash, g_str_equal);
  header->data_offset = LENGTH_SIZE + length;
  g_autoptr (GString) text = g_string_new (NULL);
  Parser parser = { .text = text, .header = header };
  hl_json_reader_init (&parser.reader, bytes + LENGTH_SIZE, length, NULL, NULL);
  GError *reason = NULL;
  if (read_header (&parser, size - header->data_offset, &reason))
    return g_steal_pointer (&header);
  /* It may hold names of the file, cut short or with lines in them. */
  g_autofree char *sentence = hl_utf8_make_valid (reason->message, strlen (reason->message), NULL);
  hl_utf8_flatten (sentence);
  g_set_error_literal (error, reason->domain, reason->code, sentence);
  g_error_free (reason);
  return NULL;
}

/* Frees it. */
void
hl_safetensors_header_free (HlSafetensorsHeader *self)
{
  g_hash_table_unref (self->index);
  g_ptr_array_unref (self->entries);
  g_clear_pointer (&self->metadata, g_hash_table_unref);
  g_free (self);
}
