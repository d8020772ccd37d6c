/* SPDX-License-Identifier: MIT */
/* The models that other programs have put on this computer, to open one. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_MODELS_DIALOG (hl_models_dialog_get_type ())
G_DECLARE_FINAL_TYPE (HlModelsDialog, hl_models_dialog, HL, MODELS_DIALOG, AdwWindow)

GtkWidget *hl_models_dialog_new (void);

G_END_DECLS
