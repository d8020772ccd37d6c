/* SPDX-License-Identifier: MIT */
/* A trie in one array, level by level, twelve bytes a node. */
#include "core/tokenizer/text/hl-byte-trie.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

/* The sorted keys below a node. */
typedef struct
{
  guint32 low;
  guint32 high;
  guint32 depth;
} Range;

static int
compare_keys (const void *a,
              const void *b)
{
  const HlTrieKey *x = a, *y = b;
  const int order = memcmp (x->bytes, y->bytes, MIN (x->length, y->length));

  if (order != 0)
    return order;
  if (x->length != y->length)
    return x->length < y->length ? -1 : 1;
  return x->value < y->value ? -1 : x->value > y->value;
}

/* The children of a node, and what is below them. */
static void
add_children (GArray          *nodes,
              GArray          *below,
              const HlTrieKey *keys,
              Range            range,
              guint            at)
{
  guint32 low = range.low;

  while (low < range.high && keys[low].length == range.depth)
    g_array_index (nodes, HlTrieNode, at).value = keys[low++].value;
  g_array_index (nodes, HlTrieNode, at).first = nodes->len;
  while (low < range.high)
    {
      const guint8 byte = (guint8) keys[low].bytes[range.depth];
      guint32 end = low + 1;
      while (end < range.high && (guint8) keys[end].bytes[range.depth] == byte)
        end++;
      const HlTrieNode child = { .byte = byte, .value = HL_TRIE_NO_VALUE };
      const Range keys_below = { low, end, range.depth + 1 };
      g_array_append_val (nodes, child);
      g_array_append_val (below, keys_below);
      g_array_index (nodes, HlTrieNode, at).n_children++;
      low = end;
    }
}

/* Returns %NULL with %HL_ERROR_TOO_LARGE if the keys have too many different beginnings. */
HlByteTrie *
hl_byte_trie_new (HlTrieKey *keys,
                  gsize      n_keys,
                  GError   **error)
{
  g_autoptr (GArray) level = g_array_new (FALSE, FALSE, sizeof (Range));
  g_autoptr (GArray) below = g_array_new (FALSE, FALSE, sizeof (Range));
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (HlTrieNode));
  const HlTrieNode root = { .value = HL_TRIE_NO_VALUE };
  const Range all = { 0, (guint32) n_keys, 0 };
  guint at = 0;

  if (n_keys > 0)
    qsort (keys, n_keys, sizeof (HlTrieKey), compare_keys);
  g_array_append_val (nodes, root);
  g_array_append_val (level, all);
  while (level->len > 0)
    {
      if (nodes->len > HL_LIMIT_BEGINNINGS)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the tokens have more than %d different beginnings"),
                       HL_LIMIT_BEGINNINGS);
          return NULL;
        }
      for (guint i = 0; i < level->len; i++)
        add_children (nodes, below, keys, g_array_index (level, Range, i), at++);
      GArray *done = level;
      level = below;
      below = done;
      g_array_set_size (below, 0);
    }
  HlByteTrie *self = g_new0 (HlByteTrie, 1);
  self->nodes = (HlTrieNode *) (gpointer) g_array_free (g_steal_pointer (&nodes), FALSE);
  return self;
}

void
hl_byte_trie_free (HlByteTrie *self)
{
  g_free (self->nodes);
  g_free (self);
}
