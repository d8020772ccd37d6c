/* SPDX-License-Identifier: MIT */
/* A position in JSON, how far it is, and where in the text something is wrong. Strict, except that NaN, Infinity and
 * -Infinity are numbers, as Python writes them. */
#include "core/json/hl-json-lexer.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What lies this far back may still be looked at. */
#define KEPT_BEHIND (1 << 16)

/**
 * hl_json_lexer_init:
 * @self: a lexer
 * @text: the text; need not be terminated
 * @size: its bytes
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it
 *
 * Begins at the first byte, or after a byte order mark.
 */
void
hl_json_lexer_init (HlJsonLexer  *self,
                    const char   *text,
                    gsize         size,
                    HlProgress   *progress,
                    GCancellable *cancellable)
{
  if (size >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0)
    {
      text += 3;
      size -= 3;
    }
  *self = (HlJsonLexer){
    .start = text,
    .at = text,
    .end = text + size,
    .progress = progress,
    .cancellable = cancellable,
    .next_check = text,
    .mark = text,
    .line = 1,
    .column = 1,
  };
}

/**
 * hl_json_lexer_set_mapped:
 * @self: a lexer that has read nothing yet
 *
 * Says that the text is a file, mapped to be read. What has been read is then let go of, so that a
 * large file does not fill memory. It can still be looked at.
 */
void
hl_json_lexer_set_mapped (HlJsonLexer *self)
{
  self->released = self->start;
}

static void
release (HlJsonLexer *self)
{
  const guintptr page = (guintptr) sysconf (_SC_PAGESIZE);
  const guintptr from = (guintptr) self->released & ~(page - 1);

  if (self->at - self->released <= KEPT_BEHIND)
    return;
  self->released = self->at - KEPT_BEHIND;
  const guintptr to = (guintptr) self->released & ~(page - 1);
  if (to > from)
    madvise ((void *) from, to - from, MADV_DONTNEED);
}

/**
 * hl_json_lexer_check:
 * @self: a lexer
 * @error: %G_IO_ERROR_CANCELLED
 *
 * Reports progress, looks whether to stop and lets go of what has been read, once every MiB;
 * otherwise does nothing.
 *
 * Returns: whether to go on
 */
gboolean
hl_json_lexer_check (HlJsonLexer *self,
                     GError     **error)
{
  if (G_LIKELY (self->at < self->next_check))
    return TRUE;

  self->next_check = self->at + MIN (HL_JSON_CHECK_INTERVAL, self->end - self->at + 1);
  hl_progress_set (self->progress,
                   (double) (self->at - self->start) / (double) MAX (self->end - self->start, 1),
                   _ ("Reading JSON"));
  if (self->released != NULL)
    release (self);
  return !g_cancellable_set_error_if_cancelled (self->cancellable, error);
}

/**
 * hl_json_lexer_locate:
 * @self: a lexer
 * @at: a byte of the text
 * @line: (out): its line, from 1
 * @column: (out): its column in characters, from 1
 *
 * Where a byte is for people. Counts on from the last place asked for, so that many questions in
 * order cost one pass.
 */
void
hl_json_lexer_locate (HlJsonLexer *self,
                      const char  *at,
                      guint64     *line,
                      guint64     *column)
{
  if (at < self->mark)
    {
      self->mark = self->start;
      self->line = self->column = 1;
    }
  for (; self->mark < at; self->mark++)
    {
      if (*self->mark == '\n')
        {
          self->line++;
          self->column = 1;
        }
      else if (((guchar) *self->mark & 0xc0) != 0x80)
        {
          self->column++;
        }
    }
  *line = self->line;
  *column = self->column;
}

/**
 * hl_json_lexer_fail:
 * @self: a lexer that stands before what is wrong
 * @expected: what JSON would have there, translated
 * @error: set to %HL_ERROR_CORRUPT, or to %HL_ERROR_TRUNCATED at the end of the text
 *
 * Returns: %FALSE
 */
gboolean
hl_json_lexer_fail (HlJsonLexer *self,
                    const char  *expected,
                    GError     **error)
{
  guint64 line, column;

  hl_json_lexer_locate (self, self->at, &line, &column);
  if (self->at >= self->end)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED,
                   _ ("the JSON breaks off at line %" PRIu64 ", column %" PRIu64
                      ", where %s should follow"),
                   line, column, expected);
      return FALSE;
    }

  const gunichar c = g_utf8_get_char_validated (self->at, self->end - self->at);
  g_autofree char *found = NULL;
  if (c < 0x110000 && g_unichar_isprint (c))
    found = g_strdup_printf ("“%.*s”", (int) g_utf8_skip[(guchar) *self->at], self->at);
  else
    found = g_strdup_printf (_ ("the byte 0x%02X"), (guchar) *self->at);
  g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
               _ ("this is not valid JSON at line %" PRIu64 ", column %" PRIu64
                  ": %s where %s should be"),
               line, column, found, expected);
  return FALSE;
}

/**
 * hl_json_lexer_read_literal:
 * @self: a lexer
 * @literal: a word, such as `true`
 * @error: %HL_ERROR_CORRUPT or %HL_ERROR_TRUNCATED
 *
 * Returns: whether the word, and no longer one, was there
 */
gboolean
hl_json_lexer_read_literal (HlJsonLexer *self,
                            const char  *literal,
                            GError     **error)
{
  const char *c = literal;

  while (*c != '\0' && self->at < self->end && *self->at == *c)
    {
      self->at++;
      c++;
    }
  if (*c == '\0' && (self->at == self->end || !g_ascii_isalnum (*self->at)))
    return TRUE;

  g_autofree char *expected = g_strdup_printf ("“%s”", literal);
  self->at -= c - literal;
  if (self->end - self->at == c - literal)
    self->at = self->end;
  return hl_json_lexer_fail (self, expected, error);
}
