/* SPDX-License-Identifier: MIT */
/* HlScene: through which part of the viewport content is seen. */
#include "draw/hl-scene.h"

/**
 * hl_scene_get_window:
 * @self: a scene
 * @window: (out): logical pixels of the viewport
 *
 * Says where content scrolls: what lies outside is under captions and axes, which stay in place, or beyond the viewport.
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
