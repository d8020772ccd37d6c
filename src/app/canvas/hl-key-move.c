/* SPDX-License-Identifier: MIT */
/*
 * Where a key leads from a token or cell: the one in focus, or what is pointed at beside it. In the
 * heatmap and in steps that is a cell, elsewhere a token, which left and right take from queries to keys and back; in
 * the neuron view the keys of a query are its cells.
 */
#include "config.h"

#include "app/canvas/hl-key-move.h"

#define PAGE_TOKENS 10

static gsize
move_index (gsize          index,
            const HlRange *range,
            int            direction,
            HlKeyMove      kind)
{
  const gsize last = range->first + range->n - 1;
  const gsize step = kind == HL_KEY_MOVE_PAGE ? PAGE_TOKENS : 1;

  index = CLAMP (index, range->first, last);
  if (direction == 0)
    return index;
  if (kind == HL_KEY_MOVE_END)
    return direction < 0 ? range->first : last;
  if (direction < 0)
    return index - range->first > step ? index - step : range->first;
  return last - index > step ? index + step : last;
}

/* From where a key moves on. */
static HlPick
get_start (HlViewState  *state,
           const HlPick *from,
           const HlRange ranges[2],
           gboolean     *is_new)
{
  const HlViewTraits *view = hl_view_kind_get_traits (hl_view_state_get_options (state)->view);
  HlPick pick = *from;

  *is_new = pick.kind == HL_PICK_NONE;
  if (!hl_pick_is_token (&pick) && pick.kind != HL_PICK_CELL)
    {
      pick = hl_pick_of (HL_QUERIES, ranges[HL_QUERIES].first);
      pick.layer = view->shows_all_layers ? hl_view_state_get_shown (state)->layer : 0;
    }
  if (view->walk == HL_WALK_CELLS)
    {
      /* From a matrix of features to the weights. */
      if (!hl_step_is_map (pick.step))
        pick.step = view->shows_steps ? HL_STEP_WEIGHTS : HL_STEP_NONE;
      pick.feature = 0;
      for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
        if (!hl_pick_has (&pick, side))
          pick.tokens[side] = ranges[side].first;
      pick.kind = HL_PICK_CELL;
    }
  else if (view->walk == HL_WALK_ROW)
    pick = (HlPick){ pick.kind, .query = pick.query, .key = pick.key };
  else if (pick.kind == HL_PICK_CELL)
    pick = (HlPick){ HL_PICK_QUERY, .query = pick.query, .layer = pick.layer };
  return pick;
}

/* Up and down along the keys of a query; to the left back to the queries. */
static void
move_neuron (HlPick       *pick,
             const HlRange ranges[2],
             int           dx,
             int           dy,
             HlKeyMove     kind)
{
  const HlRange *queries = &ranges[HL_QUERIES], *keys = &ranges[HL_KEYS];

  if (pick->kind == HL_PICK_QUERY && dx <= 0)
    pick->query = move_index (pick->query, queries, dy, kind);
  else if (pick->kind == HL_PICK_QUERY)
    *pick = (HlPick){ HL_PICK_CELL, .query = pick->query, .key = keys->first };
  else if (pick->kind == HL_PICK_KEY)
    *pick = (HlPick){ HL_PICK_CELL, .query = queries->first, .key = move_index (pick->key, keys, dy, kind) };
  else if (dx < 0)
    *pick = hl_pick_of (HL_QUERIES, pick->query);
  else
    pick->key = move_index (pick->key, keys, dy, kind);
}

static void
move_token (HlPick       *pick,
            const HlRange ranges[2],
            int           dx,
            int           dy,
            HlKeyMove     kind)
{
  const HlSide from = hl_pick_get_side (pick);
  const HlSide to = dx > 0 ? HL_KEYS : dx < 0 ? HL_QUERIES : from;

  *pick = hl_pick_of (to, move_index (pick->tokens[from], &ranges[to], dy, kind));
}

/* To the side from layer to layer; before the lowest is the input. */
static void
move_through_layers (HlViewState   *state,
                     HlPick        *pick,
                     const HlRange *range,
                     int            dx,
                     int            dy,
                     HlKeyMove      kind)
{
  const int n_layers = (int) hl_attention_get_n_layers (hl_view_state_get_shown (state)->attention);
  const HlSide from = hl_pick_get_side (pick);
  const int column = from == HL_QUERIES ? (int) pick->layer + 1 : 0;
  const int next = CLAMP (column + (kind == HL_KEY_MOVE_STEP ? dx : 0), 0, n_layers);
  const gsize token = move_index (pick->tokens[from], range, kind == HL_KEY_MOVE_END && dy == 0 ? dx : dy, kind);

  *pick = hl_pick_of (next == 0 ? HL_KEYS : HL_QUERIES, token);
  if (next > 0)
    pick->layer = (guint) next - 1;
}

/* Keys point on the screen, where tokens may run across or from right to left. */
static void
turn_step (HlViewState *state,
           int         *dx,
           int         *dy)
{
  const HlViewTraits *view = hl_view_kind_get_traits (hl_view_state_get_options (state)->view);

  if (!view->mirrors)
    return;
  if (hl_view_state_reads_right_to_left (state))
    *dx = -*dx;
  if (view->can_turn && hl_view_state_get_options (state)->orientation == HL_ORIENTATION_HORIZONTAL)
    {
      const int down = *dy;
      *dy = *dx;
      *dx = down;
    }
}

/* Whether there is anywhere to go to. */
gboolean
hl_key_move (HlViewState  *state,
             const HlPick *from,
             int           dx,
             int           dy,
             HlKeyMove     kind,
             HlPick       *pick)
{
  const HlViewWalk walk = hl_view_kind_get_traits (hl_view_state_get_options (state)->view)->walk;
  const HlRange *ranges = hl_view_state_get_shown (state)->ranges;
  gboolean is_new;

  if (ranges[HL_QUERIES].n == 0 || ranges[HL_KEYS].n == 0)
    return FALSE;
  if (kind == HL_KEY_MOVE_STEP)
    turn_step (state, &dx, &dy);
  *pick = get_start (state, from, ranges, &is_new);
  if (is_new && kind == HL_KEY_MOVE_STEP)
    /* The first key only shows where the focus is. */
    return TRUE;
  const int across = kind == HL_KEY_MOVE_END ? 0 : dx;
  const int down = kind == HL_KEY_MOVE_END && dy == 0 ? dx : dy;
  if (walk == HL_WALK_LAYERS)
    move_through_layers (state, pick, &ranges[HL_QUERIES], dx, dy, kind);
  else if (walk == HL_WALK_ROW)
    move_neuron (pick, ranges, across, down, kind);
  else if (pick->kind == HL_PICK_CELL)
    {
      pick->query = move_index (pick->query, &ranges[HL_QUERIES], dy, kind);
      pick->key = move_index (pick->key, &ranges[HL_KEYS], dx, kind);
    }
  else
    move_token (pick, ranges, across, down, kind);
  return TRUE;
}
