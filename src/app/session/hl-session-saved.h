/* SPDX-License-Identifier: MIT */
/* A session as a file has it, and as it is open. */
#pragma once

#include "app/session/hl-session.h"
#include "draw/scene/hl-scene.h"
#include "view/session/hl-saved-session.h"

G_BEGIN_DECLS

HlSavedSession       *hl_session_save           (HlSession            *session,
                                                 HlScene              *scene);
void                  hl_session_restore        (HlSession            *session,
                                                 const HlSavedSession *saved,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
gboolean              hl_session_restore_finish (HlSession            *session,
                                                 GAsyncResult         *result,
                                                 GError              **error);
const HlSavedSession *hl_session_get_saved      (HlSession            *session);
void                  hl_session_set_other      (HlSession            *session,
                                                 HlSession            *other);
HlSession            *hl_session_steal_other    (HlSession            *session);

G_END_DECLS
