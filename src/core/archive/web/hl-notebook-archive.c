/* SPDX-License-Identifier: MIT */
/* A Jupyter notebook as an archive: the outputs of its cells are pages and scripts, and are read as such. */
#include "core/archive/web/hl-notebook-archive.h"

#include "core/archive/web/hl-page-archive.h"
#include "core/base/hl-error.h"
#include "core/base/file/hl-mapped-file.h"
#include "core/base/file/hl-scratch-file.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* As much of an output is kept in memory. */
#define BUFFER_SIZE ((gsize) 4 << 20)

/* What an output says: it may be a page of hundreds of megabytes. */
typedef struct
{
  GString *text; /* what is not in the file */
  FILE *file;    /* without a name; NULL while there is room in memory */
  gsize n_filed; /* bytes in it */
  gsize max_size;
} Output;

typedef struct
{
  HlJsonReader json;
  HlPageReader *pages;
  gsize max_output;
  GString *name;       /* of the member that is being read; empty in a list */
  guint cells_depth;   /* of the outermost list of that name, or 0 */
  guint outputs_depth; /* likewise */
} Walker;

/* The types of output that tools write. Before version 4 of the format they had other names. */
static const char *const page_types[] = { "application/javascript", "text/html", "javascript", "html", NULL };

static void
output_clear (Output *self)
{
  g_clear_pointer (&self->file, fclose);
  g_string_free (self->text, TRUE);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Output, output_clear)

static gboolean
flush (Output  *self,
       GError **error)
{
  if (self->file == NULL)
    {
      const int fd = hl_scratch_file_open (0, error);

      if (fd < 0)
        return FALSE;
      self->file = fdopen (fd, "w");
    }
  if (self->file == NULL || fwrite (self->text->str, 1, self->text->len, self->file) < self->text->len ||
      fflush (self->file) != 0)
    {
      const int reason = errno;

      g_set_error (error, HL_ERROR, HL_ERROR_IO, _ ("there is no room to unpack what it holds: %s"),
                   g_strerror (reason));
      return FALSE;
    }
  self->n_filed += self->text->len;
  g_string_truncate (self->text, 0);
  return TRUE;
}

static gboolean
read_string (HlJsonReader *json,
             Output       *output,
             GError      **error)
{
  hl_json_reader_begin_string (json);
  for (gboolean more = TRUE; more;)
    {
      if (!hl_json_reader_read_piece (json, output->text, G_MAXSIZE, &more, error))
        return FALSE;
      if (output->text->len > output->max_size - output->n_filed)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                       _ ("it has more than %" PRIu64 " MiB, the most that is read of one output"),
                       (guint64) (output->max_size >> 20));
          return FALSE;
        }
      if (output->text->len > BUFFER_SIZE && !flush (output, error))
        return FALSE;
    }
  return TRUE;
}

/* An output is one string, or its lines one behind the other. */
static gboolean
read_output (HlJsonReader *json,
             Output       *output,
             GError      **error)
{
  gboolean more;

  if (hl_json_reader_peek (json) == '"')
    return read_string (json, output, error);
  if (!hl_json_reader_begin (json, '[', NULL, error) || !hl_json_reader_next (json, &more, error))
    return FALSE;
  while (more)
    {
      if (hl_json_reader_peek (json) != '"')
        return hl_json_reader_fail (json, _ ("a line of the output"), error);
      if (!read_string (json, output, error) || !hl_json_reader_next (json, &more, error))
        return FALSE;
    }
  return TRUE;
}

/* An output as a page of its own. */
static gboolean
read_page (Walker  *self,
           GError **error)
{
  const guint64 cell = self->cells_depth > 0 ? self->json.counts[self->cells_depth] + 1 : 1;
  g_autofree char *place =
    g_strdup_printf ("cell %" PRIu64 ", output %" PRIu64, cell, self->json.counts[self->outputs_depth] + 1);
  const HlJsonReader before = self->json;
  g_auto (Output) output = { .text = g_string_new (NULL), .max_size = self->max_output };
  g_autoptr (GError) problem = NULL;
  g_autoptr (HlMappedFile) mapped = NULL;
  HlJsonReader page;

  if (!read_output (&self->json, &output, &problem))
    {
      if (!g_error_matches (problem, HL_ERROR, HL_ERROR_TOO_LARGE))
        {
          g_propagate_error (error, g_steal_pointer (&problem));
          return FALSE;
        }
      /* What is behind it can be read. */
      g_prefix_error (&problem, "%s: ", place);
      self->json = before;
      hl_page_reader_take_problem (self->pages, TRUE, g_steal_pointer (&problem));
      return hl_json_reader_skip (&self->json, error);
    }
  if (output.file != NULL && !flush (&output, error))
    return FALSE;
  hl_json_reader_init (&page, output.text->str, output.text->len, NULL, self->json.cancellable);
  if (output.file != NULL)
    {
      mapped = hl_mapped_file_new_for_fd (fileno (output.file), error);
      if (mapped == NULL)
        return FALSE;
      hl_json_reader_init (&page, hl_mapped_file_get_data (mapped), hl_mapped_file_get_size (mapped), NULL,
                           self->json.cancellable);
      hl_json_reader_set_mapped (&page);
    }
  self->pages->place = place;
  const gboolean read = hl_page_reader_read (self->pages, &page, error);
  self->pages->place = NULL;
  return read;
}

static gboolean
open_container (Walker  *self,
                int      first,
                GError **error)
{
  if (!hl_json_reader_begin (&self->json, (char) first, _ ("an object"), error))
    return FALSE;
  if (first == '[' && self->cells_depth == 0 && g_str_equal (self->name->str, "cells"))
    self->cells_depth = self->json.depth;
  else if (first == '[' && self->outputs_depth == 0 && g_str_equal (self->name->str, "outputs"))
    self->outputs_depth = self->json.depth;
  return TRUE;
}

/* One element or member: opened if something is in it, otherwise read whole. */
static gboolean
read_value (Walker  *self,
            GError **error)
{
  g_string_truncate (self->name, 0);
  if (self->json.closers[self->json.depth] == '}' &&
      !hl_json_reader_read_name (&self->json, self->name, HL_LIMIT_JSON_NAME, error))
    return FALSE;

  const int first = hl_json_reader_peek (&self->json);
  if ((first == '"' || first == '[') && self->outputs_depth > 0 && g_strv_contains (page_types, self->name->str))
    return read_page (self, error);
  return first == '{' || first == '[' ? open_container (self, first, error) : hl_json_reader_skip (&self->json, error);
}

static gboolean
walk (Walker  *self,
      GError **error)
{
  if (!open_container (self, '{', error))
    return FALSE;
  while (self->json.depth > 0)
    {
      gboolean more;

      if (!hl_json_reader_next (&self->json, &more, error) || (more && !read_value (self, error)))
        return FALSE;
      if (self->json.depth < self->cells_depth)
        self->cells_depth = 0;
      if (self->json.depth < self->outputs_depth)
        self->outputs_depth = 0;
    }
  return hl_json_reader_end (&self->json, _ ("the end of the file"), error);
}

/* Returns whether it is an object of JSON that begins as those of notebooks do. */
gboolean
hl_notebook_archive_recognise (GFile        *file,
                               const guint8 *head,
                               gsize         size)
{
  const char *text = (const char *) head;
  gsize i = hl_utf8_measure_mark (head, size);

  while (i < size && g_ascii_isspace (head[i]))
    i++;
  return i < size && head[i] == '{' &&
         (g_strstr_len (text, (gssize) size, "\"nbformat\"") != NULL ||
          g_strstr_len (text, (gssize) size, "\"cell_type\"") != NULL);
}

/* Reads a notebook that is in memory, and of outputs those that have at most so many bytes. */
HlArchive *
hl_notebook_archive_read (const char   *text,
                          gsize         size,
                          gboolean      is_mapped,
                          gsize         max_output,
                          HlProgress   *progress,
                          GCancellable *cancellable,
                          GError      **error)
{
  g_auto (HlPageReader) pages = { 0 };
  g_autoptr (GString) name = g_string_new (NULL);
  Walker walker = { .pages = &pages, .max_output = max_output, .name = name };

  hl_page_reader_init (&pages);
  hl_json_reader_init (&walker.json, text, size, progress, cancellable);
  if (is_mapped)
    hl_json_reader_set_mapped (&walker.json);
  return walk (&walker, error) ? hl_page_reader_finish (&pages, "Jupyter", error) : NULL;
}

/* Reads the attention that the outputs of a notebook show, each as an example. Numbers take 4 bytes each, at most 1
 * GiB; names and strings at most 128 MiB. A large output is unpacked to a temporary file without a name;
 * one of more than 256 MiB is left out, which the attribute `unreadable` of the root then says. */
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
  g_autoptr (HlArchive)
    archive = hl_notebook_archive_read (hl_mapped_file_get_data (mapped), hl_mapped_file_get_size (mapped), TRUE,
                                        HL_LIMIT_NOTEBOOK_OUTPUT, progress, cancellable, error);
  return hl_mapped_file_check (mapped, error) ? g_steal_pointer (&archive) : NULL;
}
