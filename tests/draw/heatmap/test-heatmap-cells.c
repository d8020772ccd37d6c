/* SPDX-License-Identifier: MIT */
/* Cells that are no squares: the rule, their pixels against a naive enlargement, picks, zooms, tiles, paper, two beside one another, and the axis. */
#include "test-scenes.h"

#include "core/test-attentions.h"
#include "draw/heatmap/hl-heatmap-cell.h"
#include "draw/heatmap/hl-heatmap-layout.h"
#include "draw/paint/hl-colour-map.h"
#include "draw/scene/hl-time-axis.h"
#include "draw/steps/hl-steps-layout.h"

static void
test_rule (void)
{
  static const struct
  {
    gsize n_rows, n_columns;
    double width, height;
  } alike[] = { { 1, 1, 700, 500 },
                { 300, 300, 700, 500 },
                { 4096, 4096, 900, 300 },
                { 30, 50, 700, 500 },
                { 10, 29, 1200, 300 },
                { 5, 2, 300, 900 },
                { 2, 5, 900, 100 },
                /* The counts are as far apart as the sides of the room, which squares fill. */
                { 10, 100, 2000, 210 },
                { 100, 10, 210, 2000 } };

  for (guint i = 0; i < G_N_ELEMENTS (alike); i++)
    {
      const HlHeatmapCell cell =
        hl_heatmap_cell_fit (alike[i].n_rows, alike[i].n_columns, alike[i].width, alike[i].height);
      g_assert_cmpfloat (cell.width, ==, cell.height);
      g_assert_cmpfloat (cell.width, ==,
                         MIN (MIN (alike[i].width / alike[i].n_columns, alike[i].height / alike[i].n_rows), 48));
    }

  const HlHeatmapCell sound = hl_heatmap_cell_fit (30, 1500, 750, 540);
  g_assert_cmpfloat (sound.width, ==, 0.5);
  g_assert_cmpfloat (sound.height, ==, 18);
  const HlHeatmapCell turned = hl_heatmap_cell_fit (1500, 30, 540, 750);
  g_assert_cmpfloat (turned.height, ==, sound.width);
  g_assert_cmpfloat (turned.width, ==, sound.height);
  /* One query is not as high as the room. */
  const HlHeatmapCell one = hl_heatmap_cell_fit (1, 200, 800, 600);
  g_assert_cmpfloat (one.width, ==, 4);
  g_assert_cmpfloat (one.height, ==, 48);

  double before = 0;
  for (double zoom = 0; zoom <= 80; zoom += 0.25)
    {
      const HlHeatmapCell cell = hl_heatmap_cell_zoom (&sound, zoom);
      const double least = CLAMP (zoom, 0.5, 64);
      g_assert_cmpfloat (cell.width, ==, least >= 4 ? floor (least) : least);
      g_assert_cmpfloat (cell.height, ==, MAX (floor (least), 18));
      g_assert_cmpfloat (cell.width, >=, before);
      before = cell.width;
    }
}

static HlViewState *
make_sparse_state (gsize  n_queries,
                   gsize  n_keys,
                   gsize  query,
                   gsize  key,
                   double seconds)
{
  const gsize n = MAX (n_queries, n_keys);
  g_autofree float *weights = g_new0 (float, n_queries *n_keys);
  g_auto (GStrv) tokens = g_new0 (char *, n + 1);

  for (gsize i = 0; i < n; i++)
    tokens[i] = seconds > 0 ? g_strdup_printf ("%.2f s", (double) i * seconds) : g_strdup ("i");
  weights[query * n_keys + key] = 1;
  return test_make_state (1, 1, n_queries, n_keys, weights, (const char *const *) tokens, 0, (HlMask){ 0 });
}

static const HlHeatmapLayout *
get_layout (HlScene *scene)
{
  return hl_scene_get_frame (scene)->layout;
}

/* Each cell a rectangle of its colour where the scene says that it is; of cells that share pixels the strongest comes last. */
static void
test_picture (gconstpointer data)
{
  const guint variant = GPOINTER_TO_UINT (data);
  const gboolean turned = variant & 1;
  const double scale = variant & 2 ? 2 : 1;
  const gsize n_rows = turned ? 280 : 9, n_columns = turned ? 9 : 280;
  g_autofree float *weights = test_make_weights (5, 1, n_rows, n_columns);
  g_autoptr (HlViewState) state = test_make_state (1, 1, n_rows, n_columns, weights, NULL, 0, (HlMask){ 0 });
  double max = 0;

  for (gsize i = 0; i < n_rows * n_columns; i++)
    max = MAX (max, weights[i]);
  for (int vector = 0; vector < 2; vector++)
    {
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 800, 640, scale);
      g_object_set (scene, "vector", vector, NULL);
      test_prepare (scene);
      const HlHeatmapCell cell = get_layout (scene)->cell;
      g_assert_cmpfloat (turned ? cell.width : cell.height, >, 2 * (turned ? cell.height : cell.width));
      g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
      g_autoptr (cairo_surface_t) reference = test_make_surface (scene);
      g_autoptr (cairo_t) cr = cairo_create (reference);
      cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
      for (gsize i = 0; i < n_rows * n_columns; i++)
        {
          const guint32 pixel = hl_colour_map_lookup (HL_COLOUR_MAP_VIRIDIS, FALSE, weights[i] / max);
          const HlPick pick = { HL_PICK_CELL, .query = i / n_columns, .key = i % n_columns };
          cairo_rectangle_t box;
          g_assert_true (hl_scene_locate (scene, &pick, &box.x, &box.y, &box.width, &box.height));
          cairo_set_source_rgb (cr, (pixel >> 16 & 0xFF) / 255.0, (pixel >> 8 & 0xFF) / 255.0, (pixel & 0xFF) / 255.0);
          cairo_rectangle (cr, box.x, box.y, box.width, box.height);
          cairo_fill (cr);
        }
      /* Edges of an image that is stretched are not between pixels. */
      test_assert_similar ("heatmap-rectangles", picture, reference, vector ? 255 : 1, vector ? 6 : 0.01);
    }
}

/* A marker is where pick() finds it at every zoom, all rows stay in view as long as they are higher than columns are wide, and the place zoomed at stays. */
static void
test_pick (void)
{
  const gsize query = 21, key = 433;
  const guint32 bright = hl_colour_map_lookup (HL_COLOUR_MAP_VIRIDIS, FALSE, 1);
  g_autoptr (HlViewState) state = make_sparse_state (30, 900, query, key, 0);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 800, 600, 1);
  const double row_height = get_layout (scene)->cell.height;
  gboolean was_square = FALSE;

  g_assert_cmpfloat (row_height, >=, 12);
  for (guint zoom = 0; zoom < 12; zoom++)
    {
      guint n_bright = 0;
      double x, y, width, height;
      HlPick pick;

      test_prepare (scene);
      g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
      for (int top = 0; top < 600; top++)
        for (int left = 0; left < 800; left++)
          if (test_get_pixel (picture, left, top) == bright)
            {
              n_bright++;
              hl_scene_pick (scene, left + 0.5, top + 0.5, &pick);
              g_assert_cmpint (pick.kind, ==, HL_PICK_CELL);
              g_assert_cmpuint (pick.query, ==, query);
              /* Of columns that share a pixel, the strongest is seen. */
              g_assert_cmpuint (ABS ((int) pick.key - (int) key), <=, zoom == 0 ? 1 : 0);
            }
      g_assert_true (
        hl_scene_locate (scene, &(HlPick){ HL_PICK_CELL, .query = query, .key = key }, &x, &y, &width, &height));
      g_assert_cmpfloat (n_bright, >, width * height * 0.6);
      if (width < row_height)
        g_assert_cmpfloat (height, ==, row_height);
      was_square |= width == height;
      hl_scene_zoom (scene, 1.6, x + width / 2, y + height / 2);
      double moved_x, moved_y, moved_width, moved_height;
      g_assert_true (hl_scene_locate (scene, &(HlPick){ HL_PICK_CELL, .query = query, .key = key }, &moved_x, &moved_y,
                                      &moved_width, &moved_height));
      g_assert_cmpfloat_with_epsilon (moved_x + moved_width / 2, x + width / 2, 2);
    }
  g_assert_true (was_square);

  hl_scene_fit (scene);
  double width, height;
  hl_scene_measure (scene, &width, &height);
  g_assert_cmpfloat (width, <=, 800.01);
  g_assert_cmpfloat (height, <=, 600.01);
}

/* All is in view, so nothing lies behind the edge, however many cells share a pixel: what tells whether there is more to be seen asks this. */
static void
test_all_in_view (void)
{
  g_autoptr (HlViewState) state = make_sparse_state (30, 1500, 21, 433, 0.02);

  for (guint scale = 1; scale <= 2; scale++)
    for (double size = 300; size < 700; size += 7)
      {
        g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, size, 600, scale);
        cairo_rectangle_t window;
        double x, y, width, height;

        hl_scene_get_window (scene, &window);
        g_assert_true (
          hl_scene_locate (scene, &(HlPick){ HL_PICK_CELL, .query = 29, .key = 1499 }, &x, &y, &width, &height));
        g_assert_cmpfloat (x + width, <=, window.x + window.width + 0.5 / scale + 1e-6);
        g_assert_cmpfloat (y + height, <=, window.y + window.height + 0.5 / scale + 1e-6);
        g_assert_cmpfloat (width, >=, 1.0 / scale);
      }
}

/* Zoomed and moved by many small steps, tiles reused: the same pixels as drawn from nothing. */
static void
test_tiles (void)
{
  g_autofree float *weights = test_make_weights (5, 1, 24, 2400);
  g_autoptr (HlViewState) state = test_make_state (1, 1, 24, 2400, weights, NULL, 0, (HlMask){ 0 });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 700, 520, 1);
  double x, y;

  for (guint i = 0; i < 20; i++)
    {
      hl_scene_zoom (scene, i < 14 ? 1.3 : 1 / 1.2, 300, 300);
      test_prepare (scene);
      g_autoptr (cairo_surface_t) step = test_draw_part (scene, HL_SCENE_PICTURE);
    }
  for (guint i = 0; i < 20; i++)
    {
      hl_scene_get_scroll (scene, &x, &y);
      hl_scene_set_scroll (scene, x + 37, y + 23);
      test_prepare (scene);
    }
  g_assert_null (hl_scene_create_job (scene));
  g_autoptr (HlScene) fresh = test_make_scene (HL_VIEW_HEATMAP, state, 700, 520, 1);
  hl_scene_set_zoom (fresh, hl_scene_get_zoom (scene));
  hl_scene_get_scroll (scene, &x, &y);
  hl_scene_set_scroll (fresh, x, y);
  test_prepare (fresh);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  g_autoptr (cairo_surface_t) reference = test_draw_part (fresh, HL_SCENE_PICTURE);
  test_assert_similar ("heatmap-rectangle-tiles", picture, reference, 0, 0);
}

/* Rows of one lie as high as those of the other beside it, although one has fewer columns and rows. */
static void
test_beside (void)
{
  g_autoptr (HlViewState) state = make_sparse_state (30, 1500, 2, 3, 0.02);
  g_autoptr (HlViewState) other = make_sparse_state (24, 1200, 2, 3, 0.02);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 700, 600, 1);
  g_autoptr (HlScene) beside = test_make_scene (HL_VIEW_HEATMAP, other, 640, 600, 1);

  hl_view_state_set_beside (state, other);
  hl_view_state_set_beside (other, state);
  hl_scene_set_beside_size (scene, 640, 600);
  hl_scene_set_beside_size (beside, 700, 600);
  for (gsize query = 0; query < 24; query++)
    {
      const HlPick pick = { HL_PICK_QUERY, .query = query };
      double x, y, width, height, other_y, other_height;
      g_assert_true (hl_scene_locate (scene, &pick, &x, &y, &width, &height));
      g_assert_true (hl_scene_locate (beside, &pick, &x, &other_y, &width, &other_height));
      g_assert_cmpfloat (y, ==, other_y);
      g_assert_cmpfloat (height, ==, other_height);
    }
  /* A second is as long in both, as 1,200 columns are enough to be seen beside 1,500. */
  for (gsize key = 0; key < 1200; key += 100)
    {
      const HlPick pick = { HL_PICK_KEY, .key = key };
      double x, y, width, height, other_x, other_width;
      g_assert_true (hl_scene_locate (scene, &pick, &x, &y, &width, &height));
      g_assert_true (hl_scene_locate (beside, &pick, &other_x, &y, &other_width, &height));
      g_assert_cmpfloat_with_epsilon (width, other_width, 1e-9);
    }
  hl_view_state_set_beside (state, NULL);
  hl_view_state_set_beside (other, NULL);
}

/* 1, 2 or 5 times a power of ten. */
static gboolean
is_round (gsize number)
{
  while (number > 0 && number % 10 == 0)
    number /= 10;
  return number == 1 || number == 2 || number == 5;
}

/* Seconds stand where frames begin that do, a round number of them apart, at every zoom and from either side; words have no axis. */
static void
test_axis (void)
{
  for (guint variant = 0; variant < 4; variant++)
    {
      const double scale = variant & 1 ? 2 : 1;
      g_autoptr (HlViewState) state = make_sparse_state (30, 1500, 2, 3, 0.02);
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 900, 600, scale);
      hl_view_state_set_option (state, reading, variant & 2 ? HL_READING_RIGHT_TO_LEFT : HL_READING_LEFT_TO_RIGHT);
      for (guint zoom = 0; zoom < 5; zoom++)
        {
          test_prepare (scene);
          g_autoptr (cairo_surface_t) with = test_draw_part (scene, HL_SCENE_BACKDROP);
          const HlHeatmapLayout *layout = get_layout (scene);
          const guint32 ground = test_get_pixel (with, layout->plot.x - 2, layout->plot.y - 3);
          gsize before = G_MAXSIZE, distance = 0;
          guint n_ticks = 0;

          g_assert_true (layout->has_axis[HL_KEYS]);
          for (double x = layout->plot.x; x < layout->plot.x + layout->plot.width - 1; x += 1 / scale)
            {
              if (test_get_pixel (with, x, layout->plot.y - 3) == ground ||
                  test_get_pixel (with, x - 1 / scale, layout->plot.y - 3) != ground)
                continue;
              /* What begins there is half of a line's width further on; read from the right, so is where it ends. */
              const double edge = x + 0.5;
              const double along = layout->mirrored ? layout->mirror - edge : edge;
              const gsize key = (gsize) lround ((along - layout->origin_x) / layout->cell.width);
              if (before != G_MAXSIZE && layout->cell.width >= 2)
                {
                  const gsize apart = key > before ? key - before : before - key;
                  /* A frame is two hundredths of a second. */
                  g_assert_true (is_round (2 * apart));
                  g_assert_true (distance == 0 || distance == apart);
                  distance = apart;
                  g_assert_cmpuint (key % apart, ==, 0);
                }
              before = key;
              n_ticks++;
            }
          g_assert_cmpuint (n_ticks, >=, 3);
          g_assert_cmpuint (n_ticks, <=, 40);
          hl_scene_zoom (scene, 2, layout->plot.x + 200, layout->plot.y + 100);
        }
    }

  g_autoptr (HlViewState) words = make_sparse_state (30, 1500, 2, 3, 0);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, words, 900, 600, 1);
  g_assert_false (get_layout (scene)->has_axis[HL_KEYS]);
}

/* Beside the box of a time in focus stands no part of a number: "16 s" would be "6 s". */
static void
test_axis_in_focus (void)
{
  g_autoptr (HlViewState) state = make_sparse_state (30, 1500, 2, 3, 0.02);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 900, 600, 1);

  for (gsize key = 700; key < 800; key += 3)
    {
      const HlPick pin = hl_pick_of (HL_KEYS, key);
      hl_view_state_set_pinned (state, &pin);
      test_prepare (scene);
      const HlHeatmapLayout *layout = get_layout (scene);
      g_autoptr (cairo_surface_t) all = test_draw_all (scene);
      g_autoptr (cairo_surface_t) backdrop = test_draw_part (scene, HL_SCENE_BACKDROP);
      const guint32 ground = hl_colour_to_pixel (&hl_theme_get (FALSE)->background);
      const double y = layout->plot.y - HL_TIME_AXIS_DISTANCE, middle = hl_heatmap_layout_get_column_x (layout, key);
      double begin = middle, end = middle;
      guint n_numbers = 0;

      /* The ground of the box is another one. */
      while (test_get_pixel (all, begin, y + 6) != ground)
        begin--;
      while (test_get_pixel (all, end, y + 6) != ground)
        end++;
      g_assert_cmpfloat (end - begin, >, 40);
      g_assert_cmpfloat (end - begin, <, 80);
      for (double line = y - 6; line <= y + 4; line++)
        for (double x = begin - 30; x <= end + 30; x++)
          {
            const guint32 pixel = test_get_pixel (all, x, line);
            if (x > begin - 2 && x < end + 2)
              continue;
            /* A number is there as a whole, or not at all. */
            g_assert_true (pixel == ground || pixel == test_get_pixel (backdrop, x, line));
            n_numbers += pixel != ground;
          }
      for (double line = y - 6; line <= y + 4; line++)
        {
          g_assert_cmphex (test_get_pixel (all, begin - 1, line), ==, ground);
          g_assert_cmphex (test_get_pixel (all, end + 1, line), ==, ground);
        }
      g_assert_cmpuint (n_numbers, >, 0);
    }
}

static HlLayerTensor
make_layer (HlTensor *tensor)
{
  return (HlLayerTensor){
    .tensor = tensor, .layer_axis = 0, .batch_axis = -1, .head_axis = 1, .row_axis = 2, .column_axis = 3
  };
}

/* Steps have the seconds over maps and beside keys, where there is no room for labels; words beside queries as ever. */
static void
test_steps (void)
{
  const gsize n[2] = { 12, 600 }, n_features = 4;
  g_autofree float *numbers = test_make_weights (5, 1, n[HL_KEYS], n_features);
  g_autoptr (HlTensor) queries = test_make_tensor (&(HlShape){ 4, { 1, 1, n[HL_QUERIES], n_features } }, numbers);
  g_autoptr (HlTensor) keys = test_make_tensor (&(HlShape){ 4, { 1, 1, n[HL_KEYS], n_features } }, numbers);
  const HlLayerTensor layers[2] = { make_layer (queries), make_layer (keys) };
  g_auto (GStrv) times = g_new0 (char *, n[HL_KEYS] + 1);
  const char *words[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", NULL };

  for (gsize i = 0; i < n[HL_KEYS]; i++)
    times[i] = g_strdup_printf ("%.2f s", (double) i * 0.02);
  const HlAttentionInit init = { .n_layers = 1,
                                 .projections = { &layers[HL_QUERIES], &layers[HL_KEYS] },
                                 .tokens = { words, (const char *const *) times },
                                 .n_used = { n[HL_QUERIES], n[HL_KEYS] },
                                 .rule = { .scale = 1 } };
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (attentions, hl_attention_new (&init));
  g_autoptr (HlExample) example = hl_example_new ("example", NULL, NULL, attentions, checks);
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_STEPS, state, 1000, 700, 1);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) backdrop = test_draw_part (scene, HL_SCENE_BACKDROP);
  const HlStepsLayout *layout = hl_scene_get_frame (scene)->layout;
  const guint32 ground = test_get_pixel (backdrop, 1, 1);

  for (guint i = 0; i < layout->n_cards; i++)
    {
      const HlStepsCard *card = &layout->cards[i];
      guint n_over = 0, n_beside = 0;
      g_assert_cmpint (card->has_row_axis, ==, card->step == HL_STEP_KEYS);
      g_assert_cmpint (card->has_column_axis, ==, hl_step_is_map (card->step));
      for (double x = card->plot.x; x < card->plot.x + card->plot.width; x++)
        n_over += test_get_pixel (backdrop, x, card->plot.y - 3) != ground;
      for (double y = card->plot.y; y < card->plot.y + card->plot.height; y++)
        n_beside += test_get_pixel (backdrop, card->plot.x - 3, y) != ground;
      g_assert_cmpint (n_over >= 3, ==, card->has_column_axis);
      g_assert_cmpint (n_beside >= 3, ==, card->has_row_axis);
    }
}

/* Where labels stand in place of an axis, one is where each round second begins, and no two are nearer than there is room. */
static void
test_steps_of_labels (void)
{
  const struct
  {
    double frame;
    gsize stride;
    double step;
  } cases[] = { { 0.02, 36, 1 }, { 0.0232, 36, 1 }, { 0.0232, 50, 2 }, { 0.02, 200, 5 }, { 0.02, 4, 0.1 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HlViewState) state = make_sparse_state (4, 1300, 2, 3, cases[i].frame);
      HlAttention *attention = hl_view_state_get_shown (state)->attention;
      const HlRange range = { 0, 1300 };
      const double step = hl_time_axis_choose_step (attention, HL_KEYS, range, cases[i].stride);
      gsize n = 0;
      g_assert_cmpfloat_with_epsilon (step, cases[i].step, 1e-9);
      for (gsize key = 0; key < range.n; key++)
        if (hl_time_axis_is_at_step (attention, HL_KEYS, range, key, step))
          {
            const double start = g_ascii_strtod (hl_attention_get_texts (attention, HL_KEYS)[key], NULL);
            g_assert_cmpfloat_with_epsilon (start, n * step, cases[i].frame + 0.01);
            n++;
          }
      g_assert_cmpuint (n, ==, (gsize) floor (1299 * cases[i].frame / step + 1e-6) + 1);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/heatmap-cells/rule", test_rule);
  g_test_add_data_func ("/heatmap-cells/picture/wide-1x", GUINT_TO_POINTER (0), test_picture);
  g_test_add_data_func ("/heatmap-cells/picture/high-1x", GUINT_TO_POINTER (1), test_picture);
  g_test_add_data_func ("/heatmap-cells/picture/wide-2x", GUINT_TO_POINTER (2), test_picture);
  g_test_add_data_func ("/heatmap-cells/picture/high-2x", GUINT_TO_POINTER (3), test_picture);
  g_test_add_func ("/heatmap-cells/pick", test_pick);
  g_test_add_func ("/heatmap-cells/all-in-view", test_all_in_view);
  g_test_add_func ("/heatmap-cells/tiles", test_tiles);
  g_test_add_func ("/heatmap-cells/beside", test_beside);
  g_test_add_func ("/heatmap-cells/steps-of-labels", test_steps_of_labels);
  g_test_add_func ("/heatmap-cells/axis", test_axis);
  g_test_add_func ("/heatmap-cells/axis-in-focus", test_axis_in_focus);
  g_test_add_func ("/heatmap-cells/steps", test_steps);
  return g_test_run ();
}
