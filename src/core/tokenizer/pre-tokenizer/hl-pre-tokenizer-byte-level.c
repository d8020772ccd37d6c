/* SPDX-License-Identifier: MIT */
/* How GPT-2 and its kin cut text, and write its bytes as visible characters. */
#include "core/tokenizer/pre-tokenizer/hl-pre-tokenizer.h"

#include "core/tokenizer/text/hl-byte-level.h"
#include "core/tokenizer/text/hl-pattern.h"

typedef struct
{
  HlPreTokenizer parent;
  gboolean       add_prefix_space;
  HlPattern     *pattern; /* NULL: pieces stay whole */
} ByteLevel;

static void
byte_level_free (HlPreTokenizer *self)
{
  g_clear_pointer (&((ByteLevel *) self)->pattern, hl_pattern_free);
  g_free (self);
}

static HlPreTokenizer *
byte_level_load (HlJsonValue   config,
                 guint         depth,
                 GError      **error)
{
  gboolean add_prefix_space = TRUE, use_regex = TRUE;
  HlPattern *pattern = NULL;

  if (!hl_json_get_boolean (config, "add_prefix_space", &add_prefix_space, error) ||
      !hl_json_get_boolean (config, "use_regex", &use_regex, error))
    return NULL;
  if (use_regex)
    {
      pattern = hl_pattern_new_regex (HL_BYTE_LEVEL_REGEX, error);
      if (pattern == NULL)
        return NULL;
    }
  ByteLevel *self = g_new0 (ByteLevel, 1);
  self->add_prefix_space = add_prefix_space;
  self->pattern = pattern;
  return &self->parent;
}

static void
add_prefix_spaces (HlPieces *pieces)
{
  HlPieces spaced;

  hl_pieces_init (&spaced);
  for (guint i = 0; i < pieces->pieces->len; i++)
    {
      const HlPiece *piece = &g_array_index (pieces->pieces, HlPiece, i);
      const gsize start = spaced.text.length;
      if (piece->token == HL_NO_TOKEN && pieces->text.bytes[piece->start] != ' ')
        hl_aligned_append (&spaced.text, " ", 1, pieces->text.spans[piece->start]);
      hl_aligned_append_part (&spaced.text, &pieces->text, piece->start, piece->end);
      hl_pieces_add (&spaced, start, spaced.text.length, piece->token, piece->origin);
    }
  hl_pieces_clear (pieces);
  *pieces = spaced;
}

static gboolean
find_pattern (const char  *text,
              gsize        length,
              GArray      *matches,
              gpointer     data,
              GError     **error)
{
  return hl_pattern_find (data, text, length, FALSE, matches, error);
}

static gboolean
byte_level_apply (const HlPreTokenizer  *self,
                  HlPieces              *pieces,
                  GError               **error)
{
  const ByteLevel *byte_level = (const ByteLevel *) self;
  HlPieces bytes;

  if (byte_level->add_prefix_space)
    add_prefix_spaces (pieces);
  if (byte_level->pattern != NULL &&
      !hl_pieces_split (pieces, find_pattern, byte_level->pattern, HL_SPLIT_ISOLATED, error))
    return FALSE;

  hl_pieces_init (&bytes);
  for (guint i = 0; i < pieces->pieces->len; i++)
    {
      const HlPiece *piece = &g_array_index (pieces->pieces, HlPiece, i);
      const gsize start = bytes.text.length;
      if (piece->token == HL_NO_TOKEN)
        hl_byte_level_append (&bytes.text, &pieces->text, piece->start, piece->end);
      else
        hl_aligned_append_part (&bytes.text, &pieces->text, piece->start, piece->end);
      hl_pieces_add (&bytes, start, bytes.text.length, piece->token, piece->origin);
    }
  bytes.text.overflow |= pieces->text.overflow;
  hl_pieces_clear (pieces);
  *pieces = bytes;
  return TRUE;
}

const HlPreTokenizerClass hl_byte_level_pre_tokenizer = { "ByteLevel", byte_level_load, byte_level_apply,
                                                          byte_level_free };
