/* SPDX-License-Identifier: MIT */
#pragma once

#include "view/spelling/hl-state-text.h"

G_BEGIN_DECLS

/**
 * CliOtherView:
 * @written: what the second side has otherwise than the first, layer and head aside
 * @scroll: as --other-scroll has it; %NULL for that of the first
 * @scroll_known: whether it is scrolled in a way of its own
 * @scroll_x: how far, logical pixels
 * @scroll_y: likewise
 *
 * How the second side of a figure is looked at.
 */
typedef struct
{
  HlStateTexts written;
  char        *scroll;
  gboolean     scroll_known;
  double       scroll_x;
  double       scroll_y;
} CliOtherView;

void     cli_other_view_add_entries (CliOtherView       *self,
                                     GOptionContext     *context);
gboolean cli_other_view_is_empty    (const CliOtherView *self);
int      cli_other_view_parse       (CliOtherView       *self);
void     cli_other_view_clear       (CliOtherView       *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliOtherView, cli_other_view_clear)

G_END_DECLS
