/* SPDX-License-Identifier: MIT */
/*
 * Lines as pixels, each with a width, an opacity and a colour of its own, one over the other in the order in which they
 * are added: some hundreds of them between two frames. All have their ends at the same two abscissas.
 */
#pragma once

#include "draw/paint/hl-colour.h"

#include <cairo.h>

G_BEGIN_DECLS

typedef struct _HlLineBundle HlLineBundle;

/* Where a bundle is, and what of it is seen, in user units. Curves are those of hl_line_ease(). */
HlLineBundle *
hl_line_bundle_new (double x_query, double x_key, double top, double height, double scale, gboolean curved);
void hl_line_bundle_free (HlLineBundle *self);
void hl_line_bundle_add (HlLineBundle *self, double y_query, double y_key, double width, const HlColour *colour);
void hl_line_bundle_paint (const HlLineBundle *self, cairo_t *cr);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLineBundle, hl_line_bundle_free)

G_END_DECLS
