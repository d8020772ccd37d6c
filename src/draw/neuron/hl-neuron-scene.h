/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

#define HL_TYPE_NEURON_SCENE (hl_neuron_scene_get_type ())
G_DECLARE_FINAL_TYPE (HlNeuronScene, hl_neuron_scene, HL, NEURON_SCENE, HlScene)

G_END_DECLS
