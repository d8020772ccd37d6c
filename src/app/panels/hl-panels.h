/* SPDX-License-Identifier: MIT */
/* The panels of the sidebar. Each has a view state, and that is all there is to say to it; but examples are of a
 * session. */
#pragma once

#include "app/panels/hl-state-panel.h"
#include "app/session/hl-session.h"

G_BEGIN_DECLS

/* Which chart of which number of heads. */
#define HL_TYPE_CHART_PANEL (hl_chart_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlChartPanel, hl_chart_panel, HL, CHART_PANEL, HlStatePanel)

/* How weights look: what thumbnails show, and in which colours. */
#define HL_TYPE_COLOUR_PANEL (hl_colour_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlColourPanel, hl_colour_panel, HL, COLOUR_PANEL, HlStatePanel)

/* Which example of a document is shown, and which attention of it. */
#define HL_TYPE_EXAMPLE_PANEL (hl_example_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlExamplePanel, hl_example_panel, HL, EXAMPLE_PANEL, HlStatePanel)

void hl_example_panel_set_session (HlExamplePanel *self,
                                   HlSession      *session);

/* Which weights of an attention are drawn. */
#define HL_TYPE_FILTER_PANEL (hl_filter_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlFilterPanel, hl_filter_panel, HL, FILTER_PANEL, HlStatePanel)

/* Whether pieces are shown as words, and which tokens are left out. */
#define HL_TYPE_HIDING_PANEL (hl_hiding_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlHidingPanel, hl_hiding_panel, HL, HIDING_PANEL, HlStatePanel)

/* By which number the model view sorts its heads. */
#define HL_TYPE_ORDER_PANEL (hl_order_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlOrderPanel, hl_order_panel, HL, ORDER_PANEL, HlStatePanel)

/* What is made of the weights before they are shown. */
#define HL_TYPE_QUANTITY_PANEL (hl_quantity_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlQuantityPanel, hl_quantity_panel, HL, QUANTITY_PANEL, HlStatePanel)

/* How weights follow from scores. */
#define HL_TYPE_SCORE_PANEL (hl_score_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlScorePanel, hl_score_panel, HL, SCORE_PANEL, HlStatePanel)

G_END_DECLS
