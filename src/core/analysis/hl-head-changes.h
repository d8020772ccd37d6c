/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compare/hl-comparison.h"

G_BEGIN_DECLS

/**
 * HlHeadChange:
 * @layer: of the first side
 * @head: of the first side
 * @other_layer: what it is compared with, in the second side
 * @other_head: likewise
 * @n_queries: how many queries count
 * @divergence: mean over these queries of the Jensen–Shannon divergence in bits, 0 to 1: with p and q what a query gives to the keys
 *   that both sides have, each divided by its sum, and m = (p + q)/2, ½ Σ p log₂ (p/m) + ½ Σ q log₂ (q/m); Lin 1991, between heads Clark et al. 2019,
 *   section 4.2. NaN when no query counts
 * @distance: its square root, which is a metric; Endres and Schindelin 2003
 *
 * How far two heads that belong together are apart.
 */
typedef struct
{
  guint  layer;
  guint  head;
  guint  other_layer;
  guint  other_head;
  gsize  n_queries;
  double divergence;
  double distance;
} HlHeadChange;

/**
 * HlHeadCommon:
 * @n_common: how many tokens are in both sides
 * @n_a: of how many of the first; padding counts on neither side
 * @n_b: of how many of the second
 *
 * Which tokens changes are of.
 */
typedef struct
{
  gsize n_common;
  gsize n_a;
  gsize n_b;
} HlHeadCommon;

GArray      *hl_head_changes_compute (HlComparison *comparison,
                                      GCancellable *cancellable,
                                      GError      **error);
HlHeadCommon hl_head_changes_count   (HlComparison *comparison,
                                      HlSide        side);

G_END_DECLS
