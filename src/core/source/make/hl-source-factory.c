/* SPDX-License-Identifier: MIT */
/* Which source answers for an attention. */
#include "core/source/make/hl-source-factory.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/source/hl-derived-source.h"
#include "core/source/make/hl-dump-source.h"
#include "core/source/make/hl-qk-source.h"

#define HL_TYPE_SOFTMAX_SOURCE (hl_softmax_source_get_type ())
/**
 * HlSoftmaxSource:
 *
 * The softmax over keys of another source, whose numbers are scores.
 */
G_DECLARE_FINAL_TYPE (HlSoftmaxSource, hl_softmax_source, HL, SOFTMAX_SOURCE, HlDerivedSource)

struct _HlSoftmaxSource
{
  HlDerivedSource parent_instance;

  HlAttention *attention;
};

static void hl_softmax_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlSoftmaxSource,
                               hl_softmax_source,
                               HL_TYPE_DERIVED_SOURCE,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_softmax_source_iface_init))

/* In place. Keys outside @first to @end are masked, those that are 0 in @seen, which may be %NULL, and so are scores of −∞, and what stands for
 * it; a row without any other becomes zeros. A score that is not a number makes the row so, as it does in PyTorch. @sink: a score beside them, or −∞ */
static void
make_weights (float        *row,
              gsize         n_keys,
              gsize         first,
              gsize         end,
              float         sink,
              const guint8 *seen,
              gboolean      marks_masked)
{
  const float masked = marks_masked ? -0.0f : 0;
  float greatest = sink;
  double sum = 0;

  for (gsize key = first; seen != NULL && key < end; key++)
    if (seen[key] == 0)
      row[key] = -INFINITY;
  for (gsize key = first; key < end; key++)
    if (!(row[key] <= greatest) && !isnan (greatest))
      greatest = row[key];
  for (gsize key = 0; key < n_keys; key++)
    if (key < first || key >= end || greatest == -INFINITY || hl_score_is_masked (row[key], greatest))
      row[key] = masked;
    else
      {
        row[key] = expf (row[key] - greatest);
        sum += row[key];
      }
  sum += sink > -INFINITY ? expf (sink - greatest) : 0;
  for (gsize key = first; key < end && greatest != -INFINITY; key++)
    row[key] = (float) (row[key] / sum);
}

typedef struct
{
  const HlMask *mask;
  gsize n_queries;
  float sink;
  gboolean marks_masked;
  HlCellMask *cells; /* NULL for none */
  guint layer;
  GError *error; /* why cells could not be read */
} Rows;

static void
change_row (float   *row,
            gsize    n_keys,
            gsize    query,
            gpointer data)
{
  Rows *rows = data;
  g_autofree guint8 *seen = NULL;
  gsize first, end;

  if (rows->cells != NULL && rows->error == NULL)
    seen = hl_cell_mask_read_new (rows->cells, rows->layer, query, 1, 0, n_keys, NULL, &rows->error);
  hl_mask_get_visible (rows->mask, rows->n_queries, n_keys, query, &first, &end);
  make_weights (row, n_keys, first, end, rows->sink, seen, rows->marks_masked);
}

static gboolean
read_rows (HlAttentionSource        *source,
           const HlAttentionRequest *request,
           float                    *target,
           GCancellable             *cancellable,
           GError                  **error)
{
  HlAttentionSource *scores = hl_derived_source_get_origin (HL_DERIVED_SOURCE (source));
  const float *sinks = hl_attention_get_rule (HL_SOFTMAX_SOURCE (source)->attention, request->layer)->sinks;
  Rows rows = { hl_attention_source_get_mask (scores, request->layer),
                hl_attention_source_get_n (scores, HL_QUERIES),
                sinks != NULL ? sinks[request->head] : -INFINITY,
                request->marks_masked,
                hl_attention_get_cells (HL_SOFTMAX_SOURCE (source)->attention),
                request->layer,
                NULL };

  if (!hl_whole_rows_read (scores, request, change_row, &rows, target, cancellable, error))
    {
      g_clear_error (&rows.error);
      return FALSE;
    }
  if (rows.error == NULL)
    return TRUE;
  g_propagate_error (error, rows.error);
  return FALSE;
}

static char *
make_quantity (HlDerivedSource   *self,
               HlAttentionSource *scores)
{
  return g_strdup (_ ("softmax of the scores in the file"));
}

static void
hl_softmax_source_iface_init (HlAttentionSourceInterface *iface)
{
  iface->is_signed = NULL; /* scores are, weights are not */
  iface->read_rows = read_rows;
}

static void
hl_softmax_source_finalize (GObject *object)
{
  g_clear_object (&HL_SOFTMAX_SOURCE (object)->attention);
  G_OBJECT_CLASS (hl_softmax_source_parent_class)->finalize (object);
}

static void
hl_softmax_source_class_init (HlSoftmaxSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_softmax_source_finalize;
  HL_DERIVED_SOURCE_CLASS (klass)->make_quantity = make_quantity;
}

static void
hl_softmax_source_init (HlSoftmaxSource *self)
{
}

/* Returns the weights that follow from them; keys that the mask of @scores hides have none. */
static HlAttentionSource *
hl_softmax_source_new (HlAttentionSource *scores,
                       HlAttention       *attention)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (scores), NULL);

  HlSoftmaxSource *self = g_object_new (HL_TYPE_SOFTMAX_SOURCE, NULL);
  self->attention = g_object_ref (attention);
  return hl_derived_source_derive (self, scores);
}

/**
 * hl_attention_make_source:
 * @attention: an attention of a document
 *
 * Does not read anything yet.
 *
 * Returns: (transfer full): the attention's weights: those in the file, or the softmax of its scores, or else softmax(Q·Kᵀ)
 */
HlAttentionSource *
hl_attention_make_source (HlAttention *attention)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), NULL);

  if (hl_attention_get_weights (attention, 0) == NULL)
    return hl_qk_source_new (attention);
  g_autoptr (HlAttentionSource) stored = hl_dump_source_new (attention);
  return hl_attention_has_scores (attention) ? hl_softmax_source_new (stored, attention) : g_steal_pointer (&stored);
}
