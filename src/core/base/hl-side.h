/* SPDX-License-Identifier: MIT */
/* The two sides of attention. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlSide:
 * @HL_QUERIES: the tokens that attend; rows of a map
 * @HL_KEYS: the tokens that are attended to; columns of a map
 *
 * Whatever exists for both sides takes a side.
 */
typedef enum
{
  HL_QUERIES,
  HL_KEYS,
} HlSide;

/**
 * hl_side_get_other:
 * @side: a side
 *
 * Returns: the other one
 */
static inline HlSide
hl_side_get_other (HlSide side)
{
  return side == HL_QUERIES ? HL_KEYS : HL_QUERIES;
}

G_END_DECLS
