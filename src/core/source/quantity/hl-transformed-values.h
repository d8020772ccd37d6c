/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compute/hl-scratch.h"
#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

/**
 * HlTransformedValues:
 * @values: where the values of the layer lie
 * @value_head: the head of them that the head reads; heads may share one
 * @head_size: features of a value
 * @width: features of the model
 * @rows: [head_size, width], the head's rows of the output projection
 *
 * What one head would add to the stream for each key if it gave it all of its weight: f(x_j) = v_j·W_O, with the bias of v and without
 * that of W_O (Kobayashi et al. 2020). It lives no longer than its attention, and is for one thread.
 */
typedef struct
{
  const HlLayerTensor *values;
  guint64              value_head;
  gsize                head_size;
  gsize                width;
  float               *rows;

  /*< private >*/
  HlScratch products;
  HlScratch numbers;
} HlTransformedValues;

gboolean hl_transformed_values_are_known (HlAttention         *attention);
gboolean hl_transformed_values_init      (HlTransformedValues *self,
                                          HlAttention         *attention,
                                          guint                layer,
                                          guint                head,
                                          GCancellable        *cancellable,
                                          GError             **error);
gboolean hl_transformed_values_read      (HlTransformedValues *self,
                                          gsize                first_key,
                                          gsize                n_keys,
                                          float               *target,
                                          GCancellable        *cancellable,
                                          GError             **error);
void     hl_transformed_values_clear     (HlTransformedValues *self);
float   *hl_transformed_values_measure   (HlAttention         *attention,
                                          guint                layer,
                                          guint                head,
                                          GCancellable        *cancellable,
                                          GError             **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlTransformedValues, hl_transformed_values_clear)

G_END_DECLS
