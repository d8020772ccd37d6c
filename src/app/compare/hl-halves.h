/* SPDX-License-Identifier: MIT */
/* Keeps the handle between two sides in the middle, until somebody moves it. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_HALVES (hl_halves_get_type ())
G_DECLARE_FINAL_TYPE (HlHalves, hl_halves, HL, HALVES, GObject)

HlHalves *hl_halves_new    (GtkPaned *paned);
void      hl_halves_begin  (HlHalves *self,
                            gboolean  is_seen);
void      hl_halves_divide (HlHalves *self);

G_END_DECLS
