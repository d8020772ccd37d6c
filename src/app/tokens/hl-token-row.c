/* SPDX-License-Identifier: MIT */
/* One row of the token panel: a place in its list and nothing else, so that a list of thousands costs nothing until it
 * is scrolled to. */
#include "app/tokens/hl-token-row.h"

#include "draw/text/hl-token-label.h"
#include "view/hl-weight-text.h"

#include <glib/gi18n.h>
#include <math.h>

struct _HlTokenRow
{
  GObject parent_instance;

  HlTokenList *list;
  guint position;
};

G_DEFINE_FINAL_TYPE (HlTokenRow, hl_token_row, G_TYPE_OBJECT)

static void
hl_token_row_finalize (GObject *object)
{
  g_clear_object (&HL_TOKEN_ROW (object)->list);
  G_OBJECT_CLASS (hl_token_row_parent_class)->finalize (object);
}

static void
hl_token_row_class_init (HlTokenRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_token_row_finalize;
}

static void
hl_token_row_init (HlTokenRow *self)
{
}

/**
 * hl_token_row_new:
 * @list: the list
 * @position: the place in it
 *
 * Returns: (transfer full): a row
 */
HlTokenRow *
hl_token_row_new (HlTokenList *list,
                  guint        position)
{
  HlTokenRow *self = g_object_new (HL_TYPE_TOKEN_ROW, NULL);

  g_return_val_if_fail (HL_IS_TOKEN_LIST (list), NULL);

  self->list = g_object_ref (list);
  self->position = position;
  return self;
}

/**
 * hl_token_row_get_list:
 * @self: a row
 *
 * Returns: (transfer none): the list that it is a row of
 */
HlTokenList *
hl_token_row_get_list (HlTokenRow *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_ROW (self), NULL);

  return self->list;
}

/**
 * hl_token_row_get_weight:
 * @self: a row
 *
 * Returns: (transfer none) (nullable): what stands at this place now; %NULL when the list has become shorter
 */
const HlTokenWeight *
hl_token_row_get_weight (HlTokenRow *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_ROW (self), NULL);

  HlTokenWeights *weights = hl_token_list_get_weights (self->list);
  if (weights == NULL || self->position >= hl_token_weights_get_n_rows (weights))
    return NULL;
  return hl_token_weights_get_row (weights, self->position);
}

/**
 * hl_token_row_get_parts:
 * @self: a row
 *
 * Returns: (transfer none) (nullable): the weight in each head, see hl_token_weights_get_parts()
 */
const float *
hl_token_row_get_parts (HlTokenRow *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_ROW (self), NULL);

  return hl_token_row_get_weight (self) != NULL
           ? hl_token_weights_get_parts (hl_token_list_get_weights (self->list), self->position)
           : NULL;
}

/**
 * hl_token_row_dup_token:
 * @self: a row
 *
 * Returns: (transfer full) (nullable): the token at this place, with everything in it made visible, and such that rows
 *   begin on the same side whatever their letters, see hl_token_text_quote()
 */
char *
hl_token_row_dup_token (HlTokenRow *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_ROW (self), NULL);

  const HlTokenWeight *weight = hl_token_row_get_weight (self);
  return weight != NULL
           ? hl_token_text_quote (
               hl_token_weights_get_text (hl_token_list_get_weights (self->list), weight->index))
           : NULL;
}

/**
 * hl_token_row_dup_spelling:
 * @self: a row
 *
 * Returns: (transfer full) (nullable): how the tokenizer spells the token at this place, where it is not read like
 *   that: "flies, spelt “Ġflies”", translated
 */
char *
hl_token_row_dup_spelling (HlTokenRow *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_ROW (self), NULL);

  const HlTokenWeight *weight = hl_token_row_get_weight (self);
  return weight != NULL ? hl_token_weights_dup_spelling (hl_token_list_get_weights (self->list), weight->index) : NULL;
}

/**
 * hl_token_row_is_marked:
 * @self: a row
 *
 * Returns: whether the token at this place stands out
 */
gboolean
hl_token_row_is_marked (HlTokenRow *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_ROW (self), FALSE);

  const HlTokenWeight *weight = hl_token_row_get_weight (self);
  return weight != NULL && weight->index == hl_token_list_get_marked (self->list);
}

/**
 * hl_token_row_dup_number:
 * @self: a row
 *
 * Returns: (transfer full) (nullable): the number of this row, or that it is masked, translated; a dash where one of
 *   two sides has none
 */
char *
hl_token_row_dup_number (HlTokenRow *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_ROW (self), NULL);

  const HlTokenWeight *weight = hl_token_row_get_weight (self);
  char number[HL_WEIGHT_TEXT_SIZE];

  if (weight == NULL)
    return NULL;
  if (isnan (weight->mean) && hl_token_weights_has_sides (hl_token_list_get_weights (self->list)))
    return g_strdup ("–");
  return g_strdup (weight->is_masked ? _ ("masked") : hl_weight_text_format (weight->mean, number));
}

/**
 * hl_token_row_dup_side_number:
 * @self: a row of two sides
 * @which: 0 for the first, 1 for the second
 *
 * Returns: (transfer full) (nullable): the weight on that side; a dash where it has none
 */
char *
hl_token_row_dup_side_number (HlTokenRow *self,
                              guint       which)
{
  g_return_val_if_fail (HL_IS_TOKEN_ROW (self), NULL);
  g_return_val_if_fail (which < 2, NULL);

  const HlTokenWeight *weight = hl_token_row_get_weight (self);
  return weight != NULL ? hl_token_weights_describe_side (weight, which) : NULL;
}

/**
 * hl_token_row_dup_label:
 * @self: a row
 *
 * Returns: (transfer full) (nullable): what a screen reader says: "flies 0.41"
 */
char *
hl_token_row_dup_label (HlTokenRow *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_ROW (self), NULL);

  if (hl_token_row_get_weight (self) == NULL)
    return NULL;
  g_autofree char *token = hl_token_row_dup_token (self);
  g_autofree char *number = hl_token_row_dup_number (self);
  if (!hl_token_weights_has_sides (hl_token_list_get_weights (self->list)))
    return g_strdup_printf ("%s %s", token, number);
  g_autofree char *first = hl_token_row_dup_side_number (self, 0);
  g_autofree char *second = hl_token_row_dup_side_number (self, 1);
  if (hl_token_weights_is_difference (hl_token_list_get_weights (self->list)))
    /* Translators: a token, its weight on the first and on the second side of a comparison, and how much it changed */
    return g_strdup_printf (_ ("%s: %s, other side %s, difference %s"), token, first, second, number);
  /* Translators: a token, its weight on the first and on the second side of a comparison */
  return g_strdup_printf (_ ("%s: %s, other side %s"), token, first, second);
}
