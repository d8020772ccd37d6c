/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/base/cli-other-side.h"
#include "cli/base/cli-other-view.h"
#include "view/hl-sides.h"

G_BEGIN_DECLS

/**
 * CliOther:
 * @job: the job, which has the file that an error is of
 * @side: what the second side is
 * @view: how it is looked at, where not as the first
 * @document: what it is of
 * @state: the second side, with all that the options say of both
 * @sentences: which part of a pair of texts is shown, of whatever side is one
 * @takes_quantity: whether the quantity is a session's: where the side cannot have it, weights are shown
 *
 * The second side of a figure.
 */
typedef struct
{
  CliJob       *job;
  CliOtherSide *side;
  CliOtherView *view;
  HlDocument   *document;
  HlViewState  *state;
  HlSentences   sentences;
  gboolean      takes_quantity;
} CliOther;

HlSides *cli_render_compare (CliOther     *self,
                             HlViewState  *state,
                             HlDocument   *document,
                             gboolean      difference,
                             GError      **error);

G_END_DECLS
