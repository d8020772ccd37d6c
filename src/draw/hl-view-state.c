/* SPDX-License-Identifier: MIT */
/* What is looked at, and how. Views, panels and exports share one of these and do not know one another. Values are always consistent:
 * layer, heads and picks exist in the block, filters that the block does not know are off. */
#include "draw/hl-view-state.h"

#include "core/source/hl-filter-source.h"
#include "core/source/hl-qk-source.h"

#include <glib/gi18n-lib.h>
#include <math.h>

struct _HlViewState
{
  GObject parent_instance;

  HlExample *example;
  HlBlock *block;
  HlAttentionSource *block_source;
  HlAttentionSource *source;
  HlAttentionSource *shown_source;
  HlViewKind view;
  guint layer;
  guint head;
  HlHeadSet heads;
  HlPick hovered;
  HlPick pinned;
  double threshold;
  double top_mass;
  HlSentences sentences;
  gboolean crop_padding;
  HlColourMap colour_map;
  HlValueScaleKind value_scale;
  double score_scale;
  gboolean mask;
  gboolean dark;
};

enum
{
  PROP_EXAMPLE = 1,
  PROP_BLOCK,
  PROP_SOURCE,
  PROP_SHOWN_SOURCE,
  PROP_VIEW,
  PROP_LAYER,
  PROP_HEAD,
  PROP_HEADS,
  PROP_HOVERED,
  PROP_PINNED,
  PROP_THRESHOLD,
  PROP_TOP_MASS,
  PROP_SENTENCES,
  PROP_CROP_PADDING,
  PROP_COLOUR_MAP,
  PROP_VALUE_SCALE,
  PROP_SCORE_SCALE,
  PROP_MASK,
  PROP_DARK,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (HlViewState, hl_view_state, G_TYPE_OBJECT)

G_DEFINE_ENUM_TYPE (HlViewKind, hl_view_kind,
                    G_DEFINE_ENUM_VALUE (HL_VIEW_HEAD_VIEW, "head-view"),
                    G_DEFINE_ENUM_VALUE (HL_VIEW_HEATMAP, "heatmap"),
                    G_DEFINE_ENUM_VALUE (HL_VIEW_STEPS, "steps"),
                    G_DEFINE_ENUM_VALUE (HL_VIEW_NEURON, "neuron"))

G_DEFINE_ENUM_TYPE (HlSentences, hl_sentences,
                    G_DEFINE_ENUM_VALUE (HL_SENTENCES_ALL, "all"),
                    G_DEFINE_ENUM_VALUE (HL_SENTENCES_A_TO_A, "aa"),
                    G_DEFINE_ENUM_VALUE (HL_SENTENCES_B_TO_B, "bb"),
                    G_DEFINE_ENUM_VALUE (HL_SENTENCES_A_TO_B, "ab"),
                    G_DEFINE_ENUM_VALUE (HL_SENTENCES_B_TO_A, "ba"))

static void
notify (HlViewState *self,
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
    case PROP_BLOCK:
      g_value_set_object (value, self->block);
      break;
    case PROP_SOURCE:
      g_value_set_object (value, self->source);
      break;
    case PROP_SHOWN_SOURCE:
      g_value_set_object (value, self->shown_source);
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
    case PROP_SCORE_SCALE:
      g_value_set_double (value, self->score_scale);
      break;
    case PROP_MASK:
      g_value_set_boolean (value, self->mask);
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
    case PROP_BLOCK:
      hl_view_state_set_block (self, g_value_get_object (value));
      break;
    case PROP_VIEW:
      hl_view_state_set_view (self, g_value_get_enum (value));
      break;
    case PROP_LAYER:
      hl_view_state_set_layer (self, g_value_get_uint (value));
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
    case PROP_SCORE_SCALE:
      hl_view_state_set_score_scale (self, g_value_get_double (value));
      break;
    case PROP_MASK:
      hl_view_state_set_mask (self, g_value_get_boolean (value));
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

  g_clear_object (&self->example);
  g_clear_object (&self->block);
  g_clear_object (&self->block_source);
  g_clear_object (&self->source);
  g_clear_object (&self->shown_source);
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
  properties[PROP_BLOCK] = g_param_spec_object ("block", NULL, NULL, HL_TYPE_BLOCK, writable);
  properties[PROP_SOURCE] = g_param_spec_object ("source", NULL, NULL, HL_TYPE_ATTENTION_SOURCE, readable);
  properties[PROP_SHOWN_SOURCE] =
    g_param_spec_object ("shown-source", NULL, NULL, HL_TYPE_ATTENTION_SOURCE, readable);
  properties[PROP_VIEW] =
    g_param_spec_enum ("view", NULL, NULL, HL_TYPE_VIEW_KIND, HL_VIEW_HEAD_VIEW, writable);
  properties[PROP_LAYER] = g_param_spec_uint ("layer", NULL, NULL, 0, HL_MAX_LAYERS - 1, 0, writable);
  properties[PROP_HEAD] = g_param_spec_uint ("head", NULL, NULL, 0, HL_MAX_HEADS - 1, 0, readable);
  properties[PROP_HEADS] = g_param_spec_pointer ("heads", NULL, NULL, readable);
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
  properties[PROP_SCORE_SCALE] =
    g_param_spec_double ("score-scale", NULL, NULL, HL_MIN_SCORE_SCALE, HL_MAX_SCORE_SCALE, 1, writable);
  properties[PROP_MASK] = g_param_spec_boolean ("mask", NULL, NULL, TRUE, writable);
  properties[PROP_DARK] = g_param_spec_boolean ("dark", NULL, NULL, FALSE, writable);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
hl_view_state_init (HlViewState *self)
{
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
 * Starts at the first block, layer 0, head 0, with no filter.
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

/* The source as the filters leave it. Views that show how weights are made show all of them. */
static void
update_shown_source (HlViewState *self)
{
  g_autoptr (HlAttentionSource) shown = NULL;

  if (!hl_view_state_shows_steps (self) && (self->threshold > 0 || self->top_mass < 1))
    shown = hl_filter_source_new (self->source, self->threshold, self->top_mass);
  else
    shown = g_object_ref (self->source);
  if (g_set_object (&self->shown_source, shown))
    notify (self, PROP_SHOWN_SOURCE);
}

/* Scale and mask that were changed by hand count where they can be seen. */
static gboolean
is_altered (HlViewState *self)
{
  return hl_view_state_shows_steps (self) && hl_head_steps_are_known (self->block) &&
         (self->score_scale != 1 || !self->mask);
}

static void
update_source (HlViewState *self)
{
  g_autoptr (HlAttentionSource) source =
    is_altered (self) ? hl_qk_source_new_altered (self->block, self->score_scale, self->mask)
                      : g_object_ref (self->block_source);

  if (g_set_object (&self->source, source))
    notify (self, PROP_SOURCE);
  update_shown_source (self);
}

static void
set_pick (HlViewState  *self,
          HlPick       *slot,
          const HlPick *pick,
          guint         property)
{
  const HlPick none = { HL_PICK_NONE };

  if (pick == NULL)
    pick = &none;
  if (hl_pick_equal (slot, pick))
    return;
  *slot = *pick;
  notify (self, property);
}

static void
leave_matrix (HlViewState *self,
              HlPick      *slot,
              guint        property)
{
  HlPick pick = *slot;

  pick.step = HL_STEP_NONE;
  pick.feature = 0;
  set_pick (self, slot, &pick, property);
}

/* Picks that lie outside what is shown would be invisible, yet still rule the picture. */
static void
drop_invisible_picks (HlViewState *self)
{
  const HlRange queries = hl_view_state_get_shown_queries (self);
  const HlRange keys = hl_view_state_get_shown_keys (self);
  HlPick *picks[] = { &self->hovered, &self->pinned };
  const guint ids[] = { PROP_HOVERED, PROP_PINNED };

  for (guint i = 0; i < G_N_ELEMENTS (picks); i++)
    {
      const HlPickKind kind = picks[i]->kind;
      const gboolean has_query = kind == HL_PICK_QUERY || kind == HL_PICK_CELL;
      const gboolean has_key = kind == HL_PICK_KEY || kind == HL_PICK_CELL;
      if ((has_query && picks[i]->query - queries.first >= queries.n) ||
          (has_key && picks[i]->key - keys.first >= keys.n) ||
          (kind == HL_PICK_HEAD && picks[i]->head >= hl_view_state_get_n_heads (self)))
        set_pick (self, picks[i], NULL, ids[i]);
    }
}

/* After block or layer changed: the heads that this layer does not have go, and one at least stays. */
static void
clamp_heads (HlViewState *self)
{
  const guint n_heads = hl_view_state_get_n_heads (self);
  const HlHeadSet before = self->heads;
  const guint head_before = self->head;

  const gboolean was_empty = hl_head_set_count (&self->heads) == 0;
  hl_head_set_truncate (&self->heads, n_heads);
  self->head = MIN (self->head, n_heads - 1);
  if (!was_empty && hl_head_set_count (&self->heads) == 0)
    hl_head_set_add (&self->heads, self->head);

  if (self->head != head_before)
    notify (self, PROP_HEAD);
  if (!hl_head_set_equal (&before, &self->heads))
    notify (self, PROP_HEADS);
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
 * Stays at the same kind of block, layer and heads where the example has them.
 */
void
hl_view_state_set_example (HlViewState *self,
                           HlExample   *example)
{
  HlBlock *block = NULL;

  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (HL_IS_EXAMPLE (example));

  if (!g_set_object (&self->example, example))
    return;
  g_object_freeze_notify (G_OBJECT (self));
  notify (self, PROP_EXAMPLE);
  if (self->block != NULL)
    block = hl_example_find_block (example, hl_block_get_kind (self->block));
  if (block == NULL)
    block = hl_example_get_block (example, 0);
  hl_view_state_set_block (self, block);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_get_block:
 * @self: a view state
 *
 * Returns: (transfer none): the block that is looked at
 */
HlBlock *
hl_view_state_get_block (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->block;
}

/**
 * hl_view_state_set_block:
 * @self: a view state
 * @block: a block of the example
 */
void
hl_view_state_set_block (HlViewState *self,
                         HlBlock     *block)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (HL_IS_BLOCK (block));

  if (block == self->block)
    return;

  const gboolean is_first = self->block == NULL;
  g_object_freeze_notify (G_OBJECT (self));
  g_set_object (&self->block, block);
  g_clear_object (&self->block_source);
  self->block_source = hl_attention_source_new_for_block (block);
  notify (self, PROP_BLOCK);
  update_source (self);

  if (self->layer >= hl_block_get_n_layers (block))
    {
      self->layer = hl_block_get_n_layers (block) - 1;
      notify (self, PROP_LAYER);
    }
  if (is_first)
    hl_head_set_add (&self->heads, 0);
  clamp_heads (self);
  if (self->sentences != HL_SENTENCES_ALL && hl_block_get_sentence_b_start (block) == 0)
    hl_view_state_set_sentences (self, HL_SENTENCES_ALL);
  set_pick (self, &self->hovered, NULL, PROP_HOVERED);
  set_pick (self, &self->pinned, NULL, PROP_PINNED);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_get_source:
 * @self: a view state
 *
 * Returns: (transfer none): the block's weights as they are; in views that show how they are made, with the scale and the mask of the
 *   view
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
 * hl_view_state_get_view:
 * @self: a view state
 *
 * Returns: the kind of picture
 */
HlViewKind
hl_view_state_get_view (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), HL_VIEW_HEAD_VIEW);

  return self->view;
}

/**
 * hl_view_state_set_view:
 * @self: a view state
 * @view: the kind of picture
 */
void
hl_view_state_set_view (HlViewState *self,
                        HlViewKind   view)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  if (self->view == view)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  self->view = view;
  notify (self, PROP_VIEW);
  /* A matrix of one view is no place in another; the token is. */
  leave_matrix (self, &self->pinned, PROP_PINNED);
  leave_matrix (self, &self->hovered, PROP_HOVERED);
  update_source (self);
  g_object_thaw_notify (G_OBJECT (self));
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

  return self->view != HL_VIEW_HEAD_VIEW;
}

/**
 * hl_view_state_shows_steps:
 * @self: a view state
 *
 * Returns: whether the view shows how weights follow from queries and keys; filters are not in force then, scale and mask of the view are
 */
gboolean
hl_view_state_shows_steps (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  return self->view == HL_VIEW_STEPS || self->view == HL_VIEW_NEURON;
}

/**
 * hl_view_state_get_layer:
 * @self: a view state
 *
 * Returns: the layer, from 0
 */
guint
hl_view_state_get_layer (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), 0);

  return self->layer;
}

/**
 * hl_view_state_set_layer:
 * @self: a view state
 * @layer: the layer; past the last, the last
 *
 * Changes the layer and keeps the heads, as far as the layer has them.
 */
void
hl_view_state_set_layer (HlViewState *self,
                         guint        layer)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  layer = MIN (layer, hl_block_get_n_layers (self->block) - 1);
  if (self->layer == layer)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  self->layer = layer;
  notify (self, PROP_LAYER);
  clamp_heads (self);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_get_head:
 * @self: a view state
 *
 * Returns: the head in the foreground: the one that a heatmap shows
 */
guint
hl_view_state_get_head (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), 0);

  return self->head;
}

/**
 * hl_view_state_go_to:
 * @self: a view state
 * @layer: a layer; past the last, the last
 * @head: a head; past the last, the last
 *
 * Shows one head alone.
 */
void
hl_view_state_go_to (HlViewState *self,
                     guint        layer,
                     guint        head)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  g_object_freeze_notify (G_OBJECT (self));
  hl_view_state_set_layer (self, layer);
  hl_view_state_isolate_head (self, MIN (head, hl_view_state_get_n_heads (self) - 1));
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_get_n_heads:
 * @self: a view state
 *
 * Returns: how many heads the layer has
 */
guint
hl_view_state_get_n_heads (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), 0);

  return hl_attention_source_get_n_heads (self->source, self->layer);
}

/**
 * hl_view_state_get_heads:
 * @self: a view state
 *
 * Returns: (transfer none): the heads that the head view shows; may be none
 */
const HlHeadSet *
hl_view_state_get_heads (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return &self->heads;
}

/**
 * hl_view_state_set_heads:
 * @self: a view state
 * @heads: heads of the layer
 *
 * Shows these heads together. The head in the foreground becomes the first of them unless it is among them.
 */
void
hl_view_state_set_heads (HlViewState     *self,
                         const HlHeadSet *heads)
{
  HlHeadSet valid = *heads;
  guint head;

  g_return_if_fail (HL_IS_VIEW_STATE (self));

  hl_head_set_truncate (&valid, hl_view_state_get_n_heads (self));
  if (hl_head_set_equal (&valid, &self->heads))
    return;
  g_object_freeze_notify (G_OBJECT (self));
  self->heads = valid;
  notify (self, PROP_HEADS);
  if (!hl_head_set_contains (&valid, self->head) && hl_head_set_count (&valid) > 0)
    {
      for (head = 0; !hl_head_set_contains (&valid, head);)
        head++;
      self->head = head;
      notify (self, PROP_HEAD);
    }
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_toggle_head:
 * @self: a view state
 * @head: a head of the layer
 *
 * Adds a head to those shown, or takes it away.
 */
void
hl_view_state_toggle_head (HlViewState *self,
                           guint        head)
{
  HlHeadSet heads;

  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (head < hl_view_state_get_n_heads (self));

  heads = self->heads;
  if (hl_head_set_contains (&heads, head))
    hl_head_set_remove (&heads, head);
  else
    hl_head_set_add (&heads, head);
  hl_view_state_set_heads (self, &heads);
}

/**
 * hl_view_state_isolate_head:
 * @self: a view state
 * @head: a head of the layer
 *
 * Shows this head alone and brings it to the foreground.
 */
void
hl_view_state_isolate_head (HlViewState *self,
                            guint        head)
{
  HlHeadSet heads = { { 0 } };

  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (head < hl_view_state_get_n_heads (self));

  hl_head_set_add (&heads, head);
  hl_view_state_set_heads (self, &heads);
}

/**
 * hl_view_state_select_all_heads:
 * @self: a view state
 *
 * Shows all heads of the layer.
 */
void
hl_view_state_select_all_heads (HlViewState *self)
{
  HlHeadSet heads = { { 0 } };

  g_return_if_fail (HL_IS_VIEW_STATE (self));

  for (guint head = 0; head < hl_view_state_get_n_heads (self); head++)
    hl_head_set_add (&heads, head);
  hl_view_state_set_heads (self, &heads);
}

/**
 * hl_view_state_select_no_heads:
 * @self: a view state
 *
 * Shows no head.
 */
void
hl_view_state_select_no_heads (HlViewState *self)
{
  const HlHeadSet heads = { { 0 } };

  g_return_if_fail (HL_IS_VIEW_STATE (self));

  hl_view_state_set_heads (self, &heads);
}

/**
 * hl_view_state_get_hovered:
 * @self: a view state
 *
 * Returns: (transfer none): what the pointer is over
 */
const HlPick *
hl_view_state_get_hovered (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return &self->hovered;
}

/**
 * hl_view_state_set_hovered:
 * @self: a view state
 * @pick: (nullable): what the pointer is over; %NULL for nothing
 */
void
hl_view_state_set_hovered (HlViewState  *self,
                           const HlPick *pick)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  set_pick (self, &self->hovered, pick, PROP_HOVERED);
}

/**
 * hl_view_state_get_pinned:
 * @self: a view state
 *
 * Returns: (transfer none): what was pinned by a click
 */
const HlPick *
hl_view_state_get_pinned (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return &self->pinned;
}

/**
 * hl_view_state_set_pinned:
 * @self: a view state
 * @pick: (nullable): a token or a cell to pin; %NULL to free
 */
void
hl_view_state_set_pinned (HlViewState  *self,
                          const HlPick *pick)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (pick == NULL || pick->kind != HL_PICK_HEAD);

  set_pick (self, &self->pinned, pick, PROP_PINNED);
}

/**
 * hl_view_state_get_focus:
 * @self: a view state
 *
 * What is pinned rules until it is freed: a pin that gave way to every movement of the pointer could not be read.
 *
 * Returns: (transfer none): the token or cell that views and panels tell about: the pinned one, else the hovered one
 */
const HlPick *
hl_view_state_get_focus (HlViewState *self)
{
  static const HlPick none = { HL_PICK_NONE };

  g_return_val_if_fail (HL_IS_VIEW_STATE (self), &none);

  if (self->pinned.kind != HL_PICK_NONE)
    return &self->pinned;
  return self->hovered.kind != HL_PICK_HEAD ? &self->hovered : &none;
}

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
  notify (self, PROP_THRESHOLD);
  update_shown_source (self);
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
  notify (self, PROP_TOP_MASS);
  update_shown_source (self);
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

  if (hl_block_get_sentence_b_start (self->block) == 0)
    sentences = HL_SENTENCES_ALL;
  if (self->sentences == sentences)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  self->sentences = sentences;
  notify (self, PROP_SENTENCES);
  drop_invisible_picks (self);
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
  notify (self, PROP_CROP_PADDING);
  drop_invisible_picks (self);
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
  notify (self, PROP_COLOUR_MAP);
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
  self->value_scale = value_scale;
  notify (self, PROP_VALUE_SCALE);
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
  notify (self, PROP_SCORE_SCALE);
  update_source (self);
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
  notify (self, PROP_MASK);
  update_source (self);
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

  const HlMask *mask = &hl_block_get_rule (self->block, self->layer)->mask;
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
  notify (self, PROP_DARK);
}

/* The tokens of one text of a pair, or all. */
static HlRange
get_sentence_range (HlViewState *self,
                    gboolean     first_text,
                    gsize        n)
{
  const gsize b = MIN (hl_block_get_sentence_b_start (self->block), n);

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

  const gsize n =
    self->crop_padding ? hl_block_get_n_used_queries (self->block) : hl_block_get_n_queries (self->block);
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

  const gsize n = self->crop_padding ? hl_block_get_n_used_keys (self->block) : hl_block_get_n_keys (self->block);
  if (self->sentences == HL_SENTENCES_ALL)
    return (HlRange){ 0, n };
  return get_sentence_range (self,
                             self->sentences == HL_SENTENCES_A_TO_A || self->sentences == HL_SENTENCES_B_TO_A,
                             n);
}

static void
append_part (GString    *text,
             const char *part)
{
  if (text->len > 0)
    g_string_append (text, " · ");
  g_string_append (text, part);
}

/* "3", "0, 2, 5", "0–11": runs of three and more are drawn together. */
static char *
format_heads (const HlHeadSet *heads,
              guint            n_heads)
{
  GString *text = g_string_new (NULL);

  for (guint head = 0; head < n_heads; head++)
    {
      guint last = head;
      if (!hl_head_set_contains (heads, head))
        continue;
      while (last + 1 < n_heads && hl_head_set_contains (heads, last + 1))
        last++;
      if (text->len > 0)
        g_string_append (text, ", ");
      if (last - head >= 2)
        {
          g_string_append_printf (text, "%u–%u", head, last);
          head = last;
        }
      else
        g_string_append_printf (text, "%u", head);
    }
  return g_string_free (text, FALSE);
}

static void
append_alterations (GString     *text,
                    HlViewState *self)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (!hl_head_steps_are_known (self->block))
    {
      append_part (text, _ ("no queries and keys"));
      return;
    }
  if (self->score_scale != 1)
    {
      g_ascii_formatd (number, sizeof number, "%.3g", self->score_scale);
      /* Translators: a number, by which scores are multiplied */
      g_autofree char *part = g_strdup_printf (_ ("scores × %s"), number);
      append_part (text, part);
    }
  if (!self->mask && hl_view_state_has_mask (self))
    append_part (text, _ ("mask off"));
}

/**
 * hl_view_state_describe:
 * @self: a view state
 *
 * Says what is shown: the quantity, where it is from, and what was left out. Every view and every export carries it.
 *
 * Returns: (transfer full): "attention weight · layer 3 · head 5 · weights from 0.05", translated
 */
char *
hl_view_state_describe (HlViewState *self)
{
  static const char *const sentences[] = { NULL, "A → A", "B → B", "A → B", "B → A" };
  GString *text = g_string_new (NULL);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  append_part (text, hl_attention_source_get_quantity (self->source));
  if (hl_block_get_kind (self->block) != HL_BLOCK_ATTENTION)
    append_part (text, hl_block_kind_get_label (hl_block_get_kind (self->block)));

  g_autofree char *layer = g_strdup_printf (_ ("layer %u"), self->layer);
  append_part (text, layer);

  const guint n_shown = hl_head_set_count (&self->heads);
  g_autofree char *head = NULL;
  if (hl_view_state_shows_one_head (self) || n_shown == 1)
    head = g_strdup_printf (_ ("head %u"), self->head);
  else if (n_shown == 0)
    head = g_strdup (_ ("no heads"));
  else
    {
      g_autofree char *list = format_heads (&self->heads, hl_view_state_get_n_heads (self));
      head = g_strdup_printf (_ ("heads %s"), list);
    }
  append_part (text, head);

  if (self->sentences != HL_SENTENCES_ALL)
    append_part (text, sentences[self->sentences]);
  if (hl_view_state_shows_steps (self))
    {
      append_alterations (text, self);
      return g_string_free (text, FALSE);
    }
  if (self->threshold > 0)
    {
      g_autofree char *part =
        g_strdup_printf (_ ("weights from %s"), g_ascii_formatd (number, sizeof number, "%.3g", self->threshold));
      append_part (text, part);
    }
  if (self->top_mass < 1)
    {
      g_autofree char *part = g_strdup_printf (_ ("top keys holding %d %%"), (int) lround (self->top_mass * 100));
      append_part (text, part);
    }
  if (self->view == HL_VIEW_HEATMAP && self->value_scale != HL_VALUE_SCALE_LINEAR)
    append_part (text, hl_value_scale_kind_get_display_name (self->value_scale));
  return g_string_free (text, FALSE);
}
