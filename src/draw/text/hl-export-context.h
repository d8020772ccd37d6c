/* SPDX-License-Identifier: MIT */
/*
 * What scenes tell the export that draws them, and what they must ask it: carried by the cairo surface, so that a
 * scene draws onto paper as it draws onto a screen.
 */
#pragma once

#include <gio/gio.h>

#include "draw/text/hl-svg-text.h"

G_BEGIN_DECLS

/* An export that is being drawn. */
typedef struct
{
  HlSvgText    *svg_text;    /* takes text that is to stay text; may be NULL */
  GCancellable *cancellable; /* stops drawing; may be NULL */
  gsize         n_left_out;  /* lines too faint to be seen, that were not drawn */
  gsize         n_lines;     /* that were drawn as shapes */
  gsize         n_texts;     /* that were */
  GError       *error;       /* what went wrong while drawing; the first counts; may be NULL */
} HlExportContext;

void             hl_export_context_attach (HlExportContext *context,
                                           cairo_surface_t *surface);
HlExportContext *hl_export_context_get    (cairo_t         *cr);

gboolean hl_export_context_take_lines (HlExportContext *self,
                                       gsize            n);
gboolean hl_export_context_take_text  (HlExportContext *self);

G_END_DECLS
