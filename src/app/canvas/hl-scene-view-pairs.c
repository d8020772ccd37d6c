/* SPDX-License-Identifier: MIT */
/* A query and a key that are picked one after the other: whose heads are looked for. */
#include "config.h"

#include "app/canvas/hl-scene-view-private.h"

/* A cell is a pair, and so are a token and the pinned one of the other side. */
gboolean
hl_scene_view_get_pair (HlSceneView  *self,
                        const HlPick *pick,
                        HlPick       *pair)
{
  const HlPick *pinned = hl_view_state_get_pinned (self->view_state);
  const gboolean has_query = pinned->kind == HL_PICK_QUERY || pinned->kind == HL_PICK_CELL;
  const gboolean has_key = pinned->kind == HL_PICK_KEY || pinned->kind == HL_PICK_CELL;

  *pair = *pick;
  if (pick->kind == HL_PICK_KEY && has_query)
    *pair = (HlPick){ HL_PICK_CELL, .query = pinned->query, .key = pick->key };
  else if (pick->kind == HL_PICK_QUERY && has_key)
    *pair = (HlPick){ HL_PICK_CELL, .query = pick->query, .key = pinned->key };
  return pair->kind == HL_PICK_CELL;
}

/* A token without the other is pinned, and waits for it. */
void
hl_scene_view_pick_pair (HlSceneView  *self,
                         const HlPick *pick)
{
  HlPick pair;
  const gboolean is_pair = hl_scene_view_get_pair (self, pick, &pair);

  hl_view_state_set_pinned (self->view_state, &pair);
  if (is_pair && !hl_view_state_shows_steps (self->view_state))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.find-heads-of-pin", NULL);
}
