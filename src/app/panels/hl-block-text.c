/* SPDX-License-Identifier: MIT */
/* A block of attention in words: how large it is, how its numbers are kept, what is special about it. */
#include "app/panels/hl-block-text.h"

#include <glib/gi18n.h>

/* "12", or "4–12" when layers differ. */
static char *
format_heads (HlBlock *block)
{
  const guint most = hl_block_get_max_heads (block);
  guint fewest = most;

  for (guint layer = 0; layer < hl_block_get_n_layers (block); layer++)
    fewest = MIN (fewest, hl_block_get_n_heads (block, layer));
  return fewest == most ? g_strdup_printf ("%u", most) : g_strdup_printf ("%u–%u", fewest, most);
}

/**
 * hl_block_text_sizes:
 * @block: a block
 *
 * Returns: (transfer full): "6 layers × 12 heads × 16 queries × 16 keys", translated
 */
char *
hl_block_text_sizes (HlBlock *block)
{
  g_return_val_if_fail (HL_IS_BLOCK (block), NULL);

  const guint n_layers = hl_block_get_n_layers (block);
  const guint n_queries = (guint) hl_block_get_n_queries (block);
  const guint n_keys = (guint) hl_block_get_n_keys (block);
  g_autofree char *n_heads = format_heads (block);
  g_autofree char *layers =
    g_strdup_printf (ngettext ("%u layer", "%u layers", n_layers), n_layers);
  /* Translators: %s is a number, or a range of numbers when layers differ. */
  g_autofree char *heads =
    g_strdup_printf (ngettext ("%s head", "%s heads", hl_block_get_max_heads (block)), n_heads);
  g_autofree char *queries =
    g_strdup_printf (ngettext ("%u query", "%u queries", n_queries), n_queries);
  g_autofree char *keys = g_strdup_printf (ngettext ("%u key", "%u keys", n_keys), n_keys);

  return g_strdup_printf ("%s × %s × %s × %s", layers, heads, queries, keys);
}

static void
append_padding (GString *text,
                HlBlock *block)
{
  const guint n_queries = (guint) hl_block_get_n_queries (block);
  const guint n_keys = (guint) hl_block_get_n_keys (block);
  const guint n_used_queries = (guint) hl_block_get_n_used_queries (block);
  const guint n_used_keys = (guint) hl_block_get_n_used_keys (block);

  if (n_used_queries < n_queries)
    {
      g_string_append (text, " · ");
      g_string_append_printf (text, _ ("%u queries without padding"), n_used_queries);
    }
  if (n_used_keys < n_keys)
    {
      g_string_append (text, " · ");
      g_string_append_printf (text, _ ("%u keys without padding"), n_used_keys);
    }
}

static void
append_tokens (GString *text,
               HlBlock *block)
{
  const gboolean has_queries = hl_block_has_query_tokens (block);
  const gboolean has_keys = hl_block_has_key_tokens (block);

  g_string_append (text, " · ");
  if (has_queries && has_keys)
    g_string_append (text, _ ("with tokens"));
  else if (has_queries)
    g_string_append (text, _ ("tokens of queries only"));
  else if (has_keys)
    g_string_append (text, _ ("tokens of keys only"));
  else
    g_string_append (text, _ ("without tokens"));
}

/* Layers may differ in how far they see. */
static void
append_mask (GString *text,
             HlBlock *block)
{
  const HlMask *mask = &hl_block_get_rule (block, 0)->mask;
  guint64 window = mask->window;
  gboolean in_all = TRUE;

  for (guint layer = 1; layer < hl_block_get_n_layers (block); layer++)
    {
      const HlMask *other = &hl_block_get_rule (block, layer)->mask;
      in_all &= other->window == mask->window;
      window = MAX (window, other->window);
    }
  if (mask->causal)
    {
      g_string_append (text, " · ");
      g_string_append (text, _ ("causal"));
    }
  if (window > 0)
    {
      g_string_append (text, " · ");
      /* To both sides, the query's own place counts once. */
      g_string_append_printf (text, in_all ? _ ("window of %u keys") : _ ("window of %u keys in some layers"),
                              (guint) (mask->causal ? window : 2 * window - 1));
    }
}

/**
 * hl_block_text_traits:
 * @block: a block
 *
 * Returns: (transfer full): "float16 · with tokens · causal", translated
 */
char *
hl_block_text_traits (HlBlock *block)
{
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (HL_IS_BLOCK (block), NULL);

  g_string_append (text, hl_dtype_get_name (hl_block_get_dtype (block)));
  append_tokens (text, block);
  if (hl_block_get_weights (block, 0) == NULL)
    {
      g_string_append (text, " · ");
      g_string_append (text, _ ("computed from queries and keys"));
    }
  append_mask (text, block);
  append_padding (text, block);
  return g_string_free (text, FALSE);
}
