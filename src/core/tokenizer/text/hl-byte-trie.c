/* SPDX-License-Identifier: MIT */
/* A trie in one array, level by level, twelve bytes a node. */
#include "core/tokenizer/text/hl-byte-trie.h"

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

static void
add_children (GArray          *nodes,
              GArray          *ranges,
              const HlTrieKey *keys,
              guint            at)
{
  const Range range = g_array_index (ranges, Range, at);
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
      const Range below = { low, end, range.depth + 1 };
      g_array_append_val (nodes, child);
      g_array_append_val (ranges, below);
      g_array_index (nodes, HlTrieNode, at).n_children++;
      low = end;
    }
}

HlByteTrie *
hl_byte_trie_new (HlTrieKey *keys,
                  gsize      n_keys)
{
  HlByteTrie *self = g_new0 (HlByteTrie, 1);
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (HlTrieNode));
  const HlTrieNode root = { .value = HL_TRIE_NO_VALUE };
  const Range all = { 0, (guint32) n_keys, 0 };

  if (n_keys > 0)
    qsort (keys, n_keys, sizeof (HlTrieKey), compare_keys);
  g_array_append_val (nodes, root);
  g_array_append_val (ranges, all);
  for (guint i = 0; i < nodes->len; i++)
    add_children (nodes, ranges, keys, i);
  self->nodes = (HlTrieNode *) (gpointer) g_array_free (nodes, FALSE);
  return self;
}

void
hl_byte_trie_free (HlByteTrie *self)
{
  g_free (self->nodes);
  g_free (self);
}
