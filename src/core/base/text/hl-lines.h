/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/base/file/hl-mapped-file.h"

G_BEGIN_DECLS

/**
 * HlLine:
 * @text: (array length=size): the line without its end, `\n` or `\r\n`; no zero stands behind it
 * @size: its bytes
 * @number: which it is
 * @next: (skip): where the line behind it begins
 * @end: (skip): where the text ends
 *
 * A line of a text, and the place in it of whoever steps through it.
 */
typedef struct
{
  const char *text;
  gsize       size;
  guint       number;
  const char *next;
  const char *end;
} HlLine;

/**
 * HlLines:
 * @bytes: (array length=size): the text, without a byte order mark
 * @size: its bytes
 * @file: (nullable): the file that @bytes stay in
 * @copy: (nullable): what keeps @bytes otherwise
 *
 * A text of lines that stays in its file, or a copy of one. Immutable between init and clear.
 */
typedef struct
{
  const char   *bytes;
  gsize         size;
  HlMappedFile *file;
  char         *copy;
} HlLines;

gboolean hl_lines_init_file   (HlLines        *self,
                               GFile          *file,
                               GCancellable   *cancellable,
                               GError        **error);
void     hl_lines_init_copy   (HlLines        *self,
                               const char     *text,
                               gsize           size);
void     hl_lines_clear       (HlLines        *self);
gboolean hl_lines_check       (const HlLines  *self,
                               GError        **error);
HlLine   hl_line_before       (const char     *text,
                               gsize           size,
                               guint           number);
gboolean hl_line_next         (HlLine         *self);
gboolean hl_line_next_checked (HlLine         *self,
                               GCancellable   *cancellable,
                               GError        **error);
gboolean hl_line_check        (const HlLine   *self,
                               GError        **error);

G_END_DECLS
