/* SPDX-License-Identifier: MIT */
/*
 * The mean of a diagonal of the map of random tokens written twice with period p: that of −1 is high in a head that looks
 * at the previous token, −p in one that looks at the same token before, −(p − 1) in one that looks at what came behind it
 * then, an induction head (Olsson et al. 2022). The text is the program's, whatever text is open.
 */
#include "core/analysis/number/hl-head-number.h"

#include "core/analysis/number/hl-repeated-text.h"
#include "core/base/hl-error.h"
#include "core/base/hl-worker.h"
#include "core/model/hl-model-run.h"
#include "core/source/make/hl-source-factory.h"

#include <glib/gi18n-lib.h>
#include <math.h>

typedef gsize (*GetOffset) (gsize period);

static gsize
get_previous (gsize period)
{
  return 1;
}

static gsize
get_duplicate (gsize period)
{
  return period;
}

static gsize
get_induction (gsize period)
{
  return period - 1;
}

/* The mean of the weights of queries on the key so far before them, of those that have one. */
static gboolean
measure (HlAttentionSource *source,
         guint              layer,
         guint              head,
         gsize              offset,
         double            *mean,
         GCancellable      *cancellable,
         GError           **error)
{
  const gsize n = hl_attention_source_get_n (source, HL_QUERIES);
  g_autofree float *map = hl_attention_source_read_head (source, layer, head, cancellable, error);
  double sum = 0;

  if (map == NULL)
    return FALSE;
  for (gsize i = offset; i < n; i++)
    sum += map[i * n + i - offset];
  *mean = sum / (double) (n - offset);
  return TRUE;
}

static gboolean
measure_all (HlAttentionSource *source,
             gsize              offset,
             double            *values,
             GCancellable      *cancellable,
             GError           **error)
{
  HlSharedError first_error = { NULL };

  for (guint layer = 0; layer < hl_attention_source_get_n_layers (source); layer++)
    {
      const guint n_heads = hl_attention_source_get_n_heads (source, layer);

#pragma omp parallel for schedule(dynamic, 1)
      for (guint head = 0; head < n_heads; head++)
        {
          GError *own_error = NULL;

          if (!hl_shared_error_is_set (&first_error) &&
              !measure (source, layer, head, offset, &values[head], cancellable, &own_error))
            hl_shared_error_take (&first_error, own_error);
        }
      values += n_heads;
    }
  return hl_shared_error_propagate (&first_error, error);
}

static gboolean
compute (const HlHeadNumberRequest *request,
         GetOffset                  get_offset,
         double                    *values,
         HlProgress                *progress,
         GCancellable              *cancellable,
         GError                   **error)
{
  const HlAttentionKind kind = hl_attention_get_kind (request->attention);
  HlModel *model = hl_model_call_get_model (request->call);
  const gsize period = hl_repeated_text_get_period (model, request->period);
  g_autofree guint32 *ids = hl_repeated_text_make (model, kind, request->seed, period, error);

  if (ids == NULL)
    return FALSE;
  /* What the encoder of such a decoder reads is of no matter to its own attention. */
  const HlModelText text = { .ids = ids,
                             .n_ids = 2 * period,
                             .decoder_ids = kind == HL_ATTENTION_DECODER ? ids : NULL,
                             .n_decoder_ids = kind == HL_ATTENTION_DECODER ? 2 * period : 0 };
  g_autoptr (HlModelRun) run = hl_model_run_new (model, &text, error);
  if (run == NULL || !hl_model_run_execute (run, progress, cancellable, error))
    return FALSE;
  g_autoptr (HlExample) example = hl_document_get_example (hl_model_run_get_document (run), 0, cancellable, error);
  if (example == NULL)
    return FALSE;
  HlAttention *attention = hl_example_find_attention (example, kind);
  g_autoptr (HlAttentionSource) source = hl_attention_source_new_for_attention (attention);
  return measure_all (source, get_offset (period), values, cancellable, error);
}

#define OFFSET(id, get_offset, spelled, on, figure, chosen, column, tells, width)                                      \
  static gboolean compute_##id (const HlHeadNumberRequest *request, double *values, HlProgress *progress,              \
                                GCancellable *cancellable, GError **error)                                             \
  {                                                                                                                    \
    return compute (request, get_offset, values, progress, cancellable, error);                                        \
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
    .needs = HL_HEAD_NUMBER_NEEDS_MODEL | HL_HEAD_NUMBER_NEEDS_POSITIONS,                                              \
    .compute = compute_##id,                                                                                           \
  };

OFFSET (previous_token,
        get_previous,
        "previous-token",
        N_ ("previous token of random ones"),
        N_ ("weight on the previous of random tokens"),
        N_ ("Random Text: Previous Token"),
        NC_ ("table of heads", "Random: Previous"),
        N_ ("Of random tokens written twice, the mean weight on the token before"),
        148)
OFFSET (duplicate_token,
        get_duplicate,
        "duplicate-token",
        N_ ("same token the first time"),
        N_ ("weight on the same of random tokens the first time"),
        N_ ("Random Text: Same Token"),
        NC_ ("table of heads", "Random: Same"),
        N_ ("Of random tokens written twice, the mean weight on the same token the first time"),
        128)
OFFSET (induction,
        get_induction,
        "induction",
        N_ ("induction"),
        N_ ("induction: weight on what came next the first time"),
        N_ ("Random Text: Induction"),
        NC_ ("table of heads", "Induction"),
        N_ ("Of random tokens written twice, the mean weight on what came behind the same token the first time"),
        96)
