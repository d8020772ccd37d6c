/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/guess/hl-layout-axes.h"

G_BEGIN_DECLS

/**
 * HlOpenOptions:
 * @dataset: (nullable): the path of the tensor that is the attention, or of a group with one for each layer; %NULL to
 *   look for it
 * @axes: what its axes are; none for the likeliest
 * @tokens: (nullable) (array zero-terminated=1): tokens in place of those that the file calls `tokens`
 * @softmax: whether the stored numbers are scores, of which a softmax over keys makes weights
 *
 * What somebody chose about how a file of attention is to be read.
 */
typedef struct
{
  char         *dataset;
  HlLayoutAxes  axes;
  char        **tokens;
  gboolean      softmax;
} HlOpenOptions;

HlOpenOptions *hl_open_options_copy  (const HlOpenOptions *self);
void           hl_open_options_clear (HlOpenOptions       *self);
void           hl_open_options_free  (HlOpenOptions       *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlOpenOptions, hl_open_options_clear)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlOpenOptions, hl_open_options_free)

G_END_DECLS
