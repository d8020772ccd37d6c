/* SPDX-License-Identifier: MIT */
/* Strings of JSON without their escapes: in memory, or in a file of no name where they are too large for that. */
#include "core/archive/json/hl-json-spool.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/hl-error.h"
#include "core/json/hl-json-unescape.h"

/* As much is kept in memory. */
#define BUFFER_SIZE (4 << 20)

/* As much is unescaped at a time. */
#define STEP (1 << 20)

/* The longest escape: two surrogates. */
#define LONGEST_ESCAPE 12

/**
 * hl_json_spool_init: (skip)
 * @self: (out caller-allocates): a spool with nothing in it
 * @lets_go: whether strings come from a file that is mapped to be read; what was taken of large ones then need not stay
 *   in memory
 *
 * Begins.
 */
void
hl_json_spool_init (HlJsonSpool *self,
                    gboolean     lets_go)
{
  *self = (HlJsonSpool){ .lets_go = lets_go, .buffer = g_string_new (NULL), .fd = -1 };
}

/**
 * hl_json_spool_clear: (skip)
 * @self: a spool
 *
 * Frees what is in it.
 */
void
hl_json_spool_clear (HlJsonSpool *self)
{
  g_clear_pointer (&self->mapped, hl_mapped_file_unref);
  if (self->fd >= 0)
    g_close (self->fd, NULL);
  self->fd = -1;
  if (self->buffer != NULL)
    g_string_free (self->buffer, TRUE);
  self->buffer = NULL;
}

static gboolean
fail (GError **error)
{
  const int reason = errno;

  g_set_error (error, HL_ERROR, HL_ERROR_IO, _ ("there is no room to unpack what it holds: %s"),
               g_strerror (reason));
  return FALSE;
}

static gboolean
flush (HlJsonSpool *self,
       GError     **error)
{
  gsize n_done = 0;

  if (self->fd < 0)
    {
      g_autofree char *path = NULL;

      self->fd = g_file_open_tmp ("headlight-XXXXXX", &path, NULL);
      if (self->fd < 0)
        return fail (error);
      g_unlink (path);
    }
  while (n_done < self->buffer->len)
    {
      const gssize n = write (self->fd, self->buffer->str + n_done, self->buffer->len - n_done);

      if (n < 0 && errno != EINTR)
        return fail (error);
      n_done += n > 0 ? (gsize) n : 0;
    }
  g_string_truncate (self->buffer, 0);
  return TRUE;
}

/* How much of a string can be taken without cutting an escape. */
static gsize
choose_step (const char *from,
             gsize       size)
{
  gsize n = STEP;

  while (n < size && memchr (from + n - LONGEST_ESCAPE, '\\', LONGEST_ESCAPE) != NULL)
    n++;
  return MIN (n, size);
}

/* What has been taken need not stay in memory: it is in the file. */
static void
let_go (const char *from,
        gsize       size)
{
  const guintptr page = (guintptr) sysconf (_SC_PAGESIZE);
  const guintptr first = ((guintptr) from + page - 1) & ~(page - 1);
  const guintptr end = ((guintptr) from + size) & ~(page - 1);

  if (end > first)
    madvise ((void *) first, end - first, MADV_DONTNEED);
}

/**
 * hl_json_spool_add: (skip)
 * @self: a spool
 * @from: the inside of a string that hl_json_lexer_read_string() has stepped over without an error
 * @size: its bytes
 * @error: %HL_ERROR_IO
 *
 * Adds what it stands for.
 *
 * Returns: whether that went well
 */
gboolean
hl_json_spool_add (HlJsonSpool *self,
                   const char  *from,
                   gsize        size,
                   GError     **error)
{
  const gboolean lets_go = self->lets_go && size > BUFFER_SIZE;

  while (size > 0)
    {
      const gsize n = choose_step (from, size), before = self->buffer->len;

      g_string_set_size (self->buffer, before + n);
      const gsize n_added = hl_json_unescape (from, n, self->buffer->str + before);
      g_string_truncate (self->buffer, before + n_added);
      if (self->buffer->len > BUFFER_SIZE && !flush (self, error))
        return FALSE;
      if (lets_go)
        let_go (from, n);
      from += n;
      size -= n;
    }
  return TRUE;
}

/**
 * hl_json_spool_finish: (skip)
 * @self: a spool
 * @text: (out): all of it, which is not terminated; until the spool is cleared
 * @size: (out): its bytes
 * @is_mapped: (out): whether it is a file, mapped to be read
 * @error: %HL_ERROR_IO
 *
 * Ends.
 *
 * Returns: whether that went well
 */
gboolean
hl_json_spool_finish (HlJsonSpool *self,
                      const char **text,
                      gsize       *size,
                      gboolean    *is_mapped,
                      GError     **error)
{
  *is_mapped = self->fd >= 0;
  if (!*is_mapped)
    {
      *text = self->buffer->str;
      *size = self->buffer->len;
      return TRUE;
    }
  if (!flush (self, error))
    return FALSE;
  self->mapped = hl_mapped_file_new_for_fd (self->fd, error);
  if (self->mapped == NULL)
    return FALSE;
  *text = hl_mapped_file_get_data (self->mapped);
  *size = hl_mapped_file_get_size (self->mapped);
  return TRUE;
}

/**
 * hl_json_spool_check: (skip)
 * @self: a spool that is finished, and whose text was looked at
 * @error: as hl_mapped_file_check()
 *
 * Returns: whether the text was what was added
 */
gboolean
hl_json_spool_check (HlJsonSpool *self,
                     GError     **error)
{
  return self->mapped == NULL || hl_mapped_file_check (self->mapped, error);
}
