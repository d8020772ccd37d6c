/* SPDX-License-Identifier: MIT */
/* A text in pieces, and how pieces are cut further. The bytes are shared: to cut is to note where. */
#include "core/tokenizer/text/hl-pieces.h"

void
hl_pieces_init (HlPieces   *self,
                HlTextRoom *room)
{
  *self = (HlPieces){ .text = { .room = room }, .pieces = g_array_new (FALSE, FALSE, sizeof (HlPiece)) };
}

void
hl_pieces_clear (HlPieces *self)
{
  hl_aligned_clear (&self->text);
  g_clear_pointer (&self->pieces, g_array_unref);
}

/* Adds a piece, unless it is empty. */
void
hl_pieces_add (HlPieces *self,
               gsize     start,
               gsize     end,
               guint32   token,
               guint32   origin)
{
  const HlPiece piece = { start, end, token, origin };

  if (start < end)
    g_array_append_val (self->pieces, piece);
}

/* Adds a piece of text that begins where its first byte came from, unless it is empty. */
void
hl_pieces_add_part (HlPieces *self,
                    gsize     start,
                    gsize     end)
{
  if (start < end)
    hl_pieces_add (self, start, end, HL_NO_TOKEN, self->text.spans[start].start);
}

static void
add (GArray *ranges,
     HlMatch range)
{
  g_array_append_val (ranges, range);
}

/* Joins matches with what is before them; from the back, with what follows. */
static void
merge (const GArray *matches,
       gboolean      with_next,
       GArray       *ranges)
{
  gboolean previous = FALSE;

  for (guint i = 0; i < matches->len; i++)
    {
      const guint at = with_next ? matches->len - 1 - i : i;
      const HlMatch range = g_array_index (matches, HlMatch, at);
      if (range.match && !previous && ranges->len > 0)
        {
          HlMatch *last = &g_array_index (ranges, HlMatch, ranges->len - 1);
          if (with_next)
            last->start = range.start;
          else
            last->end = range.end;
        }
      else
        {
          add (ranges, range);
        }
      previous = range.match;
    }
}

static void
join_same (const GArray *matches,
           GArray       *ranges)
{
  gboolean previous = FALSE;

  for (guint i = 0; i < matches->len; i++)
    {
      const HlMatch range = g_array_index (matches, HlMatch, i);
      if (range.match == previous && ranges->len > 0)
        g_array_index (ranges, HlMatch, ranges->len - 1).end = range.end;
      else
        add (ranges, range);
      previous = range.match;
    }
}

static void
add_ranges (HlPieces       *self,
            const HlPiece  *piece,
            const GArray   *matches,
            HlSplitBehavior behavior,
            GArray         *scratch)
{
  const GArray *ranges = matches;

  g_array_set_size (scratch, 0);
  if (behavior >= HL_SPLIT_MERGED_WITH_PREVIOUS)
    {
      if (behavior == HL_SPLIT_CONTIGUOUS)
        join_same (matches, scratch);
      else
        merge (matches, behavior == HL_SPLIT_MERGED_WITH_NEXT, scratch);
      ranges = scratch;
    }
  for (guint i = 0; i < ranges->len; i++)
    {
      const guint at = behavior == HL_SPLIT_MERGED_WITH_NEXT ? ranges->len - 1 - i : i;
      const HlMatch *range = &g_array_index (ranges, HlMatch, at);
      if (behavior != HL_SPLIT_REMOVED || !range->match)
        hl_pieces_add_part (self, piece->start + range->start, piece->start + range->end);
    }
}

/* Cuts every piece that is still text. Those that come out empty are left out. */
gboolean
hl_pieces_split (HlPieces       *self,
                 HlFindFunc      find,
                 gpointer        data,
                 HlSplitBehavior behavior,
                 GError        **error)
{
  g_autoptr (GArray) old = g_steal_pointer (&self->pieces);
  g_autoptr (GArray) matches = g_array_new (FALSE, FALSE, sizeof (HlMatch));
  g_autoptr (GArray) scratch = g_array_new (FALSE, FALSE, sizeof (HlMatch));

  self->pieces = g_array_sized_new (FALSE, FALSE, sizeof (HlPiece), old->len * 2);
  for (guint i = 0; i < old->len; i++)
    {
      const HlPiece *piece = &g_array_index (old, HlPiece, i);
      if (piece->token != HL_NO_TOKEN)
        {
          g_array_append_val (self->pieces, *piece);
          continue;
        }
      g_array_set_size (matches, 0);
      if (!find (self->text.bytes + piece->start, piece->end - piece->start, self->text.room, matches, data, error))
        return FALSE;
      add_ranges (self, piece, matches, behavior, scratch);
    }
  return TRUE;
}

typedef struct
{
  HlCharFunc is_match;
  gconstpointer data;
} CharSearch;

static gboolean
find_characters (const char *text,
                 gsize       length,
                 HlTextRoom *room,
                 GArray     *matches,
                 gpointer    data,
                 GError    **error)
{
  const CharSearch *search = data;
  gsize between = 0;

  for (gsize at = 0; at < length;)
    {
      const gsize next = at + (gsize) g_utf8_skip[(guchar) text[at]];
      if (search->is_match (g_utf8_get_char (text + at), search->data))
        {
          if (between < at)
            add (matches, (HlMatch){ between, at, FALSE });
          add (matches, (HlMatch){ at, next, TRUE });
          between = next;
        }
      at = next;
    }
  if (between < length)
    add (matches, (HlMatch){ between, length, FALSE });
  return TRUE;
}

/* Cuts every piece that is still text at single characters. */
gboolean
hl_pieces_split_by (HlPieces       *self,
                    HlCharFunc      is_match,
                    gconstpointer   data,
                    HlSplitBehavior behavior,
                    GError        **error)
{
  CharSearch search = { is_match, data };

  return hl_pieces_split (self, find_characters, &search, behavior, error);
}
