/* SPDX-License-Identifier: MIT */
/* The dialog that makes a file of what is seen. */
#pragma once

#include "app/session/hl-session.h"
#include "draw/scene/hl-scene.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_EXPORT_DIALOG (hl_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (HlExportDialog, hl_export_dialog, HL, EXPORT_DIALOG, AdwWindow)

GtkWidget *hl_export_dialog_new (HlScene    *scene,
                                 GFile      *beside,
                                 const char *name,
                                 HlSession  *session);

G_END_DECLS
