/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/tokenizer/hl-added-tokens.h"
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

/**
 * HlPieceOptions:
 * @more: (nullable): tokens that were added later
 * @begin: whether a text begins with what its family begins texts with; asked of families that only begin them
 * @end: whether it ends with what ends texts; likewise
 *
 * What files beside a model of SentencePiece say.
 */
typedef struct
{
  const HlMoreTokens *more;
  gboolean            begin;
  gboolean            end;
} HlPieceOptions;

const HlPieceKind *hl_piece_kind_find       (const char         *name);
HlTokenizer       *hl_tokenizer_new_from_pieces (const HlPieceFile    *file,
                                                 const HlPieceKind    *kind,
                                                 const HlPieceOptions *options,
                                                 GError              **error);
HlTokenizer       *hl_tokenizer_load_pieces (GFile              *file,
                                             GError            **error);

G_END_DECLS
