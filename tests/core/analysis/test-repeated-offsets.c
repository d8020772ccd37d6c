/* SPDX-License-Identifier: MIT */
/* A model is run once for all that is told of its text written twice, also when several threads ask. What it tells: test-cli-numbers.py. */
#include "core/analysis/number/hl-repeated-offsets.h"

#define SEED 7
#define PERIOD 9
#define N_HEADS 6
#define N_THREADS 4
#define N_TIMES 8

static HlModel *
load_model (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "model", "checkpoints", "bert", NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  HlModel *model = hl_model_load (folder, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (hl_model_get_n_layers (model, HL_ATTENTION_SELF) *
                      hl_model_get_shape (model, HL_ATTENTION_SELF, 0)->n_heads,
                    ==, N_HEADS);
  return model;
}

static gboolean
ask (HlModel         *model,
     guint64          seed,
     HlRepeatedOffset offset,
     double          *values,
     GCancellable    *cancellable,
     GError         **error)
{
  return hl_repeated_offsets_measure (model, HL_ATTENTION_SELF, seed, PERIOD, offset, values, NULL, cancellable, error);
}

/* Of a model that nobody has asked before. */
static void
ask_afresh (guint64          seed,
            HlRepeatedOffset offset,
            double          *values)
{
  g_autoptr (HlModel) model = load_model ();
  g_autoptr (GError) error = NULL;

  g_assert_true (ask (model, seed, offset, values, NULL, &error));
  g_assert_no_error (error);
}

/* Who is cancelled can still be told what needs no run. */
static void
test_once (void)
{
  g_autoptr (HlModel) model = load_model ();
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  double values[N_HEADS], expected[N_HEADS];

  g_cancellable_cancel (cancelled);
  g_assert_false (ask (model, SEED, HL_REPEATED_OFFSET_PREVIOUS, values, cancelled, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_true (ask (model, SEED, HL_REPEATED_OFFSET_PREVIOUS, values, NULL, &error));
  for (HlRepeatedOffset offset = 0; offset < HL_N_REPEATED_OFFSETS; offset++)
    {
      g_assert_true (ask (model, SEED, offset, values, cancelled, &error));
      ask_afresh (SEED, offset, expected);
      g_assert_cmpmem (values, sizeof values, expected, sizeof expected);
    }
  g_assert_false (ask (model, SEED + 1, HL_REPEATED_OFFSET_INDUCTION, values, cancelled, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_true (ask (model, SEED + 1, HL_REPEATED_OFFSET_INDUCTION, values, NULL, &error));
  ask_afresh (SEED + 1, HL_REPEATED_OFFSET_INDUCTION, expected);
  g_assert_cmpmem (values, sizeof values, expected, sizeof expected);
}

typedef struct
{
  HlModel *model;
  guint64 seed;
  double values[N_HEADS];
} Asker;

static gpointer
ask_often (gpointer data)
{
  Asker *self = data;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < N_TIMES; i++)
    {
      g_assert_true (ask (self->model, self->seed, HL_REPEATED_OFFSET_INDUCTION, self->values, NULL, &error));
      g_assert_no_error (error);
    }
  return NULL;
}

/* Of two texts by turns, so that each takes the place of the other. */
static void
test_threads (void)
{
  g_autoptr (HlModel) model = load_model ();
  double expected[2][N_HEADS];
  Asker askers[N_THREADS];
  GThread *threads[N_THREADS];

  for (guint i = 0; i < 2; i++)
    ask_afresh (SEED + i, HL_REPEATED_OFFSET_INDUCTION, expected[i]);
  for (guint i = 0; i < N_THREADS; i++)
    {
      askers[i] = (Asker){ .model = model, .seed = SEED + i % 2 };
      threads[i] = g_thread_new ("asker", ask_often, &askers[i]);
    }
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  for (guint i = 0; i < N_THREADS; i++)
    g_assert_cmpmem (askers[i].values, sizeof askers[i].values, expected[i % 2], sizeof expected[i % 2]);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/repeated-offsets/once", test_once);
  g_test_add_func ("/repeated-offsets/threads", test_threads);
  return g_test_run ();
}
