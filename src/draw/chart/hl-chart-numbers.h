/* SPDX-License-Identifier: MIT */
/* The numbers of heads that a chart draws, as far as they are known, and what they come to in each layer. */
#pragma once

#include "view/hl-view-state.h"

G_BEGIN_DECLS

/* What the numbers of a layer come to; NaN where there are none. Over several texts the spread is the mean of what its heads
 * have over these, not that between heads. */
typedef struct
{
  double mean;
  double spread; /* standard deviation */
  guint  n;      /* heads whose number is known and defined */
  guint  least;  /* the head with the least number */
  guint  most;   /* the head with the greatest */
} HlChartLayer;

/* Numbers of all heads. */
typedef struct
{
  HlAttention  *attention; /* (unowned): whose heads */
  HlHeadMeasure measure;   /* which number; HL_HEAD_MEASURE_NONE where none is chosen */
  gboolean      is_difference; /* of the second side minus the first */
  gboolean      is_share;  /* whether they are parts of 1 */
  gboolean      is_of_layer; /* whether a layer has one for all its heads */
  gboolean      is_complete; /* whether all are known */
  guint         n_layers;
  guint        *starts;    /* [n_layers + 1] of all heads, the first of each layer */
  guint         n_texts;   /* over how many texts numbers are means; 0 when they are of the attention itself */
  const HlHeadNumberWord *words; /* of a class, names of its values; NULL of a number */
  double       *values;    /* [heads] NaN where one is not known or not defined */
  double       *spreads;   /* [heads] standard deviation over texts; NULL when there are none */
  HlChartLayer *layers;    /* [n_layers] */
  double        min;       /* of the values here and of those beside; greater than max where there are none */
  double        max;       /* see min */
  double        band_min;  /* of these less their spreads, and of what layers come to less theirs */
  double        band_max;  /* likewise, and more */
} HlChartNumbers;

void     hl_chart_numbers_init   (HlChartNumbers       *self,
                                  HlViewState          *state,
                                  HlHeadMeasure         measure,
                                  gboolean              is_difference,
                                  const double         *others);
void     hl_chart_numbers_clear  (HlChartNumbers       *self);
double   hl_chart_numbers_get    (const HlChartNumbers *self,
                                  guint                 layer,
                                  guint                 head);
gboolean hl_chart_numbers_has_any (const HlChartNumbers *self);
char    *hl_chart_numbers_format (const HlChartNumbers *self,
                                  double                value);

static inline guint
hl_chart_numbers_get_n_heads (const HlChartNumbers *self,
                              guint                 layer)
{
  return self->starts[layer + 1] - self->starts[layer];
}

/* Whether it is a difference of what cannot be subtracted: the second side has its own text, and no means over several. */
static inline gboolean
hl_chart_numbers_mixes_texts (const HlChartNumbers *self)
{
  return self->is_difference && self->n_texts > 0;
}

/* Whether it is a difference of classes, which stand for no numbers. */
static inline gboolean
hl_chart_numbers_subtracts_classes (const HlChartNumbers *self)
{
  return self->is_difference && self->words != NULL;
}

/* How many are drawn of a layer: one of each head, or the layer's. */
static inline guint
hl_chart_numbers_get_n_drawn (const HlChartNumbers *self,
                              guint                 layer)
{
  const guint n_heads = hl_chart_numbers_get_n_heads (self, layer);

  return self->is_of_layer ? MIN (n_heads, 1) : n_heads;
}

G_END_DECLS
