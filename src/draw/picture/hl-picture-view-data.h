/* SPDX-License-Identifier: MIT */
/* The weights that a picture view shows: of several heads their mean, so that it is one map however many there are. Immutable once read. */
#pragma once

#include "draw/scene/hl-scene-job.h"
#include "view/shown/hl-shown.h"
#include "view/pick/hl-focus.h"

G_BEGIN_DECLS

/* The ends of the numbers; NaN and masked cells are none. */
typedef struct
{
  double min;
  double min_positive; /* infinite where none is above 0 */
  double max;
} HlPictureViewEnds;

typedef struct
{
  HlSceneData parent;

  HlAttention *attention;
  HlAttentionSource *source;
  HlAttentionSource *whole;    /* where these are filtered, what of; NULL where they are all */
  gboolean is_signed;
  HlShownHead *heads;
  guint n_heads;
  union
  {
    struct
    {
      HlRange queries;
      HlRange keys;
    };
    HlRange ranges[2];
  };
  float *map;                  /* [queries, keys], before they were filtered */
  guint8 *is_left;             /* likewise, whether a filter leaves it in any head; NULL where there is none */
  HlSide receivers;            /* the side that stands for keys: of maps that are turned, rows */
  float *received;             /* of each of these the mean over queries */
  HlPictureViewEnds ends;      /* of all numbers of the map */
  HlPictureViewEnds off_ends;  /* of those off the diagonal */
} HlPictureViewData;

HlPictureViewData *hl_picture_view_data_new      (const HlShown           *shown);
void               hl_picture_view_ends_init     (HlPictureViewEnds       *self);
void               hl_picture_view_ends_take     (HlPictureViewEnds       *self,
                                                  float                    value);
float              hl_picture_view_data_get      (const HlPictureViewData *self,
                                                  gsize                    query,
                                                  gsize                    key);
void               hl_picture_view_data_get_row  (const HlPictureViewData *self,
                                                  const HlFocus           *focus,
                                                  float                   *target);

G_END_DECLS
