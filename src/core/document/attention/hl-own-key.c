/* SPDX-License-Identifier: MIT */
/* Whether queries stand beside themselves among keys, where tokens were left out or put together, or are those of another text. */
#include "core/document/attention/hl-own-key.h"

#include "core/document/attention/hl-attention-text.h"

static HlTokenSpan
get_span (HlAttention *self,
          HlSide       side,
          gsize        index)
{
  HlTokenMap *map = hl_attention_get_map (self, side);

  return map != NULL ? hl_token_map_get_spans (map)[index] : (HlTokenSpan){ index, 1 };
}

/* A token that is spelt otherwise is another; words may be spelt by the tokens around them, padding anyhow, and what is not known by its
 * position. */
static gboolean
may_be_same (HlAttention *self,
             gsize        query,
             gsize        key)
{
  if (query >= hl_attention_get_n_used (self, HL_QUERIES) || key >= hl_attention_get_n_used (self, HL_KEYS) ||
      get_span (self, HL_QUERIES, query).n != 1 || get_span (self, HL_KEYS, key).n != 1 ||
      !hl_attention_knows_token (self, HL_QUERIES, query) || !hl_attention_knows_token (self, HL_KEYS, key))
    return TRUE;
  return g_str_equal (hl_attention_get_tokens (self, HL_QUERIES)[query], hl_attention_get_tokens (self, HL_KEYS)[key]);
}

/**
 * hl_attention_has_own_keys: (skip)
 * @self: an attention, not transposed
 * @mask: the rule of its maps
 *
 * As many queries as keys may be left of a text without being the same tokens, and a document may have other queries than keys.
 *
 * Returns: whether at the position of each query, see hl_mask_get_position(), stands the key that is the same token, or the word
 *   that it is part of. Of an attention of a document, whose tokens are all there, it is taken for granted where the tokens of
 *   either side are not known
 */
gboolean
hl_attention_has_own_keys (HlAttention  *self,
                           const HlMask *mask)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), FALSE);

  const gsize n_queries = hl_attention_get_n (self, HL_QUERIES), n_keys = hl_attention_get_n (self, HL_KEYS);
  const gsize query_tokens = hl_attention_count_tokens (self, HL_QUERIES),
              key_tokens = hl_attention_count_tokens (self, HL_KEYS);
  const gboolean is_whole = hl_attention_get_map (self, HL_QUERIES) == NULL &&
                            hl_attention_get_map (self, HL_KEYS) == NULL;

  for (gsize i = 0; i < n_queries; i++)
    {
      const HlTokenSpan query = get_span (self, HL_QUERIES, i);
      const gint64 index = hl_mask_get_position (mask, n_queries, n_keys, i);
      const gint64 token = hl_mask_get_position (mask, query_tokens, key_tokens, query.first);

      if (index < 0 || index >= (gint64) n_keys)
        {
          if (!is_whole)
            return FALSE;
          continue;
        }
      const HlTokenSpan key = get_span (self, HL_KEYS, (gsize) index);
      if (token < (gint64) key.first || token + (gint64) query.n > (gint64) (key.first + key.n) ||
          !may_be_same (self, i, (gsize) index))
        return FALSE;
    }
  return TRUE;
}
