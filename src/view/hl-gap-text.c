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

static gboolean
is_left_out (HlAttention *attention,
             guint        layer)
{
  return layer < hl_attention_get_n_layers (attention) && hl_attention_get_rule (attention, layer)->left_out;
}

/* Why there are no heads in a layer; in the middle of a line. */
const char *
hl_gap_text_get (HlAttention *attention,
                 guint        layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), NULL);

  return is_left_out (attention, layer) ? _ ("not captured") : _ ("no attention in this layer");
}

/* The same as a line of its own. */
const char *
hl_gap_text_get_hint (HlAttention *attention,
                      guint        layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), NULL);

  return is_left_out (attention, layer) ? _ ("This layer was not captured") : _ ("No attention in this layer");
}
