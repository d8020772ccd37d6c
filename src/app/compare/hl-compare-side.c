/* SPDX-License-Identifier: MIT */
#include "app/compare/hl-compare-side.h"

G_DEFINE_ENUM_TYPE (HlCompareSide,
                    hl_compare_side,
                    G_DEFINE_ENUM_VALUE (HL_COMPARE_SIDE_BOTH, "both"),
                    G_DEFINE_ENUM_VALUE (HL_COMPARE_SIDE_A, "a"),
                    G_DEFINE_ENUM_VALUE (HL_COMPARE_SIDE_B, "b"),
                    G_DEFINE_ENUM_VALUE (HL_COMPARE_SIDE_DIFFERENCE, "difference"))

const char *
hl_compare_side_get_nick (HlCompareSide side)
{
  g_autoptr (GEnumClass) sides = g_type_class_ref (HL_TYPE_COMPARE_SIDE);

  return g_enum_get_value (sides, (int) side)->value_nick;
}
