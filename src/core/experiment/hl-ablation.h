/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/hl-model-call.h"
#include "core/predict/hl-unembedding.h"

G_BEGIN_DECLS

/**
 * HL_ABLATION_TOP:
 *
 * In place of a token: the one that the model itself predicts.
 */
#define HL_ABLATION_TOP (-1)

/**
 * HlAblationAim:
 * @position: the token of the last stack whose prediction is looked at
 * @token: the token whose probability is; %HL_ABLATION_TOP for the most likely
 *
 * Which prediction an ablation is measured by.
 */
typedef struct
{
  gsize  position;
  gint64 token;
} HlAblationAim;

/**
 * HlAblationEffect:
 * @state_change: 1 − the cosine of the mean over tokens of the final states, without and with the change: 0 to 2
 * @divergence: the Kullback–Leibler divergence of the prediction without the change to that with it, in bits; NaN without an aim
 * @probability: of the token, with the change; likewise
 * @log_change: how much the natural logarithm of the token's probability changes, below 0 when it falls; likewise
 *
 * What it does to a model that heads are other than they are.
 */
typedef struct
{
  double state_change;
  double divergence;
  double probability;
  double log_change;
} HlAblationEffect;

/**
 * HlAblationFunc:
 * @edit: what was done to a head
 * @effect: what that does
 * @data: what was given along
 *
 * Told of a head, on the thread that computes.
 */
typedef void (*HlAblationFunc) (const HlHeadEdit       *edit,
                                const HlAblationEffect *effect,
                                gpointer                data);

#define HL_TYPE_ABLATION (hl_ablation_get_type ())
/**
 * HlAblation:
 *
 * A model on a text, ready to be run again with heads changed, from the layer of the head on: zero (Michel et al. 2019), or uniform over
 * the keys that are visible (Kovaleva et al. 2019). Immutable; threads may share one.
 */
G_DECLARE_FINAL_TYPE (HlAblation, hl_ablation, HL, ABLATION, GObject)

HlAblation *hl_ablation_new             (HlModelCall             *call,
                                         HlUnembedding           *unembedding,
                                         const HlAblationAim     *aim,
                                         GCancellable            *cancellable,
                                         GError                 **error);
HlModelCall *hl_ablation_get_call       (HlAblation              *self);
gboolean    hl_ablation_has_aim         (HlAblation              *self);
gsize       hl_ablation_get_position    (HlAblation              *self);
guint32     hl_ablation_get_token       (HlAblation              *self);
double      hl_ablation_get_probability (HlAblation              *self);
gboolean    hl_ablation_run             (HlAblation              *self,
                                         const HlHeadEdit        *edits,
                                         gsize                    n_edits,
                                         HlAblationFunc           func,
                                         gpointer                 data,
                                         HlProgress              *progress,
                                         GCancellable            *cancellable,
                                         GError                 **error);
gboolean    hl_ablation_run_together    (HlAblation              *self,
                                         const HlHeadEdit        *edits,
                                         gsize                    n_edits,
                                         HlAblationEffect        *effect,
                                         GCancellable            *cancellable,
                                         GError                 **error);
HlHeadEdit *hl_ablation_list_heads      (HlModelCall             *call,
                                         HlAttentionKind          attention,
                                         HlHeadEditKind           kind,
                                         gsize                   *n_edits);

G_END_DECLS
