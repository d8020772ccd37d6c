/* SPDX-License-Identifier: MIT */
/* Text in the alphabet of byte-level vocabularies, with where each byte is from. */
#include "core/tokenizer/text/hl-byte-level.h"

#include "core/base/text/hl-byte-alphabet.h"

/* Adds a part of @other, each byte as a character of one or two bytes. */
void
hl_byte_level_append (HlAligned       *self,
                      const HlAligned *other,
                      gsize            start,
                      gsize            end)
{
  if (!hl_aligned_reserve (self, (end - start) * 2))
    return;
  for (gsize i = start; i < end; i++)
    {
      const gunichar c = hl_byte_alphabet_get_character ((guint8) other->bytes[i]);
      if (c >= 0x80)
        {
          self->spans[self->length] = other->spans[i];
          self->bytes[self->length++] = (char) (0xc0 | c >> 6);
        }
      self->spans[self->length] = other->spans[i];
      self->bytes[self->length++] = (char) (c < 0x80 ? c : 0x80 | (c & 0x3f));
    }
}
