/* SPDX-License-Identifier: MIT */
/* What the parts of the view of steps share: its object. */
#pragma once

#include "draw/paint/hl-theme.h"
#include "draw/scene/hl-label-room.h"
#include "draw/steps/hl-steps-job.h"
#include "draw/steps/hl-steps-layout.h"
#include "draw/steps/hl-steps-scene.h"

G_BEGIN_DECLS

struct _HlStepsScene
{
  HlScene parent_instance;

  HlLabelRoom room;

  HlStepsImages *images;
};

gboolean           hl_steps_scene_is_possible   (HlStepsScene  *self);
HlStepsLayout      hl_steps_scene_get_layout    (HlStepsScene  *self);
const HlStepsData *hl_steps_scene_get_data      (HlStepsScene  *self);
char              *hl_steps_scene_describe      (HlScene       *scene,
                                                 const HlPick  *pick);
void               hl_steps_scene_draw_backdrop (HlScene *scene,
                                                 cairo_t *cr);
void               hl_steps_scene_draw_overlay  (HlScene *scene,
                                                 cairo_t *cr);

G_END_DECLS
