/* SPDX-License-Identifier: MIT */
#include "core/base/hl-limits.h"

#include <glib/gi18n-lib.h>

#define ROW(value, name, unit, reason) { name, value, unit, reason },

static const HlLimit limits[] = { HL_LIMITS (ROW) };

#undef ROW

/**
 * hl_limit_get:
 * @index: which one, from 0
 *
 * Returns: (nullable): a limit; %NULL behind the last
 */
const HlLimit *
hl_limit_get (guint index)
{
  return index < G_N_ELEMENTS (limits) ? &limits[index] : NULL;
}
