/* SPDX-License-Identifier: MIT */
/* The dialog that asks what to compare with. */
#pragma once

#include "app/page/hl-document-page.h"

G_BEGIN_DECLS

#define HL_TYPE_COMPARE_DIALOG (hl_compare_dialog_get_type ())
G_DECLARE_FINAL_TYPE (HlCompareDialog, hl_compare_dialog, HL, COMPARE_DIALOG, AdwWindow)

GtkWidget *hl_compare_dialog_new (HlDocumentPage *page,
                                  GListModel     *pages);

G_END_DECLS
