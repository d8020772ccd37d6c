/* SPDX-License-Identifier: MIT */
#include "view/pick/hl-repeated.h"

/* Whether another token of its side reads the same. */
gboolean
hl_token_is_repeated (HlAttention *attention,
                      HlSide       side,
                      gsize        index)
{
  const char *const *texts = hl_attention_get_texts (attention, side);
  const gsize n = hl_attention_get_n (attention, side);

  g_return_val_if_fail (index < n, FALSE);

  for (gsize i = 0; i < n; i++)
    if (i != index && g_str_equal (texts[i], texts[index]))
      return TRUE;
  return FALSE;
}
