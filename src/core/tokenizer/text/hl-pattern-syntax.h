/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *hl_pattern_translate (const char *regex,
                            GError    **error);

G_END_DECLS
