/* SPDX-License-Identifier: MIT */
/* HlViewState: what the pointer is over, and what is pinned. */
#include "view/hl-view-state-private.h"

void
hl_view_state_set_pick (HlViewState  *self,
                        HlPick       *slot,
                        const HlPick *pick,
                        guint         property)
{
  const HlPick none = { HL_PICK_NONE };

  if (pick == NULL)
    pick = &none;
  if (hl_pick_equal (slot, pick))
    return;
  *slot = *pick;
  hl_view_state_notify (self, property);
}

void
hl_view_state_leave_matrix (HlViewState *self,
                            HlPick      *slot,
                            guint        property)
{
  HlPick pick = *slot;

  if (pick.kind == HL_PICK_MAP)
    pick = (HlPick){ HL_PICK_NONE };
  pick.step = HL_STEP_NONE;
  pick.feature = 0;
  /* A token of all layers is of one; elsewhere it is of the layer that is shown. */
  pick.layer = hl_view_kind_get_traits (self->options.view)->shows_all_layers && pick.kind == HL_PICK_QUERY ? hl_view_state_get_shown_layer (self) : 0;
  hl_view_state_set_pick (self, slot, &pick, property);
}

/* Picks that lie outside what is shown would be invisible, yet still rule the picture. */
void
hl_view_state_drop_invisible_picks (HlViewState *self)
{
  const HlRange queries = hl_view_state_get_shown_queries (self);
  const HlRange keys = hl_view_state_get_shown_keys (self);
  HlPick *picks[] = { &self->hovered, &self->pinned };
  const guint ids[] = { PROP_HOVERED, PROP_PINNED };
  HlGuests guests;

  hl_view_state_get_shown_guests (self, &guests);
  for (guint i = 0; i < G_N_ELEMENTS (picks); i++)
    {
      const HlPickKind kind = picks[i]->kind;
      const gboolean has_query = kind == HL_PICK_QUERY || kind == HL_PICK_CELL;
      const gboolean has_key = kind == HL_PICK_KEY || kind == HL_PICK_CELL;
      if ((has_query && picks[i]->query - queries.first >= queries.n) ||
          (has_key && picks[i]->key - keys.first >= keys.n) ||
          (kind == HL_PICK_HEAD && picks[i]->head >= hl_view_state_get_n_heads (self) + guests.n) ||
          (kind == HL_PICK_MAP &&
           (picks[i]->layer >= hl_attention_get_n_layers (self->shown_attention) ||
            picks[i]->head >= hl_attention_get_n_heads (self->shown_attention, picks[i]->layer))))
        hl_view_state_set_pick (self, picks[i], NULL, ids[i]);
    }
}

/**
 * hl_view_state_get_hovered:
 * @self: a view state
 *
 * Returns: (transfer none): what the pointer is over
 */
const HlPick *
hl_view_state_get_hovered (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return &self->hovered;
}

/**
 * hl_view_state_set_hovered:
 * @self: a view state
 * @pick: (nullable): what the pointer is over; %NULL for nothing
 */
void
hl_view_state_set_hovered (HlViewState  *self,
                           const HlPick *pick)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  hl_view_state_set_pick (self, &self->hovered, pick, PROP_HOVERED);
}

/**
 * hl_view_state_get_pinned:
 * @self: a view state
 *
 * Returns: (transfer none): what was pinned by a click
 */
const HlPick *
hl_view_state_get_pinned (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return &self->pinned;
}

/**
 * hl_view_state_set_pinned:
 * @self: a view state
 * @pick: (nullable): a token or a cell to pin; %NULL to free
 */
void
hl_view_state_set_pinned (HlViewState  *self,
                          const HlPick *pick)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (pick == NULL || (pick->kind != HL_PICK_HEAD && pick->kind != HL_PICK_MAP));

  g_object_freeze_notify (G_OBJECT (self));
  hl_view_state_set_pick (self, &self->pinned, pick, PROP_PINNED);
  /* What is told about the token, and where it is looked for again, is its layer. */
  if (hl_view_kind_get_traits (self->options.view)->shows_all_layers && pick != NULL && pick->kind == HL_PICK_QUERY &&
      !hl_view_state_merges_layers (self))
    hl_view_state_set_layer (self, pick->layer);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_get_focus:
 * @self: a view state
 *
 * What is pinned rules until it is freed: a pin that gave way to every movement of the pointer could not be read.
 *
 * Returns: (transfer none): the token or cell that views and panels tell about: the pinned one, else the hovered one
 */
const HlPick *
hl_view_state_get_focus (HlViewState *self)
{
  static const HlPick none = { HL_PICK_NONE };

  g_return_val_if_fail (HL_IS_VIEW_STATE (self), &none);

  if (self->pinned.kind != HL_PICK_NONE)
    return &self->pinned;
  return self->hovered.kind != HL_PICK_HEAD && self->hovered.kind != HL_PICK_MAP ? &self->hovered : &none;
}
