/* SPDX-License-Identifier: MIT */
/* How the parts of blocks, which lie anywhere, are read. */
#pragma once

#include "core/base/hl-dtype.h"

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

static inline float
load_half (const guint8 *bytes)
{
  return hl_f16_to_f32 (load_u16 (bytes));
}
