/* SPDX-License-Identifier: MIT */
/* Which labels of a crowded axis are written, and how much room labels need. */
#include "draw/hl-axis-labels.h"

#include <stdlib.h>

#include "draw/hl-token-label.h"

/* Of so many tokens, those with most characters, the room is measured; shaping all would cost frames. */
#define N_MEASURED 24

/**
 * hl_axis_labels_get_stride:
 * @step: logical pixels from one place of the axis to the next; greater than 0
 * @spacing: logical pixels that labels must be apart
 *
 * Returns: 1, 2, 5, 10, 20, 50 …: every how many places there is room for a label
 */
gsize
hl_axis_labels_get_stride (double step,
                           double spacing)
{
  static const gsize digits[] = { 1, 2, 5 };

  g_return_val_if_fail (step > 0, 1);

  for (gsize power = 1; power <= 1000000000; power *= 10)
    for (guint i = 0; i < G_N_ELEMENTS (digits); i++)
      if (digits[i] * power * step >= spacing)
        return digits[i] * power;
  return 1000000000;
}

typedef struct
{
  const char *token;
  glong length;
} Candidate;

static int
compare_candidates (const void *a,
                    const void *b)
{
  const glong first = ((const Candidate *) a)->length;
  const glong second = ((const Candidate *) b)->length;

  return (second > first) - (second < first);
}

/**
 * hl_axis_labels_measure:
 * @text: what will write them
 * @tokens: (array length=n): the tokens of the axis
 * @n: how many
 * @style: how they look
 *
 * Returns: logical pixels that the longest label takes, as far as the number of its characters tells which one that is
 */
double
hl_axis_labels_measure (HlSceneText       *text,
                        const char *const *tokens,
                        gsize              n,
                        const HlTextStyle *style)
{
  g_autofree Candidate *candidates = g_new (Candidate, MAX (n, 1));
  double width = 0;

  for (gsize i = 0; i < n; i++)
    {
      candidates[i].token = tokens[i];
      candidates[i].length = 0;
      for (const char *p = tokens[i]; *p != '\0'; p = g_utf8_next_char (p))
        {
          const gunichar c = g_utf8_get_char (p);
          candidates[i].length += g_unichar_isprint (c) ? (g_unichar_iswide (c) ? 2 : 1) : 6;
        }
    }
  qsort (candidates, n, sizeof *candidates, compare_candidates);
  for (gsize i = 0; i < MIN (n, N_MEASURED); i++)
    {
      g_autofree char *label = hl_token_text_show (candidates[i].token);
      width = MAX (width, hl_scene_text_get_width (text, label, style));
    }
  return width;
}
