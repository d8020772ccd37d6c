/* SPDX-License-Identifier: MIT */
/* The export a surface belongs to. */
#include "draw/text/hl-export-context.h"

static const cairo_user_data_key_t context_key;

/* The context must live as long as the surface is drawn to. */
void
hl_export_context_attach (HlExportContext *context,
                          cairo_surface_t *surface)
{
  cairo_surface_set_user_data (surface, &context_key, context, NULL);
}

/* NULL on a screen. */
HlExportContext *
hl_export_context_get (cairo_t *cr)
{
  return cairo_surface_get_user_data (cairo_get_target (cr), &context_key);
}
