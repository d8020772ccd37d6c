/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlTokenStrings:
 *
 * A string for each token of a text: as the tokenizer spells it, or as it is read. Immutable, counted references, any
 * thread: all blocks that show a text share its strings.
 */
typedef struct _HlTokenStrings HlTokenStrings;

HlTokenStrings    *hl_token_strings_new    (char                **strings);
HlTokenStrings    *hl_token_strings_new_of (const char          **strings,
                                            HlTokenStrings       *first,
                                            HlTokenStrings       *second);
HlTokenStrings    *hl_token_strings_ref    (HlTokenStrings       *self);
void               hl_token_strings_unref  (HlTokenStrings       *self);
const char *const *hl_token_strings_get    (const HlTokenStrings *self);
gboolean           hl_token_strings_equal  (const HlTokenStrings *a,
                                            const HlTokenStrings *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlTokenStrings, hl_token_strings_unref)

G_END_DECLS
