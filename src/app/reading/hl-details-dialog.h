/* SPDX-License-Identifier: MIT */
/* A window that says what is in a file. */
#pragma once

#include "app/session/hl-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_DETAILS_DIALOG (hl_details_dialog_get_type ())
G_DECLARE_FINAL_TYPE (HlDetailsDialog, hl_details_dialog, HL, DETAILS_DIALOG, AdwWindow)

GtkWidget *hl_details_dialog_new (HlSession *session);

G_END_DECLS
