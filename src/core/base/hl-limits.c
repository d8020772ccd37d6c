/* SPDX-License-Identifier: MIT */
#include "core/base/hl-limits.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

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

/**
 * hl_limit_check: (skip)
 * @member: the member of a file that has them
 * @n: how many there are
 * @limit: the most that can be shown
 * @what: what they are, translated
 * @error: return location for an error
 *
 * Returns: whether they are no more; otherwise @error says so
 */
gboolean
hl_limit_check (const char *member,
                guint64     n,
                guint64     limit,
                const char *what,
                GError    **error)
{
  if (n <= limit)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("“%s” has %" PRIu64 " %s; at most %" PRIu64 " can be shown"),
               member, n, what, limit);
  return FALSE;
}
