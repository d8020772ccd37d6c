/* SPDX-License-Identifier: MIT */
/* Tokens that stand for a stretch of sound or film: their time, in seconds, as their label says it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char    *hl_token_time_format (double      start,
                               double      end,
                               int         n_decimals);
gboolean hl_token_time_parse  (const char *label,
                               double     *start,
                               double     *end);
gboolean hl_token_times_rise  (const char *const *labels,
                               gsize              n);

G_END_DECLS
