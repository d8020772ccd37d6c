/* SPDX-License-Identifier: MIT */
/* Two sides in pictures: a view state that shows their difference, and two scenes drawn as one. */
#include "test-scenes.h"

#include "core/test-attentions.h"
#include "draw/export/hl-export.h"
#include "draw/export/hl-pair-scene.h"
#include "draw/paint/hl-colour-map.h"
#include "draw/paint/hl-theme.h"
#include "view/hl-sides.h"

#include <math.h>
#include <string.h>

static HlViewState *
make_state (guint              seed,
            const char *const *tokens)
{
  const gsize n = g_strv_length ((char **) tokens);
  g_autofree float *weights = test_make_weights (seed, 2 * 3, n, n);

  return test_make_state (2, 3, n, n, weights, tokens, 0, (HlMask){ 0 });
}

static const char *const tokens_a[] = { "a", "b", "c", NULL };
static const char *const tokens_b[] = { "a", "x", "c", "d", NULL };
static const char *const common[] = { "a", "b", "x", "c", "d", NULL };

static void
test_state (void)
{
  g_autoptr (HlViewState) state = make_state (1, tokens_a);
  g_autoptr (HlViewState) other = make_state (2, tokens_b);
  const HlPick pick = { .kind = HL_PICK_QUERY, .query = 1 };

  hl_view_state_go_to (state, 1, 2);
  hl_view_state_set_pinned (state, &pick);
  hl_view_state_set_names (state, "one.h5", "two.h5");
  hl_view_state_set_difference (state, hl_view_state_get_attention (other), &(HlHeadPairing){ 0, -1 });
  g_assert_true (g_strv_equal (hl_attention_get_tokens (hl_view_state_get_shown (state)->attention, HL_KEYS), common));
  g_assert_cmpuint (hl_view_state_get_shown (state)->keys.n, ==, 5);
  /* What is pinned is where its token is now. */
  g_assert_cmpint (hl_view_state_get_pinned (state)->kind, ==, HL_PICK_QUERY);
  g_assert_cmpstr (common[hl_view_state_get_pinned (state)->query], ==, tokens_a[1]);
  g_assert_cmpuint (hl_view_state_get_shown (state)->layer, ==, 1);

  g_autofree float *a =
    hl_attention_source_read_head (hl_comparison_get_source_a (hl_view_state_get_shown (state)->comparison), 1, 2, NULL,
                                   NULL);
  g_autofree float *b = hl_attention_source_read_head (hl_view_state_get_shown (other)->source, 0, 2, NULL, NULL);
  g_autofree float *shown = hl_attention_source_read_head (hl_view_state_get_shown (state)->filtered, 1, 2, NULL, NULL);
  g_assert_cmpfloat (shown[3 * 5], ==, b[2 * 4] - a[2 * 3]);
  g_assert_true (isnan (shown[1]));

  g_assert_true (
    hl_shown_is_on_both_sides (hl_view_state_get_shown (state), &(HlPick){ HL_PICK_CELL, .query = 3, .key = 0 }));
  g_assert_false (
    hl_shown_is_on_both_sides (hl_view_state_get_shown (state), &(HlPick){ HL_PICK_CELL, .query = 3, .key = 1 }));
  g_assert_false (hl_shown_is_on_both_sides (hl_view_state_get_shown (state), &(HlPick){ HL_PICK_QUERY, .query = 2 }));
  g_assert_true (hl_shown_is_on_both_sides (hl_view_state_get_shown (other), &(HlPick){ HL_PICK_QUERY, .query = 1 }));

  g_autofree char *text = hl_view_state_describe (state);
  g_assert_cmpstr (text, ==,
                   "difference B − A of attention weight · layer 1 · head 2 · A: one.h5 · B: two.h5 · blue "
                   "above zero, orange below");

  /* What shows how weights are made shows those of the first side. */
  hl_view_state_set_option (state, view, HL_VIEW_STEPS);
  g_assert_null (hl_view_state_get_shown (state)->comparison);
  g_assert_cmpuint (hl_view_state_get_shown (state)->keys.n, ==, 3);
  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  g_assert_nonnull (hl_view_state_get_shown (state)->comparison);

  hl_view_state_set_difference (state, NULL, NULL);
  g_assert_true (hl_view_state_get_shown (state)->attention == hl_view_state_get_attention (state));
  g_assert_false (hl_attention_source_is_signed (hl_view_state_get_shown (state)->filtered));
}

/* Texts of which next to nothing is compared are said to be so. */
static void
test_too_different (void)
{
  const gsize n = 200000;
  g_autofree float *weights = test_make_weights (13, 1, 1, n);
  g_autofree const char **words_a = g_new0 (const char *, n + 1);
  g_autofree const char **words_b = g_new0 (const char *, n + 1);

  for (gsize i = 0; i < n; i++)
    {
      words_a[i] = i == 0 ? "same" : "a";
      words_b[i] = i == 0 ? "same" : "b";
    }
  g_autoptr (HlViewState) state = test_make_state (1, 1, 1, n, weights, words_a, 0, (HlMask){ 0 });
  g_autoptr (HlViewState) other = test_make_state (1, 1, 1, n, weights, words_b, 0, (HlMask){ 0 });

  hl_view_state_set_difference (state, hl_view_state_get_attention (other), &(HlHeadPairing){ -1, -1 });
  g_autofree char *text = hl_view_state_describe (state);
  g_assert_nonnull (strstr (text, " · texts too different to be aligned"));
}

/* What is hidden by hand is hidden on the other side by its alignment. */
static void
test_hidden (void)
{
  g_autoptr (HlViewState) state = make_state (7, tokens_a);
  g_autoptr (HlViewState) other = make_state (8, tokens_b);
  const HlTokenSpan *spans;
  gsize n;

  hl_view_state_set_hidden (other, "k2,k3");
  g_assert_cmpuint (hl_view_state_get_shown (other)->keys.n, ==, 2);
  hl_view_state_hide_like (state, other);
  spans = hl_token_set_get_spans (hl_view_state_get_hidden (state)->sets[HL_KEYS], &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (spans[0].first, ==, 2);
  g_assert_cmpuint (spans[0].n, ==, 1);
  hl_view_state_set_hidden (other, "");
  hl_view_state_hide_like (state, other);
  g_assert_cmpuint (hl_view_state_get_shown (state)->keys.n, ==, 3);
}

/* Heads are combined on both sides before one is subtracted from the other, and rows and columns change over. */
static void
test_lens (void)
{
  g_autoptr (HlViewState) state = make_state (3, tokens_a);
  g_autoptr (HlViewState) other = make_state (4, tokens_a);
  g_autofree float *first = hl_attention_source_read_head (hl_view_state_get_shown (state)->source, 0, 0, NULL, NULL);
  g_autofree float *second = hl_attention_source_read_head (hl_view_state_get_shown (state)->source, 0, 1, NULL, NULL);
  g_autofree float *other_first =
    hl_attention_source_read_head (hl_view_state_get_shown (other)->source, 0, 0, NULL, NULL);
  g_autofree float *other_second =
    hl_attention_source_read_head (hl_view_state_get_shown (other)->source, 0, 1, NULL, NULL);

  hl_view_state_toggle_head (state, 1);
  hl_view_state_set_option (state, combine, HL_COMBINE_MEAN);
  hl_view_state_set_option (state, direction, HL_DIRECTION_TRANSPOSED);
  hl_view_state_set_difference (state, hl_view_state_get_attention (other), NULL);
  g_autofree float *map = hl_attention_source_read_head (hl_view_state_get_shown (state)->filtered, 0, 0, NULL, NULL);
  for (guint i = 0; i < 3; i++)
    for (guint j = 0; j < 3; j++)
      {
        const guint t = j * 3 + i;
        g_assert_cmpfloat_with_epsilon (map[i * 3 + j], (other_first[t] + other_second[t] - first[t] - second[t]) / 2,
                                        1e-6);
      }
}

static guint
count_other_pixels (cairo_surface_t *whole,
                    cairo_surface_t *part,
                    int              left)
{
  guint n = 0;

  cairo_surface_flush (whole);
  cairo_surface_flush (part);
  for (int y = 0; y < cairo_image_surface_get_height (part); y++)
    for (int x = 0; x < cairo_image_surface_get_width (part); x++)
      n += test_get_pixel (whole, x + left, y) != test_get_pixel (part, x, y);
  return n;
}

/* What only one text has stands back in thumbnails, and is told from a difference of zero. */
static void
test_lone (void)
{
  for (gboolean dark = FALSE; dark <= TRUE; dark++)
    {
      g_autoptr (HlViewState) state = make_state (1, tokens_a);
      g_autoptr (HlViewState) other = make_state (2, tokens_b);
      const HlTheme *theme = hl_theme_get (dark);
      const HlColour *hatch = &theme->hatch;
      double x, y, width, height;

      hl_view_state_set_option (state, dark, dark);
      hl_view_state_set_option (state, view, HL_VIEW_MODEL);
      hl_view_state_set_difference (state, hl_view_state_get_attention (other), NULL);
      g_autofree char *text = hl_view_state_describe (state);
      g_assert_nonnull (strstr (text, " · grey: not in both"));

      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_MODEL, state, 600, 500, 1);
      test_prepare (scene);
      g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
      g_assert_true (hl_scene_locate (scene, &(HlPick){ HL_PICK_MAP }, &x, &y, &width, &height));
      for (guint row = 0; row < 5; row++)
        {
          const gboolean lone = row == 1 || row == 2 || row == 4;
          const guint32 pixel = test_get_pixel (picture, x + width * 0.1, y + height * (row + 0.5) / 5);
          const guint32 grey = 0xff000000u | (guint32) lround (hatch->r * 255) << 16 |
                               (guint32) lround (hatch->g * 255) << 8 | (guint32) lround (hatch->b * 255);
          g_assert_true ((pixel == grey) == lone);
        }
    }
}

/* A head that the second side has not is no damage: its cells are not in both, those of other heads are numbers. */
static void
test_head_of_one (void)
{
  static const HlViewKind kinds[] = { HL_VIEW_HEATMAP, HL_VIEW_HEAD_VIEW };
  const HlPick cell = { HL_PICK_CELL, .query = 3, .key = 0 };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (HlViewState) state = make_state (1, tokens_a);
      g_autofree float *weights = test_make_weights (2, 2 * 2, 4, 4);
      g_autoptr (HlViewState) other = test_make_state (2, 2, 4, 4, weights, tokens_b, 0, (HlMask){ 0 });

      hl_view_state_set_option (state, view, kinds[i]);
      hl_view_state_set_difference (state, hl_view_state_get_attention (other), NULL);
      hl_view_state_go_to (state, 1, 2);
      g_autoptr (HlScene) scene = test_make_scene (kinds[i], state, 600, 500, 1);
      test_prepare (scene);
      hl_view_state_set_pinned (state, &(HlPick){ HL_PICK_QUERY, .query = 3 });
      g_autofree char *lacking = hl_scene_describe (scene, &cell);
      if (kinds[i] == HL_VIEW_HEATMAP)
        g_assert_cmpstr (lacking, ==, "c → a: not in both");
      g_assert_null (strstr (lacking, "NaN"));
      hl_view_state_go_to (state, 1, 1);
      test_prepare (scene);
      g_autofree char *both = hl_scene_describe (scene, &cell);
      g_assert_true (g_str_has_prefix (both, "c → a "));
    }
}

static char *
dup_svg (HlScene *scene)
{
  const HlExportOptions options = { HL_EXPORT_SVG, 1, .text_mode = HL_TEXT_GLYPHS };
  g_autoptr (GBytes) bytes = hl_export_scene_to_bytes (scene, &options, NULL, NULL, NULL);

  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

/* Beside a side that has a head which this has not, a head is chosen: what is said of that has as many lines as it takes. */
static void
test_no_such_head (void)
{
  g_autofree float *weights = test_make_weights (2, 2 * 2, 4, 4);
  g_autoptr (HlViewState) a = make_state (1, tokens_b);
  g_autoptr (HlViewState) b = test_make_state (2, 2, 4, 4, weights, tokens_b, 0, (HlMask){ 0 });
  g_autoptr (HlSides) sides = hl_sides_new (a, b, &(HlHeadPairing){ -1, -1 }, NULL);

  hl_view_state_go_to (a, 1, 2);
  hl_view_state_set_beside (b, a);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, b, 260, 400, 1);
  test_prepare (scene);
  g_autofree char *svg = dup_svg (scene);
  g_assert_null (strstr (svg, "selected"));
  g_assert_nonnull (strstr (svg, ">There"));
  g_assert_nonnull (strstr (svg, "here<"));
  hl_view_state_set_beside (b, NULL);
}

/* In cells as in words, what is below zero has a minus sign. */
static void
test_words (void)
{
  g_autoptr (HlViewState) state = make_state (1, tokens_a);
  g_autoptr (HlViewState) other = make_state (2, tokens_b);

  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  hl_view_state_set_difference (state, hl_view_state_get_attention (other), NULL);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 600, 500, 1);
  test_prepare (scene);
  g_autofree char *svg = dup_svg (scene);
  g_assert_nonnull (strstr (svg, ">−0."));
  g_assert_null (strstr (svg, ">-0."));
}

/* Each half of a pair is what its scene is by itself; only where cells of a thumbnail meet within a pixel, cairo may choose the other. */
static void
test_pair (void)
{
  static const HlViewKind kinds[] = { HL_VIEW_HEAD_VIEW, HL_VIEW_HEATMAP, HL_VIEW_MODEL };
  const double width = 360, gap = 9;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (HlViewState) state_left = make_state (5, tokens_a);
      g_autoptr (HlViewState) state_right = make_state (6, tokens_b);
      g_autoptr (HlScene) left = test_make_scene (kinds[i], state_left, width, 315, 1);
      g_autoptr (HlScene) right = test_make_scene (kinds[i], state_right, width, 315, 1);
      g_autoptr (HlScene) inner_left = test_make_scene (kinds[i], state_left, 10, 10, 1);
      g_autoptr (HlScene) inner_right = test_make_scene (kinds[i], state_right, 10, 10, 1);
      g_autoptr (HlScene) pair = hl_pair_scene_new (inner_left, inner_right);
      HlPick pick;

      hl_scene_set_viewport (pair, 2 * width + gap, 315, 1);
      test_prepare (left);
      test_prepare (right);
      test_prepare (pair);
      g_autoptr (cairo_surface_t) whole = test_draw_all (pair);
      g_autoptr (cairo_surface_t) part_left = test_draw_all (left);
      g_autoptr (cairo_surface_t) part_right = test_draw_all (right);
      g_assert_cmpuint (count_other_pixels (whole, part_left, 0), ==, 0);
      g_assert_cmpuint (count_other_pixels (whole, part_right, (int) (width + gap)), <=,
                        kinds[i] == HL_VIEW_MODEL ? 500 : 0);

      for (double x = 20; x < width; x += 40)
        {
          HlPick expected;
          hl_scene_pick (right, x, 150, &expected);
          hl_scene_pick (pair, x + width + gap, 150, &pick);
          g_assert_true (hl_pick_equal (&pick, &expected));
        }
    }
}

/* A job may be freed in the worker that ran it, after all else: scenes are not its to free. */
static void
test_job (void)
{
  g_autoptr (HlViewState) state_left = make_state (5, tokens_a);
  g_autoptr (HlViewState) state_right = make_state (6, tokens_b);
  HlScene *left = test_make_scene (HL_VIEW_HEATMAP, state_left, 10, 10, 1);
  HlScene *right = test_make_scene (HL_VIEW_HEATMAP, state_right, 10, 10, 1);
  HlScene *pair = hl_pair_scene_new (left, right);

  hl_scene_set_viewport (pair, 600, 300, 1);
  g_autoptr (HlSceneJob) job = hl_scene_create_job (pair);
  g_assert_nonnull (job);
  g_assert_finalize_object (pair);
  g_assert_finalize_object (left);
  g_assert_finalize_object (right);
}

/* The colour of a cell beside its number. */
static guint32
get_cell (HlScene *scene,
          gsize    query,
          gsize    key)
{
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  double x, y, width, height;

  g_assert_true (
    hl_scene_locate (scene, &(HlPick){ HL_PICK_CELL, .query = query, .key = key }, &x, &y, &width, &height));
  return test_get_pixel (picture, x + 3, y + 3) & 0xffffff;
}

static void
assert_scale (HlScene *scene,
              double   limit)
{
  HlViewState *state = hl_scene_get_state (scene);
  const gsize n = hl_view_state_get_shown (state)->keys.n;
  g_autofree float *map = hl_attention_source_read_head (hl_view_state_get_shown (state)->source,
                                                         hl_view_state_get_shown (state)->layer,
                                                         hl_view_state_get_shown (state)->head, NULL, NULL);

  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < n; j++)
      {
        const guint32 expected = hl_colour_map_lookup (HL_COLOUR_MAP_VIRIDIS, FALSE, map[i * n + j] / limit);
        g_assert_cmphex (get_cell (scene, i, j), ==, expected & 0xffffff);
      }
}

static double
find_max (HlViewState *state)
{
  const gsize n = hl_view_state_get_shown (state)->keys.n;
  g_autofree float *map = hl_attention_source_read_head (hl_view_state_get_shown (state)->source,
                                                         hl_view_state_get_shown (state)->layer,
                                                         hl_view_state_get_shown (state)->head, NULL, NULL);
  double max = 0;

  for (gsize i = 0; i < n * n; i++)
    max = MAX (max, map[i]);
  return max;
}

static void
assert_common_scale (HlScene *one,
                     HlScene *two)
{
  const double limit = MAX (find_max (hl_scene_get_state (one)), find_max (hl_scene_get_state (two)));

  test_prepare (one);
  test_prepare (two);
  assert_scale (one, limit);
  assert_scale (two, limit);
}

/* Beside one another the same colour is the same number, whichever heads are chosen; apart, each has its own scale. */
static void
test_scale (void)
{
  g_autoptr (HlViewState) state = make_state (9, tokens_a);
  g_autoptr (HlViewState) other = make_state (12, tokens_b);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 500, 400, 1);
  g_autoptr (HlScene) other_scene = test_make_scene (HL_VIEW_HEATMAP, other, 500, 400, 1);

  g_assert_cmpfloat (fabs (find_max (state) - find_max (other)), >, 0.02);
  test_prepare (scene);
  assert_scale (scene, find_max (state));
  hl_view_state_set_beside (state, other);
  hl_view_state_set_beside (other, state);
  assert_common_scale (scene, other_scene);
  for (guint head = 1; head < 3; head++)
    {
      hl_view_state_go_to (head == 1 ? state : other, 1, head);
      assert_common_scale (scene, other_scene);
    }

  /* There is none for weights and differences. */
  g_autoptr (HlViewState) third = make_state (11, tokens_b);
  hl_view_state_set_difference (other, hl_view_state_get_attention (third), NULL);
  test_prepare (scene);
  assert_scale (scene, find_max (state));
  hl_view_state_set_difference (other, NULL, NULL);
  assert_common_scale (scene, other_scene);

  hl_view_state_set_beside (state, NULL);
  hl_view_state_set_beside (other, NULL);
  test_prepare (scene);
  test_prepare (other_scene);
  assert_scale (scene, find_max (state));
  assert_scale (other_scene, find_max (other));
  /* What was beside may be gone any time. */
  hl_view_state_set_beside (state, third);
  g_clear_object (&third);
  g_assert_null (hl_view_state_get_beside (state));
  test_prepare (scene);
  assert_scale (scene, find_max (state));
}

/* Rows of two pictures side by side lie as high, whatever is written over them, however many tokens and heads they have. */
static void
test_rows_beside (void)
{
  for (guint width = 300; width <= 700; width += 200)
    for (guint height = 240; height <= 900; height += 330)
      {
        g_autoptr (HlViewState) state = make_state (9, tokens_a);
        g_autoptr (HlViewState) other = test_make_random_state (1, 40, 17);
        g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, width, height, 1);
        g_autoptr (HlScene) other_scene = test_make_scene (HL_VIEW_HEAD_VIEW, other, width, height, 1);

        hl_view_state_set_option (other, threshold, 0.01);
        hl_view_state_set_option (other, top_mass, 0.9);
        hl_view_state_set_beside (state, other);
        hl_view_state_set_beside (other, state);
        for (gsize i = 0; i < 3; i++)
          {
            const HlPick pick = { HL_PICK_QUERY, .query = i };
            cairo_rectangle_t a, b;
            g_assert_true (hl_scene_locate (scene, &pick, &a.x, &a.y, &a.width, &a.height));
            g_assert_true (hl_scene_locate (other_scene, &pick, &b.x, &b.y, &b.width, &b.height));
            g_assert_cmpfloat (a.y, ==, b.y);
            g_assert_cmpfloat (a.height, ==, b.height);
          }
      }
}

/* Whatever room each has: rows are as high, and chips that stand in one line here and in two there, and captions likewise, push both down as far. */
static void
test_other_width (void)
{
  g_autoptr (HlViewState) a = test_make_random_state (1, 12, 8);
  g_autoptr (HlViewState) b = test_make_random_state (1, 12, 8);

  hl_view_state_go_to (b, 0, 3);
  hl_view_state_set_beside (a, b);
  hl_view_state_set_beside (b, a);
  g_autoptr (HlScene) left = test_make_scene (HL_VIEW_HEAD_VIEW, a, 400, 480, 1);
  g_autoptr (HlScene) right = test_make_scene (HL_VIEW_HEAD_VIEW, b, 400, 480, 1);
  for (int width = 440; width > 200; width--)
    {
      const HlPick first = { .kind = HL_PICK_QUERY, .query = 0 };
      double x, height, y[2], heights[2];
      hl_scene_set_viewport (left, width, 480, 1);
      hl_scene_set_viewport (right, 711 - width, 200 + width, 1);
      hl_scene_set_beside_size (left, 711 - width, 200 + width);
      hl_scene_set_beside_size (right, width, 480);
      g_assert_true (hl_scene_locate (left, &first, &x, &y[0], &height, &heights[0]));
      g_assert_true (hl_scene_locate (right, &first, &x, &y[1], &height, &heights[1]));
      g_assert_cmpfloat (y[0], ==, y[1]);
      g_assert_cmpfloat (heights[0], ==, heights[1]);
    }
  hl_view_state_set_beside (a, NULL);
  hl_view_state_set_beside (b, NULL);
}

/* Cells of two texts are as large, as long as those of both can be seen; and where one map begins, the other does. */
static void
test_cells_beside (void)
{
  static const struct
  {
    gsize n, other;
    gboolean alike;
  } cases[] = { { 5, 12, TRUE }, { 12, 5, TRUE }, { 3, 20, TRUE }, { 4, 90, FALSE } };
  const HlPick corner = { HL_PICK_CELL, .query = 0, .key = 0 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HlViewState) a = test_make_random_state (1, 1, cases[i].n);
      g_autoptr (HlViewState) b = test_make_random_state (1, 1, cases[i].other);
      g_autoptr (HlScene) left = test_make_scene (HL_VIEW_HEATMAP, a, 480, 480, 1);
      g_autoptr (HlScene) right = test_make_scene (HL_VIEW_HEATMAP, b, 480, 480, 1);
      HlScene *const scenes[] = { left, right };
      cairo_rectangle_t boxes[2];

      hl_view_state_set_beside (a, b);
      hl_view_state_set_beside (b, a);
      for (guint j = 0; j < 2; j++)
        {
          double width, height;
          g_assert_true (
            hl_scene_locate (scenes[j], &corner, &boxes[j].x, &boxes[j].y, &boxes[j].width, &boxes[j].height));
          hl_scene_measure (scenes[j], &width, &height);
          g_assert_cmpfloat (MAX (width, height), <=, 480);
        }
      g_assert_cmpfloat (boxes[0].y, ==, boxes[1].y);
      if (cases[i].alike)
        g_assert_cmpfloat (boxes[0].height, ==, boxes[1].height);
      else
        g_assert_cmpfloat (MAX (boxes[0].height, boxes[1].height), >=, 40);
    }
}

/* Words over the columns are slanted: maps of two texts begin as high and, of as many tokens, their cells are as large, whichever text has the longer words. */
static void
test_maps_beside (void)
{
  static const char *const words[][4] = { { "a", "b", "c", NULL }, { "a", "incomprehensibilities", "c", NULL } };
  const HlPick corner = { HL_PICK_CELL, .query = 0, .key = 0 };
  const HlPick next = { HL_PICK_CELL, .query = 1, .key = 1 };

  for (guint longer = 0; longer < 2; longer++)
    {
      g_autoptr (HlViewState) a = make_state (9, words[longer]);
      g_autoptr (HlViewState) b = make_state (17, words[1 - longer]);
      g_autoptr (HlScene) left = test_make_scene (HL_VIEW_HEATMAP, a, 420, 480, 1);
      g_autoptr (HlScene) right = test_make_scene (HL_VIEW_HEATMAP, b, 420, 480, 1);
      HlScene *const scenes[] = { left, right };
      cairo_rectangle_t corners[2], others[2];
      double alone[2];

      for (guint i = 0; i < 2; i++)
        {
          g_assert_true (
            hl_scene_locate (scenes[i], &corner, &corners[i].x, &corners[i].y, &corners[i].width, &corners[i].height));
          alone[i] = corners[i].y;
        }
      g_assert_cmpfloat (alone[1 - longer], >, alone[longer] + 20);
      hl_view_state_set_beside (a, b);
      hl_view_state_set_beside (b, a);
      for (guint i = 0; i < 2; i++)
        {
          g_assert_true (
            hl_scene_locate (scenes[i], &corner, &corners[i].x, &corners[i].y, &corners[i].width, &corners[i].height));
          g_assert_true (
            hl_scene_locate (scenes[i], &next, &others[i].x, &others[i].y, &others[i].width, &others[i].height));
          g_assert_cmpfloat (corners[i].y, ==, alone[1 - longer]);
        }
      g_assert_cmpfloat (corners[0].height, ==, corners[1].height);
      g_assert_cmpfloat (others[0].y, ==, others[1].y);
      /* Nothing is left of it when there is one text. */
      hl_view_state_set_beside (a, NULL);
      hl_view_state_set_beside (b, NULL);
      for (guint i = 0; i < 2; i++)
        {
          g_assert_true (
            hl_scene_locate (scenes[i], &corner, &corners[i].x, &corners[i].y, &corners[i].width, &corners[i].height));
          g_assert_cmpfloat (corners[i].y, ==, alone[i]);
        }
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/comparison/state", test_state);
  g_test_add_func ("/comparison/too-different", test_too_different);
  g_test_add_func ("/comparison/hidden", test_hidden);
  g_test_add_func ("/comparison/lens", test_lens);
  g_test_add_func ("/comparison/lone", test_lone);
  g_test_add_func ("/comparison/head-of-one", test_head_of_one);
  g_test_add_func ("/comparison/no-such-head", test_no_such_head);
  g_test_add_func ("/comparison/words", test_words);
  g_test_add_func ("/comparison/pair", test_pair);
  g_test_add_func ("/comparison/job", test_job);
  g_test_add_func ("/comparison/scale", test_scale);
  g_test_add_func ("/comparison/rows-beside", test_rows_beside);
  g_test_add_func ("/comparison/other-width", test_other_width);
  g_test_add_func ("/comparison/maps-beside", test_maps_beside);
  g_test_add_func ("/comparison/cells-beside", test_cells_beside);
  return g_test_run ();
}
