/* SPDX-License-Identifier: MIT */
/*
 * The mean of a diagonal of the map of random tokens written twice with period p: that of −1 is high in a head that looks
 * at the previous token, −p in one that looks at the same token before, −(p − 1) in one that looks at what came behind it
 * then, an induction head (Olsson et al. 2022). The text is the program's, whatever text is open.
 */
#include "core/analysis/number/hl-head-number.h"

#include "core/analysis/number/hl-repeated-offsets.h"
#include "core/analysis/number/hl-repeated-text.h"
#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>

static gboolean
compute (const HlHeadNumberRequest *request,
         HlRepeatedOffset           offset,
         double                    *values,
         HlProgress                *progress,
         GCancellable              *cancellable,
         GError                   **error)
{
  HlModel *model = hl_model_call_get_model (request->call);

  return hl_repeated_offsets_measure (model, hl_attention_get_kind (request->attention), request->seed,
                                      hl_repeated_text_get_period (model, request->period), offset, values, progress,
                                      cancellable, error);
}

/* There are no random tokens for a model that takes pixels. */
static gboolean
check (const HlHeadNumberRequest *request,
       GError                   **error)
{
  if (!hl_model_takes_pixels (hl_model_call_get_model (request->call)))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("needs a model that takes texts"));
  return FALSE;
}

#define OFFSET(id, which, spelled, on, figure, chosen, column, tells, width)                                           \
  static gboolean compute_##id (const HlHeadNumberRequest *request, double *values, HlProgress *progress,              \
                                GCancellable *cancellable, GError **error)                                             \
  {                                                                                                                    \
    return compute (request, which, values, progress, cancellable, error);                                             \
  }                                                                                                                    \
                                                                                                                       \
  const HlHeadNumber hl_head_number_##id = {                                                                           \
    .nick = spelled,                                                                                                   \
    .label = on,                                                                                                       \
    .caption = figure,                                                                                                 \
    .choice = chosen,                                                                                                  \
    .title = column,                                                                                                   \
    .sentence = tells,                                                                                                 \
    .column_width = width,                                                                                             \
    .is_share = TRUE,                                                                                                  \
    .group = HL_HEAD_NUMBER_GROUP_MODEL,                                                                               \
    .of_weights = TRUE,                                                                                                \
    .needs = HL_HEAD_NUMBER_NEEDS_MODEL | HL_HEAD_NUMBER_NEEDS_POSITIONS,                                              \
    .check = check,                                                                                                    \
    .compute = compute_##id,                                                                                           \
  };

OFFSET (previous_token,
        HL_REPEATED_OFFSET_PREVIOUS,
        "previous-token",
        N_ ("previous token of random ones"),
        N_ ("weight on the previous of random tokens"),
        N_ ("Random Text: Previous Token"),
        NC_ ("table of heads", "Random: Previous"),
        N_ ("Of random tokens written twice, the mean weight on the token before"),
        148)
OFFSET (duplicate_token,
        HL_REPEATED_OFFSET_DUPLICATE,
        "duplicate-token",
        N_ ("same token the first time"),
        N_ ("weight on the same of random tokens the first time"),
        N_ ("Random Text: Same Token"),
        NC_ ("table of heads", "Random: Same"),
        N_ ("Of random tokens written twice, the mean weight on the same token the first time"),
        128)
OFFSET (induction,
        HL_REPEATED_OFFSET_INDUCTION,
        "induction",
        N_ ("induction"),
        N_ ("induction: weight on what came next the first time"),
        N_ ("Random Text: Induction"),
        NC_ ("table of heads", "Induction"),
        N_ ("Of random tokens written twice, the mean weight on what came behind the same token the first time"),
        96)
