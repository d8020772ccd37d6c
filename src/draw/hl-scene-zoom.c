/* SPDX-License-Identifier: MIT */
/* HlScene: how large the content is shown. */
#include "draw/hl-scene.h"

/**
 * hl_scene_can_zoom:
 * @self: a scene
 *
 * Returns: whether hl_scene_zoom() and hl_scene_fit() do something
 */
gboolean
hl_scene_can_zoom (HlScene *self)
{
  g_return_val_if_fail (HL_IS_SCENE (self), FALSE);

  return HL_SCENE_GET_CLASS (self)->zoom != NULL;
}

/**
 * hl_scene_zoom:
 * @self: a scene
 * @factor: over 1 enlarges
 * @x: logical pixels from the viewport's left edge
 * @y: logical pixels from its top edge
 *
 * Zooms so that what is at a point stays there.
 */
void
hl_scene_zoom (HlScene *self,
               double   factor,
               double   x,
               double   y)
{
  g_return_if_fail (HL_IS_SCENE (self));
  g_return_if_fail (factor > 0);

  if (hl_scene_can_zoom (self))
    HL_SCENE_GET_CLASS (self)->zoom (self, factor, x, y);
}

/**
 * hl_scene_fit:
 * @self: a scene
 *
 * Zooms so that everything is in view.
 */
void
hl_scene_fit (HlScene *self)
{
  g_return_if_fail (HL_IS_SCENE (self));

  if (hl_scene_can_zoom (self))
    HL_SCENE_GET_CLASS (self)->fit (self);
}

/**
 * hl_scene_get_zoom:
 * @self: a scene
 *
 * Returns: the zoom, for hl_scene_set_zoom() of a scene of the same class; 0 while the scene chooses it to fit the viewport
 */
double
hl_scene_get_zoom (HlScene *self)
{
  g_return_val_if_fail (HL_IS_SCENE (self), 0);

  return HL_SCENE_GET_CLASS (self)->get_zoom != NULL ? HL_SCENE_GET_CLASS (self)->get_zoom (self) : 0;
}

/**
 * hl_scene_set_zoom:
 * @self: a scene
 * @zoom: what hl_scene_get_zoom() gave
 *
 * Shows the content as large as another scene does. Scenes that do not zoom ignore it.
 */
void
hl_scene_set_zoom (HlScene *self,
                   double   zoom)
{
  g_return_if_fail (HL_IS_SCENE (self));
  g_return_if_fail (zoom >= 0);

  if (HL_SCENE_GET_CLASS (self)->set_zoom != NULL)
    HL_SCENE_GET_CLASS (self)->set_zoom (self, zoom);
}
