/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/predict/hl-unembedding.h"

G_BEGIN_DECLS

/**
 * HlCandidate:
 * @id: a token's number
 * @probability: from 0 to 1; of all tokens together 1
 *
 * A token that may stand at a position.
 */
typedef struct
{
  guint32 id;
  double  probability;
} HlCandidate;

/**
 * HlPredictionRequest:
 * @n_candidates: how many tokens of each position, the most likely first; at most as many as the model has are given
 * @all_layers: whether of the stream before the first layer and after every layer, and not only of the model's end
 * @position: the only position, from 0; negative for all
 *
 * What is to be known of a model's predictions.
 */
typedef struct
{
  guint    n_candidates;
  gboolean all_layers;
  gint64   position;
} HlPredictionRequest;

#define HL_TYPE_PREDICTION (hl_prediction_get_type ())
/**
 * HlPrediction:
 *
 * The most likely tokens at positions of a text: the next, or, of a masked language model, the one that stands there. With the layers, the
 * lens (nostalgebraist 2020): what softmax(W_U · norm(x_l)) says of the stream after l layers. Immutable.
 */
G_DECLARE_FINAL_TYPE (HlPrediction, hl_prediction, HL, PREDICTION, GObject)

guint              hl_candidates_rank              (const float               *logits,
                                                    gsize                      n_tokens,
                                                    guint                      n_candidates,
                                                    HlCandidate               *candidates);

HlPrediction      *hl_prediction_new               (HlUnembedding             *head,
                                                    const HlModelInput        *input,
                                                    const HlPredictionRequest *request,
                                                    HlProgress                *progress,
                                                    GCancellable              *cancellable,
                                                    GError                   **error);
guint              hl_prediction_get_n_rows        (HlPrediction              *self);
guint              hl_prediction_get_n_layers      (HlPrediction              *self,
                                                    guint                      row);
gsize              hl_prediction_get_first         (HlPrediction              *self);
gsize              hl_prediction_get_n_positions   (HlPrediction              *self);
guint              hl_prediction_get_n_candidates  (HlPrediction              *self);
const HlCandidate *hl_prediction_get_candidates    (HlPrediction              *self,
                                                    guint                      row,
                                                    gsize                      position);

G_END_DECLS
