/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/family/hl-family.h"

G_BEGIN_DECLS

/* How many experts there are, in config.json. */
#define HL_CONFIG_EXPERTS "num_local_experts|num_experts|n_routed_experts"

/**
 * HlRouter:
 * @routing: how shares follow from scores
 * @n_experts: how many there are
 * @n_chosen: how many a token goes to
 * @n_groups: groups that experts are in; 1 when they are in none
 * @n_chosen_groups: how many of them a token's experts are of
 * @renormalised: whether the shares of those that are chosen are made to sum to 1
 * @scale: what shares are multiplied by in the end
 * @jitter: how far below the best an expert still counts, of #HL_ROUTING_MIXER
 * @correction: (nullable): [n_experts], what is added to scores when experts are chosen, and not when they are weighed
 *
 * Which experts a token goes to, and what each counts.
 */
typedef struct
{
  HlRouting routing;
  guint     n_experts;
  guint     n_chosen;
  guint     n_groups;
  guint     n_chosen_groups;
  gboolean  renormalised;
  float     scale;
  float     jitter;
  float    *correction;
} HlRouter;

gboolean hl_router_load   (HlRouter         *self,
                           HlModelConfig    *config,
                           const HlFamily   *family,
                           GError          **error);
void     hl_router_choose (const HlRouter   *self,
                           const float      *scores,
                           guint            *chosen,
                           float            *shares);

G_END_DECLS
