/* SPDX-License-Identifier: MIT */
/* An experiment in a worker: heads switched off together, and the logit taken apart; or every head by itself. */
#include "app/experiment/hl-experiment-job.h"

#include "core/analysis/hl-experiment-text.h"
#include "core/analysis/hl-prediction-aim.h"
#include "core/base/hl-error.h"
#include "view/hl-sentence.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* Terms of a logit that are shown. */
#define MAX_ITEMS 12

HlExperiment *
hl_experiment_new (HlModelCall      *call,
                   HlExample        *example,
                   gint64            position,
                   const char       *token,
                   const HlHeadEdit *edits,
                   gsize             n_edits)
{
  g_return_val_if_fail (HL_IS_MODEL_CALL (call), NULL);
  g_return_val_if_fail (HL_IS_EXAMPLE (example), NULL);

  HlExperiment *self = g_new (HlExperiment, 1);
  *self = (HlExperiment){
    .call = g_object_ref (call),
    .example = g_object_ref (example),
    .position = position,
    .token = g_strdup (token),
    .edits = g_memdup2 (edits, n_edits * sizeof *edits),
    .n_edits = n_edits,
  };
  return self;
}

void
hl_experiment_free (HlExperiment *self)
{
  g_object_unref (self->call);
  g_object_unref (self->example);
  g_free (self->token);
  g_free (self->edits);
  g_free (self);
}

/* Whether both have the same result. */
gboolean
hl_experiment_equal (const HlExperiment *a,
                     const HlExperiment *b)
{
  if (a == NULL || b == NULL || a->call != b->call || a->position != b->position || !g_str_equal (a->token, b->token) ||
      a->n_edits != b->n_edits)
    return FALSE;
  for (gsize i = 0; i < a->n_edits; i++)
    if (a->edits[i].attention != b->edits[i].attention || a->edits[i].layer != b->edits[i].layer ||
        a->edits[i].head != b->edits[i].head || a->edits[i].kind != b->edits[i].kind)
      return FALSE;
  return TRUE;
}

void
hl_experiment_result_free (HlExperimentResult *self)
{
  g_free (self->intact);
  g_free (self->sentence);
  g_free (self->note);
  g_free (self->logit);
  g_free (self->explanation);
  g_free (self->items);
  g_free (self->effects);
  g_free (self);
}

typedef struct
{
  HlExperiment *experiment;
  gboolean each;
  HlProgress *progress;
  HlExperimentResult *result;
} Job;

static void
job_free (gpointer data)
{
  Job *self = data;

  hl_experiment_free (self->experiment);
  g_clear_object (&self->progress);
  g_clear_pointer (&self->result, hl_experiment_result_free);
  g_free (self);
}

/* Which prediction it is about. What is not there, or was not understood, is noted. */
static HlUnembedding *
find_aim (const HlExperiment *self,
          HlAblationAim      *aim,
          GError            **error)
{
  g_autoptr (HlUnembedding) unembedding = hl_unembedding_load (hl_model_call_get_model (self->call), error);
  guint32 token;

  if (unembedding == NULL)
    return NULL;
  HlAttention *attention = hl_prediction_aim_find_attention (unembedding, self->example);
  if (attention == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("without a text for the decoder, the model predicts nothing"));
      return NULL;
    }
  aim->position = (gsize) MAX (self->position, 0);
  aim->token = HL_ABLATION_TOP;
  if (self->position < 0 &&
      !hl_prediction_aim_find_position (unembedding, self->call, attention, NULL, &aim->position, error))
    return NULL;
  if (*self->token != '\0')
    {
      if (!hl_prediction_aim_find_token (unembedding, self->token, &token, error))
        return NULL;
      aim->token = token;
    }
  return g_steal_pointer (&unembedding);
}

static int
compare_items (gconstpointer a,
               gconstpointer b)
{
  const double first = fabs (((const HlAttributionItem *) a)->value);
  const double second = fabs (((const HlAttributionItem *) b)->value);

  return (second > first) - (second < first);
}

static gboolean
take_apart (Job                 *self,
            HlUnembedding       *unembedding,
            const HlAblationAim *aim,
            GCancellable        *cancellable,
            GError             **error)
{
  HlExperimentResult *result = self->result;
  g_autoptr (HlAttribution) attribution =
    hl_attribution_compute (self->experiment->call, unembedding, aim->position, aim->token, -1, cancellable, error);

  if (attribution == NULL)
    return FALSE;
  qsort (attribution->items, attribution->n_items, sizeof *attribution->items, compare_items);
  result->n_items = MIN (attribution->n_items, MAX_ITEMS);
  result->items = g_memdup2 (attribution->items, result->n_items * sizeof *result->items);
  result->n_others = attribution->n_items - result->n_items;
  for (gsize i = 0; i < attribution->n_items; i++)
    {
      result->others += i < result->n_items ? 0 : attribution->items[i].value;
      result->sum += attribution->items[i].value;
    }
  result->logit = hl_attribution_describe (attribution, hl_model_call_get_model (self->experiment->call));
  result->explanation = hl_attribution_explain (attribution);
  return TRUE;
}

static void
keep_effect (const HlHeadEdit       *edit,
             const HlAblationEffect *effect,
             gpointer                data)
{
  HlExperimentResult *result = data;

  result->effects[result->n_effects++] = *effect;
}

static gboolean
run_experiment (Job          *self,
                GCancellable *cancellable,
                GError      **error)
{
  const HlExperiment *experiment = self->experiment;
  HlExperimentResult *result = self->result;
  g_autoptr (GError) reason = NULL;
  HlAblationAim aim;
  HlAblationEffect effect;
  g_autoptr (HlUnembedding) unembedding = find_aim (experiment, &aim, &reason);

  if (unembedding == NULL)
    result->note = hl_sentence_of_error (reason);
  g_autoptr (HlAblation)
    ablation = hl_ablation_new (experiment->call, unembedding, unembedding != NULL ? &aim : NULL, cancellable, error);
  if (ablation == NULL)
    return FALSE;
  result->has_aim = hl_ablation_has_aim (ablation);
  if (result->has_aim)
    {
      result->probability = hl_ablation_get_probability (ablation);
      result->intact = hl_ablation_describe_intact (ablation);
    }
  if (self->each)
    {
      result->effects = g_new (HlAblationEffect, experiment->n_edits);
      return hl_ablation_run (ablation, experiment->edits, experiment->n_edits, keep_effect, result, self->progress,
                              cancellable, error);
    }
  if (experiment->n_edits > 0)
    {
      if (!hl_ablation_run_together (ablation, experiment->edits, experiment->n_edits, &effect, cancellable, error))
        return FALSE;
      result->sentence = hl_ablation_describe (ablation, experiment->edits, experiment->n_edits, &effect);
    }
  return unembedding == NULL || take_apart (self, unembedding, &aim, cancellable, error);
}

static void
run (GTask        *task,
     gpointer      source,
     gpointer      data,
     GCancellable *cancellable)
{
  Job *self = data;
  GError *error = NULL;

  self->result = g_new0 (HlExperimentResult, 1);
  if (run_experiment (self, cancellable, &error))
    g_task_return_pointer (task, g_steal_pointer (&self->result), (GDestroyNotify) hl_experiment_result_free);
  else
    g_task_return_error (task, error);
}

/* Makes the edits all at once and takes the logit apart, or makes @each by itself. */
void
hl_experiment_run_async (const HlExperiment *self,
                         gboolean            each,
                         HlProgress         *progress,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->experiment =
    hl_experiment_new (self->call, self->example, self->position, self->token, self->edits, self->n_edits);
  job->each = each;
  job->progress = progress != NULL ? g_object_ref (progress) : NULL;
  g_task_set_source_tag (task, hl_experiment_run_async);
  g_task_set_name (task, "experiment");
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, run);
}

HlExperimentResult *
hl_experiment_run_finish (GAsyncResult *result,
                          GError      **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
