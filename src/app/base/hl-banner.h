/* SPDX-License-Identifier: MIT */
/* A line over a document that says what is odd about it. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_BANNER (hl_banner_get_type ())
G_DECLARE_FINAL_TYPE (HlBanner, hl_banner, HL, BANNER, AdwBin)

/**
 * HlBannerKind:
 * @HL_BANNER_INFO: good to know
 * @HL_BANNER_WARNING: something looks odd
 * @HL_BANNER_ERROR: something failed
 *
 * How serious a banner is.
 */
typedef enum
{
  HL_BANNER_INFO,
  HL_BANNER_WARNING,
  HL_BANNER_ERROR,
} HlBannerKind;

gboolean hl_banner_show (HlBanner     *self,
                         HlBannerKind  kind,
                         const char   *text,
                         const char   *label,
                         const char   *action);
void     hl_banner_hide (HlBanner     *self);

G_END_DECLS
