/* SPDX-License-Identifier: MIT */
/* HlViewState: the attention that is looked at, and the weights that are shown of it. */
#include "view/hl-view-state-private.h"

#include "core/source/derive/hl-cumulative-source.h"
#include "core/source/derive/hl-filter-source.h"
#include "core/source/make/hl-qk-source.h"
#include "core/source/make/hl-source-factory.h"

/**
 * hl_view_state_is_cumulative:
 * @self: a view state
 *
 * Returns: whether the numbers that are shown are not weights but their cumulative mass, of the row as filters leave
 *   it: in heatmaps with %HL_VALUE_SCALE_CUMULATIVE, unless numbers have a sign
 */
gboolean
hl_view_state_is_cumulative (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  const gboolean has_cells =
    hl_view_kind_get_traits (self->options.view)->has_value_scale || (hl_view_kind_get_traits (self->options.view)->shows_all_heads && self->options.thumbnails == HL_THUMBNAIL_HEATMAP);
  return has_cells && self->options.value_scale == HL_VALUE_SCALE_CUMULATIVE && !hl_attention_source_is_signed (self->source);
}

/* The source as the filters leave it. Views that show how weights are made show all of them. */
void
hl_view_state_update_shown_source (HlViewState *self)
{
  const gboolean filters = !hl_view_state_shows_steps (self);
  const HlFilters wanted = { self->source, filters ? self->options.threshold : 0, filters ? self->options.top_mass : 1,
                             hl_view_state_is_cumulative (self) };
  const HlFilters *applied = &self->applied_filters;

  if (self->shown_source != NULL && applied->source == wanted.source && applied->threshold == wanted.threshold &&
      applied->top_mass == wanted.top_mass && applied->is_cumulative == wanted.is_cumulative)
    return;
  g_autoptr (HlAttentionSource) shown = g_object_ref (self->source);
  if (wanted.threshold > 0 || wanted.top_mass < 1)
    {
      g_autoptr (HlAttentionSource) whole = g_steal_pointer (&shown);
      shown = hl_filter_source_new (whole, wanted.threshold, wanted.top_mass);
    }
  if (wanted.is_cumulative)
    {
      g_autoptr (HlAttentionSource) filtered = g_steal_pointer (&shown);
      shown = hl_cumulative_source_new (filtered);
    }
  self->applied_filters = wanted;
  if (g_set_object (&self->shown_source, shown))
    hl_view_state_notify (self, PROP_SHOWN_SOURCE);
}

/* Scale and mask that were changed by hand count where they can be seen. */
static gboolean
is_altered (HlViewState *self)
{
  return hl_view_state_shows_steps (self) && hl_head_steps_are_known (self->attention) &&
         (self->options.score_scale != 1 || !self->options.mask);
}

/* Whether the maps that are shown follow from what they followed from before. */
static gboolean
is_up_to_date (HlViewState  *self,
               const HlLens *lens,
               gboolean      altered)
{
  return self->source != NULL && !altered && !self->was_altered && self->applied_to == self->attention_source &&
         hl_lens_equal (lens, &self->applied_lens) && hl_view_state_difference_is_applied (self);
}

/* The sets of a lens are whose they were made of; these must last until the next one is compared. */
void
hl_view_state_keep_lens (HlViewState  *self,
                         const HlLens *lens)
{
  HlTokenSet *queries = hl_token_set_ref (lens->hidden_queries);
  HlTokenSet *keys = hl_token_set_ref (lens->hidden_keys);

  hl_token_set_unref (self->applied_lens.hidden_queries);
  hl_token_set_unref (self->applied_lens.hidden_keys);
  self->applied_lens = *lens;
  self->applied_lens.hidden_queries = queries;
  self->applied_lens.hidden_keys = keys;
}

/* After anything changed that attention, source or lens depend on. */
void
hl_view_state_update_source (HlViewState *self)
{
  const gboolean altered = is_altered (self);
  g_autoptr (HlAttention) before = self->shown_attention != NULL ? g_object_ref (self->shown_attention) : NULL;
  g_autoptr (HlAttention) attention = NULL;
  g_autoptr (HlAttentionSource) source = NULL;
  HlLens lens;

  hl_view_state_get_lens (self, &lens);
  if (!is_up_to_date (self, &lens, altered))
    {
      g_autoptr (HlAttentionSource) made = altered
                                             ? hl_qk_source_new_altered (self->attention, self->options.score_scale, self->options.mask)
                                             : g_object_ref (self->attention_source);
      hl_lens_apply (&lens, self->attention, made, &attention, &source);
      hl_view_state_apply_difference (self, &lens, &attention, &source);
      self->difference_changed = FALSE;
      hl_view_state_keep_lens (self, &lens);
      self->was_altered = altered;
      g_set_object (&self->applied_to, self->attention_source);
      if (g_set_object (&self->shown_attention, attention))
        {
          hl_view_state_notify (self, PROP_SHOWN_ATTENTION);
          hl_view_state_carry_picks (self, before);
        }
      if (g_set_object (&self->source, source))
        hl_view_state_notify (self, PROP_SOURCE);
    }
  hl_view_state_update_shown_source (self);
}

/**
 * hl_view_state_get_example:
 * @self: a view state
 *
 * Returns: (transfer none): what is looked at
 */
HlExample *
hl_view_state_get_example (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->example;
}

/**
 * hl_view_state_set_example:
 * @self: a view state
 * @example: what to look at
 *
 * Stays at the same kind of attention, layer and heads where the example has them.
 */
void
hl_view_state_set_example (HlViewState *self,
                           HlExample   *example)
{
  HlAttention *attention = NULL;

  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (HL_IS_EXAMPLE (example));

  if (self->example == example)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  hl_view_state_forget_hidden (self, self->example, example);
  g_set_object (&self->example, example);
  hl_view_state_notify (self, PROP_EXAMPLE);
  if (self->attention != NULL)
    attention = hl_example_find_attention (example, hl_attention_get_kind (self->attention));
  if (attention == NULL)
    attention = hl_example_get_attention (example, 0);
  hl_view_state_set_attention (self, attention);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_get_attention:
 * @self: a view state
 *
 * Returns: (transfer none): the attention that is looked at
 */
HlAttention *
hl_view_state_get_attention (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->attention;
}

/**
 * hl_view_state_set_attention:
 * @self: a view state
 * @attention: an attention of the example
 */
void
hl_view_state_set_attention (HlViewState *self,
                             HlAttention *attention)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (HL_IS_ATTENTION (attention));

  if (attention == self->attention)
    return;

  const gboolean is_first = self->attention == NULL;
  const guint n_layers_before = is_first ? 0 : hl_attention_get_n_layers (self->attention);
  g_object_freeze_notify (G_OBJECT (self));
  g_set_object (&self->attention, attention);
  g_clear_object (&self->attention_source);
  self->attention_source = hl_attention_source_new_for_attention (attention);
  hl_view_state_notify (self, PROP_ATTENTION);

  hl_view_state_clamp_layers (self, n_layers_before);
  if (self->layer >= hl_attention_get_n_layers (attention))
    {
      self->layer = hl_attention_get_n_layers (attention) - 1;
      hl_view_state_notify (self, PROP_LAYER);
    }
  if (is_first)
    hl_head_set_add (&self->heads, 0);
  hl_view_state_clamp_heads (self);
  hl_view_state_update_source (self);
  if (self->options.sentences != HL_SENTENCES_ALL && hl_attention_get_sentence_b_start (self->shown_attention) == 0)
    hl_view_state_set_option (self, sentences, HL_SENTENCES_ALL);
  hl_view_state_drop_numbers (self, TRUE);
  hl_view_state_set_pick (self, &self->hovered, NULL, PROP_HOVERED);
  hl_view_state_set_pick (self, &self->pinned, NULL, PROP_PINNED);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_get_source:
 * @self: a view state
 *
 * Returns: (transfer none): the weights of the shown attention as they are; in views that show how they are made, with the
 *   scale and the mask of the view
 */
HlAttentionSource *
hl_view_state_get_source (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->source;
}

/**
 * hl_view_state_get_shown_source:
 * @self: a view state
 *
 * Returns: (transfer none): the weights with those at 0 that threshold and top mass hide; what pictures show
 */
HlAttentionSource *
hl_view_state_get_shown_source (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->shown_source;
}

/**
 * hl_view_state_shows_one_head:
 * @self: a view state
 *
 * Returns: whether the view shows only the head in the foreground, whatever others are chosen
 */
gboolean
hl_view_state_shows_one_head (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  return hl_view_kind_get_traits (self->options.view)->shows_one_head;
}

/**
 * hl_view_state_shows_steps:
 * @self: a view state
 *
 * Returns: whether the view shows how weights follow from queries and keys; filters are not in force then, scale and
 *   mask of the view are
 */
gboolean
hl_view_state_shows_steps (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  return hl_view_kind_get_traits (self->options.view)->shows_steps;
}
