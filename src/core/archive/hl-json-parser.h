/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive-node.h"
#include "core/archive/hl-json-array.h"
#include "core/archive/hl-json-lexer.h"
#include "core/base/hl-progress.h"

G_BEGIN_DECLS

HlArchiveNode *hl_json_parse        (const char    *text,
                                     gsize          size,
                                     HlProgress    *progress,
                                     GCancellable  *cancellable,
                                     GError       **error);
HlArchiveNode *hl_json_parse_object (HlJsonLexer   *lexer,
                                     HlJsonBudget  *budget,
                                     GError       **error);

G_END_DECLS
