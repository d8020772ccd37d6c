/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HL_DECIMAL_SIZE:
 *
 * Room for any float32 that hl_decimal_format() spells, its terminator included.
 */
#define HL_DECIMAL_SIZE 20

gboolean hl_decimal_to_double (guint64  mantissa,
                               int      exponent,
                               double  *value);
gboolean hl_decimal_to_float  (guint64  mantissa,
                               int      exponent,
                               float   *value);
gsize    hl_decimal_format    (float    value,
                               char    *text);

G_END_DECLS
