/* SPDX-License-Identifier: MIT */
/* The weights that a head view shows: of which heads of which source, and the numbers. Immutable once read. */
#pragma once

#include "draw/scene/hl-scene-job.h"
#include "view/pick/hl-focus.h"
#include "view/shown/hl-shown.h"

G_BEGIN_DECLS

/* What a head view is made of. */
typedef struct
{
  HlSceneData        parent;  /* how it is read and compared */
  HlAttention       *attention; /* of what */
  HlAttentionSource *source;  /* whose weights */
  HlAttentionSource *whole;   /* where these are filtered, what of; NULL where they are all */
  HlRange            queries; /* of which queries */
  HlRange            keys;    /* of which keys */
  gsize              lead[2]; /* rows that are free above the first of each side */
  guint              n_heads; /* how many heads */
  HlShownHead       *heads;   /* which, those of the layer first and ascending */
  GBytes           **weights; /* queries.n × keys.n floats of each, keys fastest */
  GBytes            *means;   /* likewise, of all heads, before they were filtered; NULL where they are not */
  gboolean           relative; /* whether lines are as strong as their part of the strongest that is shown */
  double             least_whole; /* what the strongest line is a part of at least, if so; 0 for nothing */
  float              greatest; /* the greatest magnitude of all of these; 0 where all are */
  GBytes           **lines;   /* the same, of several heads those of each pair's strongest, and 0 for the others */
  /* these with the other sign, for lines of numbers below zero; NULL if there are none */
  GBytes           **negated;
} HlHeadViewData;

HlHeadViewData *hl_head_view_data_new     (const HlShown         *shown);
HlHeadViewData *hl_head_view_data_new_of_layer (const HlShown    *shown,
                                                guint             layer);
HlHeadViewData *hl_head_view_data_new_of_head (const HlShown     *shown);
gboolean        hl_head_view_data_goes_on (const HlHeadViewData  *self,
                                           const HlHeadViewData  *known);
const float    *hl_head_view_data_get_map (const HlHeadViewData  *self,
                                           guint                  index);
void            hl_head_view_data_get_row (const HlHeadViewData  *self,
                                           guint                  index,
                                           const HlFocus         *focus,
                                           float                 *target);
double          hl_head_view_data_get_gain (const HlHeadViewData *self,
                                            double                greatest);
float          *hl_head_view_data_make_mean_row (const HlHeadViewData  *data,
                                                 const HlFocus         *focus,
                                                 gsize                  n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlHeadViewData, hl_scene_data_unref)

G_END_DECLS
