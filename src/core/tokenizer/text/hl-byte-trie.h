/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HL_TRIE_NO_VALUE:
 *
 * What a node has that no key ends at.
 */
#define HL_TRIE_NO_VALUE G_MAXUINT32

/**
 * HlTrieKey:
 * @bytes: the key; need not be terminated
 * @length: its bytes
 * @value: what it leads to; of equal keys the largest
 *
 * A key of a trie.
 */
typedef struct
{
  const char *bytes;
  guint32     length;
  guint32     value;
} HlTrieKey;

/**
 * HlTrieNode:
 * @first: its first child; children lie side by side, by their bytes
 * @n_children: how many
 * @byte: what leads to it
 * @value: what a key that ends here leads to
 *
 * A node.
 */
typedef struct
{
  guint32 first;
  guint16 n_children;
  guint8  byte;
  guint32 value;
} HlTrieNode;

/**
 * HlByteTrie:
 * @nodes: the nodes; the root is the first
 *
 * Keys arranged by their first bytes. Immutable.
 */
typedef struct
{
  HlTrieNode *nodes;
} HlByteTrie;

HlByteTrie *hl_byte_trie_new  (HlTrieKey   *keys,
                               gsize        n_keys,
                               GError     **error);
void        hl_byte_trie_free (HlByteTrie  *self);

/**
 * hl_byte_trie_step:
 * @self: a trie
 * @node: a node, 0 for the root
 * @byte: the next byte
 *
 * Returns: the node it leads to, 0 for none
 */
static inline guint32
hl_byte_trie_step (const HlByteTrie *self,
                   guint32           node,
                   guint8            byte)
{
  guint32 low = self->nodes[node].first;
  guint32 n = self->nodes[node].n_children;

  while (n > 0)
    {
      const guint32 half = n / 2;
      const guint8 middle = self->nodes[low + half].byte;
      if (middle == byte)
        return low + half;
      if (middle < byte)
        {
          low += half + 1;
          n -= half + 1;
        }
      else
        {
          n = half;
        }
    }
  return 0;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlByteTrie, hl_byte_trie_free)

G_END_DECLS
