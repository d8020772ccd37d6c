/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

/**
 * hl_layout_token_names:
 *
 * What data/dump-format.md calls lists of tokens; ends with %NULL.
 */
extern const char *const hl_layout_token_names[];

char     *hl_layout_names_find         (char          **members,
                                        HlAttentionKind kind);
char     *hl_layout_names_find_tokens  (char          **members,
                                        const char     *name);
gboolean  hl_layout_names_are_tokens   (const char     *member);
gboolean  hl_layout_names_are_no_tokens (const char    *member);
gboolean  hl_layout_names_is_attention (const char     *name);
int       hl_layout_names_rate         (const char     *pattern);
gboolean  hl_layout_names_are_layers   (const char     *pattern);
gboolean  hl_layout_names_are_examples (const char     *pattern);
gboolean  hl_layout_names_are_heads    (const char     *name);
gboolean  hl_layout_names_are_weights  (const char     *member);

G_END_DECLS
