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
 * HlTextRoom:
 * @limit: how many bytes there may be of a text at most, for a message
 * @left: how many of these a text may have now
 * @peak: the most that a text had after a step since this was set to 0
 * @overflow: whether something did not fit and was left out, so that what there is of a text is of no use
 * @began: what the thread had been running before, in microseconds
 * @searched: microseconds that regular expressions took
 * @steps: how many bytes may still be compared with a vocabulary
 * @passes: how many bytes steps of sequences may still go through
 *
 * How long the text may become that is made of one the user gave, and what that took. All that is made of it shares one.
 */
typedef struct
{
  gsize    limit;
  gsize    left;
  gsize    peak;
  gboolean overflow;
  gint64   began;
  gint64   searched;
  guint64  steps;
  guint64  passes;
} HlTextRoom;

/**
 * HlAligned:
 * @bytes: UTF-8, not terminated
 * @spans: for each byte of @bytes, what it was made from
 * @length: how many bytes
 * @origin: where in the user's text it begins
 * @room: (transfer none): how long it may become
 *
 * Text on its way from what the user typed to tokens, that remembers where each byte came from.
 */
typedef struct
{
  char       *bytes;
  HlOffsets  *spans;
  gsize       length;
  guint32     origin;
  HlTextRoom *room;
  /*< private >*/
  gsize       capacity;
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

void     hl_text_room_init      (HlTextRoom       *self,
                                 gsize             length);
gboolean hl_text_room_check     (const HlTextRoom *self,
                                 GError          **error);
gint64   hl_text_room_get_time  (const HlTextRoom *self);
gboolean hl_text_room_pass      (HlTextRoom       *self,
                                 gsize             n_bytes,
                                 GError          **error);

void     hl_aligned_init_slice  (HlAligned        *self,
                                 HlTextRoom       *room,
                                 const char       *text,
                                 gsize             start,
                                 gsize             end);
void     hl_aligned_clear       (HlAligned        *self);
gboolean hl_aligned_reserve     (HlAligned        *self,
                                 gsize             extra);
void     hl_aligned_append      (HlAligned        *self,
                                 const char       *bytes,
                                 gsize             length,
                                 HlOffsets         span);
void     hl_aligned_append_part (HlAligned        *self,
                                 const HlAligned  *other,
                                 gsize             start,
                                 gsize             end);

void     hl_transform_begin     (HlTransform      *self,
                                 const HlAligned  *old);
void     hl_transform_keep      (HlTransform      *self,
                                 gunichar          c);
void     hl_transform_insert    (HlTransform      *self,
                                 gunichar          c);
void     hl_transform_copy      (HlTransform      *self,
                                 gsize             n_bytes);
void     hl_transform_drop      (HlTransform      *self,
                                 guint             n_characters);
void     hl_transform_finish    (HlTransform      *self,
                                 HlAligned        *text);

/* Takes note of steps that were made. Returns: whether there may be more */
static inline gboolean
hl_text_room_spend (HlTextRoom *self,
                    guint64     n_steps)
{
  self->steps -= MIN (n_steps, self->steps);
  return self->steps > 0;
}

/* Whether there is more to read, and room for what comes of it. */
static inline gboolean
hl_transform_goes_on (const HlTransform *self)
{
  return self->at < self->old->length && !self->out.room->overflow;
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlAligned, hl_aligned_clear)

G_END_DECLS
