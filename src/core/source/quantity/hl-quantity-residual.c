/* SPDX-License-Identifier: MIT */
/* (A + I)[i,j] / Σ_k (A + I)[i,k]: beside what it takes in of others, a token keeps itself (Abnar and Zuidema 2020).
 * Of heads whose rows sum to 1, the mean is that of the mean of their weights. */
#include "core/source/quantity/hl-quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/source/hl-derived-source.h"

#define HL_TYPE_RESIDUAL_SOURCE (hl_residual_source_get_type ())
G_DECLARE_FINAL_TYPE (HlResidualSource, hl_residual_source, HL, RESIDUAL_SOURCE, HlDerivedSource)

struct _HlResidualSource
{
  HlDerivedSource parent_instance;
};

static void hl_residual_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlResidualSource,
                               hl_residual_source,
                               HL_TYPE_DERIVED_SOURCE,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_residual_source_iface_init))

/* In place. What is not a number stays, and does not count: some files have it where a query cannot see. */
static void
change_row (float   *row,
            gsize    n_keys,
            gsize    query,
            gpointer data)
{
  double sum = 0;

  row[query] += 1;
  for (gsize key = 0; key < n_keys; key++)
    if (!isnan (row[key]))
      sum += row[key];
  for (gsize key = 0; key < n_keys; key++)
    row[key] = (float) (row[key] / sum);
}

static gboolean
read_rows (HlAttentionSource        *source,
           const HlAttentionRequest *request,
           float                    *target,
           GCancellable             *cancellable,
           GError                  **error)
{
  return hl_whole_rows_read (hl_derived_source_get_origin (HL_DERIVED_SOURCE (source)), request, change_row, NULL,
                             target, cancellable, error);
}

static void
hl_residual_source_iface_init (HlAttentionSourceInterface *iface)
{
  iface->read_rows = read_rows;
}

static char *
make_quantity (HlDerivedSource   *self,
               HlAttentionSource *origin)
{
  /* Translators: “attention weight + residual connection” */
  return g_strdup_printf (_ ("%s + residual connection"), hl_attention_source_get_quantity (origin));
}

static void
hl_residual_source_class_init (HlResidualSourceClass *klass)
{
  HL_DERIVED_SOURCE_CLASS (klass)->make_quantity = make_quantity;
}

static void
hl_residual_source_init (HlResidualSource *self)
{
}

static gboolean
can (HlAttention *attention)
{
  /* An encoder and a decoder may have read the same text. */
  return hl_attention_get_kind (attention) != HL_ATTENTION_CROSS && hl_attention_has_same_tokens (attention);
}

static HlAttentionSource *
make (HlAttention       *attention,
      HlAttentionSource *weights)
{
  return hl_derived_source_derive (g_object_new (HL_TYPE_RESIDUAL_SOURCE, NULL), weights);
}

const HlQuantityClass hl_quantity_residual = {
  .label = N_ ("With Residual"),
  .sentence = N_ ("What a token takes in beside what it keeps by the residual connection: A + I, rows sum to 1"),
  .needs = N_ ("queries and keys that are the same tokens"),
  .can = can,
  .make = make,
};
