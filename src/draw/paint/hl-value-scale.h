/* SPDX-License-Identifier: MIT */
/*
 * How a number becomes a position from 0 to 1 on a colour map, and which numbers to write beside
 * the colour bar.
 */
#pragma once

#include "view/shown/hl-view-enums.h"

G_BEGIN_DECLS

/* The most decades a logarithmic scale shows; what is smaller is at its low end. */
#define HL_VALUE_SCALE_LOG_DECADES 6

/* A scale. A plain value, made by hl_value_scale_init() and not to be changed by hand. */
typedef struct
{
  HlValueScaleKind kind; /* the kind */
  double min;            /* the value at position 0; finite */
  /* the value at position 1; finite, greater than min. In a scale of kind HL_VALUE_SCALE_ROW the ends are fractions
   * of the row's largest value */
  double max;
  /* whether zero is in the middle, at position 0.5, and the ends are as far from it as one another */
  gboolean is_signed;
  /* whether the data had no extent the scale could show (nothing finite, only zeros, or nothing positive for a
   * logarithm), so that min and max were made up */
  gboolean degenerate;
  gboolean is_open_below; /* whether there are numbers below min, which have its colour: the first tick says so */
  gboolean is_open;       /* whether there are numbers beyond max, likewise: the last tick says so */
} HlValueScale;

/* A tick of a colour bar. */
typedef struct
{
  double value;    /* the number */
  double position; /* where it stands, 0 to 1 */
  char label[24];  /* the number as written, with as few digits as tell it from its neighbours */
} HlValueTick;

void hl_value_scale_init (HlValueScale *scale, HlValueScaleKind kind, double min, double max);
void hl_value_scale_init_signed (HlValueScale *scale, HlValueScaleKind kind, double limit);

double hl_value_scale_map (const HlValueScale *scale, double value, double row_max);
void hl_value_scale_map_row (const HlValueScale *scale,
                             const float *values,
                             gsize n,
                             double row_max,
                             float *positions);

GArray *hl_value_scale_make_ticks (const HlValueScale *scale, guint max_ticks);
void hl_value_tick_write (HlValueTick *tick, int exponent);

G_END_DECLS
