/* SPDX-License-Identifier: MIT */
/* What a window shows while nothing is open. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_WELCOME_PAGE (hl_welcome_page_get_type ())
G_DECLARE_FINAL_TYPE (HlWelcomePage, hl_welcome_page, HL, WELCOME_PAGE, AdwBin)

void hl_welcome_page_set_error  (HlWelcomePage *self,
                                 const char    *error);
void hl_welcome_page_offer_axes (HlWelcomePage *self,
                                 const char    *error,
                                 const char    *uri);

G_END_DECLS
