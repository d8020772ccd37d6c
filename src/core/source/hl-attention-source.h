/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

/**
 * HlRowExtremes:
 * @min: the smallest finite number; ∞ when there is none
 * @min_positive: the smallest number over 0; ∞ when there is none
 * @max: the greatest finite number; −∞ when there is none
 * @n_nan: how many are no numbers
 *
 * What a scale of values must know of a row.
 */
typedef struct
{
  float min;
  float min_positive;
  float max;
  guint n_nan;
} HlRowExtremes;

HlRowExtremes hl_row_extremes_find (const float *row,
                                    gsize        n);

/**
 * HlPooling:
 * @HL_POOLING_MAX: the greatest weight of the cells that fall together: a single strong weight does not vanish. Of numbers that have a sign,
 *   the one farthest from zero
 * @HL_POOLING_MEAN: their mean
 */
typedef enum {
  HL_POOLING_MAX,
  HL_POOLING_MEAN,
} HlPooling;

/**
 * HlAttentionRequest:
 * @layer: which layer
 * @head: which head of it
 * @first_query: the first query
 * @n_queries: how many queries
 * @first_key: the first key
 * @n_keys: how many keys
 * @n_rows: rows of the answer, 1 to @n_queries
 * @n_columns: columns of the answer, 1 to @n_keys
 * @pooling: how cells that fall together become one
 * @marks_masked: whether a weight of 0 that a mask of single cells made is to be −0, see hl_weight_is_masked()
 *
 * The one question that views, exports and analyses ask. Row r of the answer covers the queries from
 * @first_query + ⌊r·n_queries/n_rows⌋ up to where row r + 1 begins; columns likewise. With as many rows and columns as queries and keys, the weights
 * themselves.
 */
typedef struct
{
  guint     layer;
  guint     head;
  gsize     first_query;
  gsize     n_queries;
  gsize     first_key;
  gsize     n_keys;
  gsize     n_rows;
  gsize     n_columns;
  HlPooling pooling;
  gboolean  marks_masked;
} HlAttentionRequest;

HlAttentionRequest hl_attention_request_get_band (const HlAttentionRequest *self,
                                                  gsize                     first,
                                                  gsize                     n);

#define HL_TYPE_ATTENTION_SOURCE (hl_attention_source_get_type ())
G_DECLARE_INTERFACE (HlAttentionSource, hl_attention_source, HL, ATTENTION_SOURCE, GObject)

/**
 * HlAttentionSourceInterface:
 * @get_n_layers: how many layers, at least 1
 * @get_n_heads: how many heads a layer has
 * @get_n: rows of every map, or its columns
 * @get_quantity: what the numbers are, translated, for titles: "attention weight"
 * @get_mask: which keys a query of a layer cannot see
 * @is_signed: (nullable): whether numbers below zero mean something; without it, they do not
 * @read_rows: answers a request of exact weights: as many rows and columns as queries and keys. Called from any thread, also from several at
 *   once.
 * @read: (nullable): answers a pooled request, finds the extremes of each of its queries' rows, or both at once: either place may be %NULL.
 *   Without it rows are read in bands for them
 *
 * Weights of attention, on demand. Immutable. Sources that are made of another derive from #HlDerivedSource.
 */
struct _HlAttentionSourceInterface
{
  GTypeInterface parent_interface;

  guint         (*get_n_layers) (HlAttentionSource         *self);
  guint         (*get_n_heads)  (HlAttentionSource         *self,
                                 guint                      layer);
  gsize         (*get_n)        (HlAttentionSource         *self,
                                 HlSide                     side);
  const char   *(*get_quantity) (HlAttentionSource         *self);
  const HlMask *(*get_mask)     (HlAttentionSource         *self,
                                 guint                      layer);
  gboolean      (*is_signed)    (HlAttentionSource         *self);
  gboolean      (*read_rows)    (HlAttentionSource         *self,
                                 const HlAttentionRequest  *request,
                                 float                     *target,
                                 GCancellable              *cancellable,
                                 GError                   **error);
  gboolean      (*read)         (HlAttentionSource         *self,
                                 const HlAttentionRequest  *request,
                                 float                     *target,
                                 HlRowExtremes             *extremes,
                                 GCancellable              *cancellable,
                                 GError                   **error);
};

guint              hl_attention_source_get_n_layers (HlAttentionSource         *self);
guint              hl_attention_source_get_n_heads  (HlAttentionSource         *self,
                                                     guint                      layer);
gsize              hl_attention_source_get_n        (HlAttentionSource         *self,
                                                     HlSide                     side);
const char        *hl_attention_source_get_quantity (HlAttentionSource         *self);
const HlMask      *hl_attention_source_get_mask     (HlAttentionSource         *self,
                                                     guint                      layer);
gboolean           hl_attention_source_is_signed    (HlAttentionSource         *self);
gboolean           hl_attention_source_read         (HlAttentionSource         *self,
                                                     const HlAttentionRequest  *request,
                                                     float                     *target,
                                                     GCancellable              *cancellable,
                                                     GError                   **error);
gboolean           hl_attention_source_examine      (HlAttentionSource         *self,
                                                     const HlAttentionRequest  *request,
                                                     float                     *target,
                                                     HlRowExtremes             *extremes,
                                                     GCancellable              *cancellable,
                                                     GError                   **error);
gboolean           hl_attention_source_read_bands   (HlAttentionSource         *self,
                                                     const HlAttentionRequest  *request,
                                                     float                     *target,
                                                     HlRowExtremes             *extremes,
                                                     GCancellable              *cancellable,
                                                     GError                   **error);
float             *hl_attention_source_read_head    (HlAttentionSource         *self,
                                                     guint                      layer,
                                                     guint                      head,
                                                     GCancellable              *cancellable,
                                                     GError                   **error);
GBytes            *hl_attention_source_read_head_bytes (HlAttentionSource      *self,
                                                     guint                      layer,
                                                     guint                      head,
                                                     GCancellable              *cancellable,
                                                     GError                   **error);

G_END_DECLS
