/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/picture/hl-picture.h"
#include "core/model/hl-model.h"
#include "core/model/vision/hl-image-rules.h"

G_BEGIN_DECLS

gboolean hl_model_read_image_rules (HlModel       *self,
                                    HlImageRules  *rules,
                                    gboolean      *is_there,
                                    GError       **error);
gboolean hl_model_process_image    (HlModel       *self,
                                    HlImage       *image,
                                    HlPixels     **pixels,
                                    HlPicture    **picture,
                                    GPtrArray     *checks,
                                    GError       **error);

G_END_DECLS
