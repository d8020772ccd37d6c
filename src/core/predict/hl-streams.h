/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/predict/hl-prediction.h"

G_BEGIN_DECLS

#define HL_TYPE_STREAMS (hl_streams_get_type ())
/**
 * HlStreams:
 *
 * The stream of a text before the first layer and after every layer: from it predictions of any position follow without another pass.
 * Immutable.
 */
G_DECLARE_FINAL_TYPE (HlStreams, hl_streams, HL, STREAMS, GObject)

HlStreams      *hl_streams_new          (HlUnembedding       *head,
                                         const HlModelInput  *input,
                                         GCancellable        *cancellable,
                                         GError             **error);
HlUnembedding  *hl_streams_get_head     (HlStreams           *self);
gsize           hl_streams_get_n        (HlStreams           *self);
guint           hl_streams_get_n_layers (HlStreams           *self);
gboolean        hl_streams_predict      (HlStreams           *self,
                                         gsize                position,
                                         guint                n_candidates,
                                         HlCandidate         *candidates,
                                         GError             **error);

G_END_DECLS
