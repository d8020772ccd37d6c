/* SPDX-License-Identifier: MIT */
/*
 * What is looked at, and how. Views, panels and exports share one of these and do not know one another. Values are
 * always consistent: layer, heads and picks exist in the attention, filters that the attention does not know are off.
 */
#include "view/hl-view-state-private.h"

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (HlViewState, hl_view_state, G_TYPE_OBJECT)

void
hl_view_state_notify (HlViewState *self,
                      guint        property)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

static void
hl_view_state_get_property (GObject    *object,
                            guint       id,
                            GValue     *value,
                            GParamSpec *pspec)
{
  HlViewState *self = HL_VIEW_STATE (object);

  switch (id)
    {
    case PROP_EXAMPLE:
      g_value_set_object (value, self->example);
      break;
    case PROP_ATTENTION:
      g_value_set_object (value, self->attention);
      break;
    case PROP_SHOWN_ATTENTION:
      g_value_set_object (value, self->shown_attention);
      break;
    case PROP_SOURCE:
      g_value_set_object (value, self->source);
      break;
    case PROP_SHOWN_SOURCE:
      g_value_set_object (value, self->shown_source);
      break;
    case PROP_OTHER_ATTENTION:
      g_value_set_object (value, self->other_attention);
      break;
    case PROP_BESIDE:
      g_value_set_object (value, self->beside);
      break;
    case PROP_COMPARED:
      g_value_set_object (value, hl_view_state_get_compared (self));
      break;
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    case PROP_VIEW:
      g_value_set_enum (value, self->view);
      break;
    case PROP_LAYER:
      g_value_set_uint (value, self->layer);
      break;
    case PROP_HEAD:
      g_value_set_uint (value, self->head);
      break;
    case PROP_HEADS:
      g_value_set_pointer (value, &self->heads);
      break;
    case PROP_LAYERS:
      g_value_set_pointer (value, &self->lens.layers);
      break;
    case PROP_COMBINE:
      g_value_set_enum (value, self->lens.combine);
      break;
    case PROP_COMBINE_OVER:
      g_value_set_enum (value, self->lens.combine_over);
      break;
    case PROP_DIRECTION:
      g_value_set_enum (value, self->lens.direction);
      break;
    case PROP_WORDS:
      g_value_set_boolean (value, self->lens.words);
      break;
    case PROP_HIDE_SPECIAL:
      g_value_set_boolean (value, self->lens.hide_special);
      break;
    case PROP_HIDE_FIRST:
      g_value_set_boolean (value, self->lens.hide_first);
      break;
    case PROP_HIDDEN:
      g_value_take_string (value, hl_view_state_dup_hidden (self));
      break;
    case PROP_RENORMALISE:
      g_value_set_boolean (value, self->lens.renormalise);
      break;
    case PROP_HOVERED:
      g_value_set_boxed (value, &self->hovered);
      break;
    case PROP_PINNED:
      g_value_set_boxed (value, &self->pinned);
      break;
    case PROP_THRESHOLD:
      g_value_set_double (value, self->threshold);
      break;
    case PROP_TOP_MASS:
      g_value_set_double (value, self->top_mass);
      break;
    case PROP_SENTENCES:
      g_value_set_enum (value, self->sentences);
      break;
    case PROP_CROP_PADDING:
      g_value_set_boolean (value, self->crop_padding);
      break;
    case PROP_COLOUR_MAP:
      g_value_set_enum (value, self->colour_map);
      break;
    case PROP_VALUE_SCALE:
      g_value_set_enum (value, self->value_scale);
      break;
    case PROP_THUMBNAILS:
      g_value_set_enum (value, self->thumbnails);
      break;
    case PROP_SORT:
      g_value_set_enum (value, self->sort);
      break;
    case PROP_COLOUR_BY:
      g_value_set_enum (value, self->colour_by);
      break;
    case PROP_PAIRS:
      g_value_set_string (value, self->pairs);
      break;
    case PROP_NUMBERS:
      g_value_set_pointer (value, self->numbers);
      break;
    case PROP_SCORE_SCALE:
      g_value_set_double (value, self->score_scale);
      break;
    case PROP_MASK:
      g_value_set_boolean (value, self->mask);
      break;
    case PROP_ORIENTATION:
      g_value_set_enum (value, self->orientation);
      break;
    case PROP_READING:
      g_value_set_enum (value, self->reading);
      break;
    case PROP_DARK:
      g_value_set_boolean (value, self->dark);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_view_state_set_property (GObject      *object,
                            guint         id,
                            const GValue *value,
                            GParamSpec   *pspec)
{
  HlViewState *self = HL_VIEW_STATE (object);

  switch (id)
    {
    case PROP_EXAMPLE:
      hl_view_state_set_example (self, g_value_get_object (value));
      break;
    case PROP_ATTENTION:
      hl_view_state_set_attention (self, g_value_get_object (value));
      break;
    case PROP_VIEW:
      hl_view_state_set_view (self, g_value_get_enum (value));
      break;
    case PROP_LAYER:
      hl_view_state_set_layer (self, g_value_get_uint (value));
      break;
    case PROP_COMBINE:
      hl_view_state_set_combine (self, g_value_get_enum (value));
      break;
    case PROP_COMBINE_OVER:
      hl_view_state_set_combine_over (self, g_value_get_enum (value));
      break;
    case PROP_DIRECTION:
      hl_view_state_set_direction (self, g_value_get_enum (value));
      break;
    case PROP_WORDS:
      hl_view_state_set_words (self, g_value_get_boolean (value));
      break;
    case PROP_HIDE_SPECIAL:
      hl_view_state_set_hide_special (self, g_value_get_boolean (value));
      break;
    case PROP_HIDE_FIRST:
      hl_view_state_set_hide_first (self, g_value_get_boolean (value));
      break;
    case PROP_HIDDEN:
      hl_view_state_set_hidden (self, g_value_get_string (value));
      break;
    case PROP_RENORMALISE:
      hl_view_state_set_renormalise (self, g_value_get_boolean (value));
      break;
    case PROP_HOVERED:
      hl_view_state_set_hovered (self, g_value_get_boxed (value));
      break;
    case PROP_PINNED:
      hl_view_state_set_pinned (self, g_value_get_boxed (value));
      break;
    case PROP_THRESHOLD:
      hl_view_state_set_threshold (self, g_value_get_double (value));
      break;
    case PROP_TOP_MASS:
      hl_view_state_set_top_mass (self, g_value_get_double (value));
      break;
    case PROP_SENTENCES:
      hl_view_state_set_sentences (self, g_value_get_enum (value));
      break;
    case PROP_CROP_PADDING:
      hl_view_state_set_crop_padding (self, g_value_get_boolean (value));
      break;
    case PROP_COLOUR_MAP:
      hl_view_state_set_colour_map (self, g_value_get_enum (value));
      break;
    case PROP_VALUE_SCALE:
      hl_view_state_set_value_scale (self, g_value_get_enum (value));
      break;
    case PROP_THUMBNAILS:
      hl_view_state_set_thumbnails (self, g_value_get_enum (value));
      break;
    case PROP_SORT:
      hl_view_state_set_sort (self, g_value_get_enum (value));
      break;
    case PROP_COLOUR_BY:
      hl_view_state_set_colour_by (self, g_value_get_enum (value));
      break;
    case PROP_PAIRS:
      hl_view_state_set_pairs (self, g_value_get_string (value));
      break;
    case PROP_SCORE_SCALE:
      hl_view_state_set_score_scale (self, g_value_get_double (value));
      break;
    case PROP_MASK:
      hl_view_state_set_mask (self, g_value_get_boolean (value));
      break;
    case PROP_ORIENTATION:
      hl_view_state_set_orientation (self, g_value_get_enum (value));
      break;
    case PROP_READING:
      hl_view_state_set_reading (self, g_value_get_enum (value));
      break;
    case PROP_DARK:
      hl_view_state_set_dark (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_view_state_finalize (GObject *object)
{
  HlViewState *self = HL_VIEW_STATE (object);

  hl_view_state_leave_beside (self);
  g_clear_object (&self->example);
  g_clear_object (&self->attention);
  g_clear_object (&self->attention_source);
  g_clear_object (&self->applied_to);
  g_clear_object (&self->shown_attention);
  g_clear_object (&self->weighed_attention);
  g_clear_object (&self->source);
  g_clear_object (&self->shown_source);
  g_free (self->pairs);
  g_clear_pointer (&self->found_pairs, hl_token_pairs_unref);
  g_clear_pointer (&self->numbers, hl_head_numbers_unref);
  g_clear_object (&self->other_attention);
  g_clear_object (&self->compared);
  g_clear_object (&self->comparison);
  hl_view_state_set_aligner (self, NULL);
  g_free (self->name);
  g_free (self->other_name);
  hl_view_state_keep_lens (self, &(HlLens){ 0 });
  for (guint kind = 0; kind < G_N_ELEMENTS (self->hidden); kind++)
    {
      g_clear_pointer (&self->hidden[kind].queries, hl_token_set_unref);
      g_clear_pointer (&self->hidden[kind].keys, hl_token_set_unref);
    }
  G_OBJECT_CLASS (hl_view_state_parent_class)->finalize (object);
}

static void
hl_view_state_class_init (HlViewStateClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  const GParamFlags writable = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = hl_view_state_get_property;
  object_class->set_property = hl_view_state_set_property;
  object_class->finalize = hl_view_state_finalize;

  properties[PROP_EXAMPLE] = g_param_spec_object ("example", NULL, NULL, HL_TYPE_EXAMPLE, writable);
  properties[PROP_ATTENTION] = g_param_spec_object ("attention", NULL, NULL, HL_TYPE_ATTENTION, writable);
  properties[PROP_SHOWN_ATTENTION] = g_param_spec_object ("shown-attention", NULL, NULL, HL_TYPE_ATTENTION, readable);
  properties[PROP_SOURCE] = g_param_spec_object ("source", NULL, NULL, HL_TYPE_ATTENTION_SOURCE, readable);
  properties[PROP_SHOWN_SOURCE] =
    g_param_spec_object ("shown-source", NULL, NULL, HL_TYPE_ATTENTION_SOURCE, readable);
  properties[PROP_OTHER_ATTENTION] = g_param_spec_object ("other-attention", NULL, NULL, HL_TYPE_ATTENTION, readable);
  properties[PROP_BESIDE] = g_param_spec_object ("beside", NULL, NULL, HL_TYPE_VIEW_STATE, readable);
  properties[PROP_COMPARED] = g_param_spec_object ("compared", NULL, NULL, HL_TYPE_COMPARISON, readable);
  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, readable);
  properties[PROP_VIEW] =
    g_param_spec_enum ("view", NULL, NULL, HL_TYPE_VIEW_KIND, HL_VIEW_DEFAULT, writable);
  properties[PROP_LAYER] = g_param_spec_uint ("layer", NULL, NULL, 0, HL_MAX_LAYERS - 1, 0, writable);
  properties[PROP_HEAD] = g_param_spec_uint ("head", NULL, NULL, 0, HL_MAX_HEADS - 1, 0, readable);
  properties[PROP_HEADS] = g_param_spec_pointer ("heads", NULL, NULL, readable);
  properties[PROP_LAYERS] = g_param_spec_pointer ("layers", NULL, NULL, readable);
  properties[PROP_COMBINE] =
    g_param_spec_enum ("combine", NULL, NULL, HL_TYPE_COMBINE, HL_COMBINE_NONE, writable);
  properties[PROP_COMBINE_OVER] =
    g_param_spec_enum ("combine-over", NULL, NULL, HL_TYPE_COMBINE_OVER, HL_COMBINE_OVER_HEADS, writable);
  properties[PROP_DIRECTION] =
    g_param_spec_enum ("direction", NULL, NULL, HL_TYPE_DIRECTION, HL_DIRECTION_AS_IS, writable);
  properties[PROP_WORDS] = g_param_spec_boolean ("words", NULL, NULL, FALSE, writable);
  properties[PROP_HIDE_SPECIAL] = g_param_spec_boolean ("hide-special", NULL, NULL, FALSE, writable);
  properties[PROP_HIDE_FIRST] = g_param_spec_boolean ("hide-first", NULL, NULL, FALSE, writable);
  properties[PROP_HIDDEN] = g_param_spec_string ("hidden", NULL, NULL, "", writable);
  properties[PROP_RENORMALISE] = g_param_spec_boolean ("renormalise", NULL, NULL, FALSE, writable);
  properties[PROP_HOVERED] = g_param_spec_boxed ("hovered", NULL, NULL, HL_TYPE_PICK, writable);
  properties[PROP_PINNED] = g_param_spec_boxed ("pinned", NULL, NULL, HL_TYPE_PICK, writable);
  properties[PROP_THRESHOLD] = g_param_spec_double ("threshold", NULL, NULL, 0, 1, 0, writable);
  properties[PROP_TOP_MASS] = g_param_spec_double ("top-mass", NULL, NULL, 0, 1, 1, writable);
  properties[PROP_SENTENCES] =
    g_param_spec_enum ("sentences", NULL, NULL, HL_TYPE_SENTENCES, HL_SENTENCES_ALL, writable);
  properties[PROP_CROP_PADDING] = g_param_spec_boolean ("crop-padding", NULL, NULL, TRUE, writable);
  properties[PROP_COLOUR_MAP] =
    g_param_spec_enum ("colour-map", NULL, NULL, HL_TYPE_COLOUR_MAP, HL_COLOUR_MAP_VIRIDIS, writable);
  properties[PROP_VALUE_SCALE] =
    g_param_spec_enum ("value-scale", NULL, NULL, HL_TYPE_VALUE_SCALE_KIND, HL_VALUE_SCALE_LINEAR, writable);
  properties[PROP_THUMBNAILS] =
    g_param_spec_enum ("thumbnails", NULL, NULL, HL_TYPE_THUMBNAIL_KIND, HL_THUMBNAIL_HEATMAP, writable);
  properties[PROP_SORT] =
    g_param_spec_enum ("sort", NULL, NULL, HL_TYPE_HEAD_MEASURE, HL_HEAD_MEASURE_NONE, writable);
  properties[PROP_COLOUR_BY] =
    g_param_spec_enum ("colour-by", NULL, NULL, HL_TYPE_HEAD_MEASURE, HL_HEAD_MEASURE_NONE, writable);
  properties[PROP_PAIRS] = g_param_spec_string ("pairs", NULL, NULL, NULL, writable);
  properties[PROP_NUMBERS] = g_param_spec_pointer ("numbers", NULL, NULL, readable);
  properties[PROP_SCORE_SCALE] =
    g_param_spec_double ("score-scale", NULL, NULL, HL_MIN_SCORE_SCALE, HL_MAX_SCORE_SCALE, 1, writable);
  properties[PROP_MASK] = g_param_spec_boolean ("mask", NULL, NULL, TRUE, writable);
  properties[PROP_ORIENTATION] =
    g_param_spec_enum ("orientation", NULL, NULL, HL_TYPE_ORIENTATION, HL_ORIENTATION_VERTICAL, writable);
  properties[PROP_READING] =
    g_param_spec_enum ("reading", NULL, NULL, HL_TYPE_READING, HL_READING_AUTO, writable);
  properties[PROP_DARK] = g_param_spec_boolean ("dark", NULL, NULL, FALSE, writable);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
hl_view_state_init (HlViewState *self)
{
  self->pairing = (HlHeadPairing){ -1, -1 };
  self->top_mass = 1;
  self->crop_padding = TRUE;
  self->score_scale = 1;
  self->mask = TRUE;
  self->colour_map = HL_COLOUR_MAP_VIRIDIS;
}

/**
 * hl_view_state_new:
 * @example: what to look at
 *
 * Starts at the first attention, layer 0, head 0, with no filter.
 *
 * Returns: (transfer full): a view state
 */
HlViewState *
hl_view_state_new (HlExample *example)
{
  HlViewState *self = g_object_new (HL_TYPE_VIEW_STATE, NULL);

  g_return_val_if_fail (HL_IS_EXAMPLE (example), NULL);

  hl_view_state_set_example (self, example);
  return self;
}
