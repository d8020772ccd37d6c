/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

void hl_toast_show (AdwToastOverlay *overlay,
                    AdwToast        *toast);

G_END_DECLS
