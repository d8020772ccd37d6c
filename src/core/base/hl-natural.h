/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

int hl_natural_compare (const char *a,
                        const char *b);

G_END_DECLS
