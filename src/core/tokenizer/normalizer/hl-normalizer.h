/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/json/hl-json-tree.h"
#include "core/tokenizer/text/hl-aligned.h"

G_BEGIN_DECLS

typedef struct _HlNormalizer HlNormalizer;

/**
 * HlNormalizerClass:
 * @type: its name in tokenizer files
 * @load: reads its settings; @depth is how many sequences it is in
 * @apply: rewrites a text in place
 * @free: frees it
 *
 * A kind of normalizer.
 */
typedef struct
{
  const char *type;
  HlNormalizer *(*load) (HlJsonValue   config,
                         guint         depth,
                         GError      **error);
  gboolean (*apply) (const HlNormalizer  *self,
                     HlAligned           *text,
                     GError             **error);
  void (*free) (HlNormalizer *self);
} HlNormalizerClass;

/**
 * HlNormalizer:
 * @klass: what it is
 * @n_steps: how many it is with those in it, as a file has them
 *
 * Rewrites text before it is cut. Immutable. What each one needs follows in its own structure.
 */
struct _HlNormalizer
{
  const HlNormalizerClass *klass;
  guint n_steps;
};

HlNormalizer *hl_normalizer_load            (HlJsonValue          config,
                                             guint                depth,
                                             GError             **error);
HlNormalizer *hl_normalizer_new_sequence    (HlNormalizer        *first,
                                             HlNormalizer        *second);
HlNormalizer *hl_normalizer_new_precompiled (const guint8        *table,
                                             gsize                size,
                                             GError             **error);
gboolean      hl_normalizer_apply           (const HlNormalizer  *self,
                                             HlAligned           *text,
                                             GError             **error);
void          hl_normalizer_free            (HlNormalizer        *self);

extern const HlNormalizerClass hl_precompiled_normalizer;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlNormalizer, hl_normalizer_free)

G_END_DECLS
