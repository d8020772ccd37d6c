/* SPDX-License-Identifier: MIT */
/*
 * What is looked at, and how. Views, panels and exports share one of these and do not know one another. Values are
 * always consistent: layer, heads and picks exist in the attention, filters that the attention does not know are off.
 */
#include "view/hl-view-state-private.h"

/* Those of the options follow from their table. */
static GParamSpec *properties[N_PROPERTIES];
static HlChanges property_changes[N_PROPERTIES];
static guint changed_signal;

G_DEFINE_FINAL_TYPE (HlViewState, hl_view_state, G_TYPE_OBJECT)

void
hl_view_state_notify (HlViewState *self,
                      guint        property)
{
  if (property != PROP_HOVERED)
    self->serial++;
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

/* Another after every change but that of what is hovered: for those who keep what they made of the rest. */
guint
hl_view_state_get_serial (HlViewState *self)
{
  return self->serial;
}

static const HlViewOption *
get_option (guint id)
{
  guint n;
  const HlViewOption *table = hl_view_options_get_table (&n);

  return id >= PROP_OPTIONS && id - PROP_OPTIONS < n ? &table[id - PROP_OPTIONS] : NULL;
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
      g_value_set_pointer (value, &self->layers);
      break;
    case PROP_HIDDEN:
      g_value_take_string (value, hl_view_state_dup_hidden (self));
      break;
    case PROP_HOVERED:
      g_value_set_boxed (value, &self->hovered);
      break;
    case PROP_PINNED:
      g_value_set_boxed (value, &self->pinned);
      break;
    case PROP_PAIRS:
      g_value_set_string (value, self->pairs);
      break;
    case PROP_NUMBERS:
      g_value_set_pointer (value, self->numbers);
      break;
    default:
      g_return_if_fail (get_option (id) != NULL);
      hl_view_option_get_value (get_option (id), &self->options, value);
    }
}

static void
hl_view_state_set_property (GObject      *object,
                            guint         id,
                            const GValue *value,
                            GParamSpec   *pspec)
{
  HlViewState *self = HL_VIEW_STATE (object);
  HlViewOptions options = self->options;

  switch (id)
    {
    case PROP_EXAMPLE:
      hl_view_state_set_example (self, g_value_get_object (value));
      break;
    case PROP_ATTENTION:
      hl_view_state_set_attention (self, g_value_get_object (value));
      break;
    case PROP_LAYER:
      hl_view_state_set_layer (self, g_value_get_uint (value));
      break;
    case PROP_HIDDEN:
      hl_view_state_set_hidden (self, g_value_get_string (value));
      break;
    case PROP_HOVERED:
      hl_view_state_set_hovered (self, g_value_get_boxed (value));
      break;
    case PROP_PINNED:
      hl_view_state_set_pinned (self, g_value_get_boxed (value));
      break;
    case PROP_PAIRS:
      hl_view_state_set_pairs (self, g_value_get_string (value));
      break;
    default:
      g_return_if_fail (get_option (id) != NULL);
      hl_view_option_set_value (get_option (id), &options, value);
      hl_view_state_set_options (self, &options);
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

/* What changed at once is said at once. */
static void
hl_view_state_dispatch_properties_changed (GObject     *object,
                                           guint        n_pspecs,
                                           GParamSpec **pspecs)
{
  HlChanges changes = 0;

  G_OBJECT_CLASS (hl_view_state_parent_class)->dispatch_properties_changed (object, n_pspecs, pspecs);
  for (guint i = 0; i < n_pspecs; i++)
    changes |= property_changes[pspecs[i]->param_id];
  g_signal_emit (object, changed_signal, 0, changes);
}

static void
install (GObjectClass *klass,
         guint         id,
         GParamSpec   *pspec,
         HlChanges     changes)
{
  properties[id] = pspec;
  property_changes[id] = changes;
  g_object_class_install_property (klass, id, pspec);
}

static void
hl_view_state_class_init (HlViewStateClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  const GParamFlags writable = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  const struct
  {
    guint id;
    HlChanges changes;
    GParamSpec *pspec;
  } own[] = {
    { PROP_EXAMPLE, HL_CHANGED_EXAMPLE, g_param_spec_object ("example", NULL, NULL, HL_TYPE_EXAMPLE, writable) },
    { PROP_ATTENTION, HL_CHANGED_ATTENTION,
      g_param_spec_object ("attention", NULL, NULL, HL_TYPE_ATTENTION, writable) },
    { PROP_SHOWN_ATTENTION, HL_CHANGED_SHOWN_ATTENTION,
      g_param_spec_object ("shown-attention", NULL, NULL, HL_TYPE_ATTENTION, readable) },
    { PROP_SOURCE, HL_CHANGED_SOURCE,
      g_param_spec_object ("source", NULL, NULL, HL_TYPE_ATTENTION_SOURCE, readable) },
    { PROP_SHOWN_SOURCE, HL_CHANGED_SHOWN_SOURCE,
      g_param_spec_object ("shown-source", NULL, NULL, HL_TYPE_ATTENTION_SOURCE, readable) },
    { PROP_LAYER, HL_CHANGED_LAYER, g_param_spec_uint ("layer", NULL, NULL, 0, HL_MAX_LAYERS - 1, 0, writable) },
    { PROP_HEAD, HL_CHANGED_HEAD, g_param_spec_uint ("head", NULL, NULL, 0, HL_MAX_HEADS - 1, 0, readable) },
    { PROP_HEADS, HL_CHANGED_HEADS, g_param_spec_pointer ("heads", NULL, NULL, readable) },
    { PROP_LAYERS, HL_CHANGED_LAYERS, g_param_spec_pointer ("layers", NULL, NULL, readable) },
    { PROP_HIDDEN, HL_CHANGED_HIDDEN, g_param_spec_string ("hidden", NULL, NULL, "", writable) },
    { PROP_HOVERED, HL_CHANGED_HOVER, g_param_spec_boxed ("hovered", NULL, NULL, HL_TYPE_PICK, writable) },
    { PROP_PINNED, HL_CHANGED_PIN, g_param_spec_boxed ("pinned", NULL, NULL, HL_TYPE_PICK, writable) },
    { PROP_PAIRS, HL_CHANGED_PAIRS, g_param_spec_string ("pairs", NULL, NULL, NULL, writable) },
    { PROP_NUMBERS, HL_CHANGED_NUMBERS, g_param_spec_pointer ("numbers", NULL, NULL, readable) },
    { PROP_OTHER_ATTENTION, HL_CHANGED_SIDES,
      g_param_spec_object ("other-attention", NULL, NULL, HL_TYPE_ATTENTION, readable) },
    { PROP_NAME, HL_CHANGED_SIDES, g_param_spec_string ("name", NULL, NULL, NULL, readable) },
    { PROP_BESIDE, HL_CHANGED_BESIDE, g_param_spec_object ("beside", NULL, NULL, HL_TYPE_VIEW_STATE, readable) },
    { PROP_COMPARED, HL_CHANGED_COMPARED,
      g_param_spec_object ("compared", NULL, NULL, HL_TYPE_COMPARISON, readable) },
  };

  object_class->get_property = hl_view_state_get_property;
  object_class->set_property = hl_view_state_set_property;
  object_class->dispatch_properties_changed = hl_view_state_dispatch_properties_changed;
  object_class->finalize = hl_view_state_finalize;

  for (guint i = 0; i < G_N_ELEMENTS (own); i++)
    install (object_class, own[i].id, own[i].pspec, own[i].changes);
  for (guint id = PROP_OPTIONS; get_option (id) != NULL; id++)
    install (object_class, id, hl_view_option_make_pspec (get_option (id)), get_option (id)->changes);

  /**
   * HlViewState::changed:
   * @self: a view state
   * @changes: #HlChanges
   *
   * After the notifications of all properties that changed together.
   */
  changed_signal = g_signal_new ("changed", HL_TYPE_VIEW_STATE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 g_cclosure_marshal_VOID__UINT, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
hl_view_state_init (HlViewState *self)
{
  self->pairing = (HlHeadPairing){ -1, -1 };
  hl_view_options_init (&self->options);
}

const HlViewOptions *
hl_view_state_get_options (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return &self->options;
}

/* A single text has no parts. */
void
hl_view_state_set_options (HlViewState         *self,
                           const HlViewOptions *wanted)
{
  const HlViewOptions before = self->options;
  HlViewOptions options = *wanted;

  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (hl_view_options_are_valid (wanted));

  if (hl_attention_get_sentence_b_start (self->shown_attention) == 0)
    options.sentences = HL_SENTENCES_ALL;
  const HlChanges changes = hl_view_options_compare (&before, &options);
  if (changes == 0)
    return;

  g_object_freeze_notify (G_OBJECT (self));
  self->options = options;
  for (guint id = PROP_OPTIONS; get_option (id) != NULL; id++)
    if (!hl_view_option_is_same (get_option (id), &before, &options))
      hl_view_state_notify (self, id);
  if (changes & HL_CHANGED_VIEW)
    {
      /* A matrix of one view is no place in another; the token is. */
      hl_view_state_leave_matrix (self, &self->pinned, PROP_PINNED);
      hl_view_state_leave_matrix (self, &self->hovered, PROP_HOVERED);
    }
  if (changes & (HL_CHANGED_VIEW | HL_CHANGED_DERIVATION | HL_CHANGED_SCORES))
    hl_view_state_update_source (self);
  else if (changes & (HL_CHANGED_FILTERS | HL_CHANGED_COLOURS | HL_CHANGED_THUMBNAILS))
    hl_view_state_update_shown_source (self);
  if (changes & HL_CHANGED_TOKENS)
    {
      hl_view_state_drop_invisible_picks (self);
      hl_view_state_drop_numbers (self, FALSE);
    }
  g_object_thaw_notify (G_OBJECT (self));
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
