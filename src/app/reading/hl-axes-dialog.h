/* SPDX-License-Identifier: MIT */
/* The dialog in which somebody says how a file of attention is to be read. */
#pragma once

#include <adwaita.h>

#include "core/document/hl-document.h"

G_BEGIN_DECLS

#define HL_TYPE_AXES_DIALOG (hl_axes_dialog_get_type ())
G_DECLARE_FINAL_TYPE (HlAxesDialog, hl_axes_dialog, HL, AXES_DIALOG, AdwWindow)

GtkWidget *hl_axes_dialog_new (GFile      *file,
                               HlDocument *document,
                               const char *stamp);

G_END_DECLS
