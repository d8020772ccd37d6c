/* SPDX-License-Identifier: MIT */
/* What the files of HlTokenWeights share. */
#pragma once

#include "app/tokens/hl-token-weights.h"

G_BEGIN_DECLS

struct _HlTokenWeights
{
  GObject parent_instance;

  /* The question. */
  HlAttention *attention;
  HlAttentionSource *source;
  HlAttentionSource *shown_source;
  guint layer;
  HlShownHead *heads;
  guint n_heads;
  char *head_name;
  HlTokenSide side;
  gsize subject;
  HlRange listed;
  /* While two sides are compared, what each of them answers by itself; either may have nothing in focus. */
  HlComparison *comparison;
  HlTokenWeights *sides[2];

  /* The answer. */
  HlTokenWeight *rows;
  guint n_rows;
  float *parts;
  double sum;
  double side_max;
};

HlTokenWeights *hl_token_weights_new_alone      (HlViewState     *state);
HlTokenWeights *hl_token_weights_join_sides     (HlTokenWeights  *self,
                                                 HlViewState     *state);
gboolean        hl_token_weights_read_sides     (HlTokenWeights  *self,
                                                 GCancellable    *cancellable,
                                                 GError         **error);
gboolean        hl_token_weights_same_sides     (HlTokenWeights  *self,
                                                 HlTokenWeights  *other);

G_END_DECLS
