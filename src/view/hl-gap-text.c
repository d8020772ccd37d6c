/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "view/hl-gap-text.h"

#include <glib/gi18n-lib.h>

/* “18 layers without an attention map”, of a model whose layers do not all have attention; %NULL when all have. */
char *
hl_gap_text_new (HlAttention *attention)
{
  guint n = 0;

  g_return_val_if_fail (HL_IS_ATTENTION (attention), NULL);

  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    if (hl_attention_get_n_heads (attention, layer) == 0)
      n++;
  if (n == 0)
    return NULL;
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u layer without an attention map",
                                       "%u layers without an attention map", n),
                          n);
}
