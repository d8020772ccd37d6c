/* SPDX-License-Identifier: MIT */
/* Heads are compared as they are, whatever is derived of them for the pictures. */
#include "config.h"

#include "app/compare/hl-compare-heads.h"

static gboolean
is_comparison_with (HlComparison        *comparison,
                    HlViewState         *second,
                    const HlHeadPairing *pairing)
{
  return comparison != NULL && hl_comparison_get_attention_b (comparison) == hl_view_state_get_attention (second) &&
         hl_head_pairing_equal (hl_comparison_get_pairing (comparison), pairing);
}

static void
set_compared (HlViewState         *first,
              HlViewState         *second,
              const HlHeadPairing *pairing)
{
  if (is_comparison_with (hl_view_state_get_compared (first), second, pairing))
    return;
  g_autoptr (HlComparison) comparison =
    hl_comparison_new (hl_view_state_get_attention (first), hl_view_state_get_attention_source (first),
                       hl_view_state_get_attention (second), hl_view_state_get_attention_source (second), pairing,
                       hl_view_state_get_aligner (first));
  hl_view_state_set_compared (first, comparison);
}

/**
 * hl_compare_heads_update:
 * @a: the first side
 * @b: the second side
 * @pairing: which heads of it belong to those of the first; must fit its attention
 *
 * Lets each side know what its heads are compared with. To be called whenever attentions or pairing have changed, and when
 * their texts are aligned, until when nothing is compared; where they have not, what is known stays. Those of the
 * second side have partners only where heads of the same index belong together.
 */
void
hl_compare_heads_update (HlViewState         *a,
                         HlViewState         *b,
                         const HlHeadPairing *pairing)
{
  set_compared (a, b, pairing);
  if (pairing->layer < 0 && pairing->head < 0)
    set_compared (b, a, pairing);
  else
    hl_view_state_set_compared (b, NULL);
}

/**
 * hl_compare_heads_clear:
 * @a: the first side
 * @b: the second side
 *
 * Lets them be compared no more, nor sorted or framed by what nothing tells any more.
 */
void
hl_compare_heads_clear (HlViewState *a,
                        HlViewState *b)
{
  HlViewState *const sides[] = { a, b };

  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      hl_view_state_set_compared (sides[i], NULL);
      if (hl_view_state_get_sort (sides[i]) == HL_HEAD_MEASURE_CHANGE)
        hl_view_state_set_sort (sides[i], HL_HEAD_MEASURE_NONE);
      if (hl_view_state_get_colour_by (sides[i]) == HL_HEAD_MEASURE_CHANGE)
        hl_view_state_set_colour_by (sides[i], HL_HEAD_MEASURE_NONE);
    }
}
