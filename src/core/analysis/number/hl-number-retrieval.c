/* SPDX-License-Identifier: MIT */
/* The weight from a span of queries, such as a question, to one of keys, such as its answer: QRscore (Zhang et al. 2025). */
#include "core/analysis/number/hl-head-number.h"

#include "core/base/hl-error.h"
#include "core/base/hl-worker.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static gboolean
fits (const HlHeadNumberRequest *request,
      HlSide                     side)
{
  const gsize n = hl_attention_get_n (request->attention, side);

  return request->spans[side].n > 0 && request->spans[side].n <= n &&
         request->spans[side].first <= n - request->spans[side].n;
}

static gboolean
check (const HlHeadNumberRequest *request,
       GError                   **error)
{
  if (fits (request, HL_QUERIES) && fits (request, HL_KEYS))
    return TRUE;
  g_set_error_literal (error, HL_ERROR, HL_ERROR_MISSING, _ ("needs a span of queries and one of keys"));
  return FALSE;
}

/* The mean over the queries of the sum over the keys; NaN as soon as a weight is. */
static gboolean
measure (const HlHeadNumberRequest *request,
         guint                      layer,
         guint                      head,
         double                    *mean,
         GCancellable              *cancellable,
         GError                   **error)
{
  const gsize n = request->spans[HL_KEYS].n;
  g_autofree float *row = g_try_new (float, n);
  double sum = 0;

  if (row == NULL)
    return hl_error_set_no_memory (error);
  for (gsize i = 0; i < request->spans[HL_QUERIES].n; i++)
    {
      const HlAttentionRequest rows = { .layer = layer,
                                        .head = head,
                                        .first_query = request->spans[HL_QUERIES].first + i,
                                        .n_queries = 1,
                                        .first_key = request->spans[HL_KEYS].first,
                                        .n_keys = n,
                                        .n_rows = 1,
                                        .n_columns = n };

      if (!hl_attention_source_read (request->source, &rows, row, cancellable, error))
        return FALSE;
      for (gsize key = 0; key < n; key++)
        sum += row[key];
    }
  *mean = sum / (double) request->spans[HL_QUERIES].n;
  return TRUE;
}

static gboolean
compute (const HlHeadNumberRequest *request,
         double                    *values,
         HlProgress                *progress,
         GCancellable              *cancellable,
         GError                   **error)
{
  const guint n_layers = hl_attention_source_get_n_layers (request->source);
  HlSharedError first_error = { NULL };

  for (guint layer = 0; layer < n_layers; layer++)
    {
      const guint n_heads = hl_attention_source_get_n_heads (request->source, layer);

#pragma omp parallel for schedule(dynamic, 1)
      for (guint head = 0; head < n_heads; head++)
        {
          GError *own_error = NULL;

          if (!hl_shared_error_is_set (&first_error) &&
              !measure (request, layer, head, &values[head], cancellable, &own_error))
            hl_shared_error_take (&first_error, own_error);
        }
      values += n_heads;
      if (progress != NULL)
        hl_progress_set (progress, (double) (layer + 1) / n_layers, NULL);
    }
  return hl_shared_error_propagate (&first_error, error);
}

const HlHeadNumber hl_head_number_retrieval = {
  .nick = "retrieval",
  .label = N_ ("from span to span"),
  .caption = N_ ("weight from the span of queries to that of keys"),
  .choice = N_ ("From Span to Span"),
  .title = NC_ ("table of heads", "Retrieval"),
  .sentence = N_ ("The weight on a span of keys, the mean over a span of queries: QRscore"),
  .column_width = 96,
  .is_share = TRUE,
  .group = HL_HEAD_NUMBER_GROUP_GIVEN,
  .check = check,
  .compute = compute,
};
