/* SPDX-License-Identifier: MIT */
/* Signs of waiting: a spinner for work that takes longer than a moment, and what a tab shows while its file is being
 * opened. */
#pragma once

#include "core/base/hl-progress.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_LATE_SPINNER (hl_late_spinner_get_type ())
G_DECLARE_FINAL_TYPE (HlLateSpinner, hl_late_spinner, HL, LATE_SPINNER, AdwBin)

#define HL_TYPE_LOADING_PAGE (hl_loading_page_get_type ())
G_DECLARE_FINAL_TYPE (HlLoadingPage, hl_loading_page, HL, LOADING_PAGE, AdwBin)

void hl_late_spinner_set_busy     (HlLateSpinner *self,
                                   gboolean       busy);
void hl_late_spinner_set_progress (HlLateSpinner *self,
                                   HlProgress    *progress);

void hl_loading_page_start        (HlLoadingPage *self,
                                   const char    *name,
                                   HlProgress    *progress);
void hl_loading_page_reveal       (HlLoadingPage *self);
void hl_loading_page_stop         (HlLoadingPage *self);

G_END_DECLS
