/* SPDX-License-Identifier: MIT */
/* The weights of a head as a table for spreadsheets and scripts: CSV as RFC 4180 has it, the keys'
 * tokens in the first line, the query's token at the beginning of each other. */
#include "core/source/save/hl-head-csv.h"

#include "core/base/text/hl-decimal.h"
#include "core/base/hl-error.h"
#include "core/base/file/hl-temp-file.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The most weights that are in memory at a time. */
#define MAX_BAND ((gsize) 1 << 20)

/* Takes some lines; what it took may go. */
typedef gboolean (*TakeLines) (GString *lines, gpointer data, GError **error);

/* What spreadsheets trim or do not show. */
static gboolean
is_blank (gunichar c)
{
  return g_unichar_isspace (c) || g_unichar_type (c) == G_UNICODE_FORMAT || hl_utf8_is_control (c);
}

static const char *
skip_blank (const char *text)
{
  while (*text != '\0' && is_blank (g_utf8_get_char (text)))
    text = g_utf8_next_char (text);
  return text;
}

/* Up to the next tab or line, so that each of many costs what it has; quotes, too, which go where lines are split in another way. */
static const char *
skip_to_cell (const char *text)
{
  while (*text == '"' || *text == '\'' ||
         (*text != '\0' && strchr ("\t\r\n", *text) == NULL && is_blank (g_utf8_get_char (text))))
    text = g_utf8_next_char (text);
  return text;
}

static gboolean
is_number (const char *text)
{
  char *end;

  if (*text == '\0' || text[strspn (text, "+-.0123456789eE")] != '\0')
    return FALSE;
  g_ascii_strtod (text, &end);
  return *end == '\0';
}

/* Whether spreadsheets would compute it, or even run what it names: a sign of a formula, some take the wide ones too, and something
 * behind it that makes it no number. */
static gboolean
is_formula (const char *begin)
{
  static const gunichar signs[] = { '=', '+', '-', '@', 0xFF1D, 0xFF0B, 0xFF0D, 0xFF20 };

  for (gsize i = 0; i < G_N_ELEMENTS (signs); i++)
    if (g_utf8_get_char (begin) == signs[i])
      return *skip_blank (g_utf8_next_char (begin)) != '\0' && !is_number (begin);
  return FALSE;
}

/* Whether a formula begins at @c where a cell may: a spreadsheet that takes another character than the comma for the separator (in
 * German, the semicolon; some take several) sees no quotes behind commas. */
static gboolean
begins_formula (const char *text,
                const char *c)
{
  if (c == text && is_formula (skip_blank (c)))
    return TRUE;
  return (c == text || strchr (";|\t\r\n", c[-1]) != NULL) && is_formula (skip_to_cell (c));
}

/**
 * hl_head_csv_append_field:
 * @line: where to
 * @text: UTF-8
 *
 * Appends a field, in quotes where RFC 4180 asks for them, or a reader that trims fields or splits lines at tabs, semicolons or bars.
 * What a spreadsheet would take for a formula, at the beginning or where it splits the text, gets an apostrophe before it, by which they
 * tell text: tokens come from whoever made the file. A sign that stands alone, and a number, stay as they are. It is a field between
 * tabs as well.
 */
void
hl_head_csv_append_field (GString    *line,
                          const char *text)
{
  gboolean escaped = FALSE;

  for (const char *c = text; *c != '\0' && !escaped; c++)
    escaped = begins_formula (text, c);
  if (!escaped && strpbrk (text, ",;|\t\"\r\n") == NULL && !g_ascii_isspace (*text) &&
      (*text == '\0' || !g_ascii_isspace (text[strlen (text) - 1])))
    {
      g_string_append (line, text);
      return;
    }
  g_string_append_c (line, '"');
  for (const char *c = text; *c != '\0'; c++)
    {
      if (begins_formula (text, c))
        g_string_append_c (line, '\'');
      if (*c == '"')
        g_string_append_c (line, '"');
      g_string_append_c (line, *c);
    }
  g_string_append_c (line, '"');
}

static gboolean
write_table (const HlHeadCsv *self,
             TakeLines        take,
             gpointer         data,
             HlProgress      *progress,
             GCancellable    *cancellable,
             GError         **error)
{
  const gsize n_band = CLAMP (MAX_BAND / self->n_keys, 1, self->n_queries);
  g_autofree float *weights = g_try_malloc_n (n_band * self->n_keys, sizeof (float));
  g_autoptr (GString) lines = g_string_new (NULL);
  char number[HL_DECIMAL_SIZE];

  if (weights == NULL)
    return hl_error_set_no_memory (error);
  for (gsize key = 0; key < self->n_keys; key++)
    {
      g_string_append_c (lines, ',');
      hl_head_csv_append_field (lines, self->key_tokens[self->first_key + key]);
    }
  g_string_append (lines, "\r\n");

  for (gsize query = 0; query < self->n_queries; query += n_band)
    {
      const gsize n = MIN (n_band, self->n_queries - query);
      const HlAttentionRequest request = {
        .layer = self->layer,
        .head = self->head,
        .first_query = self->first_query + query,
        .n_queries = n,
        .first_key = self->first_key,
        .n_keys = self->n_keys,
        .n_rows = n,
        .n_columns = self->n_keys,
      };
      if (!hl_attention_source_read (self->source, &request, weights, cancellable, error))
        return FALSE;
      for (gsize row = 0; row < n; row++)
        {
          hl_head_csv_append_field (lines, self->query_tokens[request.first_query + row]);
          for (gsize key = 0; key < self->n_keys; key++)
            {
              g_string_append_c (lines, ',');
              g_string_append_len (lines, number,
                                   (gssize) hl_decimal_format (weights[row * self->n_keys + key], number));
            }
          g_string_append (lines, "\r\n");
        }
      if (!take (lines, data, error))
        return FALSE;
      hl_progress_set (progress, (double) (query + n) / (double) self->n_queries, NULL);
    }
  return TRUE;
}

static gboolean
take_to_file (GString *lines,
              gpointer data,
              GError **error)
{
  const gboolean written = hl_temp_file_write (data, lines->str, lines->len, error);

  g_string_truncate (lines, 0);
  return written;
}

static gboolean
take_to_string (GString *lines,
                gpointer data,
                GError **error)
{
  g_string_append_len (data, lines->str, (gssize) lines->len);
  g_string_truncate (lines, 0);
  return TRUE;
}

static gboolean
is_within (const HlHeadCsv *self)
{
  return self->n_queries > 0 && self->n_keys > 0 &&
         self->first_query + self->n_queries <= hl_attention_source_get_n (self->source, HL_QUERIES) &&
         self->first_key + self->n_keys <= hl_attention_source_get_n (self->source, HL_KEYS);
}

/**
 * hl_head_csv_save:
 * @self: what of a head
 * @target: a local file, which may exist
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it
 * @error: %HL_ERROR_IO, what reading the weights can fail with, or %G_IO_ERROR_CANCELLED
 *
 * Writes the table to a file, which appears whole or not at all. Weights are spelt with as few
 * digits as read back as the same float32. Blocks: call it from a worker.
 *
 * Returns: whether the file is there
 */
gboolean
hl_head_csv_save (const HlHeadCsv *self,
                  GFile           *target,
                  HlProgress      *progress,
                  GCancellable    *cancellable,
                  GError         **error)
{
  g_return_val_if_fail (is_within (self), FALSE);

  g_autoptr (HlTempFile) file = hl_temp_file_new (target, error);
  return file != NULL && write_table (self, take_to_file, file, progress, cancellable, error) &&
         hl_temp_file_commit (file, error);
}

/**
 * hl_head_csv_to_string:
 * @self: what of a head
 * @cancellable: (nullable): stops it
 * @error: %HL_ERROR_TOO_LARGE above %HL_LIMIT_CSV_CELLS, what reading the weights can fail with,
 *   or %G_IO_ERROR_CANCELLED
 *
 * Spells the table for the clipboard, with the bytes that hl_head_csv_save() writes.
 *
 * Returns: (transfer full) (nullable): the table
 */
char *
hl_head_csv_to_string (const HlHeadCsv *self,
                       GCancellable    *cancellable,
                       GError         **error)
{
  g_return_val_if_fail (is_within (self), NULL);

  if (self->n_queries > HL_LIMIT_CSV_CELLS / self->n_keys)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("%zu × %zu"
                      " weights are too many to copy; save them as a file"),
                   self->n_queries, self->n_keys);
      return NULL;
    }
  g_autoptr (GString) text = g_string_new (NULL);
  if (!write_table (self, take_to_string, text, NULL, cancellable, error))
    return NULL;
  return g_string_free (g_steal_pointer (&text), FALSE);
}
