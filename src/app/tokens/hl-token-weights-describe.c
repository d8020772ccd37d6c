/* SPDX-License-Identifier: MIT */
/* HlTokenWeights: what people are told of an answer as a whole, and of one of its numbers. */
#include "app/tokens/hl-token-weights.h"

#include "view/hl-weight-text.h"

#include <glib/gi18n.h>
#include <math.h>

/* "A head 0, B head 1": what there is to say of each side. */
static char *
describe_sides (HlTokenWeights *self,
                char *(*describe) (HlTokenWeights *answer))
{
  static const char *const letters[] = { "A", "B" };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (letters); i++)
    {
      HlTokenWeights *answer = hl_token_weights_get_answer (self, i);
      g_autofree char *part = answer != NULL ? describe (answer) : g_strdup ("–");
      g_string_append_printf (text, "%s%s %s", i > 0 ? ", " : "", letters[i], part);
    }
  return g_string_free (text, FALSE);
}

/**
 * hl_token_weights_describe_heads:
 * @self: a question or answer
 *
 * Returns: (transfer full): "head 5" or "mean of 3 heads", translated; side by side "A head 5, B head 2"
 */
char *
hl_token_weights_describe_heads (HlTokenWeights *self)
{
  const guint n_heads = hl_token_weights_get_n_heads (self);

  if (hl_token_weights_has_sides (self) && !hl_token_weights_is_difference (self))
    return describe_sides (self, hl_token_weights_describe_heads);
  if (n_heads == 1)
    return g_strdup (hl_token_weights_get_head_name (self));
  return g_strdup_printf (ngettext ("mean of %u head", "mean of %u heads", n_heads), n_heads);
}

/**
 * hl_token_weights_describe_sum:
 * @self: an answer
 *
 * Returns: (transfer full): the sum of all weights of the token; of two sides, "A 1.000, B 1.000"
 */
char *
hl_token_weights_describe_sum (HlTokenWeights *self)
{
  const double sum = hl_token_weights_get_sum (self);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (hl_token_weights_has_sides (self))
    return describe_sides (self, hl_token_weights_describe_sum);
  /* What adds up to nearly nothing may do so on either side of it. */
  return g_strdup (g_ascii_formatd (number, sizeof number, "%.3f", fabs (sum) < 0.0005 ? 0 : sum));
}

/**
 * hl_token_weights_describe_side:
 * @row: a token listed in an answer of two sides
 * @which: 0 for the first, 1 for the second
 *
 * Returns: (transfer full): the weight on that side; a dash where it has none
 */
char *
hl_token_weights_describe_side (const HlTokenWeight *row,
                                guint                which)
{
  char number[HL_WEIGHT_TEXT_SIZE];

  return g_strdup (isnan (row->sides[which]) ? "–" : hl_weight_text_format (row->sides[which], number));
}

/**
 * hl_token_weights_describe_row:
 * @self: an answer
 * @row: a token listed in it
 *
 * Returns: (transfer full): its number, or that it is masked, translated; of two sides "A 0.24, B 0.11"
 */
char *
hl_token_weights_describe_row (HlTokenWeights      *self,
                               const HlTokenWeight *row)
{
  char number[HL_WEIGHT_TEXT_SIZE];

  if (row->is_masked)
    return g_strdup (_ ("masked"));
  if (!hl_token_weights_has_sides (self))
    return g_strdup (hl_weight_text_format (row->mean, number));
  g_autofree char *first = hl_token_weights_describe_side (row, 0);
  g_autofree char *second = hl_token_weights_describe_side (row, 1);
  return g_strdup_printf ("A %s, B %s", first, second);
}

/**
 * hl_token_weights_find_marked:
 * @self: a question or answer
 * @pick: what is pointed at in the picture that it was taken from
 * @marked: (out): the token of the listed side that stands out
 *
 * Returns: whether one does: that of a cell of the token it is about, or one pointed at by itself
 */
gboolean
hl_token_weights_find_marked (HlTokenWeights *self,
                              const HlPick   *pick,
                              gsize          *marked)
{
  const gboolean lists_keys = hl_token_weights_get_side (self) == HL_TOKEN_SIDE_KEYS;
  gsize subject;

  if (pick->kind == HL_PICK_CELL &&
      !(hl_token_weights_to_common (self, lists_keys ? pick->query : pick->key, !lists_keys, &subject) &&
        subject == hl_token_weights_get_subject (self)))
    return FALSE;
  if (pick->kind != HL_PICK_CELL && pick->kind != (lists_keys ? HL_PICK_KEY : HL_PICK_QUERY))
    return FALSE;
  return hl_token_weights_to_common (self, lists_keys ? pick->key : pick->query, lists_keys, marked);
}

/**
 * hl_token_weights_get_pair:
 * @self: an answer
 * @row: a token listed in it
 * @pair: (out): the pair that it stands for, in the picture that the question was taken from
 *
 * Returns: whether that picture has both; one may be in the picture of the other side only
 */
gboolean
hl_token_weights_get_pair (HlTokenWeights      *self,
                           const HlTokenWeight *row,
                           HlPick              *pair)
{
  const gboolean lists_keys = hl_token_weights_get_side (self) == HL_TOKEN_SIDE_KEYS;
  gsize subject, listed;

  if (!hl_token_weights_from_common (self, hl_token_weights_get_subject (self), !lists_keys, &subject) ||
      !hl_token_weights_from_common (self, row->index, lists_keys, &listed))
    return FALSE;
  *pair = (HlPick){
    .kind = HL_PICK_CELL,
    .query = lists_keys ? subject : listed,
    .key = lists_keys ? listed : subject,
  };
  return TRUE;
}
