/* SPDX-License-Identifier: MIT */
/*
 * Times what is made of weights.
 *
 *   bench-quantity [FOLDER]
 *
 * Of the model in FOLDER, on 512 tokens, milliseconds of all weights, and how many times that all norms take; and milliseconds of rollout
 * and flow, of it and of attention by chance.
 */
#include "core/model/hl-model-run.h"
#include "core/source/derive/hl-lens.h"
#include "core/source/make/hl-source-factory.h"

#include "core/test-attentions.h"

#include <stdio.h>
#include <stdlib.h>

#define RUNS 7

static double
now (void)
{
  return (double) g_get_monotonic_time () / 1000;
}

/* All heads, of new sources each time: nothing is kept from one run to the next. */
static HlAttentionSource *
make_source (HlAttention *attention,
             HlQuantity   quantity)
{
  g_autoptr (HlAttentionSource) weights = hl_attention_make_source (attention);
  g_autoptr (HlAttention) shown = NULL;
  HlAttentionSource *source = NULL;
  HlLens lens = { .quantity = quantity };

  for (guint head = 0; head < hl_attention_get_max_heads (attention); head++)
    hl_head_set_add (&lens.heads, head);
  hl_lens_apply (&lens, attention, weights, &shown, &source);
  return source;
}

/* Some rows of every map from @first_layer on. */
static double
time_maps (HlAttention *attention,
           HlQuantity   quantity,
           guint        first_layer,
           gsize        n_rows)
{
  g_autoptr (HlAttentionSource) source = make_source (attention, quantity);
  const gsize n = hl_attention_get_n (attention, HL_KEYS);
  g_autofree float *numbers = g_new0 (float, n_rows *n);
  g_autoptr (GError) error = NULL;
  const double begin = now ();

  for (guint layer = first_layer; layer < hl_attention_source_get_n_layers (source); layer++)
    for (guint head = 0; head < hl_attention_source_get_n_heads (source, layer); head++)
      {
        const HlAttentionRequest request = { .layer = layer,
                                             .head = head,
                                             .first_query = n - n_rows,
                                             .n_queries = n_rows,
                                             .n_keys = n,
                                             .n_rows = n_rows,
                                             .n_columns = n };
        if (!hl_attention_source_read (source, &request, numbers, NULL, &error))
          g_error ("%s", error->message);
      }
  return now () - begin;
}

static int
compare (gconstpointer a,
         gconstpointer b)
{
  return *(const double *) a < *(const double *) b ? -1 : *(const double *) a > *(const double *) b;
}

static double
get_median (HlAttention *attention,
            HlQuantity   quantity,
            guint        first_layer,
            gsize        n_rows)
{
  double times[RUNS];

  for (guint run = 0; run < RUNS; run++)
    times[run] = time_maps (attention, quantity, first_layer, n_rows);
  qsort (times, RUNS, sizeof *times, compare);
  return times[RUNS / 2];
}

static void
bench_model (const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (folder);
  g_autoptr (HlModel) model = hl_model_load (file, &error);
  guint32 ids[512];
  const HlModelText text = { .ids = ids, .n_ids = G_N_ELEMENTS (ids) };

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    ids[i] = 1000 + i * 7919 % 20000;
  g_autoptr (HlModelRun) run = model != NULL ? hl_model_run_new (model, &text, &error) : NULL;
  if (run == NULL || !hl_model_run_execute (run, NULL, NULL, &error))
    g_error ("%s", error->message);
  g_autoptr (HlExample) example = hl_document_get_example (hl_model_run_get_document (run), 0, NULL, &error);
  HlAttention *attention = hl_example_get_attention (example, 0);
  const double weights = get_median (attention, HL_QUANTITY_WEIGHT, 0, 512);

  printf ("weight-512 %.3f ms\n", weights);
  printf ("norm-512-ratio %.3f x\n", get_median (attention, HL_QUANTITY_NORM, 0, 512) / weights);
  printf ("rollout-512 %.3f ms\n",
          get_median (attention, HL_QUANTITY_ROLLOUT, hl_attention_get_n_layers (attention) - 1, 512));
}

/* One head a layer, by chance, causal or not. */
static HlAttention *
make_attention (guint    n_layers,
                gsize    n,
                gboolean causal)
{
  const gsize size = 64;
  g_autofree HlLayerTensor *queries = g_new (HlLayerTensor, n_layers);
  g_autofree HlLayerTensor *keys = g_new (HlLayerTensor, n_layers);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  const HlShape shape = { 3, { n_layers, n, size } };
  g_autofree float *numbers = g_new (float, n_layers *n *size);

  for (guint side = 0; side < 2; side++)
    {
      for (gsize i = 0; i < n_layers * n * size; i++)
        numbers[i] = (float) g_rand_double_range (random, -2, 2);
      g_autoptr (HlTensor) tensor = test_make_tensor (&shape, numbers);
      for (guint layer = 0; layer < n_layers; layer++)
        (side == 0 ? queries : keys)[layer] = (HlLayerTensor){ .tensor = g_object_ref (tensor),
                                                               .layer_axis = 0,
                                                               .layer = layer,
                                                               .batch_axis = -1,
                                                               .head_axis = -1,
                                                               .row_axis = 1,
                                                               .column_axis = 2 };
    }
  const HlAttentionInit init = {
    .kind = HL_ATTENTION_SELF,
    .projections = { queries, keys },
    .n_layers = n_layers,
    .n_used = { n, n },
    .rule = { .scale = 0.125, .mask = { .causal = causal } },
  };
  HlAttention *attention = hl_attention_new (&init);
  for (guint layer = 0; layer < n_layers; layer++)
    {
      g_object_unref (queries[layer].tensor);
      g_object_unref (keys[layer].tensor);
    }
  return attention;
}

int
main (int   argc,
      char *argv[])
{
  if (argc > 1)
    bench_model (argv[1]);
  for (guint causal = 0; causal < 2; causal++)
    {
      g_autoptr (HlAttention) attention = make_attention (32, 2048, causal != 0);
      g_autoptr (HlAttention) shorter = make_attention (12, 128, causal != 0);
      const char *name = causal != 0 ? "causal-" : "";

      printf ("%srollout-32x2048 %.3f ms\n", name, time_maps (attention, HL_QUANTITY_ROLLOUT, 31, 2048));
      printf ("%sflow-12x128-row %.3f ms\n", name, get_median (shorter, HL_QUANTITY_FLOW, 11, 1));
    }
  return 0;
}
