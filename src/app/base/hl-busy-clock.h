/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void   hl_busy_clock_start        (void);
gint64 hl_busy_clock_take_longest (void);

G_END_DECLS
