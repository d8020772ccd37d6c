/* SPDX-License-Identifier: MIT */
/* Figures are made in workers, many at a time, of what was seen when they were taken: the difference of two long texts,
 * which the window aligns in a worker of its own. */
#include "draw/test-scenes.h"

#include "app/canvas/hl-figure.h"
#include "core/test-attentions.h"
#include "view/hl-still.h"

#define N_FIGURES 12

/* Two of them are too long for an aligner to align at once. */
#define N_TOKENS 2100

/* Every text says something of its own now and then. */
static HlViewState *
make_state (guint seed)
{
  g_autofree float *weights = test_make_weights (seed, 1, N_TOKENS, N_TOKENS);
  g_autoptr (GPtrArray) tokens = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < N_TOKENS; i++)
    g_ptr_array_add (tokens, i % 100 == seed ? g_strdup_printf ("x%u", seed) : g_strdup_printf ("%u", i % 50));
  g_ptr_array_add (tokens, NULL);
  return test_make_state (1, 1, N_TOKENS, N_TOKENS, weights, (const char *const *) tokens->pdata, 0, (HlMask){ 0 });
}

typedef struct
{
  GBytes *expected;
  guint n_pending;
} Making;

static void
on_made (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  Making *making = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = hl_figure_make_finish (HL_FIGURE (source), result, NULL, &error);

  g_assert_no_error (error);
  if (making->expected == NULL)
    making->expected = g_bytes_ref (bytes);
  g_assert_true (g_bytes_equal (bytes, making->expected));
  making->n_pending--;
}

static void
start (HlViewState *state,
       Making      *making)
{
  const HlExportOptions options = { .format = HL_EXPORT_PNG, .scale = 1 };
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 320, 240, 1);
  g_autoptr (HlFigure) figure = hl_figure_new (scene, 320, 240, FALSE, FALSE);

  making->n_pending++;
  hl_figure_make_async (figure, &options, NULL, NULL, on_made, making);
}

static void
wait (Making *making)
{
  while (making->n_pending > 0)
    g_main_context_iteration (NULL, TRUE);
}

/* Looked at by somebody who waits as long as it takes. */
static GBytes *
make_difference (HlViewState  *a,
                 HlAttention  *b,
                 const HlPick *pinned)
{
  g_autoptr (HlViewState) state = hl_view_state_new (hl_view_state_get_example (a));
  Making making = { NULL };

  hl_view_state_set_pinned (state, pinned);
  hl_view_state_set_difference (state, b, NULL);
  start (state, &making);
  wait (&making);
  return making.expected;
}

/* Figures are taken and made while the texts are being aligned, which the screen does not wait for, and after that,
 * when the window goes on asking its aligner. */
static void
test_difference (void)
{
  g_autoptr (HlViewState) a = make_state (1);
  g_autoptr (HlViewState) other = make_state (2);
  HlAttention *b = hl_view_state_get_attention (other);
  HlAttentionSource *source_b = hl_view_state_get_attention_source (other);
  g_autoptr (HlAligner) aligner = hl_aligner_new ();
  /* Behind a token of the other text. */
  const HlPick pinned = { HL_PICK_KEY, .key = 1234 };
  Making making = { make_difference (a, b, &pinned) };
  Making plain = { NULL };

  hl_view_state_set_pinned (a, &pinned);
  start (a, &plain);
  wait (&plain);
  g_assert_false (g_bytes_equal (plain.expected, making.expected));

  hl_view_state_set_aligner (a, aligner);
  hl_view_state_set_difference (a, b, NULL);
  g_assert_true (hl_aligner_get_busy (aligner));
  g_assert_null (hl_view_state_get_shown (a)->comparison);
  for (guint i = 0; i < N_FIGURES; i++)
    start (a, &making);
  wait (&making);
  while (hl_aligner_get_busy (aligner))
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (hl_view_state_get_shown (a)->comparison);

  for (guint i = 0; i < N_FIGURES; i++)
    start (a, &making);
  while (making.n_pending > 0)
    {
      g_autoptr (HlTokenAlignment)
        alignment = hl_aligner_align_side (aligner, HL_QUERIES, hl_view_state_get_attention (a),
                                           hl_view_state_get_attention_source (a), b, source_b);
      g_assert_nonnull (alignment);
      g_main_context_iteration (NULL, FALSE);
    }
  g_bytes_unref (plain.expected);
  g_bytes_unref (making.expected);
  /* The aligner is the window's alone. */
  g_clear_object (&a);
  g_assert_finalize_object (g_steal_pointer (&aligner));
}

/* What heads are sorted by is part of what is seen: how far they are from those of another. */
static void
test_compared (void)
{
  g_autofree float *weights = test_make_weights (1, 6, 4, 4);
  g_autofree float *other_weights = test_make_weights (2, 6, 4, 4);
  g_autoptr (HlViewState) state = test_make_state (2, 3, 4, 4, weights, NULL, 0, (HlMask){ 0 });
  g_autoptr (HlViewState) other = test_make_state (2, 3, 4, 4, other_weights, NULL, 0, (HlMask){ 0 });
  g_auto (HlStill) still = { 0 };
  const HlHeadPairing same = { -1, -1 };
  g_autoptr (HlComparison) comparison =
    hl_comparison_new (hl_view_state_get_attention (state), hl_view_state_get_attention_source (state),
                       hl_view_state_get_attention (other), hl_view_state_get_attention_source (other), &same, NULL);

  hl_view_state_set_option (state, view, HL_VIEW_MODEL);
  hl_view_state_set_option (state, sort, HL_HEAD_MEASURE_CHANGE);
  hl_view_state_set_option (state, colour_by, HL_HEAD_MEASURE_CHANGE);
  hl_view_state_set_compared (state, comparison);
  g_assert_true (hl_view_state_complete_numbers (state, NULL, NULL));

  hl_still_take (&still, state);
  g_autoptr (HlViewState) copy = hl_still_show (&still);
  g_assert_true (hl_view_state_get_shown (copy) == hl_view_state_get_shown (state));
  g_assert_true (hl_view_state_get_compared (copy) == comparison);
  g_assert_cmpint (hl_view_state_get_applied_sort (copy), ==, HL_HEAD_MEASURE_CHANGE);
  g_assert_true (hl_view_state_knows_changes (copy));
  g_autofree char *expected = hl_view_state_describe (state);
  g_autofree char *description = hl_view_state_describe (copy);
  g_assert_cmpstr (description, ==, expected);
}

static void
on_refused (GObject      *source,
            GAsyncResult *result,
            gpointer      data)
{
  GError **error = data;

  g_assert_null (hl_figure_make_finish (HL_FIGURE (source), result, NULL, error));
  g_assert_nonnull (*error);
}

/* Of what would read far more than the file holds there is no figure, unless that was allowed. */
static void
test_refused (void)
{
  g_autoptr (HlExample) example = test_make_hollow_example (9, 4096);
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  g_autoptr (HlScene) scene = hl_scene_new (HL_VIEW_MODEL, state);
  const HlExportFormat formats[] = { HL_EXPORT_PNG, HL_EXPORT_HTML };

  hl_view_state_set_option (state, view, HL_VIEW_MODEL);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      const HlExportOptions options = { .format = formats[i], .scale = 1 };
      g_autoptr (HlFigure) figure = hl_figure_new (scene, 320, 240, FALSE, FALSE);
      g_autoptr (GError) error = NULL;
      hl_figure_make_async (figure, &options, NULL, NULL, on_refused, &error);
      while (error == NULL)
        g_main_context_iteration (NULL, TRUE);
      g_assert_true (g_str_has_prefix (error->message, "this would read 1.1"));
    }

  /* A page of maps that are made of few heads has those of all layers. */
  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  hl_view_state_set_option (state, combine, HL_COMBINE_MEAN);
  g_autoptr (HlScene) heatmap = hl_scene_new (HL_VIEW_HEATMAP, state);
  g_assert_true (hl_figure_check (heatmap, HL_EXPORT_PNG, NULL));
  g_assert_false (hl_figure_check (heatmap, HL_EXPORT_HTML, NULL));
  hl_view_state_allow_expansion (state, FALSE);
  g_assert_true (hl_figure_check (heatmap, HL_EXPORT_HTML, NULL));
  g_assert_true (hl_figure_check (scene, HL_EXPORT_PNG, NULL));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/difference", test_difference);
  g_test_add_func ("/figure/compared", test_compared);
  g_test_add_func ("/figure/refused", test_refused);
  return g_test_run ();
}
