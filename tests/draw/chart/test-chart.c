/* SPDX-License-Identifier: MIT */
/* Charts: axes, marks against the numbers they stand for, picks against places, words, and keys. */
#include "test-heads.h"
#include "test-scenes.h"

#include <math.h>
#include <string.h>

#include "core/test-attentions.h"
#include "core/test-stats.h"
#include "draw/chart/hl-chart-axis.h"
#include "draw/chart/hl-chart-legend.h"
#include "draw/paint/hl-colour-map.h"
#include "draw/paint/hl-contrast.h"
#include "draw/paint/hl-palette.h"
#include "draw/paint/hl-theme.h"
#include "view/hl-weight-text.h"

#define N 9
#define N_LAYERS 3
#define N_HEADS 4

static HlScene *
make_scene (HlChartKind   chart,
            HlHeadMeasure number,
            double        scale)
{
  g_autoptr (HlViewState) state = test_make_random_state (N_LAYERS, N_HEADS, N);
  g_autoptr (GError) error = NULL;

  hl_view_state_set_option (state, view, HL_VIEW_CHART);
  hl_view_state_set_option (state, chart, chart);
  hl_view_state_set_option (state, number, number);
  g_assert_true (hl_view_state_complete_numbers (state, NULL, &error));
  g_assert_no_error (error);
  HlScene *scene = test_make_scene (HL_VIEW_CHART, state, 640, 480, scale);
  test_prepare (scene);
  return scene;
}

static double
get_number (HlScene *scene,
            guint    layer,
            guint    head)
{
  HlViewState *state = hl_scene_get_state (scene);
  HlHeadNumbers *numbers = hl_view_state_get_numbers (state);

  return hl_head_numbers_get (numbers, hl_view_state_get_options (state)->number,
                              hl_head_numbers_get_index (numbers, layer, head));
}

static void
locate (HlScene      *scene,
        const HlPick *pick,
        double       *x,
        double       *y)
{
  double width, height;

  g_assert_true (hl_scene_locate (scene, pick, x, y, &width, &height));
  *x += width / 2;
  *y += height / 2;
}

static guint
get_distance (guint32 a,
              guint32 b)
{
  guint distance = 0;

  for (guint shift = 0; shift < 24; shift += 8)
    distance = MAX (distance, (guint) ABS ((int) (a >> shift & 0xFF) - (int) (b >> shift & 0xFF)));
  return distance;
}

/* Ends and steps are round, and there is an axis for any numbers. */
static void
test_axis (void)
{
  static const struct
  {
    double min, max;
    gboolean is_share;
    double from, to, step;
    const char *first, *last;
  } cases[] = {
    { 0.04, 2.38, FALSE, 0, 2.5, 0.5, "0.0", "2.5" },
    { 2.1, 2.3, FALSE, 2.1, 2.3, 0.05, "2.10", "2.30" },
    { 0, 1, TRUE, 0, 1, 0.2, "0 %", "100 %" },
    { 0.001, 0.0042, TRUE, 0, 0.005, 0.001, "0.0 %", "0.5 %" },
    { -0.25, 0.52, FALSE, -0.4, 0.6, 0.2, "−0.4", "0.6" },
    { -3, -2.9, FALSE, -3, -2.9, 0.02, "−3.00", "−2.90" },
    { 7, 7, FALSE, 0, 8, 2, "0", "8" },
    { -7, -7, FALSE, -8, 0, 2, "−8", "0" },
    { 0, 0, FALSE, 0, 1, 0.2, "0.0", "1.0" },
    { NAN, NAN, FALSE, 0, 1, 0.2, "0.0", "1.0" },
    { INFINITY, -INFINITY, FALSE, 0, 1, 0.2, "0.0", "1.0" },
    { 0, 3e7, FALSE, 0, 3e7, 5e6, "0", "3.0e7" },
    { 2.0001e6, 2.0079e6, FALSE, 2e6, 2.008e6, 2e3, "2.000e6", "2.008e6" },
    { -2.0079e6, -2.0001e6, FALSE, -2.008e6, -2e6, 2e3, "−2.008e6", "−2.000e6" },
    { 1e-12, 9.7e-12, FALSE, 0, 1e-11, 2e-12, "0", "1.0e−11" },
    { 0, 9e-9, TRUE, 0, 1e-8, 2e-9, "0 %", "1.0e−6 %" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      HlChartAxis axis;

      g_test_message ("%g to %g", cases[i].min, cases[i].max);
      hl_chart_axis_init (&axis, cases[i].min, cases[i].max, cases[i].is_share, 6);
      axis.begin = 100;
      axis.end = 20;
      g_assert_cmpfloat_with_epsilon (axis.min, cases[i].from, 1e-9 * fabs (cases[i].step));
      g_assert_cmpfloat_with_epsilon (axis.max, cases[i].to, 1e-6 * fabs (cases[i].step));
      g_assert_cmpfloat_with_epsilon (axis.step, cases[i].step, 1e-9 * fabs (cases[i].step));
      const guint n = hl_chart_axis_get_n_ticks (&axis);
      g_autofree char *first = hl_chart_axis_format (&axis, hl_chart_axis_get_tick (&axis, 0));
      g_autofree char *last = hl_chart_axis_format (&axis, hl_chart_axis_get_tick (&axis, n - 1));
      g_assert_cmpstr (first, ==, cases[i].first);
      g_assert_cmpstr (last, ==, cases[i].last);
      g_assert_cmpfloat_with_epsilon (hl_chart_axis_map (&axis, axis.min), 100, 1e-9);
      g_assert_cmpfloat_with_epsilon (hl_chart_axis_map (&axis, axis.max), 20, 1e-9);
    }
}

/* Ink on any ground is read: 4.5 : 1. */
static void
test_ink (void)
{
  for (HlColourMap map = 0; map < HL_N_COLOUR_MAPS; map++)
    for (guint i = 0; i <= 100; i++)
      {
        const HlColour ground = hl_chart_colour_of_pixel (hl_colour_map_lookup (map, i % 2, i / 100.0));
        const HlColour ink = hl_contrast_choose_ink (&ground);
        double light[2];

        for (guint k = 0; k < 2; k++)
          {
            const HlColour *colour = k == 0 ? &ground : &ink;
            const float parts[] = { colour->r, colour->g, colour->b };
            static const double shares[] = { 0.2126, 0.7152, 0.0722 };
            light[k] = 0.05;
            for (guint c = 0; c < 3; c++)
              light[k] += shares[c] * (parts[c] <= 0.04045 ? parts[c] / 12.92 : pow ((parts[c] + 0.055) / 1.055, 2.4));
          }
        g_assert_cmpfloat (MAX (light[0], light[1]) / MIN (light[0], light[1]), >=, 4.5);
      }
}

/* A point for each head, higher where its number is greater, picked where it is; the line goes through the mean. */
static void
test_layers (gconstpointer data)
{
  const double scale = GPOINTER_TO_INT (data);
  g_autoptr (HlScene) scene = make_scene (HL_CHART_LAYERS, HL_HEAD_MEASURE_ENTROPY, scale);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  const guint32 accent = hl_colour_to_pixel (&hl_theme_get (FALSE)->accent);
  double heights[N_LAYERS * N_HEADS], numbers[N_LAYERS * N_HEADS], places[N_LAYERS];

  for (guint layer = 0; layer < N_LAYERS; layer++)
    {
      const HlPick of_layer = { HL_PICK_LAYER, .layer = layer };
      double x, y, left, top, width, height, mean = 0;
      HlPick picked;

      for (guint head = 0; head < N_HEADS; head++)
        {
          const HlPick pick = { HL_PICK_MAP, .head = head, .layer = layer };
          locate (scene, &pick, &x, &y);
          hl_scene_pick (scene, x, y, &picked);
          g_assert_true (hl_pick_equal (&picked, &pick));
          g_assert_cmpuint (test_get_pixel (picture, x, y) >> 24, >, 0);
          heights[layer * N_HEADS + head] = y;
          numbers[layer * N_HEADS + head] = get_number (scene, layer, head);
          mean += get_number (scene, layer, head) / N_HEADS;

          g_autofree char *text = hl_scene_describe (scene, &pick);
          g_autofree char *name = g_strdup_printf ("layer %u · head %u: entropy %.2f (mean of the layer ", layer, head,
                                                   get_number (scene, layer, head));
          g_assert_true (g_str_has_prefix (text, name));
        }
      g_assert_true (hl_scene_locate (scene, &of_layer, &left, &top, &width, &height));
      hl_scene_pick (scene, left + 2, top + height - 2, &picked);
      g_assert_true (hl_pick_equal (&picked, &of_layer));
      places[layer] = left;
      g_autofree char *text = hl_scene_describe (scene, &of_layer);
      g_autofree char *start = g_strdup_printf ("layer %u: entropy %.2f ± ", layer, mean);
      g_assert_true (g_str_has_prefix (text, start));

      /* From two points follows where the mean must be. */
      const double *h = &heights[layer * N_HEADS], *v = &numbers[layer * N_HEADS];
      y = h[0] + (mean - v[0]) * (h[1] - h[0]) / (v[1] - v[0]);
      g_assert_cmpuint (get_distance (test_get_pixel (picture, left + width / 2, y), accent), <=, 2);
    }
  for (guint i = 0; i < N_LAYERS * N_HEADS; i++)
    for (guint j = 0; j < N_LAYERS * N_HEADS; j++)
      g_assert_true (numbers[i] <= numbers[j] || heights[i] <= heights[j]);
  g_assert_true (places[0] < places[1] && places[1] < places[2]);
}

/* Numbers by layer take the room that there is, up to the axis below them. */
static void
test_room (void)
{
  g_autoptr (HlScene) scene = make_scene (HL_CHART_LAYERS, HL_HEAD_MEASURE_ENTROPY, 1);
  const HlPick of_layer = { HL_PICK_LAYER };
  double x, y, width, height;

  hl_scene_set_viewport (scene, 702, 684, 1);
  test_prepare (scene);
  g_assert_true (hl_scene_locate (scene, &of_layer, &x, &y, &width, &height));
  g_assert_cmpfloat (684 - (y + height), <, 60);
  g_assert_cmpfloat (684 - (y + height), >, 20);
}

/* Every cell has the colour of its number between the ends of the bar. */
static void
test_grid (gconstpointer data)
{
  const double scale = GPOINTER_TO_INT (data);
  g_autoptr (HlScene) scene = make_scene (HL_CHART_GRID, HL_HEAD_MEASURE_FIRST, scale);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  double greatest = 0;

  for (guint i = 0; i < N_LAYERS * N_HEADS; i++)
    greatest = MAX (greatest, get_number (scene, i / N_HEADS, i % N_HEADS));
  for (guint layer = 0; layer < N_LAYERS; layer++)
    for (guint head = 0; head < N_HEADS; head++)
      {
        const HlPick pick = { HL_PICK_MAP, .head = head, .layer = layer };
        const double number = get_number (scene, layer, head);
        double x, y, width, height;
        HlPick picked;

        g_assert_true (hl_scene_locate (scene, &pick, &x, &y, &width, &height));
        hl_scene_pick (scene, x + 1, y + height - 1, &picked);
        g_assert_true (hl_pick_equal (&picked, &pick));
        g_assert_cmpuint (get_distance (test_get_pixel (picture, x + 2, y + 2),
                                        hl_colour_map_lookup (HL_COLOUR_MAP_VIRIDIS, FALSE, number / greatest)),
                          <=, 2);
        g_autofree char *text = hl_scene_describe (scene, &pick);
        g_autofree char *part = g_strdup_printf ("weight on the first token %d %%", (int) lround (number * 100));
        g_assert_nonnull (strstr (text, part));
      }
}

/* Keys go from layer to layer, and from head to head by their numbers or by their places. */
static void
test_keys (void)
{
  g_autoptr (HlScene) layers = make_scene (HL_CHART_LAYERS, HL_HEAD_MEASURE_ENTROPY, 1);
  g_autoptr (HlScene) grid = make_scene (HL_CHART_GRID, HL_HEAD_MEASURE_ENTROPY, 1);
  HlPick pick = { HL_PICK_NONE };

  hl_scene_move (layers, &pick, 1, 0, FALSE);
  g_assert_true (pick.kind == HL_PICK_LAYER && pick.layer == 0);
  hl_scene_move (layers, &pick, 1, 0, FALSE);
  g_assert_true (pick.kind == HL_PICK_LAYER && pick.layer == 1);
  hl_scene_move (layers, &pick, 0, -1, FALSE);
  double last = -INFINITY;
  for (guint i = 0; i < N_HEADS; i++)
    {
      g_assert_true (pick.kind == HL_PICK_MAP && pick.layer == 1);
      g_assert_cmpfloat (get_number (layers, 1, pick.head), >, last);
      last = get_number (layers, 1, pick.head);
      hl_scene_move (layers, &pick, 0, -1, FALSE);
    }
  g_assert_cmpfloat (get_number (layers, 1, pick.head), ==, last);
  hl_scene_move (layers, &pick, 0, 1, TRUE);
  for (guint head = 0; head < N_HEADS; head++)
    g_assert_cmpfloat (get_number (layers, 1, pick.head), <=, get_number (layers, 1, head));

  pick = (HlPick){ HL_PICK_NONE };
  hl_scene_move (grid, &pick, 0, 1, FALSE);
  g_assert_true (hl_pick_equal (&pick, &(HlPick){ HL_PICK_MAP }));
  hl_scene_move (grid, &pick, 0, 1, FALSE);
  hl_scene_move (grid, &pick, 1, 0, FALSE);
  g_assert_true (hl_pick_equal (&pick, &(HlPick){ HL_PICK_MAP, .head = 1, .layer = 1 }));
  hl_scene_move (grid, &pick, 1, 0, TRUE);
  hl_scene_move (grid, &pick, 0, 1, TRUE);
  g_assert_true (hl_pick_equal (&pick, &(HlPick){ HL_PICK_MAP, .head = N_HEADS - 1, .layer = N_LAYERS - 1 }));
}

/* A bar for each layer, of parts that are as high as the shares, which together are all; what is lacking is said. */
static void
test_shares (void)
{
  g_autoptr (HlScene) scene = make_scene (HL_CHART_SHARES, HL_HEAD_MEASURE_ENTROPY, 1);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  HlHeadNumbers *numbers = hl_view_state_get_numbers (hl_scene_get_state (scene));
  static const HlHeadMeasure measures[] = { HL_HEAD_MEASURE_MASS_CLS, HL_HEAD_MEASURE_MASS_SEP,
                                            HL_HEAD_MEASURE_MASS_BARE_FIRST, HL_HEAD_MEASURE_MASS_PUNCTUATION,
                                            HL_HEAD_MEASURE_MASS_OTHER };
  HlPick pick = { HL_PICK_NONE };

  for (guint layer = 0; layer < N_LAYERS; layer++)
    {
      double whole = 0, all = 0;

      for (guint class = 0; class < G_N_ELEMENTS (measures); class ++)
        {
          const HlPick part = { HL_PICK_LAYER, .layer = layer, .feature = class };
          double x, y, width, height, share = 0;
          HlPick picked;

          for (guint head = 0; head < N_HEADS; head++)
            share += hl_head_numbers_get (numbers, measures[class], layer * N_HEADS + head) / N_HEADS;
          g_assert_true (hl_scene_locate (scene, &part, &x, &y, &width, &height));
          whole += height;
          /* None of these tokens is special: the first that has a share is the first token, and tells how high all is. */
          if (class == 2)
            all = height / share;
          g_assert_cmpfloat_with_epsilon (height, share * all, 1e-6);
          if (height < 3)
            continue;
          hl_scene_pick (scene, x + width / 2, y + height / 2, &picked);
          g_assert_true (hl_pick_equal (&picked, &part));
          const HlColour colour = class == 4 ? hl_theme_get (FALSE)->hatch : hl_palette_get_head_colour (class, FALSE);
          g_assert_cmpuint (get_distance (test_get_pixel (picture, x + width / 2, y + height / 2),
                                          hl_colour_to_pixel (&colour)),
                            <=, 2);
          char number[G_ASCII_DTOSTR_BUF_SIZE];
          g_autofree char *text = hl_scene_describe (scene, &part);
          g_assert_nonnull (strstr (text, g_ascii_formatd (number, sizeof number, "%.1f", share * 100)));
        }
      g_assert_cmpfloat_with_epsilon (whole, all, 1e-3);
    }
  /* There is no second panel to go to: the file has no values. */
  hl_scene_move (scene, &pick, 1, 0, FALSE);
  hl_scene_move (scene, &pick, 1, 0, TRUE);
  g_assert_true (hl_pick_equal (&pick, &(HlPick){ HL_PICK_LAYER, .layer = N_LAYERS - 1 }));
  hl_scene_move (scene, &pick, 0, -1, FALSE);
  g_assert_true (hl_pick_equal (&pick, &(HlPick){ HL_PICK_LAYER, .layer = N_LAYERS - 1, .feature = 1 }));
}

/* Patterns are counted: the parts are so many heads of all. */
static void
test_patterns (void)
{
  g_autoptr (HlScene) scene = make_scene (HL_CHART_SHARES, HL_HEAD_MEASURE_PATTERN, 1);
  double heights[5], whole = 0;

  for (guint class = 0; class < 5; class ++)
    {
      const HlPick part = { HL_PICK_LAYER, .layer = 1, .feature = class };
      double x, y, width;
      g_assert_true (hl_scene_locate (scene, &part, &x, &y, &width, &heights[class]));
      whole += heights[class];
    }
  for (guint class = 0; class < 5; class ++)
    {
      guint n = 0;
      for (guint head = 0; head < N_HEADS; head++)
        n += get_number (scene, 1, head) == class;
      g_assert_cmpfloat_with_epsilon (heights[class], whole * n / N_HEADS, 1e-6);
    }
}

/* Distances of many heads take their time: whoever waits is told how far they are, and can stop it. */
static void
test_scatter_progress (void)
{
  g_autofree float *weights = test_make_weights (5, N_LAYERS * N_HEADS, N, N);
  g_autofree const char **tokens = g_new0 (const char *, N + 1);
  g_autoptr (HlProgress) progress = hl_progress_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < N; i++)
    tokens[i] = "i";
  g_autoptr (HlViewState) state = test_make_state (N_LAYERS, N_HEADS, N, N, weights, tokens, 0, (HlMask){ FALSE, 0 });
  hl_view_state_set_option (state, chart, HL_CHART_SCATTER);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_CHART, state, 640, 480, 1);
  g_autoptr (HlSceneJob) stopped = hl_scene_create_job (scene);
  g_cancellable_cancel (cancellable);
  hl_scene_job_set_progress (stopped, progress);
  g_assert_false (hl_scene_job_run (stopped, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpfloat (hl_progress_get_fraction (progress), ==, 0);
  g_autoptr (HlSceneJob) job = hl_scene_create_job (scene);
  hl_scene_job_set_progress (job, progress);
  g_assert_true (hl_scene_job_run (job, NULL, NULL));
  g_assert_cmpfloat (hl_progress_get_fraction (progress), ==, 1);
}

/* Of a head over texts the part of these counts in which it has a pattern. */
static void
test_patterns_over_texts (void)
{
  g_autoptr (HlScene) scene = make_scene (HL_CHART_SHARES, HL_HEAD_MEASURE_PATTERN, 1);
  HlViewState *state = hl_scene_get_state (scene);
  g_autofree HlHeadSpread *spreads = g_new0 (HlHeadSpread, N_LAYERS * N_HEADS * HL_N_HEAD_STATS);
  g_autofree double *shares = g_new0 (double, N_LAYERS *N_HEADS *HL_HEAD_NUMBER_MAX_WORDS);
  double heights[5], whole = 0;

  /* In most texts the first; all heads but one of the layer in a quarter of the texts the second. */
  for (guint i = 0; i < N_LAYERS * N_HEADS; i++)
    {
      const double part = i % N_HEADS == 0 ? 0 : 0.25;
      shares[i * HL_HEAD_NUMBER_MAX_WORDS] = 1 - part;
      shares[i * HL_HEAD_NUMBER_MAX_WORDS + 1] = part;
    }
  g_autoptr (HlHeadNumbers) means = hl_head_numbers_set_texts (hl_view_state_get_numbers (state), 4, spreads, NULL);
  g_autoptr (HlHeadNumbers) numbers = hl_head_numbers_give_shares (means, HL_HEAD_STAT_PATTERN, shares);
  hl_view_state_set_numbers (state, numbers);
  for (guint class = 0; class < 5; class ++)
    {
      const HlPick part = { HL_PICK_LAYER, .layer = 2, .feature = class };
      double x, y, width;
      g_assert_true (hl_scene_locate (scene, &part, &x, &y, &width, &heights[class]));
      whole += heights[class];
    }
  g_assert_cmpfloat_with_epsilon (heights[1], whole * 0.25 * (N_HEADS - 1) / N_HEADS, 1e-6);
  g_assert_cmpfloat_with_epsilon (heights[0], whole - heights[1], 1e-6);
}

/* Numbers are of the maps of the quantity; those of another are forgotten, and what is of the weights is not. */
static void
test_quantity (void)
{
  g_autoptr (HlScene) scene = make_scene (HL_CHART_GRID, HL_HEAD_MEASURE_ENTROPY, 1);
  HlViewState *state = hl_scene_get_state (scene);
  double plain[N_LAYERS * N_HEADS], given[N_LAYERS * N_HEADS];
  const HlHeadMeasure off = HL_HEAD_MEASURE_STATS + HL_HEAD_STAT_ABLATION_ZERO;

  for (guint i = 0; i < N_LAYERS * N_HEADS; i++)
    {
      plain[i] = get_number (scene, i / N_HEADS, i % N_HEADS);
      given[i] = i;
    }
  g_autoptr (HlHeadNumbers)
    more = hl_head_numbers_give (hl_view_state_get_numbers (state), HL_HEAD_STAT_ABLATION_ZERO, given);
  hl_view_state_set_numbers (state, more);
  hl_view_state_set_option (state, quantity, HL_QUANTITY_RESIDUAL);
  g_assert_false (hl_head_numbers_knows (hl_view_state_get_numbers (state), HL_HEAD_MEASURE_ENTROPY));
  g_assert_cmpfloat (hl_head_numbers_get (hl_view_state_get_numbers (state), off, 5), ==, 5);
  g_assert_true (hl_view_state_complete_numbers (state, NULL, NULL));
  const HlShown *shown = hl_view_state_get_shown (state);
  g_autofree HlHeadStats *stats =
    test_compute_stats (shown->original, shown->source, N, HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_ENTROPY), NULL, NULL);
  for (guint i = 0; i < N_LAYERS * N_HEADS; i++)
    {
      const double number = get_number (scene, i / N_HEADS, i % N_HEADS);
      g_assert_cmpfloat (number, ==, stats[i].values[HL_HEAD_STAT_ENTROPY]);
      g_assert_cmpfloat (number, !=, plain[i]);
    }
  g_autofree char *caption = hl_view_state_describe (state);
  g_assert_true (g_str_has_prefix (caption, "attention weight + residual connection · "));

  /* One map a layer has no head to tell of: it is said. */
  hl_view_state_set_option (state, quantity, HL_QUANTITY_ROLLOUT);
  g_assert_true (hl_view_state_complete_numbers (state, NULL, NULL));
  g_assert_cmpfloat (get_number (scene, 1, 1), ==, plain[N_HEADS + 1]);
  g_autofree char *other = hl_view_state_describe_choice (state);
  g_assert_nonnull (strstr (other, "Rollout has one map a layer"));
}

/* Heads that are alike are near one another, and are named first; keys go to a neighbour on that side. */
static void
test_scatter (void)
{
  g_autofree float *weights = test_make_weights (5, N_LAYERS * N_HEADS, N, N);
  g_autofree const char **tokens = g_new0 (const char *, N + 1);
  const HlPick last = { HL_PICK_MAP, .head = N_HEADS - 1, .layer = N_LAYERS - 1 };
  HlPick pick = { HL_PICK_MAP, .head = 2, .layer = 1 }, picked;
  double x, y, other_x, other_y;

  for (guint i = 0; i < N; i++)
    tokens[i] = "i";
  /* The last head is head 2 of layer 1 again. */
  memcpy (weights + (N_LAYERS * N_HEADS - 1) * N * N, weights + (N_HEADS + 2) * N * N, N * N * sizeof *weights);
  g_autoptr (HlViewState) state = test_make_state (N_LAYERS, N_HEADS, N, N, weights, tokens, 0, (HlMask){ FALSE, 0 });
  hl_view_state_set_option (state, chart, HL_CHART_SCATTER);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_CHART, state, 640, 480, 1);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  g_autofree char *text = hl_scene_describe (scene, &pick);
  g_assert_true (g_str_has_prefix (text, "layer 1 · head 2: nearest 2·3 "));
  locate (scene, &pick, &x, &y);
  locate (scene, &last, &other_x, &other_y);
  g_assert_cmpfloat_with_epsilon (x, other_x, 0.01);
  g_assert_cmpfloat_with_epsilon (y, other_y, 0.01);
  for (guint head = 0; head < N_HEADS; head++)
    {
      pick = (HlPick){ HL_PICK_MAP, .head = head };
      locate (scene, &pick, &x, &y);
      hl_scene_pick (scene, x, y, &picked);
      g_assert_true (hl_pick_equal (&picked, &pick));
      g_assert_cmpuint (test_get_pixel (picture, x, y) >> 24, ==, 0xFF);
    }
  hl_scene_move (scene, &pick, -1, 0, TRUE);
  locate (scene, &pick, &x, &y);
  for (guint i = 0; i < N_LAYERS * N_HEADS; i++)
    {
      const HlPick other = { HL_PICK_MAP, .head = i % N_HEADS, .layer = i / N_HEADS };
      locate (scene, &other, &other_x, &other_y);
      g_assert_cmpfloat (x, <=, other_x + 0.01);
    }
}

/* Over several texts, a head has the mean and the spread of these, which the caption says. */
static void
test_texts (void)
{
  g_autoptr (HlScene) scene = make_scene (HL_CHART_LAYERS, HL_HEAD_MEASURE_ENTROPY, 1);
  HlViewState *state = hl_scene_get_state (scene);
  const HlPick pick = { HL_PICK_MAP, .head = 1, .layer = 2 };
  g_autofree HlHeadSpread *spreads = g_new0 (HlHeadSpread, N_LAYERS * N_HEADS * HL_N_HEAD_STATS);

  for (guint i = 0; i < N_LAYERS * N_HEADS; i++)
    for (guint text = 0; text < 3; text++)
      hl_head_spread_add (&spreads[i * HL_N_HEAD_STATS + HL_HEAD_STAT_ENTROPY], 1 + i * 0.1 + text * 0.5);
  g_autoptr (HlHeadNumbers) numbers = hl_head_numbers_set_texts (hl_view_state_get_numbers (state), 3, spreads, NULL);
  hl_view_state_set_numbers (state, numbers);
  g_autofree char *text = hl_scene_describe (scene, &pick);
  g_assert_cmpstr (text, ==, "layer 2 · head 1: entropy 2.40 ± 0.50 (over 3 texts)");
  g_autofree char *caption = hl_view_state_describe (state);
  const char *said = strstr (caption, "over 3 texts");
  g_assert_nonnull (said);
  g_assert_null (strstr (said + 1, "over 3 texts"));
}

/* What is the layer's is there once: the heads are no points and no columns, and what is said is of the layer. */
static void
test_number_of_layer (gconstpointer data)
{
  const HlChartKind kind = GPOINTER_TO_INT (data);
  g_autoptr (HlScene) scene = make_scene (kind, HL_HEAD_MEASURE_ENTROPY, 1);
  HlViewState *state = hl_scene_get_state (scene);
  const HlPick heads[] = { { HL_PICK_MAP, .layer = 1 }, { HL_PICK_MAP, .head = N_HEADS - 1, .layer = 1 } };
  const HlPick layer = { HL_PICK_LAYER, .layer = 1 };
  g_autofree HlHeadSpread *spreads = g_new0 (HlHeadSpread, N_LAYERS * N_HEADS * HL_N_HEAD_STATS);
  double x, y, width, height;

  for (guint i = 0; i < N_LAYERS * N_HEADS; i++)
    for (guint text = 0; text < 3; text++)
      hl_head_spread_add (&spreads[i * HL_N_HEAD_STATS + HL_HEAD_STAT_MIXING], 0.2 + i / N_HEADS * 0.1 + text * 0.05);
  g_autoptr (HlHeadNumbers) numbers = hl_head_numbers_set_texts (hl_view_state_get_numbers (state), 3, spreads, NULL);
  hl_view_state_set_option (state, number, HL_HEAD_MEASURE_MIXING);
  hl_view_state_set_numbers (state, numbers);
  test_prepare (scene);
  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    g_assert_false (hl_scene_locate (scene, &heads[i], &x, &y, &width, &height));
  g_assert_true (hl_scene_locate (scene, &layer, &x, &y, &width, &height));
  g_autofree char *text = hl_scene_describe (scene, &layer);
  g_assert_cmpstr (text, ==, "layer 1: mixing ratio of the layer 35 % ± 5 % (over 3 texts)");
  HlPick found = { HL_PICK_NONE };
  hl_scene_pick (scene, x + width / 2, y + height / 2, &found);
  g_assert_true (hl_pick_equal (&found, &layer));
  if (kind == HL_CHART_GRID)
    {
      hl_scene_pick (scene, x + width * 1.5, y + height / 2, &found);
      g_assert_cmpint (found.kind, ==, HL_PICK_NONE);
      hl_scene_move (scene, &found, 0, 1, FALSE);
      g_assert_cmpint (found.kind, ==, HL_PICK_LAYER);
    }
}

/* The lines of heads end in the picture, also that of one whose texts differ far more than those of the others of its layer. */
static void
test_spread (void)
{
  g_autoptr (HlScene) scene = make_scene (HL_CHART_LAYERS, HL_HEAD_MEASURE_ENTROPY, 1);
  HlViewState *state = hl_scene_get_state (scene);
  const HlPick picks[] = { { HL_PICK_MAP }, { HL_PICK_MAP, .head = N_HEADS - 1, .layer = N_LAYERS - 1 } };
  const guint last = N_LAYERS * N_HEADS - 1;
  const double deviation = 10;
  g_autofree HlHeadSpread *spreads = g_new0 (HlHeadSpread, N_LAYERS * N_HEADS * HL_N_HEAD_STATS);
  double x, y[2];

  for (guint i = 0; i <= last; i++)
    for (int text = -1; text <= 1; text++)
      hl_head_spread_add (&spreads[i * HL_N_HEAD_STATS + HL_HEAD_STAT_ENTROPY],
                          11 + i + (i == last ? deviation * text : 0));
  g_autoptr (HlHeadNumbers) numbers = hl_head_numbers_set_texts (hl_view_state_get_numbers (state), 3, spreads, NULL);
  hl_view_state_set_numbers (state, numbers);
  for (guint i = 0; i < 2; i++)
    locate (scene, &picks[i], &x, &y[i]);
  g_assert_cmpfloat (y[1], <, y[0]);
  g_assert_cmpfloat (y[1] - deviation * (y[0] - y[1]) /
                              (get_number (scene, N_LAYERS - 1, N_HEADS - 1) - get_number (scene, 0, 0)),
                     >, 0);
}

/* Side by side both have one scale. */
static void
test_beside (void)
{
  g_autoptr (HlScene) scene = make_scene (HL_CHART_LAYERS, HL_HEAD_MEASURE_ENTROPY, 1);
  HlViewState *state = hl_scene_get_state (scene);
  g_autofree float *even = g_new (float, 2 * 400);
  g_autofree const char **tokens = g_new0 (const char *, 21);
  double x, y[2], there;
  const HlPick picks[] = { { HL_PICK_MAP }, { HL_PICK_MAP, .head = 1, .layer = 1 } };

  /* Of a head that is even and one that is sharp, so that the band reaches farther than both. */
  for (guint i = 0; i < 2 * 400; i++)
    even[i] = i < 400 ? 1 / 20.0f : (i - 400) % 21 == 0;
  for (guint i = 0; i < 20; i++)
    tokens[i] = "i";
  /* Its entropy is far greater. */
  g_autoptr (HlViewState) beside = test_make_state (1, 2, 20, 20, even, tokens, 0, (HlMask){ FALSE, 0 });
  hl_view_state_set_options (beside, hl_view_state_get_options (state));
  g_assert_true (hl_view_state_complete_numbers (beside, NULL, NULL));
  hl_view_state_set_beside (state, beside);
  hl_view_state_set_beside (beside, state);
  g_autoptr (HlScene) other = test_make_scene (HL_VIEW_CHART, beside, 640, 480, 1);
  for (guint i = 0; i < 2; i++)
    locate (scene, &picks[i], &x, &y[i]);
  locate (other, &picks[0], &x, &there);
  const double numbers[] = { get_number (scene, 0, 0), get_number (scene, 1, 1) };
  g_assert_cmpfloat_with_epsilon (there, y[0] + (log (20) - numbers[0]) * (y[1] - y[0]) / (numbers[1] - numbers[0]),
                                  1e-3);
}

/* Of a difference, the numbers are those of the second side minus those of the first. */
static void
test_difference (void)
{
  g_autoptr (HlScene) scene = make_scene (HL_CHART_GRID, HL_HEAD_MEASURE_ENTROPY, 1);
  HlViewState *state = hl_scene_get_state (scene);
  g_autofree float *weights = test_make_weights (23, N_LAYERS * N_HEADS, N, N);
  g_autofree const char **tokens = g_new0 (const char *, N + 1);
  const HlHeadPairing pairing = { -1, -1 };

  for (guint i = 0; i < N; i++)
    tokens[i] = "i";
  g_autoptr (HlViewState) other = test_make_state (N_LAYERS, N_HEADS, N, N, weights, tokens, 0, (HlMask){ FALSE, 0 });
  hl_view_state_set_options (other, hl_view_state_get_options (state));
  g_assert_true (hl_view_state_complete_numbers (other, NULL, NULL));
  hl_view_state_set_difference (state, hl_view_state_get_attention (other), &pairing);
  test_prepare (scene);
  for (guint layer = 0; layer < N_LAYERS; layer++)
    for (guint head = 0; head < N_HEADS; head++)
      {
        const HlPick pick = { HL_PICK_MAP, .head = head, .layer = layer };
        HlHeadNumbers *numbers = hl_view_state_get_numbers (other);
        const double difference =
          hl_head_numbers_get (numbers, HL_HEAD_MEASURE_ENTROPY, hl_head_numbers_get_index (numbers, layer, head)) -
          get_number (scene, layer, head);
        g_autofree char *text = hl_scene_describe (scene, &pick);
        char number[HL_WEIGHT_TEXT_SIZE];
        g_autofree char *part = g_strdup_printf ("entropy, B − A %s", hl_weight_text_format (difference, number));
        g_test_message ("%s", text);
        g_assert_nonnull (strstr (text, part));
      }
  g_autofree char *caption = hl_view_state_describe (state);
  g_assert_nonnull (strstr (caption, " · B − A · "));
}

/* Means over several texts are of one side; those of the one text of the other are not subtracted from them. */
static void
test_difference_of_means (void)
{
  g_autoptr (HlScene) scene = make_scene (HL_CHART_LAYERS, HL_HEAD_MEASURE_ENTROPY, 1);
  HlViewState *state = hl_scene_get_state (scene);
  g_autoptr (HlViewState) other = test_make_random_state (N_LAYERS, N_HEADS, N);
  g_autofree HlHeadSpread *spreads = g_new0 (HlHeadSpread, N_LAYERS * N_HEADS * HL_N_HEAD_STATS);
  const HlHeadPairing pairing = { -1, -1 };
  const HlPick pick = { HL_PICK_MAP };

  for (guint i = 0; i < N_LAYERS * N_HEADS; i++)
    for (guint text = 0; text < 3; text++)
      hl_head_spread_add (&spreads[i * HL_N_HEAD_STATS + HL_HEAD_STAT_ENTROPY], 1 + i * 0.1 + text * 0.5);
  g_autoptr (HlHeadNumbers) own = hl_head_numbers_ref (hl_view_state_get_numbers (state));
  g_autoptr (HlHeadNumbers) means = hl_head_numbers_set_texts (own, 3, spreads, NULL);
  hl_view_state_set_difference (state, hl_view_state_get_attention (other), &pairing);
  for (guint i = 0; i < 3; i++)
    {
      hl_view_state_set_numbers (state, i == 1 ? means : own);
      test_prepare (scene);
      g_autofree char *text = hl_scene_describe (scene, &pick);
      g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
      g_assert_true ((text == NULL) == (i == 1));
      g_assert_true (test_is_blank (picture) == (i == 1));
    }
}

/* Classes are not subtracted, whichever stands first: there is nothing to draw. */
static void
test_difference_of_classes (void)
{
  HlViewState *states[2];
  const HlPick pick = { HL_PICK_MAP };
  HlPick picked;

  for (guint i = 0; i < 2; i++)
    {
      float weights[N * N];
      const char *tokens[N + 1] = { NULL };
      g_autoptr (GError) error = NULL;

      for (guint k = 0; k < N * N; k++)
        weights[k] = i == 0 ? k % (N + 1) == 0 : 1.0f / N;
      for (guint k = 0; k < N; k++)
        tokens[k] = "i";
      states[i] = test_make_state (1, 1, N, N, weights, tokens, 0, (HlMask){ FALSE, 0 });
      hl_view_state_set_option (states[i], view, HL_VIEW_CHART);
      hl_view_state_set_option (states[i], chart, HL_CHART_GRID);
      hl_view_state_set_option (states[i], number, HL_HEAD_MEASURE_PATTERN);
      g_assert_true (hl_view_state_complete_numbers (states[i], NULL, &error));
      g_assert_no_error (error);
    }
  for (guint i = 0; i < 2; i++)
    {
      hl_view_state_set_difference (states[i], hl_view_state_get_attention (states[1 - i]), NULL);
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_CHART, states[i], 640, 480, 1);
      test_prepare (scene);
      g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
      g_assert_true (test_is_blank (picture));
      hl_scene_pick (scene, 320, 240, &picked);
      g_assert_true (picked.kind == HL_PICK_NONE);
      g_assert_null (hl_scene_describe (scene, &pick));
    }
  for (guint i = 0; i < 2; i++)
    g_object_unref (states[i]);
}

/* The weight of a pair is subtracted too, of words that each side has in a place of its own; of words that the second side lacks, it is said. */
static void
test_difference_of_pairs (void)
{
  static const char *const texts[][5] = { { "the", "cat", "sat", "down", NULL },
                                          { "cat", "sat", "the", "down", NULL },
                                          { "the", "dog", "sat", "down", NULL } };
  HlViewState *states[3];
  const HlHeadPairing pairing = { -1, -1 };
  char number[HL_WEIGHT_TEXT_SIZE];

  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    {
      g_autofree float *weights = test_make_weights (i, 2 * 2, 4, 4);
      states[i] = test_make_state (2, 2, 4, 4, weights, texts[i], 0, (HlMask){ FALSE, 0 });
      hl_view_state_set_option (states[i], view, HL_VIEW_CHART);
      hl_view_state_set_option (states[i], chart, HL_CHART_GRID);
      hl_view_state_set_option (states[i], number, HL_HEAD_MEASURE_PAIR);
      hl_view_state_set_pairs (states[i], "cat → sat");
      g_assert_true (hl_view_state_complete_numbers (states[i], NULL, NULL));
    }
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_CHART, states[0], 640, 480, 1);
  g_autofree char *alone = hl_view_state_describe (states[0]);
  g_assert_null (strstr (alone, "B − A"));
  for (guint i = 1; i < G_N_ELEMENTS (states); i++)
    {
      hl_view_state_set_difference (states[0], hl_view_state_get_attention (states[i]), &pairing);
      test_prepare (scene);
      g_autofree char *caption = hl_view_state_describe (states[0]);
      g_assert_nonnull (strstr (caption, "weight cat → sat · layers × heads · B − A · "));
      for (guint index = 0; index < 4; index++)
        {
          const HlPick pick = { HL_PICK_MAP, .head = index % 2, .layer = index / 2 };
          const double difference =
            hl_head_numbers_get (hl_view_state_get_numbers (states[i]), HL_HEAD_MEASURE_PAIR, index) -
            hl_head_numbers_get (hl_view_state_get_numbers (states[0]), HL_HEAD_MEASURE_PAIR, index);
          g_autofree char *text = hl_scene_describe (scene, &pick);
          g_autofree char *part =
            g_strdup_printf ("weight of the pair, B − A %s", hl_weight_text_format (difference, number));

          g_assert_true ((text != NULL) == (i == 1));
          g_assert_true (text == NULL || strstr (text, part) != NULL);
        }
    }
  /* Words that are found at the same places of the first side are others of the second. */
  hl_view_state_set_difference (states[0], hl_view_state_get_attention (states[1]), &pairing);
  test_prepare (scene);
  hl_view_state_set_pairs (states[0], "#1 → #2");
  g_assert_true (hl_view_state_complete_numbers (states[0], NULL, NULL));
  test_prepare (scene);
  g_autofree float *there = test_make_weights (1, 1, 4, 4);
  const double here = hl_head_numbers_get (hl_view_state_get_numbers (states[0]), HL_HEAD_MEASURE_PAIR, 0);
  g_autofree char *text = hl_scene_describe (scene, &(HlPick){ HL_PICK_MAP });
  g_assert_nonnull (text);
  g_assert_nonnull (strstr (text, hl_weight_text_format (there[1 * 4 + 2] - here, number)));
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    g_object_unref (states[i]);
}

/* Where no head attends to anything, numbers that are known are not waited for. */
static void
test_no_shares (void)
{
  const float weights[4 * 4 * 4] = { 0 };
  const char *const tokens[] = { "a", "b", "c", "d", NULL };

  for (guint of_patterns = 0; of_patterns < 2; of_patterns++)
    {
      g_autoptr (HlViewState) state = test_make_state (2, 2, 4, 4, weights, tokens, 0, (HlMask){ FALSE, 0 });
      hl_view_state_set_option (state, chart, HL_CHART_SHARES);
      hl_view_state_set_option (state, number, of_patterns ? HL_HEAD_MEASURE_PATTERN : HL_HEAD_MEASURE_ENTROPY);
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_CHART, state, 640, 480, 1);
      g_autoptr (cairo_surface_t) waiting = test_draw_part (scene, HL_SCENE_BACKDROP);
      g_assert_true (hl_view_state_complete_numbers (state, NULL, NULL));
      g_autoptr (cairo_surface_t) known = test_draw_part (scene, HL_SCENE_BACKDROP);
      g_assert_cmpint (memcmp (cairo_image_surface_get_data (waiting), cairo_image_surface_get_data (known),
                               (gsize) cairo_image_surface_get_stride (known) *
                                 (gsize) cairo_image_surface_get_height (known)),
                       !=, 0);
    }
}

/* From layer to layer that has heads. */
static void
test_gaps (gconstpointer data)
{
  const HlChartKind chart = GPOINTER_TO_INT (data);
  g_autoptr (HlViewState) state = test_make_gaps_state (10, 3, 4);
  const HlPick picks[] = { { HL_PICK_MAP, .head = 1, .layer = 3 }, { HL_PICK_MAP, .head = 1, .layer = 7 } };

  hl_view_state_set_option (state, view, HL_VIEW_CHART);
  hl_view_state_set_option (state, chart, chart);
  hl_view_state_set_option (state, number, HL_HEAD_MEASURE_ENTROPY);
  g_assert_true (hl_view_state_complete_numbers (state, NULL, NULL));
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_CHART, state, 640, 480, 1);
  test_prepare (scene);
  for (int direction = -1; direction <= 1; direction += 2)
    for (guint to_end = 0; to_end < 2; to_end++)
      {
        HlPick pick = picks[direction < 0];

        for (guint step = 0; step < 2; step++)
          {
            hl_scene_move (scene, &pick, chart == HL_CHART_LAYERS ? direction : 0,
                           chart == HL_CHART_LAYERS ? 0 : direction, to_end);
            g_assert_true (hl_pick_equal (&pick, &picks[direction > 0]));
          }
      }
}

/* What cannot be drawn is said. */
static void
test_notices (void)
{
  g_autoptr (HlScene) scene = make_scene (HL_CHART_LAYERS, HL_HEAD_MEASURE_ENTROPY, 1);
  HlViewState *state = hl_scene_get_state (scene);
  const HlPick pick = { HL_PICK_MAP };
  HlPick picked;

  for (guint i = 0; i < 3; i++)
    {
      if (i == 0)
        hl_view_state_set_option (state, number, HL_HEAD_MEASURE_NONE);
      else if (i == 1)
        hl_view_state_set_option (state, number, HL_HEAD_MEASURE_PAIR);
      else
        hl_view_state_set_option (state, chart, HL_CHART_PLANE);
      test_prepare (scene);
      g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
      g_assert_true (test_is_blank (picture));
      hl_scene_pick (scene, 320, 240, &picked);
      g_assert_true (picked.kind == HL_PICK_NONE);
      g_assert_null (hl_scene_describe (scene, &pick));
    }
}

/* Tokens of both sides are where they are picked; a query's words are its weights; zoomed, what is at the pointer stays there. */
static void
test_plane (void)
{
  const TestHeads heads = {
    .n_heads = 2, .n_key_heads = 2, .n_queries = 6, .n_keys = 8, .n_features = 5, .rule = { .scale = 1 }
  };
  g_autoptr (HlViewState) state = test_make_head_state (&heads);

  hl_view_state_set_option (state, chart, HL_CHART_PLANE);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_CHART, state, 640, 480, 1);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  g_assert_false (test_is_blank (picture));
  HlPick pick = { HL_PICK_NONE }, picked;
  double x, y, at_x, at_y;

  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    for (gsize token = 0; token < (side == HL_QUERIES ? heads.n_queries : heads.n_keys); token++)
      {
        pick = hl_pick_of (side, token);
        locate (scene, &pick, &x, &y);
        hl_scene_pick (scene, x, y, &picked);
        g_assert_true (hl_pick_equal (&picked, &pick));
        g_autofree char *text = hl_scene_describe (scene, &pick);
        g_assert_nonnull (strstr (text, side == HL_QUERIES ? "(query " : "(key "));
      }

  pick = hl_pick_of (HL_QUERIES, 2);
  g_assert_cmpfloat (hl_scene_get_picture_opacity (scene), ==, 1);
  hl_view_state_set_hovered (state, &pick);
  g_assert_cmpfloat (hl_scene_get_picture_opacity (scene), <, 1);
  hl_scene_move (scene, &pick, 0, 1, FALSE);
  g_assert_true (hl_pick_equal (&pick, &(HlPick){ HL_PICK_QUERY, .query = 3 }));
  hl_scene_move (scene, &pick, 1, 0, FALSE);
  g_assert_true (hl_pick_equal (&pick, &(HlPick){ HL_PICK_KEY, .key = 3 }));

  /* Of two queries at once, what they attend to on average. */
  const HlPick other = hl_pick_of (HL_QUERIES, 1);
  const HlFocus one = { hl_pick_of (HL_QUERIES, 2) };
  g_auto (HlFocus) both = hl_focus_toggle (&one, &other);
  hl_view_state_set_pin (state, &both);
  g_autofree char *together = hl_scene_describe_focus (scene);
  g_assert_nonnull (strstr (together, "2 queries"));
  g_autoptr (cairo_surface_t) overlay = test_draw_part (scene, HL_SCENE_OVERLAY);
  g_assert_false (test_is_blank (overlay));
  hl_view_state_set_pinned (state, NULL);

  locate (scene, &pick, &x, &y);
  hl_scene_zoom (scene, 3, x, y);
  locate (scene, &pick, &at_x, &at_y);
  g_assert_cmpfloat_with_epsilon (at_x, x, 1);
  g_assert_cmpfloat_with_epsilon (at_y, y, 1);
  hl_scene_fit (scene);
  g_assert_cmpfloat (hl_scene_get_zoom (scene), ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chart/axis", test_axis);
  g_test_add_func ("/chart/ink", test_ink);
  g_test_add_data_func ("/chart/layers/1", GINT_TO_POINTER (1), test_layers);
  g_test_add_data_func ("/chart/layers/2", GINT_TO_POINTER (2), test_layers);
  g_test_add_func ("/chart/room", test_room);
  g_test_add_data_func ("/chart/grid/1", GINT_TO_POINTER (1), test_grid);
  g_test_add_data_func ("/chart/grid/2", GINT_TO_POINTER (2), test_grid);
  g_test_add_func ("/chart/keys", test_keys);
  g_test_add_func ("/chart/shares", test_shares);
  g_test_add_func ("/chart/patterns", test_patterns);
  g_test_add_func ("/chart/scatter-progress", test_scatter_progress);
  g_test_add_func ("/chart/patterns-over-texts", test_patterns_over_texts);
  g_test_add_func ("/chart/quantity", test_quantity);
  g_test_add_func ("/chart/scatter", test_scatter);
  g_test_add_func ("/chart/texts", test_texts);
  g_test_add_data_func ("/chart/number-of-layer/layers", GINT_TO_POINTER (HL_CHART_LAYERS), test_number_of_layer);
  g_test_add_data_func ("/chart/number-of-layer/grid", GINT_TO_POINTER (HL_CHART_GRID), test_number_of_layer);
  g_test_add_func ("/chart/spread", test_spread);
  g_test_add_func ("/chart/beside", test_beside);
  g_test_add_func ("/chart/difference", test_difference);
  g_test_add_func ("/chart/difference-of-means", test_difference_of_means);
  g_test_add_func ("/chart/difference-of-classes", test_difference_of_classes);
  g_test_add_func ("/chart/difference-of-pairs", test_difference_of_pairs);
  g_test_add_func ("/chart/no-shares", test_no_shares);
  g_test_add_data_func ("/chart/gaps/layers", GINT_TO_POINTER (HL_CHART_LAYERS), test_gaps);
  g_test_add_data_func ("/chart/gaps/grid", GINT_TO_POINTER (HL_CHART_GRID), test_gaps);
  g_test_add_func ("/chart/notices", test_notices);
  g_test_add_func ("/chart/plane", test_plane);
  return g_test_run ();
}
