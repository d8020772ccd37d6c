/* SPDX-License-Identifier: MIT */
/* A window: tabs of documents, or the welcome page. */
#pragma once

#include "app/page/hl-document-page.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Of HlWindow::changed: another document, or more than how it is looked at. */
#define HL_CHANGED_ANYTHING ((HlChanges) ~0u)

#define HL_TYPE_WINDOW (hl_window_get_type ())
G_DECLARE_FINAL_TYPE (HlWindow, hl_window, HL, WINDOW, AdwApplicationWindow)

HlWindow        *hl_window_new           (GtkApplication  *application);
HlWindow        *hl_window_get_active    (GtkApplication  *application);
HlDocumentPage  *hl_window_find_page     (HlWindow        *self,
                                          GFile           *file);
HlDocumentPage  *hl_window_add_page      (HlWindow        *self,
                                          GFile           *file);
void             hl_window_load_page     (HlWindow        *self,
                                          HlDocumentPage  *page);
void             hl_window_show_page     (HlWindow        *self,
                                          HlDocumentPage  *page);
void             hl_window_show_document (HlWindow        *self,
                                          HlDocument      *document,
                                          const char      *stamp);
HlDocumentPage  *hl_window_get_page      (HlWindow        *self);
GListModel      *hl_window_create_pages  (HlWindow        *self);
gboolean         hl_window_close_tab     (HlWindow        *self);
void             hl_window_say           (HlWindow        *self,
                                          const char      *text);
AdwToastOverlay *hl_window_get_toasts    (HlWindow        *self);
GtkWidget       *hl_window_get_drop_area (HlWindow        *self);
gboolean         hl_window_get_narrow    (HlWindow        *self);
void             hl_window_choose_panel  (HlWindow        *self,
                                          HlPagePanel      panel,
                                          gboolean         visible);

G_END_DECLS
