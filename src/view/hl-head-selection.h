/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"
#include "core/source/derive/hl-combine-source.h"

G_BEGIN_DECLS

/**
 * HL_MAX_FARTHER_HEADS:
 *
 * More heads of other layers than anybody could tell apart in one picture.
 */
#define HL_MAX_FARTHER_HEADS 512

/**
 * HlHeadPlace:
 * @layer: its layer
 * @head: which head of it
 */
typedef struct
{
  guint layer;
  guint head;
} HlHeadPlace;

/**
 * HlHeadPlaces:
 * @n: how many
 * @heads: (array length=n): in the order in which they came, none twice
 *
 * Heads of any layers. A value: copy it by assignment.
 */
typedef struct
{
  guint       n;
  HlHeadPlace heads[HL_MAX_FARTHER_HEADS];
} HlHeadPlaces;

/**
 * HlHeadSelection:
 * @layer: the layer that is looked at
 * @head: the head that leads: the one that views of one head show
 * @heads: which heads are chosen of whatever layer is looked at; may be none
 * @farther: those that are chosen with a layer of their own. It may have become the one that is looked at
 * @layers: which layers are combined where layers are, at least one
 *
 * Which heads are chosen, in order: "1,7.3" is head 1 of the layer that is looked at, then head 3 of layer 7. A value:
 * copy it by assignment.
 */
typedef struct
{
  guint        layer;
  guint        head;
  HlHeadSet    heads;
  HlHeadPlaces farther;
  HlLayerSet   layers;
} HlHeadSelection;

/**
 * HlShownHead:
 * @layer: its layer
 * @head: which head of it
 * @colour: the number of its colour in the palette: that of the head; of one of another layer, one that no head of the
 *   layer has while the palette reaches
 *
 * A head among those that are shown together.
 */
typedef struct
{
  guint layer;
  guint head;
  guint colour;
} HlShownHead;

gboolean hl_head_places_find   (const HlHeadPlaces *self,
                                guint               layer,
                                guint               head,
                                guint              *index);
gboolean hl_head_places_add    (HlHeadPlaces       *self,
                                guint               layer,
                                guint               head);
gboolean hl_head_places_equal  (const HlHeadPlaces *a,
                                const HlHeadPlaces *b);
gboolean hl_head_places_parse  (HlHeadPlaces       *self,
                                const char         *text);
char    *hl_head_places_format (const HlHeadPlaces *self);

void     hl_head_selection_init           (HlHeadSelection       *self,
                                           HlAttention           *attention);
void     hl_head_selection_fit            (HlHeadSelection       *self,
                                           HlAttention           *attention);
gboolean hl_head_selection_equal          (const HlHeadSelection *a,
                                           const HlHeadSelection *b);
void     hl_head_selection_set_layer      (HlHeadSelection       *self,
                                           HlAttention           *attention,
                                           guint                  layer);
void     hl_head_selection_set_heads      (HlHeadSelection       *self,
                                           HlAttention           *attention,
                                           const HlHeadSet       *heads);
void     hl_head_selection_go_to          (HlHeadSelection       *self,
                                           HlAttention           *attention,
                                           guint                  layer,
                                           guint                  head);
void     hl_head_selection_lead_farther   (HlHeadSelection       *self,
                                           HlAttention           *attention);
gboolean hl_head_selection_toggle         (HlHeadSelection       *self,
                                           HlAttention           *attention,
                                           guint                  layer,
                                           guint                  head);

G_END_DECLS
