/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/gguf/hl-gguf-archive.h"
#include "core/tokenizer/hl-tokenizer.h"

G_BEGIN_DECLS

HlTokenizer *hl_tokenizer_new_from_gguf (HlGgufArchive  *archive,
                                         GError        **error);
HlTokenizer *hl_tokenizer_open          (GFile          *file,
                                         GError        **error);

G_END_DECLS
