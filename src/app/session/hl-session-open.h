/* SPDX-License-Identifier: MIT */
/* From a file or a folder to a session. */
#pragma once

#include "app/session/hl-open-request.h"

G_BEGIN_DECLS

GFile     *hl_session_resolve_file (GFile                *file,
                                    gboolean             *is_bare);
void       hl_session_open_async   (const HlOpenRequest  *request,
                                    HlSession            *like,
                                    HlProgress           *progress,
                                    GCancellable         *cancellable,
                                    GAsyncReadyCallback   callback,
                                    gpointer              user_data);
char      *hl_session_open_dup_wanted_pixels
                                   (GAsyncResult         *result);
HlSession *hl_session_open_finish  (GAsyncResult         *result,
                                    GError              **error);

G_END_DECLS
