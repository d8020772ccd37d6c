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
 * HlPiecePrefix:
 * @HL_PIECE_PREFIX_MODEL: before each text between added tokens, if the model says so
 * @HL_PIECE_PREFIX_FIRST: likewise, but only before what the whole text begins with, and before nothing that begins with a space
 * @HL_PIECE_PREFIX_ALWAYS: likewise, before each text between added tokens that does not begin with one
 * @HL_PIECE_PREFIX_NEVER: nowhere
 *
 * Where a space is put before texts.
 */
typedef enum
{
  HL_PIECE_PREFIX_MODEL,
  HL_PIECE_PREFIX_FIRST,
  HL_PIECE_PREFIX_ALWAYS,
  HL_PIECE_PREFIX_NEVER,
} HlPiecePrefix;

/**
 * HlPieceOptions:
 * @more: (nullable): tokens that were added later
 * @begin: whether a text begins with what its family begins texts with; asked of families that only begin them
 * @end: whether it ends with what ends texts; likewise
 * @lower: whether capitals become small letters
 * @keep_accents: whether accents stay; asked of families that leave them out
 * @split_punctuation: whether no piece goes on behind a punctuation mark; only with %HL_PIECE_PREFIX_ALWAYS
 * @prefix: where a space is put before texts
 *
 * What files beside a model of SentencePiece say.
 */
typedef struct
{
  const HlMoreTokens *more;
  gboolean            begin;
  gboolean            end;
  gboolean            lower;
  gboolean            keep_accents;
  gboolean            split_punctuation;
  HlPiecePrefix       prefix;
} HlPieceOptions;

const HlPieceKind *hl_piece_kind_find       (const char         *name);
HlTokenizer       *hl_tokenizer_new_from_pieces (const HlPieceFile    *file,
                                                 const HlPieceKind    *kind,
                                                 const HlPieceOptions *options,
                                                 GError              **error);
HlTokenizer       *hl_tokenizer_load_pieces (GFile              *file,
                                             GError            **error);

G_END_DECLS
