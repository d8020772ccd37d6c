/* SPDX-License-Identifier: MIT */
/* What sources share that make their numbers of those of another. */
#pragma once

#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

#define HL_TYPE_DERIVED_SOURCE (hl_derived_source_get_type ())
G_DECLARE_DERIVABLE_TYPE (HlDerivedSource, hl_derived_source, HL, DERIVED_SOURCE, GObject)

/**
 * HlDerivedSourceClass:
 * @make_quantity: (nullable): what the numbers are, translated; free with g_free(). Without it, what those of @origin are
 * @make_mask: (nullable): which keys a query of @layer cannot see. Without it, those that it cannot see in @origin
 * @make_masks: (nullable): likewise those of all layers, in place of @make_mask where one follows from those before it
 *
 * A source that keeps another, its origin, and answers as that does. Who derives implements #HlAttentionSource anew, and sets of it only what
 * differs: `read_rows` always. All else is the origin's but `read`, which would answer with the origin's numbers.
 */
struct _HlDerivedSourceClass
{
  GObjectClass parent_class;

  char   *(*make_quantity) (HlDerivedSource   *self,
                            HlAttentionSource *origin);
  HlMask  (*make_mask)     (HlDerivedSource   *self,
                            HlAttentionSource *origin,
                            guint              layer);
  void    (*make_masks)    (HlDerivedSource   *self,
                            HlAttentionSource *origin,
                            HlMask            *masks);
};

HlAttentionSource *hl_derived_source_get_origin (HlDerivedSource   *self);

/* For those who derive. */
HlAttentionSource *hl_derived_source_derive     (gpointer           self,
                                                 HlAttentionSource *origin);

/**
 * HlChangeRow:
 * @row: (inout): [n_keys] all weights of a query
 * @n_keys: keys of the source
 * @query: which query
 * @data: what the caller gave
 *
 * Makes of a source's row what another source has in its place.
 */
typedef void (*HlChangeRow) (float    *row,
                             gsize     n_keys,
                             gsize     query,
                             gpointer  data);

gboolean hl_whole_rows_read (HlAttentionSource         *source,
                             const HlAttentionRequest  *request,
                             HlChangeRow                change_row,
                             gpointer                   data,
                             float                     *target,
                             GCancellable              *cancellable,
                             GError                   **error);

G_END_DECLS
