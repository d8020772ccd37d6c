/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

#include "core/base/hl-side.h"
#include "core/source/steps/hl-head-steps.h"

G_BEGIN_DECLS

/**
 * HlPickKind:
 * @HL_PICK_NONE: nothing
 * @HL_PICK_QUERY: a token as query: its row
 * @HL_PICK_KEY: a token as key: its column
 * @HL_PICK_CELL: one query and one key
 * @HL_PICK_HEAD: a head's swatch
 * @HL_PICK_MAP: the whole map of a head, of whatever layer
 * @HL_PICK_LAYER: a layer as a whole, in charts
 * @HL_PICK_NUMBER: a number of a matrix whose rows are no tokens
 */
typedef enum {
  HL_PICK_NONE,
  HL_PICK_QUERY,
  HL_PICK_KEY,
  HL_PICK_CELL,
  HL_PICK_HEAD,
  HL_PICK_MAP,
  HL_PICK_LAYER,
  HL_PICK_NUMBER,
} HlPickKind;

/**
 * HlPick:
 * @kind: what it is
 * @query: index of the query in the attention, with %HL_PICK_QUERY and %HL_PICK_CELL
 * @key: index of the key in the attention, with %HL_PICK_KEY and %HL_PICK_CELL
 * @tokens: both, by side
 * @head: the head, with %HL_PICK_HEAD and %HL_PICK_MAP; with %HL_PICK_HEAD, those behind the heads of the layer count
 *   its guests
 * @step: in which matrix of the head it is, in views that show several; %HL_STEP_NONE elsewhere
 * @feature: which feature of the query's, the key's or the value's vector, where @step is a matrix of features; with
 *   %HL_PICK_LAYER which of its parts, in charts that stack some
 * @row: with %HL_PICK_NUMBER, the row of the matrix; @feature is its column
 * @layer: the layer, with %HL_PICK_MAP and %HL_PICK_LAYER, and in the view of all layers with %HL_PICK_QUERY and
 *   %HL_PICK_CELL
 *
 * What a point of a scene stands for; also what is hovered, and what is pinned. Fields that do not belong to @kind are
 * 0.
 */
typedef struct
{
  HlPickKind kind;
  union
  {
    struct
    {
      gsize query;
      gsize key;
    };
    gsize tokens[2];
  };
  guint      head;
  HlStep     step;
  gsize      feature;
  gsize      row;
  guint      layer;
} HlPick;

/* What a token by itself is. */
static inline HlPickKind
hl_pick_kind_of (HlSide side)
{
  return side == HL_QUERIES ? HL_PICK_QUERY : HL_PICK_KEY;
}

static inline HlPick
hl_pick_of (HlSide side,
            gsize  token)
{
  HlPick pick = { hl_pick_kind_of (side) };

  pick.tokens[side] = token;
  return pick;
}

static inline gboolean
hl_pick_is_token (const HlPick *self)
{
  return self->kind == HL_PICK_QUERY || self->kind == HL_PICK_KEY;
}

/* Of a token by itself. */
static inline HlSide
hl_pick_get_side (const HlPick *self)
{
  return self->kind == HL_PICK_KEY ? HL_KEYS : HL_QUERIES;
}

/* Whether it is a head, a map, a layer or a weight of the model: pointed at, never pinned, and not what rules a picture. */
static inline gboolean
hl_pick_is_place (const HlPick *self)
{
  return self->kind == HL_PICK_HEAD || self->kind == HL_PICK_MAP || self->kind == HL_PICK_LAYER ||
         self->kind == HL_PICK_NUMBER;
}

/* Whether it is a token of that side, or a cell. */
static inline gboolean
hl_pick_has (const HlPick *self,
             HlSide        side)
{
  return self->kind == HL_PICK_CELL || self->kind == hl_pick_kind_of (side);
}

#define HL_TYPE_PICK (hl_pick_get_type ())
GType    hl_pick_get_type (void);
HlPick  *hl_pick_copy     (const HlPick *pick);
void     hl_pick_free     (HlPick       *pick);
gboolean hl_pick_equal    (const HlPick *a,
                           const HlPick *b);

G_END_DECLS
