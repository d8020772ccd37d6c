/* SPDX-License-Identifier: MIT */
/* Numbers of heads over several texts: which texts, which numbers, and what came of them. */
#pragma once

#include "app/session/hl-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_TEXTS_DIALOG (hl_texts_dialog_get_type ())
G_DECLARE_FINAL_TYPE (HlTextsDialog, hl_texts_dialog, HL, TEXTS_DIALOG, AdwWindow)

GtkWidget *hl_texts_dialog_new         (HlSession     *session,
                                        GFile         *beside);
void       hl_texts_dialog_set_session (HlTextsDialog *self,
                                        HlSession     *session);

G_END_DECLS
