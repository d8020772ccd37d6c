/* SPDX-License-Identifier: MIT */
/* The alphabet of byte-level vocabularies: each byte is written as a visible character. */
#include "core/tokenizer/hl-byte-level.h"

/* Visible characters of Latin-1 stand for themselves; the others are counted up from U+0100. */
static gunichar
get_character (guint8 byte)
{
  if ((byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae)
    return byte;
  if (byte <= 0x20)
    return 0x100u + byte;
  if (byte <= 0xa0)
    return 0x100u + 33 + (byte - 0x7fu);
  return 0x100u + 67;
}

/**
 * hl_byte_level_append:
 * @self: a text
 * @other: another one
 * @start: first byte of @other
 * @end: one past the last byte of @other
 *
 * Adds a part of @other, each byte as a character of one or two bytes.
 */
void
hl_byte_level_append (HlAligned       *self,
                      const HlAligned *other,
                      gsize            start,
                      gsize            end)
{
  if ((end - start) * 2 > HL_ALIGNED_MAX - self->length)
    {
      self->overflow = TRUE;
      return;
    }
  hl_aligned_reserve (self, (end - start) * 2);
  for (gsize i = start; i < end; i++)
    {
      const gunichar c = get_character ((guint8) other->bytes[i]);
      if (c >= 0x80)
        {
          self->spans[self->length] = other->spans[i];
          self->bytes[self->length++] = (char) (0xc0 | c >> 6);
        }
      self->spans[self->length] = other->spans[i];
      self->bytes[self->length++] = (char) (c < 0x80 ? c : 0x80 | (c & 0x3f));
    }
}
