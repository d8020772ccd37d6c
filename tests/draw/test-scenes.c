/* SPDX-License-Identifier: MIT */
#include "test-scenes.h"

#include <stdlib.h>

#include "core/test-attentions.h"
#include "draw/scene/hl-scene-whole.h"

HlViewState *
test_make_state (guint              n_layers,
                 guint              n_heads,
                 gsize              n_queries,
                 gsize              n_keys,
                 const float       *weights,
                 const char *const *tokens,
                 gsize              sentence_b_start,
                 HlMask             mask)
{
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (HlExample) example = NULL;

  g_ptr_array_add (attentions, test_make_attention_full (n_layers, n_heads, n_queries, n_keys, weights, tokens, tokens,
                                                         MAX (n_queries, n_keys), sentence_b_start, mask));
  example = hl_example_new ("example", NULL, NULL, attentions, checks);
  return hl_view_state_new (example);
}

/* Tokens of one letter: room for labels is then at its minimum, so that pictures do not depend on fonts. */
HlViewState *
test_make_random_state (guint n_layers,
                        guint n_heads,
                        gsize n)
{
  g_autofree float *weights = test_make_weights (7, n_layers * n_heads, n, n);
  g_autofree const char **tokens = g_new0 (const char *, n + 1);

  for (gsize i = 0; i < n; i++)
    tokens[i] = "i";
  return test_make_state (n_layers, n_heads, n, n, weights, tokens, 0, (HlMask){ FALSE, 0 });
}

/* All tokens are patches of an image. */
HlViewState *
test_make_picture_state (guint n_layers,
                         guint n_heads,
                         gsize n_rows,
                         gsize n_columns)
{
  const gsize n = n_rows * n_columns;
  g_autofree float *weights = test_make_weights (7, n_layers * n_heads, n, n);
  const HlShape shape = { 4, { n_layers, n_heads, n, n } };
  g_autoptr (HlTensor) tensor = test_make_tensor (&shape, weights);
  g_autoptr (HlImage) image = hl_image_new (n_rows * 8, n_columns * 8, NULL);
  const HlPictureGrid grid = {
    0, 0, n_rows, n_columns, n_columns, { 0, 0, (double) n_columns * 8, (double) n_rows * 8 }
  };
  g_autofree HlLayerTensor *layers = g_new (HlLayerTensor, n_layers);
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);

  for (gsize i = 0; i < image->height * image->width * 3; i++)
    image->pixels[i] = (guint8) (i * 7);
  for (guint layer = 0; layer < n_layers; layer++)
    layers[layer] = (HlLayerTensor){ .tensor = tensor,
                                     .layer_axis = 0,
                                     .layer = layer,
                                     .batch_axis = -1,
                                     .head_axis = 1,
                                     .row_axis = 2,
                                     .column_axis = 3 };
  g_autoptr (HlPicture) picture = hl_picture_new (&image, 1, &grid, 1, n, NULL);
  const HlAttentionInit init = { .weights = layers,
                                 .n_layers = n_layers,
                                 .n_used = { n, n },
                                 .pictures = { picture, picture },
                                 .rule = { .scale = 1 } };
  g_ptr_array_add (attentions, hl_attention_new (&init));
  g_autoptr (HlExample) example = hl_example_new ("example", NULL, NULL, attentions, checks);
  return hl_view_state_new (example);
}

HlScene *
test_make_scene (HlViewKind   kind,
                 HlViewState *state,
                 double       width,
                 double       height,
                 double       scale)
{
  HlScene *scene;

  hl_view_state_set_option (state, view, kind);
  scene = hl_scene_new (kind, state);
  hl_scene_set_viewport (scene, width, height, scale);
  return scene;
}

void
test_prepare (HlScene *scene)
{
  g_autoptr (GError) error = NULL;

  hl_scene_prepare (scene, NULL, &error);
  g_assert_no_error (error);
}

cairo_surface_t *
test_make_surface (HlScene *scene)
{
  double width, height, scale;
  cairo_surface_t *surface;

  hl_scene_get_viewport (scene, &width, &height, &scale);
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) ceil (width * scale), (int) ceil (height * scale));
  cairo_surface_set_device_scale (surface, scale, scale);
  return surface;
}

cairo_surface_t *
test_draw_part (HlScene    *scene,
                HlScenePart part)
{
  cairo_surface_t *surface = test_make_surface (scene);
  g_autoptr (cairo_t) cr = cairo_create (surface);

  hl_scene_draw_part (scene, cr, part);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  return surface;
}

cairo_surface_t *
test_draw_all (HlScene *scene)
{
  cairo_surface_t *surface = test_make_surface (scene);
  g_autoptr (cairo_t) cr = cairo_create (surface);

  hl_scene_draw (scene, cr);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  return surface;
}

static guint32 *
get_row (cairo_surface_t *surface,
         int              y)
{
  cairo_surface_flush (surface);
  return (guint32 *) (cairo_image_surface_get_data (surface) + y * cairo_image_surface_get_stride (surface));
}

/* @x, @y: logical pixels */
guint32
test_get_pixel (cairo_surface_t *surface,
                double           x,
                double           y)
{
  double scale;
  cairo_surface_get_device_scale (surface, &scale, NULL);
  const int column = (int) floor (x * scale);
  const int row = (int) floor (y * scale);

  g_assert_true (column >= 0 && column < cairo_image_surface_get_width (surface));
  g_assert_true (row >= 0 && row < cairo_image_surface_get_height (surface));
  return get_row (surface, row)[column];
}

gboolean
test_is_blank (cairo_surface_t *surface)
{
  for (int y = 0; y < cairo_image_surface_get_height (surface); y++)
    for (int x = 0; x < cairo_image_surface_get_width (surface); x++)
      if (get_row (surface, y)[x] != 0)
        return FALSE;
  return TRUE;
}

static guint
get_difference (guint32 a,
                guint32 b)
{
  guint difference = 0;

  for (guint shift = 0; shift < 32; shift += 8)
    difference = MAX (difference, (guint) abs ((int) (a >> shift & 0xFF) - (int) (b >> shift & 0xFF)));
  return difference;
}

static void
save (cairo_surface_t *surface,
      const char      *name,
      const char      *kind)
{
  g_autofree char *base = g_strdup_printf ("%s.%s.png", name, kind);
  g_autofree char *path = g_test_build_filename (G_TEST_BUILT, base, NULL);

  cairo_surface_write_to_png (surface, path);
  g_test_message ("%s: %s", kind, path);
}

/* Pixel by pixel; when they differ too much, picture, reference and their difference are saved beside the test. */
void
test_assert_similar (const char      *name,
                     cairo_surface_t *picture,
                     cairo_surface_t *reference,
                     guint            max_difference,
                     double           mean_difference)
{
  const int width = cairo_image_surface_get_width (picture);
  const int height = cairo_image_surface_get_height (picture);
  g_autoptr (cairo_surface_t) difference = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  guint worst = 0;
  double sum = 0;

  g_assert_cmpint (width, ==, cairo_image_surface_get_width (reference));
  g_assert_cmpint (height, ==, cairo_image_surface_get_height (reference));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        const guint d = get_difference (get_row (picture, y)[x], get_row (reference, y)[x]);
        worst = MAX (worst, d);
        sum += d;
        get_row (difference, y)[x] = MIN (d * 4, 255) * 0x010101u;
      }
  cairo_surface_mark_dirty (difference);
  g_test_message ("%s: worst %u, mean %.3f", name, worst, sum / (width * height));
  if (worst > max_difference || sum / (width * height) > mean_difference)
    {
      save (picture, name, "out");
      save (reference, name, "ref");
      save (difference, name, "diff");
    }
  g_assert_cmpuint (worst, <=, max_difference);
  g_assert_cmpfloat (sum / (width * height), <=, mean_difference);
}
