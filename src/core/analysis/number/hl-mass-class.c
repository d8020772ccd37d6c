/* SPDX-License-Identifier: MIT */
#include "core/analysis/number/hl-mass-class.h"

/* In their order: a key is of the first that it fits. */
static HlMassClass
classify (const HlHeadMap *map,
          gsize            key)
{
  if (map->traits[key] & HL_HEAD_KEY_CLS)
    return HL_MASS_CLASS_CLS;
  if (map->traits[key] & HL_HEAD_KEY_SEP)
    return HL_MASS_CLASS_SEP;
  if (key == map->first_key)
    return HL_MASS_CLASS_BARE_FIRST;
  return map->traits[key] & HL_HEAD_KEY_PUNCTUATION ? HL_MASS_CLASS_PUNCTUATION : HL_MASS_CLASS_OTHER;
}

/* Whether a key of a map is of a class. */
gboolean
hl_mass_class_has (HlMassClass      self,
                   const HlHeadMap *map,
                   gsize            key)
{
  switch (self)
    {
    case HL_MASS_CLASS_FIRST:
      return key == map->first_key;
    case HL_MASS_CLASS_SPECIAL:
      return (map->traits[key] & HL_HEAD_KEY_SPECIAL) != 0;
    default:
      return classify (map, key) == self;
    }
}
