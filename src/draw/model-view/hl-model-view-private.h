/* SPDX-License-Identifier: MIT */
/* What the parts of a model view share: its object. */
#pragma once

#include "draw/model-view/hl-model-view-layout.h"
#include "draw/model-view/hl-model-view-scene.h"
#include "draw/model-view/hl-thumbnail-set.h"

G_BEGIN_DECLS

/**
 * HL_MODEL_VIEW_PREVIEW:
 *
 * The longer side of the enlarged thumbnail, logical pixels.
 */
#define HL_MODEL_VIEW_PREVIEW 208

struct _HlModelViewScene
{
  HlScene parent_instance;

  HlThumbnailSet set;
  HlModelViewOrder order;
};

HlModelViewLayout  hl_model_view_scene_get_layout    (HlModelViewScene *self);
HlThumbnailStyle   hl_model_view_scene_get_style     (HlModelViewScene *self,
                                                      double            width,
                                                      double            height);
gboolean           hl_model_view_scene_has_stats     (HlModelViewScene *self);
gboolean           hl_model_view_scene_describe_pairs
                                                     (HlModelViewScene *self,
                                                      const HlPick     *pick,
                                                      char            **label,
                                                      char            **number);
const HlHeadStats *hl_model_view_scene_get_stats     (HlModelViewScene *self,
                                                      const HlPick     *pick);
void               hl_model_view_scene_get_preview_size (HlModelViewScene *self,
                                                         double           *width,
                                                         double           *height);
HlSceneJob        *hl_model_view_scene_create_job    (HlScene          *scene);
void               hl_model_view_scene_accept        (HlScene          *scene,
                                                      HlSceneJob       *scene_job,
                                                      gboolean          is_new);
char              *hl_model_view_scene_describe      (HlScene          *scene,
                                                      const HlPick     *pick);
void               hl_model_view_scene_draw_label    (HlModelViewScene        *self,
                                                      cairo_t                 *cr,
                                                      const HlModelViewLayout *layout,
                                                      gboolean                 is_layer,
                                                      guint                    index,
                                                      gboolean                 in_focus);
void               hl_model_view_scene_draw_tints    (HlModelViewScene        *self,
                                                      cairo_t                 *cr,
                                                      const HlModelViewLayout *layout);
void               hl_model_view_scene_draw_names    (HlModelViewScene        *self,
                                                      cairo_t                 *cr,
                                                      const HlModelViewLayout *layout);
void               hl_model_view_scene_draw_legend   (HlModelViewScene        *self,
                                                      cairo_t                 *cr,
                                                      const HlModelViewLayout *layout);
void               hl_model_view_scene_draw_backdrop (HlScene *scene,
                                                      cairo_t *cr);
void               hl_model_view_scene_draw_overlay  (HlScene *scene,
                                                      cairo_t *cr);

G_END_DECLS
