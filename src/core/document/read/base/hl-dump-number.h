/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean hl_dump_number_parse      (GVariant   *value,
                                    double     *number);
gboolean hl_dump_number_parse_text (const char *text,
                                    double     *number);

G_END_DECLS
