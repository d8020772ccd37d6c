/* SPDX-License-Identifier: MIT */
/* A line over a document that says what is odd about it. */
#pragma once

#include "app/session/hl-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_BANNER (hl_banner_get_type ())
G_DECLARE_FINAL_TYPE (HlBanner, hl_banner, HL, BANNER, AdwBin)

void hl_banner_update (HlBanner   *self,
                       HlSession  *session,
                       HlSession  *other,
                       const char *error);

G_END_DECLS
