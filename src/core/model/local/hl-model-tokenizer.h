/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/tokenizer/hl-tokenizer.h"

G_BEGIN_DECLS

HlTokenizer *hl_model_open_tokenizer (GFile   *file,
                                      GError **error);

G_END_DECLS
