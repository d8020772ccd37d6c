/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "core/base/hl-limits.h"

G_BEGIN_DECLS

/**
 * HlOffsets:
 * @start: first byte
 * @end: one past the last byte
 *
 * A part of the text as the user gave it.
 */
typedef struct
{
  guint32 start;
  guint32 end;
} HlOffsets;

/**
 * HlAligned:
 * @bytes: UTF-8, not terminated
 * @spans: for each byte of @bytes, what it was made from
 * @length: how many bytes
 * @origin: where in the user's text it begins
 * @overflow: whether something did not fit %HL_LIMIT_NORMALIZED_TEXT and was left out
 *
 * Text on its way from what the user typed to tokens, that remembers where each byte came from.
 */
typedef struct
{
  char      *bytes;
  HlOffsets *spans;
  gsize      length;
  guint32    origin;
  gboolean   overflow;
  /*< private >*/
  gsize      capacity;
} HlAligned;

/**
 * HlTransform:
 * @old: what is read
 * @at: the next byte of @old
 * @out: what is written
 *
 * Rewrites a text character by character.
 */
typedef struct
{
  const HlAligned *old;
  gsize            at;
  HlAligned        out;
} HlTransform;

void hl_aligned_init_slice  (HlAligned       *self,
                             const char      *text,
                             gsize            start,
                             gsize            end);
void hl_aligned_clear       (HlAligned       *self);
void hl_aligned_reserve     (HlAligned       *self,
                             gsize            extra);
void hl_aligned_append      (HlAligned       *self,
                             const char      *bytes,
                             gsize            length,
                             HlOffsets        span);
void hl_aligned_append_part (HlAligned       *self,
                             const HlAligned *other,
                             gsize            start,
                             gsize            end);

void hl_transform_begin     (HlTransform     *self,
                             const HlAligned *old);
void hl_transform_keep      (HlTransform     *self,
                             gunichar         c);
void hl_transform_insert    (HlTransform     *self,
                             gunichar         c);
void hl_transform_copy      (HlTransform     *self,
                             gsize            n_bytes);
void hl_transform_drop      (HlTransform     *self,
                             guint            n_characters);
void hl_transform_finish    (HlTransform     *self,
                             HlAligned       *text);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlAligned, hl_aligned_clear)

G_END_DECLS
