/* SPDX-License-Identifier: MIT */
/* The small heatmap beside the lines: where it has room, that its cells are the weights, and that it is linked with the lines. */
#include "test-scenes.h"

#include <string.h>

#include "core/test-attentions.h"
#include "draw/head-view/hl-head-view-layout.h"
#include "draw/paint/hl-colour-map.h"
#include "draw/paint/hl-theme.h"

#define WIDTH 1100
#define HEIGHT 760

static const HlHeadViewLayout *
get_layout (HlScene *scene)
{
  return hl_scene_get_frame (scene)->layout;
}

static gboolean
has_map (HlScene *scene)
{
  return get_layout (scene)->map_cell > 0;
}

/* Of a row, a column or a cell; G_MAXSIZE for all. On the viewport. */
static cairo_rectangle_t
get_box (HlScene *scene,
         gsize    query,
         gsize    key)
{
  const HlHeadViewLayout *layout = get_layout (scene);
  cairo_rectangle_t box = layout->map;

  if (query != G_MAXSIZE)
    {
      box.y += (double) query * layout->map_cell;
      box.height = layout->map_cell;
    }
  if (key != G_MAXSIZE)
    {
      box.x += (double) key * layout->map_cell;
      box.width = layout->map_cell;
    }
  hl_head_view_layout_map_box (layout, &box);
  return box;
}

static HlScene *
make_scene (gsize  n,
            double width,
            double height,
            double scale)
{
  g_autoptr (HlViewState) state = test_make_random_state (2, 3, n);

  return test_make_scene (HL_VIEW_HEAD_VIEW, state, width, height, scale);
}

/* It stands where there is room for lines that are long enough besides, and within the viewport. */
static void
test_room (void)
{
  static const struct
  {
    gsize n;
    double width, height;
    gboolean has;
  } rows[] = {
    { 12, 1100, 760, TRUE }, { 12, 700, 760, FALSE }, { 12, 1100, 200, FALSE },
    { 40, 1100, 760, TRUE }, { 64, 1100, 760, TRUE }, { 65, 1100, 760, FALSE },
    { 2, 1100, 760, TRUE },  { 1, 1100, 760, FALSE }, { 12, 2400, 1400, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint mirrored = 0; mirrored < 2; mirrored++)
      for (double scale = 1; scale <= 2; scale++)
        {
          g_autoptr (HlScene) scene = make_scene (rows[i].n, rows[i].width, rows[i].height, scale);
          hl_view_state_set_option (hl_scene_get_state (scene), reading,
                                    mirrored ? HL_READING_RIGHT_TO_LEFT : HL_READING_LEFT_TO_RIGHT);
          const HlHeadViewLayout *layout = get_layout (scene);
          g_assert_true (has_map (scene) == rows[i].has);
          if (!rows[i].has)
            continue;
          const cairo_rectangle_t box = get_box (scene, G_MAXSIZE, G_MAXSIZE);
          g_assert_cmpfloat (layout->map_cell, >=, 2);
          g_assert_cmpfloat (layout->map_cell * scale, ==, floor (layout->map_cell * scale));
          g_assert_cmpfloat (layout->x_key - layout->x_query, >=, 360);
          g_assert_cmpfloat (layout->map.x, >, layout->columns[HL_KEYS].right + layout->gutter);
          g_assert_cmpfloat (box.x, >=, 0);
          g_assert_cmpfloat (box.x + box.width, <=, rows[i].width);
          g_assert_cmpfloat (box.y, >=, layout->begin);
          g_assert_cmpfloat (box.y + box.height, <=, layout->end);
        }
}

/* Not in figures that are cut, nor beside another picture, nor where tokens run across. */
static void
test_elsewhere (void)
{
  g_autoptr (HlScene) scene = make_scene (12, WIDTH, HEIGHT, 1);
  g_autoptr (HlScene) other = make_scene (12, WIDTH, HEIGHT, 1);
  HlViewState *state = hl_scene_get_state (scene);

  g_assert_true (has_map (scene));
  g_object_set (scene, "is-cut", TRUE, NULL);
  g_assert_false (has_map (scene));
  g_object_set (scene, "is-cut", FALSE, NULL);
  hl_view_state_set_option (state, orientation, HL_ORIENTATION_HORIZONTAL);
  g_assert_false (has_map (scene));
  hl_view_state_set_option (state, orientation, HL_ORIENTATION_VERTICAL);
  g_assert_true (has_map (scene));
  hl_view_state_set_beside (state, hl_scene_get_state (other));
  g_assert_false (has_map (scene));
  hl_view_state_set_beside (state, NULL);
}

static guint32
get_cell (HlScene         *scene,
          cairo_surface_t *surface,
          gsize            query,
          gsize            key)
{
  const cairo_rectangle_t box = get_box (scene, query, key);

  return test_get_pixel (surface, box.x + box.width / 2, box.y + box.height / 2) & 0xFFFFFF;
}

/* Every cell of the backdrop against the weights. */
static void
assert_cells (HlScene     *scene,
              const float *weights,
              gsize        n_queries,
              gsize        n_keys)
{
  const HlViewOptions *options = hl_view_state_get_options (hl_scene_get_state (scene));
  g_autoptr (cairo_surface_t) backdrop = test_draw_part (scene, HL_SCENE_BACKDROP);
  float greatest = 0;

  for (gsize i = 0; i < n_queries * n_keys; i++)
    greatest = MAX (greatest, weights[i]);
  for (gsize i = 0; i < n_queries; i++)
    for (gsize j = 0; j < n_keys; j++)
      {
        const double t = weights[i * n_keys + j] / (double) greatest;
        const guint32 pixel = hl_colour_map_lookup (options->colour_map, options->dark, t);

        g_assert_cmphex (get_cell (scene, backdrop, i, j), ==, pixel & 0xFFFFFF);
      }
}

/* More keys than queries; the head that leads, in the colours that are chosen, as pixels and as shapes. */
static void
test_cells (gconstpointer data)
{
  const guint variant = GPOINTER_TO_UINT (data);
  const gsize n_queries = 5, n_keys = 9;
  const char *tokens[] = { "i", "i", "i", "i", "i", "i", "i", "i", "i", NULL };
  g_autofree float *weights = test_make_weights (3, 2, n_queries, n_keys);
  g_autoptr (HlViewState) state = test_make_state (1, 2, n_queries, n_keys, weights, tokens, 0, (HlMask){ 0 });
  HlHeadSet heads = { { 0 } };

  hl_view_state_set_option (state, dark, variant & 1);
  hl_view_state_set_option (state, reading, variant & 2 ? HL_READING_RIGHT_TO_LEFT : HL_READING_LEFT_TO_RIGHT);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, WIDTH, HEIGHT, variant & 4 ? 2 : 1);
  test_prepare (scene);
  g_assert_true (has_map (scene));
  assert_cells (scene, weights, n_queries, n_keys);

  hl_view_state_set_option (state, colour_map, HL_COLOUR_MAP_MAGMA);
  assert_cells (scene, weights, n_queries, n_keys);
  g_object_set (scene, "vector", TRUE, NULL);
  assert_cells (scene, weights, n_queries, n_keys);
  g_object_set (scene, "vector", FALSE, NULL);

  hl_head_set_add (&heads, 1);
  hl_view_state_set_heads (state, &heads);
  test_prepare (scene);
  assert_cells (scene, weights + n_queries * n_keys, n_queries, n_keys);
}

static void
test_masked (void)
{
  const gsize n = 6;
  const char *tokens[] = { "i", "i", "i", "i", "i", "i", NULL };
  g_autofree float *weights = g_new0 (float, n *n);

  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j <= i; j++)
      weights[i * n + j] = 1.0f / (float) (i + 1);
  g_autoptr (HlViewState) state = test_make_state (1, 1, n, n, weights, tokens, 0, (HlMask){ .causal = TRUE });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, WIDTH, HEIGHT, 1);
  const guint32 masked = hl_colour_to_pixel (&hl_theme_get (FALSE)->masked) & 0xFFFFFF;

  test_prepare (scene);
  g_autoptr (cairo_surface_t) backdrop = test_draw_part (scene, HL_SCENE_BACKDROP);
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < n; j++)
      g_assert_true ((get_cell (scene, backdrop, i, j) == masked) == (j > i));
}

/* A cell is its pair; without a head that leads there are none. */
static void
test_pick (gconstpointer data)
{
  const guint mirrored = GPOINTER_TO_UINT (data);
  const gsize n = 11;
  g_autoptr (HlScene) scene = make_scene (n, WIDTH, HEIGHT, 1);
  HlViewState *state = hl_scene_get_state (scene);
  HlPick pick;

  hl_view_state_set_option (state, reading, mirrored ? HL_READING_RIGHT_TO_LEFT : HL_READING_LEFT_TO_RIGHT);
  test_prepare (scene);
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < n; j++)
      {
        const cairo_rectangle_t box = get_box (scene, i, j);
        const HlPick cell = { HL_PICK_CELL, .query = i, .key = j };

        hl_scene_pick (scene, box.x + 0.5, box.y + 0.5, &pick);
        g_assert_true (hl_pick_equal (&pick, &cell));
        hl_scene_pick (scene, box.x + box.width - 0.5, box.y + box.height - 0.5, &pick);
        g_assert_true (hl_pick_equal (&pick, &cell));
      }
  const cairo_rectangle_t map = get_box (scene, G_MAXSIZE, G_MAXSIZE);
  hl_scene_pick (scene, map.x + map.width / 2, map.y + map.height + 2, &pick);
  g_assert_cmpint (pick.kind, ==, HL_PICK_NONE);
  hl_scene_pick (scene, mirrored ? map.x - 2 : map.x + map.width + 2, map.y + 2, &pick);
  g_assert_cmpint (pick.kind, ==, HL_PICK_NONE);

  hl_view_state_select_no_heads (state);
  test_prepare (scene);
  g_assert_true (has_map (scene));
  hl_scene_pick (scene, map.x + map.width / 2, map.y + map.height / 2, &pick);
  g_assert_cmpint (pick.kind, ==, HL_PICK_NONE);
}

/* How much ink there is just outside of a box, half-way along each of its sides. */
static gboolean
is_outlined (cairo_surface_t         *overlay,
             const cairo_rectangle_t *box)
{
  const double x = floor (box->x + box->width / 2), y = floor (box->y + box->height / 2);
  const double points[][2] = {
    { x, box->y - 1 }, { x, box->y + box->height }, { box->x - 1, y }, { box->x + box->width, y }
  };

  for (guint i = 0; i < G_N_ELEMENTS (points); i++)
    if (test_get_pixel (overlay, points[i][0], points[i][1]) >> 24 < 0x60)
      return FALSE;
  return TRUE;
}

static guint
count_ink (cairo_surface_t         *overlay,
           const cairo_rectangle_t *box)
{
  guint n = 0;

  for (double y = box->y; y < box->y + box->height; y++)
    for (double x = box->x; x < box->x + box->width; x++)
      n += test_get_pixel (overlay, x, y) != 0;
  return n;
}

/* What is hovered has its row, column or cell framed, and nothing is put over cells; so has what is pinned besides. */
static void
test_marks (gconstpointer data)
{
  const gboolean mirrored = GPOINTER_TO_UINT (data);
  g_autoptr (HlScene) scene = make_scene (9, WIDTH, HEIGHT, 1);
  HlViewState *state = hl_scene_get_state (scene);
  const struct
  {
    HlPick pick;
    gsize query, key;
  } rows[] = {
    { { HL_PICK_QUERY, .query = 4 }, 4, G_MAXSIZE },
    { { HL_PICK_KEY, .key = 6 }, G_MAXSIZE, 6 },
    { { HL_PICK_CELL, .query = 2, .key = 5 }, 2, 5 },
  };

  hl_view_state_set_option (state, reading, mirrored ? HL_READING_RIGHT_TO_LEFT : HL_READING_LEFT_TO_RIGHT);
  test_prepare (scene);
  const cairo_rectangle_t map = get_box (scene, G_MAXSIZE, G_MAXSIZE);
  g_autoptr (cairo_surface_t) nothing = test_draw_part (scene, HL_SCENE_OVERLAY);
  g_assert_cmpuint (count_ink (nothing, &map), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const cairo_rectangle_t box = get_box (scene, rows[i].query, rows[i].key);

      hl_view_state_set_hovered (state, &rows[i].pick);
      g_autoptr (cairo_surface_t) overlay = test_draw_part (scene, HL_SCENE_OVERLAY);
      g_assert_true (is_outlined (overlay, &box));
      g_assert_cmpuint (count_ink (overlay, &box), ==, 0);
    }

  hl_view_state_set_pinned (state, &rows[0].pick);
  g_autoptr (cairo_surface_t) both = test_draw_part (scene, HL_SCENE_OVERLAY);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i += 2)
    {
      const cairo_rectangle_t box = get_box (scene, rows[i].query, rows[i].key);
      g_assert_true (is_outlined (both, &box));
    }
}

static void
on_changed (HlScene *scene,
            guint    part,
            gpointer data)
{
  ((guint *) data)[part]++;
}

/* Pointing at cells leaves the picture of the heatmap as it is. */
static void
test_hover (void)
{
  g_autoptr (HlScene) scene = make_scene (9, WIDTH, HEIGHT, 1);
  HlViewState *state = hl_scene_get_state (scene);
  guint changes[HL_SCENE_N_PARTS] = { 0 };

  test_prepare (scene);
  g_signal_connect (scene, "changed", G_CALLBACK (on_changed), changes);
  hl_view_state_set_hovered (state, &(HlPick){ HL_PICK_CELL, .query = 1, .key = 2 });
  g_assert_cmpuint (changes[HL_SCENE_BACKDROP], ==, 0);
  g_assert_cmpuint (changes[HL_SCENE_OVERLAY], >, 0);
  hl_view_state_set_option (state, colour_map, HL_COLOUR_MAP_INFERNO);
  g_assert_cmpuint (changes[HL_SCENE_BACKDROP], >, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/head-view-map/room", test_room);
  g_test_add_func ("/head-view-map/elsewhere", test_elsewhere);
  g_test_add_data_func ("/head-view-map/cells/light", GUINT_TO_POINTER (0), test_cells);
  g_test_add_data_func ("/head-view-map/cells/dark-rtl", GUINT_TO_POINTER (3), test_cells);
  g_test_add_data_func ("/head-view-map/cells/light-2x", GUINT_TO_POINTER (4), test_cells);
  g_test_add_func ("/head-view-map/masked", test_masked);
  g_test_add_data_func ("/head-view-map/pick/ltr", GUINT_TO_POINTER (0), test_pick);
  g_test_add_data_func ("/head-view-map/pick/rtl", GUINT_TO_POINTER (1), test_pick);
  g_test_add_data_func ("/head-view-map/marks/ltr", GUINT_TO_POINTER (0), test_marks);
  g_test_add_data_func ("/head-view-map/marks/rtl", GUINT_TO_POINTER (1), test_marks);
  g_test_add_func ("/head-view-map/hover", test_hover);

  return g_test_run ();
}
