/* SPDX-License-Identifier: MIT */
/* HlViewState: what is left out, and in which colours the rest is shown. */
#include "view/hl-view-state-private.h"

/**
 * hl_view_state_get_threshold:
 * @self: a view state
 *
 * Returns: weights below this are not shown; 0 for none
 */
double
hl_view_state_get_threshold (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), 0);

  return self->threshold;
}

/**
 * hl_view_state_set_threshold:
 * @self: a view state
 * @threshold: 0 to 1
 */
void
hl_view_state_set_threshold (HlViewState *self,
                             double       threshold)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (threshold >= 0 && threshold <= 1);

  if (self->threshold == threshold)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  self->threshold = threshold;
  hl_view_state_notify (self, PROP_THRESHOLD);
  hl_view_state_update_shown_source (self);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_get_top_mass:
 * @self: a view state
 *
 * Returns: of each query only the strongest keys that together hold this share are shown; 1 for all
 */
double
hl_view_state_get_top_mass (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), 1);

  return self->top_mass;
}

/**
 * hl_view_state_set_top_mass:
 * @self: a view state
 * @top_mass: 0 to 1
 */
void
hl_view_state_set_top_mass (HlViewState *self,
                            double       top_mass)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (top_mass >= 0 && top_mass <= 1);

  if (self->top_mass == top_mass)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  self->top_mass = top_mass;
  hl_view_state_notify (self, PROP_TOP_MASS);
  hl_view_state_update_shown_source (self);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_get_sentences:
 * @self: a view state
 *
 * Returns: which part of the map of a pair is shown
 */
HlSentences
hl_view_state_get_sentences (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), HL_SENTENCES_ALL);

  return self->sentences;
}

/**
 * hl_view_state_set_sentences:
 * @self: a view state
 * @sentences: which part; without a pair only %HL_SENTENCES_ALL takes effect
 */
void
hl_view_state_set_sentences (HlViewState *self,
                             HlSentences  sentences)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  if (hl_attention_get_sentence_b_start (self->shown_attention) == 0)
    sentences = HL_SENTENCES_ALL;
  if (self->sentences == sentences)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  self->sentences = sentences;
  hl_view_state_notify (self, PROP_SENTENCES);
  hl_view_state_drop_invisible_picks (self);
  hl_view_state_drop_numbers (self, FALSE);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_get_crop_padding:
 * @self: a view state
 *
 * Returns: whether padded positions are left out
 */
gboolean
hl_view_state_get_crop_padding (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  return self->crop_padding;
}

/**
 * hl_view_state_set_crop_padding:
 * @self: a view state
 * @crop_padding: whether to leave padded positions out
 */
void
hl_view_state_set_crop_padding (HlViewState *self,
                                gboolean     crop_padding)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  crop_padding = !!crop_padding;
  if (self->crop_padding == crop_padding)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  self->crop_padding = crop_padding;
  hl_view_state_notify (self, PROP_CROP_PADDING);
  hl_view_state_drop_invisible_picks (self);
  hl_view_state_drop_numbers (self, FALSE);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_get_colour_map:
 * @self: a view state
 *
 * Returns: the colour map of heatmaps
 */
HlColourMap
hl_view_state_get_colour_map (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), HL_COLOUR_MAP_VIRIDIS);

  return self->colour_map;
}

/**
 * hl_view_state_set_colour_map:
 * @self: a view state
 * @colour_map: the colour map of heatmaps
 */
void
hl_view_state_set_colour_map (HlViewState *self,
                              HlColourMap  colour_map)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  if (self->colour_map == colour_map)
    return;
  self->colour_map = colour_map;
  hl_view_state_notify (self, PROP_COLOUR_MAP);
}

/**
 * hl_view_state_get_value_scale:
 * @self: a view state
 *
 * Returns: how a weight becomes a place on the colour map
 */
HlValueScaleKind
hl_view_state_get_value_scale (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), HL_VALUE_SCALE_LINEAR);

  return self->value_scale;
}

/**
 * hl_view_state_set_value_scale:
 * @self: a view state
 * @value_scale: how a weight becomes a place on the colour map
 */
void
hl_view_state_set_value_scale (HlViewState      *self,
                               HlValueScaleKind  value_scale)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  if (self->value_scale == value_scale)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  self->value_scale = value_scale;
  hl_view_state_notify (self, PROP_VALUE_SCALE);
  hl_view_state_update_shown_source (self);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_get_thumbnails:
 * @self: a view state
 *
 * Returns: how the heads of a model view look
 */
HlThumbnailKind
hl_view_state_get_thumbnails (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), HL_THUMBNAIL_HEATMAP);

  return self->thumbnails;
}

/**
 * hl_view_state_set_thumbnails:
 * @self: a view state
 * @thumbnails: how the heads of a model view look
 */
void
hl_view_state_set_thumbnails (HlViewState     *self,
                              HlThumbnailKind  thumbnails)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  if (self->thumbnails == thumbnails)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  self->thumbnails = thumbnails;
  hl_view_state_notify (self, PROP_THUMBNAILS);
  hl_view_state_update_shown_source (self);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_get_score_scale:
 * @self: a view state
 *
 * Returns: what the scale of scores is multiplied by in views that show steps; 1 for the model's own scale
 */
double
hl_view_state_get_score_scale (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), 1);

  return self->score_scale;
}

/**
 * hl_view_state_set_score_scale:
 * @self: a view state
 * @score_scale: %HL_MIN_SCORE_SCALE to %HL_MAX_SCORE_SCALE
 */
void
hl_view_state_set_score_scale (HlViewState *self,
                               double       score_scale)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (score_scale >= HL_MIN_SCORE_SCALE && score_scale <= HL_MAX_SCORE_SCALE);

  if (self->score_scale == score_scale)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  self->score_scale = score_scale;
  hl_view_state_notify (self, PROP_SCORE_SCALE);
  hl_view_state_update_source (self);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_get_mask:
 * @self: a view state
 *
 * Returns: whether the model's mask is in force in views that show steps
 */
gboolean
hl_view_state_get_mask (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), TRUE);

  return self->mask;
}

/**
 * hl_view_state_set_mask:
 * @self: a view state
 * @mask: whether the model's mask is in force in views that show steps
 */
void
hl_view_state_set_mask (HlViewState *self,
                        gboolean     mask)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  mask = !!mask;
  if (self->mask == mask)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  self->mask = mask;
  hl_view_state_notify (self, PROP_MASK);
  hl_view_state_update_source (self);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_has_mask:
 * @self: a view state
 *
 * Returns: whether the model hides keys from queries in this layer
 */
gboolean
hl_view_state_has_mask (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  const HlMask *mask = &hl_attention_get_rule (self->attention, self->layer)->mask;
  return mask->causal || mask->window > 0;
}

/**
 * hl_view_state_get_dark:
 * @self: a view state
 *
 * Returns: whether pictures are light on dark
 */
gboolean
hl_view_state_get_dark (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  return self->dark;
}

/**
 * hl_view_state_set_dark:
 * @self: a view state
 * @dark: whether pictures are light on dark
 */
void
hl_view_state_set_dark (HlViewState *self,
                        gboolean     dark)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  dark = !!dark;
  if (self->dark == dark)
    return;
  self->dark = dark;
  hl_view_state_notify (self, PROP_DARK);
}

/* The tokens of one text of a pair, or all. */
static HlRange
get_sentence_range (HlViewState *self,
                    gboolean     first_text,
                    gsize        n)
{
  const gsize b = MIN (hl_attention_get_sentence_b_start (self->shown_attention), n);

  return first_text ? (HlRange){ 0, b } : (HlRange){ b, n - b };
}

/**
 * hl_view_state_get_shown_queries:
 * @self: a view state
 *
 * Returns: the queries that are shown, after padding and sentences; at least one unless a sentence is all padding
 */
HlRange
hl_view_state_get_shown_queries (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), ((HlRange){ 0, 0 }));

  const gsize n = self->crop_padding ? hl_attention_get_n_used_queries (self->shown_attention)
                                     : hl_attention_get_n_queries (self->shown_attention);
  if (self->sentences == HL_SENTENCES_ALL)
    return (HlRange){ 0, n };
  return get_sentence_range (self,
                             self->sentences == HL_SENTENCES_A_TO_A || self->sentences == HL_SENTENCES_A_TO_B,
                             n);
}

/**
 * hl_view_state_get_shown_keys:
 * @self: a view state
 *
 * Returns: the keys that are shown, after padding and sentences
 */
HlRange
hl_view_state_get_shown_keys (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), ((HlRange){ 0, 0 }));

  const gsize n = self->crop_padding ? hl_attention_get_n_used_keys (self->shown_attention)
                                     : hl_attention_get_n_keys (self->shown_attention);
  if (self->sentences == HL_SENTENCES_ALL)
    return (HlRange){ 0, n };
  return get_sentence_range (self,
                             self->sentences == HL_SENTENCES_A_TO_A || self->sentences == HL_SENTENCES_B_TO_A,
                             n);
}
