/* SPDX-License-Identifier: MIT */
/* What the files of HlDocumentPage share. */
#pragma once

#include "app/page/hl-document-page.h"

#include "app/base/hl-banner.h"
#include "app/base/hl-late-spinner.h"
#include "app/base/hl-loading-page.h"
#include "app/heads/hl-head-picker.h"
#include "app/live/hl-text-bar.h"
#include "app/panels/hl-example-panel.h"
#include "app/session/hl-wait-note.h"

G_BEGIN_DECLS

struct _HlDocumentPage
{
  AdwBin parent_instance;

  GtkStack *stack;
  HlLoadingPage *loading_page;
  AdwFlap *sidebar_flap;
  AdwFlap *panel_flap;
  HlHeadPicker *head_picker;
  HlExamplePanel *example_panel;
  HlSidePanel *side_panel;
  HlBanner *banner;
  HlTokenSearch *token_search;
  HlSceneView *scene_view;
  HlCompareView *compare_view;
  HlLateSpinner *spinner;
  HlWaitNote *wait_note;
  HlTextBar *text_bar;

  GFile *file;
  GFile *session_file; /* if it was opened from one */
  GFile *located;
  char *name;
  HlSession *session;
  GCancellable *cancellable;
  GSettings *settings;
};

void hl_document_page_set_session    (HlDocumentPage *self,
                                      HlSession      *session);
void hl_document_page_session_failed (HlDocumentPage *self,
                                      const GError   *error);
void hl_document_page_scene_finished (HlDocumentPage *self);
void hl_document_page_update_banner  (HlDocumentPage *self);
void hl_document_page_update_spinner (HlDocumentPage *self);
void hl_document_page_cancel         (HlDocumentPage *self);

G_END_DECLS
