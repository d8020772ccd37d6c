/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_DOWNLOAD_PAGE (hl_download_page_get_type ())
G_DECLARE_FINAL_TYPE (HlDownloadPage, hl_download_page, HL, DOWNLOAD_PAGE, AdwBin)

void hl_download_page_begin (HlDownloadPage *self);
void hl_download_page_stop  (HlDownloadPage *self);

G_END_DECLS
