/* SPDX-License-Identifier: MIT */
/* A window: tabs of documents, or the welcome page. */
#pragma once

#include "app/page/hl-arrival.h"
#include "app/page/hl-document-page.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_WINDOW (hl_window_get_type ())
G_DECLARE_FINAL_TYPE (HlWindow, hl_window, HL, WINDOW, AdwApplicationWindow)

HlWindow       *hl_window_new       (GtkApplication *application);
void            hl_window_open      (HlWindow       *self,
                                     GFile          *file,
                                     HlArrival      *arrival);
HlDocumentPage *hl_window_get_page  (HlWindow       *self);
HlDocumentPage *hl_window_find_page (HlWindow       *self,
                                     GFile          *file);
void            hl_window_show_page (HlWindow       *self,
                                     HlDocumentPage *page);

G_END_DECLS
