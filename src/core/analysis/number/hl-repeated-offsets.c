/* SPDX-License-Identifier: MIT */
/* Diagonals of the maps of a text that is written twice. They depend on the model alone, so that it is run once for all of them, whatever texts
 * are open and however many. */
#include "core/analysis/number/hl-repeated-offsets.h"

#include "core/analysis/number/hl-repeated-text.h"
#include "core/base/hl-worker.h"
#include "core/model/hl-model-run.h"
#include "core/source/make/hl-source-factory.h"

#include <string.h>

/* Microseconds between looks whether somebody who waits for another's run is to stop. */
#define LOOK_EVERY 50000

#define MAX_KINDS 4

/* What is known of a model's attention of one kind: of the last text that was asked for. */
typedef struct
{
  guint64 seed;
  gsize period;
  gboolean is_busy; /* somebody runs the model, others wait */
  guint n_heads;
  double *values; /* [offset, head]; NULL before the first */
} Known;

G_STATIC_ASSERT (HL_ATTENTION_CROSS < MAX_KINDS);

/* Of the Knowns of all models. */
static GMutex lock;
static GCond changed;

static void
known_free (gpointer data)
{
  Known *known = data;

  for (guint i = 0; i < MAX_KINDS; i++)
    g_free (known[i].values);
  g_free (known);
}

/* Call with the lock held. */
static Known *
get_known (HlModel        *model,
           HlAttentionKind kind)
{
  const GQuark quark = g_quark_from_static_string ("hl-repeated-offsets");
  Known *known = g_object_get_qdata (G_OBJECT (model), quark);

  if (known == NULL)
    {
      known = g_new0 (Known, MAX_KINDS);
      g_object_set_qdata_full (G_OBJECT (model), quark, known, known_free);
    }
  return &known[kind];
}

static gsize
get_offset (HlRepeatedOffset offset,
            gsize            period)
{
  switch (offset)
    {
    case HL_REPEATED_OFFSET_DUPLICATE:
      return period;
    case HL_REPEATED_OFFSET_INDUCTION:
      return period - 1;
    default:
      return 1;
    }
}

/* The means of the weights of queries on the keys so far before them, of those that have one. */
static gboolean
measure_head (HlAttentionSource *source,
              guint              layer,
              guint              head,
              gsize              period,
              double            *means,
              gsize              stride,
              GCancellable      *cancellable,
              GError           **error)
{
  const gsize n = hl_attention_source_get_n (source, HL_QUERIES);
  g_autofree float *map = hl_attention_source_read_head (source, layer, head, cancellable, error);

  if (map == NULL)
    return FALSE;
  for (HlRepeatedOffset i = 0; i < HL_N_REPEATED_OFFSETS; i++)
    {
      const gsize offset = get_offset (i, period);
      double sum = 0;

      for (gsize query = offset; query < n; query++)
        sum += map[query * n + query - offset];
      means[i * stride] = sum / (double) (n - offset);
    }
  return TRUE;
}

/* Returns [offset, head]; free with g_free(). */
static double *
measure_heads (HlAttentionSource *source,
               gsize              period,
               guint             *n_all,
               GCancellable      *cancellable,
               GError           **error)
{
  HlSharedError first_error = { NULL };
  guint n = 0, first = 0;

  for (guint layer = 0; layer < hl_attention_source_get_n_layers (source); layer++)
    n += hl_attention_source_get_n_heads (source, layer);
  g_autofree double *values = g_new (double, MAX ((gsize) n * HL_N_REPEATED_OFFSETS, 1));
  for (guint layer = 0; layer < hl_attention_source_get_n_layers (source); layer++)
    {
      const guint n_heads = hl_attention_source_get_n_heads (source, layer);

#pragma omp parallel for schedule(dynamic, 1)
      for (guint head = 0; head < n_heads; head++)
        {
          GError *own_error = NULL;

          if (!hl_shared_error_is_set (&first_error) &&
              !measure_head (source, layer, head, period, values + first + head, n, cancellable, &own_error))
            hl_shared_error_take (&first_error, own_error);
        }
      first += n_heads;
    }
  *n_all = n;
  return hl_shared_error_propagate (&first_error, error) ? g_steal_pointer (&values) : NULL;
}

static double *
run_model (HlModel        *model,
           HlAttentionKind kind,
           guint64         seed,
           gsize           period,
           guint          *n_heads,
           HlProgress     *progress,
           GCancellable   *cancellable,
           GError        **error)
{
  g_autofree guint32 *ids = hl_repeated_text_make (model, kind, seed, period, error);

  if (ids == NULL)
    return NULL;
  /* What the encoder of such a decoder reads is of no matter to its own attention. */
  const HlModelText text = { .ids = ids,
                             .n_ids = 2 * period,
                             .decoder_ids = kind == HL_ATTENTION_DECODER ? ids : NULL,
                             .n_decoder_ids = kind == HL_ATTENTION_DECODER ? 2 * period : 0 };
  g_autoptr (HlModelRun) run = hl_model_run_new (model, &text, error);
  if (run == NULL || !hl_model_run_execute (run, progress, cancellable, error))
    return NULL;
  g_autoptr (HlExample) example = hl_document_get_example (hl_model_run_get_document (run), 0, cancellable, error);
  if (example == NULL)
    return NULL;
  HlAttention *attention = hl_example_find_attention (example, kind);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  return measure_heads (source, period, n_heads, cancellable, error);
}

/* Returns whether @known is of that text, waiting for whoever is at it; if not, it is the caller's to fill in. */
static gboolean
wait_for (Known        *known,
          guint64       seed,
          gsize         period,
          gboolean     *is_known,
          GCancellable *cancellable,
          GError      **error)
{
  while (known->is_busy)
    {
      g_cond_wait_until (&changed, &lock, g_get_monotonic_time () + LOOK_EVERY);
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
    }
  *is_known = known->values != NULL && known->seed == seed && known->period == period;
  return TRUE;
}

/**
 * hl_repeated_offsets_measure:
 * @model: a model
 * @kind: which attention of it, not cross-attention
 * @seed: of the text, hl_repeated_text_make()
 * @period: how many tokens are written twice, at least 1
 * @offset: what is asked for
 * @values: (out caller-allocates): the mean weight of each head of all layers
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it
 * @error: as hl_repeated_text_make() and hl_model_run_execute(), or %G_IO_ERROR_CANCELLED
 *
 * Runs the model once for all offsets, on any thread; it is not run again for the same text. Others who ask meanwhile wait.
 *
 * Returns: whether @values was filled
 */
gboolean
hl_repeated_offsets_measure (HlModel         *model,
                             HlAttentionKind  kind,
                             guint64          seed,
                             gsize            period,
                             HlRepeatedOffset offset,
                             double          *values,
                             HlProgress      *progress,
                             GCancellable    *cancellable,
                             GError         **error)
{
  gboolean is_known = FALSE;

  g_return_val_if_fail (HL_IS_MODEL (model) && kind < MAX_KINDS && period > 0, FALSE);

  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);
  Known *known = get_known (model, kind);
  if (!wait_for (known, seed, period, &is_known, cancellable, error))
    return FALSE;
  if (!is_known)
    {
      guint n_heads = 0;

      known->is_busy = TRUE;
      g_mutex_unlock (&lock);
      double *found = run_model (model, kind, seed, period, &n_heads, progress, cancellable, error);
      g_mutex_lock (&lock);
      known->is_busy = FALSE;
      g_cond_broadcast (&changed);
      if (found == NULL)
        return FALSE;
      g_free (known->values);
      *known = (Known){ .seed = seed, .period = period, .n_heads = n_heads, .values = found };
    }
  memcpy (values, known->values + (gsize) offset * known->n_heads, known->n_heads * sizeof *values);
  return TRUE;
}
