/* SPDX-License-Identifier: MIT */
/* What the banner over a document says. */
#pragma once

#include "app/base/hl-banner.h"
#include "app/session/hl-session.h"

G_BEGIN_DECLS

void hl_session_banner_update (HlBanner   *banner,
                               HlSession  *session,
                               const char *error);

G_END_DECLS
