/* SPDX-License-Identifier: MIT */
/*
 * The picture of a document, and while it is compared with something, the picture of that beside it, or the difference
 * in its place; above them a bar that says what the two sides are.
 */
#pragma once

#include "app/canvas/hl-scene-view.h"
#include "app/compare/hl-compare-side.h"
#include "app/live/hl-text-bar.h"
#include "app/session/hl-session.h"
#include "view/hl-sides.h"
#include "view/session/hl-saved-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_COMPARE_VIEW (hl_compare_view_get_type ())
G_DECLARE_FINAL_TYPE (HlCompareView, hl_compare_view, HL, COMPARE_VIEW, AdwBin)

void hl_compare_view_set_session (HlCompareView *self, HlSession *session, HlSceneView *scene_view);
void hl_compare_view_pass_on (HlCompareView *self, HlSession *session);
void hl_compare_view_start (HlCompareView *self, HlSession *other, const HlHeadPairing *pairing);
void hl_compare_view_open (HlCompareView *self, GFile *file, HlSession *like);
void hl_compare_view_open_counterpart (HlCompareView *self);
void hl_compare_view_stop (HlCompareView *self);
gboolean hl_compare_view_get_active (HlCompareView *self);
gboolean hl_compare_view_get_difference (HlCompareView *self);
void hl_compare_view_set_difference (HlCompareView *self, gboolean difference);
HlSession *hl_compare_view_get_other (HlCompareView *self);
const char *hl_compare_view_get_title (HlCompareView *self);
void hl_compare_view_set_narrow (HlCompareView *self, gboolean narrow);
HlCompareSide hl_compare_view_get_side (HlCompareView *self);
void hl_compare_view_show_side (HlCompareView *self, gboolean second);
HlTextBar *hl_compare_view_get_text_bar (HlCompareView *self);
gboolean hl_compare_view_is_in_second (HlCompareView *self, GtkWidget *widget);
void hl_compare_view_show_other (HlCompareView *self);
void hl_compare_view_focus (HlCompareView *self);
gboolean hl_compare_view_focus_text (HlCompareView *self);
HlSides *hl_compare_view_get_sides (HlCompareView *self);
HlScene *hl_compare_view_create_scene (HlCompareView *self);
void hl_compare_view_save (HlCompareView *self, HlSavedSession *saved);

G_END_DECLS
