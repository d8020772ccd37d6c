/* SPDX-License-Identifier: MIT */
/* What becomes of the final states without a head: see #HlAblationEffect. */
#include "core/analysis/number/hl-head-number.h"

#include <glib/gi18n-lib.h>

#include "core/base/hl-error.h"
#include "core/experiment/hl-ablation.h"

static void
take_change (const HlHeadEdit       *edit,
             const HlAblationEffect *effect,
             gpointer                data)
{
  double **next = data;

  *(*next)++ = effect->state_change;
}

static gboolean
compute (const HlHeadNumberRequest *request,
         HlHeadEditKind             kind,
         double                    *values,
         HlProgress                *progress,
         GCancellable              *cancellable,
         GError                   **error)
{
  g_autoptr (HlAblation) ablation = hl_ablation_new (request->call, NULL, NULL, cancellable, error);
  gsize n_edits;

  if (ablation == NULL)
    return FALSE;
  g_autofree HlHeadEdit *edits =
    hl_ablation_list_heads (request->call, hl_attention_get_kind (request->attention), kind, &n_edits);
  return hl_ablation_run (ablation, edits, n_edits, take_change, &values, progress, cancellable, error);
}

static gboolean
check (const HlHeadNumberRequest *request,
       GError                   **error)
{
  if (hl_model_check_whole (hl_model_call_get_model (request->call), NULL))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("needs all layers of the model, and the last ones are left out"));
  return FALSE;
}

#define ABLATION(id, spelled, edit, on, figure, chosen, column, tells)                                                 \
  static gboolean compute_##id (const HlHeadNumberRequest *request, double *values, HlProgress *progress,              \
                                GCancellable *cancellable, GError **error)                                             \
  {                                                                                                                    \
    return compute (request, edit, values, progress, cancellable, error);                                              \
  }                                                                                                                    \
                                                                                                                       \
  const HlHeadNumber hl_head_number_##id = {                                                                           \
    .nick = spelled,                                                                                                   \
    .label = on,                                                                                                       \
    .caption = figure,                                                                                                 \
    .choice = chosen,                                                                                                  \
    .title = column,                                                                                                   \
    .sentence = tells,                                                                                                 \
    .column_width = 108,                                                                                               \
    .group = HL_HEAD_NUMBER_GROUP_MODEL,                                                                               \
    .of_weights = TRUE,                                                                                                \
    .needs = HL_HEAD_NUMBER_NEEDS_MODEL,                                                                               \
    .check = check,                                                                                                    \
    .compute = compute_##id,                                                                                           \
  };

ABLATION (ablation_zero,
          "ablation-zero",
          HL_HEAD_ZERO,
          N_ ("change of the final states without the head"),
          N_ ("change of the final states without the head"),
          N_ ("Ablation: Head Off"),
          NC_ ("table of heads", "Head Off"),
          N_ ("1 − the cosine of the mean final state with the head’s output set to zero and as it is"))
ABLATION (ablation_uniform,
          "ablation-uniform",
          HL_HEAD_UNIFORM,
          N_ ("change of the final states with uniform attention"),
          N_ ("change of the final states with uniform attention"),
          N_ ("Ablation: Uniform Attention"),
          NC_ ("table of heads", "Uniform"),
          N_ ("1 − the cosine of the mean final state with the head attending to all keys alike and as it is"))
