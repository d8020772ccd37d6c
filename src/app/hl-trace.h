/* SPDX-License-Identifier: MIT */
/* A sequence of what people do, replayed in the real window, with a clock. */
#pragma once

#include "app/window/hl-window.h"

G_BEGIN_DECLS

#define HL_TYPE_TRACE (hl_trace_get_type ())
G_DECLARE_FINAL_TYPE (HlTrace, hl_trace, HL, TRACE, GObject)

HlTrace *hl_trace_new        (void);
void     hl_trace_start      (HlTrace  *self,
                              HlWindow *window);
gboolean hl_trace_get_failed (HlTrace  *self);

G_END_DECLS
