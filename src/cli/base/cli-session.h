/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/base/cli-other-side.h"
#include "cli/base/cli-other-view.h"
#include "cli/base/cli-view-options.h"
#include "view/session/hl-saved-session.h"

G_BEGIN_DECLS

/**
 * CliPlace:
 * @zoom: as --zoom has it; 0 for what fits
 * @scroll: as --scroll has it; %NULL for the beginning
 * @scroll_x: how far the content is scrolled, logical pixels
 * @scroll_y: likewise
 *
 * Which part of the picture is drawn.
 */
typedef struct
{
  double zoom;
  char  *scroll;
  double scroll_x;
  double scroll_y;
} CliPlace;

void cli_place_add_entries (CliPlace        *self,
                            GOptionContext  *context);
int  cli_scroll_parse      (const char      *option,
                            const char      *text,
                            double          *x,
                            double          *y);
int  cli_place_parse       (CliPlace        *self);
int  cli_session_take      (char           **file,
                            CliViewOptions  *view,
                            CliOpenOptions  *open,
                            CliModelText    *text,
                            CliPlace        *place,
                            char           **example,
                            HlSavedSession **other);
void cli_session_take_other (const HlSavedSession *saved,
                             const char           *file,
                             CliOtherSide         *side,
                             CliOtherView         *view);

G_END_DECLS
