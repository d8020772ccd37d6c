/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-side.h"
#include "core/document/tokens/hl-token-map.h"

G_BEGIN_DECLS

/**
 * HlTokenSet:
 *
 * Some tokens of a text, by their positions. Immutable, counted references; %NULL is the set without any.
 */
typedef struct _HlTokenSet HlTokenSet;

HlTokenSet        *hl_token_set_new_sorted (const gsize       *tokens,
                                            gsize              n);
HlTokenSet        *hl_token_set_unite      (const HlTokenSet  *a,
                                            const HlTokenSet  *b);
HlTokenSet        *hl_token_set_change     (const HlTokenSet  *self,
                                            gsize              first,
                                            gsize              n,
                                            gboolean           contained);
HlTokenSet        *hl_token_set_ref        (HlTokenSet        *self);
void               hl_token_set_unref      (HlTokenSet        *self);
gboolean           hl_token_set_contains   (const HlTokenSet  *self,
                                            gsize              token);
gboolean           hl_token_set_equal      (const HlTokenSet  *a,
                                            const HlTokenSet  *b);
const HlTokenSpan *hl_token_set_get_spans  (const HlTokenSet  *self,
                                            gsize             *n);

char              *hl_token_sets_format    (HlTokenSet *const  sets[2]);
gboolean           hl_token_sets_parse     (const char        *text,
                                            HlTokenSet        *sets[2]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlTokenSet, hl_token_set_unref)

G_END_DECLS
