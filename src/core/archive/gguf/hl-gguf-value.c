/* SPDX-License-Identifier: MIT */
/* The values of a GGUF file's metadata, where they lie in the file. */
#include "core/archive/gguf/hl-gguf-value.h"

#include <string.h>

static const guint8 sizes[HL_N_GGUF_TYPES] = {
  [HL_GGUF_U8] = 1,  [HL_GGUF_I8] = 1,   [HL_GGUF_U16] = 2, [HL_GGUF_I16] = 2, [HL_GGUF_U32] = 4, [HL_GGUF_I32] = 4,
  [HL_GGUF_F32] = 4, [HL_GGUF_BOOL] = 1, [HL_GGUF_U64] = 8, [HL_GGUF_I64] = 8, [HL_GGUF_F64] = 8,
};

/* Returns the bytes of an item; 0 of those that differ in length. */
gsize
hl_gguf_type_get_size (HlGgufType type)
{
  return type < HL_N_GGUF_TYPES ? sizes[type] : 0;
}

/* The file's numbers are little-endian, or big-endian as a whole. */
guint32
hl_gguf_load_u32 (const guint8 *bytes,
                  gboolean      swapped)
{
  guint32 number;

  memcpy (&number, bytes, sizeof number);
  return swapped ? GUINT32_SWAP_LE_BE (number) : number;
}

guint64
hl_gguf_load_u64 (const guint8 *bytes,
                  gboolean      swapped)
{
  guint64 number;

  memcpy (&number, bytes, sizeof number);
  return swapped ? GUINT64_SWAP_LE_BE (number) : number;
}

static guint16
load_u16 (const guint8 *bytes,
          gboolean      swapped)
{
  guint16 number;

  memcpy (&number, bytes, sizeof number);
  return swapped ? GUINT16_SWAP_LE_BE (number) : number;
}

/* Returns whether the item is a whole number that fits. */
gboolean
hl_gguf_value_get_integer (const HlGgufValue *self,
                           guint64            index,
                           gint64            *integer)
{
  g_return_val_if_fail (index < self->n, FALSE);

  const guint8 *bytes = self->data + index * hl_gguf_type_get_size (self->type);
  switch (self->type)
    {
    case HL_GGUF_U8:
    case HL_GGUF_BOOL:
      *integer = *bytes;
      return TRUE;
    case HL_GGUF_I8:
      *integer = (gint8) *bytes;
      return TRUE;
    case HL_GGUF_U16:
      *integer = load_u16 (bytes, self->swapped);
      return TRUE;
    case HL_GGUF_I16:
      *integer = (gint16) load_u16 (bytes, self->swapped);
      return TRUE;
    case HL_GGUF_U32:
      *integer = hl_gguf_load_u32 (bytes, self->swapped);
      return TRUE;
    case HL_GGUF_I32:
      *integer = (gint32) hl_gguf_load_u32 (bytes, self->swapped);
      return TRUE;
    case HL_GGUF_U64:
    case HL_GGUF_I64:
      *integer = (gint64) hl_gguf_load_u64 (bytes, self->swapped);
      return self->type == HL_GGUF_I64 || *integer >= 0;
    case HL_GGUF_F32:
    case HL_GGUF_F64:
    case HL_GGUF_STRING:
    case HL_GGUF_ARRAY:
    default:
      return FALSE;
    }
}

/* Returns whether the item is a number. */
gboolean
hl_gguf_value_get_number (const HlGgufValue *self,
                          guint64            index,
                          double            *number)
{
  gint64 integer;

  g_return_val_if_fail (index < self->n, FALSE);

  const guint8 *bytes = self->data + index * hl_gguf_type_get_size (self->type);
  if (self->type == HL_GGUF_F32)
    {
      const guint32 bits = hl_gguf_load_u32 (bytes, self->swapped);
      float value;

      memcpy (&value, &bits, sizeof value);
      *number = value;
      return TRUE;
    }
  if (self->type == HL_GGUF_F64)
    {
      const guint64 bits = hl_gguf_load_u64 (bytes, self->swapped);

      memcpy (number, &bits, sizeof *number);
      return TRUE;
    }
  if (!hl_gguf_value_get_integer (self, index, &integer))
    return FALSE;
  *number = (double) integer;
  return TRUE;
}

/* Returns the string, which does not end with a zero; %NULL when the value is no string. */
const char *
hl_gguf_value_get_string (const HlGgufValue *self,
                          gsize             *length)
{
  HlGgufStrings strings;

  if (self->is_array || self->type != HL_GGUF_STRING)
    return NULL;
  hl_gguf_strings_init (&strings, self);
  return hl_gguf_strings_next (&strings, length);
}

void
hl_gguf_strings_init (HlGgufStrings     *self,
                      const HlGgufValue *value)
{
  g_return_if_fail (value->type == HL_GGUF_STRING);

  *self = (HlGgufStrings){ value, 0, value->data };
}

/* Returns the next string, which does not end with a zero; %NULL behind the last. */
const char *
hl_gguf_strings_next (HlGgufStrings *self,
                      gsize         *length)
{
  if (self->n_seen >= self->value->n)
    return NULL;
  *length = (gsize) hl_gguf_load_u64 (self->at, self->value->swapped);
  const char *string = (const char *) self->at + sizeof (guint64);
  self->at += sizeof (guint64) + *length;
  self->n_seen++;
  return string;
}
