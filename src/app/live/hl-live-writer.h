/* SPDX-License-Identifier: MIT */
/*
 * A decoder that goes on with a text, in a worker: what it has written so far, and documents of all that there is, both on the main thread.
 */
#pragma once

#include "core/document/hl-document.h"
#include "core/predict/hl-generation.h"

G_BEGIN_DECLS

#define HL_TYPE_LIVE_WRITER (hl_live_writer_get_type ())
G_DECLARE_FINAL_TYPE (HlLiveWriter, hl_live_writer, HL, LIVE_WRITER, GObject)

HlLiveWriter *hl_live_writer_new          (HlDocument                *document,
                                           const HlGenerationOptions *options);
void          hl_live_writer_start        (HlLiveWriter              *self);
void          hl_live_writer_stop         (HlLiveWriter              *self);
const char   *hl_live_writer_get_text     (HlLiveWriter              *self);
HlDocument   *hl_live_writer_get_document (HlLiveWriter              *self);
const GError *hl_live_writer_get_error    (HlLiveWriter              *self);

G_END_DECLS
