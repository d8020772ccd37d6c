/* SPDX-License-Identifier: MIT */
/* For figures: two scenes of their own that show what those on screen show, which keep their viewports. */
#include "config.h"

#include "app/compare/hl-compare-figure.h"

#include "draw/export/hl-pair-scene.h"

static HlScene *
copy_scene (HlSceneView *view)
{
  HlScene *scene = hl_scene_view_get_scene (view);
  HlViewState *state = hl_scene_get_state (scene);
  HlScene *copy = hl_scene_new (hl_view_state_get_view (state), state);
  double width, height, x, y;

  hl_scene_get_viewport (scene, &width, &height, NULL);
  hl_scene_set_viewport (copy, width, height, 1);
  hl_scene_set_zoom (copy, hl_scene_get_zoom (scene));
  hl_scene_get_scroll (scene, &x, &y);
  hl_scene_set_scroll (copy, x, y);
  return copy;
}

/**
 * hl_compare_figure_create_scene:
 * @left: a view
 * @right: another
 *
 * Returns: (transfer full): a #HlPairScene as wide as both views are, zoomed and scrolled as they are
 */
HlScene *
hl_compare_figure_create_scene (HlSceneView *left,
                                HlSceneView *right)
{
  g_return_val_if_fail (HL_IS_SCENE_VIEW (left) && HL_IS_SCENE_VIEW (right), NULL);

  g_autoptr (HlScene) left_scene = copy_scene (left);
  g_autoptr (HlScene) right_scene = copy_scene (right);
  HlScene *pair = hl_pair_scene_new (left_scene, right_scene);
  double width, height, other_width;
  hl_scene_get_viewport (hl_scene_view_get_scene (left), &width, &height, NULL);
  hl_scene_get_viewport (hl_scene_view_get_scene (right), &other_width, NULL, NULL);
  hl_scene_set_viewport (pair, width + other_width + HL_PAIR_SCENE_GAP, height, 1);
  return pair;
}
