/* SPDX-License-Identifier: MIT */
/* What image processors make of images, against transformers; and settings that are wrong. */
#include "core/archive/format/hl-format.h"
#include "core/archive/hl-archive.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/model/vision/hl-image-picture.h"
#include "core/model/vision/hl-image-processor.h"

#include <math.h>
#include <string.h>

/* Of 255: what comes is rounded where theirs is, and differs by less than a step. */
#define TOLERANCE 0.01

static HlArchive *
open_references (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "model", "processors.h5", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  HlArchive *archive = hl_archive_open (file, NULL, NULL, &error);

  g_assert_no_error (error);
  return archive;
}

static float *
read_numbers (HlArchive  *archive,
              const char *name,
              HlShape    *shape)
{
  const guint64 start[HL_LIMIT_RANK] = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, name, &error);
  guint64 n;

  g_assert_no_error (error);
  *shape = *hl_tensor_get_shape (tensor);
  g_assert_true (hl_shape_get_n_elements (shape, &n));
  float *numbers = g_new (float, n);
  g_assert_true (hl_tensor_read_f32 (tensor, start, shape->dims, numbers, NULL, &error));
  return numbers;
}

static HlImage *
read_image (HlArchive  *archive,
            const char *name)
{
  g_autofree char *path = g_strconcat ("images/", name, NULL);
  HlShape shape;
  g_autofree float *numbers = read_numbers (archive, path, &shape);
  g_autofree guint8 *bytes = g_new (guint8, shape.dims[0]);
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < shape.dims[0]; i++)
    bytes[i] = (guint8) numbers[i];
  HlImage *image = hl_image_parse (bytes, shape.dims[0], NULL, &error);
  g_assert_no_error (error);
  return image;
}

/* Returns the greatest difference, in steps of a byte. */
static double
compare (HlArchive   *archive,
         const char  *image_name,
         const char  *config,
         const float *shape,
         const float *expected)
{
  g_autoptr (HlImage) image = read_image (archive, image_name);
  g_autoptr (GError) error = NULL;
  HlImageRules rules;
  HlImageView view;
  double worst = 0;

  g_assert_true (hl_image_rules_parse (&rules, config, strlen (config), NULL, "ViTImageProcessor", &error));
  g_assert_no_error (error);
  g_autoptr (HlPixels) pixels = hl_image_process (&rules, image, &view, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (pixels->n_channels, ==, shape[0]);
  g_assert_cmpuint (pixels->height, ==, shape[1]);
  g_assert_cmpuint (pixels->width, ==, shape[2]);
  const gsize n = pixels->height * pixels->width;
  for (gsize i = 0; i < 3 * n; i++)
    {
      double step = rules.rescales ? rules.factor : 1;

      step /= rules.normalizes ? rules.deviation[i / n] : 1;
      step /= rules.normalizes_again ? rules.deviation[i / n] : 1;
      worst = MAX (worst, fabs ((double) pixels->numbers[i] - (double) expected[i]) / step);
    }
  return worst;
}

static void
test_references (void)
{
  g_autoptr (HlArchive) archive = open_references ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = hl_archive_read_strings (archive, "names", &error);
  g_auto (GStrv) images = hl_archive_read_strings (archive, "image", &error);
  g_auto (GStrv) configs = hl_archive_read_strings (archive, "config", &error);
  HlShape shape, size;
  g_autofree float *shapes = read_numbers (archive, "shape", &shape);
  g_autofree float *pixels = read_numbers (archive, "pixels", &size);
  const float *expected = pixels;
  double greatest = 0;

  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), ==, shape.dims[0]);
  g_assert_cmpuint (shape.dims[0], >, 100);
  for (gsize i = 0; i < shape.dims[0]; i++)
    {
      const float *own = shapes + 3 * i;
      const double worst = compare (archive, images[i], configs[i], own, expected);

      g_test_message ("%s: %.2g of 255", names[i], worst);
      g_assert_cmpfloat (worst, <=, TOLERANCE);
      greatest = MAX (greatest, worst);
      expected += (gsize) (own[0] * own[1] * own[2]);
    }
  g_assert_true (expected == pixels + size.dims[0]);
  g_test_message ("greatest difference: %.2g of 255", greatest);
}

/* Settings that are wrong, and what is said of them. */
static const struct
{
  const char *text;
  const char *sentence;
} wrongs[] = {
  { "[]", "no object" },
  { "{\"image_processor_type\": \"LlavaImageProcessor\"}", "“LlavaImageProcessor” is not known" },
  { "{\"image_processor_type\": \"ViT\"}", "“ViT” is not known" },
  { "{\"image_processor_type\": \"Fast\"}", "“Fast” is not known" },
  { "{\"image_processor_type\": 3}", "image_processor_type" },
  { "{\"size\": 0}", "not a size from 1 to" },
  { "{\"size\": -3}", "not a size from 1 to" },
  { "{\"size\": 1e9}", "not a size from 1 to" },
  { "{\"size\": 3.5}", "not a size from 1 to" },
  { "{\"size\": [224]}", "a height and a width" },
  { "{\"size\": {\"longest_edge\": 8}}", "nor a “shortest_edge”" },
  { "{\"size\": {\"height\": 8}}", "“width” is not a size" },
  { "{\"size\": {\"shortest_edge\": 8, \"longest_edge\": \"8\"}}", "“longest_edge” is not a size" },
  { "{\"resample\": 6}", "“resample” is not a number from 0 to 5" },
  { "{\"image_mean\": [1, 2]}", "“image_mean” is not three numbers" },
  { "{\"image_mean\": [1, 2, NaN]}", "“image_mean” is not three numbers" },
  { "{\"image_std\": [1, 0, 1]}", "three numbers other than 0" },
  { "{\"rescale_factor\": 1e400}", "“rescale_factor” is not a number" },
  { "{\"do_resize\": \"yes\"}", "do_resize" },
  { "{\"do_center_crop\": true}", "no “crop_size”" },
  { "{\"crop_size\": {\"height\": 99999, \"width\": 3}}", "not a size from 1 to" },
  { "{\"image_processor_type\": \"Siglip2ImageProcessor\", \"max_num_patches\": 0}", "max_num_patches" },
  { "{\"image_processor_type\": \"ConvNextImageProcessor\", \"crop_pct\": 0}", "crop_pct" },
  { "{\"image_processor_type\": \"Gemma3ImageProcessor\", \"do_pan_and_scan\": true}", "several images of one" },
};

static void
test_wrong (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (wrongs); i++)
    {
      g_autoptr (GError) error = NULL;
      HlImageRules rules;

      if (hl_image_rules_parse (&rules, wrongs[i].text, strlen (wrongs[i].text), NULL, "ViTImageProcessor", &error))
        g_error ("%s is taken", wrongs[i].text);
      if (strstr (error->message, wrongs[i].sentence) == NULL)
        g_error ("%s: “%s”", wrongs[i].text, error->message);
    }
}

/* Files are older than their classes: names, and numbers in place of sizes. */
static void
test_old (void)
{
  static const char text[] = "{\"feature_extractor_type\": \"CLIPFeatureExtractor\", \"size\": 30, \"crop_size\": 20, "
                             "\"image_mean\": 0.5}";
  g_autoptr (GError) error = NULL;
  HlImageRules rules;

  g_assert_true (hl_image_rules_parse (&rules, text, strlen (text), NULL, "ViTImageProcessor", &error));
  g_assert_no_error (error);
  g_assert_cmpstr (rules.name, ==, "CLIPImageProcessor");
  g_assert_cmpint (rules.fit, ==, HL_IMAGE_FIT_SHORTEST);
  g_assert_cmpuint (rules.shortest, ==, 30);
  g_assert_cmpuint (rules.crop.width, ==, 20);
  g_assert_true (rules.normalizes && rules.mean[2] == 0.5);
}

/* A switch that is null is off, whatever the class has. */
static void
test_null (void)
{
  static const char clip[] = "{\"do_resize\": null, \"do_center_crop\": null, \"do_rescale\": null, "
                             "\"do_normalize\": null}";
  static const char efficient[] = "{\"include_top\": null}", padded[] = "{\"do_pad\": null}";
  g_autoptr (GError) error = NULL;
  HlImageRules rules;

  g_assert_true (hl_image_rules_parse (&rules, clip, strlen (clip), NULL, "CLIPImageProcessor", &error));
  g_assert_no_error (error);
  g_assert_false (rules.resizes || rules.crops || rules.rescales || rules.normalizes);
  g_assert_true (
    hl_image_rules_parse (&rules, efficient, strlen (efficient), NULL, "EfficientNetImageProcessor", &error));
  g_assert_no_error (error);
  g_assert_true (rules.normalizes && !rules.normalizes_again);
  g_assert_true (hl_image_rules_parse (&rules, padded, strlen (padded), NULL, "CLIPImageProcessor", &error));
  g_assert_no_error (error);
  g_assert_false (rules.pads);
}

/* Which part of the image the pixels are, in its pixels; and sizes that would be too large on the way. */
static void
test_view (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlImage) image = hl_image_new (100, 400, &error), line = hl_image_new (1, 9000, &error);
  HlImageRules rules;
  HlImageView view;

  memset (image->pixels, 7, 100 * 400 * 3);
  memset (line->pixels, 7, 9000 * 3);
  g_assert_true (hl_image_rules_init (&rules, "CLIPImageProcessorFast"));
  g_autoptr (HlPixels) pixels = hl_image_process (&rules, image, &view, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (pixels->width, ==, 224);
  g_assert_cmpfloat_with_epsilon (view.x_scale, 400.0 / 896, 1e-9);
  g_assert_cmpfloat_with_epsilon (view.x, 150, 1e-9);
  g_assert_cmpfloat_with_epsilon (view.y, 0, 1e-9);
  g_assert_null (hl_image_process (&rules, line, &view, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  g_clear_error (&error);
  rules.fit = HL_IMAGE_FIT_EXACT;
  rules.size = (HlImageSize){ HL_LIMIT_IMAGE_SIDE, HL_LIMIT_IMAGE_SIDE };
  g_assert_null (hl_image_process (&rules, image, &view, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
}

/* What is kept of an image is itself up to a limit, and past it a smaller one; patches cover the same part of it. */
static void
check_picture (gsize    width,
               gsize    shown_width,
               gboolean is_padded)
{
  const HlPictureGrid grid = { 0, 1, 2, 2, 2, { 0, 0, 200, 20 } };
  const HlImageView view = { is_padded ? -50 : 100, 0, (double) width / 400, 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (HlImage) image = hl_image_new (1024, width, &error);
  guint n_grids;

  memset (image->pixels, 9, 1024 * width * 3);
  g_autoptr (HlPicture) picture = hl_image_view_make_picture (&view, image, &grid, 5, &error);
  g_assert_no_error (error);
  const HlImage *shown = hl_picture_get_image (picture, 0);
  const HlPictureGrid *found = hl_picture_get_grids (picture, &n_grids);
  g_assert_cmpuint (shown->width, ==, shown_width);
  g_assert_cmpuint (found->first_token, ==, 1);
  g_assert_cmpfloat_with_epsilon (found->box.x, is_padded ? 0 : 100.0 * shown_width / width, 1e-6);
  g_assert_cmpfloat_with_epsilon (found->box.width, 0.5 * (is_padded ? width : shown_width), 1e-6);
  g_assert_cmpuint (shown->pixels[0], ==, is_padded ? 0 : 9);
}

static void
test_picture (void)
{
  const gsize most = HL_LIMIT_KEPT_PICTURE / 1024, past = (HL_LIMIT_KEPT_PICTURE + 1 + 1023) / 1024;

  check_picture (most, most, FALSE);
  check_picture (past, most, FALSE);
  check_picture (400, 450, TRUE);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/image-processor/references", test_references);
  g_test_add_func ("/image-processor/wrong", test_wrong);
  g_test_add_func ("/image-processor/old", test_old);
  g_test_add_func ("/image-processor/null", test_null);
  g_test_add_func ("/image-processor/view", test_view);
  g_test_add_func ("/image-processor/picture", test_picture);
  return g_test_run ();
}
