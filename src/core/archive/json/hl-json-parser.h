/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-tree-archive.h"
#include "core/archive/json/hl-json-array.h"
#include "core/json/hl-json-lexer.h"

G_BEGIN_DECLS

HlArchiveNode *hl_json_parse       (HlJsonLexer   *lexer,
                                    const char    *name,
                                    GError       **error);
HlArchiveNode *hl_json_parse_value (HlJsonLexer   *lexer,
                                    HlJsonBudget  *budget,
                                    const char    *name,
                                    GError       **error);

G_END_DECLS
