/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/tokenizer/text/hl-aligned.h"

G_BEGIN_DECLS

/**
 * HL_BYTE_LEVEL_REGEX:
 *
 * How GPT-2 cuts text, as Oniguruma spells it.
 */
#define HL_BYTE_LEVEL_REGEX \
  "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+"

void hl_byte_level_append (HlAligned       *self,
                           const HlAligned *other,
                           gsize            start,
                           gsize            end);

G_END_DECLS
