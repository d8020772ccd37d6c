/* SPDX-License-Identifier: MIT */
/* Which labels of a crowded axis are written, and how much room labels need. */
#include "draw/text/hl-axis-labels.h"

#include "draw/text/hl-token-label.h"

/* Of so many tokens, those with most characters, the room is measured; shaping all would cost frames. */
#define N_MEASURED 24

typedef struct
{
  const char *token;
  gsize length;
} Candidate;

/* 1, 2, 5, 10, 20, 50 …: every how many places there is room for a label. */
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

/* Characters, those counted more that take more room. */
static gsize
get_length (const char *token)
{
  gsize length = 0;

  for (const char *p = token; *p != '\0'; p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);

      if (c >= 0x20 && c < 0x7F)
        length++;
      else
        length += g_unichar_isprint (c) ? (g_unichar_iswide (c) ? 2 : 1) : 6;
    }
  return length;
}

/* Keeps the longest, the longest first; of those as long, the ones that come first. */
static void
add_candidate (Candidate   candidates[N_MEASURED],
               gsize      *n,
               const char *token)
{
  const gsize length = get_length (token);
  gsize place = *n;

  if (*n == N_MEASURED && candidates[N_MEASURED - 1].length >= length)
    return;
  if (*n == N_MEASURED)
    place--;
  else
    ++*n;
  for (; place > 0 && candidates[place - 1].length < length; place--)
    candidates[place] = candidates[place - 1];
  candidates[place] = (Candidate){ token, length };
}

/* The longest label, as far as the number of its characters tells which one that is. */
double
hl_axis_labels_measure (HlSceneText       *text,
                        const char *const *tokens,
                        gsize              n,
                        const HlTextStyle *style)
{
  Candidate candidates[N_MEASURED];
  gsize n_candidates = 0;
  double width = 0;

  for (gsize i = 0; i < n; i++)
    add_candidate (candidates, &n_candidates, tokens[i]);
  for (gsize i = 0; i < n_candidates; i++)
    {
      g_autofree char *label = hl_token_text_show (candidates[i].token);
      width = MAX (width, hl_scene_text_get_width (text, label, style));
    }
  return width;
}
