/* SPDX-License-Identifier: MIT */
/* The name of a token, with the patch that it stands for: views say where it belongs, and all write it alike. */
#pragma once

#include <cairo.h>

#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

typedef enum {
  HL_LABEL_LEVEL,   /* as text runs */
  HL_LABEL_UPWARDS, /* read from below */
  HL_LABEL_SLANTED, /* rising to the right, from over the middle of what it names */
} HlLabelDirection;

/* Patches stay upright, at the end of the label that is nearer to what it names. */
typedef struct
{
  HlAttention     *attention; /* whose token it is */
  HlSide           side;      /* a query or a key */
  gsize            token;     /* which one */
  HlTextStyle      style;     /* with the room of name and patch together */
  const HlColour  *colour;    /* of the name */
  HlLabelDirection direction; /* how it runs */
  double           align;     /* what of it is at the place: its begin (0), middle (0.5) or end (1), upwards counted from below */
  double           pitch;     /* from one label to the next, which a patch does not reach over; logical pixels */
  gboolean         in_focus;  /* whether it stands out */
  gboolean         pinned;    /* whether it says so */
} HlSceneLabel;

double hl_scene_label_get_room (HlAttention        *attention,
                                HlSide              side,
                                double              size);
void   hl_scene_label_get_box  (HlScene            *self,
                                const HlSceneLabel *label,
                                double              x,
                                double              y,
                                cairo_rectangle_t  *box);
void   hl_scene_draw_label     (HlScene            *self,
                                const HlSceneFrame *frame,
                                cairo_t            *cr,
                                const HlSceneLabel *label,
                                double              x,
                                double              y);

G_END_DECLS
