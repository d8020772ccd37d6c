/* SPDX-License-Identifier: MIT */
/*
 * HlTokenWeights: two sides of a comparison in one list. Each side answers its own question; side by side the list is
 * made of both, in a difference both are told besides. Tokens are those of both sides, as the comparison aligns them.
 */
#include "app/tokens/hl-token-weights-private.h"

#include <math.h>
#include <string.h>

static const HlTokenAlignment *
get_alignment (HlTokenWeights *self,
               gboolean        is_key)
{
  return (is_key ? hl_comparison_get_keys : hl_comparison_get_queries) (self->comparison);
}

static gsize
get_token (const HlAlignedToken *token,
           guint                 which)
{
  return which == 0 ? token->a : token->b;
}

static gboolean
has_head (HlTokenWeights *self,
          guint           head)
{
  for (guint i = 0; i < self->n_heads; i++)
    if (self->heads[i].head == head)
      return TRUE;
  return FALSE;
}

/* What the difference is of, on one side; nothing where that side does not have the token. */
static HlTokenWeights *
new_of_side (HlTokenWeights *difference,
             guint           which)
{
  HlComparison *comparison = difference->comparison;
  const gboolean is_row = difference->side == HL_TOKEN_SIDE_KEYS;
  const HlAlignedToken *subject =
    &hl_token_alignment_get_positions (get_alignment (difference, !is_row))[difference->subject];

  if (get_token (subject, which) == HL_TOKEN_NONE || difference->layer >= hl_comparison_get_n_layers (comparison))
    return NULL;
  g_autoptr (HlTokenWeights) self = g_object_new (HL_TYPE_TOKEN_WEIGHTS, NULL);
  self->heads = g_new (HlShownHead, difference->n_heads);
  for (guint i = 0; i < difference->n_heads; i++)
    {
      guint layer = difference->layer, head = difference->heads[i].head;
      if (head >= hl_comparison_get_n_heads (comparison, difference->layer))
        continue;
      if (which == 1)
        hl_comparison_get_partner (comparison, difference->layer, difference->heads[i].head, &layer, &head);
      self->layer = layer;
      if (!has_head (self, head))
        self->heads[self->n_heads++] = (HlShownHead){ layer, head, head };
    }
  if (self->n_heads == 0)
    return NULL;
  self->attention = g_object_ref (which == 0 ? hl_comparison_get_attention_a (comparison)
                                         : hl_comparison_get_attention_b (comparison));
  self->source = g_object_ref (which == 0 ? hl_comparison_get_source_a (comparison)
                                          : hl_comparison_get_source_b (comparison));
  self->shown_source = g_object_ref (self->source);
  self->side = difference->side;
  self->subject = get_token (subject, which);
  self->listed.n = is_row ? hl_attention_source_get_n_keys (self->source)
                          : hl_attention_source_get_n_queries (self->source);
  return g_steal_pointer (&self);
}

/* Where the token in focus on one side stands among those of both. */
static gsize
find_subject (HlComparison   *comparison,
              HlTokenWeights *answer,
              guint           which)
{
  const gboolean is_key = answer->side == HL_TOKEN_SIDE_QUERIES;
  const HlTokenAlignment *alignment = (is_key ? hl_comparison_get_keys : hl_comparison_get_queries) (comparison);

  return which == 0 ? hl_token_alignment_find_a (alignment, answer->subject)
                    : hl_token_alignment_find_b (alignment, answer->subject);
}

/* Two pictures: what is in focus in each, or in one of them where the other does not have it. */
static HlTokenWeights *
new_of_both (HlTokenWeights *a,
             HlTokenWeights *b,
             HlViewState    *state)
{
  HlTokenWeights *first = a != NULL ? a : b;
  HlComparison *comparison = hl_view_state_get_shown_comparison (state);
  const gsize subject = comparison != NULL ? find_subject (comparison, first, a == NULL) : HL_TOKEN_NONE;

  /* Padding is not aligned, and long texts not yet. */
  if (subject == HL_TOKEN_NONE)
    return a != NULL ? g_object_ref (a) : NULL;
  HlTokenWeights *self = g_object_new (HL_TYPE_TOKEN_WEIGHTS, NULL);
  self->comparison = g_object_ref (comparison);
  self->attention = g_object_ref (hl_view_state_get_common_attention (state));
  self->side = first->side;
  self->layer = first->layer;
  self->heads = g_memdup2 (first->heads, first->n_heads * sizeof *first->heads);
  self->n_heads = first->n_heads;
  self->head_name = g_strdup (first->head_name);
  self->subject = subject;
  if (a != NULL && b != NULL && (b->side != a->side || find_subject (self->comparison, b, 1) != self->subject))
    b = NULL;
  g_set_object (&self->sides[0], a);
  g_set_object (&self->sides[1], b);
  return self;
}

/* What is asked of one side becomes what is asked of both, if there are two. */
HlTokenWeights *
hl_token_weights_join_sides (HlTokenWeights *self,
                             HlViewState    *state)
{
  HlViewState *beside = hl_view_state_get_beside (state);
  g_autoptr (HlTokenWeights) own = self;

  if (own != NULL && hl_view_state_get_comparison (state) != NULL)
    {
      own->comparison = g_object_ref (hl_view_state_get_comparison (state));
      for (guint i = 0; i < G_N_ELEMENTS (own->sides); i++)
        own->sides[i] = new_of_side (own, i);
      return g_steal_pointer (&own);
    }
  g_autoptr (HlTokenWeights) other = beside != NULL ? hl_token_weights_new_alone (beside) : NULL;
  if (beside == NULL || (own == NULL && other == NULL))
    return g_steal_pointer (&own);
  return new_of_both (own, other, state);
}

gboolean
hl_token_weights_same_sides (HlTokenWeights *self,
                             HlTokenWeights *other)
{
  if (self->comparison != other->comparison)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (self->sides); i++)
    if ((self->sides[i] == NULL) != (other->sides[i] == NULL) ||
        (self->sides[i] != NULL && !hl_token_weights_is_same_question (self->sides[i], other->sides[i])))
      return FALSE;
  return TRUE;
}

/* The rows of a side by their tokens, in place of by their weights. */
static const HlTokenWeight **
index_rows (HlTokenWeights *side,
            gsize           n_aligned)
{
  const gsize n = side == NULL                           ? 0
                  : side->side == HL_TOKEN_SIDE_KEYS     ? hl_attention_source_get_n_keys (side->source)
                                                         : hl_attention_source_get_n_queries (side->source);
  const HlTokenWeight **rows = g_new0 (const HlTokenWeight *, MAX (MAX (n, n_aligned), 1));

  for (guint i = 0; side != NULL && i < side->n_rows; i++)
    rows[side->rows[i].index] = &side->rows[i];
  return rows;
}

static gboolean
is_stronger (float a,
             float b)
{
  return !isnan (a) && (isnan (b) || fabsf (a) > fabsf (b));
}

/* A token that is listed on either side, or on both. */
static HlTokenWeight
make_row (gsize                index,
          const HlTokenWeight *a,
          const HlTokenWeight *b)
{
  const HlTokenWeight *const sides[] = { a, b };
  HlTokenWeight row = { .index = index, .mean = NAN, .is_masked = TRUE, .is_filtered = TRUE, .sides = { NAN, NAN } };

  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      if (sides[i] == NULL)
        continue;
      row.is_masked &= sides[i]->is_masked;
      row.is_filtered &= sides[i]->is_filtered;
      if (sides[i]->is_masked)
        continue;
      row.sides[i] = sides[i]->mean;
      if (is_stronger (row.sides[i], row.mean))
        row.mean = row.sides[i];
    }
  return row;
}

/* As the rows of one side: masked ones last, before them what is no number, the strongest first, else as in the
 * text. */
static int
compare_rows (gconstpointer a,
              gconstpointer b)
{
  const HlTokenWeight *x = a;
  const HlTokenWeight *y = b;

  if (x->is_masked != y->is_masked)
    return x->is_masked - y->is_masked;
  if (is_stronger (x->mean, y->mean) || is_stronger (y->mean, x->mean))
    return is_stronger (x->mean, y->mean) ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

static void
list_both (HlTokenWeights         *self,
           const HlTokenAlignment *alignment,
           const HlTokenWeight   **of_a,
           const HlTokenWeight   **of_b)
{
  const HlAlignedToken *positions = hl_token_alignment_get_positions (alignment);

  self->rows = g_new (HlTokenWeight, MAX (hl_token_alignment_get_n (alignment), 1));
  for (gsize i = 0; i < hl_token_alignment_get_n (alignment); i++)
    {
      const HlTokenWeight *a = positions[i].a != HL_TOKEN_NONE ? of_a[positions[i].a] : NULL;
      const HlTokenWeight *b = positions[i].b != HL_TOKEN_NONE ? of_b[positions[i].b] : NULL;
      if (a != NULL || b != NULL)
        self->rows[self->n_rows++] = make_row (i, a, b);
    }
  qsort (self->rows, self->n_rows, sizeof *self->rows, compare_rows);
}

static void
annotate (HlTokenWeights         *self,
          const HlTokenAlignment *alignment,
          const HlTokenWeight   **of_a,
          const HlTokenWeight   **of_b)
{
  const HlAlignedToken *positions = hl_token_alignment_get_positions (alignment);

  for (guint i = 0; i < self->n_rows; i++)
    {
      const HlAlignedToken *token = &positions[self->rows[i].index];
      const HlTokenWeight both = make_row (self->rows[i].index, token->a != HL_TOKEN_NONE ? of_a[token->a] : NULL,
                                           token->b != HL_TOKEN_NONE ? of_b[token->b] : NULL);
      memcpy (self->rows[i].sides, both.sides, sizeof both.sides);
    }
}

/* Reads what both sides answer; in a difference, after that itself was read. */
gboolean
hl_token_weights_read_sides (HlTokenWeights  *self,
                             GCancellable    *cancellable,
                             GError         **error)
{
  const gboolean is_key = self->side == HL_TOKEN_SIDE_KEYS;
  const HlTokenAlignment *alignment = get_alignment (self, is_key);
  const gsize n = hl_token_alignment_get_n (alignment);

  for (guint i = 0; i < G_N_ELEMENTS (self->sides); i++)
    if (self->sides[i] != NULL && !hl_token_weights_read (self->sides[i], cancellable, error))
      return FALSE;
  g_autofree const HlTokenWeight **of_a = index_rows (self->sides[0], n);
  g_autofree const HlTokenWeight **of_b = index_rows (self->sides[1], n);
  (self->source == NULL ? list_both : annotate) (self, alignment, of_a, of_b);
  for (guint i = 0; i < self->n_rows; i++)
    for (guint j = 0; j < G_N_ELEMENTS (self->sides); j++)
      if (isfinite (self->rows[i].sides[j]))
        self->side_max = MAX (self->side_max, fabsf (self->rows[i].sides[j]));
  return TRUE;
}

/**
 * hl_token_weights_has_sides:
 * @self: a question or answer
 *
 * Returns: whether it is of two sides that are compared
 */
gboolean
hl_token_weights_has_sides (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), FALSE);

  return self->comparison != NULL;
}

/**
 * hl_token_weights_is_difference:
 * @self: a question or answer
 *
 * Returns: whether its weights are those of one side minus those of the other
 */
gboolean
hl_token_weights_is_difference (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), FALSE);

  return self->comparison != NULL && self->source != NULL;
}

/**
 * hl_token_weights_get_answer:
 * @self: a question or answer of two sides
 * @which: 0 for the first, 1 for the second
 *
 * Returns: (transfer none) (nullable): what that side answers by itself; %NULL where it does not have the token
 */
HlTokenWeights *
hl_token_weights_get_answer (HlTokenWeights *self,
                             guint           which)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), NULL);
  g_return_val_if_fail (which < G_N_ELEMENTS (self->sides), NULL);

  return self->sides[which];
}

/**
 * hl_token_weights_get_side_max:
 * @self: an answer of two sides
 *
 * Returns: the strongest weight on either side without its sign, 0 when there is none
 */
double
hl_token_weights_get_side_max (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), 0);

  return self->side_max;
}

/* Of one side alone, and of a difference, tokens are counted as in the picture. */
static gboolean
is_common (HlTokenWeights *self)
{
  return self->comparison != NULL && self->source == NULL;
}

/**
 * hl_token_weights_to_common:
 * @self: a question or answer
 * @index: a token in the picture that the question was taken from
 * @is_key: whether it is a key
 * @common: (out): where it stands in the attention of @self
 *
 * Returns: whether it is there
 */
gboolean
hl_token_weights_to_common (HlTokenWeights *self,
                            gsize           index,
                            gboolean        is_key,
                            gsize          *common)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), FALSE);

  *common = is_common (self) ? hl_token_alignment_find_a (get_alignment (self, is_key), index) : index;
  return *common != HL_TOKEN_NONE;
}

/**
 * hl_token_weights_from_common:
 * @self: a question or answer
 * @common: a token in the attention of @self
 * @is_key: whether it is a key
 * @index: (out): the token in the picture that the question was taken from
 *
 * Returns: whether it is in that picture; it may be in the other one only
 */
gboolean
hl_token_weights_from_common (HlTokenWeights *self,
                              gsize           common,
                              gboolean        is_key,
                              gsize          *index)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), FALSE);

  *index = is_common (self) ? hl_token_alignment_get_positions (get_alignment (self, is_key))[common].a : common;
  return *index != HL_TOKEN_NONE;
}
