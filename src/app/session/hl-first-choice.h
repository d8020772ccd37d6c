/* SPDX-License-Identifier: MIT */
/* A session that was opened just now begins with the head that is worth seeing first. */
#pragma once

#include "app/session/hl-session.h"
#include "core/analysis/hl-first-head.h"

G_BEGIN_DECLS

void     hl_first_choice_make_async  (HlSession           *session,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             user_data);
gboolean hl_first_choice_make_finish (HlSession           *session,
                                      GAsyncResult        *result,
                                      HlFirstHead         *choice);
gboolean hl_first_choice_find_view   (HlSession           *session,
                                      HlViewKind          *view);

G_END_DECLS
