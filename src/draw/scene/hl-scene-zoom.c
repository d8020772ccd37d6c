/* SPDX-License-Identifier: MIT */
/* HlScene: how large the content is shown. */
#include "draw/scene/hl-scene-private.h"

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
 * Returns: the zoom, for hl_scene_set_zoom() of a scene of the same class; 0 while the scene chooses it to fit the
 *   viewport
 */
double
hl_scene_get_zoom (HlScene *self)
{
  g_return_val_if_fail (HL_IS_SCENE (self), 0);

  return hl_scene_get_private (self)->zoom;
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
  HlScenePrivate *priv = hl_scene_get_private (self);

  g_return_if_fail (HL_IS_SCENE (self));
  g_return_if_fail (zoom >= 0);

  if (!hl_scene_can_zoom (self) || priv->zoom == zoom)
    return;
  priv->zoom = zoom;
  hl_scene_emit_all_changed (self);
}

/**
 * hl_scene_forget_zoom: (skip)
 * @self: a scene
 *
 * Lets the scene choose its zoom again, for subclasses whose content is another and who tell of that.
 */
void
hl_scene_forget_zoom (HlScene *self)
{
  hl_scene_get_private (self)->zoom = 0;
}
