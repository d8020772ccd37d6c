/* SPDX-License-Identifier: MIT */
/* The head view with tokens that run down or across, read from either side: the same lines, and picks that agree with them. */
#include "test-scenes.h"

#include "core/base/hl-error.h"
#include "core/test-attentions.h"
#include "draw/paint/hl-palette.h"

#define N 12
/* Lines begin and end this far from the labels. */
#define LABEL_PAD 8

typedef struct
{
  HlOrientation orientation;
  HlReading reading;
  const char *name;
} Variant;

static const Variant variants[] = {
  { HL_ORIENTATION_VERTICAL, HL_READING_LEFT_TO_RIGHT, "down-ltr" },
  { HL_ORIENTATION_VERTICAL, HL_READING_RIGHT_TO_LEFT, "down-rtl" },
  { HL_ORIENTATION_HORIZONTAL, HL_READING_LEFT_TO_RIGHT, "across-ltr" },
  { HL_ORIENTATION_HORIZONTAL, HL_READING_RIGHT_TO_LEFT, "across-rtl" },
};

static HlScene *
make_scene (const Variant *variant,
            double         width,
            double         height)
{
  g_autoptr (HlViewState) state = test_make_random_state (1, 3, N);

  hl_view_state_select_all_heads (state);
  hl_view_state_set_option (state, orientation, variant->orientation);
  hl_view_state_set_option (state, reading, variant->reading);
  return test_make_scene (HL_VIEW_HEAD_VIEW, state, width, height, 1);
}

static cairo_rectangle_t
locate (HlScene   *scene,
        HlPickKind kind,
        gsize      index)
{
  const HlPick pick = { kind, .query = kind == HL_PICK_QUERY ? index : 0, .key = kind == HL_PICK_KEY ? index : 0 };
  cairo_rectangle_t box;

  g_assert_true (hl_scene_locate (scene, &pick, &box.x, &box.y, &box.width, &box.height));
  return box;
}

/* Where the lines of a token begin or end: on the side of its box where the other tokens are. */
static void
get_end (HlScene       *scene,
         const Variant *variant,
         HlPickKind     kind,
         gsize          index,
         double        *x,
         double        *y)
{
  const cairo_rectangle_t box = locate (scene, kind, index);
  const cairo_rectangle_t other = locate (scene, kind == HL_PICK_KEY ? HL_PICK_QUERY : HL_PICK_KEY, index);

  if (variant->orientation == HL_ORIENTATION_HORIZONTAL)
    {
      *x = box.x + box.width / 2;
      *y = other.y > box.y ? box.y + box.height + LABEL_PAD : box.y - LABEL_PAD;
    }
  else
    {
      *x = other.x > box.x ? box.x + box.width + LABEL_PAD : box.x - LABEL_PAD;
      *y = box.y + box.height / 2;
    }
}

static cairo_surface_t *
stroke_everything (HlScene       *scene,
                   const Variant *variant)
{
  HlViewState *state = hl_scene_get_state (scene);
  const cairo_rectangle_t first = locate (scene, HL_PICK_QUERY, 0);
  const double pitch = variant->orientation == HL_ORIENTATION_HORIZONTAL ? first.width : first.height;
  cairo_surface_t *surface = test_make_surface (scene);
  g_autoptr (cairo_t) cr = cairo_create (surface);

  g_autoptr (GPtrArray) maps = g_ptr_array_new_with_free_func (g_free);
  float greatest = 0;

  cairo_set_line_width (cr, CLAMP (pitch * 0.09, 0.4, 2));
  for (guint head = 0; head < 3; head++)
    {
      float *map = hl_attention_source_read_head (hl_view_state_get_shown (state)->source, 0, head, NULL, NULL);

      g_ptr_array_add (maps, map);
      for (gsize i = 0; i < N * N; i++)
        greatest = MAX (greatest, map[i]);
    }
  for (guint head = 0; head < 3; head++)
    for (gsize i = 0; i < N; i++)
      for (gsize j = 0; j < N; j++)
        {
          const HlColour colour = hl_palette_get_head_colour (head, FALSE);
          const float weight = ((float *) maps->pdata[head])[i * N + j];
          double x, y;

          if (weight < ((float *) maps->pdata[(head + 1) % 3])[i * N + j] ||
              weight < ((float *) maps->pdata[(head + 2) % 3])[i * N + j])
            continue;
          cairo_set_source_rgba (cr, colour.r, colour.g, colour.b, weight / greatest);
          get_end (scene, variant, HL_PICK_QUERY, i, &x, &y);
          cairo_move_to (cr, x, y);
          get_end (scene, variant, HL_PICK_KEY, j, &x, &y);
          cairo_line_to (cr, x, y);
          cairo_stroke (cr);
        }
  return surface;
}

/* Steep strokes end some pixels beyond or before the edge, where the raster ends all at the same place. */
static void
clear_ends (HlScene         *scene,
            const Variant   *variant,
            cairo_surface_t *surface)
{
  g_autoptr (cairo_t) cr = cairo_create (surface);

  cairo_set_operator (cr, CAIRO_OPERATOR_CLEAR);
  for (HlPickKind kind = HL_PICK_QUERY; kind <= HL_PICK_KEY; kind++)
    {
      double x, y;

      get_end (scene, variant, kind, 0, &x, &y);
      if (variant->orientation == HL_ORIENTATION_HORIZONTAL)
        cairo_rectangle (cr, 0, y - 4, 10000, 8);
      else
        cairo_rectangle (cr, x - 4, 0, 8, 10000);
    }
  cairo_fill (cr);
}

static void
test_lines (gconstpointer data)
{
  const Variant *variant = data;
  g_autoptr (HlScene) scene = make_scene (variant, 620, 560);
  g_autofree char *name = g_strdup_printf ("head-view-%s", variant->name);

  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  g_autoptr (cairo_surface_t) reference = stroke_everything (scene, variant);
  g_assert_false (test_is_blank (picture));
  clear_ends (scene, variant, picture);
  clear_ends (scene, variant, reference);
  test_assert_similar (name, picture, reference, 24, 0.6);
}

/* The lines of a token that is pinned, as pixels and as strokes. */
static void
test_focus (gconstpointer data)
{
  const Variant *variant = data;
  g_autoptr (HlScene) scene = make_scene (variant, 620, 560);
  g_autoptr (HlScene) strokes = make_scene (variant, 620, 560);
  const HlPick pick = { HL_PICK_KEY, .key = 4 };
  g_autofree char *name = g_strdup_printf ("head-view-focus-%s", variant->name);

  g_object_set (strokes, "vector", TRUE, NULL);
  hl_view_state_set_pinned (hl_scene_get_state (scene), &pick);
  hl_view_state_set_pinned (hl_scene_get_state (strokes), &pick);
  test_prepare (scene);
  test_prepare (strokes);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_OVERLAY);
  g_autoptr (cairo_surface_t) reference = test_draw_part (strokes, HL_SCENE_OVERLAY);
  g_assert_false (test_is_blank (picture));
  clear_ends (scene, variant, picture);
  clear_ends (scene, variant, reference);
  test_assert_similar (name, picture, reference, 24, 0.6);
}

/* Read from the other side, the lines are the mirrored ones. */
static void
test_mirrored (gconstpointer data)
{
  const guint horizontal = GPOINTER_TO_UINT (data);
  g_autoptr (HlScene) scene = make_scene (&variants[2 * horizontal], 600, 500);
  g_autoptr (HlScene) other = make_scene (&variants[2 * horizontal + 1], 600, 500);

  test_prepare (scene);
  test_prepare (other);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  g_autoptr (cairo_surface_t) from_right = test_draw_part (other, HL_SCENE_PICTURE);
  g_autoptr (cairo_surface_t) mirrored = test_make_surface (scene);
  g_autoptr (cairo_t) cr = cairo_create (mirrored);
  cairo_translate (cr, 600, 0);
  cairo_scale (cr, -1, 1);
  cairo_set_source_surface (cr, from_right, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  test_assert_similar (horizontal ? "head-view-mirrored-across" : "head-view-mirrored-down", mirrored, picture, 2, 0.1);
}

/* Everything that locate() says is also what pick() says, and there is ink; the order is that of reading. */
static void
test_pick (gconstpointer data)
{
  const Variant *variant = data;
  const gboolean horizontal = variant->orientation == HL_ORIENTATION_HORIZONTAL;
  g_autoptr (HlScene) scene = make_scene (variant, 620, 560);
  double last = 0;

  test_prepare (scene);
  g_autoptr (cairo_surface_t) backdrop = test_draw_part (scene, HL_SCENE_BACKDROP);
  for (HlPickKind kind = HL_PICK_QUERY; kind <= HL_PICK_KEY; kind++)
    for (gsize i = 0; i < N; i++)
      {
        const cairo_rectangle_t box = locate (scene, kind, i);
        const double along = !horizontal ? box.y : variant->reading == HL_READING_RIGHT_TO_LEFT ? -box.x : box.x;
        gboolean ink = FALSE;
        HlPick picked;

        for (guint corner = 0; corner < 4; corner++)
          {
            hl_scene_pick (scene, box.x + (corner & 1 ? 1 : box.width - 1), box.y + (corner & 2 ? 1 : box.height - 1),
                           &picked);
            g_assert_cmpint (picked.kind, ==, kind);
            g_assert_cmpuint (kind == HL_PICK_QUERY ? picked.query : picked.key, ==, i);
          }
        for (double y = box.y; y < box.y + box.height; y++)
          for (double x = box.x; x < box.x + box.width; x++)
            ink |= (test_get_pixel (backdrop, x, y) & 0xFF) < 0x80;
        g_assert_true (ink);
        g_assert_true (i == 0 || along > last);
        last = along;
      }

  const cairo_rectangle_t query = locate (scene, HL_PICK_QUERY, 0);
  const cairo_rectangle_t key = locate (scene, HL_PICK_KEY, 0);
  if (horizontal)
    g_assert_cmpfloat (query.y + query.height, <, key.y);
  else
    g_assert_true ((query.x < key.x) == (variant->reading == HL_READING_LEFT_TO_RIGHT));
}

/* A text too long for the viewport begins where one begins to read it, and what is zoomed at stays in place. */
static void
test_scroll (gconstpointer data)
{
  const Variant *variant = data;
  g_autoptr (HlScene) scene = make_scene (variant, 300, 200);
  const gboolean horizontal = variant->orientation == HL_ORIENTATION_HORIZONTAL;
  const gboolean from_right = horizontal && variant->reading == HL_READING_RIGHT_TO_LEFT;
  cairo_rectangle_t window, before, after;
  double width, height, x, y;

  for (guint i = 0; i < 20; i++)
    hl_scene_zoom (scene, 1.2, from_right ? 299 : 0, 0);
  hl_scene_set_progress (scene, 0, 0);
  hl_scene_measure (scene, &width, &height);
  g_assert_cmpfloat (horizontal ? width : height, >, 300);
  hl_scene_get_scroll (scene, &x, &y);
  g_assert_cmpfloat (x, ==, from_right ? width - 300 : 0);
  g_assert_cmpfloat (y, ==, 0);

  hl_scene_get_window (scene, &window);
  before = locate (scene, HL_PICK_QUERY, 0);
  g_assert_cmpfloat (before.x, >=, window.x);
  g_assert_cmpfloat (before.y, >=, window.y);
  g_assert_cmpfloat (before.x + before.width, <=, window.x + window.width);

  /* On the last token, which is then in view. */
  hl_scene_set_scroll (scene, horizontal && !from_right ? width : 0, horizontal ? 0 : height);
  before = locate (scene, HL_PICK_QUERY, N - 2);
  hl_scene_zoom (scene, 0.8, before.x + before.width / 2, before.y + before.height / 2);
  after = locate (scene, HL_PICK_QUERY, N - 2);
  if (horizontal)
    g_assert_cmpfloat_with_epsilon (after.x + after.width / 2, before.x + before.width / 2, 60);
  else
    g_assert_cmpfloat_with_epsilon (after.y + after.height / 2, before.y + before.height / 2, 30);
}

/* Where nothing was chosen, letters decide, whatever their tokenizer made of them. */
static void
test_reading (void)
{
  static const struct
  {
    const char *tokens[5];
    gboolean from_right;
  } cases[] = {
    { { "[CLS]", "time", "flies", "[SEP]", NULL }, FALSE },
    { { "[CLS]", "שלום", "עולם", "[SEP]", NULL }, TRUE },
    { { "▁مرحبا", "▁بال", "عالم", "OK", NULL }, TRUE },
    { { "ĠØ§ÙĦ", "Ø¹Ø§ÙĦ", "Ùħ", "!", NULL }, TRUE },
    { { "1", "2", "3", "4", NULL }, FALSE },
  };
  g_autofree float *weights = test_make_weights (1, 1, 4, 4);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HlViewState)
        state = test_make_state (1, 1, 4, 4, weights, (const char **) cases[i].tokens, 0, (HlMask){ 0 });

      g_assert_true (hl_view_state_reads_right_to_left (state) == cases[i].from_right);
      hl_view_state_set_option (state, reading, HL_READING_LEFT_TO_RIGHT);
      g_assert_false (hl_view_state_reads_right_to_left (state));
      hl_view_state_set_option (state, reading, HL_READING_RIGHT_TO_LEFT);
      g_assert_true (hl_view_state_reads_right_to_left (state));
    }
}

#define FEW 10
#define MANY 400

static HlScene *
make_uneven_scene (const Variant *variant,
                   gsize          n_queries,
                   gsize          n_keys)
{
  g_autofree float *weights = test_make_weights (9, 2, n_queries, n_keys);
  g_autoptr (HlViewState) state = test_make_state (1, 2, n_queries, n_keys, weights, NULL, 0, (HlMask){ 0 });

  hl_view_state_set_option (state, orientation, variant->orientation);
  hl_view_state_set_option (state, reading, variant->reading);
  return test_make_scene (HL_VIEW_HEAD_VIEW, state, 620, 560, 1);
}

/* Lines between rows that are not alike take more room each, so that there may be fewer of them. */
static void
test_too_many (void)
{
  const gsize n_queries = 2000, n_keys = 7000;
  g_autofree float *weights = g_new0 (float, n_queries *n_keys);
  g_autoptr (HlViewState) state = test_make_state (1, 1, n_queries, n_keys, weights, NULL, 0, (HlMask){ 0 });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 620, 560, 1);
  g_autoptr (HlSceneJob) job = hl_scene_create_job (scene);
  g_autoptr (GError) error = NULL;

  g_assert_false (hl_scene_job_run (job, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
}

/* Few tokens over so many that these do not fit: both sides are as long, all is in view, and picks, lines and strokes agree. */
static void
test_spread (gconstpointer data)
{
  const Variant *variant = data;
  const gboolean horizontal = variant->orientation == HL_ORIENTATION_HORIZONTAL;

  for (int turned = 0; turned < 2; turned++)
    {
      const gsize n[2] = { turned ? MANY : FEW, turned ? FEW : MANY };
      g_autoptr (HlScene) scene = make_uneven_scene (variant, n[HL_QUERIES], n[HL_KEYS]);
      g_autoptr (HlScene) strokes = make_uneven_scene (variant, n[HL_QUERIES], n[HL_KEYS]);
      g_autofree char *name = g_strdup_printf ("head-view-spread-%s-%d", variant->name, turned);
      double begins[2], ends[2];

      g_object_set (strokes, "vector", TRUE, NULL);
      test_prepare (scene);
      test_prepare (strokes);
      for (HlPickKind kind = HL_PICK_QUERY; kind <= HL_PICK_KEY; kind++)
        {
          const HlSide side = kind == HL_PICK_QUERY ? HL_QUERIES : HL_KEYS;
          begins[side] = INFINITY;
          ends[side] = -INFINITY;
          for (gsize i = 0; i < n[side]; i++)
            {
              const cairo_rectangle_t box = locate (scene, kind, i);
              HlPick picked;
              hl_scene_pick (scene, box.x + box.width / 2, box.y + box.height / 2, &picked);
              g_assert_cmpint (picked.kind, ==, kind);
              g_assert_cmpuint (picked.tokens[side], ==, i);
              begins[side] = MIN (begins[side], horizontal ? box.x : box.y);
              ends[side] = MAX (ends[side], horizontal ? box.x + box.width : box.y + box.height);
            }
          g_assert_cmpfloat (begins[side], >=, 0);
          g_assert_cmpfloat (ends[side], <=, horizontal ? 620 : 560);
        }
      g_assert_cmpfloat_with_epsilon (begins[HL_QUERIES], begins[HL_KEYS], 0.01);
      g_assert_cmpfloat_with_epsilon (ends[HL_QUERIES], ends[HL_KEYS], 0.01);
      g_assert_cmpfloat (ends[HL_KEYS] - begins[HL_KEYS], >, 350);

      g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
      g_autoptr (cairo_surface_t) reference = test_draw_part (strokes, HL_SCENE_PICTURE);
      g_assert_false (test_is_blank (picture));
      clear_ends (scene, variant, picture);
      clear_ends (scene, variant, reference);
      test_assert_similar (name, picture, reference, 64, 2);

      /* What is zoomed at stays, and so does the other side beside it: both grow alike. */
      const HlPickKind many = turned ? HL_PICK_QUERY : HL_PICK_KEY, few = turned ? HL_PICK_KEY : HL_PICK_QUERY;
      const cairo_rectangle_t before = locate (scene, many, MANY / 2);
      hl_scene_zoom (scene, 5, before.x + before.width / 2, before.y + before.height / 2);
      const cairo_rectangle_t after = locate (scene, many, MANY / 2), other = locate (scene, few, FEW / 2);
      if (horizontal)
        {
          g_assert_cmpfloat_with_epsilon (after.width, 5 * before.width, 0.01);
          g_assert_cmpfloat (fabs (other.x - after.x), <, other.width);
        }
      else
        {
          g_assert_cmpfloat_with_epsilon (after.height, 5 * before.height, 0.01);
          g_assert_cmpfloat (fabs (other.y - after.y), <, other.height);
          g_assert_cmpfloat_with_epsilon (after.y + after.height / 2, before.y + before.height / 2, after.height);
        }
    }

  /* Of as many tokens on both sides, and of few that fit, rows are alike. */
  g_autoptr (HlScene) alike = make_uneven_scene (variant, 120, 300);
  g_autoptr (HlScene) fitting = make_uneven_scene (variant, 4, 16);
  for (int i = 0; i < 2; i++)
    {
      const cairo_rectangle_t query = locate (i == 0 ? alike : fitting, HL_PICK_QUERY, 3);
      const cairo_rectangle_t key = locate (i == 0 ? alike : fitting, HL_PICK_KEY, 3);
      g_assert_cmpfloat (horizontal ? query.x : query.y, ==, horizontal ? key.x : key.y);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (variants); i++)
    {
      g_autofree char *lines = g_strdup_printf ("/head-view-layouts/lines/%s", variants[i].name);
      g_autofree char *focus = g_strdup_printf ("/head-view-layouts/focus/%s", variants[i].name);
      g_autofree char *pick = g_strdup_printf ("/head-view-layouts/pick/%s", variants[i].name);
      g_autofree char *scroll = g_strdup_printf ("/head-view-layouts/scroll/%s", variants[i].name);

      g_test_add_data_func (lines, &variants[i], test_lines);
      g_test_add_data_func (focus, &variants[i], test_focus);
      g_test_add_data_func (pick, &variants[i], test_pick);
      g_test_add_data_func (scroll, &variants[i], test_scroll);
      g_autofree char *spread = g_strdup_printf ("/head-view-layouts/spread/%s", variants[i].name);
      g_test_add_data_func (spread, &variants[i], test_spread);
    }
  g_test_add_data_func ("/head-view-layouts/mirrored/down", GUINT_TO_POINTER (0), test_mirrored);
  g_test_add_data_func ("/head-view-layouts/mirrored/across", GUINT_TO_POINTER (1), test_mirrored);
  g_test_add_func ("/head-view-layouts/reading", test_reading);
  g_test_add_func ("/head-view-layouts/too-many", test_too_many);
  return g_test_run ();
}
