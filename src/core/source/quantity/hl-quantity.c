/* SPDX-License-Identifier: MIT */
/* Which quantity is which, and whether an attention has what it needs. */
#include "core/source/quantity/hl-quantity.h"

#include <glib/gi18n-lib.h>

#include "core/base/hl-error.h"

#define ROW(NAME, nick) &hl_quantity_##nick,
#define NICK(NAME, nick) , G_DEFINE_ENUM_VALUE (HL_QUANTITY_##NAME, #nick)

/* The macro wants its first value apart from the others. */
#define DEFINE(...) G_DEFINE_ENUM_TYPE (HlQuantity, hl_quantity __VA_ARGS__)
DEFINE (HL_QUANTITIES (NICK))

const HlQuantityClass *
hl_quantity_get (HlQuantity self)
{
  static const HlQuantityClass *const quantities[] = { HL_QUANTITIES (ROW) };

  g_return_val_if_fail (self < HL_N_QUANTITIES, NULL);

  return quantities[self];
}

static gboolean
set_lacking (const HlQuantityClass *klass,
             GError               **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("needs %s, which this attention does not have"), _ (klass->needs));
  return FALSE;
}

/* Returns whether the attention has what the quantity is made of. */
gboolean
hl_quantity_check (HlQuantity   self,
                   HlAttention *attention,
                   GError     **error)
{
  const HlQuantityClass *klass = hl_quantity_get (self);

  g_return_val_if_fail (klass != NULL, FALSE);
  g_return_val_if_fail (HL_IS_ATTENTION (attention), FALSE);

  const gsize n = hl_attention_get_n (attention, HL_KEYS);
  if (klass->make != NULL && hl_attention_get_quantity (attention) != NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("is made of weights, and the file holds “%s” in their place"),
                   hl_attention_get_quantity (attention));
      return FALSE;
    }
  if (klass->can != NULL && !klass->can (attention))
    return set_lacking (klass, error);
  for (guint layer = 0; klass->heads == HL_QUANTITY_OF_LAYER && layer < hl_attention_get_n_layers (attention); layer++)
    if (hl_attention_get_n_heads (attention, layer) == 0)
      {
        g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
                     hl_attention_get_rule (attention, layer)->left_out
                       ? _ ("follows attention through all layers, and layer %u was not captured")
                       : _ ("follows attention through all layers, and there is no attention in layer %u"),
                     layer);
        return FALSE;
      }
  if (klass->max_tokens == 0 || n <= klass->max_tokens)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("is made for at most %zu tokens, and there are %zu"),
               klass->max_tokens, n);
  return FALSE;
}

/* Returns whether the attention has what the quantity of a sum of heads is made of. */
gboolean
hl_quantity_check_sum (HlQuantity   self,
                       HlAttention *attention,
                       GError     **error)
{
  const HlQuantityClass *klass = hl_quantity_get (self);

  if (!hl_quantity_check (self, attention, error))
    return FALSE;
  return klass->sum == NULL || klass->can_sum (attention) || set_lacking (klass, error);
}
