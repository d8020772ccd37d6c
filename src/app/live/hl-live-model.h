/* SPDX-License-Identifier: MIT */
/*
 * A model and the text that is typed for it. What is computed of the newest text becomes the document that is shown,
 * never a mixture of two texts. Lives on the main thread.
 */
#pragma once

#include "app/live/hl-live-preparation.h"
#include "core/base/hl-progress.h"
#include "core/predict/hl-generation.h"

G_BEGIN_DECLS

#define HL_TYPE_LIVE_MODEL (hl_live_model_get_type ())
G_DECLARE_FINAL_TYPE (HlLiveModel, hl_live_model, HL, LIVE_MODEL, GObject)

HlLiveModel  *hl_live_model_new             (GFile           *folder,
                                             HlProgress      *progress);
GFile        *hl_live_model_get_file        (HlLiveModel     *self);
gboolean      hl_live_model_is_folder       (HlLiveModel     *self);
gboolean      hl_live_model_has_adapter     (HlLiveModel     *self);
gboolean      hl_live_model_is_bare         (HlLiveModel     *self);
gboolean      hl_live_model_shows_bare      (HlLiveModel     *self);
gboolean      hl_live_model_get_adapter     (HlLiveModel     *self);
void          hl_live_model_set_adapter     (HlLiveModel     *self,
                                             gboolean         adapter);
guint         hl_live_model_get_n_layers    (HlLiveModel     *self,
                                             guint           *n_all);
void          hl_live_model_set_n_layers    (HlLiveModel     *self,
                                             guint            n_layers);
void          hl_live_model_begin_adapter   (HlLiveModel     *self,
                                             gboolean         adapter);
void          hl_live_model_begin_like      (HlLiveModel     *self,
                                             HlLiveModel     *other);
void          hl_live_model_take_over       (HlLiveModel     *self,
                                             HlLiveModel     *before);
char         *hl_live_model_dup_pace        (HlLiveModel     *self);
HlSecondText  hl_live_model_get_second_kind (HlLiveModel     *self);
void          hl_live_model_get_texts       (HlLiveModel     *self,
                                             const char     **text,
                                             const char     **second_text);
void          hl_live_model_set_texts       (HlLiveModel     *self,
                                             const char      *text,
                                             const char      *second_text);
gboolean      hl_live_model_is_empty        (HlLiveModel     *self);
void          hl_live_model_set_pixels      (HlLiveModel     *self,
                                             GFile           *pixels);
GFile        *hl_live_model_get_pixels      (HlLiveModel     *self);
gboolean      hl_live_model_has_image       (HlLiveModel     *self);
HlImage      *hl_live_model_get_thumbnail   (HlLiveModel     *self);
gboolean      hl_live_model_takes_pixels    (HlLiveModel     *self);
gboolean      hl_live_model_takes_texts     (HlLiveModel     *self);
char         *hl_live_model_dup_wanted_pixels (HlLiveModel   *self);
void          hl_live_model_run             (HlLiveModel     *self);
void          hl_live_model_stop            (HlLiveModel     *self);
gboolean      hl_live_model_get_busy        (HlLiveModel     *self);
gboolean      hl_live_model_can_write       (HlLiveModel     *self);
void          hl_live_model_write           (HlLiveModel     *self,
                                             const HlGenerationOptions *options);
gboolean      hl_live_model_get_writing     (HlLiveModel     *self);
gboolean      hl_live_model_can_mask        (HlLiveModel     *self);
void          hl_live_model_mask            (HlLiveModel     *self,
                                             gsize            position);
void          hl_live_model_get_layers      (HlLiveModel     *self,
                                             guint           *n_done,
                                             guint           *n_layers);
const GError *hl_live_model_get_error       (HlLiveModel     *self);
HlDocument   *hl_live_model_get_document    (HlLiveModel     *self);
void          hl_live_model_set_wanted      (HlLiveModel     *self,
                                             HlAttentionKind  attention,
                                             guint            layer);

G_END_DECLS
