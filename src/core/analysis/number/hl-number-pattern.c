/* SPDX-License-Identifier: MIT */
/*
 * To which of five patterns a map comes closest: after Kovaleva et al. 2019, section 4.1, whose classifier is unpublished.
 * Ours is a rule: v is the largest mean weight of a key, d that of a diagonal no farther than 3 from a query's own place,
 * b the mean weight within a query's own sentence. Of a map that was made of others, such as one of norms, all three are
 * shares of what a query gives in the mean. Of fewer than 8 keys it is unsound: there, even weights are large.
 */
#include "core/analysis/number/hl-head-number.h"

#include <glib/gi18n-lib.h>

#define LEAST_MEAN 0.25
#define LEAST_OWN_SENTENCE 0.9

enum
{
  VERTICAL,
  DIAGONAL,
  BOTH,
  BLOCK,
  HETEROGENEOUS,
};

static const HlHeadNumberWord words[] = {
  [VERTICAL] = { "vertical", N_ ("vertical") },
  [DIAGONAL] = { "diagonal", N_ ("diagonal") },
  [BOTH] = { "vertical+diagonal", N_ ("vertical and diagonal") },
  [BLOCK] = { "block", N_ ("block") },
  [HETEROGENEOUS] = { "heterogeneous", N_ ("heterogeneous") },
  { NULL, NULL },
};

static double
get_largest (const double *numbers,
             gsize         n)
{
  double largest = 0;

  for (gsize i = 0; i < n; i++)
    largest = MAX (largest, numbers[i]);
  return largest;
}

/* What the shares are of: a weight of 1 for each query, or what there is in its place. */
static double
get_whole (const HlHeadMap *map)
{
  double sum = 0;

  for (gsize key = 0; key < map->n_keys; key++)
    sum += map->keys[key];
  return map->is_derived ? sum : (double) map->n_queries;
}

static double
measure (const HlHeadMap *map)
{
  const double whole = get_whole (map);
  const gboolean is_vertical = get_largest (map->keys, map->n_keys) / whole >= LEAST_MEAN;
  const gboolean is_diagonal = get_largest (map->diagonals, G_N_ELEMENTS (map->diagonals)) / whole >= LEAST_MEAN;

  if (is_vertical)
    return is_diagonal ? BOTH : VERTICAL;
  if (is_diagonal)
    return DIAGONAL;
  return map->has_two_sentences && map->own_sentence / whole >= LEAST_OWN_SENTENCE ? BLOCK : HETEROGENEOUS;
}

const HlHeadNumber hl_head_number_pattern = {
  .nick = "pattern",
  .label = N_ ("pattern"),
  .caption = N_ ("pattern"),
  .choice = N_ ("Pattern"),
  .title = NC_ ("table of heads", "Pattern"),
  .sentence = N_ ("Vertical, diagonal, both, block or heterogeneous, by a rule that is unsound below 8 tokens"),
  .column_width = 150,
  .group = HL_HEAD_NUMBER_GROUP_WEIGHTS,
  .words = words,
  .needs = HL_HEAD_NUMBER_NEEDS_POSITIONS,
  .measure_map = measure,
};
