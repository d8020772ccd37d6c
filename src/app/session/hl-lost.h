/* SPDX-License-Identifier: MIT */
/* What was open in programs that did not end by themselves, until somebody decides about it. One of it, on the main thread. */
#pragma once

#include "view/session/hl-session-store.h"

G_BEGIN_DECLS

#define HL_TYPE_LOST (hl_lost_get_type ())
G_DECLARE_FINAL_TYPE (HlLost, hl_lost, HL, LOST, GObject)

HlLost    *hl_lost_get         (void);
void       hl_lost_set         (HlLost    *self,
                                GPtrArray *stores,
                                GPtrArray *windows);
guint      hl_lost_get_n_tabs  (HlLost    *self);
GPtrArray *hl_lost_get_windows (HlLost    *self);
GPtrArray *hl_lost_dup_stores  (HlLost    *self);

G_END_DECLS
