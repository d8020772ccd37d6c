/* SPDX-License-Identifier: MIT */
/* A tab: a file that is being opened, then its document with the panels around it. */
#pragma once

#include "app/canvas/hl-scene-view.h"
#include "app/compare/hl-compare-view.h"
#include "app/page/hl-hint-bar.h"
#include "app/page/hl-page-panels.h"
#include "app/page/hl-side-panel.h"
#include "app/session/hl-session.h"
#include "app/tokens/hl-token-search.h"
#include "view/hl-view-history.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_DOCUMENT_PAGE (hl_document_page_get_type ())
G_DECLARE_FINAL_TYPE (HlDocumentPage, hl_document_page, HL, DOCUMENT_PAGE, AdwBin)

GtkWidget *hl_document_page_new (GFile *file);
GFile *hl_document_page_get_file (HlDocumentPage *self);
GFile *hl_document_page_get_session_file (HlDocumentPage *self);
GPtrArray *hl_document_page_get_located (HlDocumentPage *self);
void hl_document_page_set_located (HlDocumentPage *self, GPtrArray *located);
void hl_document_page_set_saved (HlDocumentPage *self, const HlSavedSession *saved);
void hl_document_page_put_off (HlDocumentPage *self);
gboolean hl_document_page_get_put_off (HlDocumentPage *self);
void hl_document_page_furnish (HlDocumentPage *self);
gboolean hl_document_page_get_furnished (HlDocumentPage *self);
HlSavedSession *hl_document_page_save (HlDocumentPage *self);
const char *hl_document_page_get_name (HlDocumentPage *self);
HlSession *hl_document_page_get_session (HlDocumentPage *self);
HlSceneView *hl_document_page_get_scene_view (HlDocumentPage *self);
HlSidePanel *hl_document_page_get_side_panel (HlDocumentPage *self);
HlPagePanels *hl_document_page_get_panels (HlDocumentPage *self);
HlTokenSearch *hl_document_page_get_token_search (HlDocumentPage *self);
AdwToastOverlay *hl_document_page_get_toasts (HlDocumentPage *self);
HlHintBar *hl_document_page_get_hint_bar (HlDocumentPage *self);
HlCompareView *hl_document_page_get_compare_view (HlDocumentPage *self);
HlTextBar *hl_document_page_get_text_bar (HlDocumentPage *self);
void hl_document_page_begin (HlDocumentPage *self);
void hl_document_page_focus (HlDocumentPage *self);
void hl_document_page_focus_scene (HlDocumentPage *self);
gboolean hl_document_page_takes_pixels (HlDocumentPage *self);
void hl_document_page_set_pixels (HlDocumentPage *self, GFile *pixels);
void hl_document_page_leave_adapter (HlDocumentPage *self);
void hl_document_page_set_texts (HlDocumentPage *self, const char *text, const char *second_text);
void hl_document_page_generate (HlDocumentPage *self);
void hl_document_page_space_letters (HlDocumentPage *self);
void hl_document_page_load (HlDocumentPage *self);
void hl_document_page_show (HlDocumentPage *self, HlDocument *document, const char *stamp);
gboolean hl_document_page_get_loading (HlDocumentPage *self);
void hl_document_page_close (HlDocumentPage *self);

HlViewHistory *hl_document_page_get_history (HlDocumentPage *self);

G_END_DECLS
