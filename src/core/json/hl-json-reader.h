/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/base/hl-limits.h"
#include "core/base/hl-progress.h"

G_BEGIN_DECLS

/**
 * HlJsonReader:
 * @start: the first byte, after a byte order mark
 * @at: the next byte to read
 * @end: one past the last byte
 * @progress: (nullable): told how many of the bytes are consumed
 * @cancellable: (nullable): asked at the same pace
 * @next_check: where progress and cancellation are looked at next
 * @released: (nullable): up to where a mapped file has been let go of; %NULL if the text is none
 * @mark: up to where lines have been counted
 * @line: the line of @mark, from 1
 * @column: the column of @mark in characters, from 1
 * @label: (nullable): what sentences call what is being read
 * @depth: how many lists and objects are open
 * @is_fresh: whether the innermost of them was opened just now
 * @closers: by depth, from 1, what closes it
 * @counts: by depth, from 1, how many of its elements are complete
 *
 * A position in JSON text, and what is read from there on, value by value. Nothing is copied or kept. Strict, except
 * that NaN, Infinity and -Infinity are numbers, as Python writes them.
 *
 * |[<!-- language="C" -->
 * if (!hl_json_reader_begin (reader, '{', _ ("an object"), error))
 *   return FALSE;
 * for (gboolean more;;)
 *   {
 *     if (!hl_json_reader_next (reader, &more, error))
 *       return FALSE;
 *     if (!more)
 *       return TRUE;
 *     if (!hl_json_reader_read_name (reader, name, MAX_NAME, error) || !hl_json_reader_skip (reader, error))
 *       return FALSE;
 *   }
 * ]|
 */
typedef struct
{
  const char   *start;
  const char   *at;
  const char   *end;
  HlProgress   *progress;
  GCancellable *cancellable;
  const char   *next_check;
  const char   *released;
  const char   *mark;
  guint64       line;
  guint64       column;
  const char   *label;
  guint         depth;
  gboolean      is_fresh;
  char          closers[HL_LIMIT_JSON_DEPTH + 1];
  guint64       counts[HL_LIMIT_JSON_DEPTH + 1];
} HlJsonReader;

/**
 * HlJsonNumber:
 * @text: its spelling, not terminated
 * @length: bytes of the spelling
 * @mantissa: its digits as one integer, the point left out
 * @exponent: the power of ten that @mantissa is multiplied with
 * @negative: whether there is a minus sign
 * @exact: whether @mantissa holds all digits
 * @integer: whether it has neither a fraction nor an exponent
 * @special: 'n' for NaN, 'i' for Infinity, 0 for a number
 *
 * A number as it is spelt.
 */
typedef struct
{
  const char *text;
  gsize       length;
  guint64     mantissa;
  int         exponent;
  gboolean    negative;
  gboolean    exact;
  gboolean    integer;
  char        special;
} HlJsonNumber;

/**
 * HlJsonBudget:
 * @number_bytes: what may still be spent on decoded numbers
 * @other_bytes: what may still be spent on names, strings and structure
 * @memory_bytes: what of the numbers may still be in memory
 * @file: (nullable): of those that are not, once there are any; a file without a name
 * @fd: its descriptor, which it closes
 * @n_in_file: bytes that are in it
 *
 * What reading one file may still cost.
 */
typedef struct
{
  gsize    number_bytes;
  gsize    other_bytes;
  gsize    memory_bytes;
  GObject *file;
  int      fd;
  guint64  n_in_file;
} HlJsonBudget;

/**
 * HL_JSON_BUDGET:
 *
 * What reading a file may cost: 1 GiB of numbers, 64 MiB of them in memory; 128 MiB of names, strings and structure.
 */
#define HL_JSON_BUDGET { HL_LIMIT_JSON_NUMBERS, HL_LIMIT_JSON_TEXT, (gsize) 64 << 20, NULL, -1, 0 }

gboolean    hl_json_budget_spend       (HlJsonBudget  *budget,
                                        gsize          bytes,
                                        GError       **error);
void        hl_json_budget_clear       (HlJsonBudget  *budget);

void        hl_json_reader_init        (HlJsonReader  *self,
                                        const char    *text,
                                        gsize          size,
                                        HlProgress    *progress,
                                        GCancellable  *cancellable);
void        hl_json_reader_set_mapped  (HlJsonReader  *self);
gboolean    hl_json_reader_check       (HlJsonReader  *self,
                                        GError       **error);
void        hl_json_reader_locate      (HlJsonReader  *self,
                                        const char    *at,
                                        guint64       *line,
                                        guint64       *column);
void        hl_json_reader_go_back     (HlJsonReader  *self,
                                        const HlJsonReader *before);
gboolean    hl_json_reader_fail        (HlJsonReader  *self,
                                        const char    *expected,
                                        GError       **error);
gboolean    hl_json_reader_begin       (HlJsonReader  *self,
                                        char           opener,
                                        const char    *expected,
                                        GError       **error);
gboolean    hl_json_reader_next        (HlJsonReader  *self,
                                        gboolean      *more,
                                        GError       **error);
gboolean    hl_json_reader_read_name   (HlJsonReader  *self,
                                        GString       *name,
                                        gsize          max_length,
                                        GError       **error);
void        hl_json_reader_begin_string (HlJsonReader *self);
gboolean    hl_json_reader_read_piece  (HlJsonReader  *self,
                                        GString       *string,
                                        gsize          max_length,
                                        gboolean      *more,
                                        GError       **error);
gboolean    hl_json_reader_read_string (HlJsonReader  *self,
                                        GString       *string,
                                        gsize          max_length,
                                        GError       **error);
gboolean    hl_json_reader_read_number (HlJsonReader  *self,
                                        HlJsonNumber  *number,
                                        GError       **error);
const char *hl_json_reader_read_word   (HlJsonReader  *self,
                                        GError       **error);
gboolean    hl_json_reader_skip        (HlJsonReader  *self,
                                        GError       **error);
gboolean    hl_json_reader_leave       (HlJsonReader  *self,
                                        guint          depth,
                                        GError       **error);
gboolean    hl_json_reader_end         (HlJsonReader  *self,
                                        const char    *expected,
                                        GError       **error);

double      hl_json_number_to_double   (const HlJsonNumber  *self);
float       hl_json_number_to_float    (const HlJsonNumber  *self);
gboolean    hl_json_number_to_int64    (const HlJsonNumber  *self,
                                        gint64              *value);

/**
 * hl_json_reader_peek:
 * @self: a reader
 *
 * Steps over white space.
 *
 * Returns: the byte that follows, by which one knows what a value is; -1 at the end
 */
static inline int
hl_json_reader_peek (HlJsonReader *self)
{
  const char *at = self->at;

  while (at < self->end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
    at++;
  self->at = at;
  return at < self->end ? (guchar) *at : -1;
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlJsonBudget, hl_json_budget_clear)

G_END_DECLS
