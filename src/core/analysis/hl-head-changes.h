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

GArray *hl_head_changes_compute (HlComparison *comparison,
                                 GCancellable *cancellable,
                                 GError      **error);

G_END_DECLS
