/* SPDX-License-Identifier: MIT */
/* A picture of the sample that answers to the pointer, and what there is to see in it. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_SAMPLE_PICTURE (hl_sample_picture_get_type ())
G_DECLARE_FINAL_TYPE (HlSamplePicture, hl_sample_picture, HL, SAMPLE_PICTURE, AdwBin)

G_END_DECLS
