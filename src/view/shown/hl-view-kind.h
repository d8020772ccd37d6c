/* SPDX-License-Identifier: MIT */
/*
 * The views, a row each: all that the rest of the program knows of one. Who draws it stands in
 * draw/export/hl-scene-new.c.
 */
#pragma once

#include "core/document/attention/hl-attention.h"
#include "view/pick/hl-pick.h"

#include <glib-object.h>

G_BEGIN_DECLS

typedef enum {
  HL_VIEW_HEAD_VIEW,
  HL_VIEW_HEATMAP,
  HL_VIEW_MODEL,
  HL_VIEW_STEPS,
  HL_VIEW_NEURON,
  HL_VIEW_LAYERS,
  HL_VIEW_CHART,
  HL_VIEW_PICTURE,
} HlViewKind;

#define HL_N_VIEW_KINDS (HL_VIEW_PICTURE + 1)

/* What documents open in, and where one comes to from tables and thumbnails: shows any choice of heads. */
#define HL_VIEW_DEFAULT HL_VIEW_HEAD_VIEW

/* How arrow keys move what is in focus. */
typedef enum {
  HL_WALK_TOKENS, /* along a side, and over to the other */
  HL_WALK_CELLS,  /* in both directions of a matrix */
  HL_WALK_SCENE,  /* as the scene itself has it: from head to head */
  HL_WALK_LAYERS, /* along the tokens, and from layer to layer */
  HL_WALK_ROW,    /* along the queries, and along the keys of one */
} HlViewWalk;

/**
 * HlViewHint:
 * @HL_HINT_IDLE: nothing is pointed at
 * @HL_HINT_TOKEN: a token
 * @HL_HINT_CELL: a query and a key
 * @HL_HINT_PLACE: a head, a layer or a number
 * @HL_HINT_PINNED: nothing, and something is pinned
 *
 * When a line says what can be done.
 */
typedef enum {
  HL_HINT_IDLE,
  HL_HINT_TOKEN,
  HL_HINT_CELL,
  HL_HINT_PLACE,
  HL_HINT_PINNED,
} HlViewHint;

#define HL_N_VIEW_HINTS (HL_HINT_PINNED + 1)

/**
 * HlViewTraits:
 * @nick: its name in actions, settings, sessions, file names and on the command line, and in that of its icon
 * @label: its name for people, not yet translated
 * @summary: what it shows, in a few words, not yet translated
 * @hints: what can be done in it, not yet translated; that of %HL_HINT_IDLE stands for those that are not there
 * @walk: how keys move in it
 * @shows_one_head: only the head in the foreground, whatever others are chosen
 * @shows_all_heads: thumbnails of all heads of all layers, chosen or not, without tokens
 * @shows_all_layers: a layer beside the other; a query in it is of one of them
 * @mixes_layers: heads of several layers in one picture
 * @shows_steps: how weights follow from queries and keys: filters are not in force, and there is no difference
 * @shows_charts: numbers of heads in place of maps, of the quantity that is chosen: nothing else is derived, nothing is left
 *   out, and a difference is one of numbers
 * @shows_pictures: images, with weights as heat over them: needs tokens that stand for parts of one
 * @has_value_scale: colours on a scale that one chooses, with a bar
 * @crosses_sides: queries downwards and keys across, rather than both the same way
 * @can_turn: tokens run downwards or to the side, as one chooses
 * @mirrors: begins at the right where the text does
 * @offers_reading: one chooses from which side it is read
 * @has_minimap: strips beside it show where its content is strong
 * @joins_tokens: lines between tokens tell weights
 * @links_tokens: a line between two tokens can be drawn into it
 * @has_bars: tells weights by bars as well
 * @keeps_proportions: is as large as the page allows and no wider than its cells are, rather than as wide as the page
 */
typedef struct
{
  HlViewKind kind;
  const char *nick;
  const char *label;
  const char *summary;
  const char *hints[HL_N_VIEW_HINTS];
  HlViewWalk walk;
  gboolean shows_one_head;
  gboolean shows_all_heads;
  gboolean shows_all_layers;
  gboolean mixes_layers;
  gboolean shows_steps;
  gboolean shows_charts;
  gboolean shows_pictures;
  gboolean has_value_scale;
  gboolean crosses_sides;
  gboolean can_turn;
  gboolean mirrors;
  gboolean offers_reading;
  gboolean has_minimap;
  gboolean joins_tokens;
  gboolean links_tokens;
  gboolean has_bars;
  gboolean keeps_proportions;
} HlViewTraits;

#define HL_TYPE_VIEW_KIND (hl_view_kind_get_type ())
GType               hl_view_kind_get_type   (void);
const HlViewTraits *hl_view_kind_get_traits (HlViewKind  kind);
gboolean            hl_view_kind_from_nick  (const char *nick,
                                             HlViewKind *kind);
const char         *hl_view_kind_get_hint   (HlViewKind  kind,
                                             HlViewHint  hint);
const char         *hl_view_kind_get_lack   (HlViewKind   kind,
                                             HlAttention *attention);
void                hl_view_kind_put_in_layer (HlViewKind kind,
                                               HlPick    *pick,
                                               guint      layer);

G_END_DECLS
