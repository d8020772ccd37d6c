/* SPDX-License-Identifier: MIT */
/* A child of fork(), as Python's multiprocessing makes them, computes as its parent does. */
#include "core/source/make/hl-source-factory.h"
#include "test-attentions.h"
#include "test-children.h"

#include <omp.h>
#include <unistd.h>

#define N 128
#define N_FEATURES 32

static int kept;
#pragma omp threadprivate(kept)

/* Of two projections that are nothing, all weights are the same. */
static gboolean
compute (void)
{
  const float numbers[N * N_FEATURES] = { 0 };
  const HlShape shape = { 3, { 1, N, N_FEATURES } };
  g_autoptr (HlTensor) tensor = test_make_tensor (&shape, numbers);
  const HlLayerTensor projection = { tensor, -1, 0, -1, 0, 0, 1, 2 };
  const HlAttentionInit init = {
    .projections = { &projection, &projection }, .n_layers = 1, .n_used = { N, N }, .rule = { .scale = 1 }
  };
  g_autoptr (HlAttention) attention = hl_attention_new (&init);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autofree float *weights = hl_attention_source_read_head (source, 0, 0, NULL, NULL);

  for (gsize i = 0; i < N * N; i++)
    if (weights == NULL || ABS (weights[i] - 1.0f / N) > 1e-6f)
      return FALSE;
  return TRUE;
}

static int
add_kept (void)
{
  int sum = 0;

#pragma omp parallel num_threads(3) reduction(+ : sum)
  sum += kept;
  return sum;
}

/* Whoever has not computed here keeps what his own threads keep. The first test, as the others compute. */
static void
test_foreign (void)
{
#pragma omp parallel num_threads(3)
  kept = 1 + omp_get_thread_num ();
  const int before = add_kept ();
  const pid_t child = test_fork ();
  if (child == 0)
    _exit (0);
  test_assert_ends (child);
  g_assert_cmpint (add_kept (), ==, before);
}

static void
test_compute (void)
{
  omp_set_num_threads (3);
  g_assert_true (compute ());
  const pid_t child = test_fork ();
  if (child == 0)
    {
      const gboolean alone = compute ();
      /* Others in the process choose for themselves how many threads they have. */
      omp_set_num_threads (2);
      _exit (alone && compute () ? 0 : 1);
    }
  test_assert_ends (child);
  g_assert_true (compute ());
}

static gpointer
fork_in_thread (gpointer data)
{
  omp_set_num_threads (3);
  g_assert_true (compute ());
  const pid_t child = test_fork ();
  if (child > 0)
    test_assert_ends (child);
  return NULL;
}

/* The thread that forks is the only one of the child, which ends with it. */
static void
test_end (void)
{
  g_thread_join (g_thread_new (NULL, fork_in_thread, NULL));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fork/foreign", test_foreign);
  g_test_add_func ("/fork/compute", test_compute);
  g_test_add_func ("/fork/end", test_end);
  return g_test_run ();
}
