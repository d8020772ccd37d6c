/* SPDX-License-Identifier: MIT */
/* In which order a model view shows heads, and what it writes over them. */
#pragma once

#include "view/hl-view-state.h"

G_BEGIN_DECLS

/* What of the numbers of heads is in the picture. */
typedef struct
{
  HlHeadNumbers *numbers;   /* what is known of the heads; may be NULL */
  HlHeadMeasure  sort;      /* by what they are sorted; HL_HEAD_MEASURE_NONE for a row for each layer */
  HlHeadMeasure  colour_by; /* what their frames tell */
  guint         *order;     /* while sorted, the heads in their order, as HlHeadNumbers counts them; may be NULL */
  guint         *places;    /* the place of each head in order; may be NULL */
  double         min;       /* the least number that frames tell; finite */
  double         max;       /* the greatest */
} HlModelViewOrder;

void     hl_model_view_order_follow   (HlModelViewOrder       *self,
                                       HlViewState            *state);
void     hl_model_view_order_clear    (HlModelViewOrder       *self);
gboolean hl_model_view_order_get_tint (const HlModelViewOrder *self,
                                       guint                   layer,
                                       guint                   head,
                                       double                 *tint);
char    *hl_model_view_format_measure (const HlShown          *shown,
                                       HlHeadMeasure           measure,
                                       double                  value);

G_END_DECLS
