/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/family/hl-family.h"

G_BEGIN_DECLS

/**
 * HlGgufArchitecture:
 * @name: what GGUF files call it, `general.architecture`
 * @type: what config.json calls models of the family that it is
 * @permuted: whether rows of queries and keys are stored in the pairs that rotary embedding turns
 * @n_wide_layers: layers of the one size whose queries are scaled by √(width / heads), which no key says; 0 where there is none
 * @usual_window: as in #HlUsualSizes, of files that do not say
 * @renormalised: whether the shares of the experts that are chosen sum to 1, as files do not say
 * @sigmoid_type: (nullable): what config.json calls those whose experts' shares are σ of their scores, where it is another type
 * @windowed_type: (nullable): what config.json calls those whose layers have a window, which turns by the base of the others unless files
 *   say another, where it is another type
 * @scaling: (nullable): how rotary embeddings are scaled that have a factor, as files do not say
 * @n_unnormed_experts: experts of the one size whose queries and keys are not normed, as files do not say; 0 where there is none
 * @tiled: see #HlDeltaNames
 * @both_ways: whether layers see keys to both sides, in a family of which others do not
 * @divided: whether `logit_scale` divides logits, and does not multiply them
 *
 * What tells a model in a GGUF file from the same model in a folder. Adding an architecture is adding one of these.
 */
typedef struct
{
  const char *name;
  const char *type;
  gboolean    permuted;
  guint       n_wide_layers;
  guint       usual_window;
  gboolean    renormalised;
  const char *sigmoid_type;
  const char *windowed_type;
  const char *scaling;
  gboolean    divided;
  gboolean    both_ways;
  guint       n_unnormed_experts;
  gboolean    tiled;
} HlGgufArchitecture;

const HlGgufArchitecture *hl_gguf_architecture_find (const char  *name,
                                                     GError     **error);

G_END_DECLS
