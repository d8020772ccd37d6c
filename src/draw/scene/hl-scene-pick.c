/* SPDX-License-Identifier: MIT */
/* HlScene: what is where, and where what is. */
#include "draw/scene/hl-scene.h"

/**
 * hl_scene_pick:
 * @self: a scene
 * @x: logical pixels from the viewport's left edge
 * @y: logical pixels from its top edge
 * @pick: (out): what is there
 */
void
hl_scene_pick (HlScene *self,
               double   x,
               double   y,
               HlPick  *pick)
{
  g_return_if_fail (HL_IS_SCENE (self));
  g_return_if_fail (pick != NULL);

  *pick = (HlPick){ HL_PICK_NONE };
  HL_SCENE_GET_CLASS (self)->pick (self, x, y, pick);
}

/**
 * hl_scene_describe:
 * @self: a scene
 * @pick: something picked
 *
 * Returns: (transfer full) (nullable): a line about it, translated; %NULL if there is nothing to say
 */
char *
hl_scene_describe (HlScene      *self,
                   const HlPick *pick)
{
  g_return_val_if_fail (HL_IS_SCENE (self), NULL);

  return pick->kind != HL_PICK_NONE ? HL_SCENE_GET_CLASS (self)->describe (self, pick) : NULL;
}

/**
 * hl_scene_locate:
 * @self: a scene
 * @pick: a token or a cell
 * @x: (out): logical pixels from the viewport's left edge; may lie outside the viewport
 * @y: (out): logical pixels from its top edge
 * @width: (out): logical pixels
 * @height: (out): logical pixels
 *
 * The inverse of hl_scene_pick(), for those who bring something into view.
 *
 * Returns: whether the scene shows such a thing; otherwise nothing is written
 */
gboolean
hl_scene_locate (HlScene      *self,
                 const HlPick *pick,
                 double       *x,
                 double       *y,
                 double       *width,
                 double       *height)
{
  g_return_val_if_fail (HL_IS_SCENE (self), FALSE);
  g_return_val_if_fail (pick != NULL, FALSE);

  return HL_SCENE_GET_CLASS (self)->locate != NULL &&
         HL_SCENE_GET_CLASS (self)->locate (self, pick, x, y, width, height);
}
