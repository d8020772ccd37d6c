/* SPDX-License-Identifier: MIT */
/* What clicks and keys on the picker choose besides single heads: layers by their numbers, and more heads or layers
 * with Shift. */
#include "app/heads/hl-head-grid-choice.h"

#include <glib/gi18n.h>

/**
 * hl_head_grid_choose_layer:
 * @state: what is chosen
 * @layer: a layer
 * @gather: whether to add it to those that are combined, or take it away
 *
 * Goes to a layer and keeps the heads. Where layers are combined, it is that layer alone, unless layers are gathered.
 */
void
hl_head_grid_choose_layer (HlViewState *state,
                           guint        layer,
                           gboolean     gather)
{
  HlLayerSet only = { { 0 } };

  g_return_if_fail (HL_IS_VIEW_STATE (state));

  g_object_freeze_notify (G_OBJECT (state));
  hl_layer_set_add (&only, layer);
  if (hl_view_state_merges_layers (state) && gather)
    hl_view_state_toggle_layer (state, layer);
  else if (hl_view_state_merges_layers (state))
    hl_view_state_set_layers (state, &only);
  if (!hl_view_state_merges_layers (state) || !gather)
    hl_view_state_set_layer (state, layer);
  g_object_thaw_notify (G_OBJECT (state));
}

/**
 * hl_head_grid_choose_head:
 * @state: what the picker changes
 * @layer: the layer of the head that was clicked
 * @head: the head
 * @gather: with a modifier, heads gather, of whatever layers unless several are combined
 * @n_press: 1, or 2 for the second press of a double click, which leaves the head alone
 */
void
hl_head_grid_choose_head (HlViewState *state,
                          guint        layer,
                          guint        head,
                          gboolean     gather,
                          int          n_press)
{
  const gboolean is_same_layer = layer == hl_view_state_get_layer (state);

  const gboolean combines = hl_view_state_merges_heads (state) || hl_view_state_merges_layers (state);

  if (gather && !combines)
    hl_view_state_toggle_head_of (state, layer, head);
  else if (gather && is_same_layer)
    hl_view_state_toggle_head (state, head);
  else if (n_press == 1)
    hl_view_state_go_to (state, layer, head);
  else if (n_press == 2 && is_same_layer)
    hl_view_state_isolate_head (state, head);
}

/* The layer that is so many away, or the last one on that side. */
static guint
get_layer_by (HlViewState *state,
              int          layers)
{
  const int n = (int) hl_attention_get_n_layers (hl_view_state_get_attention (state));

  return (guint) CLAMP ((int) hl_view_state_get_layer (state) + layers, 0, n - 1);
}

static guint
get_head_by (HlViewState *state,
             int          heads)
{
  const int n = (int) hl_view_state_get_n_heads (state);

  return (guint) CLAMP ((int) hl_view_state_get_head (state) + heads, 0, n - 1);
}

/**
 * hl_head_grid_move:
 * @state: what is chosen
 * @layers: by so many layers, may be negative
 * @heads: by so many heads, likewise
 *
 * Goes to another layer or head, as far as there are any. Across layers the chosen heads stay, so that they can be
 * compared; another head is shown alone.
 */
void
hl_head_grid_move (HlViewState *state,
                   int          layers,
                   int          heads)
{
  g_return_if_fail (HL_IS_VIEW_STATE (state));

  if (layers != 0)
    hl_view_state_set_layer (state, get_layer_by (state, layers));
  if (heads != 0)
    hl_view_state_go_to (state, hl_view_state_get_layer (state), get_head_by (state, heads));
}

/**
 * hl_head_grid_extend:
 * @state: what is chosen
 * @layers: how many layers down
 * @heads: how many heads to the right
 *
 * Moves to a neighbour and keeps what is chosen: another head is added to the others; another layer to those that are
 * combined.
 */
void
hl_head_grid_extend (HlViewState *state,
                     int          layers,
                     int          heads)
{
  g_return_if_fail (HL_IS_VIEW_STATE (state));

  const guint layer = get_layer_by (state, layers);
  g_object_freeze_notify (G_OBJECT (state));
  if (hl_view_state_merges_layers (state))
    {
      HlLayerSet chosen = *hl_view_state_get_layers (state);
      hl_layer_set_add (&chosen, layer);
      hl_view_state_set_layers (state, &chosen);
    }
  hl_view_state_set_layer (state, layer);
  if (heads != 0)
    {
      const guint head = get_head_by (state, heads);
      HlHeadSet chosen = *hl_view_state_get_heads (state);
      const HlGuests guests = *hl_view_state_get_guests (state);
      hl_head_set_add (&chosen, head);
      /* Going to the head brings it to the foreground, where it stays among several. */
      hl_view_state_go_to (state, layer, head);
      hl_view_state_set_heads (state, &chosen);
      hl_view_state_set_guests (state, &guests);
    }
  g_object_thaw_notify (G_OBJECT (state));
}

/**
 * hl_head_grid_describe:
 * @state: what is chosen
 *
 * Returns: (transfer full): what a screen reader says of the picker
 */
char *
hl_head_grid_describe (HlViewState *state)
{
  HlGuests guests;
  hl_view_state_get_shown_guests (state, &guests);
  const guint n_heads = hl_head_set_count (hl_view_state_get_heads (state)) + guests.n;
  const guint n_layers = hl_layer_set_count (hl_view_state_get_layers (state));
  g_autofree char *shown = g_strdup_printf (hl_view_state_merges_heads (state)
                                              ? ngettext ("%u head combined", "%u heads combined", n_heads)
                                              : ngettext ("%u head shown", "%u heads shown", n_heads), n_heads);
  g_autofree char *layers = g_strdup_printf (ngettext ("%u layer combined", "%u layers combined", n_layers), n_layers);
  /* Translators: the last is “3 heads shown”. Layers and heads count from 0. */
  g_autofree char *text = g_strdup_printf (_ ("Layer %u, head %u of %u; %s"), hl_view_state_get_layer (state),
                                           hl_view_state_get_head (state), hl_view_state_get_n_heads (state), shown);

  return hl_view_state_merges_layers (state) ? g_strdup_printf ("%s, %s", text, layers) : g_steal_pointer (&text);
}
