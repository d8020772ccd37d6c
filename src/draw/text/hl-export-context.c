/* SPDX-License-Identifier: MIT */
/* The export a surface belongs to. */
#include "draw/text/hl-export-context.h"

#include "config.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#include <glib/gi18n-lib.h>

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

/* Whether there is room for so many lines more as shapes; otherwise the export fails. */
gboolean
hl_export_context_take_lines (HlExportContext *self,
                              gsize            n)
{
  if (n <= HL_LIMIT_FIGURE_LINES - self->n_lines)
    {
      self->n_lines += n;
      return TRUE;
    }
  if (self->error == NULL)
    g_set_error (
      &self->error, HL_ERROR, HL_ERROR_TOO_LARGE,
      _ ("a figure of shapes has at most %u lines, and this one more: export a PNG, or leave out weak weights"),
      HL_LIMIT_FIGURE_LINES);
  return FALSE;
}

/* Likewise for a text more. */
gboolean
hl_export_context_take_text (HlExportContext *self)
{
  if (self->n_texts < HL_LIMIT_FIGURE_TEXTS)
    {
      self->n_texts++;
      return TRUE;
    }
  if (self->error == NULL)
    g_set_error (&self->error, HL_ERROR, HL_ERROR_TOO_LARGE,
                 _ ("a figure of shapes has at most %u texts, and this one more: export a PNG, or a smaller figure"),
                 HL_LIMIT_FIGURE_TEXTS);
  return FALSE;
}
