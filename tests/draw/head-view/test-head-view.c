/* SPDX-License-Identifier: MIT */
/* The head view against plain strokes, its picks against its pixels, and what happens to jobs that come late. */
#include "test-scenes.h"

#include <string.h>

#include "core/test-attentions.h"
#include "draw/head-view/hl-head-view-layout.h"
#include "draw/paint/hl-palette.h"
#include "draw/paint/hl-theme.h"
#include "view/hl-weight-text.h"

/* Where things are, told by the scene itself. */
static double
locate_y (HlScene   *scene,
          HlPickKind kind,
          gsize      index)
{
  const HlPick pick = { kind, .query = kind == HL_PICK_QUERY ? index : 0, .key = kind == HL_PICK_KEY ? index : 0 };
  double x, y, width, height;

  g_assert_true (hl_scene_locate (scene, &pick, &x, &y, &width, &height));
  return y + height / 2;
}

/* Lines begin and end this far from the labels. */
#define LABEL_PAD 8

static void
locate_lines (HlScene *scene,
              double  *x_query,
              double  *x_key)
{
  double y, width, height;

  g_assert_true (hl_scene_locate (scene, &(HlPick){ HL_PICK_QUERY }, x_query, &y, &width, &height));
  *x_query += width + LABEL_PAD;
  g_assert_true (hl_scene_locate (scene, &(HlPick){ HL_PICK_KEY }, x_key, &y, &width, &height));
  *x_key -= LABEL_PAD;
}

/* Steep strokes end some pixels beyond or before the edge, where the raster ends all at the same abscissa. */
static void
clear_ends (HlScene         *scene,
            cairo_surface_t *surface)
{
  g_autoptr (cairo_t) cr = cairo_create (surface);
  double x_query, x_key;

  locate_lines (scene, &x_query, &x_key);
  cairo_set_operator (cr, CAIRO_OPERATOR_CLEAR);
  cairo_rectangle (cr, 0, 0, x_query + 3, 10000);
  cairo_rectangle (cr, x_key - 3, 0, 10000, 10000);
  /* What lines are parts of is written above them. */
  cairo_rectangle (cr, 0, 0, 10000, locate_y (scene, HL_PICK_QUERY, 0) - 16);
  cairo_fill (cr);
}

/*
 * A stroke for every pair, in the colour of its strongest head, as opaque as its part of the strongest of all, from the
 * width of the faintest to that of the strongest.
 */
static cairo_surface_t *
stroke_everything (HlScene *scene,
                   double   least_width,
                   double   line_width)
{
  HlViewState *state = hl_scene_get_state (scene);
  HlAttentionSource *source = hl_view_state_get_shown (state)->source;
  const HlHeadSet *heads = hl_view_state_get_heads (state);
  const guint n_heads = hl_view_state_get_n_heads (state);
  const gsize n_queries = hl_attention_source_get_n (source, HL_QUERIES);
  const gsize n_keys = hl_attention_source_get_n (source, HL_KEYS);
  cairo_surface_t *surface = test_make_surface (scene);
  g_autoptr (cairo_t) cr = cairo_create (surface);
  double x_query, x_key;

  g_autoptr (GPtrArray) maps = g_ptr_array_new_with_free_func (g_free);
  float greatest = 0;

  locate_lines (scene, &x_query, &x_key);
  for (guint head = 0; head < n_heads; head++)
    {
      float *map = hl_attention_source_read_head (source, hl_view_state_get_layer (state), head, NULL, NULL);

      g_ptr_array_add (maps, map);
      for (gsize i = 0; hl_head_set_contains (heads, head) && i < n_queries * n_keys; i++)
        greatest = MAX (greatest, map[i]);
    }
  for (guint head = 0; head < n_heads; head++)
    for (gsize i = 0; hl_head_set_contains (heads, head) && i < n_queries; i++)
      for (gsize j = 0; j < n_keys; j++)
        {
          const HlColour colour = hl_palette_get_head_colour (head, hl_view_state_get_options (state)->dark);
          const float weight = ((float *) maps->pdata[head])[i * n_keys + j];
          gboolean is_strongest = TRUE;

          for (guint other = 0; other < n_heads; other++)
            if (other != head && hl_head_set_contains (heads, other))
              is_strongest &= weight > ((float *) maps->pdata[other])[i * n_keys + j];
          if (!is_strongest)
            continue;
          cairo_set_line_width (cr, least_width + (line_width - least_width) * weight / greatest);
          cairo_set_source_rgba (cr, colour.r, colour.g, colour.b, weight / greatest);
          cairo_move_to (cr, x_query, locate_y (scene, HL_PICK_QUERY, i));
          cairo_line_to (cr, x_key, locate_y (scene, HL_PICK_KEY, j));
          cairo_stroke (cr);
        }
  return surface;
}

static void
test_picture (gconstpointer data)
{
  const guint variant = GPOINTER_TO_UINT (data);
  const gboolean dark = variant & 1;
  const double scale = variant & 2 ? 2 : 1;
  g_autoptr (HlViewState) state = test_make_random_state (2, 4, 12);
  g_autoptr (HlScene) scene = NULL;
  HlHeadSet heads = { { 0 } };
  g_autofree char *name = g_strdup_printf ("head-view-%s-%dx", dark ? "dark" : "light", (int) scale);

  hl_head_set_add (&heads, 1);
  hl_head_set_add (&heads, 3);
  hl_view_state_set_layer (state, 1);
  hl_view_state_set_heads (state, &heads);
  hl_view_state_set_option (state, dark, dark);
  scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 520, 400, scale);
  test_prepare (scene);

  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  /* 12 rows share 400 − header: 22.5 pixels each, of which a line takes 9 %. */
  double x, y, width, height;
  hl_scene_locate (scene, &(HlPick){ HL_PICK_QUERY }, &x, &y, &width, &height);
  const double line_width = CLAMP (height * 0.09, 0.4, 2);
  g_autoptr (cairo_surface_t) reference = stroke_everything (scene, line_width, line_width);
  g_assert_false (test_is_blank (picture));
  clear_ends (scene, picture);
  clear_ends (scene, reference);
  test_assert_similar (name, picture, reference, 20, 0.6);
}

/* Queries and keys swapped: the mirrored picture. */
static void
test_mirrored (void)
{
  const gsize n = 9;
  const char *tokens[] = { "i", "i", "i", "i", "i", "i", "i", "i", "i", NULL };
  g_autofree float *weights = test_make_weights (3, 1, n, n);
  g_autofree float *transposed = g_new (float, n *n);

  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < n; j++)
      transposed[j * n + i] = weights[i * n + j];
  g_autoptr (HlViewState) state = test_make_state (1, 1, n, n, weights, tokens, 0, (HlMask){ 0 });
  g_autoptr (HlViewState) other_state = test_make_state (1, 1, n, n, transposed, tokens, 0, (HlMask){ 0 });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 500, 360, 1);
  g_autoptr (HlScene) other = test_make_scene (HL_VIEW_HEAD_VIEW, other_state, 500, 360, 1);
  double x_query, x_key;

  test_prepare (scene);
  test_prepare (other);
  locate_lines (scene, &x_query, &x_key);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  g_autoptr (cairo_surface_t) swapped = test_draw_part (other, HL_SCENE_PICTURE);
  g_autoptr (cairo_surface_t) mirrored = test_make_surface (scene);
  g_autoptr (cairo_t) cr = cairo_create (mirrored);
  cairo_translate (cr, x_query + x_key, 0);
  cairo_scale (cr, -1, 1);
  cairo_set_source_surface (cr, swapped, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  test_assert_similar ("head-view-mirrored", mirrored, picture, 2, 0.1);
}

/* Everything that locate() says is also what pick() says, and there is ink. */
static void
test_pick (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (1, 40, 10);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 480, 420, 1);
  g_autoptr (cairo_surface_t) backdrop = NULL;
  HlPick picked;

  hl_view_state_select_all_heads (state);
  test_prepare (scene);
  backdrop = test_draw_part (scene, HL_SCENE_BACKDROP);
  for (HlPickKind kind = HL_PICK_QUERY; kind <= HL_PICK_KEY; kind++)
    for (gsize i = 0; i < 10; i++)
      {
        const HlPick pick = { kind, .query = kind == HL_PICK_QUERY ? i : 0, .key = kind == HL_PICK_KEY ? i : 0 };
        double x, y, width, height;
        gboolean ink = FALSE;

        g_assert_true (hl_scene_locate (scene, &pick, &x, &y, &width, &height));
        hl_scene_pick (scene, x + width / 2, y + 1, &picked);
        g_assert_true (hl_pick_equal (&picked, &pick));
        hl_scene_pick (scene, x + width / 2, y + height - 1, &picked);
        g_assert_true (hl_pick_equal (&picked, &pick));
        for (double at_y = y; at_y < y + height; at_y++)
          for (double at_x = x; at_x < x + width; at_x++)
            ink |= (test_get_pixel (backdrop, at_x, at_y) & 0xFF) < 0x80;
        g_assert_true (ink);
      }
  for (guint head = 0; head < 40; head++)
    {
      const HlPick pick = { HL_PICK_HEAD, .head = head };
      const HlColour colour = hl_palette_get_head_colour (head, FALSE);
      double x, y, width, height;

      g_assert_true (hl_scene_locate (scene, &pick, &x, &y, &width, &height));
      hl_scene_pick (scene, x + width / 2, y + height / 2, &picked);
      g_assert_true (hl_pick_equal (&picked, &pick));
      /* Beside the number, near the left edge. */
      const guint32 pixel = test_get_pixel (backdrop, x + 2, y + height / 2);
      g_assert_cmpint (ABS ((int) (pixel >> 16 & 0xFF) - (int) lround (colour.r * 255)), <=, 1);
      g_assert_cmpint (ABS ((int) (pixel & 0xFF) - (int) lround (colour.b * 255)), <=, 1);
    }
  hl_scene_pick (scene, -5, -5, &picked);
  g_assert_cmpint (picked.kind, ==, HL_PICK_NONE);
}

/* A head that attends only from 2 to 5: the overlay has that line and shade, and nothing on other rows. */
static void
test_focus (void)
{
  const gsize n = 8;
  const char *tokens[] = { "i", "i", "i", "i", "i", "i", "i", "i", NULL };
  g_autofree float *weights = g_new0 (float, n *n);
  double x, y, width, height, x_query, x_key;

  weights[2 * n + 5] = 1;
  g_autoptr (HlViewState) state = test_make_state (1, 1, n, n, weights, tokens, 0, (HlMask){ 0 });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 480, 360, 1);

  test_prepare (scene);
  g_assert_cmpfloat (hl_scene_get_picture_opacity (scene), ==, 1);
  for (HlPickKind kind = HL_PICK_QUERY; kind <= HL_PICK_CELL; kind++)
    {
      const HlPick pick = { kind, .query = kind != HL_PICK_KEY ? 2 : 0, .key = kind != HL_PICK_QUERY ? 5 : 0 };

      hl_view_state_set_hovered (state, &pick);
      /* Where one line is pointed at, the others stay in sight. */
      g_assert_cmpfloat (hl_scene_get_picture_opacity (scene), <, 0.5);
      g_assert_true ((hl_scene_get_picture_opacity (scene) > 0) == (kind == HL_PICK_CELL));
      g_autoptr (cairo_surface_t) overlay = test_draw_part (scene, HL_SCENE_OVERLAY);
      locate_lines (scene, &x_query, &x_key);
      const double middle = (locate_y (scene, HL_PICK_QUERY, 2) + locate_y (scene, HL_PICK_KEY, 5)) / 2;
      g_assert_cmphex (test_get_pixel (overlay, (x_query + x_key) / 2, middle) >> 24, >=, 0xC0);
      g_assert_cmphex (test_get_pixel (overlay, (x_query + x_key) / 2, middle + 12), ==, 0);

      g_assert_true (hl_scene_locate (scene, &(HlPick){ HL_PICK_KEY, .key = 5 }, &x, &y, &width, &height));
      g_assert_cmphex (test_get_pixel (overlay, x + 4, y + height / 2) >> 24, ==, 0xFF);
      g_assert_true (hl_scene_locate (scene, &(HlPick){ HL_PICK_KEY, .key = 6 }, &x, &y, &width, &height));
      g_assert_cmphex (test_get_pixel (overlay, x + 4, y + height / 2), ==, 0);
    }

  /* Whatever is hovered, what is pinned rules. */
  hl_view_state_set_pinned (state, &(HlPick){ HL_PICK_QUERY, .query = 2 });
  hl_view_state_set_hovered (state, &(HlPick){ HL_PICK_QUERY, .query = 7 });
  g_autoptr (cairo_surface_t) pinned = test_draw_part (scene, HL_SCENE_OVERLAY);
  const double middle = (locate_y (scene, HL_PICK_QUERY, 2) + locate_y (scene, HL_PICK_KEY, 5)) / 2;
  g_assert_cmphex (test_get_pixel (pinned, (x_query + x_key) / 2, middle) >> 24, >=, 0xC0);
}

/* The lines of one token among many: as pixels they look as they do as strokes, with one head, several side by side, and so many that each line has the colour of one. */
static void
test_fan (void)
{
  static const guint counts[] = { 1, 3, 12 };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    for (HlPickKind kind = HL_PICK_QUERY; kind <= HL_PICK_KEY; kind++)
      {
        g_autoptr (HlViewState) state = test_make_random_state (1, counts[i], 40);
        g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 520, 500, 1);
        const HlPick pick = { kind, .query = kind == HL_PICK_QUERY ? 13 : 0, .key = kind == HL_PICK_KEY ? 13 : 0 };
        g_autofree char *name = g_strdup_printf ("head-view-fan-%u-%d", counts[i], kind);

        hl_view_state_select_all_heads (state);
        test_prepare (scene);
        hl_view_state_set_hovered (state, &pick);
        g_autoptr (cairo_surface_t) pixels = test_draw_part (scene, HL_SCENE_OVERLAY);
        g_object_set (scene, "vector", TRUE, NULL);
        g_autoptr (cairo_surface_t) strokes = test_draw_part (scene, HL_SCENE_OVERLAY);
        clear_ends (scene, pixels);
        clear_ends (scene, strokes);
        g_assert_false (test_is_blank (pixels));
        test_assert_similar (name, pixels, strokes, 24, 0.4);
      }
}

static guint
count_different (cairo_surface_t *a,
                 cairo_surface_t *b)
{
  guint n = 0;

  for (int y = 0; y < cairo_image_surface_get_height (a); y++)
    for (int x = 0; x < cairo_image_surface_get_width (a); x++)
      n += test_get_pixel (a, x, y) != test_get_pixel (b, x, y);
  return n;
}

/* Curves: as pixels, all and those of a token, few and many, and as the strokes of a figure. */
static void
test_curved (void)
{
  const HlPick token = { HL_PICK_QUERY, .query = 3 };

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (HlViewState) state = test_make_random_state (1, 2, i < 2 ? 12 : 40);
      hl_view_state_set_option (state, curved_lines, TRUE);
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 620, 700, 1);
      g_autoptr (HlScene) vector = test_make_scene (HL_VIEW_HEAD_VIEW, state, 620, 700, 1);
      const HlScenePart part = i == 0 ? HL_SCENE_PICTURE : HL_SCENE_OVERLAY;
      g_autofree char *name = g_strdup_printf ("head-view-curved-%u", i);

      g_object_set (vector, "vector", TRUE, NULL);
      hl_view_state_set_pinned (state, i == 0 ? NULL : &token);
      test_prepare (scene);
      test_prepare (vector);
      g_autoptr (cairo_surface_t) pixels = test_draw_part (scene, part);
      g_autoptr (cairo_surface_t) strokes = test_draw_part (vector, part);
      clear_ends (scene, pixels);
      clear_ends (scene, strokes);
      g_assert_false (test_is_blank (pixels));
      /* Straight pieces, and those that cairo makes, are up to a quarter of a pixel apart. */
      test_assert_similar (name, pixels, strokes, 64, 0.5);

      hl_view_state_set_option (state, curved_lines, FALSE);
      test_prepare (scene);
      g_autoptr (cairo_surface_t) straight = test_draw_part (scene, part);
      clear_ends (scene, straight);
      g_assert_cmpuint (count_different (straight, pixels), >, 1000);
    }
}

/* The same head with nothing but the rows of these queries, or the columns of these keys. */
static float *
make_part (const float *weights,
           gsize        n,
           HlSide       side,
           const gsize  tokens[3])
{
  float *parts = g_new0 (float, n *n);

  for (gsize t = 0; t < 3; t++)
    for (gsize i = 0; i < n; i++)
      {
        const gsize at = side == HL_QUERIES ? tokens[t] * n + i : i * n + tokens[t];
        parts[at] = weights[at];
      }
  return parts;
}

/* The lines of several tokens are those of each, and the numbers the mean of queries, or the sum of keys. */
static void
test_gathered (void)
{
  const gsize n = 12, chosen[3] = { 2, 3, 9 };
  const char *tokens[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", NULL };
  static const char *const names[] = { "mean of 3 queries: c, d, j: ", "sum of 3 keys: c, d, j: " };
  g_autofree float *weights = test_make_weights (3, 1, n, n);

  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      g_autofree float *parts = make_part (weights, n, side, chosen);
      g_autofree char *name = g_strdup_printf ("head-view-gathered-%d", side);
      g_autoptr (HlViewState) state = test_make_state (1, 1, n, n, weights, tokens, 0, (HlMask){ 0 });
      g_autoptr (HlViewState) other_state = test_make_state (1, 1, n, n, parts, tokens, 0, (HlMask){ 0 });
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 520, 500, 1);
      g_autoptr (HlScene) other = test_make_scene (HL_VIEW_HEAD_VIEW, other_state, 520, 500, 1);

      for (gsize t = 0; t < 3; t++)
        {
          const HlPick pick = hl_pick_of (side, chosen[t]);
          hl_view_state_gather (state, &pick);
        }
      test_prepare (scene);
      test_prepare (other);
      g_assert_cmpfloat (hl_scene_get_picture_opacity (scene), ==, 0);
      g_autoptr (cairo_surface_t) lines = test_draw_part (scene, HL_SCENE_OVERLAY);
      const double row_height = locate_y (scene, HL_PICK_QUERY, 1) - locate_y (scene, HL_PICK_QUERY, 0);
      g_autoptr (cairo_surface_t) wanted = stroke_everything (other, 0.75, CLAMP (row_height * 0.12, 2, 4));
      clear_ends (scene, lines);
      clear_ends (other, wanted);
      g_assert_false (test_is_blank (lines));
      test_assert_similar (name, lines, wanted, 24, 0.4);

      /* The strongest of what they have together. */
      gsize best = 0;
      double most = 0;
      for (gsize i = 0; i < n; i++)
        {
          double sum = 0;
          for (gsize t = 0; t < 3; t++)
            sum += side == HL_QUERIES ? weights[chosen[t] * n + i] / 3 : weights[i * n + chosen[t]];
          if (sum > most)
            best = i;
          most = MAX (most, sum);
        }
      char number[HL_WEIGHT_TEXT_SIZE];
      g_autofree char *text = hl_scene_describe_focus (scene);
      g_autofree char *begin =
        g_strdup_printf ("%s%s %s,", names[side], tokens[best], hl_weight_text_format ((float) most, number));
      if (!g_str_has_prefix (text, begin))
        g_error ("“%s” does not begin with “%s”", text, begin);

      /* Other views say the same of them. */
      hl_view_state_set_option (state, view, HL_VIEW_LAYERS);
      if (side == HL_QUERIES)
        {
          g_autoptr (HlScene) layers = test_make_scene (HL_VIEW_LAYERS, state, 520, 500, 1);
          test_prepare (layers);
          g_autofree char *said = hl_scene_describe_focus (layers);
          g_assert_cmpstr (said, ==, text);
        }
      hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
      g_autoptr (HlScene) heatmap = test_make_scene (HL_VIEW_HEATMAP, state, 520, 500, 1);
      test_prepare (heatmap);
      g_autofree char *again = hl_scene_describe_focus (heatmap);
      g_assert_cmpstr (again, ==, text);
      for (gsize t = 0; t < 3; t++)
        {
          const HlPick pick = hl_pick_of (side, chosen[t]);
          double x, y, width, height;
          gboolean is_marked = FALSE;
          g_autoptr (cairo_surface_t) marks = test_draw_part (heatmap, HL_SCENE_OVERLAY);
          g_assert_true (hl_scene_locate (heatmap, &pick, &x, &y, &width, &height));
          for (int d = -2; d <= 2; d++)
            is_marked |= (side == HL_QUERIES ? test_get_pixel (marks, x + width / 2, y + d)
                                             : test_get_pixel (marks, x + d, y + height / 2)) != 0;
          g_assert_true (is_marked);
        }
    }
}

static void
test_stale (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (2, 3, 10);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 480, 360, 1);
  g_autoptr (HlSceneJob) old = hl_scene_create_job (scene);
  g_autoptr (HlSceneJob) new = NULL;

  g_assert_nonnull (old);
  g_assert_true (hl_scene_job_run (old, NULL, NULL));
  hl_view_state_go_to (state, 1, 2);
  hl_scene_accept (scene, old);
  g_autoptr (cairo_surface_t) blank = test_draw_part (scene, HL_SCENE_PICTURE);
  g_assert_true (test_is_blank (blank));

  new = hl_scene_create_job (scene);
  g_assert_nonnull (new);
  g_assert_true (hl_scene_job_run (new, NULL, NULL));
  hl_scene_accept (scene, new);
  g_assert_null (hl_scene_create_job (scene));
  g_autoptr (cairo_surface_t) fresh = test_draw_part (scene, HL_SCENE_PICTURE);
  g_assert_false (test_is_blank (fresh));

  /* And back: the numbers of the other head must not show either. */
  hl_view_state_go_to (state, 1, 1);
  g_autoptr (cairo_surface_t) other = test_draw_part (scene, HL_SCENE_PICTURE);
  g_assert_true (test_is_blank (other));
}

/* The text of so many tokens whose weights are those of a longer one; of a model that looks back, if @mask says so. */
static HlViewState *
make_beginning (const float *weights,
                gsize        n_all,
                gsize        n,
                const char  *last,
                HlMask       mask)
{
  g_autofree float *own = g_new (float, n *n);
  g_autofree const char **tokens = g_new0 (const char *, n + 1);

  for (gsize i = 0; i < n * n; i++)
    own[i] = mask.causal && i % n > i / n ? 0 : weights[i / n * n_all + i % n];
  for (gsize i = 0; i < n; i++)
    tokens[i] = i + 1 < n ? "i" : last;
  return test_make_state (1, 1, n, n, own, tokens, 0, mask);
}

/* While a model writes, the lines of the text so far stay until those of the new token are there; those of another text do not. */
static void
test_goes_on (void)
{
  static const struct
  {
    const char *last; /* of the shorter text */
    gsize n;          /* tokens of the other */
    gboolean causal;
    gboolean stays;
  } cases[] = { { "i", 9, TRUE, TRUE }, { "i", 9, FALSE, FALSE }, { "j", 9, TRUE, FALSE }, { "i", 8, TRUE, FALSE } };
  g_autofree float *weights = test_make_weights (7, 1, 9, 9);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const HlMask mask = { cases[i].causal, 0 };
      g_autoptr (HlViewState) state = make_beginning (weights, 9, 8, cases[i].last, mask);
      g_autoptr (HlViewState) longer = make_beginning (weights, 9, cases[i].n, "i", mask);
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 480, 240, 1);

      /* More rows than are in view have the height that they had. */
      hl_scene_set_zoom (scene, 20);
      test_prepare (scene);
      g_autoptr (cairo_surface_t) before = test_draw_part (scene, HL_SCENE_PICTURE);
      hl_view_state_set_example (state, hl_view_state_get_example (longer));
      g_autoptr (cairo_surface_t) meanwhile = test_draw_part (scene, HL_SCENE_PICTURE);
      g_test_message ("case %u", i);
      g_assert_cmpint (test_is_blank (meanwhile), ==, !cases[i].stays);
      test_prepare (scene);
      g_autoptr (cairo_surface_t) after = test_draw_part (scene, HL_SCENE_PICTURE);
      g_assert_false (test_is_blank (after));
      if (cases[i].stays)
        test_assert_similar ("before the new token", meanwhile, before, 0, 0);
    }
}

static void
test_cancelled (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (1, 1, 10);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 480, 360, 1);
  g_autoptr (HlSceneJob) job = hl_scene_create_job (scene);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_false (hl_scene_job_run (job, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Heads of three layers together: their swatches, what is said of them, and their mean against the rows as the source gives them. */
static void
test_guests (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (3, 4, 10);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 480, 420, 1);
  const HlHeadPlace heads[] = { { 1, 2 }, { 2, 3 }, { 0, 0 } };
  const HlPick guest = { HL_PICK_HEAD, .head = 5 };
  const HlPick cell = { HL_PICK_CELL, .query = 4, .key = 7 };
  HlPick picked;
  double mean = 0, x, y, width, height;

  hl_view_state_go_to (state, heads[0].layer, heads[0].head);
  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    {
      g_autofree float *map = hl_attention_source_read_head (hl_view_state_get_shown (state)->source, heads[i].layer,
                                                             heads[i].head, NULL, NULL);
      mean += map[4 * 10 + 7] / G_N_ELEMENTS (heads);
      if (i > 0)
        hl_view_state_toggle_head_of (state, heads[i].layer, heads[i].head);
    }
  test_prepare (scene);
  g_autofree char *text = hl_scene_describe (scene, &cell);
  g_autofree char *expected = g_strdup_printf ("i → i %.*f (mean of 3 heads)", mean < 0.1 ? 3 : 2, mean);
  g_assert_cmpstr (text, ==, expected);

  g_assert_true (hl_scene_locate (scene, &guest, &x, &y, &width, &height));
  hl_scene_pick (scene, x + width / 2, y + height / 2, &picked);
  g_assert_true (hl_pick_equal (&picked, &guest));
  g_autofree char *name = hl_scene_describe (scene, &guest);
  g_assert_cmpstr (name, ==, "layer 0 · head 0");
  g_autoptr (cairo_surface_t) backdrop = test_draw_part (scene, HL_SCENE_BACKDROP);
  const HlColour colour = hl_palette_get_head_colour (5, FALSE);
  const guint32 pixel = test_get_pixel (backdrop, x + 2, y + height / 2);
  g_assert_cmpint (ABS ((int) (pixel >> 16 & 0xFF) - (int) lround (colour.r * 255)), <=, 1);
  g_assert_false (hl_scene_locate (scene, &(HlPick){ HL_PICK_HEAD, .head = 6 }, &x, &y, &width, &height));
}

/* Of heads that layers become one of there is a swatch each, whichever layer is looked at. */
static void
test_heads_of_layers (void)
{
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree float *weights = test_make_weights (1, 3, 4, 4);
  g_autoptr (HlTensor) one = test_make_tensor (&(HlShape){ 3, { 1, 4, 4 } }, weights);
  g_autoptr (HlTensor) three = test_make_tensor (&(HlShape){ 3, { 3, 4, 4 } }, weights);
  const HlLayerTensor layers[] = { { one, -1, 0, -1, 0, 0, 1, 2 }, { three, -1, 0, -1, 0, 0, 1, 2 } };
  const HlPick last = { HL_PICK_HEAD, .head = 2 };
  double x, y, width, height;

  g_ptr_array_add (attentions,
                   hl_attention_new (&(HlAttentionInit){ .weights = layers, .n_layers = 2, .n_used = { 4, 4 } }));
  g_autoptr (HlExample) example = hl_example_new ("example", NULL, NULL, attentions, checks);
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 480, 420, 1);
  hl_view_state_set_option (state, combine, HL_COMBINE_MEAN);
  hl_view_state_set_option (state, combine_over, HL_COMBINE_OVER_LAYERS);

  g_assert_true (hl_scene_locate (scene, &last, &x, &y, &width, &height));
  g_assert_true (hl_shown_has_pick (hl_view_state_get_shown (state), &last));
  g_autofree char *off = hl_scene_describe (scene, &last);
  g_assert_cmpstr (off, ==, "head 2 (off)");
  hl_view_state_toggle_head (state, last.head);
  g_autofree char *on = hl_scene_describe (scene, &last);
  g_assert_cmpstr (on, ==, "head 2");
  g_assert_false (hl_scene_locate (scene, &(HlPick){ HL_PICK_HEAD, .head = 3 }, &x, &y, &width, &height));
}

static void
test_describe (void)
{
  const float weights[] = { 0.5f, 0.25f, 0.25f, 0, 1, 0, 0.0004f, 0.04f, 0.9596f };
  const char *tokens[] = { "time", " flies", "", NULL };
  g_autoptr (HlViewState) state = test_make_state (1, 1, 3, 3, weights, tokens, 0, (HlMask){ 0 });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 480, 360, 1);
  const struct
  {
    HlPick pick;
    const char *text;
  } cases[] = {
    { { HL_PICK_QUERY, .query = 0 }, "time (query 0): time 0.50, flies 0.25, ∅ 0.25" },
    { { HL_PICK_QUERY, .query = 2 }, "∅ (query 2): ∅ 0.96, flies 0.040, time <0.001" },
    { { HL_PICK_KEY, .key = 0 }, "time (key 0): time 0.50, ∅ <0.001" },
    { { HL_PICK_CELL, .query = 0, .key = 1 }, "time → flies 0.25" },
    { { HL_PICK_CELL, .query = 1, .key = 0 }, "flies → time 0" },
    { { HL_PICK_HEAD, .head = 0 }, "head 0" },
  };

  g_autofree char *early = hl_scene_describe (scene, &cases[0].pick);
  g_assert_cmpstr (early, ==, "time (query 0)");
  test_prepare (scene);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = hl_scene_describe (scene, &cases[i].pick);
      g_assert_cmpstr (text, ==, cases[i].text);
    }
  g_assert_null (hl_scene_describe (scene, &(HlPick){ HL_PICK_QUERY, .query = 3 }));
  hl_view_state_select_no_heads (state);
  g_autofree char *off = hl_scene_describe (scene, &(HlPick){ HL_PICK_HEAD, .head = 0 });
  g_assert_cmpstr (off, ==, "head 0 (off)");
}

/* Rows too many for one raster: the part in view is right wherever one scrolls to. Few strong lines, as strokes of
 * many faint ones are rounded away one by one. */
static void
test_long (void)
{
  const gsize n = 400;
  g_autofree float *weights = g_new0 (float, n *n);
  g_autofree const char **tokens = g_new0 (const char *, n + 1);

  for (gsize i = 0; i < n; i++)
    {
      tokens[i] = "i";
      weights[i * n + i * 37 % n] = 0.4f;
      weights[i * n + MIN (i + 5, n - 1)] = 0.6f;
    }
  g_autoptr (HlViewState) state = test_make_state (1, 1, n, n, weights, tokens, 0, (HlMask){ 0 });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 700, 300, 2);
  double width, height;

  hl_scene_set_zoom (scene, 36);
  hl_scene_measure (scene, &width, &height);
  g_assert_cmpfloat (height, >, n * 36);
  test_prepare (scene);
  hl_scene_set_scroll (scene, 0, 9000);
  g_autoptr (HlSceneJob) job = hl_scene_create_job (scene);
  g_assert_nonnull (job);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) raster = test_draw_part (scene, HL_SCENE_PICTURE);
  g_object_set (scene, "vector", TRUE, NULL);
  g_autoptr (cairo_surface_t) strokes = test_draw_part (scene, HL_SCENE_PICTURE);
  clear_ends (scene, raster);
  clear_ends (scene, strokes);
  test_assert_similar ("head-view-long", raster, strokes, 20, 0.3);
}

static void
test_zoom (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (1, 1, 300);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 700, 500, 1);
  HlPick before, after;
  double x, width, height, bottom;

  g_assert_true (hl_scene_can_zoom (scene));
  hl_scene_set_scroll (scene, 0, 2000);
  hl_scene_locate (scene, &(HlPick){ HL_PICK_QUERY }, &x, &height, &width, &height);
  hl_scene_pick (scene, x + 4, 300, &before);
  g_assert_cmpint (before.kind, ==, HL_PICK_QUERY);
  for (guint i = 0; i < 5; i++)
    hl_scene_zoom (scene, 1.1, x + 4, 300);
  hl_scene_pick (scene, x + 4, 300, &after);
  g_assert_cmpuint (after.query, ==, before.query);

  hl_scene_fit (scene);
  hl_scene_measure (scene, &width, &bottom);
  g_assert_cmpfloat (bottom, <=, 500.01);
}

/* Nothing to show, and no room to show it in. */
/* So many lines that they are first shown narrow and stretched: nearly what comes of it, and replaced by it. */
static void
test_draft (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (1, 12, 300);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 500, 400, 1);
  g_autoptr (HlScene) known = test_make_scene (HL_VIEW_HEAD_VIEW, state, 500, 400, 1);

  hl_view_state_select_all_heads (state);
  hl_scene_fit (scene);
  hl_scene_fit (known);
  test_prepare (known);

  g_autoptr (HlSceneJob) first = hl_scene_create_job (scene);
  g_assert_true (hl_scene_job_run (first, NULL, NULL));
  hl_scene_accept (scene, first);
  g_autoptr (cairo_surface_t) draft = test_draw_part (scene, HL_SCENE_PICTURE);
  g_autoptr (cairo_surface_t) picture = test_draw_part (known, HL_SCENE_PICTURE);
  g_assert_false (test_is_blank (draft));
  test_assert_similar ("draft", draft, picture, 255, 6);

  g_autoptr (HlSceneJob) second = hl_scene_create_job (scene);
  g_assert_nonnull (second);
  g_assert_true (hl_scene_job_run (second, NULL, NULL));
  hl_scene_accept (scene, second);
  g_assert_null (hl_scene_create_job (scene));
  g_autoptr (cairo_surface_t) finished = test_draw_part (scene, HL_SCENE_PICTURE);
  test_assert_similar ("finished", finished, picture, 0, 0);
}

static gboolean
are_same (cairo_surface_t *a,
          cairo_surface_t *b)
{
  const gsize n_bytes = (gsize) cairo_image_surface_get_stride (a) * cairo_image_surface_get_height (a);

  return memcmp (cairo_image_surface_get_data (a), cairo_image_surface_get_data (b), n_bytes) == 0;
}

/* In all views that have lines, unless true weights are asked for: as those of maps divided by their greatest. */
static void
test_relative (void)
{
  static const HlViewKind views[] = { HL_VIEW_HEAD_VIEW, HL_VIEW_LAYERS, HL_VIEW_MODEL };
  const gsize n = 9;
  const char *tokens[] = { "i", "i", "i", "i", "i", "i", "i", "i", "i", NULL };
  g_autofree float *weights = test_make_weights (3, 2, n, n);
  g_autofree float *divided = g_new (float, 2 * n * n);

  for (guint map = 0; map < 2; map++)
    {
      float greatest = 0;
      for (gsize i = map * n * n; i < (map + 1) * n * n; i++)
        greatest = MAX (greatest, weights[i]);
      for (gsize i = map * n * n; i < (map + 1) * n * n; i++)
        divided[i] = weights[i] / greatest;
    }
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      g_autoptr (HlViewState) state = test_make_state (2, 1, n, n, weights, tokens, 0, (HlMask){ 0 });
      g_autoptr (HlViewState) other_state = test_make_state (2, 1, n, n, divided, tokens, 0, (HlMask){ 0 });
      g_autoptr (HlScene) scene = test_make_scene (views[i], state, 900, 360, 1);
      g_autoptr (HlScene) other = test_make_scene (views[i], other_state, 900, 360, 1);

      hl_view_state_set_option (state, thumbnails, HL_THUMBNAIL_LINES);
      hl_view_state_set_option (other_state, thumbnails, HL_THUMBNAIL_LINES);
      hl_view_state_set_option (state, view, views[i]);
      hl_view_state_set_option (other_state, view, views[i]);
      hl_view_state_set_option (state, relative_lines, FALSE);
      hl_view_state_set_option (other_state, relative_lines, FALSE);
      test_prepare (scene);
      test_prepare (other);
      g_autoptr (cairo_surface_t) wanted = test_draw_part (other, HL_SCENE_PICTURE);
      g_autoptr (cairo_surface_t) absolute = test_draw_part (scene, HL_SCENE_PICTURE);
      g_assert_false (are_same (absolute, wanted));
      g_autofree char *words = hl_view_state_describe (state);
      g_assert_nonnull (strstr (words, " · lines as strong as their weights"));

      hl_view_state_set_option (state, relative_lines, TRUE);
      test_prepare (scene);
      g_autoptr (cairo_surface_t) relative = test_draw_part (scene, HL_SCENE_PICTURE);
      test_assert_similar ("head-view-relative", relative, wanted, 1, 0.01);
      g_autofree char *caption = hl_view_state_describe (state);
      g_assert_null (strstr (caption, "weights"));
      /* The head view says it with the number. */
      g_assert_true (strstr (caption, " · lines to the strongest of each") != NULL || views[i] == HL_VIEW_HEAD_VIEW);
    }
}

/* What is next to nothing does not look like much: the strongest line of weights that are all below 0.01 is its part of that. */
static void
test_weak (void)
{
  static const HlViewKind views[] = { HL_VIEW_HEAD_VIEW, HL_VIEW_LAYERS, HL_VIEW_MODEL };
  const HlPick pinned = { HL_PICK_QUERY, .query = 3 };
  const gsize n = 9;
  const char *tokens[] = { "i", "i", "i", "i", "i", "i", "i", "i", "i", NULL };
  g_autofree float *weights = test_make_weights (3, 2, n, n);
  g_autofree float *parts = g_new (float, 2 * n * n);

  for (gsize i = 0; i < 2 * n * n; i++)
    {
      weights[i] *= 0.003f;
      parts[i] = weights[i] / 0.01f;
    }
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      g_autoptr (HlViewState) state = test_make_state (2, 1, n, n, weights, tokens, 0, (HlMask){ 0 });
      g_autoptr (HlViewState) other_state = test_make_state (2, 1, n, n, parts, tokens, 0, (HlMask){ 0 });
      g_autoptr (HlScene) scene = test_make_scene (views[i], state, 900, 360, 1);
      g_autoptr (HlScene) other = test_make_scene (views[i], other_state, 900, 360, 1);

      hl_view_state_set_option (state, thumbnails, HL_THUMBNAIL_LINES);
      hl_view_state_set_option (other_state, thumbnails, HL_THUMBNAIL_LINES);
      hl_view_state_set_option (state, view, views[i]);
      hl_view_state_set_option (other_state, view, views[i]);
      hl_view_state_set_option (other_state, relative_lines, FALSE);
      test_prepare (scene);
      test_prepare (other);
      g_autoptr (cairo_surface_t) weak = test_draw_part (scene, HL_SCENE_PICTURE);
      g_autoptr (cairo_surface_t) wanted = test_draw_part (other, HL_SCENE_PICTURE);
      g_assert_false (test_is_blank (weak));
      test_assert_similar ("head-view-weak", weak, wanted, 1, 0.01);

      hl_view_state_set_option (state, hide_first, TRUE);
      g_autofree char *caption = hl_view_state_describe (state);
      g_assert_cmpint (strstr (caption, " · lines at least to 0.010") != NULL, ==, views[i] != HL_VIEW_HEAD_VIEW);
      if (views[i] != HL_VIEW_HEAD_VIEW)
        continue;
      hl_view_state_set_option (state, hide_first, FALSE);
      hl_view_state_set_pinned (state, &pinned);
      hl_view_state_set_pinned (other_state, &pinned);
      test_prepare (scene);
      test_prepare (other);
      g_autoptr (cairo_surface_t) focus = test_draw_part (scene, HL_SCENE_OVERLAY);
      g_autoptr (cairo_surface_t) wanted_focus = test_draw_part (other, HL_SCENE_OVERLAY);
      /* Only lines: words of the scale and numbers are those of the weights. */
      const HlPick ends[] = { hl_pick_of (HL_QUERIES, 0), hl_pick_of (HL_KEYS, 0) };
      cairo_rectangle_t boxes[2];
      for (guint side = 0; side < 2; side++)
        g_assert_true (hl_scene_locate (scene, &ends[side], &boxes[side].x, &boxes[side].y, &boxes[side].width,
                                        &boxes[side].height));
      for (int x = (int) (boxes[0].x + boxes[0].width) + 12; x < boxes[1].x - 12; x++)
        for (int y = (int) boxes[0].y; y < 350; y++)
          for (guint shift = 0; shift < 32; shift += 8)
            g_assert_cmpint (ABS ((int) (test_get_pixel (focus, x, y) >> shift & 0xFF) -
                                  (int) (test_get_pixel (wanted_focus, x, y) >> shift & 0xFF)),
                             <=, 24);
    }
}

static void
test_degenerate (void)
{
  const float weights[] = { 1 };
  const char *tokens[] = { "i", NULL };
  const double sizes[][2] = { { 0, 0 }, { 1, 1 }, { 30, 900 }, { 900, 30 }, { 400, 300 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint heads = 0; heads < 2; heads++)
      {
        g_autoptr (HlViewState) state = test_make_state (1, 1, 1, 1, weights, tokens, 0, (HlMask){ 0 });
        g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, sizes[i][0], sizes[i][1], 1);

        if (heads == 0)
          hl_view_state_select_no_heads (state);
        hl_view_state_set_hovered (state, &(HlPick){ HL_PICK_QUERY });
        test_prepare (scene);
        g_autoptr (cairo_surface_t) picture = test_draw_all (scene);
        hl_scene_zoom (scene, 2, 10, 10);
        hl_scene_fit (scene);
        test_prepare (scene);
      }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/head-view/picture/light-1x", GUINT_TO_POINTER (0), test_picture);
  g_test_add_data_func ("/head-view/picture/dark-1x", GUINT_TO_POINTER (1), test_picture);
  g_test_add_data_func ("/head-view/picture/light-2x", GUINT_TO_POINTER (2), test_picture);
  g_test_add_data_func ("/head-view/picture/dark-2x", GUINT_TO_POINTER (3), test_picture);
  g_test_add_func ("/head-view/mirrored", test_mirrored);
  g_test_add_func ("/head-view/pick", test_pick);
  g_test_add_func ("/head-view/guests", test_guests);
  g_test_add_func ("/head-view/heads-of-layers", test_heads_of_layers);
  g_test_add_func ("/head-view/focus", test_focus);
  g_test_add_func ("/head-view/fan", test_fan);
  g_test_add_func ("/head-view/stale", test_stale);
  g_test_add_func ("/head-view/goes-on", test_goes_on);
  g_test_add_func ("/head-view/cancelled", test_cancelled);
  g_test_add_func ("/head-view/gathered", test_gathered);
  g_test_add_func ("/head-view/curved", test_curved);
  g_test_add_func ("/head-view/describe", test_describe);
  g_test_add_func ("/head-view/long", test_long);
  g_test_add_func ("/head-view/zoom", test_zoom);
  g_test_add_func ("/head-view/draft", test_draft);
  g_test_add_func ("/head-view/relative", test_relative);
  g_test_add_func ("/head-view/weak", test_weak);
  g_test_add_func ("/head-view/degenerate", test_degenerate);

  return g_test_run ();
}
