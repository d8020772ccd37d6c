/* SPDX-License-Identifier: MIT */
/* How what a page shows leaves the program: as files, whose place is asked for, and over the clipboard. How it went is
 * said in passing. */
#pragma once

#include "app/page/hl-document-page.h"

G_BEGIN_DECLS

void hl_output_save_attention (GtkWindow       *window,
                               AdwToastOverlay *toasts,
                               HlDocumentPage  *page);
void hl_output_save_session   (GtkWindow       *window,
                               AdwToastOverlay *toasts,
                               HlDocumentPage  *page);
void hl_output_save_numbers   (GtkWindow       *window,
                               AdwToastOverlay *toasts,
                               HlDocumentPage  *page,
                               gboolean         of_head_table);
void hl_output_export_figure  (GtkWindow       *window,
                               AdwToastOverlay *toasts,
                               HlDocumentPage  *page);
void hl_output_copy_figure    (AdwToastOverlay *toasts,
                               HlDocumentPage  *page);
void hl_output_copy_command   (AdwToastOverlay *toasts,
                               HlDocumentPage  *page);

G_END_DECLS
