/* SPDX-License-Identifier: MIT */
/* Weights of a model that are looked through for what is no number. */
#include "core/base/hl-limits.h"
#include "core/model/checkpoint/hl-weights.h"

#include "test-dumps.h"

#include <math.h>

/* The most that is read at once, whatever the shape of a tensor is. */
#define MAX_READ 65536

/* Zeros, one of which may be infinite, that keep count of how they are read. */
#define TEST_TYPE_TENSOR (test_tensor_get_type ())
G_DECLARE_FINAL_TYPE (TestTensor, test_tensor, TEST, TENSOR, HlTensor)

struct _TestTensor
{
  HlTensor parent_instance;

  guint64 bad; /* by its place among all */
  guint64 n_read;
};

G_DEFINE_FINAL_TYPE (TestTensor, test_tensor, HL_TYPE_TENSOR)

static gboolean
test_tensor_read_f32 (HlTensor      *tensor,
                      const guint64 *start,
                      const guint64 *count,
                      float         *target,
                      GCancellable  *cancellable,
                      GError       **error)
{
  TestTensor *self = TEST_TENSOR (tensor);
  const HlShape *shape = hl_tensor_get_shape (tensor);
  guint64 at[HL_LIMIT_RANK] = { 0 }, n = 1;

  for (guint axis = 0; axis < shape->rank; axis++)
    n *= count[axis];
  g_assert_cmpuint (n, <=, MAX_READ);
  self->n_read += n;
  for (guint64 i = 0; i < n; i++)
    {
      guint64 place = 0;

      for (guint axis = 0; axis < shape->rank; axis++)
        place = place * shape->dims[axis] + start[axis] + at[axis];
      target[i] = place == self->bad ? INFINITY : 0;
      hl_shape_advance (at, NULL, count, shape->rank);
    }
  return TRUE;
}

static void
test_tensor_class_init (TestTensorClass *klass)
{
  HL_TENSOR_CLASS (klass)->read_f32 = test_tensor_read_f32;
}

static void
test_tensor_init (TestTensor *self)
{
}

/* Each number is read once, a bad one is found wherever it is, and no read is large. */
static void
test_find_bad (void)
{
  static const HlShape shapes[] = {
    { 1, { 5 } },           { 1, { 200000 } },      { 2, { 3, 70000 } },       { 2, { 70000, 3 } },
    { 3, { 2, 3, 65537 } }, { 3, { 3, 70000, 1 } }, { 3, { 2, 300, 500 } },    { 4, { 1, 1, 1, 131072 } },
    { 2, { 1, 65536 } },    { 3, { 40, 40, 40 } },  { 4, { 2, 3, 1, 66000 } }, { 2, { 65536, 1 } },
  };
  static const char name[] = "model.layers.0.self_attn.q_proj.weight";
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "model", "checkpoints", "llama", NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlWeights) weights = hl_weights_open (folder, &error);

  g_assert_no_error (error);
  g_assert_true (hl_weights_has (weights, name));
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autoptr (TestTensor) tensor = g_object_new (TEST_TYPE_TENSOR, NULL);
      guint64 n;

      g_assert_true (hl_shape_get_n_elements (&shapes[i], &n));
      hl_tensor_set_layout (HL_TENSOR (tensor), HL_DTYPE_F32, &shapes[i]);
      hl_weights_replace (weights, name, HL_TENSOR (tensor));
      tensor->bad = n;
      g_assert_null (hl_weights_find_bad (weights, NULL));
      g_assert_cmpuint (tensor->n_read, ==, n);
      const guint64 places[] = { 0, n / 2, MIN (n - 1, MAX_READ), n - 1 };
      for (guint k = 0; k < G_N_ELEMENTS (places); k++)
        {
          tensor->bad = places[k];
          g_autofree char *found = hl_weights_find_bad (weights, NULL);
          g_assert_cmpstr (found, ==, name);
        }
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/weights/find-bad", test_find_bad);
  return g_test_run ();
}
