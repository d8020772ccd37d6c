/* SPDX-License-Identifier: MIT */
/* What a trace plays: parts, each a step that is made many times. */
#pragma once

#include "app/canvas/hl-scene-view.h"

G_BEGIN_DECLS

/**
 * HlTraceStep:
 * @view: where the picture is
 * @state: how the document is looked at
 * @i: how many steps of the part came before
 *
 * Changes something that the picture shows.
 */
typedef void (*HlTraceStep) (HlSceneView *view,
                             HlViewState *state,
                             guint        i);

/**
 * HlTracePart:
 * @name: what the lines are called
 * @view: in which view it happens
 * @step: makes the change
 * @n_steps: how often
 * @needs_picture: whether the step is over only when the scene is complete
 * @needs_heads: whether there must be more than one head in the document
 * @orientation: which way token lines run
 */
typedef struct
{
  const char   *name;
  HlViewKind    view;
  HlTraceStep   step;
  guint         n_steps;
  gboolean      needs_picture;
  gboolean      needs_heads;
  HlOrientation orientation;
} HlTracePart;

const HlTracePart *hl_trace_parts_get   (guint             *n);
void               hl_trace_part_begin  (const HlTracePart *self,
                                         HlViewState       *state);

G_END_DECLS
