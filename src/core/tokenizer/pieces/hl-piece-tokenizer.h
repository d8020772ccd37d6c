/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/tokenizer/hl-tokenizer.h"
#include "core/tokenizer/pieces/hl-piece-file.h"

G_BEGIN_DECLS

/**
 * HlPieceKind:
 *
 * What a family of models makes of a model of SentencePiece: which tokens stand before and behind its own, and around a text. Adding one
 * is a row in the table of hl-piece-tokenizer.c.
 */
typedef struct _HlPieceKind HlPieceKind;

const HlPieceKind *hl_piece_kind_find       (const char         *name);
HlTokenizer       *hl_tokenizer_new_from_pieces (const HlPieceFile *file,
                                                 const HlPieceKind *kind,
                                                 GError           **error);
HlTokenizer       *hl_tokenizer_load_pieces (GFile              *file,
                                             GError            **error);

G_END_DECLS
