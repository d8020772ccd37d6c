/* SPDX-License-Identifier: MIT */
/*
 * What is looked at, and how. Views, panels and exports share one of these and do not know one another. Values are
 * always consistent: layer, heads and picks exist in the attention, filters that the attention does not know are off.
 * What is shown follows from them, and is made anew with every change that is more than the pointer's.
 */
#include "view/hl-view-state.h"

#include "core/base/hl-owner.h"
#include "core/base/hl-limits.h"
#include "core/source/make/hl-source-factory.h"
#include "view/shown/hl-known-heads.h"
#include "view/shown/hl-shown-pair.h"
#include "view/hl-view-picks.h"

struct _HlViewState
{
  GObject parent_instance;

  GThread *owner;
  guint serial;
  HlExample *example;
  HlModelCall *call;
  HlModelCall *other_call;
  HlAttention *attention;
  HlAttentionSource *attention_source;
  HlViewOptions options;
  HlHeadSelection selection;
  HlHiddenTokens hidden[HL_ATTENTION_CROSS + 1];
  HlCounterpart counterpart;
  HlShown *shown;
  HlViewPicks picks;
  HlKnownHeads known;
  gboolean allows_expansion;

  HlViewState *partner;            /* a weak pointer */
  HlViewState *beside;             /* a weak pointer */
  HlComparison *beside_comparison; /* made when first asked for */
};

enum
{
  PROP_EXAMPLE = 1,
  PROP_ATTENTION,
  PROP_SHOWN_ATTENTION,
  PROP_SOURCE,
  PROP_SHOWN_SOURCE,
  PROP_LAYER,
  PROP_HEAD,
  PROP_HEADS,
  PROP_LAYERS,
  PROP_OTHER_ATTENTION,
  PROP_NAME,
  PROP_BESIDE,
  PROP_COMPARED,
  PROP_HIDDEN,
  PROP_HOVERED,
  PROP_PINNED,
  PROP_GATHERED,
  PROP_PAIRS,
  PROP_NUMBERS,
  PROP_ALLOWS_EXPANSION,
  PROP_OPTIONS, /* the first of them */
  N_PROPERTIES = 64,
};

/* Those of the options follow from their table. */
static GParamSpec *properties[N_PROPERTIES];
static HlChanges property_changes[N_PROPERTIES];
static guint changed_signal;

G_DEFINE_FINAL_TYPE (HlViewState, hl_view_state, G_TYPE_OBJECT)

static void
notify (HlViewState *self,
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
      g_value_set_object (value, self->shown->attention);
      break;
    case PROP_SOURCE:
      g_value_set_object (value, self->shown->source);
      break;
    case PROP_SHOWN_SOURCE:
      g_value_set_object (value, self->shown->filtered);
      break;
    case PROP_OTHER_ATTENTION:
      g_value_set_object (value, self->counterpart.attention);
      break;
    case PROP_BESIDE:
      g_value_set_object (value, self->beside);
      break;
    case PROP_COMPARED:
      g_value_set_object (value, hl_view_state_get_compared (self));
      break;
    case PROP_NAME:
      g_value_set_string (value, self->counterpart.name);
      break;
    case PROP_LAYER:
      g_value_set_uint (value, self->selection.layer);
      break;
    case PROP_HEAD:
      g_value_set_uint (value, self->selection.head);
      break;
    case PROP_HEADS:
      g_value_set_pointer (value, (gpointer) hl_head_selection_get_heads (&self->selection));
      break;
    case PROP_LAYERS:
      g_value_set_pointer (value, &self->selection.layers);
      break;
    case PROP_HIDDEN:
      g_value_set_pointer (value, &self->hidden[hl_attention_get_kind (self->attention)]);
      break;
    case PROP_HOVERED:
      g_value_set_boxed (value, &self->picks.hovered);
      break;
    case PROP_PINNED:
      g_value_set_boxed (value, &self->picks.pin.pick);
      break;
    case PROP_GATHERED:
      g_value_set_pointer (value, self->picks.pin.gathered);
      break;
    case PROP_PAIRS:
      g_value_set_string (value, self->known.pairs);
      break;
    case PROP_NUMBERS:
      g_value_set_pointer (value, self->known.numbers);
      break;
    case PROP_ALLOWS_EXPANSION:
      g_value_set_boolean (value, self->allows_expansion);
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

/* Which numbers and how many rows are shown there, and so the scale of both and where rows lie, follow from these. */
static void
on_beside_changed (HlViewState *self,
                   HlChanges    changes)
{
  if (changes & (HL_CHANGED_SHOWN_SOURCE | HL_CHANGED_LAYER | HL_CHANGED_HEAD | HL_CHANGED_HEADS | HL_CHANGED_TOKENS |
                 HL_CHANGED_VIEW | HL_CHANGED_NUMBERS))
    notify (self, PROP_BESIDE);
}

/* It owes nothing to the other, nor the other to it: two sides of a comparison would never be freed. */
static void
leave_beside (HlViewState *self)
{
  if (self->beside != NULL)
    g_signal_handlers_disconnect_by_func (self->beside, on_beside_changed, self);
  g_clear_weak_pointer (&self->beside);
  g_clear_object (&self->beside_comparison);
}

static void
hl_view_state_finalize (GObject *object)
{
  HlViewState *self = HL_VIEW_STATE (object);

  leave_beside (self);
  g_clear_weak_pointer (&self->partner);
  hl_view_state_set_aligner (self, NULL);
  g_clear_pointer (&self->shown, hl_shown_unref);
  hl_head_selection_clear (&self->selection);
  g_clear_object (&self->example);
  g_clear_object (&self->attention);
  g_clear_object (&self->attention_source);
  g_clear_object (&self->counterpart.attention);
  g_clear_object (&self->call);
  g_clear_object (&self->other_call);
  hl_view_picks_clear (&self->picks);
  hl_known_heads_clear (&self->known);
  g_free (self->counterpart.name);
  g_free (self->counterpart.other_name);
  for (guint kind = 0; kind < G_N_ELEMENTS (self->hidden); kind++)
    hl_hidden_tokens_clear (&self->hidden[kind]);
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
    { PROP_SOURCE, HL_CHANGED_SOURCE, g_param_spec_object ("source", NULL, NULL, HL_TYPE_ATTENTION_SOURCE, readable) },
    { PROP_SHOWN_SOURCE, HL_CHANGED_SHOWN_SOURCE,
      g_param_spec_object ("shown-source", NULL, NULL, HL_TYPE_ATTENTION_SOURCE, readable) },
    { PROP_LAYER, HL_CHANGED_LAYER, g_param_spec_uint ("layer", NULL, NULL, 0, HL_LIMIT_LAYERS - 1, 0, readable) },
    { PROP_HEAD, HL_CHANGED_HEAD, g_param_spec_uint ("head", NULL, NULL, 0, HL_LIMIT_HEADS - 1, 0, readable) },
    { PROP_HEADS, HL_CHANGED_HEADS, g_param_spec_pointer ("heads", NULL, NULL, readable) },
    { PROP_LAYERS, HL_CHANGED_LAYERS, g_param_spec_pointer ("layers", NULL, NULL, readable) },
    { PROP_HIDDEN, HL_CHANGED_HIDDEN, g_param_spec_pointer ("hidden", NULL, NULL, readable) },
    { PROP_HOVERED, HL_CHANGED_HOVER, g_param_spec_boxed ("hovered", NULL, NULL, HL_TYPE_PICK, writable) },
    { PROP_PINNED, HL_CHANGED_PIN, g_param_spec_boxed ("pinned", NULL, NULL, HL_TYPE_PICK, writable) },
    { PROP_GATHERED, HL_CHANGED_PIN | HL_CHANGED_GATHERED, g_param_spec_pointer ("gathered", NULL, NULL, readable) },
    { PROP_PAIRS, HL_CHANGED_PAIRS, g_param_spec_string ("pairs", NULL, NULL, NULL, writable) },
    { PROP_NUMBERS, HL_CHANGED_NUMBERS, g_param_spec_pointer ("numbers", NULL, NULL, readable) },
    /* Numbers that may be read only now are others, for those who wait for them. */
    { PROP_ALLOWS_EXPANSION, HL_CHANGED_SOURCE,
      g_param_spec_boolean ("allows-expansion", NULL, NULL, FALSE, readable) },
    { PROP_OTHER_ATTENTION, HL_CHANGED_SIDES,
      g_param_spec_object ("other-attention", NULL, NULL, HL_TYPE_ATTENTION, readable) },
    { PROP_NAME, HL_CHANGED_SIDES, g_param_spec_string ("name", NULL, NULL, NULL, readable) },
    { PROP_BESIDE, HL_CHANGED_BESIDE, g_param_spec_object ("beside", NULL, NULL, HL_TYPE_VIEW_STATE, readable) },
    { PROP_COMPARED, HL_CHANGED_COMPARED, g_param_spec_object ("compared", NULL, NULL, HL_TYPE_COMPARISON, readable) },
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
  self->owner = g_thread_self ();
  self->counterpart.pairing = (HlHeadPairing){ -1, -1 };
  hl_view_options_init (&self->options);
}

/* Starts at the first attention, layer 0, head 0, with no filter. */
HlViewState *
hl_view_state_new (HlExample *example)
{
  HlViewState *self = g_object_new (HL_TYPE_VIEW_STATE, NULL);

  g_return_val_if_fail (HL_IS_EXAMPLE (example), NULL);

  hl_view_state_set_example (self, example);
  return self;
}

static void
notify_picks (HlViewState *self,
              HlChanges    changes)
{
  if (changes & HL_CHANGED_HOVER)
    notify (self, PROP_HOVERED);
  if (changes & HL_CHANGED_PIN)
    notify (self, PROP_PINNED);
  if (changes & HL_CHANGED_GATHERED)
    notify (self, PROP_GATHERED);
}

static void
drop_numbers (HlViewState *self)
{
  const HlRange queries = hl_shown_get_numbered_queries (self->shown);

  if (hl_known_heads_drop_outdated (&self->known, self->attention, queries))
    notify (self, PROP_NUMBERS);
}

/* After anything changed that what is shown follows from. */
static void
update_from (HlViewState   *self,
             const HlShown *before)
{
  const HlShownParts parts = { self->attention,
                               self->attention_source,
                               &self->options,
                               &self->selection,
                               &self->hidden[hl_attention_get_kind (self->attention)],
                               &self->counterpart };
  g_autoptr (HlShown) old = g_steal_pointer (&self->shown);

  self->shown = hl_shown_new (&parts, before);
  if (old == NULL || old->attention != self->shown->attention)
    {
      notify (self, PROP_SHOWN_ATTENTION);
      if (old != NULL)
        notify_picks (self, hl_view_picks_carry (&self->picks, old->attention, self->shown->attention));
    }
  if (old == NULL || old->source != self->shown->source)
    notify (self, PROP_SOURCE);
  if (old == NULL || old->filtered != self->shown->filtered)
    notify (self, PROP_SHOWN_SOURCE);
  if (old == NULL)
    return;
  notify_picks (self, hl_view_picks_keep_shown (&self->picks, self->shown));
  if (old->numbered_source != self->shown->numbered_source && hl_known_heads_forget_maps (&self->known))
    notify (self, PROP_NUMBERS);
  drop_numbers (self);
}

static void
update (HlViewState *self)
{
  update_from (self, self->shown);
}

static void
on_aligned (HlViewState *self)
{
  if (!self->shown->awaits_alignment)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  update_from (self, NULL);
  g_object_thaw_notify (G_OBJECT (self));
}

/*
 * Shows the very same as another that looks at the example, in whatever thread. If that waits for texts of a difference
 * to be aligned, they are aligned now.
 */
HlViewState *
hl_view_state_new_showing (HlExample            *example,
                           const HlShown        *shown,
                           const HlHiddenTokens *hidden,
                           const HlFocus        *pin)
{
  HlViewState *self = g_object_new (HL_TYPE_VIEW_STATE, NULL);

  g_return_val_if_fail (HL_IS_EXAMPLE (example), NULL);

  self->example = g_object_ref (example);
  self->attention = g_object_ref (shown->original);
  self->attention_source = g_object_ref (shown->original_source);
  self->options = shown->options;
  self->selection = hl_head_selection_copy (&shown->selection);
  self->hidden[hl_attention_get_kind (self->attention)] = hl_hidden_tokens_copy (hidden);
  g_set_object (&self->counterpart.attention, shown->other);
  self->counterpart.pairing = shown->pairing;
  self->shown = hl_shown_ref (shown);
  self->picks.pin = hl_focus_copy (pin);
  on_aligned (self);
  return self;
}

const HlViewOptions *
hl_view_state_get_options (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return &self->options;
}

/* A single text has no parts. Two have them whatever is hidden. */
void
hl_view_state_set_options (HlViewState         *self,
                           const HlViewOptions *wanted)
{
  const HlViewOptions before = self->options;
  HlViewOptions options = *wanted;

  g_return_if_fail (HL_IS_VIEW_STATE (self));
  HL_ASSERT_OWNER (self);
  g_return_if_fail (hl_view_options_are_valid (wanted));

  if (hl_attention_get_sentence_b_start (self->attention) == 0)
    options.sentences = HL_SENTENCES_ALL;
  const HlChanges changes = hl_view_options_compare (&before, &options);
  if (changes == 0)
    return;

  g_object_freeze_notify (G_OBJECT (self));
  self->options = options;
  for (guint id = PROP_OPTIONS; get_option (id) != NULL; id++)
    if (!hl_view_option_is_same (get_option (id), &before, &options))
      notify (self, id);
  if (changes & (HL_CHANGED_VIEW | HL_CHANGED_CHART))
    notify_picks (self, hl_view_picks_leave_view (&self->picks, options.view, self->shown->layer));
  update (self);
  g_object_thaw_notify (G_OBJECT (self));
}

const HlShown *
hl_view_state_get_shown (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->shown;
}

HlExample *
hl_view_state_get_example (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->example;
}

/* Stays at the same kind of attention, layer and heads where the example has them. */
void
hl_view_state_set_example (HlViewState *self,
                           HlExample   *example)
{
  HlAttention *attention = NULL;

  g_return_if_fail (HL_IS_VIEW_STATE (self));
  HL_ASSERT_OWNER (self);
  g_return_if_fail (HL_IS_EXAMPLE (example));

  if (self->example == example)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  /* What was chosen in a text means nothing in another. */
  for (guint kind = 0; kind < G_N_ELEMENTS (self->hidden); kind++)
    if (self->example == NULL || !hl_hidden_tokens_can_stay (hl_example_find_attention (self->example, kind),
                                                             hl_example_find_attention (example, kind)))
      hl_hidden_tokens_clear (&self->hidden[kind]);
  notify (self, PROP_HIDDEN);
  g_set_object (&self->example, example);
  notify (self, PROP_EXAMPLE);
  if (self->attention != NULL)
    attention = hl_example_find_attention (example, hl_attention_get_kind (self->attention));
  if (attention == NULL)
    attention = hl_example_get_attention (example, 0);
  hl_view_state_set_attention (self, attention);
  g_object_thaw_notify (G_OBJECT (self));
}

HlModelCall *
hl_view_state_get_call (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->call;
}

/* What computed the example, NULL when that was read from a file: for numbers that the model is run for once more. */
void
hl_view_state_set_call (HlViewState *self,
                        HlModelCall *call)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  HL_ASSERT_OWNER (self);
  g_return_if_fail (call == NULL || HL_IS_MODEL_CALL (call));

  g_set_object (&self->call, call);
}

HlModelCall *
hl_view_state_get_other_call (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->other_call;
}

/* Likewise of what it is subtracted from: to be told before hl_view_state_set_difference(). */
void
hl_view_state_set_other_call (HlViewState *self,
                              HlModelCall *call)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  HL_ASSERT_OWNER (self);
  g_return_if_fail (call == NULL || HL_IS_MODEL_CALL (call));

  g_set_object (&self->other_call, call);
}

HlAttention *
hl_view_state_get_attention (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->attention;
}

static void
notify_selection (HlViewState           *self,
                  const HlHeadSelection *before)
{
  const HlHeadSelection *after = &self->selection;

  if (before->layer != after->layer)
    notify (self, PROP_LAYER);
  if (before->head != after->head)
    notify (self, PROP_HEAD);
  if (!hl_head_selection_same_heads (before, after))
    notify (self, PROP_HEADS);
  if (!hl_layer_set_equal (&before->layers, &after->layers))
    notify (self, PROP_LAYERS);
}

/* @attention is one of the example. */
void
hl_view_state_set_attention (HlViewState *self,
                             HlAttention *attention)
{
  g_auto (HlHeadSelection) before = hl_head_selection_copy (&self->selection);

  g_return_if_fail (HL_IS_VIEW_STATE (self));
  HL_ASSERT_OWNER (self);
  g_return_if_fail (HL_IS_ATTENTION (attention));

  if (attention == self->attention)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  if (self->attention == NULL)
    hl_head_selection_init (&self->selection, attention);
  /* All layers stay all. */
  else if (hl_layer_set_count (&before.layers) == hl_attention_get_n_layers (self->attention))
    self->selection.layers = (HlLayerSet){ { 0 } };
  hl_head_selection_fit (&self->selection, attention);
  g_set_object (&self->attention, attention);
  g_clear_object (&self->attention_source);
  self->attention_source = hl_attention_make_source (attention);
  notify (self, PROP_ATTENTION);
  notify_selection (self, &before);
  update (self);
  /* What is not there any more is not chosen either. */
  hl_view_state_set_options (self, &self->options);
  hl_known_heads_find_pairs (&self->known, attention);
  drop_numbers (self);
  notify_picks (self, hl_view_picks_hover (&self->picks, &(HlPick){ HL_PICK_NONE }));
  notify_picks (self, hl_view_picks_take_pin (&self->picks, (HlFocus){ { HL_PICK_NONE }, NULL }));
  g_object_thaw_notify (G_OBJECT (self));
}

/* The weights of the attention as they are, whatever is derived of them. */
HlAttentionSource *
hl_view_state_get_attention_source (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->attention_source;
}

const HlHeadSelection *
hl_view_state_get_selection (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return &self->selection;
}

/* What the attention does not have is left out. */
void
hl_view_state_set_selection (HlViewState           *self,
                             const HlHeadSelection *selection)
{
  g_auto (HlHeadSelection) before = hl_head_selection_copy (&self->selection);
  g_auto (HlHeadSelection) wanted = hl_head_selection_copy (selection);

  g_return_if_fail (HL_IS_VIEW_STATE (self));
  HL_ASSERT_OWNER (self);

  hl_head_selection_fit (&wanted, self->attention);
  if (hl_head_selection_equal (&before, &wanted))
    return;
  g_object_freeze_notify (G_OBJECT (self));
  hl_head_selection_clear (&self->selection);
  self->selection = hl_head_selection_copy (&wanted);
  notify_selection (self, &before);
  update (self);
  g_object_thaw_notify (G_OBJECT (self));
}

const HlPick *
hl_view_state_get_hovered (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return &self->picks.hovered;
}

/* Who finds it in a picture or a list that is not made anew yet may name what is not shown any more: that is nothing. */
void
hl_view_state_set_hovered (HlViewState  *self,
                           const HlPick *pick)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  HL_ASSERT_OWNER (self);

  const HlPick hovered = pick != NULL ? hl_shown_keep_pick (pick, self->shown) : (HlPick){ HL_PICK_NONE };
  notify_picks (self, hl_view_picks_hover (&self->picks, &hovered));
}

/* Of several tokens the one that leads. */
const HlPick *
hl_view_state_get_pinned (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return &self->picks.pin.pick;
}

/* Pins it alone. */
void
hl_view_state_set_pinned (HlViewState  *self,
                          const HlPick *pick)
{
  hl_view_state_set_pin (self, &(HlFocus){ pick != NULL ? *pick : (HlPick){ HL_PICK_NONE }, NULL });
}

/* All that is pinned. */
const HlFocus *
hl_view_state_get_pin (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return &self->picks.pin;
}

/* Of it, what is shown. What was pinned before stays in its layer, whichever is chosen. */
void
hl_view_state_keep_pin (HlViewState   *self,
                        const HlFocus *pin)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  HL_ASSERT_OWNER (self);
  g_return_if_fail (!hl_pick_is_place (&pin->pick));

  g_object_freeze_notify (G_OBJECT (self));
  notify_picks (self, hl_view_picks_take_pin (&self->picks, hl_focus_map (pin, hl_shown_keep_pick, self->shown)));
  g_object_thaw_notify (G_OBJECT (self));
}

/* Likewise. Whoever pins it goes to its layer. */
void
hl_view_state_set_pin (HlViewState   *self,
                       const HlFocus *pin)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  g_object_freeze_notify (G_OBJECT (self));
  hl_view_state_keep_pin (self, pin);
  const HlPick pick = self->picks.pin.pick;
  /* What is told about the token or the pair, and where it is looked for again, is its layer. */
  if (hl_view_kind_get_traits (self->options.view)->shows_all_layers && hl_pick_has (&pick, HL_QUERIES) &&
      !self->shown->merges_layers)
    {
      g_auto (HlHeadSelection) selection = hl_head_selection_copy (&self->selection);
      hl_head_selection_set_layer (&selection, self->attention, pick.layer);
      hl_view_state_set_selection (self, &selection);
    }
  g_object_thaw_notify (G_OBJECT (self));
}

/* What rules the picture: what is pinned, or else hovered. Valid until either is another. */
const HlFocus *
hl_view_state_get_in_focus (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return hl_view_picks_get_in_focus (&self->picks);
}

/* The same; of several tokens the one that leads. */
const HlPick *
hl_view_state_get_focus (HlViewState *self)
{
  static const HlPick none = { HL_PICK_NONE };

  g_return_val_if_fail (HL_IS_VIEW_STATE (self), &none);

  return &hl_view_state_get_in_focus (self)->pick;
}

/* Takes over @hidden. */
void
hl_view_state_take_hidden (HlViewState   *self,
                           HlHiddenTokens hidden)
{
  HlHiddenTokens *slot = &self->hidden[hl_attention_get_kind (self->attention)];
  g_auto (HlHiddenTokens) before = *slot;

  HL_ASSERT_OWNER (self);
  *slot = hidden;
  if (hl_hidden_tokens_equal (&before, &hidden))
    return;
  g_object_freeze_notify (G_OBJECT (self));
  notify (self, PROP_HIDDEN);
  update (self);
  g_object_thaw_notify (G_OBJECT (self));
}

/* The tokens of the attention that were chosen to be hidden. */
const HlHiddenTokens *
hl_view_state_get_hidden (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return &self->hidden[hl_attention_get_kind (self->attention)];
}

/*
 * Shows B − A, where A is the attention and B is @other (nullable), both seen through the same lens, with their tokens
 * aligned. @pairing (nullable) must fit @other; without it, heads of the same index belong together.
 */
void
hl_view_state_set_difference (HlViewState         *self,
                              HlAttention         *other,
                              const HlHeadPairing *pairing)
{
  const HlHeadPairing wanted = pairing != NULL ? *pairing : (HlHeadPairing){ -1, -1 };

  g_return_if_fail (HL_IS_VIEW_STATE (self));
  HL_ASSERT_OWNER (self);
  g_return_if_fail (other == NULL || hl_head_pairing_fits (&wanted, other));

  if (self->counterpart.attention == other && hl_head_pairing_equal (&self->counterpart.pairing, &wanted))
    return;
  g_object_freeze_notify (G_OBJECT (self));
  g_set_object (&self->counterpart.attention, other);
  self->counterpart.pairing = wanted;
  notify (self, PROP_OTHER_ATTENTION);
  update (self);
  g_object_thaw_notify (G_OBJECT (self));
}

/* While the texts of a difference are being aligned, the attention itself is shown. */
void
hl_view_state_set_aligner (HlViewState *self,
                           HlAligner   *aligner)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  HL_ASSERT_OWNER (self);
  g_return_if_fail (aligner == NULL || HL_IS_ALIGNER (aligner));

  if (self->counterpart.aligner != NULL)
    g_signal_handlers_disconnect_by_data (self->counterpart.aligner, self);
  g_set_object (&self->counterpart.aligner, aligner);
  if (aligner != NULL)
    g_signal_connect_swapped (aligner, "aligned", G_CALLBACK (on_aligned), self);
}

const HlCounterpart *
hl_view_state_get_counterpart (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return &self->counterpart;
}

/*
 * What pictures are to be called where there is more than one thing to look at: "A: bert.h5" beside another picture,
 * "bert.h5" in a difference.
 */
void
hl_view_state_set_names (HlViewState *self,
                         const char  *name,
                         const char  *other_name)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  HL_ASSERT_OWNER (self);

  if (g_strcmp0 (self->counterpart.name, name) == 0 && g_strcmp0 (self->counterpart.other_name, other_name) == 0)
    return;
  g_free (self->counterpart.name);
  self->counterpart.name = g_strdup (name);
  g_free (self->counterpart.other_name);
  self->counterpart.other_name = g_strdup (other_name);
  notify (self, PROP_NAME);
}

/*
 * From now on pictures whose colours depend on the numbers they show have a scale for both. It is to be told to both,
 * and is not kept alive.
 */
void
hl_view_state_set_beside (HlViewState *self,
                          HlViewState *beside)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  HL_ASSERT_OWNER (self);
  g_return_if_fail (beside == NULL || (HL_IS_VIEW_STATE (beside) && beside != self));

  if (self->beside == beside)
    return;
  leave_beside (self);
  g_set_weak_pointer (&self->beside, beside);
  if (beside != NULL)
    g_signal_connect_object (beside, "changed", G_CALLBACK (on_beside_changed), self, G_CONNECT_SWAPPED);
  notify (self, PROP_BESIDE);
}

HlViewState *
hl_view_state_get_beside (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->beside;
}

/* Whose example it is compared with, beside one another or not: it may announce what the own does not. It is not kept alive. */
void
hl_view_state_set_partner (HlViewState *self,
                           HlViewState *partner)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  HL_ASSERT_OWNER (self);
  g_return_if_fail (partner == NULL || (HL_IS_VIEW_STATE (partner) && partner != self));

  g_set_weak_pointer (&self->partner, partner);
}

HlViewState *
hl_view_state_get_partner (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->partner;
}

/* Whether all that the file announces may be read, however much more than it holds. */
gboolean
hl_view_state_get_allows_expansion (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  return self->allows_expansion;
}

/* Somebody was asked, and it is not asked again; of both sides, where both are read. */
void
hl_view_state_allow_expansion (HlViewState *self,
                               gboolean     of_both)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  HL_ASSERT_OWNER (self);

  if (of_both && self->partner != NULL)
    hl_view_state_allow_expansion (self->partner, FALSE);
  self->allows_expansion = TRUE;
  notify (self, PROP_ALLOWS_EXPANSION);
}

/*
 * The two sides as they are shown, filters aside: of the difference, or of this and what is beside, each with its
 * tokens; NULL when there is one side only, and while its aligner aligns the texts.
 */
HlComparison *
hl_view_state_get_shown_comparison (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  if (self->shown->comparison != NULL || self->beside == NULL)
    return self->shown->comparison;
  self->beside_comparison =
    hl_shown_pair_compare (self->shown, self->beside->shown, self->counterpart.aligner, self->beside_comparison);
  return self->beside_comparison;
}

/*
 * The attention and another with their weights as they are, or NULL: from now on %HL_HEAD_MEASURE_CHANGE tells how far
 * the heads of the attention are from those of the other. What was known of another comparison is dropped.
 */
void
hl_view_state_set_compared (HlViewState  *self,
                            HlComparison *compared)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  HL_ASSERT_OWNER (self);
  g_return_if_fail (compared == NULL || hl_comparison_get_attention_a (compared) == self->attention);

  g_object_freeze_notify (G_OBJECT (self));
  if (g_set_object (&self->known.compared, compared))
    {
      notify (self, PROP_COMPARED);
      drop_numbers (self);
    }
  g_object_thaw_notify (G_OBJECT (self));
}

/* NULL too once another attention is looked at. */
HlComparison *
hl_view_state_get_compared (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  if (self->known.compared == NULL || hl_comparison_get_attention_a (self->known.compared) != self->attention)
    return NULL;
  return self->known.compared;
}

HlHeadNumbers *
hl_view_state_get_numbers (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->known.numbers;
}

/* What one head is called, before the numbers of all are known. */
void
hl_view_state_tell_head_name (HlViewState      *self,
                              const HlToldName *name)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  HL_ASSERT_OWNER (self);
  g_return_if_fail (name != NULL && HL_IS_ATTENTION (name->attention));

  g_object_ref (name->attention);
  g_clear_object (&self->known.told.attention);
  self->known.told = *name;
  notify (self, PROP_NUMBERS);
}

const HlToldName *
hl_view_state_get_told_name (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return &self->known.told;
}

/*
 * What is known of the heads. Numbers of another attention or of other queries are dropped, and so is a ranking for
 * other words, and changes in another comparison.
 */
void
hl_view_state_set_numbers (HlViewState   *self,
                           HlHeadNumbers *numbers)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  HL_ASSERT_OWNER (self);

  if (!hl_known_heads_set_numbers (&self->known, numbers))
    return;
  g_object_freeze_notify (G_OBJECT (self));
  notify (self, PROP_NUMBERS);
  drop_numbers (self);
  g_object_thaw_notify (G_OBJECT (self));
}

const char *
hl_view_state_get_pairs (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->known.pairs;
}

/* As hl_token_pairs_parse() takes them. The words are looked for now, and in what comes to be shown. */
void
hl_view_state_set_pairs (HlViewState *self,
                         const char  *pairs)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  HL_ASSERT_OWNER (self);

  if (!hl_known_heads_set_pairs (&self->known, self->attention, pairs))
    return;
  g_object_freeze_notify (G_OBJECT (self));
  drop_numbers (self);
  notify (self, PROP_PAIRS);
  g_object_thaw_notify (G_OBJECT (self));
}

/* In the tokens of the attention; NULL if there are none, or one word is not there. */
HlTokenPairs *
hl_view_state_get_found_pairs (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->known.found_pairs;
}
