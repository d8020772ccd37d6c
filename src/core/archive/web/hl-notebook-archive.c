/* SPDX-License-Identifier: MIT */
/* A Jupyter notebook as an archive: the outputs of its cells are pages and scripts, and are read as such. */
#include "core/archive/web/hl-notebook-archive.h"

#include "core/archive/json/hl-json-spool.h"
#include "core/archive/web/hl-page-reader.h"
#include "core/base/hl-error.h"
#include "core/base/hl-mapped-file.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

typedef enum
{
  LEVEL_OTHER,
  LEVEL_CELLS,
  LEVEL_OUTPUTS,
} LevelKind;

typedef struct
{
  LevelKind kind;
  gboolean is_list;
  guint64 n_complete; /* elements or members */
} Level;

typedef struct
{
  HlJsonLexer lexer;
  HlPageReader *pages;
  Level levels[HL_JSON_MAX_DEPTH];
  guint depth;
  GString *name; /* of the member that is being read */
} Walker;

/* The types of output that tools write. Before version 4 of the format they had other names. */
static const char *const page_types[] = { "application/javascript", "text/html", "javascript",
                                          "html", NULL };

static const Level *
find_level (const Walker *self,
            LevelKind     kind)
{
  for (guint i = self->depth; i-- > 0;)
    if (self->levels[i].kind == kind)
      return &self->levels[i];
  return NULL;
}

/* Unescapes the string that the lexer stands at. */
static gboolean
take_string (Walker      *self,
             HlJsonSpool *spool,
             GError     **error)
{
  const char *start = self->lexer.at + 1;

  return hl_json_lexer_read_string (&self->lexer, NULL, 0, error) &&
         hl_json_spool_add (spool, start, (gsize) (self->lexer.at - 1 - start), error);
}

/* The lines of an output behind one another. */
static gboolean
take_lines (Walker      *self,
            HlJsonSpool *spool,
            GError     **error)
{
  int next;

  self->lexer.at++;
  if (hl_json_lexer_peek (&self->lexer) == ']')
    {
      self->lexer.at++;
      return TRUE;
    }
  do
    {
      if (hl_json_lexer_peek (&self->lexer) != '"')
        return hl_json_lexer_fail (&self->lexer, _ ("a line of the output"), error);
      if (!take_string (self, spool, error))
        return FALSE;
      next = hl_json_lexer_peek (&self->lexer);
      if (next != ',' && next != ']')
        return hl_json_lexer_fail (&self->lexer, _ ("“,” or “]”"), error);
      self->lexer.at++;
    }
  while (next == ',');
  return TRUE;
}

/* An output as a page of its own. */
static gboolean
read_page (Walker  *self,
           int      first,
           GError **error)
{
  const Level *cells = find_level (self, LEVEL_CELLS);
  g_auto (HlJsonSpool) spool = { 0 };
  const char *text;
  gsize size;
  gboolean is_mapped;

  hl_json_spool_init (&spool, self->lexer.released != NULL);
  if (!(first == '"' ? take_string (self, &spool, error) : take_lines (self, &spool, error)) ||
      !hl_json_spool_finish (&spool, &text, &size, &is_mapped, error))
    return FALSE;

  g_autofree char *place = g_strdup_printf ("cell %" PRIu64 ", output %" PRIu64,
                                            cells != NULL ? cells->n_complete + 1 : 1,
                                            find_level (self, LEVEL_OUTPUTS)->n_complete + 1);
  HlJsonLexer page;
  hl_json_lexer_init (&page, text, size, NULL, self->lexer.cancellable);
  if (is_mapped)
    hl_json_lexer_set_mapped (&page);
  self->pages->place = place;
  const gboolean read = hl_page_reader_read (self->pages, &page, error);
  self->pages->place = NULL;
  return hl_json_spool_check (&spool, error) && read;
}

static gboolean
open_level (Walker  *self,
            int      first,
            GError **error)
{
  if (self->depth == HL_JSON_MAX_DEPTH)
    {
      guint64 line, column;
      hl_json_lexer_locate (&self->lexer, self->lexer.at, &line, &column);
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                   _ (
                     "there are more than %d lists and objects inside one another, at line %" PRIu64
                     ", column %" PRIu64),
                   HL_JSON_MAX_DEPTH, line, column);
      return FALSE;
    }
  LevelKind kind = LEVEL_OTHER;
  if (first == '[' && g_str_equal (self->name->str, "cells"))
    kind = LEVEL_CELLS;
  else if (first == '[' && g_str_equal (self->name->str, "outputs"))
    kind = LEVEL_OUTPUTS;
  self->levels[self->depth++] = (Level){ .kind = kind, .is_list = first == '[' };
  g_string_truncate (self->name, 0);
  self->lexer.at++;
  return TRUE;
}

static gboolean
read_name (Walker  *self,
           GError **error)
{
  if (hl_json_lexer_peek (&self->lexer) != '"')
    return hl_json_lexer_fail (&self->lexer, _ ("the name of a member"), error);
  if (!hl_json_lexer_read_string (&self->lexer, self->name, self->pages->budget.other_bytes, error))
    return FALSE;
  if (hl_json_lexer_peek (&self->lexer) != ':')
    return hl_json_lexer_fail (&self->lexer, "“:”", error);
  self->lexer.at++;
  return TRUE;
}

/* A value that is no list and no object. */
static gboolean
skip_scalar (Walker  *self,
             int      first,
             GError **error)
{
  HlJsonNumber number;

  switch (first)
    {
    case '"':
      return hl_json_lexer_read_string (&self->lexer, NULL, 0, error);
    case 't':
      return hl_json_lexer_read_literal (&self->lexer, "true", error);
    case 'f':
      return hl_json_lexer_read_literal (&self->lexer, "false", error);
    case 'n':
      return hl_json_lexer_read_literal (&self->lexer, "null", error);
    default:
      return hl_json_lexer_read_number (&self->lexer, &number, error);
    }
}

/* One element or member: opened if something is in it, otherwise read whole. */
static gboolean
read_value (Walker   *self,
            gboolean *opened,
            GError  **error)
{
  Level *level = &self->levels[self->depth - 1];

  *opened = FALSE;
  if (level->is_list)
    g_string_truncate (self->name, 0);
  else if (!read_name (self, error))
    return FALSE;
  if (!hl_json_lexer_check (&self->lexer, error))
    return FALSE;

  const int first = hl_json_lexer_peek (&self->lexer);
  if ((first == '"' || first == '[') && g_strv_contains (page_types, self->name->str) &&
      find_level (self, LEVEL_OUTPUTS) != NULL)
    {
      if (!read_page (self, first, error))
        return FALSE;
    }
  else if (first == '{' || first == '[')
    {
      *opened = TRUE;
      return open_level (self, first, error);
    }
  else if (!skip_scalar (self, first, error))
    {
      return FALSE;
    }
  level->n_complete++;
  return TRUE;
}

static gboolean
walk (Walker  *self,
      GError **error)
{
  gboolean just_opened = TRUE;

  while (self->depth > 0)
    {
      const gboolean is_list = self->levels[self->depth - 1].is_list;
      const int next = hl_json_lexer_peek (&self->lexer);

      if (next == (is_list ? ']' : '}'))
        {
          self->lexer.at++;
          self->depth--;
          if (self->depth > 0)
            self->levels[self->depth - 1].n_complete++;
          just_opened = FALSE;
          continue;
        }
      if (!just_opened)
        {
          if (next != ',')
            return hl_json_lexer_fail (&self->lexer, is_list ? _ ("“,” or “]”") : _ ("“,” or “}”"),
                                       error);
          self->lexer.at++;
        }
      if (!read_value (self, &just_opened, error))
        return FALSE;
    }
  if (hl_json_lexer_peek (&self->lexer) != -1)
    return hl_json_lexer_fail (&self->lexer, _ ("the end of the file"), error);
  return TRUE;
}

/**
 * hl_notebook_archive_recognise:
 * @file: the file
 * @head: its first bytes
 * @size: how many
 *
 * Returns: whether it is an object of JSON that begins as those of notebooks do
 */
gboolean
hl_notebook_archive_recognise (GFile        *file,
                               const guint8 *head,
                               gsize         size)
{
  const char *text = (const char *) head;
  gsize i = size >= 3 && memcmp (head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

  while (i < size && g_ascii_isspace (head[i]))
    i++;
  return i < size && head[i] == '{' &&
         (g_strstr_len (text, (gssize) size, "\"nbformat\"") != NULL ||
          g_strstr_len (text, (gssize) size, "\"cell_type\"") != NULL);
}

/**
 * hl_notebook_archive_read: (skip)
 * @text: a notebook
 * @is_mapped: whether it is a file, mapped to be read
 * @size: its bytes
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it
 * @error: as hl_notebook_archive_open()
 *
 * Reads a notebook that is in memory.
 *
 * Returns: (transfer full) (nullable): the archive
 */
HlArchive *
hl_notebook_archive_read (const char   *text,
                          gsize         size,
                          gboolean      is_mapped,
                          HlProgress   *progress,
                          GCancellable *cancellable,
                          GError      **error)
{
  g_auto (HlPageReader) pages = { 0 };
  g_autoptr (GString) name = g_string_new (NULL);
  Walker walker = { .pages = &pages, .name = name };

  hl_page_reader_init (&pages);
  hl_json_lexer_init (&walker.lexer, text, size, progress, cancellable);
  if (is_mapped)
    hl_json_lexer_set_mapped (&walker.lexer);
  if (hl_json_lexer_peek (&walker.lexer) != '{')
    {
      hl_json_lexer_fail (&walker.lexer, _ ("an object"), error);
      return NULL;
    }
  if (!open_level (&walker, '{', error) || !walk (&walker, error))
    return NULL;
  return hl_page_reader_finish (&pages, "Jupyter", error);
}

/**
 * hl_notebook_archive_open:
 * @file: a local file
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it
 * @error: %HL_ERROR_MISSING, %HL_ERROR_CORRUPT, %HL_ERROR_TRUNCATED, %HL_ERROR_ENCODING, %HL_ERROR_TOO_LARGE,
 *   %HL_ERROR_IO or %G_IO_ERROR_CANCELLED
 *
 * Reads the attention that the outputs of a notebook show, each as an example. Numbers take 4 bytes each, at most 1
 * GiB; names and strings at most 256 MiB. A large output is unpacked to a temporary file without a name.
 *
 * Returns: (transfer full) (nullable): the archive
 */
HlArchive *
hl_notebook_archive_open (GFile        *file,
                          HlProgress   *progress,
                          GCancellable *cancellable,
                          GError      **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autoptr (HlMappedFile) mapped = hl_mapped_file_open (file, error);
  if (mapped == NULL)
    return NULL;
  g_autoptr (HlArchive) archive = hl_notebook_archive_read (hl_mapped_file_get_data (mapped),
                                                            hl_mapped_file_get_size (mapped), TRUE, progress,
                                                            cancellable, error);
  return hl_mapped_file_check (mapped, error) ? g_steal_pointer (&archive) : NULL;
}
