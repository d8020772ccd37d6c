/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/tokenizer/text/hl-aligned.h"

G_BEGIN_DECLS

/**
 * HL_NO_TOKEN:
 *
 * The id of a piece that is still text.
 */
#define HL_NO_TOKEN G_MAXUINT32

/**
 * HlPiece:
 * @start: first byte of the text
 * @end: one past the last byte
 * @token: the added token that it is, or %HL_NO_TOKEN
 * @origin: where in the user's text it begins
 *
 * A part of a text that is cut into tokens by itself.
 */
typedef struct
{
  gsize   start;
  gsize   end;
  guint32 token;
  guint32 origin;
} HlPiece;

/**
 * HlPieces:
 * @text: the text
 * @pieces: (element-type HlPiece): its parts, in order
 *
 * A text cut into pieces.
 */
typedef struct
{
  HlAligned  text;
  GArray    *pieces;
} HlPieces;

/**
 * HlMatch:
 * @start: first byte
 * @end: one past the last byte
 * @match: whether the pattern matched here; otherwise it is what lies between matches
 *
 * A part of a text that a pattern was searched in. Matches and what lies between cover it in order.
 */
typedef struct
{
  gsize    start;
  gsize    end;
  gboolean match;
} HlMatch;

/**
 * HlSplitBehavior:
 * @HL_SPLIT_REMOVED: matches are left out
 * @HL_SPLIT_ISOLATED: a match is a piece
 * @HL_SPLIT_MERGED_WITH_PREVIOUS: a match belongs to what is before it
 * @HL_SPLIT_MERGED_WITH_NEXT: a match belongs to what follows
 * @HL_SPLIT_CONTIGUOUS: matches side by side are one piece
 *
 * What becomes of matches.
 */
typedef enum
{
  HL_SPLIT_REMOVED,
  HL_SPLIT_ISOLATED,
  HL_SPLIT_MERGED_WITH_PREVIOUS,
  HL_SPLIT_MERGED_WITH_NEXT,
  HL_SPLIT_CONTIGUOUS,
} HlSplitBehavior;

/**
 * HlFindFunc:
 * @text: what to search; not empty
 * @length: its bytes
 * @room: what the text has
 * @matches: (element-type HlMatch): empty; filled so that all of @text is covered
 * @data: for the function
 * @error: why it could not be searched
 *
 * Searches a text.
 *
 * Returns: whether it could
 */
typedef gboolean (*HlFindFunc) (const char  *text,
                                gsize        length,
                                HlTextRoom  *room,
                                GArray      *matches,
                                gpointer     data,
                                GError     **error);

/**
 * HlCharFunc:
 * @c: a character
 * @data: for the function
 *
 * Returns: whether it is one of those looked for
 */
typedef gboolean (*HlCharFunc) (gunichar      c,
                                gconstpointer data);

void     hl_pieces_init      (HlPieces        *self,
                              HlTextRoom      *room);
void     hl_pieces_clear     (HlPieces        *self);
void     hl_pieces_add       (HlPieces        *self,
                              gsize            start,
                              gsize            end,
                              guint32          token,
                              guint32          origin);
void     hl_pieces_add_part  (HlPieces        *self,
                              gsize            start,
                              gsize            end);
gboolean hl_pieces_split     (HlPieces        *self,
                              HlFindFunc       find,
                              gpointer         data,
                              HlSplitBehavior  behavior,
                              GError         **error);
gboolean hl_pieces_split_by  (HlPieces        *self,
                              HlCharFunc       is_match,
                              gconstpointer    data,
                              HlSplitBehavior  behavior,
                              GError         **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlPieces, hl_pieces_clear)

G_END_DECLS
