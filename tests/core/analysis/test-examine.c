/* SPDX-License-Identifier: MIT */
/* What is said about numbers that do not look like attention. */
#include "core/analysis/hl-examine.h"
#include "core/source/make/hl-source-factory.h"

#include "test-attentions.h"

#include <math.h>

static GPtrArray *
examine (guint        n_layers,
         guint        n_heads,
         gsize        n,
         const float *weights,
         gsize        n_used)
{
  g_autoptr (HlAttention) attention =
    test_make_attention_full (n_layers, n_heads, n, n, weights, NULL, NULL, n_used, 0, (HlMask){ FALSE, 0 });
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (GError) error = NULL;
  GPtrArray *checks = hl_examine_attention (attention, source, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (checks);
  return checks;
}

static gboolean
says (GPtrArray  *checks,
      HlSeverity  severity,
      const char *words)
{
  for (guint i = 0; i < checks->len; i++)
    if (hl_check_get_severity (checks->pdata[i]) == severity &&
        strstr (hl_check_get_message (checks->pdata[i]), words) != NULL)
      return TRUE;
  return FALSE;
}

static void
test_sound (void)
{
  g_autofree float *weights = test_make_weights (5, 30, 20, 20);
  g_autoptr (GPtrArray) checks = examine (5, 6, 20, weights, 20);

  g_assert_cmpuint (checks->len, ==, 1);
  g_assert_true (says (checks, HL_SEVERITY_INFO, "sum to 1"));
  g_assert_true (says (checks, HL_SEVERITY_INFO, "320 rows of 16 of 30 heads"));
}

static void
test_odd (void)
{
  g_autofree float *weights = test_make_weights (6, 4, 10, 10);
  g_autoptr (GPtrArray) checks = NULL;

  weights[300 + 10 * 4 + 2] += 0.5f; /* head 3, query 4 */
  checks = examine (1, 4, 10, weights, 10);
  g_assert_cmpuint (checks->len, ==, 1);
  g_assert_true (says (checks, HL_SEVERITY_WARNING, "query 4 of layer 0, head 3 sums to 1.5"));
  g_assert_true (says (checks, HL_SEVERITY_WARNING, "1 such"));
}

static void
test_scores (void)
{
  const float scores[] = { -1, 3, 2, -4 };
  g_autoptr (GPtrArray) checks = examine (1, 1, 2, scores, 2);

  g_assert_true (says (checks, HL_SEVERITY_WARNING, "before the softmax"));
}

static void
test_not_numbers (void)
{
  const float weights[] = { 1, 0, NAN, INFINITY };
  g_autoptr (GPtrArray) checks = examine (1, 1, 2, weights, 2);

  g_assert_true (says (checks, HL_SEVERITY_WARNING, "2 weights are not numbers"));
}

static void
test_zero_rows (void)
{
  const float weights[] = { 1, 0, 0, 0 };
  g_autoptr (GPtrArray) checks = examine (1, 1, 2, weights, 2);
  g_autoptr (GPtrArray) cropped = examine (1, 1, 2, weights, 1);

  g_assert_true (says (checks, HL_SEVERITY_WARNING, "1 row is all zero"));
  g_assert_false (says (cropped, HL_SEVERITY_WARNING, "all zero")); /* that row is padding */
}

static void
test_padding (void)
{
  const float weights[] = { 0.75f, 0.25f, 0.5f, 0.5f };
  g_autoptr (GPtrArray) checks = examine (1, 1, 2, weights, 1);

  g_assert_true (says (checks, HL_SEVERITY_WARNING, "25.0 % of a query's weight lies on padding"));
}

/* What is drawn as masked ought to be nothing. */
static void
test_hidden (void)
{
  const float weights[] = { 1, 0, 0.5f, 0.5f, 0.75f, 0.25f, 0.5f, 0.5f };
  g_autoptr (HlAttention)
    attention = test_make_attention_full (1, 2, 2, 2, weights, NULL, NULL, 2, 0, (HlMask){ .causal = TRUE });
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (GPtrArray) checks = hl_examine_attention (attention, source, NULL, NULL);

  g_assert_true (says (checks, HL_SEVERITY_WARNING, "25 % of a query's weight lies on keys that are shown as masked"));
}

/* A query of padding sees nothing, and a softmax then gives the same to all keys: what it attends to is not looked at. */
static void
test_left (void)
{
  const float weights[] = { 0.25f, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f, 0, 0, 1, 0, 0, 0, 0.5f, 0.5f };
  g_autoptr (HlAttention) attention =
    test_make_attention_full (1, 1, 4, 4, weights, NULL, NULL, 4, 0, (HlMask){ .causal = TRUE, .first_key = 2 });
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (GPtrArray) checks = hl_examine_attention (attention, source, NULL, NULL);

  g_assert_cmpuint (checks->len, ==, 1);
  g_assert_true (says (checks, HL_SEVERITY_INFO, "looked at: 2 rows of 1 of 1 head"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/examine/sound", test_sound);
  g_test_add_func ("/examine/odd", test_odd);
  g_test_add_func ("/examine/scores", test_scores);
  g_test_add_func ("/examine/not-numbers", test_not_numbers);
  g_test_add_func ("/examine/zero-rows", test_zero_rows);
  g_test_add_func ("/examine/padding", test_padding);
  g_test_add_func ("/examine/hidden", test_hidden);
  g_test_add_func ("/examine/left", test_left);
  return g_test_run ();
}
