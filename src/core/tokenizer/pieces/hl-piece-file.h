/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * HlPieceType:
 * @HL_PIECE_NORMAL: what texts are cut into
 * @HL_PIECE_UNKNOWN: what stands for the rest
 * @HL_PIECE_CONTROL: what stands for no text
 * @HL_PIECE_USER_DEFINED: what is looked for as it is
 * @HL_PIECE_UNUSED: what texts are not cut into
 * @HL_PIECE_BYTE: what stands for a byte
 *
 * What an entry of a SentencePiece vocabulary is; the numbers are those of the files.
 */
typedef enum {
  HL_PIECE_NORMAL = 1,
  HL_PIECE_UNKNOWN,
  HL_PIECE_CONTROL,
  HL_PIECE_USER_DEFINED,
  HL_PIECE_UNUSED,
  HL_PIECE_BYTE,
} HlPieceType;

/**
 * HlPieceEntry:
 * @text: (array length=length): its spelling, valid UTF-8, within the file
 * @length: bytes of it
 * @score: how likely it is, or how early it is merged
 * @type: what it is
 *
 * An entry of a SentencePiece vocabulary.
 */
typedef struct
{
  const char *text;
  gsize       length;
  float       score;
  HlPieceType type;
} HlPieceEntry;

/**
 * HlPieceModel:
 * @HL_PIECE_MODEL_UNIGRAM: the most likely way to cut a text
 * @HL_PIECE_MODEL_BPE: merges by scores
 *
 * How a text is cut.
 */
typedef enum {
  HL_PIECE_MODEL_UNIGRAM = 1,
  HL_PIECE_MODEL_BPE,
} HlPieceModel;

/**
 * HlPieceFile:
 * @pieces: (element-type HlPieceEntry): the vocabulary
 * @model: how a text is cut
 * @byte_fallback: whether what is unknown becomes bytes
 * @splits_spaces: whether no piece goes on behind a space
 * @dummy_prefix: whether a space is put before a text
 * @fewer_spaces: whether spaces at the ends, and more than one together, are left out
 * @charsmap: (nullable) (array length=charsmap_size): the table of replacements
 * @charsmap_size: bytes of it
 *
 * A model of SentencePiece, as `tokenizer.model` or `spiece.model` holds it: Kudo and Richardson 2018.
 */
typedef struct
{
  /*< private >*/
  char *bytes;
  /*< public >*/
  GArray       *pieces;
  HlPieceModel  model;
  gboolean      byte_fallback;
  gboolean      splits_spaces;
  gboolean      dummy_prefix;
  gboolean      fewer_spaces;
  const guint8 *charsmap;
  gsize         charsmap_size;
} HlPieceFile;

HlPieceFile *hl_piece_file_load  (GFile        *file,
                                  GError      **error);
HlPieceFile *hl_piece_file_parse (char         *bytes,
                                  gsize         size,
                                  GError      **error);
void         hl_piece_file_free  (HlPieceFile  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlPieceFile, hl_piece_file_free)

G_END_DECLS
