/* SPDX-License-Identifier: MIT */
/* A spinner for work that takes longer than a moment. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_LATE_SPINNER (hl_late_spinner_get_type ())
G_DECLARE_FINAL_TYPE (HlLateSpinner, hl_late_spinner, HL, LATE_SPINNER, AdwBin)

void hl_late_spinner_set_busy (HlLateSpinner *self,
                               gboolean       busy);

G_END_DECLS
