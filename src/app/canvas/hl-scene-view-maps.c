/* SPDX-License-Identifier: MIT */
/* What pointer and keyboard do with the heads of a model view: look from one to the next, choose some, open them. */
#include "config.h"

#include "app/canvas/hl-scene-view-private.h"

#include "draw/model-view/hl-model-view-scene.h"

/* Opens a head in the view that was shown last; several chosen heads, of which it is one, together. */
void
hl_scene_view_open_map (HlSceneView  *self,
                        const HlPick *pick)
{
  HlViewState *state = self->view_state;
  const HlPick map = *pick; /* what is hovered is about to change */
  guint n;
  g_autofree HlShownHead *heads = hl_view_state_list_shown_heads (state, &n);
  gboolean several = FALSE;

  for (guint i = 0; i < n && n > 1; i++)
    several |= heads[i].layer == map.layer && heads[i].head == map.head;

  g_object_freeze_notify (G_OBJECT (state));
  if (!several)
    hl_view_state_go_to_shown (state, map.layer, map.head);
  hl_view_state_set_view (state, several ? HL_VIEW_HEAD_VIEW : self->head_view);
  g_object_thaw_notify (G_OBJECT (state));
}

/* Adds a head to those that are chosen or takes it away; where heads or layers are combined, it begins anew. */
void
hl_scene_view_choose_map (HlSceneView  *self,
                          const HlPick *pick)
{
  HlViewState *state = self->view_state;
  const HlPick map = *pick;

  if (hl_view_state_merges_heads (state) || hl_view_state_merges_layers (state) ||
      map.layer >= hl_attention_get_n_layers (hl_view_state_get_attention (state)) ||
      map.head >= hl_attention_get_n_heads (hl_view_state_get_attention (state), map.layer))
    hl_view_state_go_to_shown (state, map.layer, map.head);
  else if (!hl_view_state_toggle_head_of (state, map.layer, map.head))
    gtk_widget_error_bell (GTK_WIDGET (self));
}

/* Looks at the next head in a direction; first, at the one that is chosen. */
gboolean
hl_scene_view_move_map (HlSceneView *self,
                        int          dx,
                        int          dy,
                        gboolean     to_end)
{
  HlViewState *state = self->view_state;
  HlPick pick = *hl_view_state_get_hovered (state);

  if (pick.kind != HL_PICK_MAP)
    pick = (HlPick){ HL_PICK_MAP, .head = hl_view_state_get_shown_head (state),
                     .layer = hl_view_state_get_shown_layer (state) };
  else
    hl_model_view_scene_move (HL_MODEL_VIEW_SCENE (self->scene), &pick, dx, dy, to_end);
  hl_scene_view_let_keyboard_lead (self);
  hl_view_state_set_hovered (state, &pick);
  hl_scene_view_scroll_to (self, &pick);
  return TRUE;
}
