/* SPDX-License-Identifier: MIT */
/* How strongly each map of those that are shown links a query and a key. Made on the main thread, read on any, once. */
#include "app/details/hl-pair-weights.h"

#include "core/analysis/hl-head-index.h"

#include <math.h>

struct _HlPairWeights
{
  GObject parent_instance;

  HlAttentionSource *source;
  HlPick pair;
  HlHeadIndex index;
  guint max_heads;
  float *weights; /* of all heads of layer 0, then of layer 1 …; NULL until they are read */
  guint strongest;
};

G_DEFINE_FINAL_TYPE (HlPairWeights, hl_pair_weights, G_TYPE_OBJECT)

static void
hl_pair_weights_finalize (GObject *object)
{
  HlPairWeights *self = HL_PAIR_WEIGHTS (object);

  g_clear_object (&self->source);
  hl_head_index_clear (&self->index);
  g_free (self->weights);
  G_OBJECT_CLASS (hl_pair_weights_parent_class)->finalize (object);
}

static void
hl_pair_weights_class_init (HlPairWeightsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_pair_weights_finalize;
}

static void
hl_pair_weights_init (HlPairWeights *self)
{
}

/* Of the pair that is in focus; NULL where none is, or there is but one map. */
HlPairWeights *
hl_pair_weights_new (HlViewState *state)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (state), NULL);

  const HlPick *focus = hl_view_state_get_focus (state);
  const HlShown *shown = hl_view_state_get_shown (state);
  if (focus->kind != HL_PICK_CELL || shown->merges_heads || shown->merges_layers)
    return NULL;
  g_autoptr (HlPairWeights) self = g_object_new (HL_TYPE_PAIR_WEIGHTS, NULL);
  self->source = g_object_ref (shown->source);
  self->pair = (HlPick){ .kind = HL_PICK_CELL, .query = focus->query, .key = focus->key };
  hl_head_index_init (&self->index, self->source);
  for (guint layer = 0; layer < self->index.n_layers; layer++)
    self->max_heads = MAX (self->max_heads, hl_attention_source_get_n_heads (self->source, layer));
  return hl_head_index_get_n (&self->index) > 1 ? g_steal_pointer (&self) : NULL;
}

gboolean
hl_pair_weights_is_same_question (HlPairWeights *self,
                                  HlPairWeights *other)
{
  g_return_val_if_fail (HL_IS_PAIR_WEIGHTS (self), FALSE);
  g_return_val_if_fail (HL_IS_PAIR_WEIGHTS (other), FALSE);

  return self->source == other->source && hl_pick_equal (&self->pair, &other->pair);
}

gboolean
hl_pair_weights_read (HlPairWeights *self,
                      GCancellable  *cancellable,
                      GError       **error)
{
  g_return_val_if_fail (HL_IS_PAIR_WEIGHTS (self), FALSE);
  g_return_val_if_fail (self->weights == NULL, FALSE);

  g_autofree float *weights = g_new (float, hl_head_index_get_n (&self->index));
  guint strongest = G_MAXUINT;

  for (guint layer = 0, i = 0; layer < self->index.n_layers; layer++)
    for (guint head = 0; head < hl_attention_source_get_n_heads (self->source, layer); head++, i++)
      {
        const HlAttentionRequest request = {
          .layer = layer,
          .head = head,
          .first_query = self->pair.query,
          .n_queries = 1,
          .first_key = self->pair.key,
          .n_keys = 1,
          .n_rows = 1,
          .n_columns = 1,
        };

        if (!hl_attention_source_read (self->source, &request, &weights[i], cancellable, error))
          return FALSE;
        if (isfinite (weights[i]) && weights[i] != 0 &&
            (strongest == G_MAXUINT || fabsf (weights[i]) > fabsf (weights[strongest])))
          strongest = i;
      }
  self->strongest = strongest;
  self->weights = g_steal_pointer (&weights);
  return TRUE;
}

guint
hl_pair_weights_get_n_layers (HlPairWeights *self)
{
  g_return_val_if_fail (HL_IS_PAIR_WEIGHTS (self), 0);

  return self->index.n_layers;
}

guint
hl_pair_weights_get_n_heads (HlPairWeights *self,
                             guint          layer)
{
  g_return_val_if_fail (HL_IS_PAIR_WEIGHTS (self), 0);
  g_return_val_if_fail (layer < self->index.n_layers, 0);

  return self->index.starts[layer + 1] - self->index.starts[layer];
}

guint
hl_pair_weights_get_max_heads (HlPairWeights *self)
{
  g_return_val_if_fail (HL_IS_PAIR_WEIGHTS (self), 0);

  return self->max_heads;
}

/* NaN until it was read. */
float
hl_pair_weights_get (HlPairWeights *self,
                     guint          layer,
                     guint          head)
{
  g_return_val_if_fail (HL_IS_PAIR_WEIGHTS (self), NAN);
  g_return_val_if_fail (head < hl_pair_weights_get_n_heads (self, layer), NAN);

  return self->weights != NULL ? self->weights[self->index.starts[layer] + head] : NAN;
}

gboolean
hl_pair_weights_is_signed (HlPairWeights *self)
{
  g_return_val_if_fail (HL_IS_PAIR_WEIGHTS (self), FALSE);

  return hl_attention_source_is_signed (self->source);
}

/* Whatever the sign. Nothing where no head links them, or before they were read. */
gboolean
hl_pair_weights_find_strongest (HlPairWeights *self,
                                guint         *layer,
                                guint         *head)
{
  g_return_val_if_fail (HL_IS_PAIR_WEIGHTS (self), FALSE);

  if (self->weights == NULL || self->strongest == G_MAXUINT)
    return FALSE;
  *layer = hl_head_index_get_layer (&self->index, self->strongest);
  *head = self->strongest - self->index.starts[*layer];
  return TRUE;
}
