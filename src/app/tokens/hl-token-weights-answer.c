/* SPDX-License-Identifier: MIT */
/* HlTokenWeights: the answer, strongest first. It is read on any thread; after that nothing changes any more. */
#include "app/tokens/hl-token-weights-private.h"

#include <math.h>
#include <string.h>

/* All weights of the subject in one head: its row, or its column. */
static gboolean
read_head (HlTokenWeights    *self,
           HlAttentionSource *source,
           const HlShownHead *head,
           gsize              n,
           float             *target,
           GCancellable      *cancellable,
           GError           **error)
{
  const gboolean is_row = self->side == HL_TOKEN_SIDE_KEYS;
  const HlAttentionRequest request = {
    .layer = head->layer,
    .head = head->head,
    .first_query = is_row ? self->subject : 0,
    .n_queries = is_row ? 1 : n,
    .first_key = is_row ? 0 : self->subject,
    .n_keys = is_row ? n : 1,
    .n_rows = is_row ? 1 : n,
    .n_columns = is_row ? n : 1,
    .pooling = HL_POOLING_MAX,
  };

  return hl_attention_source_read (source, &request, target, cancellable, error);
}

/* Strongest first, whatever the sign; then what is not a number, then what is masked; equals in the order of the
 * text. */
static int
compare_rows (gconstpointer a,
              gconstpointer b)
{
  const HlTokenWeight *x = a;
  const HlTokenWeight *y = b;
  const gboolean x_is_nan = isnan (x->mean);
  const gboolean y_is_nan = isnan (y->mean);

  if (x->is_masked != y->is_masked)
    return x->is_masked - y->is_masked;
  if (x_is_nan != y_is_nan)
    return x_is_nan - y_is_nan;
  if (!x_is_nan && fabsf (x->mean) != fabsf (y->mean))
    return fabsf (x->mean) < fabsf (y->mean) ? 1 : -1;
  return (x->index > y->index) - (x->index < y->index);
}

/* The parts, as read in the order of the text, in the order of the rows. */
static void
order_parts (HlTokenWeights *self,
             const float    *parts)
{
  self->parts = g_new (float, (gsize) self->n_rows * self->n_heads);
  for (guint i = 0; i < self->n_rows; i++)
    memcpy (self->parts + (gsize) i * self->n_heads, parts + self->rows[i].index * self->n_heads,
            self->n_heads * sizeof (float));
}

/* Whether no head can see it; each goes by the rule of its layer. */
static gboolean
is_masked (HlTokenWeights *self,
           gsize           query,
           gsize           key)
{
  const gsize n_queries = hl_attention_source_get_n_queries (self->source);
  const gsize n_keys = hl_attention_source_get_n_keys (self->source);

  for (guint i = 0; i < self->n_heads; i++)
    if ((i == 0 || self->heads[i].layer != self->heads[i - 1].layer) &&
        hl_mask_is_visible (hl_attention_source_get_mask (self->source, self->heads[i].layer), n_queries, n_keys, query,
                            key))
      return FALSE;
  return TRUE;
}

/* What the first question asks, or the only one. */
static gboolean
read_own (HlTokenWeights  *self,
          GCancellable    *cancellable,
          GError         **error)
{
  const gboolean is_row = self->side == HL_TOKEN_SIDE_KEYS;
  const gsize n_queries = hl_attention_source_get_n_queries (self->source);
  const gsize n_keys = hl_attention_source_get_n_keys (self->source);
  const gsize n = is_row ? n_keys : n_queries;
  const gboolean keep_parts = self->n_heads <= HL_TOKEN_WEIGHTS_MAX_PARTS;
  const gboolean is_filtered = self->shown_source != self->source;
  g_autofree float *weights = g_new (float, n);
  g_autofree double *sums = g_new0 (double, n);
  g_autofree float *parts = keep_parts ? g_new (float, n * self->n_heads) : NULL;
  g_autofree gboolean *is_shown = g_new0 (gboolean, n);
  double total = 0;

  for (guint h = 0; h < self->n_heads; h++)
    {
      if (!read_head (self, self->source, &self->heads[h], n, weights, cancellable, error))
        return FALSE;
      for (gsize i = 0; i < n; i++)
        {
          sums[i] += weights[i];
          total += weights[i];
          if (keep_parts)
            parts[i * self->n_heads + h] = weights[i];
        }
      if (!is_filtered)
        continue;
      if (!read_head (self, self->shown_source, &self->heads[h], n, weights, cancellable, error))
        return FALSE;
      for (gsize i = 0; i < n; i++)
        is_shown[i] |= weights[i] != 0;
    }

  g_assert (self->listed.first + self->listed.n <= n);
  self->n_rows = (guint) self->listed.n;
  self->rows = g_new (HlTokenWeight, self->listed.n);
  for (gsize i = 0; i < self->listed.n; i++)
    {
      const gsize index = self->listed.first + i;
      const gsize query = is_row ? self->subject : index;
      const gsize key = is_row ? index : self->subject;
      self->rows[i] = (HlTokenWeight){
        .index = index,
        .mean = (float) (sums[index] / self->n_heads),
        .is_masked = is_masked (self, query, key),
        .is_filtered = is_filtered && !is_shown[index],
      };
    }
  qsort (self->rows, self->n_rows, sizeof *self->rows, compare_rows);
  if (keep_parts)
    order_parts (self, parts);
  self->sum = total / self->n_heads;
  return TRUE;
}

/**
 * hl_token_weights_read:
 * @self: a question
 * @cancellable: (nullable): to stop
 * @error: where to put an error: those of hl_attention_source_read()
 *
 * Reads the answer, once, on any thread.
 *
 * Returns: whether there is an answer now
 */
gboolean
hl_token_weights_read (HlTokenWeights *self,
                       GCancellable   *cancellable,
                       GError        **error)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), FALSE);
  g_return_val_if_fail (self->rows == NULL, FALSE);

  return (self->source == NULL || read_own (self, cancellable, error)) &&
         (self->comparison == NULL || hl_token_weights_read_sides (self, cancellable, error));
}

/**
 * hl_token_weights_get_n_rows:
 * @self: an answer
 *
 * Returns: how many tokens are listed; 0 before the answer is there
 */
guint
hl_token_weights_get_n_rows (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), 0);

  return self->n_rows;
}

/**
 * hl_token_weights_get_row:
 * @self: an answer
 * @position: a place in the list
 *
 * Returns: (transfer none): the token there; stronger ones stand before it, masked ones last
 */
const HlTokenWeight *
hl_token_weights_get_row (HlTokenWeights *self,
                          guint           position)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), NULL);
  g_return_val_if_fail (position < self->n_rows, NULL);

  return &self->rows[position];
}

/**
 * hl_token_weights_get_parts:
 * @self: an answer
 * @position: a place in the list
 *
 * Returns: (transfer none) (nullable): the weight in each of the heads; %NULL with more than
 *   %HL_TOKEN_WEIGHTS_MAX_PARTS heads
 */
const float *
hl_token_weights_get_parts (HlTokenWeights *self,
                            guint           position)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), NULL);
  g_return_val_if_fail (position < self->n_rows, NULL);

  return self->parts != NULL ? self->parts + (gsize) position * self->n_heads : NULL;
}

/**
 * hl_token_weights_find:
 * @self: an answer
 * @index: the index in the attention of a token on the side that is listed
 * @position: (out): its place in the list
 *
 * Returns: whether it is listed
 */
gboolean
hl_token_weights_find (HlTokenWeights *self,
                       gsize           index,
                       guint          *position)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), FALSE);

  for (guint i = 0; i < self->n_rows; i++)
    if (self->rows[i].index == index)
      {
        *position = i;
        return TRUE;
      }
  return FALSE;
}

/**
 * hl_token_weights_get_sum:
 * @self: an answer
 *
 * Returns: the sum of all weights of the subject, also of those not listed; 1 for the keys of a query unless something
 *   is odd about the file
 */
double
hl_token_weights_get_sum (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), 0);

  return self->sum;
}

/**
 * hl_token_weights_get_max:
 * @self: an answer
 *
 * Returns: the strongest weight in the list without its sign, 0 when there is none
 */
double
hl_token_weights_get_max (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), 0);

  if (self->n_rows == 0 || self->rows[0].is_masked || !isfinite (self->rows[0].mean))
    return 0;
  return fabsf (self->rows[0].mean);
}
