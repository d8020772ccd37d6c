/* SPDX-License-Identifier: MIT */
/* How a file looks under a choice: a picture of its first head and its sizes, or why it cannot be read so. */
#pragma once

#include <adwaita.h>

#include "app/reading/hl-axes-reading.h"

G_BEGIN_DECLS

#define HL_TYPE_AXES_PREVIEW (hl_axes_preview_get_type ())
G_DECLARE_FINAL_TYPE (HlAxesPreview, hl_axes_preview, HL, AXES_PREVIEW, AdwBin)

void hl_axes_preview_get_style    (HlAxesPreview    *self,
                                   HlThumbnailStyle *style);
void hl_axes_preview_show         (HlAxesPreview    *self,
                                   HlAxesReading    *reading);
void hl_axes_preview_show_problem (HlAxesPreview    *self,
                                   const char       *problem);

G_END_DECLS
