/* SPDX-License-Identifier: MIT */
#pragma once

#include "view/hl-view-state.h"
#include "view/spelling/hl-state-text.h"

G_BEGIN_DECLS

/* How something is looked at: values, and what never changes. A worker may have it, as it may not have a view state of
 * the main thread, nor what aligns texts for that. */
typedef struct
{
  HlAttentionKind kind;
  HlHeadSelection selection;
  HlStateTexts texts;
  char *pairs;
  char *name;
  char *other_name;
  HlAttention *other_attention;
  HlHeadPairing pairing;
  HlComparison *compared;
  HlHeadNumbers *numbers;
  HlPick pinned;
  gboolean pinned_in_difference;
} HlStateCopy;

void hl_state_copy_take  (HlStateCopy       *self,
                          HlViewState       *from);
void hl_state_copy_apply (const HlStateCopy *self,
                          HlViewState       *to);
void hl_state_copy_clear (HlStateCopy       *self);
void hl_state_copy       (HlViewState       *to,
                          HlViewState       *from);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlStateCopy, hl_state_copy_clear)

G_END_DECLS
