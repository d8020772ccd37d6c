/* SPDX-License-Identifier: MIT */
/*
 * What was looked at before, step by step: options, heads, hidden tokens and what was pinned, as values. It follows a view
 * state by itself. What changes in one go, as a slider that is drawn or heads that are gone through, is one step; another
 * example is another story.
 */
#pragma once

#include "view/hl-view-state.h"

G_BEGIN_DECLS

/* Steps that can be gone back. */
#define HL_VIEW_HISTORY_STEPS 100

#define HL_TYPE_VIEW_HISTORY (hl_view_history_get_type ())
G_DECLARE_FINAL_TYPE (HlViewHistory, hl_view_history, HL, VIEW_HISTORY, GObject)

HlViewHistory *hl_view_history_new      (HlViewState   *state);
gboolean       hl_view_history_can_undo (HlViewHistory *self);
gboolean       hl_view_history_can_redo (HlViewHistory *self);
void           hl_view_history_undo     (HlViewHistory *self);
void           hl_view_history_redo     (HlViewHistory *self);
void           hl_view_history_end_step (HlViewHistory *self);

G_END_DECLS
