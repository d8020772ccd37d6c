/* SPDX-License-Identifier: MIT */
/* Linear layers over weights that lie as files may have them. */
#include "core/model/adapter/hl-low-rank-tensor.h"
#include "core/model/layer/hl-linear.h"

#include "test-dumps.h"

#define N_IN 24
#define N_OUT 70
#define RANK 3
#define N_ROWS 5

/* A tensor of random numbers; of a vector, or a matrix whose rows are @apart times as long as what is read of them. */
static HlTensor *
make_tensor (GRand  *random,
             guint   rank,
             guint64 n_rows,
             guint64 n_columns,
             guint   apart)
{
  const HlShape shape = { rank, { rank == 1 ? n_columns : n_rows, n_columns } };
  const gint64 strides[] = { (gint64) ((rank == 1 ? 1 : n_columns) * apart * sizeof (float)),
                             (gint64) (apart * sizeof (float)) };
  const gsize n = n_rows * n_columns * apart;
  g_autofree float *numbers = g_new (float, n);
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < n; i++)
    numbers[i] = (float) g_rand_double_range (random, -1, 1);
  g_autoptr (GBytes) bytes = g_bytes_new_take (g_steal_pointer (&numbers), n * sizeof (float));
  HlTensor *tensor = hl_tensor_new_for_bytes (HL_DTYPE_F32, &shape, strides, FALSE, bytes, 0, &error);

  g_assert_no_error (error);
  return tensor;
}

/* A layer gives what its weights come to as they are read. */
static void
check (const HlLinear *linear,
       GRand          *random)
{
  const HlShape *shape = hl_tensor_get_shape (linear->tensor);
  const guint64 start[2] = { 0, 0 };
  g_autofree float *weights = g_new (float, linear->n_in * linear->n_out);
  g_autofree float *input = g_new (float, N_ROWS * linear->n_in);
  g_autofree float *output = g_new (float, N_ROWS * linear->n_out);
  g_auto (HlScratch) scratch = { 0 };
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_tensor_read_f32 (linear->tensor, start, shape->dims, weights, NULL, &error));
  g_assert_no_error (error);
  for (gsize i = 0; i < N_ROWS * linear->n_in; i++)
    input[i] = (float) g_rand_double_range (random, -1, 1);
  hl_linear_apply (linear, N_ROWS, input, linear->n_in, output, linear->n_out, &scratch);
  for (gsize row = 0; row < N_ROWS; row++)
    for (gsize out = 0; out < linear->n_out; out++)
      {
        double sum = 0;

        for (gsize in = 0; in < linear->n_in; in++)
          sum += (double) input[row * linear->n_in + in] *
                 (double) weights[linear->transposed ? in * linear->n_out + out : out * linear->n_in + in];
        g_assert_cmpfloat_with_epsilon (output[row * linear->n_out + out], sum, 1e-4);
      }
}

/* An adapter may take the axes of a matrix the other way than the layer: a head may be the table of an embedding, whose rows are
 * what goes in there. */
static void
test_changed (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (guint i = 0; i < 4; i++)
    {
      const gboolean transposed = (i & 1) != 0, change_transposed = (i & 2) != 0;
      const guint64 dims[2] = { transposed ? N_IN : N_OUT, transposed ? N_OUT : N_IN };
      g_autoptr (HlTensor) base = make_tensor (random, 2, dims[0], dims[1], 1);
      g_autoptr (HlTensor) down = make_tensor (random, 2, RANK, dims[change_transposed ? 0 : 1], 1);
      g_autoptr (HlTensor) up = make_tensor (random, 2, dims[change_transposed ? 1 : 0], RANK, 1);
      const HlLowRank change = { down, up, 0.5f, change_transposed, NULL };
      g_autoptr (GError) error = NULL;
      g_autoptr (HlTensor) sum = hl_low_rank_tensor_new (base, &change, &error);
      const HlLinear linear = { .tensor = sum, .n_in = N_IN, .n_out = N_OUT, .transposed = transposed };

      g_assert_no_error (error);
      check (&linear, random);
    }
}

/* The weights of a single feature may be a vector, of numbers that lie apart as well. */
static void
test_vector (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (2);

  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (HlTensor) row = make_tensor (random, i % 2 + 1, 1, N_IN, i / 2 + 1);
      const HlLinear linear = { .tensor = row, .n_in = N_IN, .n_out = 1 };

      g_assert_cmpint (hl_tensor_get_data (row) == NULL, ==, i / 2);
      check (&linear, random);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/linear/changed", test_changed);
  g_test_add_func ("/linear/vector", test_vector);
  return g_test_run ();
}
