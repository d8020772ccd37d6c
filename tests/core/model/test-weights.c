/* SPDX-License-Identifier: MIT */
/* Weights of a model that are looked through for what is no number, or that others change. */
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/model/checkpoint/hl-weights.h"

#include "test-dumps.h"

#include <math.h>
#include <string.h>

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

/* A folder of tensors of one number each. */
static HlWeights *
open_named (const char        *folder,
            const char *const *names)
{
  g_autofree char *path = g_build_filename (folder, "model.safetensors", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (folder);
  g_autoptr (GString) header = g_string_new ("{");
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  const guint n = g_strv_length ((char **) names);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (header, "%s\"%s\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[%u,%u]}",
                            i > 0 ? "," : "", names[i], i * 4, (i + 1) * 4);
  g_string_append_c (header, '}');
  while (header->len % 8 > 0)
    g_string_append_c (header, ' ');
  const guint64 length = GUINT64_TO_LE (header->len);
  g_byte_array_append (bytes, (const guint8 *) &length, sizeof length);
  g_byte_array_append (bytes, (const guint8 *) header->str, (guint) header->len);
  for (guint i = 0; i < n; i++)
    g_byte_array_append (bytes, (const guint8[4]){ 0 }, 4);
  g_assert_true (g_file_set_contents (path, (char *) bytes->data, bytes->len, NULL));
  HlWeights *weights = hl_weights_open (file, &error);
  g_assert_no_error (error);
  return weights;
}

/* What is multiplied by something beside it is not taken as it lies; names that only look so are nobody's. */
static void
test_factors (void)
{
  static const struct
  {
    const char *name;
    const char *other;
    gboolean refused;
  } cases[] = {
    { "layers.0.q_proj.weight", "layers.0.q_proj.weight_scale", TRUE },
    { "layers.0.experts.down_proj", "layers.0.experts.down_proj_scale", TRUE },
    { "blk.0.attn_q.weight", "blk.0.attn_q.scale", TRUE },
    { "blk.0.ffn_down_exps.weight", "blk.0.ffn_down_exps.scale", TRUE },
    { "blk.0.ffn_down.weight", "blk.0.ffn.act.scales", TRUE },
    { "layers.0.q_proj.weight", "layers.1.q_proj.weight_scale", FALSE },
    { "layers.0.q_proj.weight", "layers.0.q_proj.input_scale", FALSE },
    { "layers.0.k_proj.weight", "layers.0.k_scale", FALSE },
    { "layers.0.router.proj.weight", "layers.0.router.scale", FALSE },
    { "layers.0.norm1.weight", "layers.0.layer_scale1.lambda1", FALSE },
    { "layers.0.q_proj.weight", "layers.0.per_dim_scale", FALSE },
    { "text_projection.weight", "logit_scale", FALSE },
    { "blk.0.attn_q.weight", "blk.0.attn_q.input_scale", FALSE },
    { "blk.0.attn_q.weight", "blk.1.attn_q.scale", FALSE },
    { "blk.0.attn_output.weight", "blk.0.layer_output_scale.weight", FALSE },
    { "blk.0.ffn_up.weight", "blk.0.ffn.act.scales", FALSE },
  };
  const guint64 one = 1;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TestFolder) folder = test_make_folder ();
      g_autoptr (HlWeights) weights = open_named (folder, (const char *const[]){ cases[i].name, cases[i].other, NULL });
      g_autoptr (GError) error = NULL;
      g_autoptr (HlTensor) tensor = hl_weights_get (weights, cases[i].name, 1, &one, &error);

      g_test_message ("%s, %s", cases[i].name, cases[i].other);
      if (!cases[i].refused)
        {
          g_assert_no_error (error);
          g_assert_nonnull (tensor);
          continue;
        }
      g_assert_null (tensor);
      g_assert_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED);
      test_assert_sentence (error);
      g_assert_nonnull (strstr (error->message, cases[i].other));

      /* What stands for both is taken. */
      g_autoptr (TestTensor) whole = g_object_new (TEST_TYPE_TENSOR, NULL);
      hl_tensor_set_layout (HL_TENSOR (whole), HL_DTYPE_F32, &(HlShape){ 1, { 1 } });
      hl_weights_replace (weights, cases[i].name, HL_TENSOR (whole));
      g_autoptr (HlTensor) found = hl_weights_get (weights, cases[i].name, 1, &one, NULL);
      g_assert_true (found == HL_TENSOR (whole));
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/weights/find-bad", test_find_bad);
  g_test_add_func ("/weights/factors", test_factors);
  return g_test_run ();
}
