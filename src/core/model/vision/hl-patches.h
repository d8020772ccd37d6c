/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/picture/hl-picture.h"
#include "core/model/layer/hl-linear.h"
#include "core/model/layer/hl-rope.h"
#include "core/model/vision/hl-image-rules.h"
#include "core/model/vision/hl-pixels.h"

G_BEGIN_DECLS

/**
 * HlPatches:
 *
 * What makes tokens of pixels: a product of each patch, with tokens that stand for no patch before them, and positions. Immutable.
 */
typedef struct _HlPatches HlPatches;

HlPatches *hl_patches_load           (HlWeights           *weights,
                                      HlModelConfig       *config,
                                      const HlFamily      *family,
                                      gsize                width,
                                      GError             **error);
void       hl_patches_free           (HlPatches           *self);
char      *hl_patches_describe       (const HlPatches     *self);
gboolean   hl_patches_take_any_size  (const HlPatches     *self);
HlImageSize hl_patches_get_image_size (const HlPatches    *self);
HlImageSize hl_patches_get_patch_size (const HlPatches    *self);
void       hl_patches_get_grid       (const HlPatches     *self,
                                      const HlPixels      *pixels,
                                      HlPictureGrid       *grid);
gboolean   hl_patches_check          (const HlPatches     *self,
                                      const HlPixels      *pixels,
                                      GError             **error);
char      *hl_patches_describe_grid  (const HlPatches     *self,
                                      const HlPixels      *pixels);
gsize      hl_patches_count_tokens   (const HlPatches     *self,
                                      const HlPixels      *pixels);
char     **hl_patches_dup_names      (const HlPatches     *self,
                                      const HlPixels      *pixels);
gboolean   hl_patches_embed          (const HlPatches     *self,
                                      const HlPixels      *pixels,
                                      float               *target,
                                      GError             **error);
float     *hl_patches_new_rope_table (const HlPatches     *self,
                                      const HlPixels      *pixels,
                                      const HlRope        *rope);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlPatches, hl_patches_free)

G_END_DECLS
