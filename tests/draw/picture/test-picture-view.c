/* SPDX-License-Identifier: MIT */
/* The picture view: its pixels against the weights, its picks against its places, which side a token is taken for, and keys. */
#include "core/test-attentions.h"
#include "draw/export/hl-export.h"
#include "draw/paint/hl-colour-map.h"
#include "test-scenes.h"

#include <string.h>

/* What stands before the patches, the patches, and what comes after them. */
typedef struct
{
  gsize n_before;
  gsize n_rows;
  gsize n_columns;
  gsize n_after;
  gboolean causal;
  guint8 shade; /* of the image; 0 for none */
} Text;

static const char *const words[] = { "what", "is", "this" };

static gsize
count (const Text *text)
{
  return text->n_before + text->n_rows * text->n_columns + text->n_after;
}

static HlPicture *
make_picture (const Text *text)
{
  const gsize height = text->n_rows * 10, width = text->n_columns * 10;
  g_autoptr (HlImage) image = text->shade > 0 ? hl_image_new (height, width, NULL) : NULL;
  g_autoptr (GError) error = NULL;
  HlPictureGrid grid = {
    0, text->n_before, text->n_rows, text->n_columns, text->n_columns, { 0, 0, (double) width, (double) height }
  };

  if (image != NULL)
    memset (image->pixels, text->shade, height * width * 3);
  HlPicture *picture = hl_picture_new (&image, 1, &grid, 1, count (text), &error);
  g_assert_no_error (error);
  return picture;
}

/* Of a query and of a key. */
#define N_FEATURES 4

/* @quantity: (nullable): what the numbers are, if not weights */
static HlAttention *
make_attention_with (const Text  *text,
                     guint        n_heads,
                     const float *weights,
                     const char  *quantity,
                     HlPicture   *picture)
{
  const gsize n = count (text);
  const HlShape shape = { 4, { 1, n_heads, n, n } };
  g_autoptr (HlTensor) tensor = test_make_tensor (&shape, weights);
  const HlLayerTensor layer = {
    .tensor = tensor, .layer_axis = 0, .batch_axis = -1, .head_axis = 1, .row_axis = 2, .column_axis = 3
  };
  g_autofree const char **tokens = g_new0 (const char *, n + 1);

  for (gsize i = 0; i < n; i++)
    tokens[i] = i < text->n_before ? "[CLS]" : i >= n - text->n_after ? words[i - (n - text->n_after)] : "<image>";
  const HlShape features_shape = { 4, { 1, n_heads, n, N_FEATURES } };
  g_autofree float *features = test_make_weights (5, n_heads, n, N_FEATURES);
  g_autoptr (HlTensor) feature_tensor = test_make_tensor (&features_shape, features);
  HlLayerTensor feature_layer = layer;
  feature_layer.tensor = feature_tensor;
  const HlAttentionInit init = { .weights = &layer,
                                 .n_layers = 1,
                                 .projections = { &feature_layer, &feature_layer },
                                 .tokens = { tokens, tokens },
                                 .n_used = { n, n },
                                 .pictures = { picture, picture },
                                 .quantity = quantity,
                                 .rule = { .scale = 1, .mask = { .causal = text->causal } } };
  return hl_attention_new (&init);
}

static HlAttention *
make_attention (const Text  *text,
                guint        n_heads,
                const float *weights)
{
  g_autoptr (HlPicture) picture = make_picture (text);

  return make_attention_with (text, n_heads, weights, NULL, picture);
}

static HlViewState *
make_state_with (const Text  *text,
                 guint        n_heads,
                 const float *weights,
                 const char  *quantity,
                 HlPicture   *picture)
{
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (attentions, make_attention_with (text, n_heads, weights, quantity, picture));
  g_autoptr (HlExample) example = hl_example_new ("example", NULL, NULL, attentions, checks);
  return hl_view_state_new (example);
}

static HlViewState *
make_state (const Text  *text,
            guint        n_heads,
            const float *weights)
{
  g_autoptr (HlPicture) picture = make_picture (text);

  return make_state_with (text, n_heads, weights, NULL, picture);
}

static const Text vit = { 1, 3, 4, 0, FALSE, 128 };
static const Text prompt = { 1, 2, 3, 3, TRUE, 128 };

static void
get_middle (HlScene      *scene,
            const HlPick *pick,
            double       *x,
            double       *y)
{
  double width, height;

  g_assert_true (hl_scene_locate (scene, pick, x, y, &width, &height));
  *x += width / 2;
  *y += height / 2;
}

/* The image under the colour of the weight. */
static void
assert_mixed (guint32 pixel,
              guint32 colour,
              double  alpha,
              guint8  shade)
{
  for (guint shift = 0; shift < 24; shift += 8)
    {
      const double wanted = (colour >> shift & 0xff) * alpha + shade * (1 - alpha);
      g_assert_cmpfloat_with_epsilon ((double) (pixel >> shift & 0xff), wanted, 3);
    }
}

/* Every patch has the colour of its weight of the token that is pinned, from 0 to the strongest patch. */
static void
test_pixels (void)
{
  const gsize n = count (&vit);
  g_autofree float *weights = test_make_weights (3, 1, n, n);
  g_autoptr (HlViewState) state = make_state (&vit, 1, weights);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_PICTURE, state, 800, 600, 1);
  const gsize queries[] = { 0, 5, 12 };

  for (gsize i = 0; i < G_N_ELEMENTS (queries); i++)
    for (int mask = 0; mask < 2; mask++)
      {
        const HlPick pin = hl_pick_of (HL_QUERIES, queries[i]);
        const float *row = weights + queries[i] * n;
        float greatest = 0;

        hl_view_state_set_option (state, heat, mask ? HL_HEAT_MASK : HL_HEAT_COLOURS);
        hl_view_state_set_pinned (state, &pin);
        test_prepare (scene);
        g_autoptr (cairo_surface_t) picture = test_draw_all (scene);
        for (gsize key = 1; key < n; key++)
          greatest = MAX (greatest, row[key]);
        for (gsize key = 1; key < n; key++)
          {
            const HlPick patch = hl_pick_of (HL_QUERIES, key);
            const double strength = row[key] / greatest;
            double x, y;
            get_middle (scene, &patch, &x, &y);
            const guint32 pixel = test_get_pixel (picture, x, y);
            if (mask)
              assert_mixed (pixel, 0, 0.6 * (1 - strength), 128);
            else
              assert_mixed (pixel, hl_colour_map_lookup (HL_COLOUR_MAP_VIRIDIS, FALSE, strength),
                            MIN (1, 0.6 * (0.5 + strength)), 128);
          }
      }
}

static void
assert_received (HlScene      *scene,
                 gsize         n,
                 const double *means)
{
  double greatest = 0;

  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_all (scene);
  for (gsize key = 1; key < n; key++)
    greatest = MAX (greatest, means[key]);
  for (gsize key = 1; key < n; key++)
    {
      const HlPick patch = hl_pick_of (HL_QUERIES, key);
      double x, y;
      get_middle (scene, &patch, &x, &y);
      assert_mixed (test_get_pixel (picture, x, y),
                    hl_colour_map_lookup (HL_COLOUR_MAP_VIRIDIS, FALSE, means[key] / greatest),
                    MIN (1, 0.6 * (0.5 + means[key] / greatest)), 128);
    }
}

/* Without a pin, what each key gets on average; with a filter the same, as long as something is left of it. */
static void
test_received (void)
{
  const gsize n = count (&vit);
  g_autofree float *weights = test_make_weights (4, 1, n, n);
  g_autoptr (HlViewState) state = make_state (&vit, 1, weights);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_PICTURE, state, 800, 600, 1);
  g_autofree double *means = g_new0 (double, n);
  float least = 1;
  gsize weakest = 0;

  for (gsize key = 0; key < n; key++)
    {
      float strongest = 0;
      for (gsize query = 0; query < n; query++)
        {
          means[key] += weights[query * n + key] / (double) n;
          strongest = MAX (strongest, weights[query * n + key]);
        }
      if (key > 0 && strongest < least)
        {
          least = strongest;
          weakest = key;
        }
    }
  assert_received (scene, n, means);
  /* Keys get the same where rows are keys. */
  hl_view_state_set_option (state, direction, HL_DIRECTION_TRANSPOSED);
  assert_received (scene, n, means);
  hl_view_state_set_option (state, direction, HL_DIRECTION_AS_IS);
  hl_view_state_set_option (state, threshold, least * 1.001);
  means[weakest] = 0;
  assert_received (scene, n, means);
}

/* Every token is picked where it is, as a query; on narrow pages, on wide ones, and zoomed. */
static void
test_places (void)
{
  const double sizes[][2] = { { 800, 600 }, { 360, 640 }, { 1200, 300 }, { 200, 200 } };
  const gsize n = count (&vit);
  g_autofree float *weights = test_make_weights (3, 1, n, n);
  g_autoptr (HlViewState) state = make_state (&vit, 1, weights);

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_PICTURE, state, sizes[i][0], sizes[i][1], 1);
      cairo_rectangle_t window;
      test_prepare (scene);
      for (guint zoomed = 0; zoomed < 2; zoomed++)
        {
          guint n_seen = 0;
          if (zoomed)
            hl_scene_zoom (scene, 3, sizes[i][0] / 3, sizes[i][1] / 2);
          hl_scene_get_window (scene, &window);
          for (gsize token = 0; token < n; token++)
            {
              const HlPick pick = hl_pick_of (HL_QUERIES, token);
              HlPick found;
              double x, y;
              get_middle (scene, &pick, &x, &y);
              if (x < window.x || y < window.y || x >= window.x + window.width || y >= window.y + window.height)
                continue;
              n_seen++;
              hl_scene_pick (scene, x, y, &found);
              g_assert_true (hl_pick_equal (&found, &pick));
            }
          g_assert_cmpuint (n_seen, >, zoomed ? 0 : 2);
        }
      hl_scene_fit (scene);
      HlPick none;
      hl_scene_pick (scene, 2, 2, &none);
      g_assert_cmpint (none.kind, ==, HL_PICK_NONE);
    }
}

/* Words that come later look at patches; these are keys then, and what looks at them shows. */
static void
test_prompt (void)
{
  const gsize n = count (&prompt);
  g_autofree float *weights = test_make_weights (5, 2, n, n);
  g_autoptr (HlViewState) state = make_state (&prompt, 2, weights);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_PICTURE, state, 800, 600, 1);
  HlPick pick;
  double x, y;

  test_prepare (scene);
  const HlPick patch = hl_pick_of (HL_KEYS, 3), word = hl_pick_of (HL_QUERIES, n - 1);
  get_middle (scene, &patch, &x, &y);
  hl_scene_pick (scene, x, y, &pick);
  g_assert_true (hl_pick_equal (&pick, &patch));
  get_middle (scene, &word, &x, &y);
  hl_scene_pick (scene, x, y, &pick);
  g_assert_true (hl_pick_equal (&pick, &word));

  g_autofree char *text = hl_scene_describe (scene, &word);
  g_assert_nonnull (strstr (text, "this (query 9): "));
  g_assert_nonnull (strstr (text, "patch "));
  /* A patch that comes before a query cannot see it: those before it have no colour, and it says so. */
  const HlPick pair = { HL_PICK_CELL, .query = 2, .key = 5 };
  g_autofree char *masked = hl_scene_describe (scene, &pair);
  g_assert_cmpstr (masked, ==, "patch 1,2 → patch 2,2: masked");
}

/* Of several heads, the mean. */
static void
test_heads (void)
{
  const gsize n = count (&vit);
  g_autofree float *weights = test_make_weights (6, 3, n, n);
  g_autoptr (HlViewState) state = make_state (&vit, 3, weights);
  const HlHeadSet all = { { 7 } };
  const HlPick pair = { HL_PICK_CELL, .query = 4, .key = 7 };

  hl_view_state_set_heads (state, &all);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_PICTURE, state, 800, 600, 1);
  test_prepare (scene);
  const float mean = (weights[4 * n + 7] + weights[(n + 4) * n + 7] + weights[(2 * n + 4) * n + 7]) / 3;
  g_autofree char *text = hl_scene_describe (scene, &pair);
  g_assert_true (g_str_has_prefix (text, "patch 1,4 → patch 2,3 0."));
  g_assert_true (g_str_has_suffix (text, "(mean of 3 heads)"));
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (text + strlen ("patch 1,4 → patch 2,3 "), NULL), (double) mean,
                                  0.006);
}

/* With a filter these means are the same, of heads and of queries, as long as something is left of them. */
static void
test_filtered (void)
{
  const Text text = { 1, 1, 2, 0, FALSE, 128 };
  const float weights[] = { 0.6f, 0.2f, 0.2f, 0.5f,  0.1f,  0.4f,  1, 0, 0, /* of head 0 */
                            0.5f, 0.4f, 0.1f, 0.24f, 0.14f, 0.62f, 1, 0, 0 };
  g_autoptr (HlViewState) state = make_state (&text, 2, weights);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_PICTURE, state, 800, 600, 1);

  hl_view_state_set_option (state, threshold, 0.3);
  hl_view_state_select_all_heads (state);
  test_prepare (scene);
  g_autofree char *pair = hl_scene_describe (scene, &(HlPick){ HL_PICK_CELL, .query = 0, .key = 1 });
  g_assert_cmpstr (pair, ==, "[CLS] → patch 1,1 0.30 (mean of 2 heads)");
  g_autofree char *left_out = hl_scene_describe (scene, &(HlPick){ HL_PICK_CELL, .query = 0, .key = 2 });
  g_assert_cmpstr (left_out, ==, "[CLS] → patch 1,2: left out");
  for (gsize query = 0; query < 2; query++)
    hl_view_state_gather (state, &(HlPick){ HL_PICK_QUERY, .query = query });
  test_prepare (scene);
  g_autofree char *gathered = hl_scene_describe_focus (scene);
  g_assert_cmpstr (gathered, ==,
                   "mean of 2 queries: [CLS], patch 1,1: [CLS] 0.46, patch 1,2 0.33, patch 1,1 0.21 (mean of 2 heads)");
}

/* Of heads of two layers, of which one sees less far back, the same is masked whichever leads. */
static void
test_rules (void)
{
  const gsize n = count (&prompt), last = n - 1;
  const HlAttentionRule rules[] = { { .scale = 1, .mask = { .causal = TRUE } },
                                    { .scale = 1, .mask = { .causal = TRUE, .window = 5 } } };
  g_autoptr (HlPicture) picture = make_picture (&prompt);
  g_autofree float *weights = g_new0 (float, 2 * n * n);
  char *said[2];

  for (gsize query = 0; query < n; query++)
    for (guint layer = 0; layer < 2; layer++)
      {
        const gsize n_seen = MIN (query + 1, layer == 0 ? n : 5);
        for (gsize key = query + 1 - n_seen; key <= query; key++)
          weights[(layer * n + query) * n + key] = 1.0f / n_seen;
      }
  g_autoptr (HlTensor) tensor = test_make_tensor (&(HlShape){ 4, { 2, 1, n, n } }, weights);
  const HlLayerTensor layers[] = { { tensor, 0, 0, -1, 0, 1, 2, 3 }, { tensor, 0, 1, -1, 0, 1, 2, 3 } };
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (
    attentions,
    hl_attention_new (&(HlAttentionInit){
      .weights = layers, .n_layers = 2, .n_used = { n, n }, .pictures = { picture, picture }, .rules = rules }));
  g_autoptr (HlExample) example = hl_example_new ("example", NULL, NULL, attentions, checks);
  for (guint layer = 0; layer < 2; layer++)
    {
      g_autoptr (HlViewState) state = hl_view_state_new (example);
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_PICTURE, state, 800, 600, 1);
      hl_view_state_go_to (state, layer, 0);
      hl_view_state_toggle_head_of (state, 1 - layer, 0);
      test_prepare (scene);
      said[layer] = hl_scene_describe (scene, &(HlPick){ HL_PICK_QUERY, .query = last });
    }
  /* 6 patches have a tenth each in one layer, and two of them a fifth in the other. */
  g_assert_true (g_str_has_suffix (said[0], " · 0.50 of it on the image"));
  g_assert_cmpstr (said[1], ==, said[0]);
  for (guint layer = 0; layer < 2; layer++)
    g_free (said[layer]);
}

/* Beside a pin, what is pointed at is told as a pair with it, though both are taken for queries. */
static void
test_pairs (void)
{
  const gsize n = count (&vit);
  g_autofree float *weights = test_make_weights (6, 1, n, n);
  g_autoptr (HlViewState) state = make_state (&vit, 1, weights);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_PICTURE, state, 800, 600, 1);
  const HlPick pin = hl_pick_of (HL_QUERIES, 4), pointed = hl_pick_of (HL_QUERIES, 7);

  test_prepare (scene);
  g_autofree char *alone = hl_scene_describe (scene, &pointed);
  g_assert_true (g_str_has_prefix (alone, "patch 2,3 (query 7): "));
  hl_view_state_set_pinned (state, &pin);
  g_autofree char *pair = hl_scene_describe (scene, &pointed);
  const char *begin = "patch 1,4 → patch 2,3 ";
  g_assert_true (g_str_has_prefix (pair, begin));
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (pair + strlen (begin), NULL), (double) weights[4 * n + 7], 0.006);
  g_autofree char *own = hl_scene_describe (scene, &pin);
  g_assert_true (g_str_has_prefix (own, "patch 1,4 (query 4): "));
}

/* Arrow keys lead from patch to patch, and over to what stands beside them. */
static void
test_keys (void)
{
  const gsize n = count (&vit);
  g_autofree float *weights = test_make_weights (3, 1, n, n);
  g_autoptr (HlViewState) state = make_state (&vit, 1, weights);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_PICTURE, state, 800, 600, 1);
  HlPick pick = { HL_PICK_NONE };

  test_prepare (scene);
  hl_scene_move (scene, &pick, 1, 0, FALSE);
  g_assert_cmpuint (pick.query, ==, 0);
  pick = hl_pick_of (HL_QUERIES, 6);
  hl_scene_move (scene, &pick, 1, 0, FALSE);
  g_assert_cmpuint (pick.query, ==, 7);
  hl_scene_move (scene, &pick, 0, 1, FALSE);
  g_assert_cmpuint (pick.query, ==, 11);
  hl_scene_move (scene, &pick, 0, 1, FALSE);
  g_assert_cmpuint (pick.query, ==, 11);
  hl_scene_move (scene, &pick, -1, 0, TRUE);
  g_assert_cmpuint (pick.query, ==, 9);
  hl_scene_move (scene, &pick, 0, -1, TRUE);
  g_assert_cmpuint (pick.query, ==, 1);
  pick = hl_pick_of (HL_QUERIES, 4);
  hl_scene_move (scene, &pick, 1, 0, FALSE);
  g_assert_cmpuint (pick.query, ==, 0);
}

/* A text has nothing to show here, and says so. */
static void
test_lack (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (1, 1, 4);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_PICTURE, state, 400, 300, 1);
  HlPick pick;

  g_assert_nonnull (hl_view_kind_get_lack (HL_VIEW_PICTURE, hl_view_state_get_attention (state)));
  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_all (scene);
  g_assert_false (test_is_blank (picture));
  hl_scene_pick (scene, 200, 150, &pick);
  g_assert_cmpint (pick.kind, ==, HL_PICK_NONE);

  const gsize n = count (&vit);
  g_autofree float *weights = test_make_weights (3, 1, n, n);
  g_autoptr (HlViewState) seen = make_state (&vit, 1, weights);
  g_assert_null (hl_view_kind_get_lack (HL_VIEW_PICTURE, hl_view_state_get_attention (seen)));
}

/* A difference of the same image has its heat, with a sign; one of two images has none. */
static void
test_difference (void)
{
  const Text other_image = { 1, 3, 4, 0, FALSE, 200 };
  const gsize n = count (&vit);
  g_autofree float *weights = test_make_weights (3, 1, n, n);
  g_autofree float *others = test_make_weights (9, 1, n, n);
  g_autoptr (HlAttention) same = make_attention (&vit, 1, others);
  g_autoptr (HlAttention) different = make_attention (&other_image, 1, others);
  const HlHeadPairing pairing = { -1, -1 };
  const HlPick pair = { HL_PICK_CELL, .query = 2, .key = 8 };

  for (int i = 0; i < 2; i++)
    {
      g_autoptr (HlViewState) state = make_state (&vit, 1, weights);
      hl_view_state_set_difference (state, i == 0 ? same : different, &pairing);
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_PICTURE, state, 800, 600, 1);
      test_prepare (scene);
      g_autoptr (cairo_surface_t) picture = test_draw_all (scene);
      double x, y, width, height;
      g_assert_cmpint (hl_scene_locate (scene, &(HlPick){ HL_PICK_QUERY, .query = 3 }, &x, &y, &width, &height), ==,
                       i == 0);
      if (i > 0)
        continue;
      g_autofree char *text = hl_scene_describe (scene, &pair);
      const double wanted = (double) others[2 * n + 8] - (double) weights[2 * n + 8];
      const char *number = text + strlen ("patch 1,2 → patch 2,4 ");
      const double found = g_str_has_prefix (number, "−") ? -g_ascii_strtod (number + strlen ("−"), NULL)
                                                          : g_ascii_strtod (number + (*number == '+'), NULL);
      g_assert_cmpfloat_with_epsilon (found, wanted, 0.006);
    }
}

/* Places alone, without an image; and all is drawn on paper, too. */
static void
test_plain (void)
{
  const Text plain = { 1, 3, 4, 2, FALSE, 0 };
  const gsize n = count (&plain);
  g_autofree float *weights = test_make_weights (3, 1, n, n);
  g_autoptr (HlViewState) state = make_state (&plain, 1, weights);

  for (int smooth = 0; smooth < 2; smooth++)
    for (int vector = 0; vector < 2; vector++)
      {
        g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_PICTURE, state, 500, 400, 2);
        hl_view_state_set_option (state, smooth_heat, smooth);
        g_object_set (scene, "vector", vector, NULL);
        test_prepare (scene);
        g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
        g_assert_false (test_is_blank (picture));
      }
}

static guint
count_pixels (cairo_surface_t         *surface,
              const cairo_rectangle_t *box,
              guint32                  colour,
              guint                    tolerance)
{
  guint n = 0;

  for (double y = box->y; y < box->y + box->height; y++)
    for (double x = box->x; x < box->x + box->width; x++)
      {
        const guint32 pixel = test_get_pixel (surface, x, y);
        gboolean is_it = TRUE;
        for (guint shift = 0; shift < 24; shift += 8)
          is_it &= ABS ((int) (pixel >> shift & 0xff) - (int) (colour >> shift & 0xff)) <= (int) tolerance;
        n += is_it;
      }
  return n;
}

/* In every view that names tokens, each patch stands beside its name, on both sides; without an image there is none. */
static void
test_names (void)
{
  static const struct
  {
    HlViewKind view;
    gboolean turned;
  } views[] = { { HL_VIEW_HEAD_VIEW, FALSE }, { HL_VIEW_HEAD_VIEW, TRUE }, { HL_VIEW_HEATMAP, FALSE },
                { HL_VIEW_STEPS, FALSE },     { HL_VIEW_NEURON, FALSE },   { HL_VIEW_LAYERS, FALSE } };
  const guint8 shade = 77;
  const guint32 colour = 0xff000000u | shade * 0x010101u;
  const cairo_rectangle_t all = { 0, 0, 900, 700 };

  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    for (int has_image = 0; has_image < 2; has_image++)
      {
        const Text text = { 1, 3, 4, 0, FALSE, has_image ? shade : 0 };
        const gsize n = count (&text);
        g_autofree float *weights = test_make_weights (3, 1, n, n);
        g_autoptr (HlViewState) state = make_state (&text, 1, weights);
        hl_view_state_set_option (state, view, views[i].view);
        hl_view_state_set_option (state, orientation,
                                  views[i].turned ? HL_ORIENTATION_HORIZONTAL : HL_ORIENTATION_VERTICAL);
        g_autoptr (HlScene) scene = test_make_scene (views[i].view, state, all.width, all.height, 1);
        test_prepare (scene);
        g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_BACKDROP);
        const guint n_pixels = count_pixels (picture, &all, colour, 0);
        if (has_image)
          g_assert_cmpuint (n_pixels, >=, 2 * 12 * 9 * 9);
        else
          g_assert_cmpuint (n_pixels, <, 100);
      }
}

/* Columns of a heatmap that are close, and every other of which has a name: patches stand over those, and do not reach over others. */
static void
test_columns (void)
{
  const Text many = { 1, 8, 8, 0, FALSE, 77 };
  const gsize n = count (&many);
  g_autofree float *weights = test_make_weights (3, 1, n, n);
  g_autoptr (HlViewState) state = make_state (&many, 1, weights);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 900, 700, 1);
  double x, y, width, height;

  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_BACKDROP);
  g_assert_true (hl_scene_locate (scene, &(HlPick){ HL_PICK_KEY, .key = 2 }, &x, &y, &width, &height));
  g_assert_cmpfloat (width, <, 12);
  guint n_found = 0;
  for (gsize key = 1; key < n; key++)
    {
      g_assert_true (hl_scene_locate (scene, &(HlPick){ HL_PICK_KEY, .key = key }, &x, &y, &width, &height));
      const cairo_rectangle_t above = { x, y - 14, width, 6 };
      n_found += count_pixels (picture, &above, 0xff4d4d4du, 0) >= width * 6 - 6;
    }
  g_assert_cmpuint (n_found, >=, 31);
}

static GBytes *
make_svg (HlViewKind   view,
          HlViewState *state,
          double       width,
          double       height)
{
  g_autoptr (HlScene) scene = test_make_scene (view, state, width, height, 1);
  g_autoptr (GError) error = NULL;

  test_prepare (scene);
  GBytes *svg = hl_export_scene_to_bytes (scene, &(HlExportOptions){ HL_EXPORT_SVG, 1 }, NULL, NULL, &error);
  g_assert_no_error (error);
  return svg;
}

static gboolean
has (GBytes     *svg,
     const char *pattern)
{
  g_autofree char *text = g_strndup (g_bytes_get_data (svg, NULL), g_bytes_get_size (svg));

  return g_regex_match_simple (pattern, text, 0, 0);
}

/* Where there is no room for the names of patches, row and column stand alone, whole. */
static void
test_short_names (void)
{
  const Text text = { 1, 12, 12, 0, FALSE, 77 };
  const gsize n = count (&text);
  g_autofree float *weights = test_make_weights (3, 1, n, n);
  g_autoptr (HlViewState) state = make_state (&text, 1, weights);
  g_autoptr (GBytes) wide = make_svg (HL_VIEW_HEATMAP, state, 900, 700);
  g_autoptr (GBytes) narrow = make_svg (HL_VIEW_HEATMAP, state, 180, 420);

  g_assert_true (has (wide, ">patch [0-9]+,[0-9]+<"));
  g_assert_false (has (wide, ">[0-9]+,[0-9]+<"));
  g_assert_true (has (narrow, ">[0-9]+,[0-9]+<"));
  g_assert_false (has (narrow, ">[^<]*…<"));
}

/* Of the list below the image stand as many members as have room, each with all of its number; and then what the image has. */
static void
test_status (void)
{
  const Text text = { 1, 12, 12, 0, FALSE, 77 };
  const gsize n = count (&text);
  const HlPick pin = hl_pick_of (HL_QUERIES, 70);
  g_autofree float *weights = test_make_weights (3, 1, n, n);
  g_autoptr (HlViewState) state = make_state (&text, 1, weights);

  hl_view_state_set_pinned (state, &pin);
  for (double width = 300; width <= 900; width += 20)
    {
      g_autoptr (GBytes) svg = make_svg (HL_VIEW_PICTURE, state, width, 500);
      const char *members = ">[^<]*\\(query 70\\): (patch [0-9]+,[0-9]+ 0\\.[0-9]+, )*";
      const char *share = width >= 480 ? " · 0\\.9[0-9] of it on the image<" : "( · [^<]*)?<";
      g_autofree char *cut = g_strconcat (members, "…", share, NULL);
      g_autofree char *whole = g_strconcat (members, "patch [0-9]+,[0-9]+ 0\\.[0-9]+", share, NULL);
      g_assert_true (has (svg, cut) != has (svg, whole));
      g_assert_true (has (svg, cut) || width > 640);
      g_assert_true (has (svg, whole) || width < 880);
    }
}

/* A row of the prompt with so much on a patch, on a word, and on itself. */
static void
set_row (float *row,
         gsize  n,
         float  patch,
         float  word,
         float  own)
{
  for (gsize i = 0; i < n; i++)
    row[i] = 0;
  row[3] = patch;
  row[n - 2] = word;
  row[n - 1] = own;
}

/* Next to nothing does not look like much, however much weaker the rest of it is; and it is told how much the image has. */
static void
test_least (void)
{
  static const struct
  {
    float patch;
    double strength;
    const char *share;
  } cases[] = { { 1.4e-7f, 0, "<0.001" }, { 0.001f, 0.1, "0.0010" }, { 0.01f, 1, "0.010" }, { 0.3f, 1, "0.30" } };
  const gsize n = count (&prompt);
  const HlPick pin = hl_pick_of (HL_QUERIES, n - 1), patch = hl_pick_of (HL_KEYS, 3), other = hl_pick_of (HL_KEYS, 2);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int mask = 0; mask < 2; mask++)
      {
        g_autofree float *weights = test_make_weights (3, 1, n, n);
        set_row (weights + (n - 1) * n, n, cases[i].patch, 0.5f, 0.5f - cases[i].patch);
        /* What is no weight is a part of all of its row. */
        g_autoptr (HlPicture) seen = make_picture (&prompt);
        g_autoptr (HlViewState) state = make_state_with (&prompt, 1, weights, mask ? "norm" : NULL, seen);
        hl_view_state_set_option (state, heat, mask ? HL_HEAT_MASK : HL_HEAT_COLOURS);
        hl_view_state_set_pinned (state, &pin);
        g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_PICTURE, state, 900, 600, 1);
        test_prepare (scene);
        g_autoptr (cairo_surface_t) picture = test_draw_all (scene);
        double x, y;
        get_middle (scene, &patch, &x, &y);
        const double strength = cases[i].strength;
        if (mask)
          assert_mixed (test_get_pixel (picture, x, y), 0, 0.6 * (1 - strength), 128);
        else
          assert_mixed (test_get_pixel (picture, x, y), hl_colour_map_lookup (HL_COLOUR_MAP_VIRIDIS, FALSE, strength),
                        MIN (1, 0.6 * (0.5 + strength)), 128);
        get_middle (scene, &other, &x, &y);
        assert_mixed (test_get_pixel (picture, x, y), mask ? 0 : hl_colour_map_lookup (HL_COLOUR_MAP_VIRIDIS, FALSE, 0),
                      mask ? 0.6 : 0.3, 128);
        g_autofree char *told = g_strdup_printf (" · %s of it on the image", cases[i].share);
        g_autofree char *spoken = hl_scene_describe (scene, &pin);
        g_assert_true (g_str_has_suffix (spoken, told));
        g_autoptr (GBytes) svg = make_svg (HL_VIEW_PICTURE, state, 900, 600);
        g_autofree char *escaped = g_markup_escape_text (told, -1);
        g_autofree char *pattern = g_strdup_printf (">this \\(query 9\\): .*%s<", escaped);
        g_assert_true (has (svg, pattern));
      }
}

/* Of many patches, each of which has little, the strongest still stands out. */
static void
test_many (void)
{
  const Text many = { 1, 20, 20, 0, FALSE, 128 };
  const gsize n = count (&many);
  const HlPick pin = hl_pick_of (HL_QUERIES, 0), patch = hl_pick_of (HL_QUERIES, 9);
  g_autofree float *weights = test_make_weights (3, 1, n, n);
  double x, y;

  for (gsize i = 0; i < n; i++)
    weights[i] = i == 9 ? 0.004f : (1 - 0.004f) / (float) (n - 1);
  g_autoptr (HlViewState) state = make_state (&many, 1, weights);
  hl_view_state_set_pinned (state, &pin);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_PICTURE, state, 900, 600, 1);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_all (scene);
  get_middle (scene, &patch, &x, &y);
  assert_mixed (test_get_pixel (picture, x, y), hl_colour_map_lookup (HL_COLOUR_MAP_VIRIDIS, FALSE, 1), 0.9, 128);
}

/* What is no part of a row, or of nothing but the image, has no share that is told. */
static void
test_share (void)
{
  const Text alone = { 0, 3, 4, 0, FALSE, 128 };
  const gsize n = count (&prompt), n_alone = count (&alone);
  g_autofree float *weights = test_make_weights (3, 1, n, n);
  g_autofree float *others = test_make_weights (3, 1, n_alone, n_alone);
  g_autoptr (HlViewState) state = make_state (&prompt, 1, weights);
  g_autoptr (HlViewState) patches = make_state (&alone, 1, others);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_PICTURE, state, 900, 600, 1);
  g_autoptr (HlScene) scene_of_patches = test_make_scene (HL_VIEW_PICTURE, patches, 900, 600, 1);
  const HlPick key = hl_pick_of (HL_KEYS, 3), query = hl_pick_of (HL_QUERIES, n - 1);

  test_prepare (scene);
  test_prepare (scene_of_patches);
  g_autofree char *received = hl_scene_describe (scene, &key);
  g_assert_null (strstr (received, "on the image"));
  g_autofree char *given = hl_scene_describe (scene, &query);
  g_assert_nonnull (strstr (given, "on the image"));
  g_autofree char *only = hl_scene_describe (scene_of_patches, &(HlPick){ HL_PICK_QUERY, .query = 2 });
  g_assert_null (strstr (only, "on the image"));
  hl_view_state_set_option (state, threshold, 0.1);
  test_prepare (scene);
  g_autofree char *filtered = hl_scene_describe (scene, &query);
  g_assert_null (strstr (filtered, "on the image"));
}

/* The numbers of the bar and its name have room before the edge, however small they are. */
static void
test_bar (void)
{
  const gsize n = count (&prompt);
  const HlPick pin = hl_pick_of (HL_QUERIES, n - 1);
  g_autofree float *weights = test_make_weights (3, 1, n, n);

  set_row (weights + (n - 1) * n, n, 1.2e-18f, 2.4e-18f, 2.4e-18f);
  g_autoptr (HlPicture) seen = make_picture (&prompt);
  g_autoptr (HlViewState) state = make_state_with (&prompt, 1, weights, "norm", seen);
  hl_view_state_set_pinned (state, &pin);
  g_autoptr (GBytes) svg = make_svg (HL_VIEW_PICTURE, state, 900, 600);
  g_assert_true (has (svg, ">≥ 1.2e−18<"));
  g_assert_true (has (svg, " · 0\\.20 of it on the image<"));
  for (double width = 500; width <= 1300; width += 100)
    {
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_PICTURE, state, width, 400, 1);
      test_prepare (scene);
      g_autoptr (cairo_surface_t) picture = test_draw_all (scene);
      const cairo_rectangle_t edge = { width - 2, 0, 2, 400 };
      const guint32 ground = hl_colour_to_pixel (&hl_theme_get (FALSE)->background);
      g_assert_cmpuint (count_pixels (picture, &edge, ground, 0), ==, 800);
    }
}

/* Tokens beside a darkened image have the greys that the bar has. */
static void
test_chips (void)
{
  const gsize n = count (&prompt);
  const HlPick pin = hl_pick_of (HL_QUERIES, n - 1), chip = hl_pick_of (HL_QUERIES, n - 2);
  g_autofree float *weights = test_make_weights (3, 1, n, n);
  cairo_rectangle_t box;

  set_row (weights + (n - 1) * n, n, 0.4f, 0.1f, 0.5f);
  g_autoptr (HlViewState) state = make_state (&prompt, 1, weights);
  hl_view_state_set_pinned (state, &pin);
  hl_view_state_set_option (state, heat, HL_HEAT_MASK);
  for (int dark = 0; dark < 2; dark++)
    {
      hl_view_state_set_option (state, dark, dark);
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_PICTURE, state, 800, 600, 1);
      test_prepare (scene);
      g_autoptr (cairo_surface_t) picture = test_draw_all (scene);
      g_assert_true (hl_scene_locate (scene, &chip, &box.x, &box.y, &box.width, &box.height));
      const guint32 grey = (guint32) lround (255 * (1 - 0.6 * 0.75)) * 0x010101u;
      g_assert_cmpfloat (count_pixels (picture, &box, grey, 2), >, box.width * box.height * 0.4);
    }
}

/* Two images of several shapes stand close, the second below the first or beside it, and each is named. */
static void
test_two (void)
{
  static const double sizes[][2] = { { 640, 720 }, { 900, 400 }, { 1400, 700 }, { 500, 900 } };
  const Text rest = { 8 * 4 + 4 * 4, 0, 0, 2, TRUE, 0 };
  const gsize n = count (&rest);
  g_autofree float *weights = test_make_weights (3, 1, n, n);
  g_autoptr (HlImage) wide = hl_image_new (40, 80, NULL);
  g_autoptr (HlImage) square = hl_image_new (40, 40, NULL);
  HlImage *images[] = { wide, square };
  const HlPictureGrid grids[] = { { 0, 0, 4, 8, 8, { 0, 0, 80, 40 } }, { 1, 32, 4, 4, 4, { 0, 0, 40, 40 } } };
  g_autoptr (GError) error = NULL;

  memset (wide->pixels, 99, 40 * 80 * 3);
  memset (square->pixels, 99, 40 * 40 * 3);
  g_autoptr (HlPicture) two = hl_picture_new (images, 2, grids, 2, n, &error);
  g_assert_no_error (error);
  g_autoptr (HlViewState) state = make_state_with (&rest, 1, weights, NULL, two);
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_PICTURE, state, sizes[i][0], sizes[i][1], 1);
      cairo_rectangle_t last, first;
      test_prepare (scene);
      g_assert_true (
        hl_scene_locate (scene, &(HlPick){ HL_PICK_QUERY, .query = 31 }, &last.x, &last.y, &last.width, &last.height));
      g_assert_true (hl_scene_locate (scene, &(HlPick){ HL_PICK_QUERY, .query = 32 }, &first.x, &first.y, &first.width,
                                      &first.height));
      const double below = first.y - last.y - last.height, beside = first.x - last.x - last.width;
      g_assert_true ((below > 0 && below <= 40) || (beside > 0 && beside <= 40));
    }
  g_autoptr (GBytes) svg = make_svg (HL_VIEW_PICTURE, state, 640, 720);
  g_assert_true (has (svg, ">Image 1<") && has (svg, ">Image 2<"));
  g_assert_true (has (svg, "mean of all queries · [01]\\.[0-9]+ of it on the images<"));
}

/* What is masked is hatched, and the image behind it is not taken for one without weight; a legend says so. */
static void
test_masked (void)
{
  const gsize n = count (&prompt);
  g_autofree float *weights = test_make_weights (3, 1, n, n);
  const HlTheme *theme = hl_theme_get (FALSE);
  const guint32 ground = (guint32) lround (theme->masked.r * 255);
  const HlPick pin = hl_pick_of (HL_QUERIES, 3);

  for (gsize query = 0; query < n; query++)
    for (gsize key = query + 1; key < n; key++)
      weights[query * n + key] = 0;
  g_autoptr (HlViewState) state = make_state (&prompt, 1, weights);
  hl_view_state_set_pinned (state, &pin);
  const double opacity = hl_view_state_get_options (state)->opacity;
  const guint32 mixed = (guint32) lround (ground * opacity + 128 * (1 - opacity)) * 0x010101u;
  for (int vector = 0; vector < 2; vector++)
    {
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_PICTURE, state, 800, 600, 1);
      g_object_set (scene, "vector", vector, NULL);
      test_prepare (scene);
      g_autoptr (cairo_surface_t) picture = test_draw_all (scene);
      for (gsize key = 1; key <= 6; key++)
        {
          cairo_rectangle_t box;
          g_assert_true (
            hl_scene_locate (scene, &(HlPick){ HL_PICK_QUERY, .query = key }, &box.x, &box.y, &box.width, &box.height));
          const cairo_rectangle_t inner = { box.x + 6, box.y + 6, box.width - 12, box.height - 12 };
          const guint n_ground = count_pixels (picture, &inner, mixed, 2);
          const double area = inner.width * inner.height;
          if (key <= 3)
            g_assert_cmpfloat (n_ground, <, area * 0.05);
          else
            {
              g_assert_cmpfloat (n_ground, >, area * 0.5);
              g_assert_cmpfloat (n_ground, <, area * 0.95);
            }
        }
    }
}

/* Where the page is higher than the image needs, as much is left above it as below. */
static void
test_middle (void)
{
  const gsize n = count (&vit);
  g_autofree float *weights = test_make_weights (3, 1, n, n);
  g_autoptr (HlViewState) state = make_state (&vit, 1, weights);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_PICTURE, state, 900, 1200, 1);
  cairo_rectangle_t window, first, last;

  hl_scene_get_window (scene, &window);
  g_assert_true (
    hl_scene_locate (scene, &(HlPick){ HL_PICK_QUERY, .query = 1 }, &first.x, &first.y, &first.width, &first.height));
  g_assert_true (
    hl_scene_locate (scene, &(HlPick){ HL_PICK_QUERY, .query = n - 1 }, &last.x, &last.y, &last.width, &last.height));
  const double above = first.y - window.y, below = window.y + window.height - last.y - last.height;
  g_assert_cmpfloat (above, >, 100);
  g_assert_cmpfloat_with_epsilon (above, below, 10);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/picture-view/pixels", test_pixels);
  g_test_add_func ("/picture-view/received", test_received);
  g_test_add_func ("/picture-view/places", test_places);
  g_test_add_func ("/picture-view/prompt", test_prompt);
  g_test_add_func ("/picture-view/heads", test_heads);
  g_test_add_func ("/picture-view/filtered", test_filtered);
  g_test_add_func ("/picture-view/rules", test_rules);
  g_test_add_func ("/picture-view/pairs", test_pairs);
  g_test_add_func ("/picture-view/keys", test_keys);
  g_test_add_func ("/picture-view/lack", test_lack);
  g_test_add_func ("/picture-view/difference", test_difference);
  g_test_add_func ("/picture-view/plain", test_plain);
  g_test_add_func ("/picture-view/names", test_names);
  g_test_add_func ("/picture-view/columns", test_columns);
  g_test_add_func ("/picture-view/short-names", test_short_names);
  g_test_add_func ("/picture-view/status", test_status);
  g_test_add_func ("/picture-view/least", test_least);
  g_test_add_func ("/picture-view/many", test_many);
  g_test_add_func ("/picture-view/share", test_share);
  g_test_add_func ("/picture-view/bar", test_bar);
  g_test_add_func ("/picture-view/chips", test_chips);
  g_test_add_func ("/picture-view/two", test_two);
  g_test_add_func ("/picture-view/masked", test_masked);
  g_test_add_func ("/picture-view/middle", test_middle);
  return g_test_run ();
}
