/* SPDX-License-Identifier: MIT */
/* What a tab shows of a model that takes pixels while there are none: that it does, which, and a way to open them. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_PIXELS_PAGE (hl_pixels_page_get_type ())
G_DECLARE_FINAL_TYPE (HlPixelsPage, hl_pixels_page, HL, PIXELS_PAGE, AdwBin)

void hl_pixels_page_ask       (HlPixelsPage *self,
                               const char   *size);
void hl_pixels_page_set_error (HlPixelsPage *self,
                               const char   *error);
void hl_pixels_page_focus     (HlPixelsPage *self);

G_END_DECLS
