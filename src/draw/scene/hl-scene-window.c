/* SPDX-License-Identifier: MIT */
/*
 * HlScene: which part of the content is in the viewport, counted from its left edge, and through which part of that it
 * is seen.
 */
#include "draw/scene/hl-scene.h"

/**
 * hl_scene_is_mirrored:
 * @self: a scene
 *
 * Returns: whether content begins at its right edge, because it is read from right to left
 */
gboolean
hl_scene_is_mirrored (HlScene *self)
{
  g_return_val_if_fail (HL_IS_SCENE (self), FALSE);

  return HL_SCENE_GET_CLASS (self)->is_mirrored != NULL && HL_SCENE_GET_CLASS (self)->is_mirrored (self);
}

/* From what is left of the viewport to what is right of it, and back. */
static double
mirror (HlScene *self,
        double   x)
{
  double width, height, page;

  if (!hl_scene_is_mirrored (self))
    return x;
  hl_scene_measure (self, &width, &height);
  hl_scene_get_viewport (self, &page, NULL, NULL);
  return MAX (0, width - page) - x;
}

/**
 * hl_scene_set_scroll:
 * @self: a scene
 * @x: logical pixels of the content left of the viewport
 * @y: logical pixels of the content above the viewport
 *
 * Moves the viewport over the content; positions outside the content are clamped.
 */
void
hl_scene_set_scroll (HlScene *self,
                     double   x,
                     double   y)
{
  g_return_if_fail (HL_IS_SCENE (self));

  hl_scene_set_progress (self, mirror (self, x), y);
}

/**
 * hl_scene_get_scroll:
 * @self: a scene
 * @x: (out) (optional): logical pixels of the content left of the viewport
 * @y: (out) (optional): logical pixels of the content above the viewport
 */
void
hl_scene_get_scroll (HlScene *self,
                     double  *x,
                     double  *y)
{
  double progress;

  g_return_if_fail (HL_IS_SCENE (self));

  hl_scene_get_progress (self, &progress, y);
  if (x != NULL)
    *x = mirror (self, progress);
}

/**
 * hl_scene_get_window:
 * @self: a scene
 * @window: (out): logical pixels of the viewport
 *
 * Says where content scrolls: what lies outside is under captions and axes, which stay in place, or beyond the
 * viewport.
 */
void
hl_scene_get_window (HlScene           *self,
                     cairo_rectangle_t *window)
{
  g_return_if_fail (HL_IS_SCENE (self));

  *window = (cairo_rectangle_t){ 0 };
  hl_scene_get_viewport (self, &window->width, &window->height, NULL);
  if (HL_SCENE_GET_CLASS (self)->get_window != NULL)
    HL_SCENE_GET_CLASS (self)->get_window (self, window);
}
