/* SPDX-License-Identifier: MIT */
/* Mixtures of experts: of the weights of all, those are read that tokens go to, and no others. */
#include "core/model/layer/hl-experts.h"

#include "test-dumps.h"

#include <string.h>

#define N_EXPERTS 8
#define WIDTH 6
#define INNER 4

/* Weights that keep count of who is read. */
#define TEST_TYPE_TENSOR (test_tensor_get_type ())
G_DECLARE_FINAL_TYPE (TestTensor, test_tensor, TEST, TENSOR, HlTensor)

struct _TestTensor
{
  HlTensor parent_instance;

  guint n_reads[N_EXPERTS];
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

  g_assert_cmpuint (start[0] + count[0], <=, N_EXPERTS);
  for (guint64 i = start[0]; i < start[0] + count[0]; i++)
    g_atomic_int_inc (&self->n_reads[i]);
  /* What an expert comes to tells which one it was. */
  for (guint64 i = 0; i < count[0] * count[1] * count[2]; i++)
    target[i] = 0.1f * (float) (start[0] + 1);
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

static TestTensor *
add_tensor (HlWeights  *weights,
            const char *name,
            guint64     n_out,
            guint64     n_in)
{
  TestTensor *self = g_object_new (TEST_TYPE_TENSOR, NULL);
  const HlShape shape = { 3, { N_EXPERTS, n_out, n_in } };

  hl_tensor_set_layout (HL_TENSOR (self), HL_DTYPE_F32, &shape);
  hl_weights_replace (weights, name, HL_TENSOR (self));
  return self;
}

/* A router whose score of an expert is that feature of a token, so that a token chooses by its own features. */
static void
add_router (HlWeights *weights)
{
  static float scores[N_EXPERTS][WIDTH];
  const HlShape shape = { 2, { N_EXPERTS, WIDTH } };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < WIDTH; i++)
    scores[i][i] = 1;
  for (guint i = WIDTH; i < N_EXPERTS; i++)
    for (guint k = 0; k < WIDTH; k++)
      scores[i][k] = -1;
  g_autoptr (GBytes) bytes = g_bytes_new_static (scores, sizeof scores);
  g_autoptr (HlTensor) tensor = hl_tensor_new_for_bytes (HL_DTYPE_F32, &shape, NULL, FALSE, bytes, 0, &error);
  g_assert_no_error (error);
  hl_weights_replace (weights, "mlp.gate.weight", tensor);
}

static HlModelConfig *
make_config (void)
{
  static const char text[] = "{\"num_experts\": 8, \"num_experts_per_tok\": 2, \"moe_intermediate_size\": 4, "
                             "\"norm_topk_prob\": true}";
  g_autofree char *path = test_make_folder ();
  g_autofree char *file = g_build_filename (path, "config.json", NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (file, text, -1, &error));
  HlModelConfig *config = hl_model_config_load (folder, &error);
  g_assert_no_error (error);
  test_remove_folder (path);
  return config;
}

static void
test_only_chosen (void)
{
  g_autoptr (HlModelConfig) config = make_config ();
  g_autoptr (HlWeights) weights = hl_weights_new ();
  g_autoptr (GError) error = NULL;
  const HlFamily *family = hl_family_find ("qwen3_moe", &error);
  g_autoptr (TestTensor) in = add_tensor (weights, "mlp.experts.gate_up_proj", 2 * INNER, WIDTH);
  g_autoptr (TestTensor) out = add_tensor (weights, "mlp.experts.down_proj", WIDTH, INNER);
  g_auto (HlScratch) room = { 0 }, scratch = { 0 };
  /* The first token goes to experts 1 and 4, the second to 4 and 5. */
  const float input[2][WIDTH] = { { 0, 3, 0, 0, 2, 0 }, { 0, 0, 0, 0, 1, 2 } };
  float result[2][WIDTH];

  add_router (weights);
  g_autoptr (HlExperts) experts =
    hl_experts_load (weights, config, family, &family->stack.experts, "", WIDTH, HL_ACTIVATION_SILU, FALSE, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < N_EXPERTS; i++)
    g_assert_cmpuint (in->n_reads[i] + out->n_reads[i], ==, 0);
  hl_experts_apply (experts, 2, &input[0][0], &result[0][0], &room, &scratch);
  for (guint i = 0; i < N_EXPERTS; i++)
    {
      const gboolean chosen = i == 1 || i == 4 || i == 5;

      g_assert_cmpint (in->n_reads[i] > 0, ==, chosen);
      g_assert_cmpint (out->n_reads[i] > 0, ==, chosen);
    }
  g_assert_cmpfloat (result[0][0], !=, 0);
  g_assert_cmpfloat (result[0][0], !=, result[1][0]);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/experts/only-chosen", test_only_chosen);
  return g_test_run ();
}
