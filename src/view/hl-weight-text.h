/* SPDX-License-Identifier: MIT */
/* Weights as people read them: in bubbles, labels and what screen readers say. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HL_WEIGHT_TEXT_SIZE:
 *
 * Bytes that a weight in writing takes, the final zero included.
 */
#define HL_WEIGHT_TEXT_SIZE 24

const char *hl_weight_text_format    (double      weight,
                                      char        buffer[HL_WEIGHT_TEXT_SIZE]);
const char *hl_weight_text_format_as (double      number,
                                      const char *format,
                                      char        buffer[HL_WEIGHT_TEXT_SIZE]);

G_END_DECLS
