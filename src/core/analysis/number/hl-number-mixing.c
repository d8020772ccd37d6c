/* SPDX-License-Identifier: MIT */
/* How much of what a layer makes of a token comes from others: Kobayashi et al. 2021. All heads of a layer have the same. */
#include "core/analysis/number/hl-head-number.h"

#include "core/analysis/number/hl-head-used.h"
#include "core/base/hl-error.h"
#include "core/source/quantity/hl-mixing.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static gboolean
check (const HlHeadNumberRequest *request,
       GError                   **error)
{
  if (hl_mixing_can (request->attention))
    return TRUE;
  g_set_error_literal (error, HL_ERROR, HL_ERROR_MISSING,
                       hl_mixing_is_sum (request->attention)
                         ? _ ("needs values, the output projection and what it is added to, of all layers and heads")
                         : _ ("is not known where what attention gives is normalised before it is added"));
  return FALSE;
}

static gboolean
compute (const HlHeadNumberRequest *request,
         double                    *values,
         HlProgress                *progress,
         GCancellable              *cancellable,
         GError                   **error)
{
  const guint n_layers = hl_attention_get_n_layers (request->attention);
  gsize first = request->first_query, n_queries = request->n_queries;
  g_autofree double *ratios = g_new (double, MAX (hl_attention_get_n (request->attention, HL_QUERIES), 1));

  hl_head_used_cut_queries (request->attention, request->source, &first, &n_queries);
  for (guint layer = 0; layer < n_layers; layer++)
    {
      gsize n = 0;
      double sum = 0;

      if (!hl_mixing_measure (request->attention, request->source, layer, ratios, cancellable, error))
        return FALSE;
      for (gsize query = first; query < first + n_queries; query++)
        if (!isnan (ratios[query]))
          {
            sum += ratios[query];
            n++;
          }
      for (guint head = 0; head < hl_attention_get_n_heads (request->attention, layer); head++)
        *values++ = n > 0 ? sum / (double) n : NAN;
      if (progress != NULL)
        hl_progress_set (progress, (double) (layer + 1) / n_layers, NULL);
    }
  return TRUE;
}

const HlHeadNumber hl_head_number_mixing = {
  .nick = "mixing",
  .label = N_ ("mixing of the layer"),
  .caption = N_ ("mixing ratio of the layer"),
  .choice = N_ ("Mixing Ratio of the Layer"),
  .title = NC_ ("table of heads", "Mixing"),
  .sentence = N_ ("How much of what a layer makes of a token comes from other tokens, all heads together"),
  .column_width = 84,
  .is_share = TRUE,
  .group = HL_HEAD_NUMBER_GROUP_NORMS,
  .of_weights = TRUE,
  .is_of_layer = TRUE,
  .check = check,
  .compute = compute,
};
