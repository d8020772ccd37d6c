/* SPDX-License-Identifier: MIT */
/* What the files that read and write sessions share. */
#pragma once

#include "core/json/hl-json-tree.h"
#include "view/session/hl-saved-session.h"

G_BEGIN_DECLS

gboolean hl_saved_session_take_members (HlSavedSession *self,
                                        HlJsonValue     object,
                                        GFile          *folder,
                                        GError        **error);
void     hl_saved_session_append_number (GString        *text,
                                        double          number);
char    *hl_saved_session_make_list    (char          **tokens);

G_END_DECLS
