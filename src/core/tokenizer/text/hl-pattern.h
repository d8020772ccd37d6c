/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/json/hl-json-tree.h"
#include "core/tokenizer/text/hl-pieces.h"

G_BEGIN_DECLS

/**
 * HlPattern:
 *
 * What a text is searched for: a string or a regular expression. Immutable.
 */
typedef struct _HlPattern HlPattern;

HlPattern *hl_pattern_new       (HlJsonValue       config,
                                 GError          **error);
HlPattern *hl_pattern_new_regex (const char       *regex,
                                 GError          **error);
void       hl_pattern_free      (HlPattern        *self);
gboolean   hl_pattern_find      (HlPattern        *self,
                                 const char       *text,
                                 gsize             length,
                                 gboolean          invert,
                                 HlTextRoom       *room,
                                 GArray           *matches,
                                 GError          **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlPattern, hl_pattern_free)

G_END_DECLS
