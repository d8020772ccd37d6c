/* SPDX-License-Identifier: MIT */
/* The header of a safetensors file: a length, and JSON of one shape only. Read token by token, so that nothing
 * a hostile file nests or repeats takes memory, and every promise it makes is held against the bytes there are. */
#include "core/archive/safetensors/hl-safetensors-header.h"

#include "core/base/hl-error.h"
#include "core/base/hl-utf8.h"
#include "core/json/hl-json-lexer.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#define LENGTH_SIZE 8
#define MAX_HEADER (100 * 1000 * 1000)
#define MAX_NAME 4096
#define MAX_METADATA (16 << 20)
#define MAX_ENTRIES 1000000

typedef struct
{
  HlJsonLexer lexer;
  GString *text;
  HlSafetensorsHeader *header;
} Parser;

/* A character that has to come next. */
static gboolean
expect (Parser     *self,
        char        c,
        const char *what,
        GError    **error)
{
  if (hl_json_lexer_peek (&self->lexer) != c)
    return hl_json_lexer_fail (&self->lexer, what, error);
  self->lexer.at++;
  return TRUE;
}

/* After an element or before the first: whether another follows. */
static gboolean
read_separator (Parser   *self,
                char      close,
                gboolean  first,
                gboolean *more,
                GError  **error)
{
  const int c = hl_json_lexer_peek (&self->lexer);

  *more = c != close;
  if (c == close)
    {
      self->lexer.at++;
      return TRUE;
    }
  return first || expect (self, ',', close == '}' ? _ ("“,” or “}”") : _ ("“,” or “]”"), error);
}

static gboolean
read_string (Parser  *self,
             gsize    max_length,
             GError **error)
{
  if (hl_json_lexer_peek (&self->lexer) != '"')
    return hl_json_lexer_fail (&self->lexer, _ ("a string"), error);
  g_string_truncate (self->text, 0);
  return hl_json_lexer_read_string (&self->lexer, self->text, max_length, error);
}

static gboolean
read_key (Parser  *self,
          gsize    max_length,
          GError **error)
{
  return read_string (self, max_length, error) && expect (self, ':', _ ("“:”"), error);
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
  gboolean more;

  *n_numbers = 0;
  if (!expect (self, '[', _ ("a list of numbers"), error))
    return FALSE;
  for (;;)
    {
      HlJsonNumber number;
      gint64 value;

      if (!read_separator (self, ']', *n_numbers == 0, &more, error))
        return FALSE;
      if (!more)
        return TRUE;
      const int c = hl_json_lexer_peek (&self->lexer);
      if (c != '-' && !g_ascii_isdigit (c))
        return hl_json_lexer_fail (&self->lexer, _ ("a number"), error);
      if (!hl_json_lexer_read_number (&self->lexer, &number, error))
        return FALSE;
      if (!number.integer || !hl_json_number_to_int64 (&number, &value) || value < 0)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                       _ ("“%s” of tensor “%s” has a number that is no size or offset"), member,
                       name);
          return FALSE;
        }
      if (*n_numbers == max_numbers)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_RANK,
                       _ ("“%s” of tensor “%s” has more than %u numbers"), member, name,
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
  if (!read_string (self, MAX_NAME, error))
    return FALSE;
  if (hl_safetensors_entry_set_type (entry, self->text->str))
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

  if (!expect (self, '{', _ ("the description of a tensor"), error))
    return FALSE;
  for (gboolean first = TRUE, more;; first = FALSE)
    {
      gboolean *has;

      if (!read_separator (self, '}', first, &more, error))
        return FALSE;
      if (!more)
        break;
      if (!read_key (self, MAX_NAME, error))
        return FALSE;
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
          g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("tensor “%s” has “%s” twice"),
                       entry->name, self->text->str);
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
          if (!read_numbers (self, entry->name, "shape", entry->shape.dims, HL_MAX_RANK,
                             &entry->shape.rank, error))
            return FALSE;
        }
      else
        {
          guint64 offsets[2];
          if (!read_numbers (self, entry->name, "data_offsets", offsets, 2, &n, error))
            return FALSE;
          if (n != 2)
            {
              g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                           _ ("“data_offsets” of tensor “%s” are not two numbers"), entry->name);
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
  if (header->entries->len > MAX_ENTRIES)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there are more than %d tensors"),
                   MAX_ENTRIES);
      return FALSE;
    }
  if (*entry->name == '\0')
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("a tensor has an empty name"));
      return FALSE;
    }
  if (!g_hash_table_insert (header->index, entry->name, entry))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("there are two tensors “%s”"),
                   entry->name);
      return FALSE;
    }
  return read_members (self, entry, error) && hl_safetensors_entry_check (entry, n_data, error);
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
  self->header->metadata = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (!expect (self, '{', _ ("an object"), error))
    return FALSE;
  for (gboolean first = TRUE, more;; first = FALSE)
    {
      if (!read_separator (self, '}', first, &more, error))
        return FALSE;
      if (!more)
        return TRUE;
      if (!read_key (self, MAX_NAME, error))
        return FALSE;
      g_autofree char *key = g_strdup (self->text->str);
      if (!read_string (self, MAX_METADATA, error))
        return FALSE;
      if (!g_hash_table_insert (self->header->metadata, g_steal_pointer (&key),
                                g_strdup (self->text->str)))
        {
          g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                       _ ("“%s” has a member twice"), "__metadata__");
          return FALSE;
        }
    }
}

static gboolean
read_header (Parser  *self,
             guint64  n_data,
             GError **error)
{
  if (!expect (self, '{', _ ("an object"), error))
    return FALSE;
  for (gboolean first = TRUE, more;; first = FALSE)
    {
      if (!read_separator (self, '}', first, &more, error))
        return FALSE;
      if (!more)
        break;
      if (!read_key (self, MAX_NAME, error) ||
          !(g_str_equal (self->text->str, "__metadata__") ? read_metadata (self, error)
                                                          : read_tensor (self, n_data, error)))
        return FALSE;
    }
  if (hl_json_lexer_peek (&self->lexer) != -1)
    return hl_json_lexer_fail (&self->lexer, _ ("the end of the header"), error);
  return hl_safetensors_entries_check (self->header->entries, n_data, error);
}

/**
 * hl_safetensors_header_parse:
 * @bytes: a whole file
 * @size: how many bytes it has
 * @error: %HL_ERROR_TRUNCATED, %HL_ERROR_CORRUPT, %HL_ERROR_DTYPE, %HL_ERROR_RANK, %HL_ERROR_SHAPE,
 *   %HL_ERROR_MISSING, %HL_ERROR_VALUE, %HL_ERROR_ENCODING or %HL_ERROR_TOO_LARGE
 *
 * Reads the header and checks all of it: types, that shapes take the bytes they are given, that
 * tensors neither overlap nor leave gaps, and that the last ends where the file does.
 *
 * Returns: (transfer full) (nullable): the header
 */
HlSafetensorsHeader *
hl_safetensors_header_parse (const char *bytes,
                             gsize       size,
                             GError    **error)
{
  guint64 length;

  if (size < LENGTH_SIZE)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED,
                   _ ("the file ends within the length of its header"));
      return NULL;
    }
  memcpy (&length, bytes, sizeof length);
  length = GUINT64_FROM_LE (length);
  if (length > MAX_HEADER)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("the header would take %" PRIu64 " bytes; at most %d are read"),
                   length, MAX_HEADER);
      return NULL;
    }
  if (length > size - LENGTH_SIZE)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED,
                   _ ("the header would take %" PRIu64
                      " bytes, but only %zu follow"),
                   length, size - LENGTH_SIZE);
      return NULL;
    }

  g_autoptr (HlSafetensorsHeader) header = g_new0 (HlSafetensorsHeader, 1);
  header->entries = g_ptr_array_new_with_free_func (hl_safetensors_entry_free);
  header->index = g_hash_table_new (g_str_hash, g_str_equal);
  header->data_offset = LENGTH_SIZE + length;
  g_autoptr (GString) text = g_string_new (NULL);
  Parser parser = { .text = text, .header = header };
  hl_json_lexer_init (&parser.lexer, bytes + LENGTH_SIZE, length, NULL, NULL);
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

/**
 * hl_safetensors_header_free:
 * @self: a header
 *
 * Frees it.
 */
void
hl_safetensors_header_free (HlSafetensorsHeader *self)
{
  g_hash_table_unref (self->index);
  g_ptr_array_unref (self->entries);
  g_clear_pointer (&self->metadata, g_hash_table_unref);
  g_free (self);
}
