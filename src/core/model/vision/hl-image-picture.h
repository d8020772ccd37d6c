/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/picture/hl-picture.h"
#include "core/model/vision/hl-image-processor.h"

G_BEGIN_DECLS

HlPicture *hl_image_view_make_picture (const HlImageView    *view,
                                       HlImage              *image,
                                       const HlPictureGrid  *grid,
                                       gsize                 n_tokens,
                                       GError              **error);

G_END_DECLS
