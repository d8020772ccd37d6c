/* SPDX-License-Identifier: MIT */
/* What the panel of experiments has computed, in workers. */
#pragma once

#include "core/document/attention/hl-example.h"
#include "core/experiment/hl-ablation.h"
#include "core/experiment/hl-attribution.h"

G_BEGIN_DECLS

/**
 * HlExperiment:
 * @call: the model, and what it is run on
 * @example: what came of it
 * @position: the token whose prediction is looked at; negative for the usual one
 * @token: the token that is predicted, as written; empty for the most likely
 * @edits: (array length=n_edits): what is done to heads
 * @n_edits: how many
 *
 * An experiment that somebody wants the result of.
 */
typedef struct
{
  HlModelCall *call;
  HlExample *example;
  gint64 position;
  char *token;
  HlHeadEdit *edits;
  gsize n_edits;
} HlExperiment;

/**
 * HlExperimentResult:
 * @intact: (nullable): what the model says with all heads
 * @sentence: (nullable): what it says without some
 * @note: (nullable): why it says nothing, or nothing of what was asked
 * @logit: (nullable): what is taken apart in @items
 * @explanation: (nullable): what has to be known to read them
 * @items: (array length=n_items): what adds most to the logit, the strongest first
 * @n_items: how many
 * @n_others: how many more terms there are
 * @others: what these add together
 * @sum: what all of them add up to
 * @effects: (array length=n_effects): with every head by itself, what each does; %NULL otherwise
 * @n_effects: how many
 * @has_aim: whether the effects are of a prediction too
 * @probability: with an aim, that of the token with all heads
 *
 * What came of it.
 */
typedef struct
{
  char *intact;
  char *sentence;
  char *note;
  char *logit;
  char *explanation;
  HlAttributionItem *items;
  gsize n_items;
  gsize n_others;
  double others;
  double sum;
  HlAblationEffect *effects;
  gsize n_effects;
  gboolean has_aim;
  double probability;
} HlExperimentResult;

HlExperiment *hl_experiment_new (HlModelCall *call,
                                 HlExample *example,
                                 gint64 position,
                                 const char *token,
                                 const HlHeadEdit *edits,
                                 gsize n_edits);
void hl_experiment_free (HlExperiment *self);
gboolean hl_experiment_equal (const HlExperiment *a, const HlExperiment *b);
void hl_experiment_run_async (const HlExperiment *self,
                              gboolean each,
                              HlProgress *progress,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
HlExperimentResult *hl_experiment_run_finish (GAsyncResult *result, GError **error);
void hl_experiment_result_free (HlExperimentResult *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlExperiment, hl_experiment_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlExperimentResult, hl_experiment_result_free)

G_END_DECLS
