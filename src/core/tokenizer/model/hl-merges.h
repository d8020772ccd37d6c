/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/json/hl-json-tree.h"
#include "core/tokenizer/model/hl-vocabulary.h"

G_BEGIN_DECLS

/**
 * HlMerges:
 *
 * Which pairs of tokens byte-pair encoding joins, in which order, and to what. Immutable.
 */
typedef struct _HlMerges HlMerges;

HlMerges *hl_merges_load (HlJsonValue          list,
                          const HlVocabulary  *vocabulary,
                          gsize                prefix_length,
                          GError             **error);
void      hl_merges_free (HlMerges            *self);
gboolean  hl_merges_find (const HlMerges      *self,
                          guint32              left,
                          guint32              right,
                          guint32             *rank,
                          guint32             *joined);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlMerges, hl_merges_free)

G_END_DECLS
