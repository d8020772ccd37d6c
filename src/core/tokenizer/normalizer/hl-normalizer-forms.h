/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/tokenizer/text/hl-aligned.h"

G_BEGIN_DECLS

void hl_normalize_form (HlAligned *text,
                        gboolean   compatibility,
                        gboolean   compose);

G_END_DECLS
