/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/guess/hl-layout-axes.h"

G_BEGIN_DECLS

/**
 * HlExpansion:
 * @HL_EXPANSION_SHOWN: it is said, and can be looked at, but not written
 * @HL_EXPANSION_REFUSED: reading it is an error
 * @HL_EXPANSION_ALLOWED: it is said
 *
 * What becomes of an example that announces far more numbers than the file holds; see hl_expansion_check().
 */
typedef enum {
  HL_EXPANSION_SHOWN,
  HL_EXPANSION_REFUSED,
  HL_EXPANSION_ALLOWED,
} HlExpansion;

/**
 * HlOpenOptions:
 * @dataset: (nullable): the path of the tensor that is the attention, or of a group with one for each layer; %NULL to
 *   look for it
 * @axes: what its axes are; none for the likeliest
 * @tokens: (nullable) (array zero-terminated=1): tokens in place of those that the file calls `tokens`
 * @softmax: whether the stored numbers are scores, of which a softmax over keys makes weights
 * @expansion: what becomes of what is announced and not there
 *
 * What somebody chose about how a file of attention is to be read.
 */
typedef struct
{
  char         *dataset;
  HlLayoutAxes  axes;
  char        **tokens;
  gboolean      softmax;
  HlExpansion   expansion;
} HlOpenOptions;

HlOpenOptions *hl_open_options_copy  (const HlOpenOptions *self);
void           hl_open_options_clear (HlOpenOptions       *self);
void           hl_open_options_free  (HlOpenOptions       *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlOpenOptions, hl_open_options_clear)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlOpenOptions, hl_open_options_free)

G_END_DECLS
