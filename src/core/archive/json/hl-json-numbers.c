/* SPDX-License-Identifier: MIT */
/* Numbers of JSON, two bytes of which may become four: those of a large file would fill memory, so they are put into a file as those of a
 * packed zip file are. */
#include "core/archive/json/hl-json-numbers.h"

#include <glib/gi18n-lib.h>

#include "core/base/file/hl-scratch-file.h"
#include "core/base/hl-error.h"

/* As many are collected before they are put into the file, and moved there at a time. */
#define N_COLLECTED ((gsize) 64 << 10)

static gboolean
spend (HlJsonNumbers *self,
       guint64        n,
       GError       **error)
{
  if (n <= self->budget->number_bytes / sizeof (float))
    {
      self->budget->number_bytes -= n * sizeof (float);
      return TRUE;
    }
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
               _ ("its numbers need more than the 1 GiB that Headlight spends on those of JSON; "
                  "an HDF5 file has no such limit"));
  return FALSE;
}

static gboolean
require_file (HlJsonBudget *budget,
              GError      **error)
{
  if (budget->file != NULL)
    return TRUE;
  const int fd = hl_scratch_file_open (HL_LIMIT_JSON_NUMBERS, error);
  if (fd < 0)
    return FALSE;
  budget->fd = fd;
  budget->file = (GObject *) hl_span_new_for_scratch (fd, NULL, error);
  return budget->file != NULL;
}

/* What is not in memory has been paid for once it is in the file. */
static gboolean
flush (HlJsonNumbers *self,
       GError       **error)
{
  HlJsonBudget *budget = self->budget;
  const gsize n_bytes = self->n_latest * sizeof (float);

  if (!spend (self, self->n_latest, error) ||
      !hl_scratch_file_write (budget->fd, budget->n_in_file, self->latest, n_bytes, error))
    return FALSE;
  budget->n_in_file += n_bytes;
  self->n_written += self->n_latest;
  self->n_latest = 0;
  return TRUE;
}

/* What is in memory is given back, with what it was paid for. */
static void
release (HlJsonNumbers *self,
         gsize          n)
{
  if (self->is_in_file)
    return;
  self->budget->number_bytes += n * sizeof (float);
  self->budget->memory_bytes += n * sizeof (float);
}

static gboolean
move_to_file (HlJsonNumbers *self,
              GError       **error)
{
  if (!require_file (self->budget, error))
    return FALSE;
  release (self, self->n_allocated);
  self->is_in_file = TRUE;
  self->place = self->budget->n_in_file;
  if (!flush (self, error))
    return FALSE;
  self->latest = g_renew (float, self->latest, N_COLLECTED);
  self->n_allocated = N_COLLECTED;
  return TRUE;
}

static gboolean
grow (HlJsonNumbers *self,
      gsize          n,
      GError       **error)
{
  const gsize n_more = n - self->n_allocated;

  if (!spend (self, n_more, error))
    return FALSE;
  self->budget->memory_bytes -= n_more * sizeof (float);
  self->latest = g_renew (float, self->latest, n);
  self->n_allocated = n;
  return TRUE;
}

static gboolean
has_memory (const HlJsonNumbers *self,
            gsize                n)
{
  return !self->is_in_file && n - self->n_allocated <= self->budget->memory_bytes / sizeof (float);
}

/* For one more. */
gboolean
hl_json_numbers_make_room (HlJsonNumbers *self,
                           GError       **error)
{
  const gsize n = MAX (16, self->n_allocated + self->n_allocated / 2);

  if (self->is_in_file)
    return flush (self, error);
  return has_memory (self, n) ? grow (self, n, error) : move_to_file (self, error);
}

/* To where they do not lie yet, the last ones first. */
static gboolean
move (HlJsonNumbers *self,
      guint64        from,
      guint64        to,
      guint64        n,
      GError       **error)
{
  while (n > 0 && from != to)
    {
      const gsize part = (gsize) MIN (n, N_COLLECTED);
      n -= part;
      if (!hl_span_read (HL_SPAN (self->budget->file), self->place + (from + n) * sizeof (float), self->latest,
                         part * sizeof (float), error) ||
          !hl_scratch_file_overwrite (self->budget->fd, self->place + (to + n) * sizeof (float), self->latest,
                                      part * sizeof (float), error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
put_zeros (HlJsonNumbers *self,
           guint64        at,
           guint64        n,
           GError       **error)
{
  for (gsize i = 0; i < MIN (n, N_COLLECTED); i++)
    self->latest[i] = 0;
  for (guint64 done = 0; done < n; done += N_COLLECTED)
    if (!hl_scratch_file_overwrite (self->budget->fd, self->place + (at + done) * sizeof (float), self->latest,
                                    MIN (n - done, N_COLLECTED) * sizeof (float), error))
      return FALSE;
  return TRUE;
}

/* As hl_json_sizes_pad_map(), in the file. */
static gboolean
pad_in_file (HlJsonNumbers *self,
             guint64        first,
             guint64        n_rows,
             guint64        first_row,
             GError       **error)
{
  const guint64 width = first_row + n_rows - 1;
  guint64 dense = self->n_written - first;

  for (guint64 row = n_rows; row-- > 0;)
    {
      const guint64 length = first_row + row;
      const guint64 to = first + row * width;
      dense -= length;
      if (!move (self, first + dense, to, length, error) || !put_zeros (self, to + length, width - length, error))
        return FALSE;
    }
  return TRUE;
}

/* The rows of a map are complete, each longer than the one before: they are made as long as the last. */
gboolean
hl_json_numbers_pad_map (HlJsonNumbers *self,
                         HlJsonSizes   *sizes,
                         GError       **error)
{
  const guint64 n_rows = sizes->dims[sizes->rank - 2];
  const guint64 n_missing = n_rows * (n_rows - 1) / 2;
  const guint64 n_dense = n_rows * sizes->first_row + n_missing;
  const gsize n = self->n_latest + n_missing;

  if (!self->is_in_file && n > self->n_allocated &&
      !(has_memory (self, n) ? grow (self, n, error) : move_to_file (self, error)))
    return FALSE;
  if (!self->is_in_file)
    {
      hl_json_sizes_pad_map (sizes, self->latest + self->n_latest - n_dense);
      self->n_latest = n;
      return TRUE;
    }
  if (!flush (self, error) || !spend (self, n_missing, error))
    return FALSE;
  self->budget->n_in_file += n_missing * sizeof (float);
  if (!pad_in_file (self, self->n_written - n_dense, n_rows, sizes->first_row, error))
    return FALSE;
  self->n_written += n_missing;
  sizes->dims[sizes->rank - 1] = sizes->first_row + n_rows - 1;
  return TRUE;
}

/* Returns all of them, one after the other; nothing is left. */
HlSpan *
hl_json_numbers_end (HlJsonNumbers *self,
                     GError       **error)
{
  HlSpan *span;

  if (self->is_in_file)
    {
      span = flush (self, error)
               ? hl_span_slice (HL_SPAN (self->budget->file), self->place, self->n_written * sizeof (float))
               : NULL;
    }
  else
    {
      g_autoptr (GBytes) bytes = NULL;

      /* What was allocated ahead goes back. */
      release (self, self->n_allocated - self->n_latest);
      self->latest = g_renew (float, self->latest, self->n_latest);
      bytes = g_bytes_new_take (g_steal_pointer (&self->latest), self->n_latest * sizeof (float));
      span = hl_span_new_for_bytes (bytes);
      self->n_allocated = 0;
    }
  hl_json_numbers_clear (self);
  return span;
}

/* Those in the file have been paid for. */
void
hl_json_numbers_clear (HlJsonNumbers *self)
{
  release (self, self->n_allocated);
  g_free (self->latest);
  *self = (HlJsonNumbers){ .budget = self->budget };
}
