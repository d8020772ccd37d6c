/* SPDX-License-Identifier: MIT */
#include "core/base/hl-limits.h"
#include "test-predictions.h"

#include "core/archive/format/hl-format.h"

#include <string.h>

/* Models with a head of their own are beside those that have it in the checkpoints of all families; some are in GGUF files. */
GFile *
test_predictions_get_folder (const char *name)
{
  g_autofree char *own = g_test_build_filename (G_TEST_DIST, "..", "model", "heads", name, NULL);
  g_autofree char *there = g_test_build_filename (G_TEST_DIST, "..", "model", "checkpoints", name, NULL);

  if (g_str_has_prefix (name, "gguf-"))
    {
      g_autofree char *path =
        g_test_build_filename (G_TEST_DIST, "..", "gguf", "models", name + strlen ("gguf-"), "model.gguf", NULL);
      return g_file_new_for_path (path);
    }
  return g_file_new_for_path (g_file_test (own, G_FILE_TEST_IS_DIR) ? own : there);
}

HlModel *
test_predictions_load (const char *name)
{
  g_autoptr (GFile) folder = test_predictions_get_folder (name);
  g_autoptr (GError) error = NULL;
  HlModel *model = hl_model_load (folder, &error);

  g_assert_no_error (error);
  return model;
}

HlArchive *
test_predictions_open (const char *name)
{
  g_autofree char *file_name = g_strconcat (name, ".h5", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "model", "predictions", file_name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  HlArchive *archive = hl_archive_open (file, NULL, NULL, &error);

  g_assert_no_error (error);
  return archive;
}

/* All numbers of a dataset, or NULL if there is no such. */
double *
test_predictions_read (HlArchive  *archive,
                       const char *dataset,
                       HlShape    *shape)
{
  const guint64 start[HL_LIMIT_RANK] = { 0 };
  g_autoptr (GError) error = NULL;
  guint64 n;

  if (hl_archive_get_kind (archive, dataset) != HL_MEMBER_TENSOR)
    return NULL;
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, dataset, &error);
  g_assert_no_error (error);
  *shape = *hl_tensor_get_shape (tensor);
  g_assert_true (hl_shape_get_n_elements (shape, &n));
  g_autofree float *numbers = g_new (float, n);
  g_assert_true (hl_tensor_read_f32 (tensor, start, shape->dims, numbers, NULL, &error));
  double *wide = g_new (double, n);
  for (guint64 i = 0; i < n; i++)
    wide[i] = numbers[i];
  return wide;
}

static guint32 *
read_ids (HlArchive  *archive,
          const char *dataset,
          gsize      *n)
{
  HlShape shape;
  g_autofree double *numbers = test_predictions_read (archive, dataset, &shape);

  *n = 0;
  if (numbers == NULL)
    return NULL;
  guint32 *ids = g_new (guint32, shape.dims[0]);
  *n = shape.dims[0];
  for (gsize i = 0; i < *n; i++)
    ids[i] = (guint32) numbers[i];
  return ids;
}

void
test_text_read (TestText  *self,
                HlArchive *archive)
{
  gsize n_segments;

  *self = (TestText){ 0 };
  self->ids = read_ids (archive, "ids", &self->input.n_ids);
  self->segments = read_ids (archive, "segments", &n_segments);
  self->decoder_ids = read_ids (archive, "decoder_ids", &self->input.n_decoder_ids);
  self->prompt = read_ids (archive, "prompt", &self->n_prompt);
  self->generated = read_ids (archive, "generated", &self->n_generated);
  self->input.ids = self->ids;
  self->input.segments = self->segments;
  self->input.decoder_ids = self->decoder_ids;
}

void
test_text_clear (TestText *self)
{
  g_free (self->ids);
  g_free (self->segments);
  g_free (self->decoder_ids);
  g_free (self->prompt);
  g_free (self->generated);
}

/* Adds a test for each reference. */
void
test_predictions_add (const char   *prefix,
                      GTestDataFunc func)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "model", "predictions", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (path, 0, &error);
  const char *file;

  g_assert_no_error (error);
  while ((file = g_dir_read_name (dir)) != NULL)
    {
      char *name = g_strndup (file, strcspn (file, "."));
      g_autofree char *test = g_strdup_printf ("%s/%s", prefix, name);
      g_test_add_data_func_full (test, name, func, g_free);
    }
}
