/* SPDX-License-Identifier: MIT */
#include "view/shown/hl-shown-mask.h"

/* Those of the layers whose heads are seen together, the nth of them; NULL behind the last. */
static const HlMask *
get_mask (const HlShown *self,
          guint          nth)
{
  const guint n_others = hl_view_kind_get_traits (self->options.view)->mixes_layers ? self->n_others : 0;

  if (nth < n_others)
    return hl_attention_source_get_mask (self->source, self->others[nth].layer);
  return nth == n_others && (n_others == 0 || hl_head_set_count (&self->heads) > 0)
           ? hl_attention_source_get_mask (self->source, self->layer)
           : NULL;
}

/* Whether the rule of some head that is seen lets the query see the key. */
gboolean
hl_shown_is_visible (const HlShown *self,
                     gsize          query,
                     gsize          key)
{
  const gsize n_queries = hl_attention_source_get_n (self->source, HL_QUERIES);
  const gsize n_keys = hl_attention_source_get_n (self->source, HL_KEYS);
  const HlMask *mask;

  for (guint i = 0; (mask = get_mask (self, i)) != NULL; i++)
    if (hl_mask_is_visible (mask, n_queries, n_keys, query, key))
      return TRUE;
  return FALSE;
}

/* Whether a weight, or a mean over these heads, is the 0 of a single cell that none of them sees. */
gboolean
hl_shown_is_masked_weight (const HlShown *self,
                           float          weight)
{
  const HlMask *mask;

  for (guint i = 0; (mask = get_mask (self, i)) != NULL; i++)
    if (hl_weight_is_masked (mask, weight))
      return TRUE;
  return FALSE;
}
