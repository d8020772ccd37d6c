/* SPDX-License-Identifier: MIT */
/* HlViewState: which layer is looked at, and which of its heads. */
#include "view/hl-view-state-private.h"

/* After attention or layer changed: the heads that this layer does not have go, and one at least stays. */
void
hl_view_state_clamp_heads (HlViewState *self)
{
  const guint n_heads = hl_view_state_get_n_heads (self);
  const HlHeadSet before = self->heads;
  const HlGuests guests = self->guests;
  const guint head_before = self->head;

  const gboolean was_empty = hl_head_set_count (&self->heads) == 0;
  hl_head_set_truncate (&self->heads, n_heads);
  self->head = MIN (self->head, n_heads - 1);
  if (!was_empty && hl_head_set_count (&self->heads) == 0)
    hl_head_set_add (&self->heads, self->head);

  hl_view_state_set_guests (self, &guests);
  if (self->head != head_before)
    hl_view_state_notify (self, PROP_HEAD);
  if (!hl_head_set_equal (&before, &self->heads))
    hl_view_state_notify (self, PROP_HEADS);
}

/* Where heads are combined, other heads make other maps. */
static void
update_combination (HlViewState *self)
{
  if (hl_view_state_merges_heads (self))
    hl_view_state_update_source (self);
}

/**
 * hl_view_state_get_layer:
 * @self: a view state
 *
 * Returns: the layer, from 0
 */
guint
hl_view_state_get_layer (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), 0);

  return self->layer;
}

/**
 * hl_view_state_set_layer:
 * @self: a view state
 * @layer: the layer; past the last, the last
 *
 * Changes the layer and keeps the heads, as far as the layer has them, and the guests.
 */
void
hl_view_state_set_layer (HlViewState *self,
                         guint        layer)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  layer = MIN (layer, hl_attention_get_n_layers (self->attention) - 1);
  if (self->layer == layer)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  self->layer = layer;
  hl_view_state_notify (self, PROP_LAYER);
  hl_view_state_clamp_heads (self);
  update_combination (self);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_get_head:
 * @self: a view state
 *
 * Returns: the head in the foreground: the one that a heatmap shows
 */
guint
hl_view_state_get_head (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), 0);

  return self->head;
}

/**
 * hl_view_state_go_to:
 * @self: a view state
 * @layer: a layer; past the last, the last
 * @head: a head; past the last, the last
 *
 * Shows one head alone.
 */
void
hl_view_state_go_to (HlViewState *self,
                     guint        layer,
                     guint        head)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  g_object_freeze_notify (G_OBJECT (self));
  hl_view_state_set_layer (self, layer);
  hl_view_state_isolate_head (self, MIN (head, hl_view_state_get_n_heads (self) - 1));
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_get_n_heads:
 * @self: a view state
 *
 * Returns: how many heads the layer has
 */
guint
hl_view_state_get_n_heads (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), 0);

  return hl_attention_get_n_heads (self->attention, self->layer);
}

/**
 * hl_view_state_get_heads:
 * @self: a view state
 *
 * Returns: (transfer none): the heads that are chosen: those that the head view shows, or that are combined; may be
 *   none
 */
const HlHeadSet *
hl_view_state_get_heads (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return &self->heads;
}

/**
 * hl_view_state_set_heads:
 * @self: a view state
 * @heads: heads of the layer
 *
 * Shows these heads together. The head in the foreground becomes the first of them unless it is among them.
 */
void
hl_view_state_set_heads (HlViewState     *self,
                         const HlHeadSet *heads)
{
  HlHeadSet valid = *heads;
  guint head;

  g_return_if_fail (HL_IS_VIEW_STATE (self));

  hl_head_set_truncate (&valid, hl_view_state_get_n_heads (self));
  if (hl_head_set_equal (&valid, &self->heads))
    return;
  g_object_freeze_notify (G_OBJECT (self));
  self->heads = valid;
  hl_view_state_notify (self, PROP_HEADS);
  if (!hl_head_set_contains (&valid, self->head) && hl_head_set_count (&valid) > 0)
    {
      for (head = 0; !hl_head_set_contains (&valid, head);)
        head++;
      self->head = head;
      hl_view_state_notify (self, PROP_HEAD);
    }
  update_combination (self);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_toggle_head:
 * @self: a view state
 * @head: a head of the layer
 *
 * Adds a head to those shown, or takes it away.
 */
void
hl_view_state_toggle_head (HlViewState *self,
                           guint        head)
{
  HlHeadSet heads;

  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (head < hl_view_state_get_n_heads (self));

  heads = self->heads;
  if (hl_head_set_contains (&heads, head))
    hl_head_set_remove (&heads, head);
  else
    hl_head_set_add (&heads, head);
  hl_view_state_set_heads (self, &heads);
}

static void
set_heads_alone (HlViewState     *self,
                 const HlHeadSet *heads)
{
  const HlGuests none = { 0 };

  g_object_freeze_notify (G_OBJECT (self));
  hl_view_state_set_heads (self, heads);
  hl_view_state_set_guests (self, &none);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_isolate_head:
 * @self: a view state
 * @head: a head of the layer
 *
 * Shows this head alone, without guests, and brings it to the foreground.
 */
void
hl_view_state_isolate_head (HlViewState *self,
                            guint        head)
{
  HlHeadSet heads = { { 0 } };

  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (head < hl_view_state_get_n_heads (self));

  hl_head_set_add (&heads, head);
  set_heads_alone (self, &heads);
}

/**
 * hl_view_state_select_all_heads:
 * @self: a view state
 *
 * Shows all heads of the layer, and no others.
 */
void
hl_view_state_select_all_heads (HlViewState *self)
{
  HlHeadSet heads = { { 0 } };

  g_return_if_fail (HL_IS_VIEW_STATE (self));

  for (guint head = 0; head < hl_view_state_get_n_heads (self); head++)
    hl_head_set_add (&heads, head);
  set_heads_alone (self, &heads);
}

/**
 * hl_view_state_select_no_heads:
 * @self: a view state
 *
 * Shows no head.
 */
void
hl_view_state_select_no_heads (HlViewState *self)
{
  const HlHeadSet heads = { { 0 } };

  g_return_if_fail (HL_IS_VIEW_STATE (self));

  set_heads_alone (self, &heads);
}
