/* SPDX-License-Identifier: MIT */
#pragma once

#include "view/hl-view-state.h"

G_BEGIN_DECLS

/**
 * HlStill:
 * @example: of what it is
 * @shown: what is shown of it
 * @hidden: the tokens that were chosen to be hidden
 * @pin: what is pinned
 * @name: as #HlCounterpart has it
 * @other_name: likewise
 * @pairs: the words that heads are ranked by
 * @compared: (nullable): what heads are compared with
 * @numbers: (nullable): what is known of them
 * @call: (nullable): what computed the example
 * @other_call: (nullable): what computed that which it is subtracted from
 *
 * What a view state shows at some moment: values, and what never changes. Another thread may have it, as it may not have
 * the view state, nor what aligns texts for that. Zeros for none.
 */
typedef struct
{
  HlExample     *example;
  HlShown       *shown;
  HlHiddenTokens hidden;
  HlFocus        pin;
  char          *name;
  char          *other_name;
  char          *pairs;
  HlComparison  *compared;
  HlHeadNumbers *numbers;
  HlModelCall   *call;
  HlModelCall   *other_call;
} HlStill;

void         hl_still_take  (HlStill       *self,
                             HlViewState   *state);
HlViewState *hl_still_show  (const HlStill *self);
void         hl_still_clear (HlStill       *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlStill, hl_still_clear)

G_END_DECLS
