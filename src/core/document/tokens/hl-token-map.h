/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlTokenSpan:
 * @first: the first token
 * @n: how many; 0 for what is no token of this text but stands before @first among them
 *
 * Tokens that stand side by side and are shown as one.
 */
typedef struct
{
  gsize first;
  gsize n;
} HlTokenSpan;

/**
 * HlTokenMap:
 *
 * Which tokens of a text are shown, and which of them as one: spans in rising order that do not overlap. Immutable,
 * counted references, any thread.
 */
typedef struct _HlTokenMap HlTokenMap;

HlTokenMap        *hl_token_map_new_each     (gsize              n_tokens);
HlTokenMap        *hl_token_map_new_spans    (gsize              n_tokens,
                                              const HlTokenSpan *spans,
                                              gsize              n);
HlTokenMap        *hl_token_map_hide         (HlTokenMap        *self,
                                              const guint8      *hidden);
HlTokenMap        *hl_token_map_ref          (HlTokenMap        *self);
void               hl_token_map_unref        (HlTokenMap        *self);
gsize              hl_token_map_get_n_tokens (const HlTokenMap  *self);
gsize              hl_token_map_get_n        (const HlTokenMap  *self);
const HlTokenSpan *hl_token_map_get_spans    (const HlTokenMap  *self);
gboolean           hl_token_map_is_trivial   (const HlTokenMap  *self);
gboolean           hl_token_map_equal        (const HlTokenMap  *a,
                                              const HlTokenMap  *b);
gboolean           hl_token_map_find         (const HlTokenMap  *self,
                                              gsize              token,
                                              gsize             *index);
gsize              hl_token_map_count_before (const HlTokenMap  *self,
                                              gsize              token);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlTokenMap, hl_token_map_unref)

G_END_DECLS
