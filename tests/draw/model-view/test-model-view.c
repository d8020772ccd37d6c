/* SPDX-License-Identifier: MIT */
/* The model view: its pixels against pooling and colours written out here, its picks against its pixels, and what it says. */
#include <string.h>

#include "core/document/hl-document.h"
#include "core/test-attentions.h"
#include "draw/paint/hl-colour-map.h"
#include "draw/paint/hl-theme.h"
#include "test-heads.h"
#include "test-scenes.h"

#define N_LAYERS 3
#define N_HEADS 5

static guint32
to_pixel (const HlColour *colour)
{
  return 0xFF000000u | (guint32) lround (colour->r * 255) << 16 | (guint32) lround (colour->g * 255) << 8 |
         (guint32) lround (colour->b * 255);
}

/* The largest weight that a pixel stands for, of @n × @n shown in @size × @size pixels; NaN if all of them are masked. */
static float
pool (const float *weights,
      gsize        n,
      gboolean     causal,
      gsize        row,
      gsize        n_rows,
      gsize        column,
      gsize        n_columns)
{
  float largest = NAN;

  for (gsize i = row * n / n_rows; i < (row + 1) * n / n_rows; i++)
    for (gsize j = column * n / n_columns; j < (column + 1) * n / n_columns; j++)
      if ((!causal || j <= i) && !(largest >= weights[i * n + j]))
        largest = weights[i * n + j];
  return largest;
}

/* The greatest weight that is the end of the scale: of all, or of the pixels that have nothing of the diagonal. */
static float
find_greatest (const float *weights,
               gsize        n,
               gsize        n_rows,
               gsize        n_columns,
               gboolean     off_diagonal)
{
  float max = 0;

  for (gsize row = 0; row < n_rows; row++)
    for (gsize column = 0; column < n_columns; column++)
      {
        const gboolean touches = row * n / n_rows < (column + 1) * n / n_columns &&
                                 column * n / n_columns < (row + 1) * n / n_rows;
        if (!off_diagonal || !touches)
          max = MAX (max, pool (weights, n, FALSE, row, n_rows, column, n_columns));
      }
  return max;
}

/* The pixels of one thumbnail, each computed by itself. */
static void
check_thumbnail (HlScene         *scene,
                 cairo_surface_t *picture,
                 const float     *weights,
                 gsize            n,
                 gboolean         causal,
                 const HlPick    *pick)
{
  HlViewState *state = hl_scene_get_state (scene);
  const gboolean dark = hl_view_state_get_options (state)->dark;
  double x, y, width, height, scale;

  hl_scene_get_viewport (scene, NULL, NULL, &scale);
  g_assert_true (hl_scene_locate (scene, pick, &x, &y, &width, &height));
  const gsize pixels_x = (gsize) lround (width * scale);
  const gsize pixels_y = (gsize) lround (height * scale);
  const gsize n_columns = MIN (n, pixels_x);
  const gsize n_rows = MIN (n, pixels_y);
  const float max = find_greatest (weights, n, n_rows, n_columns,
                                   hl_view_state_get_options (state)->value_scale == HL_VALUE_SCALE_OFF_DIAGONAL);

  for (gsize py = 0; py < pixels_y; py++)
    for (gsize px = 0; px < pixels_x; px++)
      {
        /* Where the middle of a pixel is just between two cells, either is right. */
        if ((2 * py + 1) * n_rows % (2 * pixels_y) == 0 || (2 * px + 1) * n_columns % (2 * pixels_x) == 0)
          continue;
        const gsize row = (gsize) ((py + 0.5) * n_rows / pixels_y);
        const gsize from_first = hl_view_state_reads_right_to_left (state) ? pixels_x - 1 - px : px;
        const gsize column = (gsize) ((from_first + 0.5) * n_columns / pixels_x);
        const float value = pool (weights, n, causal, row, n_rows, column, n_columns);
        const guint32 wanted = value != value ? to_pixel (&hl_theme_get (dark)->masked)
                                              : hl_colour_map_lookup (hl_view_state_get_options (state)->colour_map,
                                                                      dark, MIN (value / max, 1));
        const guint32 found = test_get_pixel (picture, x + (px + 0.5) / scale, y + (py + 0.5) / scale);

        for (guint shift = 0; shift < 24; shift += 8)
          g_assert_cmpint (ABS ((int) (found >> shift & 0xFF) - (int) (wanted >> shift & 0xFF)), <=, 1);
      }
}

/* Fewer pixels than tokens, and more; both themes; 1× and 2×; with and without a mask; read from either side; and all again of strong
 * diagonals, which the scale leaves out. */
static void
test_pixels (gconstpointer user_data)
{
  const guint variant = GPOINTER_TO_UINT (user_data);
  const gsize n = variant & 1 ? 100 : 9;
  const gboolean causal = (variant & 8) != 0;
  g_autofree float *weights = test_make_weights (3, N_LAYERS * N_HEADS, n, n);
  g_autofree const char **tokens = g_new0 (const char *, n + 1);

  for (gsize i = 0; i < n; i++)
    tokens[i] = "i";
  for (gsize i = 0; causal && i < N_LAYERS * N_HEADS * n * n; i++)
    if (i % n > i / n % n)
      weights[i] = 0;
  for (gsize i = 0; variant & 32 && i < N_LAYERS * N_HEADS * n; i++)
    weights[i * n + i % n] += 9;
  g_autoptr (HlViewState) state = test_make_state (N_LAYERS, N_HEADS, n, n, weights, tokens, 0, (HlMask){ causal, 0 });
  hl_view_state_set_option (state, value_scale, variant & 32 ? HL_VALUE_SCALE_OFF_DIAGONAL : HL_VALUE_SCALE_AUTO);
  hl_view_state_set_option (state, dark, (variant & 2) != 0);
  hl_view_state_set_option (state, colour_map, HL_COLOUR_MAP_PAPER);
  hl_view_state_set_option (state, reading, variant & 16 ? HL_READING_RIGHT_TO_LEFT : HL_READING_AUTO);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_MODEL, state, 420, 300, variant & 4 ? 2 : 1);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  for (guint layer = 0; layer < N_LAYERS; layer++)
    for (guint head = 0; head < N_HEADS; head++)
      {
        const HlPick pick = { HL_PICK_MAP, .head = head, .layer = layer };
        check_thumbnail (scene, picture, weights + (layer * N_HEADS + head) * n * n, n, causal, &pick);
      }
}

/* Each head has a colour of its own behind its first column, so that pixels tell which head they belong to. */
static void
test_pick (void)
{
  const gsize n = 4;
  g_autofree float *weights = g_new (float, N_LAYERS *N_HEADS *n *n);
  const char *const tokens[] = { "a", "b", "c", "d", NULL };
  guint n_found = 0;

  for (gsize i = 0; i < N_LAYERS * N_HEADS * n * n; i++)
    weights[i] = i % n == 0 ? 1 : (float) (i / (n * n) + 1) / (N_LAYERS * N_HEADS + 1);
  g_autoptr (HlViewState) state = test_make_state (N_LAYERS, N_HEADS, n, n, weights, tokens, 0, (HlMask){ FALSE, 0 });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_MODEL, state, 500, 400, 1);
  hl_scene_zoom (scene, 1.7, 300, 200);
  hl_scene_set_scroll (scene, 100, 60);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  for (guint y = 0; y < 400; y++)
    for (guint x = 0; x < 500; x++)
      {
        const guint32 found = test_get_pixel (picture, x + 0.5, y + 0.5);
        double box_x, box_y, width, height;
        HlPick pick;

        hl_scene_pick (scene, x + 0.5, y + 0.5, &pick);
        if (found != 0)
          g_assert_cmpint (pick.kind, ==, HL_PICK_MAP);
        if (pick.kind != HL_PICK_MAP)
          continue;
        g_assert_true (hl_scene_locate (scene, &pick, &box_x, &box_y, &width, &height));
        if (found == 0 || x + 0.5 < box_x + width / n + 1)
          continue;
        g_assert_cmphex (found, ==,
                         hl_colour_map_lookup (HL_COLOUR_MAP_VIRIDIS, FALSE,
                                               weights[(pick.layer * N_HEADS + pick.head) * n * n + 1]));
        n_found++;
      }
  g_assert_cmpuint (n_found, >, 20000);
}

/* Layers of another number of heads: what is not there is neither found nor painted. */
static void
test_uneven (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "fixtures", "group-heads-differ.h5", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, NULL);
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, NULL);
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_MODEL, state, 500, 400, 1);
  const HlPick last = { HL_PICK_MAP, .head = 5, .layer = 2 }, none = { HL_PICK_MAP, .head = 1, .layer = 1 };
  double x, y, width, height;
  HlPick pick;

  test_prepare (scene);
  g_assert_false (hl_scene_locate (scene, &none, &x, &y, &width, &height));
  g_assert_null (hl_scene_describe (scene, &none));
  g_assert_true (hl_scene_locate (scene, &last, &x, &y, &width, &height));
  hl_scene_pick (scene, x + width / 2, y + height / 2, &pick);
  g_assert_true (hl_pick_equal (&pick, &last));
  hl_scene_pick (scene, x + width / 2, y - height / 2, &pick);
  g_assert_cmpint (pick.kind, ==, HL_PICK_NONE);
}

/* Sorted heads are made and drawn where the first layer has none; arrow keys go from layer to layer that has some, and stay where none follows. */
static void
test_gaps (void)
{
  g_autoptr (HlViewState) state = test_make_gaps_state (10, 3, 4);
  const HlPick picks[] = { { HL_PICK_MAP, .head = 1, .layer = 3 }, { HL_PICK_MAP, .head = 1, .layer = 7 } };

  for (guint sorted = 0; sorted < 2; sorted++)
    {
      hl_view_state_set_option (state, view, HL_VIEW_MODEL);
      hl_view_state_set_option (state, sort, sorted ? HL_HEAD_MEASURE_ENTROPY : HL_HEAD_MEASURE_NONE);
      g_assert_true (hl_view_state_complete_numbers (state, NULL, NULL));
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_MODEL, state, 500, 400, 1);
      test_prepare (scene);
      g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
      g_assert_false (test_is_blank (picture));
      if (sorted)
        continue;
      for (int direction = -1; direction <= 1; direction += 2)
        for (guint to_end = 0; to_end < 2; to_end++)
          {
            const HlPick *last = &picks[direction > 0];
            HlPick pick = picks[direction < 0];

            for (guint step = 0; step < 2; step++)
              {
                hl_scene_move (scene, &pick, 0, direction, to_end);
                g_assert_true (hl_pick_equal (&pick, last));
              }
          }
    }
}

/* Heads as high as wide: in rows of layers, sorted under their names, and zoomed. */
static void
test_square (void)
{
  static const double sizes[][2] = { { 500, 400 }, { 300, 900 }, { 1200, 200 } };
  g_autoptr (HlViewState) state = test_make_random_state (N_LAYERS, N_HEADS, 20);
  const HlPick wanted = { HL_PICK_MAP, .layer = 1, .head = 1 };

  hl_view_state_set_option (state, square_cells, TRUE);
  g_assert_true (hl_view_state_complete_numbers (state, NULL, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (sizes) * 2; i++)
    {
      hl_view_state_set_option (state, sort, i % 2 == 0 ? HL_HEAD_MEASURE_NONE : HL_HEAD_MEASURE_ENTROPY);
      g_assert_true (hl_view_state_complete_numbers (state, NULL, NULL));
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_MODEL, state, sizes[i / 2][0], sizes[i / 2][1], 1);
      double x, y, width, height;

      test_prepare (scene);
      for (guint step = 0; step < 3; step++)
        {
          g_assert_true (hl_scene_locate (scene, &wanted, &x, &y, &width, &height));
          g_assert_cmpfloat_with_epsilon (width, height, 1e-6);
          hl_scene_zoom (scene, 1.5, x, y);
        }
    }
}

/* From all heads to one and back, the head under the pointer staying there. */
static void
test_zoom (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (N_LAYERS, N_HEADS, 20);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_MODEL, state, 500, 400, 1);
  const HlPick wanted = { HL_PICK_MAP, .head = 3, .layer = 1 };
  double x, y, width, height, all_width, all_height;
  HlPick pick;

  hl_view_state_set_option (state, square_cells, FALSE);
  hl_scene_measure (scene, &all_width, &all_height);
  g_assert_cmpfloat (all_width, <=, 500);
  g_assert_cmpfloat (all_height, <=, 400);
  g_assert_true (hl_scene_locate (scene, &wanted, &x, &y, &width, &height));
  x += width / 2;
  y += height / 2;
  for (guint i = 0; i < 30; i++)
    {
      hl_scene_zoom (scene, 1.1, x, y);
      hl_scene_pick (scene, x, y, &pick);
      g_assert_true (hl_pick_equal (&pick, &wanted));
    }
  g_assert_true (hl_scene_locate (scene, &wanted, &x, &y, &width, &height));
  g_assert_cmpfloat (width, >, 400);
  g_assert_cmpfloat (height, >, 280);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  g_assert_false (test_is_blank (picture));

  hl_scene_fit (scene);
  g_assert_cmpfloat (hl_scene_get_zoom (scene), ==, 0);
  hl_scene_measure (scene, &width, &height);
  g_assert_cmpfloat (width, ==, all_width);
  g_assert_cmpfloat (height, ==, all_height);
}

/* What is said of a head, and shown of it beside the pointer, comes with a job. */
static void
test_hover (void)
{
  const float weights[] = { 1, 0, 0.5f, 0.5f, 0.25f, 0.75f, 1, 0 };
  const char *const tokens[] = { "[CLS]", "time", NULL };
  g_autoptr (HlViewState) state = test_make_state (1, 2, 2, 2, weights, tokens, 0, (HlMask){ FALSE, 0 });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_MODEL, state, 700, 500, 1);
  const HlPick pick = { HL_PICK_MAP, .head = 1, .layer = 0 };

  test_prepare (scene);
  g_autofree char *before = hl_scene_describe (scene, &pick);
  g_assert_cmpstr (before, ==, "layer 0 · head 1");
  g_autoptr (cairo_surface_t) without = test_draw_part (scene, HL_SCENE_OVERLAY);
  hl_view_state_set_hovered (state, &pick);
  test_prepare (scene);
  g_autofree char *after = hl_scene_describe (scene, &pick);
  g_assert_cmpstr (
    after, ==,
    "layer 0 · head 1: entropy 0.28, mean distance 0.88, on the first token 63 %, on special tokens 63 %, "
    "on the previous token 50 %, on the next token 38 %, on itself 13 %, in the sink 63 %");
  g_autoptr (cairo_surface_t) with = test_draw_part (scene, HL_SCENE_OVERLAY);
  double x, y, width, height;
  g_assert_true (hl_scene_locate (scene, &pick, &x, &y, &width, &height));
  g_assert_cmphex (test_get_pixel (without, x - 16, y + height / 2), ==, 0);
  g_assert_cmphex (test_get_pixel (with, x - 16, y + height / 2), ==, 0xFFFFFFFF);

  /* A map has no token in focus, and is nowhere in another view. */
  g_assert_cmpint (hl_view_state_get_focus (state)->kind, ==, HL_PICK_NONE);
  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  g_assert_cmpint (hl_view_state_get_hovered (state)->kind, ==, HL_PICK_NONE);
}

/* How many rows of pixels the card beside the first map has. */
static guint
measure_card (HlViewState *state,
              HlScene     *scene)
{
  const HlPick pick = { HL_PICK_MAP, .head = 0, .layer = 0 };
  double x, y, width, height;
  guint n = 0;

  hl_view_state_set_hovered (state, &pick);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) overlay = test_draw_part (scene, HL_SCENE_OVERLAY);
  g_assert_true (hl_scene_locate (scene, &pick, &x, &y, &width, &height));
  for (int row = 0; row < 700; row++)
    n += test_get_pixel (overlay, x + width + 25, row) != 0 || test_get_pixel (overlay, x - 25, row) != 0;
  hl_view_state_set_hovered (state, NULL);
  return n;
}

/* A name that is too long for the card has a line more, and is not cut. */
static void
test_long_name (void)
{
  g_autofree float *weights = test_make_weights (3, 144, 3, 3);
  g_autoptr (HlViewState) state = test_make_state (12, 12, 3, 3, weights, NULL, 0, (HlMask){ 0 });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_MODEL, state, 900, 700, 1);

  const guint one_line = measure_card (state, scene);
  hl_view_state_select_all_heads (state);
  hl_view_state_set_option (state, combine, HL_COMBINE_MEAN);
  const guint two_lines = measure_card (state, scene);
  g_assert_cmpuint (one_line, >, 100);
  g_assert_cmpuint (two_lines, ==, one_line + 17);
  /* Where a panel tells of the head there is none. */
  hl_scene_set_has_cards (scene, FALSE);
  g_assert_false (hl_scene_get_has_cards (scene));
  g_assert_cmpuint (measure_card (state, scene), <, one_line / 4);
}

/* As lines, pixels and strokes make the same picture. */
static void
test_lines (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (2, 3, 6);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_MODEL, state, 500, 400, 1);

  hl_view_state_set_option (state, thumbnails, HL_THUMBNAIL_LINES);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) pixels = test_draw_part (scene, HL_SCENE_PICTURE);
  g_assert_false (test_is_blank (pixels));
  g_object_set (scene, "vector", TRUE, NULL);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) strokes = test_draw_part (scene, HL_SCENE_PICTURE);
  test_assert_similar ("model-view-lines", pixels, strokes, 110, 1.2);

  /* Read from the other side, each is mirrored where it is. */
  for (guint vector = 0; vector < 2; vector++)
    {
      g_object_set (scene, "vector", vector == 1, NULL);
      hl_view_state_set_option (state, reading, HL_READING_RIGHT_TO_LEFT);
      test_prepare (scene);
      g_autoptr (cairo_surface_t) from_right = test_draw_part (scene, HL_SCENE_PICTURE);
      g_autoptr (cairo_surface_t) mirrored = test_make_surface (scene);
      g_autoptr (cairo_t) cr = cairo_create (mirrored);
      for (guint i = 0; i < 6; i++)
        {
          const HlPick pick = { HL_PICK_MAP, .head = i % 3, .layer = i / 3 };
          double x, y, width, height;

          g_assert_true (hl_scene_locate (scene, &pick, &x, &y, &width, &height));
          cairo_save (cr);
          cairo_rectangle (cr, x, y, width, height);
          cairo_clip (cr);
          cairo_translate (cr, 2 * x + width, 0);
          cairo_scale (cr, -1, 1);
          cairo_set_source_surface (cr, from_right, 0, 0);
          cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
          cairo_paint (cr);
          cairo_restore (cr);
        }
      test_assert_similar ("model-view-mirrored", mirrored, vector ? strokes : pixels, 24, 0.6);
    }
}

/* Numbers that another choice of tokens has outdated are not painted; another colour is only another look. */
static void
test_stale (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (N_LAYERS, N_HEADS, 12);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_MODEL, state, 500, 400, 1);
  g_autoptr (HlSceneJob) job = hl_scene_create_job (scene);

  g_assert_true (hl_scene_job_run (job, NULL, NULL));
  hl_view_state_set_option (state, threshold, 0.2);
  hl_scene_accept (scene, job);
  g_autoptr (cairo_surface_t) none = test_draw_part (scene, HL_SCENE_PICTURE);
  g_assert_true (test_is_blank (none));
  test_prepare (scene);
  g_autoptr (cairo_surface_t) filtered = test_draw_part (scene, HL_SCENE_PICTURE);
  g_assert_false (test_is_blank (filtered));

  hl_view_state_set_option (state, colour_map, HL_COLOUR_MAP_MAGMA);
  g_autoptr (cairo_surface_t) still = test_draw_part (scene, HL_SCENE_PICTURE);
  test_assert_similar ("model-view-still", still, filtered, 0, 0);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) other = test_draw_part (scene, HL_SCENE_PICTURE);
  g_assert_cmpint (memcmp (cairo_image_surface_get_data (other), cairo_image_surface_get_data (still), 500 * 400 * 4),
                   !=, 0);
  /* Layer and head of the state change nothing of it. */
  hl_view_state_go_to (state, 2, 2);
  g_assert_null (hl_scene_create_job (scene));
}

static void
test_caption (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (N_LAYERS, N_HEADS, 12);

  hl_view_state_set_option (state, view, HL_VIEW_MODEL);
  hl_view_state_set_option (state, value_scale, HL_VALUE_SCALE_LOG);
  g_autofree char *heatmaps = hl_view_state_describe (state);
  g_assert_cmpstr (heatmaps, ==,
                   "attention weight · 3 layers × 5 heads · each head up to its own maximum · Logarithmic");
  /* Of these the scale says it: colours do not reach to the maximum of a head. */
  hl_view_state_set_option (state, value_scale, HL_VALUE_SCALE_ROW);
  g_autofree char *rows = hl_view_state_describe (state);
  g_assert_cmpstr (rows, ==, "attention weight · 3 layers × 5 heads · Each row by itself");
  hl_view_state_set_option (state, value_scale, HL_VALUE_SCALE_CUMULATIVE);
  g_autofree char *cumulative = hl_view_state_describe (state);
  g_assert_cmpstr (cumulative, ==, "attention weight · 3 layers × 5 heads · Cumulative mass");
  hl_view_state_set_option (state, direction, HL_DIRECTION_ASYMMETRY);
  g_autofree char *asymmetry = hl_view_state_describe (state);
  g_assert_nonnull (strstr (asymmetry, "each head up to its own greatest magnitude"));
  hl_view_state_set_option (state, direction, HL_DIRECTION_AS_IS);
  hl_view_state_set_option (state, thumbnails, HL_THUMBNAIL_LINES);
  g_autofree char *lines = hl_view_state_describe (state);
  g_assert_cmpstr (lines, ==, "attention weight · 3 layers × 5 heads · lines to the strongest of each map");
}

/* Sorted by a statistic: places, picks and words follow the numbers. */
static void
test_sorted (void)
{
  const gsize n = 9;
  g_autofree float *weights = test_make_weights (5, N_LAYERS * N_HEADS, n, n);
  const char *const tokens[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", NULL };
  g_autoptr (HlViewState) state = test_make_state (N_LAYERS, N_HEADS, n, n, weights, tokens, 0, (HlMask){ FALSE, 0 });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_MODEL, state, 500, 420, 1);
  const HlPick first = { HL_PICK_MAP, .head = 0, .layer = 0 };
  HlPick pick, before = { HL_PICK_NONE };
  double x, y, width, height, last_x = -1, last_y = -1;

  hl_view_state_set_option (state, view, HL_VIEW_MODEL);
  hl_view_state_set_option (state, sort, HL_HEAD_MEASURE_SELF);
  g_assert_true (hl_view_state_get_wanted_numbers (state) != 0);
  /* Nothing is known: as it was. */
  g_assert_true (hl_scene_locate (scene, &first, &x, &y, &width, &height));
  hl_scene_pick (scene, x + width / 2, y + height / 2, &pick);
  g_assert_true (hl_pick_equal (&pick, &first));

  g_assert_true (hl_view_state_complete_numbers (state, NULL, NULL));
  g_assert_true (hl_view_state_get_wanted_numbers (state) == 0);
  HlHeadNumbers *numbers = hl_view_state_get_numbers (state);
  g_autofree guint *order = hl_head_numbers_sort (numbers, HL_HEAD_MEASURE_SELF);
  for (guint i = 0; i < N_LAYERS * N_HEADS; i++)
    {
      const HlPick map = { HL_PICK_MAP, .head = order[i] % N_HEADS, .layer = order[i] / N_HEADS };
      double self = 0;

      for (gsize query = 0; query < n; query++)
        self += weights[(order[i] * n + query) * n + query] / (double) n;
      g_assert_cmpfloat_with_epsilon (hl_head_numbers_get (numbers, HL_HEAD_MEASURE_SELF, order[i]), self, 1e-6);
      g_assert_true (hl_scene_locate (scene, &map, &x, &y, &width, &height));
      g_assert_true (y > last_y || (y == last_y && x > last_x));
      hl_scene_pick (scene, x + width / 2, y + height / 2, &pick);
      g_assert_true (hl_pick_equal (&pick, &map));
      if (before.kind != HL_PICK_NONE && y == last_y)
        {
          hl_scene_move (scene, &before, 1, 0, FALSE);
          g_assert_true (hl_pick_equal (&before, &map));
        }
      before = map;
      last_x = x;
      last_y = y;
    }
  g_autofree char *text = hl_view_state_describe (state);
  g_assert_nonnull (strstr (text, "sorted by weight on itself"));
  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  check_thumbnail (scene, picture, weights + order[3] * n * n, n, FALSE,
                   &(HlPick){ HL_PICK_MAP, .head = order[3] % N_HEADS, .layer = order[3] / N_HEADS });

  /* Where heads are combined there is nothing to sort. */
  hl_view_state_set_option (state, combine, HL_COMBINE_MEAN);
  g_autofree char *combined = hl_view_state_describe (state);
  g_assert_null (strstr (combined, "sorted"));
  g_assert_true (hl_scene_locate (scene, &first, &x, &y, &width, &height));
}

/* Frames by the weight of a pair: colours from the least to the greatest, and words. */
static void
test_frames (void)
{
  const gsize n = 4;
  g_autofree float *weights = g_new0 (float, N_LAYERS *N_HEADS *n *n);
  const char *const tokens[] = { "a", "b", "her", "sarah", NULL };
  const guint n_maps = N_LAYERS * N_HEADS;

  for (guint map = 0; map < n_maps; map++)
    weights[(map * n + 2) * n + 3] = (float) map / n_maps;
  g_autoptr (HlViewState) state = test_make_state (N_LAYERS, N_HEADS, n, n, weights, tokens, 0, (HlMask){ FALSE, 0 });
  hl_view_state_set_option (state, view, HL_VIEW_MODEL);
  hl_view_state_set_option (state, colour_by, HL_HEAD_MEASURE_PAIR);
  g_assert_false (hl_view_state_wants_ranking (state));
  g_assert_cmpint (hl_view_state_get_applied_colour_by (state), ==, HL_HEAD_MEASURE_NONE);
  hl_view_state_set_pairs (state, "her → Sarah");
  g_assert_true (hl_view_state_wants_ranking (state));
  g_assert_true (hl_view_state_complete_numbers (state, NULL, NULL));

  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_MODEL, state, 420, 300, 1);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) backdrop = test_draw_part (scene, HL_SCENE_BACKDROP);
  for (guint map = 0; map < n_maps; map++)
    {
      const HlPick pick = { HL_PICK_MAP, .head = map % N_HEADS, .layer = map / N_HEADS };
      const guint32 wanted = hl_colour_map_lookup (HL_COLOUR_MAP_PAPER, FALSE, (double) map / (n_maps - 1));
      double x, y, width, height;

      g_assert_true (hl_scene_locate (scene, &pick, &x, &y, &width, &height));
      const guint32 found = test_get_pixel (backdrop, x - 2.5, y + height / 2);
      for (guint shift = 0; shift < 24; shift += 8)
        g_assert_cmpint (ABS ((int) (found >> shift & 0xFF) - (int) (wanted >> shift & 0xFF)), <=, 1);
    }
  /* What is chosen is not told by its colour: around its frame, which stays, is another, and in its corner is a tick. */
  g_autoptr (cairo_surface_t) overlay = test_draw_part (scene, HL_SCENE_OVERLAY);
  for (guint head = 0; head < 2; head++)
    {
      const HlPick pick = { HL_PICK_MAP, .head = head, .layer = 0 };
      double x, y, width, height;

      g_assert_cmpint (hl_head_set_contains (&hl_view_state_get_shown (state)->heads, head), ==, head == 0);
      g_assert_true (hl_scene_locate (scene, &pick, &x, &y, &width, &height));
      g_assert_cmphex (test_get_pixel (overlay, x - 2.5, y + height / 2), ==, 0);
      g_assert_cmpint (test_get_pixel (overlay, x + width / 2, y - 5.5) != 0, ==, head == 0);
      g_assert_cmpint (test_get_pixel (overlay, x + width - 8, y + 3) != 0, ==, head == 0);
      g_assert_cmphex (test_get_pixel (overlay, x + width / 2, y + height / 2), ==, 0);
    }
  g_autofree char *text = hl_view_state_describe (state);
  g_assert_nonnull (strstr (text, "frames: weight her → Sarah"));
  g_autofree char *said = hl_scene_describe (scene, &(HlPick){ HL_PICK_MAP, .head = 3, .layer = 2 });
  g_assert_nonnull (strstr (said, ": her → Sarah 0.87 (2 of 15)"));

  /* One head says how it links the words, and which place that is. */
  hl_view_state_set_option (state, view, HL_VIEW_HEAD_VIEW);
  hl_view_state_go_to (state, 2, 3);
  g_autofree char *title = hl_view_state_describe (state);
  g_assert_nonnull (strstr (title, "weight her → Sarah 0.87 · rank 2 of 15"));
  /* Of several together no rank is theirs. */
  hl_view_state_toggle_head_of (state, 0, 1);
  g_autofree char *together = hl_view_state_describe (state);
  g_assert_nonnull (strstr (together, "heads 2.3, 0.1 (layer.head)"));
  g_assert_null (strstr (together, "rank"));
  hl_view_state_toggle_head_of (state, 0, 1);
  hl_view_state_set_pairs (state, "her → Sarah\nSarah → her");
  g_autofree char *stale = hl_view_state_describe (state);
  g_assert_null (strstr (stale, "rank"));
  g_assert_true (hl_view_state_complete_numbers (state, NULL, NULL));
  g_autofree char *mean = hl_view_state_describe (state);
  g_assert_nonnull (strstr (mean, "mean weight of 2 pairs 0.43 · rank 2 of 15"));
  hl_view_state_set_pairs (state, "her → nobody");
  g_assert_null (hl_view_state_get_found_pairs (state));
  hl_view_state_set_pairs (state, "");
  g_assert_null (hl_view_state_get_pairs (state));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint variant = 0; variant < 64; variant++)
    {
      g_autofree char *path = g_strdup_printf ("/model-view/pixels/%u", variant);
      g_test_add_data_func (path, GUINT_TO_POINTER (variant), test_pixels);
    }
  g_test_add_func ("/model-view/pick", test_pick);
  g_test_add_func ("/model-view/uneven", test_uneven);
  g_test_add_func ("/model-view/gaps", test_gaps);
  g_test_add_func ("/model-view/square", test_square);
  g_test_add_func ("/model-view/zoom", test_zoom);
  g_test_add_func ("/model-view/hover", test_hover);
  g_test_add_func ("/model-view/long-name", test_long_name);
  g_test_add_func ("/model-view/lines", test_lines);
  g_test_add_func ("/model-view/stale", test_stale);
  g_test_add_func ("/model-view/caption", test_caption);
  g_test_add_func ("/model-view/sorted", test_sorted);
  g_test_add_func ("/model-view/frames", test_frames);
  return g_test_run ();
}
