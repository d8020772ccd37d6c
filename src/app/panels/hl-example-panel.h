/* SPDX-License-Identifier: MIT */
/* Which example of a document is shown, and which attention of it. */
#pragma once

#include "app/panels/hl-state-panel.h"
#include "app/session/hl-session.h"

G_BEGIN_DECLS

#define HL_TYPE_EXAMPLE_PANEL (hl_example_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlExamplePanel, hl_example_panel, HL, EXAMPLE_PANEL, HlStatePanel)

void hl_example_panel_set_session (HlExamplePanel *self,
                                   HlSession      *session);

G_END_DECLS
