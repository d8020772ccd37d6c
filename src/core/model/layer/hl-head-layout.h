/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/layer/hl-layer-shape.h"

G_BEGIN_DECLS

/**
 * HlHeadLayout:
 * @first: the first column of the first head
 * @step: from there to that of the next of a group
 * @n_together: heads of a group
 * @group_step: from a group to the next
 *
 * Where the features of heads lie, in a row of products or of weights.
 */
typedef struct
{
  gsize first;
  gsize step;
  guint n_together;
  gsize group_step;
} HlHeadLayout;

/**
 * hl_head_layout_find:
 * @self: layout
 * @head: a head
 *
 * Returns: its first column
 */
static inline gsize
hl_head_layout_find (const HlHeadLayout *self,
                     gsize               head)
{
  return self->first + head / self->n_together * self->group_step + head % self->n_together * self->step;
}

HlHeadLayout hl_head_layout_get (const HlLayerShape *shape,
                                 HlFusedOrder        order,
                                 guint               part);

G_END_DECLS
