/* SPDX-License-Identifier: MIT */
/* What a model view knows of the heads of a source. */
#include "draw/model-view/hl-thumbnail-set.h"

/**
 * hl_thumbnail_set_clear: (skip)
 * @self: a set
 *
 * Forgets everything.
 */
void
hl_thumbnail_set_clear (HlThumbnailSet *self)
{
  for (guint i = 0; self->starts != NULL && i < self->starts[self->n_layers]; i++)
    {
      g_clear_pointer (&self->slots[i].thumbnail, hl_thumbnail_unref);
      g_free (self->slots[i].stats);
    }
  g_clear_pointer (&self->preview, hl_thumbnail_unref);
  g_clear_object (&self->source);
  g_free (self->starts);
  g_free (self->slots);
  *self = (HlThumbnailSet){ 0 };
}

/**
 * hl_thumbnail_set_is_of: (skip)
 * @self: a set
 * @state: what is shown
 *
 * Returns: whether it is of the weights that the state asks for
 */
gboolean
hl_thumbnail_set_is_of (const HlThumbnailSet *self,
                        HlViewState          *state)
{
  const HlRange queries = hl_view_state_get_shown_queries (state);
  const HlRange keys = hl_view_state_get_shown_keys (state);

  return self->source == hl_view_state_get_shown_source (state) && hl_range_equal (self->queries, queries) &&
         hl_range_equal (self->keys, keys);
}

/**
 * hl_thumbnail_set_follow: (skip)
 * @self: a set
 * @state: what is shown
 *
 * Makes it one of the weights that the state asks for; unless it is already, everything is forgotten.
 */
void
hl_thumbnail_set_follow (HlThumbnailSet *self,
                         HlViewState    *state)
{
  if (hl_thumbnail_set_is_of (self, state))
    return;
  hl_thumbnail_set_clear (self);
  self->source = g_object_ref (hl_view_state_get_shown_source (state));
  self->queries = hl_view_state_get_shown_queries (state);
  self->keys = hl_view_state_get_shown_keys (state);
  self->n_layers = hl_attention_source_get_n_layers (self->source);
  self->starts = g_new0 (guint, self->n_layers + 1);
  for (guint layer = 0; layer < self->n_layers; layer++)
    self->starts[layer + 1] = self->starts[layer] + hl_attention_source_get_n_heads (self->source, layer);
  self->slots = g_new0 (HlThumbnailSlot, MAX (self->starts[self->n_layers], 1));
}

/**
 * hl_thumbnail_set_get: (skip)
 * @self: a set
 * @layer: a layer of its source
 * @head: a head of that layer
 *
 * Returns: (transfer none): what there is of it
 */
HlThumbnailSlot *
hl_thumbnail_set_get (HlThumbnailSet *self,
                      guint           layer,
                      guint           head)
{
  g_assert (layer < self->n_layers && self->starts[layer] + head < self->starts[layer + 1]);

  return &self->slots[self->starts[layer] + head];
}
