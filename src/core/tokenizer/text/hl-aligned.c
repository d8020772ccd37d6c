/* SPDX-License-Identifier: MIT */
/* Text that remembers where each of its bytes came from, and how it is rewritten. */
#include "core/tokenizer/text/hl-aligned.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <time.h>

/* Comparing the beginning of a text with tokens takes as many steps as the longest of them has bytes: as often for each byte, and in a short
 * text more often. That is far more than any vocabulary needs, and over in a second or two. */
#define STEPS 64
#define LEAST_STEPS ((guint64) 1 << 28)

/* How often a text that has become as long as usual ones do may be gone through: usual sequences have fewer than ten steps. The slowest steps take
 * some 60 ns a byte, which is two seconds for what may be made of a letter. */
#define PASSES 32
#define USUAL_TIMES 3

/* What a step over a text of no length takes, in bytes. */
#define PASS_BYTES 16

/* Microseconds that this thread has been running. */
static gint64
get_running_time (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

/* @length is of what the user gave. */
void
hl_text_room_init (HlTextRoom *self,
                   gsize       length)
{
  const guint64 longer = HL_LIMIT_NORMALIZED_GROWTH + (guint64) length * HL_LIMIT_NORMALIZED_TIMES;
  const gsize limit = (gsize) MIN (longer, HL_LIMIT_NORMALIZED_TEXT);

  *self = (HlTextRoom){
    .limit = limit,
    .left = limit,
    .steps = LEAST_STEPS + (guint64) length * STEPS,
    .began = get_running_time (),
    .passes = (HL_LIMIT_NORMALIZED_GROWTH + (guint64) length * USUAL_TIMES) * PASSES,
  };
}

/* Returns: whether all fit so far, and did not take too long */
gboolean
hl_text_room_check (const HlTextRoom *self,
                    GError          **error)
{
  if (self->overflow)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the normalized text is longer than %d MiB"),
                   (int) (self->limit >> 20));
      return FALSE;
    }
  if (self->steps == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the vocabulary takes too many steps on this text"));
      return FALSE;
    }
  if (self->passes == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("the normalizers and pre-tokenizers take too many steps on this text"));
      return FALSE;
    }
  return TRUE;
}

/* Microseconds that this thread has been running since the text was begun. */
gint64
hl_text_room_get_time (const HlTextRoom *self)
{
  return get_running_time () - self->began;
}

/* Takes note of a step of a sequence, which goes through @n_bytes of text. Returns: whether it may be made */
gboolean
hl_text_room_pass (HlTextRoom *self,
                   gsize       n_bytes,
                   GError    **error)
{
  self->passes -= MIN (n_bytes + PASS_BYTES, self->passes);
  return hl_text_room_check (self, error);
}

static gboolean
fits (const HlAligned *self,
      gsize            extra)
{
  if (!self->room->overflow && extra <= self->room->left - self->length)
    return TRUE;
  self->room->overflow = TRUE;
  return FALSE;
}

/* Never more than it may become long, so that what is within the capacity need not be compared with that. */
static void
reserve (HlAligned *self,
         gsize      extra)
{
  const gsize needed = MIN (self->length + extra, self->room->left);

  if (needed <= self->capacity)
    return;
  self->capacity = MIN (MAX (needed, self->capacity + self->capacity / 2 + 64), self->room->left);
  self->bytes = g_realloc (self->bytes, self->capacity);
  self->spans = g_renew (HlOffsets, self->spans, self->capacity);
}

/* Makes room for so many bytes more. Returns: whether there may be that many */
gboolean
hl_aligned_reserve (HlAligned *self,
                    gsize      extra)
{
  if (!fits (self, extra))
    return FALSE;
  reserve (self, extra);
  return TRUE;
}

/* Takes a part of the user's text. Each byte is aligned with the character that it belongs to. */
void
hl_aligned_init_slice (HlAligned  *self,
                       HlTextRoom *room,
                       const char *text,
                       gsize       start,
                       gsize       end)
{
  *self = (HlAligned){ .origin = (guint32) start, .room = room };
  if (end > G_MAXUINT32)
    room->overflow = TRUE;
  if (!hl_aligned_reserve (self, end - start))
    return;
  for (gsize at = start; at < end;)
    {
      const gsize next = MIN (at + (gsize) g_utf8_skip[(guchar) text[at]], end);
      const HlOffsets span = { (guint32) at, (guint32) next };
      for (; at < next; at++)
        {
          self->bytes[self->length] = text[at];
          self->spans[self->length++] = span;
        }
    }
}

void
hl_aligned_clear (HlAligned *self)
{
  g_clear_pointer (&self->bytes, g_free);
  g_clear_pointer (&self->spans, g_free);
  self->length = self->capacity = 0;
}

void
hl_aligned_append (HlAligned  *self,
                   const char *bytes,
                   gsize       length,
                   HlOffsets   span)
{
  if (length == 0 || !hl_aligned_reserve (self, length))
    return;
  memcpy (self->bytes + self->length, bytes, length);
  for (gsize i = 0; i < length; i++)
    self->spans[self->length + i] = span;
  self->length += length;
}

void
hl_aligned_append_part (HlAligned       *self,
                        const HlAligned *other,
                        gsize            start,
                        gsize            end)
{
  const gsize length = end - start;

  if (length == 0 || !hl_aligned_reserve (self, length))
    return;
  memcpy (self->bytes + self->length, other->bytes + start, length);
  memcpy (self->spans + self->length, other->spans + start, length * sizeof (HlOffsets));
  self->length += length;
}

void
hl_transform_begin (HlTransform     *self,
                    const HlAligned *old)
{
  *self = (HlTransform){ .old = old, .out = { .origin = old->origin, .room = old->room } };
  reserve (&self->out, old->length + 16);
}

static void
append (HlTransform *self,
        gunichar     c,
        HlOffsets    span)
{
  char bytes[6];

  if (c < 0x80 && self->out.length < self->out.capacity)
    {
      self->out.bytes[self->out.length] = (char) c;
      self->out.spans[self->out.length++] = span;
      return;
    }
  hl_aligned_append (&self->out, bytes, (gsize) g_unichar_to_utf8 (c, bytes), span);
}

void
hl_transform_keep (HlTransform *self,
                   gunichar     c)
{
  g_assert (self->at < self->old->length);

  append (self, c, self->old->spans[self->at]);
  self->at += (gsize) g_utf8_skip[(guchar) self->old->bytes[self->at]];
}

void
hl_transform_insert (HlTransform *self,
                     gunichar     c)
{
  const HlOffsets first = { self->out.origin, self->out.origin };

  append (self, c, self->at > 0 ? self->old->spans[self->at - 1] : first);
}

void
hl_transform_copy (HlTransform *self,
                   gsize        n_bytes)
{
  hl_aligned_append_part (&self->out, self->old, self->at, self->at + n_bytes);
  self->at += n_bytes;
}

void
hl_transform_drop (HlTransform *self,
                   guint        n_characters)
{
  for (; n_characters > 0 && self->at < self->old->length; n_characters--)
    self->at += (gsize) g_utf8_skip[(guchar) self->old->bytes[self->at]];
}

void
hl_transform_finish (HlTransform *self,
                     HlAligned   *text)
{
  hl_aligned_clear (text);
  *text = self->out;
}
