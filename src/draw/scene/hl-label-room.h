/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

/**
 * HlLabelRoom:
 * @query_width: what the widest label of a query takes, logical pixels
 * @key_width: what the widest label of a key takes
 *
 * The room that the labels of the shown tokens want: measured once for an attention and what of it is shown. Zeros before
 * the first hl_label_room_measure().
 */
typedef struct
{
  double query_width;
  double key_width;

  /*< private >*/
  HlAttention *attention;
  HlRange queries;
  HlRange keys;
} HlLabelRoom;

void hl_label_room_measure (HlLabelRoom *self,
                            HlScene     *scene,
                            double       size);
void hl_label_room_clear   (HlLabelRoom *self);

G_END_DECLS
