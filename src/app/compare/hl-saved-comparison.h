/* SPDX-License-Identifier: MIT */
/* A comparison as a part of a session that is saved. */
#pragma once

#include "app/session/hl-session.h"
#include "view/hl-sides.h"

G_BEGIN_DECLS

void hl_saved_comparison_take (HlSavedSession *saved,
                               HlSession      *first,
                               HlSession      *second,
                               HlSides        *sides,
                               HlScene        *picture);

G_END_DECLS
