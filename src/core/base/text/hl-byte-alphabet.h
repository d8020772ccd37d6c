/* SPDX-License-Identifier: MIT */
/* The alphabet of byte-level vocabularies: each byte is written as a visible character (Radford et al. 2019,
 * `bytes_to_unicode`). */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * hl_byte_alphabet_get_character:
 * @byte: a byte
 *
 * Visible characters of Latin-1 stand for themselves; the others are counted up from U+0100.
 *
 * Returns: the character that stands for it: U+0021 to U+0143
 */
static inline gunichar
hl_byte_alphabet_get_character (guint8 byte)
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
 * hl_byte_alphabet_get_byte:
 * @character: a character
 *
 * Returns: the byte that it stands for, -1 if it is not in the alphabet
 */
static inline int
hl_byte_alphabet_get_byte (gunichar character)
{
  if ((character >= 0x21 && character <= 0x7e) || (character >= 0xa1 && character <= 0xac) ||
      (character >= 0xae && character <= 0xff))
    return (int) character;
  if (character >= 0x100 && character <= 0x120)
    return (int) (character - 0x100);
  if (character >= 0x121 && character <= 0x142)
    return (int) (character - 0x121 + 0x7f);
  return character == 0x143 ? 0xad : -1;
}

G_END_DECLS
