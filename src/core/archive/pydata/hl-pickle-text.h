/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/pydata/hl-pickle-value.h"

G_BEGIN_DECLS

/**
 * HlPickleReader:
 * @first: the first byte; mapped, so it lasts only as long as the pickle is read or whoever keeps the span
 * @size: how many bytes there are
 * @at: the next one
 * @span: where they come from
 *
 * Reads what stands behind opcodes. Nothing is read past the end.
 */
typedef struct
{
  const guint8 *first;
  gsize         size;
  gsize         at;
  HlSpan       *span;
} HlPickleReader;

gboolean       hl_pickle_reader_take_number (HlPickleReader      *self,
                                             guint                size,
                                             guint64             *number,
                                             GError             **error);
gboolean       hl_pickle_reader_take_index  (HlPickleReader      *self,
                                             guint64             *index,
                                             GError             **error);
char          *hl_pickle_reader_take_name   (HlPickleReader      *self,
                                             GError             **error);
char          *hl_pickle_make_name          (const HlPickleText  *text,
                                             GError             **error);
HlPickleValue *hl_pickle_reader_take_text   (HlPickleReader      *self,
                                             HlPickleHeap        *heap,
                                             HlPickleKind         kind,
                                             guint                size,
                                             GError             **error);
HlPickleValue *hl_pickle_reader_take_value  (HlPickleReader      *self,
                                             HlPickleHeap        *heap,
                                             guint8               opcode,
                                             GError             **error);

G_END_DECLS
