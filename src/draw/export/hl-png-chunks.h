/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void hl_png_chunks_add (GByteArray *png,
                        double      scale,
                        const char *title,
                        const char *description);

G_END_DECLS
