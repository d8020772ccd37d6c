/* SPDX-License-Identifier: MIT */
/* Models that take pixels, against what transformers computes in float64, and arrays of pixels that are wrong. */
#include "core/archive/format/hl-format.h"
#include "core/archive/hl-archive.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/experiment/hl-ablation.h"
#include "core/model/hl-model-image.h"
#include "core/model/hl-model-run.h"
#include "core/predict/hl-prediction.h"
#include "core/source/derive/hl-lens.h"
#include "core/source/make/hl-source-factory.h"

#include "test-dumps.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define TOLERANCE 1e-5

static GFile *
get_file (const char *folder,
          const char *name,
          const char *child)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "model", folder, name, child, NULL);

  return g_file_new_for_path (path);
}

static HlModel *
load_model (const char *folder,
            const char *name)
{
  g_autoptr (GFile) file = get_file (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  HlModel *model = hl_model_load (file, &error);

  g_assert_no_error (error);
  return model;
}

static HlPixels *
load_pixels (const char *folder,
             const char *name)
{
  g_autoptr (GFile) file = get_file (folder, name, "pixels.npy");
  g_autoptr (GError) error = NULL;
  HlPixels *pixels = hl_pixels_load (file, &error);

  g_assert_no_error (error);
  return pixels;
}

static HlAttention *
run_model (HlModel  *model,
           HlPixels *pixels)
{
  const HlModelText text = { .pixels = pixels };
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModelRun) run = hl_model_run_new (model, &text, &error);

  g_assert_no_error (error);
  g_assert_true (hl_model_run_execute (run, NULL, NULL, &error));
  g_autoptr (HlExample) example = hl_document_get_example (hl_model_run_get_document (run), 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (hl_example_get_n_attentions (example), ==, 1);
  return g_object_ref (hl_example_get_attention (example, 0));
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

/* All maps of a quantity against a dataset, by the largest number that it has. */
static void
check_maps (HlAttention *attention,
            HlArchive   *reference,
            const char  *name,
            HlLens       lens)
{
  HlShape shape;
  g_autofree float *expected = read_numbers (reference, name, &shape);
  g_autoptr (HlAttentionSource) weights = hl_attention_make_source (attention);
  g_autoptr (HlAttentionSource) source = NULL;
  g_autoptr (HlAttention) shown = NULL;
  g_autoptr (GError) error = NULL;
  const gsize n = hl_attention_get_n (attention, HL_QUERIES), n_map = n * n;
  double worst = 0, largest = 0;
  const float *map = expected;

  for (guint head = 0; head < hl_attention_get_max_heads (attention); head++)
    hl_head_set_add (&lens.heads, head);
  hl_lens_apply (&lens, attention, weights, &shown, &source);
  g_assert_cmpuint (shape.dims[shape.rank - 1], ==, n);
  g_assert_cmpuint (shape.dims[0], ==, hl_attention_source_get_n_layers (source));
  for (guint layer = 0; layer < shape.dims[0]; layer++)
    for (guint head = 0; head < hl_attention_source_get_n_heads (source, layer); head++, map += n_map)
      {
        g_autofree float *found = hl_attention_source_read_head (source, layer, head, NULL, &error);

        g_assert_no_error (error);
        for (gsize i = 0; i < n_map; i++)
          {
            g_assert_true (isfinite (found[i]));
            worst = MAX (worst, fabs ((double) found[i] - map[i]));
            largest = MAX (largest, fabs (map[i]));
          }
      }
  guint64 n_expected;
  g_assert_true (hl_shape_get_n_elements (&shape, &n_expected));
  g_assert_cmpuint (map - expected, ==, n_expected);
  g_test_message ("%s: greatest difference %.2g of %.2g", name, worst, largest);
  g_assert_cmpfloat (worst, <=, TOLERANCE * MAX (largest, 1));
}

static const struct
{
  const char *folder;
  const char *name;
  const char *family;
  const char *names[4]; /* of the first tokens and the last */
  gsize n;
  gboolean has_quantities;
} models[] = {
  { "vision", "vit", "ViT", { "CLS", "patch 1,1", "patch 1,2", "patch 3,4" }, 13, FALSE },
  { "vision", "deit", "DeiT", { "CLS", "distillation", "patch 1,1", "patch 3,3" }, 11, FALSE },
  { "vision", "dinov2", "DINOv2", { "CLS", "patch 1,1", "patch 1,2", "patch 5,3" }, 16, TRUE },
  { "vision",
    "dinov2-registers",
    "DINOv2 with registers",
    { "CLS", "register 1", "register 2", "patch 2,5" },
    13,
    FALSE },
  { "vision", "dinov3", "DINOv3", { "CLS", "register 1", "register 2", "patch 2,3" }, 9, FALSE },
  { "vision", "clip-vision", "CLIP vision", { "CLS", "patch 1,1", "patch 1,2", "patch 3,3" }, 10, FALSE },
  { "vision", "siglip-vision", "SigLIP vision", { "patch 1,1", "patch 1,2", "patch 1,3", "patch 3,3" }, 9, FALSE },
  { "checkpoints", "clip", "CLIP vision", { "CLS", "patch 1,1", "patch 1,2", "patch 3,3" }, 10, FALSE },
  { "checkpoints", "siglip", "SigLIP vision", { "patch 1,1", "patch 1,2", "patch 1,3", "patch 3,3" }, 9, FALSE },
  { "checkpoints", "siglip2", "SigLIP 2 vision", { "patch 1,1", "patch 1,2", "patch 1,3", "patch 2,5" }, 10, FALSE },
};

static void
test_reference (gconstpointer data)
{
  const gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (HlModel) model = load_model (models[i].folder, models[i].name);
  g_autoptr (HlPixels) pixels = load_pixels (models[i].folder, models[i].name);
  g_autoptr (GFile) file = get_file (models[i].folder, models[i].name, "reference.h5");
  g_autoptr (GError) error = NULL;
  g_autoptr (HlArchive) reference = hl_archive_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (HlAttention) attention = run_model (model, pixels);
  const char *const *names = hl_attention_get_tokens (attention, HL_KEYS);

  g_assert_cmpstr (hl_model_get_family (hl_model_require_vision (model, NULL)), ==, models[i].family);
  g_assert_cmpuint (hl_attention_get_n (attention, HL_KEYS), ==, models[i].n);
  for (guint k = 0; k < 3; k++)
    g_assert_cmpstr (names[k], ==, models[i].names[k]);
  g_assert_cmpstr (names[models[i].n - 1], ==, models[i].names[3]);
  check_maps (attention, reference, "image_attention", (HlLens){ .quantity = HL_QUANTITY_WEIGHT });
  if (models[i].has_quantities)
    {
      check_maps (attention, reference, "norm", (HlLens){ .quantity = HL_QUANTITY_NORM });
      check_maps (attention, reference, "rollout", (HlLens){ .quantity = HL_QUANTITY_ROLLOUT });
    }
}

/* Heads are switched off from the middle of a model: it has to be the model that the pixels were for. */
static void
test_ablation (gconstpointer data)
{
  const gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (HlModel) model = load_model (models[i].folder, models[i].name);
  g_autoptr (HlPixels) pixels = load_pixels (models[i].folder, models[i].name);
  const HlModelText text = { .pixels = pixels };
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModelRun) run = hl_model_run_new (model, &text, &error);
  g_assert_no_error (error);
  g_autoptr (HlAblation) ablation = hl_ablation_new (hl_model_run_get_call (run), NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  const HlHeadEdit all[] = { { HL_ATTENTION_SELF, 0, 1, HL_HEAD_ZERO }, { HL_ATTENTION_SELF, 1, 2, HL_HEAD_UNIFORM } };
  HlAblationEffect effect, none;

  g_assert_true (hl_ablation_run_together (ablation, all, G_N_ELEMENTS (all), &effect, NULL, &error));
  g_assert_cmpfloat (effect.state_change, >, 1e-3);
  g_assert_true (hl_ablation_run_together (ablation, all, 0, &none, NULL, &error));
  g_assert_cmpfloat (none.state_change, <, 1e-6);
}

/* Probabilities of classes, by the first token, against the softmax of the reference's logits. */
static void
test_classes (void)
{
  g_autoptr (HlModel) model = load_model ("vision", "vit");
  g_autoptr (HlModel) without = load_model ("vision", "dinov2");
  g_autoptr (HlPixels) pixels = load_pixels ("vision", "vit");
  g_autoptr (GFile) file = get_file ("vision", "vit", "reference.h5");
  const HlModelText text = { .pixels = pixels };
  const HlPredictionRequest request = { .n_candidates = 7, .position = 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (HlArchive) reference = hl_archive_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  HlShape shape;
  g_autofree float *logits = read_numbers (reference, "logits", &shape);
  g_autoptr (HlModelRun) run = hl_model_run_new (model, &text, &error);
  g_autoptr (HlUnembedding) head = hl_unembedding_load (model, &error);
  g_assert_no_error (error);
  g_autoptr (HlPrediction) prediction =
    hl_prediction_new (head, hl_model_call_get_input (hl_model_run_get_call (run)), &request, NULL, NULL, &error);
  g_assert_no_error (error);
  const HlCandidate *found = hl_prediction_get_candidates (prediction, 0, 0);
  double sum = 0, worst = 0;

  g_assert_cmpuint (shape.dims[0], ==, 7);
  g_assert_true (hl_unembedding_tells_classes (head));
  for (guint i = 0; i < 7; i++)
    sum += exp (logits[i]);
  for (guint i = 0; i < 7; i++)
    worst = MAX (worst, fabs (found[i].probability - exp (logits[found[i].id]) / sum));
  g_test_message ("greatest difference %.2g", worst);
  g_assert_cmpfloat (worst, <=, TOLERANCE);
  g_autofree char *name = hl_model_dup_token_name (model, 3);
  g_assert_cmpstr (name, ==, "LABEL_3");
  g_autofree char *none = hl_model_dup_token_name (model, 7);
  g_assert_cmpstr (none, ==, "#7");
  g_assert_null (hl_unembedding_load (without, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_MISSING);
  g_assert_nonnull (strstr (error->message, "no head that tells classes"));
}

static char *
make_npy (const char *header,
          gsize       n_bytes,
          gsize      *size)
{
  g_autofree char *padded = g_strdup_printf ("%-117s\n", header);
  GString *file = g_string_new_len ("\x93NUMPY\x01\x00\x76\x00", 10);

  g_string_append (file, padded);
  for (gsize i = 0; i < n_bytes; i++)
    g_string_append_c (file, 0);
  *size = file->len;
  return g_string_free (file, FALSE);
}

static const struct
{
  const char *name;
  const char *header;
  gsize n_bytes;
  int code;
  const char *contains;
} lies[] = {
  { "bytes", "{'descr': '|u1', 'fortran_order': False, 'shape': (3, 12, 12), }", 432, HL_ERROR_DTYPE,
    "of uint8; floating-point numbers are needed" },
  { "flat", "{'descr': '<f4', 'fortran_order': False, 'shape': (12, 12), }", 576, HL_ERROR_RANK, "has 2 axes" },
  { "batch", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 12, 12), }", 3456, HL_ERROR_SHAPE,
    "holds 2 images" },
  { "short", "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 12, 12), }", 1727, HL_ERROR_TRUNCATED,
    "breaks off" },
  { "huge", "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4294967296, 4294967296), }", 8, HL_ERROR_TRUNCATED,
    "breaks off" },
  { "empty", "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 0, 12), }", 0, HL_ERROR_SHAPE, "3 × 0 × 12" },
  { "large", "{'descr': '<f2', 'fortran_order': False, 'shape': (1, 4096, 4097), }", 33562624, HL_ERROR_TOO_LARGE,
    "1 × 4096 × 4097" },
  { "text", "{'descr': '<U4', 'fortran_order': False, 'shape': (3,), }", 48, HL_ERROR_DTYPE, "no array of numbers" },
  { "damaged", "{'descr': '<f4', 'shape': (3, 12, 12), }", 1728, HL_ERROR_CORRUPT, "damaged" },
};

static void
test_lie (gconstpointer data)
{
  const gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "pixels.npy", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  gsize size;
  g_autofree char *bytes = make_npy (lies[i].header, lies[i].n_bytes, &size);

  g_assert_true (g_file_set_contents (path, bytes, (gssize) size, NULL));
  g_assert_null (hl_pixels_load (file, &error));
  g_assert_error (error, HL_ERROR, lies[i].code);
  g_test_message ("%s", error->message);
  test_assert_sentence (error);
  g_assert_nonnull (strstr (error->message, lies[i].contains));
  test_remove_folder (folder);
}

/* NaN is found before the model is run; a dump of another format is not taken for pixels. */
static void
test_numbers (void)
{
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "pixels.npy", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) other = get_file ("checkpoints", "bert", "reference.h5");
  g_autoptr (GError) error = NULL;
  gsize size;
  g_autofree char *bytes = make_npy ("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 12, 12), }", 1728, &size);

  memcpy (bytes + size - sizeof (float), &(float){ NAN }, sizeof (float));
  g_assert_true (g_file_set_contents (path, bytes, (gssize) size, NULL));
  g_assert_null (hl_pixels_load (file, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  test_assert_sentence (error);
  g_clear_error (&error);
  g_assert_null (hl_pixels_load (other, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_UNKNOWN_FORMAT);
  test_assert_sentence (error);
  test_remove_folder (folder);
}

static void
fail_run (HlModel           *model,
          const HlModelText *text,
          int                code,
          const char        *contains)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (hl_model_run_new (model, text, &error));
  g_assert_error (error, HL_ERROR, code);
  g_test_message ("%s", error->message);
  test_assert_sentence (error);
  g_assert_nonnull (strstr (error->message, contains));
}

/* What does not go together. */
static void
test_inputs (void)
{
  const guint32 ids[] = { 5, 6, 7 };
  g_autoptr (HlModel) vit = load_model ("vision", "vit");
  g_autoptr (HlModel) dino = load_model ("vision", "dinov2");
  g_autoptr (HlModel) bert = load_model ("checkpoints", "bert");
  g_autoptr (HlModel) clip = load_model ("checkpoints", "clip");
  g_autoptr (HlPixels) pixels = load_pixels ("vision", "vit");
  g_autoptr (HlPixels) grey = load_pixels ("vision", "deit");
  const HlModelText text = { .text = "a word" }, numbers = { .ids = ids, .n_ids = G_N_ELEMENTS (ids) };

  g_assert_true (hl_model_takes_pixels (vit) && hl_model_has_vision (vit));
  g_assert_true (!hl_model_takes_pixels (clip) && hl_model_has_vision (clip));
  g_assert_true (!hl_model_takes_pixels (bert) && !hl_model_has_vision (bert));
  fail_run (vit, &text, HL_ERROR_MISSING, "sees images (ViT) and reads no text");
  fail_run (vit, &numbers, HL_ERROR_VALUE, "takes pixels, and no text");
  fail_run (vit, &(HlModelText){ .pixels = grey }, HL_ERROR_SHAPE,
            "1 × 12 × 12; the model takes 3 × 12 × 16 and no others");
  fail_run (dino, &(HlModelText){ .pixels = grey }, HL_ERROR_SHAPE, "3 channels of at least 4 × 4");
  fail_run (bert, &(HlModelText){ .pixels = pixels }, HL_ERROR_UNSUPPORTED, "takes texts, and no pixels");
  fail_run (clip, &(HlModelText){ .pixels = pixels }, HL_ERROR_SHAPE, "3 × 12 × 16; the model takes 3 × 12 × 12");
  g_autofree char *described = hl_model_describe_pixels (vit);
  g_assert_cmpstr (described, ==, "3 × 12 × 16");
}

static const struct
{
  const char *name;
  const char *model;
  const char *from;
  const char *to;
  int code;
  const char *contains;
} spoilt[] = {
  { "patch", "clip-vision", "\"patch_size\": 4", "\"patch_size\": 0", HL_ERROR_VALUE,
    "“patch_size” in config.json is not a size" },
  { "shape", "clip-vision", "\"patch_size\": 4", "\"patch_size\": 3", HL_ERROR_SHAPE,
    "24 × 3 × 4 × 4; config.json makes it 24 × 3 × 3 × 3" },
  { "channels", "clip-vision", "\"num_channels\": 3", "\"num_channels\": 0", HL_ERROR_VALUE, "patches of 0 × 4 × 4" },
  { "image", "clip-vision", "\"image_size\": 12", "\"image_size\":  2", HL_ERROR_VALUE, "images of 2 × 2" },
  { "grid", "clip-vision", "\"image_size\": 12", "\"image_size\": 16", HL_ERROR_SHAPE,
    "has 10 rows, which fit no grid" },
  { "missing", "clip-vision", "\"hidden_size\": 24", "\"hidden_size\": 32", HL_ERROR_SHAPE, "config.json makes it" },
  { "value-bias", "dinov3", "\"query_bias\": true", "\"query_bias\":false", HL_ERROR_UNSUPPORTED, "“value_bias”" },
};

static void
test_spoilt (gconstpointer data)
{
  const gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *folder = test_make_folder ();
  g_autofree char *config = g_build_filename (folder, "config.json", NULL);
  g_autoptr (GFile) from = get_file ("vision", spoilt[i].model, "config.json");
  g_autoptr (GFile) weights = get_file ("vision", spoilt[i].model, "model.safetensors");
  g_autofree char *weights_path = g_build_filename (folder, "model.safetensors", NULL);
  g_autoptr (GFile) weights_copy = g_file_new_for_path (weights_path);
  g_autoptr (GFile) file = g_file_new_for_path (folder);
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = NULL;

  g_assert_true (g_file_copy (weights, weights_copy, G_FILE_COPY_NONE, NULL, NULL, NULL, &error));
  g_assert_true (g_file_load_contents (from, NULL, &bytes, NULL, NULL, &error));
  char *at = strstr (bytes, spoilt[i].from);
  g_assert_nonnull (at);
  memcpy (at, spoilt[i].to, strlen (spoilt[i].to));
  g_assert_true (g_file_set_contents (config, bytes, -1, &error));
  g_autoptr (HlModel) model = hl_model_load (file, &error);
  g_assert_null (model);
  g_assert_error (error, HL_ERROR, spoilt[i].code);
  g_test_message ("%s", error->message);
  test_assert_sentence (error);
  g_assert_nonnull (strstr (error->message, spoilt[i].contains));
  test_remove_folder (folder);
}

/* How images are made pixels is read when there is one: of the model that was opened, or not at all. */
static void
test_replaced (void)
{
  g_autofree char *folder = test_make_folder ();
  g_autofree char *processor = g_build_filename (folder, "preprocessor_config.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (folder);
  g_autoptr (GError) error = NULL;
  HlImageRules rules;
  gboolean is_there;

  for (guint i = 0; i < 2; i++)
    {
      const char *name = i == 0 ? "config.json" : "model.safetensors";
      g_autoptr (GFile) from = get_file ("vision", "clip-vision", name);
      g_autoptr (GFile) to = g_file_get_child (file, name);
      g_assert_true (g_file_copy (from, to, G_FILE_COPY_NONE, NULL, NULL, NULL, &error));
    }
  g_autoptr (HlModel) model = hl_model_load (file, &error);
  g_assert_no_error (error);
  g_assert_true (hl_model_read_image_rules (model, &rules, &is_there, &error));
  g_assert_no_error (error);
  g_assert_false (is_there);
  g_assert_true (g_file_set_contents (processor, "{\"image_processor_type\":\"CLIPImageProcessor\"}", -1, &error));
  g_assert_false (hl_model_read_image_rules (model, &rules, &is_there, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_IO);
  test_assert_sentence (error);
  test_remove_folder (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autofree char *reference = g_strdup_printf ("/vision/reference/%s", models[i].name);
      g_autofree char *ablation = g_strdup_printf ("/vision/ablation/%s", models[i].name);
      g_test_add_data_func (reference, GSIZE_TO_POINTER (i), test_reference);
      g_test_add_data_func (ablation, GSIZE_TO_POINTER (i), test_ablation);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (lies); i++)
    {
      g_autofree char *test = g_strdup_printf ("/vision/lie/%s", lies[i].name);
      g_test_add_data_func (test, GSIZE_TO_POINTER (i), test_lie);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (spoilt); i++)
    {
      g_autofree char *test = g_strdup_printf ("/vision/spoilt/%s", spoilt[i].name);
      g_test_add_data_func (test, GSIZE_TO_POINTER (i), test_spoilt);
    }
  g_test_add_func ("/vision/classes", test_classes);
  g_test_add_func ("/vision/numbers", test_numbers);
  g_test_add_func ("/vision/inputs", test_inputs);
  g_test_add_func ("/vision/replaced", test_replaced);
  return g_test_run ();
}
