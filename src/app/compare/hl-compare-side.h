/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* What is seen of a comparison whose sides have no room beside each other. */
typedef enum
{
  HL_COMPARE_SIDE_BOTH, /* they have, or nothing is compared */
  HL_COMPARE_SIDE_A,
  HL_COMPARE_SIDE_B,
  HL_COMPARE_SIDE_DIFFERENCE,
} HlCompareSide;

GType hl_compare_side_get_type (void) G_GNUC_CONST;
#define HL_TYPE_COMPARE_SIDE (hl_compare_side_get_type ())

const char *hl_compare_side_get_nick (HlCompareSide side);

G_END_DECLS
