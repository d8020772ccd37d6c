/* SPDX-License-Identifier: MIT */
/* The file of pixels, or the image, that a model is to see: what comes of it, and whether somebody wrote to it. */
#pragma once

#include "core/document/picture/hl-image.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define HL_TYPE_LIVE_PIXELS (hl_live_pixels_get_type ())
G_DECLARE_FINAL_TYPE (HlLivePixels, hl_live_pixels, HL, LIVE_PIXELS, GObject)

HlLivePixels *hl_live_pixels_new           (void);
gboolean      hl_live_pixels_set_file      (HlLivePixels *self,
                                            GFile        *file);
GFile        *hl_live_pixels_get_file      (HlLivePixels *self);
void          hl_live_pixels_keep          (HlLivePixels *self,
                                            GFile        *file,
                                            HlImage      *thumbnail);
GFile        *hl_live_pixels_get_good      (HlLivePixels *self);
HlImage      *hl_live_pixels_get_thumbnail (HlLivePixels *self);
void          hl_live_pixels_close         (HlLivePixels *self);

G_END_DECLS
