/* SPDX-License-Identifier: MIT */
/* HlScene: the one place where kinds of views become scenes. */
#include "draw/chart/hl-chart-scene.h"
#include "draw/head-view/hl-head-view-scene.h"
#include "draw/heatmap/hl-heatmap-scene.h"
#include "draw/layers/hl-layers-scene.h"
#include "draw/model-view/hl-model-view-scene.h"
#include "draw/neuron/hl-neuron-scene.h"
#include "draw/picture/hl-picture-view-scene.h"
#include "draw/scene/hl-scene.h"
#include "draw/steps/hl-steps-scene.h"

HlScene *
hl_scene_new (HlViewKind   kind,
              HlViewState *state)
{
  GType (*const types[]) (void) = {
    [HL_VIEW_HEAD_VIEW] = hl_head_view_scene_get_type, [HL_VIEW_HEATMAP] = hl_heatmap_scene_get_type,
    [HL_VIEW_MODEL] = hl_model_view_scene_get_type,    [HL_VIEW_STEPS] = hl_steps_scene_get_type,
    [HL_VIEW_NEURON] = hl_neuron_scene_get_type,       [HL_VIEW_LAYERS] = hl_layers_scene_get_type,
    [HL_VIEW_CHART] = hl_chart_scene_get_type,         [HL_VIEW_PICTURE] = hl_picture_view_scene_get_type,
  };

  g_return_val_if_fail (HL_IS_VIEW_STATE (state), NULL);
  g_return_val_if_fail (kind < G_N_ELEMENTS (types), NULL);

  return g_object_new (types[kind](), "state", state, NULL);
}
