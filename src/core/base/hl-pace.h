/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlPace:
 * @n_tokens: tokens of the whole run; 0 where it has none
 * @share: how much of it is done, above 0 and at most 1
 * @seconds: how long that took
 * @left: seconds that the rest will take
 *
 * How fast a run is.
 */
typedef struct
{
  gsize  n_tokens;
  double share;
  double seconds;
  double left;
} HlPace;

char    *hl_pace_describe   (const HlPace *self);
guint64  hl_pace_get_memory (void);

G_END_DECLS
