/* SPDX-License-Identifier: MIT */
/* Whether the numbers of an attention look like attention: said to people, never fatal. */
#include "core/analysis/hl-examine.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/analysis/number/hl-head-used.h"

/* At most so many heads are looked at, spread over all, and so many rows of each: a file of a gigabyte is not read for this. */
#define MAX_HEADS 16
#define MAX_ROWS 64

/* Where the weights of a row lie far from one another in a file, each is read by itself: of long rows, fewer are looked at. */
#define MAX_READS ((gsize) 1 << 19)

/* How far the sum of a row may be from 1: n weights rounded to the file's type, and some slack for sums made elsewhere. */
static double
get_tolerance (HlDType dtype)
{
  switch (dtype)
    {
    case HL_DTYPE_BF16:
      return 1e-2;
    case HL_DTYPE_F16:
      return 4e-3;
    default:
      return 1e-3;
    }
}

typedef struct
{
  guint n_heads;
  gsize n_rows;
  gsize n_not_finite;
  gsize n_negative;
  gsize n_above_one;
  gsize n_zero_rows;
  gsize n_odd_rows;
  gsize n_great_rows; /* that sum to more than 1 */
  double odd_sum;
  gsize n_sunk_rows; /* that sum to less than 1 for a sink */
  double sunk;       /* what goes to sinks, of all of these together */
  guint odd_layer;
  guint odd_head;
  gsize odd_query;
  double padded_mass; /* greatest part of a row that lies on padding */
  double hidden_mass; /* and on keys that its query cannot see */
} Findings;

static void
look_at_row (Findings    *findings,
             const float *row,
             gsize        n_keys,
             gsize        n_used_keys,
             double       tolerance,
             gsize        first_seen,
             gsize        end_seen,
             gboolean     has_sink,
             guint        layer,
             guint        head,
             gsize        query)
{
  double sum = 0;
  double padded = 0;
  double hidden = 0;
  gboolean finite = TRUE;

  findings->n_rows++;
  for (gsize key = 0; key < n_keys; key++)
    {
      const float weight = row[key];
      /* Also of −∞: so scores are masked. */
      findings->n_negative += weight < 0;
      if (!isfinite (weight))
        {
          findings->n_not_finite++;
          finite = FALSE;
          continue;
        }
      findings->n_above_one += weight > 1 + tolerance;
      sum += weight;
      if (key >= n_used_keys)
        padded += weight;
      if (key < first_seen || key >= end_seen)
        hidden += fabsf (weight);
    }
  if (!finite)
    return;
  if (has_sink && sum <= 1 + tolerance)
    {
      findings->n_sunk_rows++;
      findings->sunk += 1 - sum;
    }
  else if (sum == 0)
    findings->n_zero_rows++;
  else if (fabs (sum - 1) > tolerance)
    {
      if (fabs (sum - 1) > fabs (findings->odd_sum - 1) || findings->n_odd_rows == 0)
        {
          findings->odd_sum = sum;
          findings->odd_layer = layer;
          findings->odd_head = head;
          findings->odd_query = query;
        }
      findings->n_odd_rows++;
      findings->n_great_rows += sum > 1;
    }
  findings->padded_mass = MAX (findings->padded_mass, padded);
  findings->hidden_mass = MAX (findings->hidden_mass, hidden);
}

static void
report_layers (GPtrArray   *checks,
               HlAttention *attention)
{
  const guint n_layers = hl_attention_get_n_layers (attention);
  guint n_without = 0, n_left_out = 0;

  for (guint layer = 0; layer < n_layers; layer++)
    {
      const gboolean is_left_out = hl_attention_get_rule (attention, layer)->left_out;
      n_left_out += is_left_out;
      n_without += !is_left_out && hl_attention_get_n_heads (attention, layer) == 0;
    }
  if (n_left_out > 0)
    g_ptr_array_add (checks, hl_check_new (HL_SEVERITY_INFO,
                                           g_dngettext (GETTEXT_PACKAGE, "%u of %u layers was not captured",
                                                        "%u of %u layers were not captured", n_left_out),
                                           n_left_out, n_layers));
  if (n_without > 0)
    g_ptr_array_add (checks, hl_check_new (HL_SEVERITY_INFO,
                                           g_dngettext (GETTEXT_PACKAGE,
                                                        "%u of %u layers has no attention, as one of linear attention "
                                                        "has none",
                                                        "%u of %u layers have no attention, as those of linear "
                                                        "attention have none",
                                                        n_without),
                                           n_without, n_layers));
}

static GPtrArray *
report (const Findings *findings,
        guint           n_heads,
        const char     *quantity)
{
  GPtrArray *checks = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *where =
    g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%zu row", "%zu rows", findings->n_rows), findings->n_rows);
  g_autofree char *looked =
    g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s of %u of %u head", "%s of %u of %u heads", n_heads), where,
                     findings->n_heads, n_heads);

#define WARN_ABOUT(topic, ...) g_ptr_array_add (checks, hl_check_new_about (topic, HL_SEVERITY_WARNING, __VA_ARGS__))
#define WARN(...) WARN_ABOUT (HL_CHECK_TOPIC_NONE, __VA_ARGS__)

  if (findings->n_not_finite > 0)
    WARN (g_dngettext (GETTEXT_PACKAGE, "%zu weight is not a number or infinite (looked at: %s)",
                       "%zu weights are not numbers or infinite (looked at: %s)", findings->n_not_finite),
          findings->n_not_finite, looked);
  /* All else is odd of weights only. */
  if (quantity != NULL)
    {
      if (checks->len == 0)
        g_ptr_array_add (checks, hl_check_new (HL_SEVERITY_INFO,
                                               _ ("The numbers are “%s” in place of weights: rows need not sum to 1"),
                                               quantity));
      return checks;
    }
  if (findings->n_negative > 0)
    WARN_ABOUT (
      HL_CHECK_TOPIC_SCORES,
      _ ("Some weights are negative: these look like scores before the softmax, not attention (looked at: %s)"),
      looked);
  else if (findings->n_above_one > 0)
    WARN_ABOUT (HL_CHECK_TOPIC_SCORES,
                _ ("Some weights are greater than 1: this is not attention as it comes from a softmax (looked at: %s)"),
                looked);
  if (findings->n_odd_rows > 0)
    /* A part of a row of weights sums to less than 1. */
    WARN_ABOUT (findings->n_great_rows > findings->n_rows / 2 ? HL_CHECK_TOPIC_SCORES : HL_CHECK_TOPIC_NONE,
                _ ("Rows do not sum to 1: query %zu of layer %u, head %u sums to %.4g; "
                   "%zu such rows (looked at: %s)"),
                findings->odd_query, findings->odd_layer, findings->odd_head, findings->odd_sum, findings->n_odd_rows,
                looked);
  if (findings->n_zero_rows > 0)
    WARN (g_dngettext (GETTEXT_PACKAGE, "%zu row is all zero: its query attends to nothing (looked at: %s)",
                       "%zu rows are all zero: their queries attend to nothing (looked at: %s)", findings->n_zero_rows),
          findings->n_zero_rows, looked);
  if (findings->padded_mass > 0.001)
    WARN (_ ("Up to %.1f %% of a query's weight lies on padding"), findings->padded_mass * 100);
  if (findings->hidden_mass > 0)
    WARN (_ ("Up to %.3g %% of a query's weight lies on keys that are shown as masked (looked at: %s)"),
          findings->hidden_mass * 100, looked);
#undef WARN
#undef WARN_ABOUT
  if (findings->n_sunk_rows > 0)
    g_ptr_array_add (
      checks,
      hl_check_new (HL_SEVERITY_INFO,
                    _ ("Rows sum to less than 1: a learned sink of each head takes %.1f %% of a row's weight on "
                       "average, which goes to no key (looked at: %s)"),
                    findings->sunk / (double) findings->n_sunk_rows * 100, looked));
  if (checks->len == 0)
    g_ptr_array_add (checks, hl_check_new (HL_SEVERITY_INFO, _ ("Rows sum to 1 (looked at: %s)"), looked));
  return checks;
}

static gboolean
lies_apart (HlAttention *attention)
{
  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    {
      const HlLayerTensor *weights = hl_attention_get_weights (attention, layer);
      if (weights != NULL && weights->tensor != NULL && hl_tensor_lies_apart (weights->tensor))
        return TRUE;
    }
  return FALSE;
}

/* The queries that are no padding: the first, and how many. */
static gsize
find_queries (HlAttention       *attention,
              HlAttentionSource *source,
              gsize             *first)
{
  const gsize n_used = MAX (hl_attention_get_n_used (attention, HL_QUERIES), 1);
  gsize n = n_used;

  *first = 0;
  hl_head_used_cut_queries (attention, source, first, &n);
  if (n > 0)
    return n;
  *first = 0;
  return n_used;
}

/**
 * hl_examine_attention:
 * @attention: an attention
 * @source: its weights, not filtered
 * @cancellable: (nullable): stops it
 * @error: what reading says, or %G_IO_ERROR_CANCELLED
 *
 * Looks at a sample of rows, spread over layers, heads and queries that are not padding: at most 64 rows of 16 heads. Says how much it looked at.
 *
 * Returns: (transfer full) (element-type HlCheck) (nullable): what looked odd, or that nothing did
 */
GPtrArray *
hl_examine_attention (HlAttention       *attention,
                      HlAttentionSource *source,
                      GCancellable      *cancellable,
                      GError           **error)
{
  const gsize n_keys = hl_attention_source_get_n (source, HL_KEYS);
  gsize first_query;
  const gsize n_queries = find_queries (attention, source, &first_query);
  const gsize n_affordable = lies_apart (attention) ? MAX_READS / MAX (n_keys, 1) : MAX_HEADS * MAX_ROWS;
  const gsize n_rows = MIN (n_queries, CLAMP (n_affordable / MAX_HEADS, 1, MAX_ROWS));
  const double tolerance = get_tolerance (hl_attention_get_dtype (attention));
  g_autofree float *row = g_new (float, n_keys);
  Findings findings = { 0 };
  guint n_heads = 0;

  g_return_val_if_fail (HL_IS_ATTENTION (attention), NULL);
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (source), NULL);

  for (guint layer = 0; layer < hl_attention_source_get_n_layers (source); layer++)
    n_heads += hl_attention_source_get_n_heads (source, layer);

  const guint n_looked = MIN (n_heads, (guint) CLAMP (n_affordable, 1, MAX_HEADS));
  guint counted = 0;
  for (guint layer = 0; layer < hl_attention_source_get_n_layers (source); layer++)
    for (guint head = 0; head < hl_attention_source_get_n_heads (source, layer); head++, counted++)
      {
        /* The heads at equal steps through all of them, the first and the last included. */
        const guint wanted = n_looked > 1 ? (guint) ((guint64) findings.n_heads * (n_heads - 1) / (n_looked - 1)) : 0;
        if (findings.n_heads >= n_looked || counted != wanted)
          continue;
        findings.n_heads++;
        for (gsize i = 0; i < n_rows; i++)
          {
            const HlAttentionRequest request = {
              .layer = layer,
              .head = head,
              .first_query = first_query + i * n_queries / n_rows,
              .n_queries = 1,
              .n_keys = n_keys,
              .n_rows = 1,
              .n_columns = n_keys,
            };
            gsize first_seen, end_seen;

            hl_mask_get_visible (hl_attention_source_get_mask (source, layer),
                                 hl_attention_source_get_n (source, HL_QUERIES), n_keys, request.first_query,
                                 &first_seen, &end_seen);
            if (!hl_attention_source_read (source, &request, row, cancellable, error))
              return NULL;
            look_at_row (&findings, row, n_keys, hl_attention_get_n_used (attention, HL_KEYS), tolerance, first_seen,
                         end_seen, hl_attention_get_rule (attention, layer)->sinks != NULL, layer, head,
                         request.first_query);
          }
      }
  GPtrArray *checks = report (&findings, n_heads, hl_attention_get_quantity (attention));
  report_layers (checks, attention);
  return checks;
}
