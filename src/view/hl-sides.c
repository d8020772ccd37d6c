/* SPDX-License-Identifier: MIT */
/* What is changed on one side changes on the other; tokens by their alignment, heads by their pairing. */
#include "view/hl-sides.h"

#include "core/base/hl-owner.h"
#include "view/pick/hl-pick-sides.h"
#include "view/shown/hl-shown-pair.h"

struct _HlSides
{
  GObject parent_instance;

  GThread *owner;
  HlViewState *a;
  HlViewState *b;
  HlHeadPairing pairing;
  GPtrArray *bindings; /* (element-type GBinding) */
  HlAligner *aligner;  /* none, where one waits as long as it takes */
  char *names[2];
  gboolean updating;
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlSides, hl_sides, G_TYPE_OBJECT)

static gboolean
is_comparison_with (HlComparison        *comparison,
                    HlViewState         *second,
                    const HlHeadPairing *pairing)
{
  return comparison != NULL && hl_comparison_get_attention_b (comparison) == hl_view_state_get_attention (second) &&
         hl_head_pairing_equal (hl_comparison_get_pairing (comparison), pairing);
}

static void
set_compared (HlViewState         *first,
              HlViewState         *second,
              const HlHeadPairing *pairing)
{
  if (is_comparison_with (hl_view_state_get_compared (first), second, pairing))
    return;
  g_autoptr (HlComparison)
    comparison = hl_comparison_new (hl_view_state_get_attention (first), hl_view_state_get_attention_source (first),
                                    hl_view_state_get_attention (second), hl_view_state_get_attention_source (second),
                                    pairing, hl_view_state_get_counterpart (first)->aligner);
  hl_view_state_set_compared (first, comparison);
}

/*
 * Lets each side know what its heads are compared with: as they are, whatever is derived of them for the pictures. To
 * be called whenever attentions or pairing have changed, and when their texts are aligned, until when nothing is
 * compared; where they have not, what is known stays. Those of the second side have partners only where heads of the
 * same index belong together.
 */
static void
compare_heads (HlSides *self)
{
  set_compared (self->a, self->b, &self->pairing);
  if (self->pairing.layer < 0 && self->pairing.head < 0)
    set_compared (self->b, self->a, &self->pairing);
  else
    hl_view_state_set_compared (self->b, NULL);
}

/* Lets them be compared no more, nor sorted or framed by what nothing tells any more. */
static void
forget_compared_heads (HlSides *self)
{
  HlViewState *const sides[] = { self->a, self->b };

  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      hl_view_state_set_compared (sides[i], NULL);
      if (hl_view_state_get_options (sides[i])->sort == HL_HEAD_MEASURE_CHANGE)
        hl_view_state_set_option (sides[i], sort, HL_HEAD_MEASURE_NONE);
      if (hl_view_state_get_options (sides[i])->colour_by == HL_HEAD_MEASURE_CHANGE)
        hl_view_state_set_option (sides[i], colour_by, HL_HEAD_MEASURE_NONE);
    }
}

/* All that can be set, but for what belongs to one side, or is linked by more than being the same. */
static void
bind_properties (HlSides *self)
{
  static const char *const own[] = { "example", "attention", "layer", "hidden", "hovered", "pinned", NULL };
  guint n;
  g_autofree GParamSpec **pspecs = g_object_class_list_properties (G_OBJECT_GET_CLASS (self->a), &n);

  for (guint i = 0; i < n; i++)
    if ((pspecs[i]->flags & G_PARAM_READWRITE) == G_PARAM_READWRITE && !g_strv_contains (own, pspecs[i]->name))
      g_ptr_array_add (self->bindings, g_object_bind_property (self->a, pspecs[i]->name, self->b, pspecs[i]->name,
                                                               G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE));
}

/* The heads of the second side that go with those of the first, or the ones that belong to all of them. */
static void
update_heads (HlSides *self)
{
  const HlHeadSelection *shown = hl_view_state_get_selection (self->a);
  g_auto (HlHeadSelection) selection = hl_head_selection_copy (hl_view_state_get_selection (self->b));
  HlAttention *attention = hl_view_state_get_attention (self->b);
  const HlHeadPairing pairing = self->pairing;
  guint n_others;
  const HlHeadPlace *others = hl_head_selection_get_others (shown, &n_others);

  if (self->updating)
    return;
  self->updating = TRUE;
  hl_head_selection_go_to (&selection, attention, pairing.layer >= 0 ? (guint) pairing.layer : shown->layer,
                           pairing.head >= 0 ? (guint) pairing.head : shown->head);
  if (pairing.head < 0)
    hl_head_selection_set_heads (&selection, attention, hl_head_selection_get_combined (shown));
  if (pairing.head < 0 && pairing.layer < 0)
    hl_head_selection_set_others (&selection, others, n_others);
  selection.layers = hl_shown_pair_find_layers (&shown->layers, hl_view_state_get_attention (self->a), attention);
  hl_view_state_set_selection (self->b, &selection);
  self->updating = FALSE;
}

/* What was chosen in the picture of the second side. */
static void
follow_other_heads (HlSides *self)
{
  HlAttention *attention = hl_view_state_get_attention (self->a);
  const guint layer = hl_view_state_get_layer (self->b);
  const guint head = hl_view_state_get_head (self->b);

  if (self->updating)
    return;
  self->updating = TRUE;
  if (self->pairing.layer >= 0)
    self->pairing.layer = (int) layer;
  else if (layer < hl_attention_get_n_layers (attention))
    hl_view_state_set_layer (self->a, layer);
  if (self->pairing.head >= 0)
    self->pairing.head = (int) head;
  else if (head < hl_view_state_get_n_heads (self->a))
    {
      g_auto (HlHeadSelection) selection = hl_head_selection_copy (hl_view_state_get_selection (self->b));
      selection.layer = hl_view_state_get_layer (self->a);
      selection.layers = *hl_view_state_get_layers (self->a);
      hl_view_state_set_selection (self->a, &selection);
    }
  self->updating = FALSE;
  update_heads (self);
  compare_heads (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* Beside one another both pictures have one scale; in place of the first, the difference has its own. */
static void
set_beside (HlSides *self,
            gboolean beside)
{
  hl_view_state_set_beside (self->a, beside ? self->b : NULL);
  hl_view_state_set_beside (self->b, beside ? self->a : NULL);
}

/* "A: bert.h5" where another picture is beside it; "A", where that is called the same. */
static void
set_name (HlSides     *self,
          HlViewState *state,
          const char  *side,
          const char  *name)
{
  const gboolean differ = g_strcmp0 (self->names[0], self->names[1]) != 0;
  g_autofree char *both = name != NULL && differ ? g_strdup_printf ("%s: %s", side, name) : NULL;

  hl_view_state_set_names (state, name == NULL || differ ? both : side, NULL);
}

static void
update_names (HlSides *self)
{
  if (hl_sides_get_difference (self))
    hl_view_state_set_names (self->a, self->names[0], self->names[1]);
  else
    set_name (self, self->a, "A", self->names[0]);
  set_name (self, self->b, "B", self->names[1]);
}

typedef struct
{
  HlSides *sides;
  gboolean to_b;
} Place;

/* What corresponds on the other side; nothing, where there is none. */
static HlPick
map_pick (const HlPick *pick,
          gconstpointer data)
{
  HlSides *self = ((const Place *) data)->sides;
  const gboolean to_b = ((const Place *) data)->to_b;
  HlComparison *comparison = hl_sides_get_comparison (self);
  HlViewState *target = to_b ? self->b : self->a;
  HlAttention *attention = hl_view_state_get_shown (target)->attention;
  if (pick->kind == HL_PICK_HEAD &&
      (self->pairing.head >= 0 || pick->head >= hl_view_state_get_shown (target)->n_heads))
    return (HlPick){ HL_PICK_NONE };
  if (pick->kind == HL_PICK_MAP &&
      (self->pairing.head >= 0 || self->pairing.layer >= 0 || pick->layer >= hl_attention_get_n_layers (attention) ||
       pick->head >= hl_attention_get_n_heads (attention, pick->layer)))
    return (HlPick){ HL_PICK_NONE };
  if (pick->kind == HL_PICK_LAYER && (self->pairing.layer >= 0 || pick->layer >= hl_attention_get_n_layers (attention)))
    return (HlPick){ HL_PICK_NONE };
  return hl_pick_on_other_side (comparison, pick, to_b);
}

static void
carry_pick (HlSides     *self,
            HlViewState *from,
            gboolean     pinned)
{
  const gboolean to_b = from == self->a;
  HlViewState *to = to_b ? self->b : self->a;

  if (self->updating || hl_sides_get_difference (self) || hl_sides_get_comparison (self) == NULL)
    return;
  self->updating = TRUE;
  const Place place = { self, to_b };
  const HlPick pick = map_pick (hl_view_state_get_hovered (from), &place);
  g_auto (HlFocus) pin = hl_focus_map (hl_view_state_get_pin (from), map_pick, &place);
  if (pinned)
    hl_view_state_keep_pin (to, &pin);
  else
    hl_view_state_set_hovered (to, &pick);
  self->updating = FALSE;
}

/* Tokens that are hidden by hand, by their alignment too. */
static void
carry_hidden (HlSides     *self,
              HlViewState *from)
{
  if (self->updating)
    return;
  self->updating = TRUE;
  hl_view_state_hide_like (from == self->a ? self->b : self->a, from);
  self->updating = FALSE;
}

/* Long texts belong together only now. */
static void
on_aligned (HlSides *self)
{
  compare_heads (self);
  carry_hidden (self, self->a);
  carry_pick (self, self->a, TRUE);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* Where the second side does not have the heads, those of the same index belong together. */
static void
update_pairing (HlSides *self)
{
  if (!hl_head_pairing_fits (&self->pairing, hl_view_state_get_attention (self->b)))
    self->pairing = (HlHeadPairing){ -1, -1 };
  update_heads (self);
  compare_heads (self);
}

static void
on_attention (HlSides *self)
{
  HlAttention *other = hl_comparison_find_attention (hl_view_state_get_example (self->a),
                                                     hl_view_state_get_attention (self->a),
                                                     hl_view_state_get_example (self->b));

  if (other != NULL)
    hl_view_state_set_attention (self->b, other);
  update_pairing (self);
}

static void
subtract (HlSides *self,
          gboolean difference)
{
  hl_view_state_set_other_call (self->a, difference ? hl_view_state_get_call (self->b) : NULL);
  hl_view_state_set_difference (self->a, difference ? hl_view_state_get_attention (self->b) : NULL,
                                difference ? &self->pairing : NULL);
}

static void
update_difference (HlSides *self)
{
  if (hl_sides_get_difference (self))
    subtract (self, TRUE);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
on_changed (HlSides     *self,
            HlChanges    changes,
            HlViewState *from)
{
  const gboolean is_first = from == self->a;

  if (is_first && (changes & (HL_CHANGED_LAYER | HL_CHANGED_HEAD | HL_CHANGED_HEADS | HL_CHANGED_LAYERS)))
    update_heads (self);
  if (!is_first && (changes & (HL_CHANGED_LAYER | HL_CHANGED_HEAD | HL_CHANGED_HEADS)))
    follow_other_heads (self);
  if (is_first && (changes & HL_CHANGED_ATTENTION))
    on_attention (self);
  if (!is_first && (changes & HL_CHANGED_ATTENTION))
    {
      update_pairing (self);
      update_difference (self);
    }
  if (changes & HL_CHANGED_HIDDEN)
    carry_hidden (self, from);
  if (changes & HL_CHANGED_HOVER)
    carry_pick (self, from, FALSE);
  if (changes & HL_CHANGED_PIN)
    carry_pick (self, from, TRUE);
  /* Other tokens, or other maps; of two heads the sides are named by these, where just these are seen. */
  const gboolean has_own_heads = self->pairing.layer >= 0 || self->pairing.head >= 0;
  if ((changes & HL_CHANGED_SHOWN_ATTENTION) ||
      (has_own_heads && is_first && !self->updating &&
       (changes & (HL_CHANGED_LAYER | HL_CHANGED_HEAD | HL_CHANGED_DERIVATION | HL_CHANGED_VIEW | HL_CHANGED_CHART))))
    g_signal_emit (self, signals[CHANGED], 0);
}

static void
hl_sides_dispose (GObject *object)
{
  HlSides *self = HL_SIDES (object);

  hl_sides_close (self);
  for (guint i = 0; i < G_N_ELEMENTS (self->names); i++)
    g_clear_pointer (&self->names[i], g_free);
  G_OBJECT_CLASS (hl_sides_parent_class)->dispose (object);
}

static void
hl_sides_class_init (HlSidesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_sides_dispose;

  /* Other heads belong together, or other tokens. */
  signals[CHANGED] = g_signal_new ("changed", HL_TYPE_SIDES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hl_sides_init (HlSides *self)
{
  self->owner = g_thread_self ();
  self->bindings = g_ptr_array_new ();
}

/*
 * Side by side to begin with. @b is what @a is compared with, and is looked at as that is from now on. Without an
 * aligner (nullable) long texts are waited for.
 */
HlSides *
hl_sides_new (HlViewState         *a,
              HlViewState         *b,
              const HlHeadPairing *pairing,
              HlAligner           *aligner)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (a) && HL_IS_VIEW_STATE (b) && a != b, NULL);

  HlSides *self = g_object_new (HL_TYPE_SIDES, NULL);
  self->a = g_object_ref (a);
  self->b = g_object_ref (b);
  self->pairing = *pairing;
  hl_view_state_set_aligner (a, aligner);
  hl_view_state_set_aligner (b, aligner);
  if (g_set_object (&self->aligner, aligner))
    g_signal_connect_swapped (aligner, "aligned", G_CALLBACK (on_aligned), self);
  hl_view_state_set_partner (a, b);
  hl_view_state_set_partner (b, a);
  update_pairing (self);
  bind_properties (self);
  update_heads (self);
  g_signal_connect_swapped (a, "changed", G_CALLBACK (on_changed), self);
  g_signal_connect_swapped (b, "changed", G_CALLBACK (on_changed), self);
  carry_hidden (self, a);
  set_beside (self, !hl_sides_get_difference (self));
  carry_pick (self, a, TRUE);
  return self;
}

/* Lets the two sides go, each as it is; the first no longer shows the difference. */
void
hl_sides_close (HlSides *self)
{
  g_return_if_fail (HL_IS_SIDES (self));
  HL_ASSERT_OWNER (self);

  if (self->a == NULL)
    return;
  hl_sides_set_difference (self, FALSE);
  set_beside (self, FALSE);
  hl_view_state_set_partner (self->a, NULL);
  hl_view_state_set_partner (self->b, NULL);
  hl_sides_set_names (self, NULL, NULL);
  forget_compared_heads (self);
  for (guint i = 0; i < self->bindings->len; i++)
    g_binding_unbind (g_ptr_array_index (self->bindings, i));
  g_clear_pointer (&self->bindings, g_ptr_array_unref);
  g_signal_handlers_disconnect_by_data (self->a, self);
  g_signal_handlers_disconnect_by_data (self->b, self);
  hl_view_state_set_aligner (self->a, NULL);
  hl_view_state_set_aligner (self->b, NULL);
  if (self->aligner != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->aligner, self);
      hl_aligner_forget (self->aligner);
      g_clear_object (&self->aligner);
    }
  g_clear_object (&self->a);
  g_clear_object (&self->b);
}

HlViewState *
hl_sides_get_a (HlSides *self)
{
  g_return_val_if_fail (HL_IS_SIDES (self), NULL);

  return self->a;
}

HlViewState *
hl_sides_get_b (HlSides *self)
{
  g_return_val_if_fail (HL_IS_SIDES (self), NULL);

  return self->b;
}

/* The tokens of both as they are shown; NULL while these are being aligned. */
HlComparison *
hl_sides_get_comparison (HlSides *self)
{
  g_return_val_if_fail (HL_IS_SIDES (self), NULL);

  return hl_view_state_get_shown_comparison (self->a);
}

const HlHeadPairing *
hl_sides_get_pairing (HlSides *self)
{
  g_return_val_if_fail (HL_IS_SIDES (self), NULL);

  return &self->pairing;
}

void
hl_sides_set_pairing (HlSides             *self,
                      const HlHeadPairing *pairing)
{
  g_return_if_fail (HL_IS_SIDES (self));
  HL_ASSERT_OWNER (self);
  g_return_if_fail (hl_head_pairing_fits (pairing, hl_view_state_get_attention (self->b)));

  if (hl_head_pairing_equal (&self->pairing, pairing))
    return;
  self->pairing = *pairing;
  update_pairing (self);
  update_difference (self);
}

gboolean
hl_sides_get_difference (HlSides *self)
{
  g_return_val_if_fail (HL_IS_SIDES (self), FALSE);

  return hl_view_state_get_counterpart (self->a)->attention != NULL;
}

/* What is pinned stays pinned, wherever it is then. */
void
hl_sides_set_difference (HlSides *self,
                         gboolean difference)
{
  g_return_if_fail (HL_IS_SIDES (self));
  HL_ASSERT_OWNER (self);

  if (hl_sides_get_difference (self) == !!difference)
    return;
  g_autoptr (HlComparison) before = NULL;
  if (!difference)
    g_set_object (&before, hl_view_state_get_shown (self->a)->comparison);
  g_auto (HlFocus) pinned = hl_focus_copy (hl_view_state_get_pin (self->a));
  g_auto (HlFocus) moved = hl_focus_copy (&pinned);

  self->updating = TRUE;
  /* Whoever hears that the difference is gone finds two sides. */
  if (!difference)
    set_beside (self, TRUE);
  subtract (self, difference);
  HlComparison *comparison = difference ? hl_view_state_get_shown (self->a)->comparison : before;
  if (comparison != NULL)
    {
      hl_focus_clear (&moved);
      moved = difference ? hl_focus_in_common (comparison, &pinned, NULL)
                         : hl_focus_on_side (comparison, &pinned, FALSE);
    }
  /* Half of a cell is another thing. */
  if (moved.pick.kind != pinned.pick.kind)
    hl_focus_clear (&moved);
  hl_view_state_keep_pin (self->a, &moved);
  self->updating = FALSE;
  set_beside (self, !difference);
  update_names (self);
  carry_pick (self, self->a, TRUE);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* What pictures are to call the sides. */
void
hl_sides_set_names (HlSides    *self,
                    const char *name_a,
                    const char *name_b)
{
  g_return_if_fail (HL_IS_SIDES (self));
  HL_ASSERT_OWNER (self);

  g_free (self->names[0]);
  g_free (self->names[1]);
  self->names[0] = g_strdup (name_a);
  self->names[1] = g_strdup (name_b);
  update_names (self);
}

/* Until they are released, which tokens are pinned or hidden and which heads are shown changes on one side alone. */
void
hl_sides_hold (HlSides *self)
{
  g_return_if_fail (HL_IS_SIDES (self));
  HL_ASSERT_OWNER (self);

  self->updating = TRUE;
}

void
hl_sides_release (HlSides *self)
{
  g_return_if_fail (HL_IS_SIDES (self));
  HL_ASSERT_OWNER (self);

  self->updating = FALSE;
}

/* Has a token of the second side be pinned besides that of the first. In the difference they become one if they can. */
void
hl_sides_pin (HlSides       *self,
              const HlFocus *on_a,
              const HlFocus *on_b)
{
  g_return_if_fail (HL_IS_SIDES (self));
  HL_ASSERT_OWNER (self);

  HlComparison *comparison = hl_view_state_get_shown (self->a)->comparison;
  g_auto (HlFocus) pin = comparison != NULL ? hl_focus_in_common (comparison, on_a, on_b) : hl_focus_copy (on_b);
  hl_sides_hold (self);
  hl_view_state_keep_pin (comparison != NULL ? self->a : self->b, &pin);
  hl_sides_release (self);
}
