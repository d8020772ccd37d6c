/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"
#include "core/source/derive/hl-combine-source.h"

G_BEGIN_DECLS

/**
 * HL_LAYER_LOOKED_AT:
 *
 * In place of a layer: that which is looked at, whichever that is.
 */
#define HL_LAYER_LOOKED_AT G_MAXUINT

/**
 * HlHeadPlace:
 * @layer: its layer, or %HL_LAYER_LOOKED_AT
 * @head: which head of it
 */
typedef struct
{
  guint layer;
  guint head;
} HlHeadPlace;

gboolean hl_head_places_find   (const HlHeadPlace *places,
                                guint              n,
                                guint              layer,
                                guint              head,
                                guint             *index);
gboolean hl_head_places_parse  (GArray            *places,
                                GHashTable        *known,
                                const char        *text);
char    *hl_head_places_format (const HlHeadPlace *places,
                                guint              n);

typedef struct _HlHeadList HlHeadList;

/**
 * HlHeadSelection:
 * @layer: the layer that is looked at
 * @head: the head that leads: the one that views of one head show
 * @list: which heads are chosen, in order, none twice; never changed, %NULL for none
 * @layers: which layers are combined where layers are, at least one
 *
 * Which heads are chosen: "1,7.3" is head 1 of the layer that is looked at, then head 3 of layer 7, also while that is
 * looked at. Of layers that have fewer heads than others, all that are chosen are all.
 */
typedef struct
{
  guint       layer;
  guint       head;
  HlHeadList *list;
  HlLayerSet  layers;
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

void               hl_head_selection_init       (HlHeadSelection       *self,
                                                 HlAttention           *attention);
HlHeadSelection    hl_head_selection_copy       (const HlHeadSelection *self);
void               hl_head_selection_clear      (HlHeadSelection       *self);
gboolean           hl_head_selection_equal      (const HlHeadSelection *a,
                                                 const HlHeadSelection *b);
gboolean           hl_head_selection_same_heads (const HlHeadSelection *a,
                                                 const HlHeadSelection *b);
guint              hl_head_selection_get_n      (const HlHeadSelection *self);
const HlHeadSet   *hl_head_selection_get_heads  (const HlHeadSelection *self);
const HlHeadSet   *hl_head_selection_get_combined (const HlHeadSelection *self);
gboolean           hl_head_selection_has_all    (const HlHeadSelection *self,
                                                 HlAttention           *attention);
const HlHeadPlace *hl_head_selection_get_others (const HlHeadSelection *self,
                                                 guint                 *n);
void               hl_head_selection_fit        (HlHeadSelection       *self,
                                                 HlAttention           *attention);
void               hl_head_selection_set_layer  (HlHeadSelection       *self,
                                                 HlAttention           *attention,
                                                 guint                  layer);
void               hl_head_selection_set_heads  (HlHeadSelection       *self,
                                                 HlAttention           *attention,
                                                 const HlHeadSet       *heads);
void               hl_head_selection_set_others (HlHeadSelection       *self,
                                                 const HlHeadPlace     *others,
                                                 guint                  n);
void               hl_head_selection_go_to      (HlHeadSelection       *self,
                                                 HlAttention           *attention,
                                                 guint                  layer,
                                                 guint                  head);
void               hl_head_selection_lead_other (HlHeadSelection       *self,
                                                 HlAttention           *attention);
void               hl_head_selection_toggle     (HlHeadSelection       *self,
                                                 HlAttention           *attention,
                                                 guint                  layer,
                                                 guint                  head);

HlLayerSet hl_head_selection_get_layers_with_heads (const HlHeadSelection *self,
                                                    HlAttention           *attention);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlHeadSelection, hl_head_selection_clear)

G_END_DECLS
