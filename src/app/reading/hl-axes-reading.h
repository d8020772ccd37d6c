/* SPDX-License-Identifier: MIT */
/* A file as it would be read under a choice, and how that looks. */
#pragma once

#include "app/tokens/hl-token-choice.h"
#include "core/document/hl-document.h"
#include "draw/model-view/hl-thumbnail.h"

G_BEGIN_DECLS

#define HL_TYPE_AXES_READING (hl_axes_reading_get_type ())
G_DECLARE_FINAL_TYPE (HlAxesReading, hl_axes_reading, HL, AXES_READING, GObject)

void                hl_axes_reading_make_async     (GFile                   *file,
                                                    HlArchive               *archive,
                                                    const HlOpenOptions     *options,
                                                    const HlTokenChoice     *tokens,
                                                    const HlThumbnailStyle  *style,
                                                    GCancellable            *cancellable,
                                                    GAsyncReadyCallback      callback,
                                                    gpointer                 user_data);
HlAxesReading      *hl_axes_reading_make_finish    (GAsyncResult            *result,
                                                    GError                 **error);
void                hl_axes_reading_examine_async  (HlAxesReading           *self,
                                                    GCancellable            *cancellable,
                                                    GAsyncReadyCallback      callback,
                                                    gpointer                 user_data);
gboolean            hl_axes_reading_examine_finish (HlAxesReading           *self,
                                                    GAsyncResult            *result,
                                                    GError                 **error);

HlDocument        *hl_axes_reading_get_document  (HlAxesReading *self);
HlAttention       *hl_axes_reading_get_attention (HlAxesReading *self);
const HlThumbnail *hl_axes_reading_get_thumbnail (HlAxesReading *self);
HlTokenizer       *hl_axes_reading_get_tokenizer (HlAxesReading *self);
const char        *hl_axes_reading_get_numbers   (HlAxesReading *self,
                                                  gboolean      *look_like_scores);

G_END_DECLS
