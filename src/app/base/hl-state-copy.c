/* SPDX-License-Identifier: MIT */
/* Carries how something is looked at over to another view state: of the file's newer content after a reload. */
#include "config.h"

#include "app/base/hl-state-copy.h"

#include "view/spelling/hl-state-text.h"

/* As far as its example, which it keeps, has it all. What is compared, or hovered, is not copied. */
void
hl_state_copy (HlViewState *to,
               HlViewState *from)
{
  g_return_if_fail (HL_IS_VIEW_STATE (to) && HL_IS_VIEW_STATE (from));

  const HlPick *pinned = hl_view_state_get_pinned (from);
  HlAttention *attention =
    hl_example_find_attention (hl_view_state_get_example (to),
                               hl_attention_get_kind (hl_view_state_get_attention (from)));
  g_auto (HlStateTexts) texts = { 0 };

  hl_state_texts_take (&texts, from);
  g_object_freeze_notify (G_OBJECT (to));
  if (attention != NULL)
    hl_view_state_set_attention (to, attention);
  hl_view_state_set_selection (to, hl_view_state_get_selection (from));
  hl_state_texts_apply_values (&texts, to);
  hl_view_state_set_pairs (to, hl_view_state_get_pairs (from));
  if (hl_shown_has_pick (hl_view_state_get_shown (to), pinned))
    hl_view_state_set_pinned (to, pinned);
  g_object_thaw_notify (G_OBJECT (to));
}
