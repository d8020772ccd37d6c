/* SPDX-License-Identifier: MIT */
/* HlViewState: what is derived of the attention before it is shown, and what of that is in the picture. */
#include "view/hl-view-state-private.h"

#include <glib/gi18n-lib.h>

static HlLayerSet
get_all_layers (HlViewState *self)
{
  HlLayerSet layers = { { 0 } };

  for (guint layer = 0; layer < hl_attention_get_n_layers (self->attention); layer++)
    hl_layer_set_add (&layers, layer);
  return layers;
}

/* After the attention changed, which had so many layers before: all stay all, and one at least stays. */
void
hl_view_state_clamp_layers (HlViewState *self,
                            guint        n_layers_before)
{
  const HlLayerSet before = self->layers;

  if (hl_layer_set_count (&before) == n_layers_before)
    self->layers = get_all_layers (self);
  else
    hl_layer_set_truncate (&self->layers, hl_attention_get_n_layers (self->attention));
  if (hl_layer_set_count (&self->layers) == 0)
    self->layers = get_all_layers (self);
  if (!hl_layer_set_equal (&before, &self->layers))
    hl_view_state_notify (self, PROP_LAYERS);
}

/* What is to be derived. Views that show how weights are made show those. */
void
hl_view_state_get_lens (HlViewState *self,
                        HlLens      *lens)
{
  *lens = (HlLens){ 0 };
  if (hl_view_state_shows_steps (self))
    return;
  lens->quantity = self->options.quantity;
  lens->combine = self->options.combine;
  lens->combine_over = self->options.combine_over;
  lens->layers = self->layers;
  lens->words = self->options.words;
  lens->hide_special = self->options.hide_special;
  lens->hide_first = self->options.hide_first;
  lens->renormalise = self->options.renormalise;
  lens->direction = self->options.direction;
  lens->heads = self->heads;
  lens->hidden_queries = hl_view_state_get_hidden_queries (self);
  lens->hidden_keys = hl_view_state_get_hidden_keys (self);
  if (hl_head_set_count (&lens->heads) == 0)
    hl_head_set_add (&lens->heads, self->head);
}

/* The place of a token that was at another place in the maps before. */
static gboolean
carry_token (HlTokenMap *before,
             HlTokenMap *after,
             gsize      *index)
{
  const HlTokenSpan span = before != NULL ? hl_token_map_get_spans (before)[*index] : (HlTokenSpan){ *index, 1 };

  *index = span.first;
  return span.n > 0 && (after == NULL || hl_token_map_find (after, span.first, index));
}

/*
 * A token that is pinned stays so where it is still there: as a part of a word, or where rows and columns have changed
 * over.
 */
void
hl_view_state_carry_picks (HlViewState *self,
                           HlAttention *before)
{
  HlPick *picks[] = { &self->hovered, &self->pinned };
  const guint ids[] = { PROP_HOVERED, PROP_PINNED };

  if (before == NULL)
    return;
  const gboolean turned = hl_attention_is_transposed (before) != hl_attention_is_transposed (self->shown_attention);
  HlTokenMap *queries = hl_attention_get_query_map (before), *keys = hl_attention_get_key_map (before);
  HlTokenMap *rows = turned ? hl_attention_get_key_map (self->shown_attention)
                            : hl_attention_get_query_map (self->shown_attention);
  HlTokenMap *columns = turned ? hl_attention_get_query_map (self->shown_attention)
                               : hl_attention_get_key_map (self->shown_attention);

  for (guint i = 0; i < G_N_ELEMENTS (picks); i++)
    {
      const HlPick *old = picks[i];
      const gboolean has_query = old->kind == HL_PICK_QUERY || old->kind == HL_PICK_CELL;
      const gboolean has_key = old->kind == HL_PICK_KEY || old->kind == HL_PICK_CELL;
      HlPick pick = *old;

      const gboolean stays = (!has_query || carry_token (queries, rows, &pick.query)) &&
                             (!has_key || carry_token (keys, columns, &pick.key));
      if (turned && (pick.kind == HL_PICK_QUERY || pick.kind == HL_PICK_KEY))
        pick.kind = pick.kind == HL_PICK_QUERY ? HL_PICK_KEY : HL_PICK_QUERY;
      if (turned)
        {
          const gsize query = pick.query;
          pick.query = pick.key;
          pick.key = query;
        }
      if (old->kind != HL_PICK_HEAD)
        hl_view_state_set_pick (self, picks[i], stays ? &pick : NULL, ids[i]);
    }
  hl_view_state_drop_invisible_picks (self);
}

/**
 * hl_view_state_get_shown_attention:
 * @self: a view state
 *
 * Returns: (transfer none): what attends to what in the maps that pictures show: the attention itself, or what is derived
 *   of it
 */
HlAttention *
hl_view_state_get_shown_attention (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->shown_attention;
}

/**
 * hl_view_state_merges_heads:
 * @self: a view state
 *
 * Returns: whether each layer that is shown has one map, made of the heads that are chosen
 */
gboolean
hl_view_state_merges_heads (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  return hl_lens_merges_heads (&self->applied_lens);
}

/**
 * hl_view_state_merges_layers:
 * @self: a view state
 *
 * Returns: whether one layer is shown, made of those that are chosen
 */
gboolean
hl_view_state_merges_layers (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  return hl_lens_merges_layers (&self->applied_lens);
}

/**
 * hl_view_state_takes_heads:
 * @self: a view state
 *
 * Returns: whether all heads that are chosen have a part in the picture, beside one another or combined; else, the one
 *   in the foreground
 */
gboolean
hl_view_state_takes_heads (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  return hl_view_state_merges_heads (self) || !hl_view_state_shows_one_head (self);
}

/**
 * hl_view_state_get_shown_layer:
 * @self: a view state
 *
 * Returns: the layer of the shown attention
 */
guint
hl_view_state_get_shown_layer (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), 0);

  return hl_lens_merges_layers (&self->applied_lens) ? 0 : self->layer;
}

/**
 * hl_view_state_get_n_shown_heads:
 * @self: a view state
 *
 * Returns: how many heads the layer of the shown attention has
 */
guint
hl_view_state_get_n_shown_heads (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), 0);

  return hl_attention_get_n_heads (self->shown_attention, hl_view_state_get_shown_layer (self));
}

/**
 * hl_view_state_get_shown_head:
 * @self: a view state
 *
 * Returns: the head of the shown attention that is in the foreground
 */
guint
hl_view_state_get_shown_head (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), 0);

  if (hl_lens_merges_heads (&self->applied_lens))
    return 0;
  return MIN (self->head, hl_view_state_get_n_shown_heads (self) - 1);
}

/**
 * hl_view_state_get_shown_heads:
 * @self: a view state
 *
 * Returns: (transfer none): the heads of the shown attention that the head view shows; may be none
 */
const HlHeadSet *
hl_view_state_get_shown_heads (HlViewState *self)
{
  static const HlHeadSet first = { { 1 } };

  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return hl_lens_merges_heads (&self->applied_lens) && hl_head_set_count (&self->heads) > 0 ? &first : &self->heads;
}

static char *
describe_combination (HlViewState *self)
{
  return hl_combine_describe (&self->applied_lens.heads, hl_attention_get_max_heads (self->attention),
                              &self->applied_lens.layers, hl_attention_get_n_layers (self->attention),
                              self->applied_lens.combine, self->applied_lens.combine_over);
}

/**
 * hl_view_state_dup_head_name:
 * @self: a view state
 * @shown_head: a head of the shown attention
 *
 * Returns: (transfer full): "head 5", or of what it is made: "mean of heads 0, 2", translated
 */
char *
hl_view_state_dup_head_name (HlViewState *self,
                             guint        shown_head)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return hl_view_state_merges_heads (self) ? describe_combination (self) : g_strdup_printf (_ ("head %u"), shown_head);
}

/**
 * hl_view_state_dup_map_name:
 * @self: a view state
 * @shown_layer: a layer of the shown attention
 * @shown_head: a head of it
 *
 * Returns: (transfer full): "layer 3 · head 5", with of what it is made in place of what is not a layer or a head of
 *   the model, translated
 */
char *
hl_view_state_dup_map_name (HlViewState *self,
                            guint        shown_layer,
                            guint        shown_head)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  const gboolean merges_heads = hl_view_state_merges_heads (self);
  const gboolean merges_layers = hl_view_state_merges_layers (self);

  if (!merges_heads && !merges_layers)
    return g_strdup_printf (_ ("layer %u · head %u"), shown_layer, shown_head);

  g_autofree char *made = describe_combination (self);
  g_autofree char *layer = g_strdup_printf (_ ("layer %u"), shown_layer);
  g_autofree char *head = g_strdup_printf (_ ("head %u"), shown_head);
  if (merges_heads && merges_layers)
    return g_steal_pointer (&made);
  return merges_heads ? g_strdup_printf ("%s · %s", layer, made) : g_strdup_printf ("%s · %s", made, head);
}

/**
 * hl_view_state_go_to_shown:
 * @self: a view state
 * @shown_layer: a layer of the shown attention
 * @shown_head: a head of it
 *
 * Shows one map of the shown attention alone. What it is made of stays chosen.
 */
void
hl_view_state_go_to_shown (HlViewState *self,
                           guint        shown_layer,
                           guint        shown_head)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  const gboolean merges_heads = hl_view_state_merges_heads (self);
  const gboolean merges_layers = hl_view_state_merges_layers (self);

  if (!merges_heads && !merges_layers)
    hl_view_state_go_to (self, shown_layer, shown_head);
  else if (!merges_layers)
    hl_view_state_set_layer (self, shown_layer);
  else if (!merges_heads)
    hl_view_state_isolate_head (self, MIN (shown_head, hl_view_state_get_n_heads (self) - 1));
}

/**
 * hl_view_state_get_layers:
 * @self: a view state
 *
 * Returns: (transfer none): the layers that are combined, at least one
 */
const HlLayerSet *
hl_view_state_get_layers (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return &self->layers;
}

/**
 * hl_view_state_set_layers:
 * @self: a view state
 * @layers: layers of the attention; if it has none of them, all
 */
void
hl_view_state_set_layers (HlViewState      *self,
                          const HlLayerSet *layers)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  HlLayerSet valid = *layers;
  hl_layer_set_truncate (&valid, hl_attention_get_n_layers (self->attention));
  if (hl_layer_set_count (&valid) == 0)
    valid = get_all_layers (self);
  if (hl_layer_set_equal (&valid, &self->layers))
    return;
  self->layers = valid;
  g_object_freeze_notify (G_OBJECT (self));
  hl_view_state_notify (self, PROP_LAYERS);
  hl_view_state_update_source (self);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_toggle_layer:
 * @self: a view state
 * @layer: a layer of the attention
 *
 * Adds a layer to those that are combined, or takes it away; the last one stays.
 */
void
hl_view_state_toggle_layer (HlViewState *self,
                            guint        layer)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (layer < hl_attention_get_n_layers (self->attention));

  HlLayerSet layers = self->layers;
  if (!hl_layer_set_contains (&layers, layer))
    hl_layer_set_add (&layers, layer);
  else if (hl_layer_set_count (&layers) > 1)
    hl_layer_set_remove (&layers, layer);
  hl_view_state_set_layers (self, &layers);
}
