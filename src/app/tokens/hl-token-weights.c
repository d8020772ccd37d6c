/* SPDX-License-Identifier: MIT */
/* What one token attends to, or what attends to it: the question, which is taken from the view state on the main
 * thread. */
#include "app/tokens/hl-token-weights-private.h"

#include <string.h>

G_DEFINE_FINAL_TYPE (HlTokenWeights, hl_token_weights, G_TYPE_OBJECT)

static void
hl_token_weights_finalize (GObject *object)
{
  HlTokenWeights *self = HL_TOKEN_WEIGHTS (object);

  g_clear_object (&self->attention);
  g_clear_object (&self->comparison);
  g_clear_object (&self->sides[0]);
  g_clear_object (&self->sides[1]);
  g_clear_object (&self->source);
  g_clear_object (&self->shown_source);
  g_free (self->heads);
  g_free (self->head_name);
  g_free (self->rows);
  g_free (self->parts);
  G_OBJECT_CLASS (hl_token_weights_parent_class)->finalize (object);
}

static void
hl_token_weights_class_init (HlTokenWeightsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_token_weights_finalize;
}

static void
hl_token_weights_init (HlTokenWeights *self)
{
}

/* All views but the head view and that of all layers show one head, whatever was chosen there. */
static void
take_heads (HlTokenWeights *self,
            HlViewState    *state)
{
  if (hl_view_state_get_view (state) == HL_VIEW_HEAD_VIEW)
    self->heads = hl_view_state_list_shown_heads (state, &self->n_heads);
  else if (!hl_view_state_shows_one_head (state))
    self->heads = hl_view_state_list_heads_of_layer (state, self->layer, &self->n_heads);
  else
    {
      const guint head = hl_view_state_get_shown_head (state);
      self->heads = g_new (HlShownHead, 1);
      self->heads[self->n_heads++] = (HlShownHead){ self->layer, head, head };
    }
}

/* Without a second side. */
HlTokenWeights *
hl_token_weights_new_alone (HlViewState *state)
{
  const HlPick *focus = hl_view_state_get_focus (state);
  if (focus->kind == HL_PICK_NONE)
    return NULL;

  g_autoptr (HlTokenWeights) self = g_object_new (HL_TYPE_TOKEN_WEIGHTS, NULL);
  self->layer = hl_view_state_get_view (state) == HL_VIEW_LAYERS ? focus->layer : hl_view_state_get_shown_layer (state);
  take_heads (self, state);
  if (self->n_heads == 0)
    return NULL;
  self->head_name = self->heads[0].layer == self->layer
                      ? hl_view_state_dup_head_name (state, self->heads[0].head)
                      : hl_view_state_dup_map_name (state, self->heads[0].layer, self->heads[0].head);
  self->attention = g_object_ref (hl_view_state_get_shown_attention (state));
  self->source = g_object_ref (hl_view_state_get_source (state));
  self->shown_source = g_object_ref (hl_view_state_get_shown_source (state));
  if (focus->kind == HL_PICK_KEY)
    {
      self->side = HL_TOKEN_SIDE_QUERIES;
      self->subject = focus->key;
      self->listed = hl_view_state_get_shown_queries (state);
    }
  else
    {
      self->side = HL_TOKEN_SIDE_KEYS;
      self->subject = focus->query;
      self->listed = hl_view_state_get_shown_keys (state);
    }
  return g_steal_pointer (&self);
}

/**
 * hl_token_weights_new:
 * @state: a view state
 *
 * Takes the question from what is in focus: the keys of a query, also with a cell in focus; the queries of a key. While
 * two sides are compared it is that of both, and tokens are those of both.
 *
 * Returns: (transfer full) (nullable): a question that waits to be read; %NULL without a token in focus, or a head
 *   shown
 */
HlTokenWeights *
hl_token_weights_new (HlViewState *state)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (state), NULL);

  return hl_token_weights_join_sides (hl_token_weights_new_alone (state), state);
}

/**
 * hl_token_weights_is_same_question:
 * @self: a question or answer
 * @other: another
 *
 * Returns: whether the answer to one is the answer to the other
 */
gboolean
hl_token_weights_is_same_question (HlTokenWeights *self,
                                   HlTokenWeights *other)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), FALSE);
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (other), FALSE);

  return hl_token_weights_same_sides (self, other) && self->source == other->source &&
         self->shown_source == other->shown_source &&
         self->layer == other->layer && self->side == other->side &&
         self->subject == other->subject && self->listed.first == other->listed.first &&
         self->listed.n == other->listed.n && self->n_heads == other->n_heads &&
         memcmp (self->heads, other->heads, self->n_heads * sizeof *self->heads) == 0;
}

/**
 * hl_token_weights_get_side:
 * @self: a question or answer
 *
 * Returns: which tokens are listed
 */
HlTokenSide
hl_token_weights_get_side (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), HL_TOKEN_SIDE_KEYS);

  return self->side;
}

/**
 * hl_token_weights_get_subject:
 * @self: a question or answer
 *
 * Returns: the index in the attention of the token that it is about, on the side that is not listed
 */
gsize
hl_token_weights_get_subject (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), 0);

  return self->subject;
}

/**
 * hl_token_weights_get_attention:
 * @self: a question or answer
 *
 * Returns: (transfer none): whose tokens they are
 */
HlAttention *
hl_token_weights_get_attention (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), NULL);

  return self->attention;
}

/**
 * hl_token_weights_get_n_heads:
 * @self: a question or answer
 *
 * Returns: of how many heads the weights are the mean, at least 1
 */
guint
hl_token_weights_get_n_heads (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), 0);

  return self->n_heads;
}

/**
 * hl_token_weights_get_head:
 * @self: a question or answer
 * @nth: which of the heads, from 0
 *
 * Returns: (transfer none): that head
 */
const HlShownHead *
hl_token_weights_get_head (HlTokenWeights *self,
                           guint           nth)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), NULL);
  g_return_val_if_fail (nth < self->n_heads, NULL);

  return &self->heads[nth];
}

/**
 * hl_token_weights_get_head_name:
 * @self: a question or answer
 *
 * Returns: what the first of the heads is called: "head 5", or of what it is made
 */
const char *
hl_token_weights_get_head_name (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), NULL);

  return self->head_name;
}

/**
 * hl_token_weights_is_signed:
 * @self: a question or answer
 *
 * Returns: whether the weights lie on both sides of zero
 */
gboolean
hl_token_weights_is_signed (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), FALSE);

  HlAttentionSource *source = self->source != NULL ? self->source : self->sides[self->sides[0] == NULL]->source;
  return hl_attention_source_is_signed (source);
}

/**
 * hl_token_weights_lists_keys:
 * @self: a question or answer
 *
 * Returns: whether the tokens that are listed stand for keys; those on the side of keys do, unless rows and columns
 *   changed over
 */
gboolean
hl_token_weights_lists_keys (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), FALSE);

  return (self->side == HL_TOKEN_SIDE_KEYS) != hl_attention_is_transposed (self->attention);
}
