/* SPDX-License-Identifier: MIT */
/* What is made of the weights of models, against what PyTorch makes of them in float64. */
#include "core/base/hl-limits.h"
#include "core/analysis/hl-head-distances.h"
#include "core/archive/format/hl-format.h"
#include "core/model/hl-model-run.h"
#include "core/source/derive/hl-lens.h"
#include "core/source/make/hl-source-factory.h"
#include "core/source/quantity/hl-mixing.h"

#include <math.h>

/* Of the largest number of each. */
#define TOLERANCE 1e-5

static HlArchive *
open_archive (const char *folder,
              const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "model", folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  HlArchive *archive = hl_archive_open (file, NULL, NULL, &error);

  g_assert_no_error (error);
  return archive;
}

/* NULL when there is no such dataset. */
static float *
read_numbers (HlArchive  *archive,
              const char *name,
              HlShape    *shape)
{
  const guint64 start[HL_LIMIT_RANK] = { 0 };
  g_autoptr (GError) error = NULL;
  guint64 n;

  if (hl_archive_get_kind (archive, name) != HL_MEMBER_TENSOR)
    return NULL;
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, name, &error);
  g_assert_no_error (error);
  *shape = *hl_tensor_get_shape (tensor);
  g_assert_true (hl_shape_get_n_elements (shape, &n));
  float *numbers = g_new (float, n);
  g_assert_true (hl_tensor_read_f32 (tensor, start, shape->dims, numbers, NULL, &error));
  return numbers;
}

static guint32 *
read_ids (HlArchive  *archive,
          const char *name,
          gsize      *n)
{
  HlShape shape = { 0 };
  g_autofree float *numbers = read_numbers (archive, name, &shape);
  guint32 *ids = numbers != NULL ? g_new (guint32, shape.dims[0]) : NULL;

  *n = numbers != NULL ? shape.dims[0] : 0;
  for (gsize i = 0; i < *n; i++)
    ids[i] = (guint32) numbers[i];
  return ids;
}

static void
assert_close (const char  *what,
              const float *found,
              const float *expected,
              gsize        n)
{
  double largest = 0, worst = 0;

  for (gsize i = 0; i < n; i++)
    {
      g_assert_true (isfinite (found[i]));
      largest = MAX (largest, fabs (expected[i]));
      worst = MAX (worst, fabs ((double) found[i] - expected[i]));
    }
  g_test_message ("%s: %g of %g", what, worst, largest);
  g_assert_cmpfloat (largest, >, 0);
  g_assert_cmpfloat (worst, <=, TOLERANCE * largest);
}

/* All maps of a quantity, or those of the last layer, against a dataset, if there is such. */
static void
check_maps (HlAttention *attention,
            HlArchive   *reference,
            const char  *what,
            HlLens       lens,
            gboolean     last_only)
{
  g_autofree char *name =
    g_strdup_printf ("%s_%s", what, hl_attention_kind_get_name (hl_attention_get_kind (attention)));
  HlShape shape = { 0 };
  g_autofree float *expected = read_numbers (reference, name, &shape);
  g_autoptr (HlAttentionSource) weights = hl_attention_make_source (attention);
  g_autoptr (HlAttentionSource) source = NULL;
  g_autoptr (HlAttention) shown = NULL;
  g_autoptr (GError) error = NULL;
  const gsize n = hl_attention_get_n (attention, HL_QUERIES) * hl_attention_get_n (attention, HL_KEYS);
  const float *map = expected;

  for (guint head = 0; head < hl_attention_get_max_heads (attention); head++)
    hl_head_set_add (&lens.heads, head);
  g_assert_cmpint (hl_lens_check (&lens, attention, NULL), ==, expected != NULL);
  if (expected == NULL)
    return;
  hl_lens_apply (&lens, attention, weights, &shown, &source);
  const guint n_layers = hl_attention_source_get_n_layers (source);
  for (guint layer = last_only ? n_layers - 1 : 0; layer < n_layers; layer++)
    for (guint head = 0; head < hl_attention_source_get_n_heads (source, layer); head++, map += n)
      {
        g_autofree float *found = hl_attention_source_read_head (source, layer, head, NULL, &error);
        g_assert_no_error (error);
        assert_close (name, found, map, n);
      }
  guint64 n_expected;
  g_assert_true (hl_shape_get_n_elements (&shape, &n_expected));
  g_assert_cmpuint (map - expected, ==, n_expected);
}

static void
check_distances (HlAttention *attention,
                 HlArchive   *reference)
{
  g_autofree char *name =
    g_strdup_printf ("distance_%s", hl_attention_kind_get_name (hl_attention_get_kind (attention)));
  HlShape shape = { 0 };
  g_autofree float *expected = read_numbers (reference, name, &shape);
  g_autoptr (HlAttentionSource) weights = hl_attention_make_source (attention);
  g_autoptr (HlHeadDistances) distances = hl_head_distances_new ();
  g_autoptr (GError) error = NULL;

  hl_head_distances_add (distances, weights, 0, hl_attention_get_n (attention, HL_QUERIES), NULL, NULL, &error);
  g_assert_no_error (error);
  const guint n = hl_head_distances_get_n (distances);
  g_assert_cmpuint (n, ==, shape.dims[0]);
  g_autofree float *found = g_new (float, n *n);
  for (guint i = 0; i < n * n; i++)
    found[i] = (float) hl_head_distances_get (distances, i / n, i % n);
  assert_close (name, found, expected, n * n);
}

static void
check_mixing (HlAttention *attention,
              HlArchive   *reference)
{
  g_autofree char *name = g_strdup_printf ("mixing_%s", hl_attention_kind_get_name (hl_attention_get_kind (attention)));
  HlShape shape = { 0 };
  g_autofree float *expected = read_numbers (reference, name, &shape);
  g_autoptr (HlAttentionSource) weights = hl_attention_make_source (attention);
  const gsize n = hl_attention_get_n (attention, HL_QUERIES);
  g_autofree double *ratios = g_new (double, n);
  g_autofree float *found = g_new (float, n);

  g_assert_cmpint (hl_mixing_can (attention), ==, expected != NULL);
  for (guint layer = 0; expected != NULL && layer < hl_attention_get_n_layers (attention); layer++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_true (hl_mixing_measure (attention, weights, layer, ratios, NULL, &error));
      for (gsize i = 0; i < n; i++)
        found[i] = (float) ratios[i];
      assert_close (name, found, expected + layer * n, n);
    }
}

static void
test_model (gconstpointer data)
{
  const char *name = data;
  g_autofree char *folder = g_build_filename ("checkpoints", name, NULL);
  g_autofree char *file_name = g_strconcat (name, ".h5", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "model", folder, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = hl_model_load (file, &error);
  g_assert_no_error (error);
  g_autoptr (HlArchive) inputs = open_archive (folder, "reference.h5");
  g_autoptr (HlArchive) reference = open_archive ("quantities", file_name);
  HlModelText text = { 0 };
  g_autofree guint32 *ids = read_ids (inputs, "ids", &text.n_ids);
  g_autofree guint32 *decoder_ids = read_ids (inputs, "decoder_ids", &text.n_decoder_ids);

  text.ids = ids;
  text.decoder_ids = decoder_ids;
  g_autoptr (HlModelRun) run = hl_model_run_new (model, &text, &error);
  g_assert_no_error (error);
  g_assert_true (hl_model_run_execute (run, NULL, NULL, &error));
  g_autoptr (HlExample) example = hl_document_get_example (hl_model_run_get_document (run), 0, NULL, &error);
  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    {
      HlAttention *attention = hl_example_get_attention (example, i);

      check_maps (attention, reference, "value", (HlLens){ .quantity = HL_QUANTITY_VALUE }, TRUE);
      check_maps (attention, reference, "norm", (HlLens){ .quantity = HL_QUANTITY_NORM }, FALSE);
      check_maps (attention, reference, "sum", (HlLens){ .quantity = HL_QUANTITY_NORM, .combine = HL_COMBINE_SUM },
                  FALSE);
      check_maps (attention, reference, "residual", (HlLens){ .quantity = HL_QUANTITY_RESIDUAL }, TRUE);
      check_maps (attention, reference, "rollout", (HlLens){ .quantity = HL_QUANTITY_ROLLOUT }, FALSE);
      check_maps (attention, reference, "late", (HlLens){ .quantity = HL_QUANTITY_ROLLOUT, .first_layer = 1 }, FALSE);
      check_maps (attention, reference, "flow", (HlLens){ .quantity = HL_QUANTITY_FLOW }, TRUE);
      check_distances (attention, reference);
      check_mixing (attention, reference);
    }
}

int
main (int   argc,
      char *argv[])
{
  static const char *const models[] = { "bert", "gpt2", "llama", "gemma3", "t5" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autofree char *path = g_strdup_printf ("/model-quantities/%s", models[i]);
      g_test_add_data_func (path, models[i], test_model);
    }
  return g_test_run ();
}
