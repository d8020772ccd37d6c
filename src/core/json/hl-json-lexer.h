/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/base/hl-progress.h"

G_BEGIN_DECLS

/**
 * HL_JSON_CHECK_INTERVAL:
 *
 * How many bytes are read between two looks at the cancellable.
 */
#define HL_JSON_CHECK_INTERVAL (1 << 20)

/**
 * HlJsonLexer:
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
 *
 * A position in JSON text, and the tokens from there on. Nothing is copied or kept.
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
} HlJsonLexer;

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

void     hl_json_lexer_init         (HlJsonLexer   *self,
                                     const char    *text,
                                     gsize          size,
                                     HlProgress    *progress,
                                     GCancellable  *cancellable);
void     hl_json_lexer_set_mapped   (HlJsonLexer   *self);
gboolean hl_json_lexer_check        (HlJsonLexer   *self,
                                     GError       **error);
void     hl_json_lexer_locate       (HlJsonLexer   *self,
                                     const char    *at,
                                     guint64       *line,
                                     guint64       *column);
gboolean hl_json_lexer_fail         (HlJsonLexer   *self,
                                     const char    *expected,
                                     GError       **error);
gboolean hl_json_lexer_read_number  (HlJsonLexer   *self,
                                     HlJsonNumber  *number,
                                     GError       **error);
gboolean hl_json_lexer_read_string  (HlJsonLexer   *self,
                                     GString       *string,
                                     gsize          max_length,
                                     GError       **error);
gboolean hl_json_lexer_read_literal (HlJsonLexer   *self,
                                     const char    *literal,
                                     GError       **error);
double   hl_json_number_to_double   (const HlJsonNumber *number);
float    hl_json_number_to_float    (const HlJsonNumber *number);
gboolean hl_json_number_to_int64    (const HlJsonNumber *number,
                                     gint64             *value);

/**
 * hl_json_lexer_peek:
 * @self: a lexer
 *
 * Steps over white space.
 *
 * Returns: the byte that follows, -1 at the end
 */
static inline int
hl_json_lexer_peek (HlJsonLexer *self)
{
  const char *at = self->at;

  while (at < self->end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
    at++;
  self->at = at;
  return at < self->end ? (guchar) *at : -1;
}

G_END_DECLS
