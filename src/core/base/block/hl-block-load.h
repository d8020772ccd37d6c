/* SPDX-License-Identifier: MIT */
/* How the parts of blocks, which lie anywhere, are read. */
#pragma once

#include "core/base/tensor/hl-dtype.h"

#include <string.h>

static inline guint16
load_u16 (const guint8 *bytes)
{
  guint16 number;

  memcpy (&number, bytes, sizeof number);
  return GUINT16_FROM_LE (number);
}

static inline guint32
load_u32 (const guint8 *bytes)
{
  guint32 number;

  memcpy (&number, bytes, sizeof number);
  return GUINT32_FROM_LE (number);
}

/* As hl_f16_to_f32(), but within the loop of whoever has many: shifted into place, all but infinity and NaN are 2¹¹² too small. */
static inline float
load_half (const guint8 *bytes)
{
  const guint32 half = load_u16 (bytes), sign = (half & 0x8000) << 16;
  guint32 bits = (half & 0x7fff) << 13;
  float number;

  memcpy (&number, &bits, sizeof number);
  number *= 0x1p112f;
  memcpy (&bits, &number, sizeof bits);
  bits |= sign | ((half & 0x7c00) == 0x7c00 ? 0x7f800000 : 0);
  memcpy (&number, &bits, sizeof number);
  return number;
}
