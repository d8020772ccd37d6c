/* SPDX-License-Identifier: MIT */
/* Ways to go from what is looked at to something else: to other heads and layers, with fewer tokens or more. */
#include "view/hl-view-state.h"

#include <string.h>

guint
hl_view_state_get_layer (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), 0);

  return hl_view_state_get_selection (self)->layer;
}

/* Past the last, the last. Heads go along as far as the layer has them. */
void
hl_view_state_set_layer (HlViewState *self,
                         guint        layer)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  g_auto (HlHeadSelection) selection = hl_head_selection_copy (hl_view_state_get_selection (self));
  hl_head_selection_set_layer (&selection, hl_view_state_get_attention (self), layer);
  hl_view_state_set_selection (self, &selection);
}

/* The head that leads: the one that a heatmap shows. */
guint
hl_view_state_get_head (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), 0);

  return hl_view_state_get_selection (self)->head;
}

/* One head alone; past the last, the last. */
void
hl_view_state_go_to (HlViewState *self,
                     guint        layer,
                     guint        head)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  g_auto (HlHeadSelection) selection = hl_head_selection_copy (hl_view_state_get_selection (self));
  hl_head_selection_go_to (&selection, hl_view_state_get_attention (self), layer, head);
  hl_view_state_set_selection (self, &selection);
}

static gboolean
has_any (HlAttention     *attention,
         guint            layer,
         const HlHeadSet *heads)
{
  HlHeadSet there = *heads;

  hl_head_set_truncate (&there, hl_attention_get_n_heads (attention, layer));
  return hl_head_set_count (&there) > 0;
}

/* Where layers become one and the layer that is looked at has none of the heads, the first of them that has one. */
static guint
find_layer (HlViewState     *self,
            const HlHeadSet *heads)
{
  HlAttention *attention = hl_view_state_get_attention (self);
  const HlHeadSelection *selection = hl_view_state_get_selection (self);

  if (!hl_view_state_get_shown (self)->merges_layers || has_any (attention, selection->layer, heads))
    return selection->layer;
  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    if (hl_layer_set_contains (&selection->layers, layer) && has_any (attention, layer, heads))
      return layer;
  return selection->layer;
}

/* Shows one map of the shown attention alone. What it is made of stays chosen. */
void
hl_view_state_go_to_shown (HlViewState *self,
                           guint        shown_layer,
                           guint        shown_head)
{
  HlHeadSet alone = { { 0 } };

  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (shown_head < HL_LIMIT_HEADS);

  hl_head_set_add (&alone, shown_head);
  if (!hl_view_state_get_shown (self)->merges_heads && !hl_view_state_get_shown (self)->merges_layers)
    hl_view_state_go_to (self, shown_layer, shown_head);
  else if (!hl_view_state_get_shown (self)->merges_layers)
    hl_view_state_set_layer (self, shown_layer);
  else if (!hl_view_state_get_shown (self)->merges_heads)
    hl_view_state_go_to (self, find_layer (self, &alone), shown_head);
}

/* The first that has heads: layers of other kinds may come before it. */
guint
hl_view_state_get_first_layer (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), 0);

  HlAttention *attention = hl_view_state_get_attention (self);
  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    if (hl_attention_get_n_heads (attention, layer) > 0)
      return layer;
  return 0;
}

/* The head that a tool without a choice of its own would begin with. */
void
hl_view_state_go_to_first (HlViewState *self)
{
  hl_view_state_go_to (self, hl_view_state_get_first_layer (self), 0);
}

/* How many heads the layer has. */
guint
hl_view_state_get_n_heads (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), 0);

  return hl_attention_get_n_heads (hl_view_state_get_attention (self), hl_view_state_get_selection (self)->layer);
}

/* Those that the head view shows of the layer, or that are combined; may be none. */
const HlHeadSet *
hl_view_state_get_heads (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return hl_head_selection_get_heads (hl_view_state_get_selection (self));
}

/* The same, and where heads or layers become one also those that only other layers have. */
const HlHeadSet *
hl_view_state_get_chosen_heads (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  const HlShown *shown = hl_view_state_get_shown (self);
  const HlHeadSelection *selection = hl_view_state_get_selection (self);

  return shown->merges_heads || shown->merges_layers ? hl_head_selection_get_combined (selection)
                                                     : hl_head_selection_get_heads (selection);
}

/* Where layers become one, also those that only another of them than the one that is looked at has. */
void
hl_view_state_set_heads (HlViewState     *self,
                         const HlHeadSet *heads)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  g_auto (HlHeadSelection) selection = hl_head_selection_copy (hl_view_state_get_selection (self));
  hl_head_selection_set_layer (&selection, hl_view_state_get_attention (self), find_layer (self, heads));
  hl_head_selection_set_heads (&selection, hl_view_state_get_attention (self), heads);
  hl_view_state_set_selection (self, &selection);
}

/* Adds a head of the layer, or of those that become one, to those shown, or takes it away. */
void
hl_view_state_toggle_head (HlViewState *self,
                           guint        head)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  const HlShown *shown = hl_view_state_get_shown (self);
  const guint max_heads = hl_attention_get_max_heads (hl_view_state_get_attention (self));
  HlHeadSet heads = *hl_view_state_get_chosen_heads (self);
  g_return_if_fail (head < (shown->merges_layers ? max_heads : hl_view_state_get_n_heads (self)));

  if (!hl_head_set_contains (&heads, head))
    hl_head_set_add (&heads, head);
  else
    {
      /* Of all, those stay that there are. */
      hl_head_set_truncate (&heads, max_heads);
      hl_head_set_remove (&heads, head);
    }
  hl_view_state_set_heads (self, &heads);
}

/* The same of any layer, see hl_head_selection_toggle(). Heads and layers must not be combined. */
void
hl_view_state_toggle_head_of (HlViewState *self,
                              guint        layer,
                              guint        head)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (head < hl_attention_get_n_heads (hl_view_state_get_attention (self), layer));

  g_auto (HlHeadSelection) selection = hl_head_selection_copy (hl_view_state_get_selection (self));
  hl_head_selection_toggle (&selection, hl_view_state_get_attention (self), layer, head);
  hl_view_state_set_selection (self, &selection);
}

static void
set_heads_alone (HlViewState     *self,
                 const HlHeadSet *heads)
{
  g_auto (HlHeadSelection) selection = hl_head_selection_copy (hl_view_state_get_selection (self));

  hl_head_selection_set_heads (&selection, hl_view_state_get_attention (self), heads);
  hl_head_selection_set_others (&selection, NULL, 0);
  hl_view_state_set_selection (self, &selection);
}

void
hl_view_state_select_all_heads (HlViewState *self)
{
  HlHeadSet heads;

  g_return_if_fail (HL_IS_VIEW_STATE (self));

  memset (&heads, 0xff, sizeof heads);
  set_heads_alone (self, &heads);
}

void
hl_view_state_select_no_heads (HlViewState *self)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  set_heads_alone (self, &(HlHeadSet){ { 0 } });
}

/* The layers that are combined, at least one. */
const HlLayerSet *
hl_view_state_get_layers (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return &hl_view_state_get_selection (self)->layers;
}

/* If the attention has no heads in any of them, all. */
void
hl_view_state_set_layers (HlViewState      *self,
                          const HlLayerSet *layers)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  g_auto (HlHeadSelection) selection = hl_head_selection_copy (hl_view_state_get_selection (self));
  selection.layers = *layers;
  hl_view_state_set_selection (self, &selection);
}

/* Adds a layer to those that are combined, or takes it away; the last one that has heads stays. */
void
hl_view_state_toggle_layer (HlViewState *self,
                            guint        layer)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  HlAttention *attention = hl_view_state_get_attention (self);
  g_return_if_fail (layer < hl_attention_get_n_layers (attention));

  g_auto (HlHeadSelection) selection = hl_head_selection_copy (hl_view_state_get_selection (self));
  if (hl_layer_set_contains (&selection.layers, layer))
    hl_layer_set_remove (&selection.layers, layer);
  else
    hl_layer_set_add (&selection.layers, layer);
  const HlLayerSet left = hl_head_selection_get_layers_with_heads (&selection, attention);
  if (hl_layer_set_count (&left) > 0)
    hl_view_state_set_selection (self, &selection);
}

char *
hl_view_state_dup_hidden (HlViewState *self)
{
  return hl_token_sets_format (hl_view_state_get_hidden (self)->sets);
}

/* As hl_token_sets_parse() reads them; what it does not understand changes nothing. */
void
hl_view_state_set_hidden (HlViewState *self,
                          const char  *text)
{
  HlHiddenTokens hidden;

  g_return_if_fail (HL_IS_VIEW_STATE (self));

  if (hl_token_sets_parse (text != NULL ? text : "", hidden.sets))
    hl_view_state_take_hidden (self, hidden);
}

/* Of a cell, its key. */
static HlSide
get_side_to_hide (const HlPick *pick)
{
  return pick->kind == HL_PICK_QUERY ? HL_QUERIES : HL_KEYS;
}

/* The tokens of the attention that a row or column stands for. */
static HlTokenSpan
get_span (HlTokenMap *map,
          gsize       index)
{
  return map != NULL ? hl_token_map_get_spans (map)[index] : (HlTokenSpan){ index, 1 };
}

/* Whether hl_view_state_hide() has an effect: it is a token or a cell, and not the last token that is shown. */
gboolean
hl_view_state_can_hide (HlViewState  *self,
                        const HlPick *pick)
{
  const HlShown *shown = hl_view_state_get_shown (self);

  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  if (shown->is_plain)
    return FALSE;
  /* Only the second side of a comparison has some tokens; what is hidden is of the first. */
  const HlSide side = get_side_to_hide (pick);
  return hl_pick_has (pick, side) && shown->ranges[side].n > 1 &&
         get_span (hl_attention_get_map (shown->attention, side), pick->tokens[side]).n > 0;
}

static void
change_hidden (HlViewState *self,
               HlSide       side,
               HlTokenSpan  span,
               gboolean     is_hidden)
{
  hl_view_state_take_hidden (self, hl_hidden_tokens_change (hl_view_state_get_hidden (self),
                                                            hl_view_state_get_attention (self), side, span, is_hidden));
}

/* Hides a token, or all pieces of a word; of a cell, its key. In self-attention it goes as a query and as a key. */
void
hl_view_state_hide (HlViewState  *self,
                    const HlPick *pick)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  if (!hl_view_state_can_hide (self, pick))
    return;
  HlAttention *attention = hl_view_state_get_shown (self)->attention;
  const HlSide side = get_side_to_hide (pick);
  const HlTokenSpan span = get_span (hl_attention_get_map (attention, side), pick->tokens[side]);
  change_hidden (self, hl_attention_is_transposed (attention) ? hl_side_get_other (side) : side, span, TRUE);
}

/* Shows a token of the attention again. */
void
hl_view_state_unhide (HlViewState *self,
                      HlSide       side,
                      gsize        token)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  change_hidden (self, side, (HlTokenSpan){ token, 1 }, FALSE);
}

/* Whether tokens are to be hidden, if there are such. */
gboolean
hl_view_state_hides (HlViewState *self)
{
  const HlHiddenTokens *hidden = hl_view_state_get_hidden (self);

  return hl_view_state_get_options (self)->hide_special || hl_view_state_get_options (self)->hide_first ||
         hidden->sets[HL_QUERIES] != NULL || hidden->sets[HL_KEYS] != NULL;
}

void
hl_view_state_show_all_tokens (HlViewState *self)
{
  HlViewOptions options = *hl_view_state_get_options (self);

  g_return_if_fail (HL_IS_VIEW_STATE (self));

  options.hide_special = options.hide_first = FALSE;
  g_object_freeze_notify (G_OBJECT (self));
  hl_view_state_set_options (self, &options);
  hl_view_state_take_hidden (self, (HlHiddenTokens){ { NULL } });
  g_object_thaw_notify (G_OBJECT (self));
}

/*
 * Hides the tokens that were chosen to be hidden in another, perhaps of another text, those of them that it has too. While
 * its aligner aligns the texts, nothing changes: then it is to be called again.
 */
void
hl_view_state_hide_like (HlViewState *self,
                         HlViewState *other)
{
  HlHiddenTokens hidden;

  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (HL_IS_VIEW_STATE (other));

  if (hl_hidden_tokens_translate (hl_view_state_get_hidden (other), hl_view_state_get_attention (other),
                                  hl_view_state_get_attention (self), hl_view_state_get_counterpart (self)->aligner,
                                  &hidden))
    hl_view_state_take_hidden (self, hidden);
  else
    hl_hidden_tokens_clear (&hidden);
}

/*
 * The token that is meant; of a cell that of the side whose tokens are being gathered. Two cells of one row have it in common:
 * then it is the key.
 */
static HlPick
get_gathered (HlViewState  *self,
              const HlPick *pick)
{
  const HlPick *pinned = hl_view_state_get_pinned (self);
  const gboolean shares_row = pinned->kind == HL_PICK_CELL && pinned->query == pick->query;
  const HlSide side = pinned->kind == HL_PICK_KEY || shares_row ? HL_KEYS : HL_QUERIES;
  HlPick token = *pick;

  if (pick->kind != HL_PICK_CELL)
    return token;
  token = hl_pick_of (side, pick->tokens[side]);
  token.layer = pick->layer;
  return token;
}

/* Pins a token besides those that are, or frees it again. A cell that is the first is pinned itself. */
void
hl_view_state_gather (HlViewState  *self,
                      const HlPick *pick)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (hl_pick_is_token (pick) || pick->kind == HL_PICK_CELL);

  const HlPick *pinned = hl_view_state_get_pinned (self);
  if (pick->kind == HL_PICK_CELL && (pinned->kind == HL_PICK_NONE || hl_pick_equal (pinned, pick)))
    {
      hl_view_state_set_pinned (self, pinned->kind == HL_PICK_NONE ? pick : NULL);
      return;
    }
  const HlPick token = get_gathered (self, pick);
  g_auto (HlFocus) pin = hl_focus_toggle (hl_view_state_get_pin (self), &token);
  hl_view_state_set_pin (self, &pin);
}

/* Has a token lead that is pinned besides the others. If it is already, the one that led before is free again. */
void
hl_view_state_extend_pin (HlViewState  *self,
                          const HlPick *pick)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (hl_pick_is_token (pick) || pick->kind == HL_PICK_CELL);

  const HlFocus *pin = hl_view_state_get_pin (self);
  const HlPick token = get_gathered (self, pick);
  if (hl_pick_equal (&pin->pick, &token))
    return;
  g_auto (HlFocus) next = hl_focus_covers (pin, &token) ? hl_focus_toggle (pin, &pin->pick)
                                                        : hl_focus_toggle (pin, &token);
  next.pick = token;
  hl_view_state_set_pin (self, &next);
}

gboolean
hl_view_state_reads_right_to_left (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  return hl_view_state_get_shown (self)->reads_right_to_left;
}

/* Where the first token of a run of the document is in the picture. */
static gboolean
find_shown (HlAttention *shown,
            HlSide       side,
            gsize        token,
            gsize       *index)
{
  HlTokenMap *map = hl_attention_get_map (shown, side);

  *index = token;
  return map == NULL ? token < hl_attention_get_n (shown, side) : hl_token_map_find (map, token, index);
}

/* Pins two words of the document, each by its first token. Where one is not shown, and in a difference, nothing changes. */
void
hl_view_state_pin_pair (HlViewState       *self,
                        const HlTokenPair *pair)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  const HlShown *shown = hl_view_state_get_shown (self);
  const HlSide queries = hl_attention_is_transposed (shown->attention) ? HL_KEYS : HL_QUERIES;
  const HlSide keys = hl_side_get_other (queries);
  HlPick cell = { HL_PICK_CELL };

  hl_view_kind_put_in_layer (shown->options.view, &cell, shown->layer);
  if (shown->comparison == NULL && find_shown (shown->attention, queries, pair->queries.first, &cell.tokens[queries]) &&
      find_shown (shown->attention, keys, pair->keys.first, &cell.tokens[keys]) && hl_shown_has_pick (shown, &cell))
    hl_view_state_set_pinned (self, &cell);
}
