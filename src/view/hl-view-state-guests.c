/* SPDX-License-Identifier: MIT */
/* HlViewState: heads of other layers that are shown beside those of the layer, and all that are shown together. */
#include "view/hl-view-state-private.h"

/**
 * hl_view_state_get_guests:
 * @self: a view state
 *
 * Returns: (transfer none): heads that are chosen besides those of the layer. Their layer may have become the one that
 *   is looked at
 */
const HlGuests *
hl_view_state_get_guests (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return &self->guests;
}

/**
 * hl_view_state_set_guests:
 * @self: a view state
 * @guests: heads of any layers; what the attention does not have is left out
 *
 * Chooses which heads are shown besides those of the layer.
 */
void
hl_view_state_set_guests (HlViewState    *self,
                          const HlGuests *guests)
{
  HlGuests valid = { 0 };

  g_return_if_fail (HL_IS_VIEW_STATE (self));

  for (guint i = 0; i < guests->n; i++)
    if (guests->heads[i].layer < hl_attention_get_n_layers (self->attention) &&
        guests->heads[i].head < hl_attention_get_n_heads (self->attention, guests->heads[i].layer))
      hl_guests_add (&valid, guests->heads[i].layer, guests->heads[i].head);
  if (hl_guests_equal (&valid, &self->guests))
    return;
  self->guests = valid;
  hl_view_state_notify (self, PROP_HEADS);
}

/**
 * hl_view_state_lead_by_guest:
 * @self: a view state with guests
 *
 * Goes to the layer of the first guest. The guests of this layer become its heads, the others stay.
 */
void
hl_view_state_lead_by_guest (HlViewState *self)
{
  HlGuests guests, others = { 0 };
  HlHeadSet heads = { { 0 } };

  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (self->guests.n > 0);

  guests = self->guests;
  for (guint i = 0; i < guests.n; i++)
    if (guests.heads[i].layer == guests.heads[0].layer)
      hl_head_set_add (&heads, guests.heads[i].head);
    else
      hl_guests_add (&others, guests.heads[i].layer, guests.heads[i].head);
  g_object_freeze_notify (G_OBJECT (self));
  hl_view_state_go_to (self, guests.heads[0].layer, guests.heads[0].head);
  hl_view_state_set_heads (self, &heads);
  hl_view_state_set_guests (self, &others);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_toggle_head_of:
 * @self: a view state that does not combine heads or layers
 * @layer: a layer
 * @head: a head of it
 *
 * Adds a head of any layer to those shown together, or takes it away. When the layer that is looked at has no more of
 * them, the next is.
 *
 * Returns: %FALSE if no more can be added
 */
gboolean
hl_view_state_toggle_head_of (HlViewState *self,
                              guint        layer,
                              guint        head)
{
  HlGuests guests;
  gboolean had_room = TRUE;

  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);
  g_return_val_if_fail (head < hl_attention_get_n_heads (self->attention, layer), FALSE);

  guests = self->guests;
  g_object_freeze_notify (G_OBJECT (self));
  if (hl_guests_contain (&guests, layer, head))
    {
      hl_guests_remove (&guests, layer, head);
      hl_view_state_set_guests (self, &guests);
    }
  else if (layer == self->layer)
    {
      hl_view_state_toggle_head (self, head);
      if (hl_head_set_count (&self->heads) == 0 && self->guests.n > 0)
        hl_view_state_lead_by_guest (self);
    }
  else if (hl_head_set_count (&self->heads) == 0)
    hl_view_state_go_to (self, layer, head);
  else
    {
      had_room = hl_guests_add (&guests, layer, head);
      hl_view_state_set_guests (self, &guests);
    }
  g_object_thaw_notify (G_OBJECT (self));
  return had_room;
}

/*
 * Whether heads of other layers can stand beside those that are shown: not where layers or heads are made of several,
 * the heads of two sides subtracted, or all layers shown.
 */
static gboolean
receives_guests (HlViewState *self)
{
  return self->guests.n > 0 && !hl_view_state_merges_heads (self) && !hl_view_state_merges_layers (self) &&
         self->comparison == NULL && !hl_view_kind_get_traits (self->options.view)->shows_all_layers;
}

/**
 * hl_view_state_get_shown_guests:
 * @self: a view state
 * @guests: (out): those that a head view shows after the heads of the layer, and are not among these
 */
void
hl_view_state_get_shown_guests (HlViewState *self,
                                HlGuests    *guests)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  *guests = (HlGuests){ 0 };
  for (guint i = 0; receives_guests (self) && i < self->guests.n; i++)
    {
      const HlGuest *guest = &self->guests.heads[i];

      if (guest->layer != self->layer || !hl_head_set_contains (&self->heads, guest->head))
        hl_guests_add (guests, guest->layer, guest->head);
    }
}

/* With room for @n_more. */
static HlShownHead *
list_heads (HlViewState *self,
            guint        layer,
            guint        n_more,
            guint       *n)
{
  const guint n_heads = hl_attention_get_n_heads (self->shown_attention, layer);
  const HlHeadSet *heads = hl_view_state_get_shown_heads (self);
  HlShownHead *shown = g_new (HlShownHead, n_heads + n_more);

  *n = 0;
  for (guint head = 0; head < n_heads; head++)
    if (hl_head_set_contains (heads, head))
      shown[(*n)++] = (HlShownHead){ layer, head, head };
  return shown;
}

/**
 * hl_view_state_list_heads_of_layer:
 * @self: a view state
 * @layer: a layer of the shown attention
 * @n: (out): how many
 *
 * Returns: (transfer full) (array length=n): the heads that are chosen, as far as that layer has them; free with g_free()
 */
HlShownHead *
hl_view_state_list_heads_of_layer (HlViewState *self,
                                   guint        layer,
                                   guint       *n)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return list_heads (self, layer, 0, n);
}

/**
 * hl_view_state_list_shown_heads:
 * @self: a view state
 * @n: (out): how many
 *
 * Returns: (transfer full) (array length=n): what a head view shows, the heads of the layer first; free with g_free()
 */
HlShownHead *
hl_view_state_list_shown_heads (HlViewState *self,
                                guint       *n)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  const guint n_heads = hl_view_state_get_n_shown_heads (self);
  HlShownHead *shown = list_heads (self, hl_view_state_get_shown_layer (self), HL_MAX_GUESTS, n);
  HlGuests guests;

  hl_view_state_get_shown_guests (self, &guests);
  for (guint i = 0; i < guests.n; i++)
    shown[(*n)++] = (HlShownHead){ guests.heads[i].layer, guests.heads[i].head, n_heads + i };
  return shown;
}
