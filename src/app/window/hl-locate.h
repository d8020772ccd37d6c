/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/window/hl-window.h"

G_BEGIN_DECLS

typedef void (*HlLocated) (HlWindow *window,
                           GFile    *session_file,
                           GFile    *located);

gboolean hl_locate_offer (HlWindow     *window,
                          GFile        *file,
                          const GError *error,
                          HlLocated     located);

G_END_DECLS
