/* SPDX-License-Identifier: MIT */
/*
 * What heads are called whose numbers are clear. Where the bounds come from: heads that park more than half of their weight on the first token or on
 * separators are sinks, as Clark et al. 2019, section 3.2, find of [SEP] (that there is a sink at all is said above 0.3 already, Gu et al. 2024,
 * which is most heads of most models). Section 3.1 tells heads that look at the token before or after by half, too, over texts of 128 tokens. In short ones special
 * tokens keep a larger part of the rest, and ours is two fifths; the same is asked of the diagonal, of the same token elsewhere (Vig and Belinkov 2019
 * see heads look at it), of what came behind it, Olsson et al.'s (2022) prefix matching, and of punctuation. A head is broad whose weights have nine
 * tenths of the entropy that they can have: the bound is ours, since Clark et al.'s, a tenth of the weight at most on any token, holds of
 * no text of ten tokens.
 */
#include "core/analysis/hl-head-name.h"

#include "core/analysis/number/hl-head-used.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* What a head looks at says more than where it parks the rest, and that more than that it does either widely. */
enum
{
  LOOKS,
  PARKS,
  GENERAL,
};

static const HlHeadName names[] = {
  { "previous-token", N_ ("previous token"), N_ ("attends to the previous token"), HL_HEAD_STAT_PREVIOUS, 0.4, LOOKS },
  { "next-token", N_ ("next token"), N_ ("attends to the next token"), HL_HEAD_STAT_NEXT, 0.4, LOOKS },
  { "itself", N_ ("itself"), N_ ("attends to the token itself"), HL_HEAD_STAT_SELF, 0.4, LOOKS },
  { "same-token", N_ ("same token"), N_ ("attends to the same token elsewhere"), HL_HEAD_STAT_SAME_TOKEN, 0.4, LOOKS },
  { "induction", N_ ("induction"), N_ ("attends to what came behind the same token before"), HL_HEAD_STAT_SAME_NEXT,
    0.4, LOOKS },
  { "punctuation", N_ ("punctuation"), N_ ("attends to punctuation"), HL_HEAD_STAT_MASS_PUNCTUATION, 0.4, LOOKS },
  { "first-token-sink", N_ ("first-token sink"), N_ ("parks its weight on the first token"), HL_HEAD_STAT_FIRST, 0.5,
    PARKS },
  { "separator-sink", N_ ("separator sink"), N_ ("parks its weight on separators"), HL_HEAD_STAT_MASS_SEP, 0.5, PARKS },
  { "special-tokens", N_ ("special tokens"), N_ ("attends to special tokens"), HL_HEAD_STAT_SPECIAL, 0.5, GENERAL },
  { "broad", N_ ("broad"), N_ ("attends to all tokens alike"), HL_HEAD_STAT_EVENNESS, 0.9, GENERAL },
};

/**
 * hl_head_name_get_all:
 * @n: (out): how many there are
 *
 * Returns: (transfer none) (array length=n): all names
 */
const HlHeadName *
hl_head_name_get_all (guint *n)
{
  *n = G_N_ELEMENTS (names);
  return names;
}

/**
 * hl_head_name_get_numbers:
 *
 * Returns: the numbers that must be known of a head to tell its name
 */
HlHeadNumberSet
hl_head_name_get_numbers (void)
{
  HlHeadNumberSet set = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    set |= HL_HEAD_NUMBER_BIT (names[i].stat);
  return set;
}

/**
 * hl_head_name_find_by_stats:
 * @stats: what is known of a head: its numbers of hl_head_name_get_numbers(), of weights and not of what was made of them
 * @n_keys: keys of its map that are not padding
 * @value: (out): the number that tells its name; NaN without one
 *
 * The name of a head: of several that fit, one of the lowest rank, and of these that whose number is the greatest. There is none where no number is
 * clear, or the map has fewer than %HL_HEAD_NAME_LEAST_KEYS keys.
 *
 * Returns: (transfer none) (nullable): the name
 */
const HlHeadName *
hl_head_name_find_by_stats (const HlHeadStats *stats,
                            gsize              n_keys,
                            double            *value)
{
  const HlHeadName *best = NULL;

  g_return_val_if_fail (stats != NULL && value != NULL, NULL);

  *value = NAN;
  for (guint i = 0; n_keys >= HL_HEAD_NAME_LEAST_KEYS && i < G_N_ELEMENTS (names); i++)
    {
      const double number = stats->values[names[i].stat];

      if (!(number >= names[i].bound) ||
          (best != NULL && (names[i].rank > best->rank || (names[i].rank == best->rank && number <= *value))))
        continue;
      best = &names[i];
      *value = number;
    }
  return best;
}

/**
 * hl_head_name_find:
 * @numbers: what is known of heads, told of weights and not of what was made of them
 * @index: a head of all
 * @value: (out): the number that tells its name; NaN without one
 *
 * As hl_head_name_find_by_stats(). There is no name while the numbers of hl_head_name_get_numbers() are not known.
 *
 * Returns: (transfer none) (nullable): the name
 */
const HlHeadName *
hl_head_name_find (const HlHeadNumbers *numbers,
                   guint                index,
                   double              *value)
{
  HlHeadStats stats;

  g_return_val_if_fail (numbers != NULL && value != NULL, NULL);

  *value = NAN;
  if (index >= hl_head_numbers_get_n_known (numbers, hl_head_name_get_numbers ()))
    return NULL;
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    stats.values[stat] = hl_head_numbers_get (numbers, HL_HEAD_MEASURE_STATS + stat, index);
  return hl_head_name_find_by_stats (&stats, hl_head_used_count_keys (hl_head_numbers_get_attention (numbers)), value);
}

/**
 * hl_head_name_dup_text:
 * @self: a name
 * @value: the number that tells it
 *
 * Returns: (transfer full): both, for people, translated: "previous token 0.92"
 */
char *
hl_head_name_dup_text (const HlHeadName *self,
                       double            value)
{
  g_return_val_if_fail (self != NULL, NULL);

  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, "%.2f", value);
  /* Translators: the name of a head and the number that tells it: “previous token 0.92” */
  return g_strdup_printf (C_ ("name of a head", "%s %s"), _ (self->label), number);
}
