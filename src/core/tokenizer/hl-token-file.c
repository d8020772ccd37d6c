/* SPDX-License-Identifier: MIT */
/* Tokens that somebody keeps beside their attention: one a line, or a JSON list of strings. */
#include "core/tokenizer/hl-token-file.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/file/hl-file-read.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/json/hl-json-tree.h"

/* As a list of a dump has them at the most. */
static gboolean
check_number (gsize    n,
              GError **error)
{
  if (n <= HL_LIMIT_STRINGS)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("“%s” has more than %d strings"), "tokens", HL_LIMIT_STRINGS);
  return FALSE;
}

/* An empty line is a token as others are; only what stands behind the last line feed is none when it is empty. */
static char **
split_lines (const char *text,
             GError    **error)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  const char *text_end = text + strlen (text);

  for (const char *start = text; start < text_end;)
    {
      const char *feed = memchr (start, '\n', (gsize) (text_end - start));
      const char *end = feed != NULL ? feed : text_end;
      gsize length = (gsize) (end - start);
      if (!check_number ((gsize) lines->len + 1, error))
        return NULL;
      if (length > 0 && start[length - 1] == '\r')
        length--;
      g_ptr_array_add (lines, g_strndup (start, length));
      start = feed != NULL ? feed + 1 : text_end;
    }
  g_ptr_array_add (lines, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&lines), FALSE);
}

static char **
read_list (const char *text,
           gsize       size,
           GError    **error)
{
  g_autoptr (HlJsonTree) tree = hl_json_tree_new (text, size, error);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  HlJsonIter iter;

  if (tree == NULL || !check_number (hl_json_value_get_length (hl_json_tree_get_root (tree)), error))
    return NULL;
  hl_json_iter_init (&iter, hl_json_tree_get_root (tree));
  for (guint i = 0; hl_json_iter_next (&iter); i++)
    {
      if (hl_json_value_get_kind (iter.value) != HL_JSON_STRING)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("element %u of the list of tokens is not a string"), i);
          return NULL;
        }
      g_strv_builder_add (builder, hl_json_value_as_string (iter.value));
    }
  return g_strv_builder_end (builder);
}

/**
 * hl_token_file_parse:
 * @text: lines with a token each, or a JSON list of strings; bytes
 * @size: its length
 * @error: %HL_ERROR_VALUE for what is not UTF-8 or without any token, %HL_ERROR_DTYPE for a list of something else,
 *   %HL_ERROR_TOO_LARGE for more tokens than %HL_LIMIT_STRINGS, or that it is not JSON
 *
 * What begins like a list of strings, `["`, is taken for one; a token can be a bracket.
 *
 * Returns: (transfer full) (nullable) (array zero-terminated=1): at least one token
 */
char **
hl_token_file_parse (const char *text,
                     gsize       size,
                     GError    **error)
{
  const gsize mark = hl_utf8_measure_mark (text, size);

  text += mark;
  size -= mark;
  if (!g_utf8_validate_len (text, size, NULL))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("it is not text in UTF-8"));
      return NULL;
    }

  g_autofree char *copy = g_strndup (size > 0 ? text : "", size);
  const char *rest = copy + strspn (copy, " \t\r\n");
  const gboolean is_list = *rest == '[' && rest[1 + strspn (rest + 1, " \t\r\n")] == '"';
  g_auto (GStrv) tokens = is_list ? read_list (copy, size, error) : split_lines (copy, error);

  if (tokens == NULL || tokens[0] != NULL)
    return g_steal_pointer (&tokens);
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("there is no token in it"));
  return NULL;
}

/**
 * hl_token_file_load:
 * @file: a file
 * @cancellable: (nullable): stops it
 * @error: as hl_token_file_parse(), %HL_ERROR_TOO_LARGE, or that it cannot be read
 *
 * Returns: (transfer full) (nullable) (array zero-terminated=1): its tokens, at least one
 */
char **
hl_token_file_load (GFile        *file,
                    GCancellable *cancellable,
                    GError      **error)
{
  g_autoptr (GBytes) bytes = hl_file_read_head (file, HL_LIMIT_TOKEN_FILE + 1, cancellable, error);
  gsize size;

  if (bytes == NULL)
    return NULL;
  const char *text = g_bytes_get_data (bytes, &size);
  if (size > HL_LIMIT_TOKEN_FILE)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the file is larger than %d MiB"),
                   (int) (HL_LIMIT_TOKEN_FILE >> 20));
      return NULL;
    }
  return hl_token_file_parse (size > 0 ? text : "", size, error);
}
