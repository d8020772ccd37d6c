/* SPDX-License-Identifier: MIT */
/* What is changed on one side of a comparison changes on the other; tokens by their alignment, heads by their
 * pairing. */
#include "config.h"

#include "app/compare/hl-compare-link.h"

#include "app/heads/hl-head-work.h"
#include "view/hl-pick-sides.h"

struct _HlCompareLink
{
  GObject parent_instance;

  HlViewState *a;
  HlViewState *b;
  HlHeadPairing pairing;
  GPtrArray *bindings; /* (element-type GBinding) */
  /* What the picture of the second side must know of its heads; the table has that of the first. */
  HlHeadWork *other_work;
  HlAligner *aligner;
  gboolean updating;
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlCompareLink, hl_compare_link, G_TYPE_OBJECT)

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
  g_autoptr (HlComparison) comparison =
    hl_comparison_new (hl_view_state_get_attention (first), hl_view_state_get_attention_source (first),
                       hl_view_state_get_attention (second), hl_view_state_get_attention_source (second), pairing,
                       hl_view_state_get_sides (first)->aligner);
  hl_view_state_set_compared (first, comparison);
}

/* Lets each side know what its heads are compared with: as they are, whatever is derived of them for the pictures. To be
 * called whenever attentions or pairing have changed, and when their texts are aligned, until when nothing is compared;
 * where they have not, what is known stays. Those of the second side have partners only where heads of the same index
 * belong together. */
static void
compare_heads (HlCompareLink *self)
{
  set_compared (self->a, self->b, &self->pairing);
  if (self->pairing.layer < 0 && self->pairing.head < 0)
    set_compared (self->b, self->a, &self->pairing);
  else
    hl_view_state_set_compared (self->b, NULL);
}

/* Lets them be compared no more, nor sorted or framed by what nothing tells any more. */
static void
forget_compared_heads (HlCompareLink *self)
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
bind_properties (HlCompareLink *self)
{
  static const char *const own[] = { "example", "attention", "layer", "hidden", "hovered", "pinned", NULL };
  guint n;
  g_autofree GParamSpec **pspecs = g_object_class_list_properties (G_OBJECT_GET_CLASS (self->a), &n);

  for (guint i = 0; i < n; i++)
    if ((pspecs[i]->flags & G_PARAM_READWRITE) == G_PARAM_READWRITE && !g_strv_contains (own, pspecs[i]->name))
      g_ptr_array_add (self->bindings, g_object_bind_property (self->a, pspecs[i]->name, self->b, pspecs[i]->name,
                                                               G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE));
}

/* The heads of the second side that go with those of the first. */
static void
update_heads (HlCompareLink *self)
{
  if (self->updating)
    return;
  self->updating = TRUE;
  hl_view_state_go_along (self->b, self->a, &self->pairing);
  self->updating = FALSE;
}

/* What was chosen in the picture of the second side. */
static void
on_other_heads (HlCompareLink *self)
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
      HlHeadSelection selection = *hl_view_state_get_selection (self->b);
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
set_beside (HlCompareLink *self,
            gboolean       difference)
{
  hl_view_state_set_beside (self->a, difference ? NULL : self->b);
  hl_view_state_set_beside (self->b, difference ? NULL : self->a);
}

/* What corresponds on the other side; nothing, where there is none. */
static HlPick
map_pick (HlCompareLink *self,
          const HlPick  *pick,
          gboolean       to_b)
{
  HlComparison *comparison = hl_compare_link_get_comparison (self);
  HlViewState *target = to_b ? self->b : self->a;
  HlAttention *attention = hl_view_state_get_shown (target)->attention;
  if (pick->kind == HL_PICK_HEAD &&
      (self->pairing.head >= 0 || pick->head >= hl_view_state_get_shown (target)->n_heads))
    return (HlPick){ HL_PICK_NONE };
  if (pick->kind == HL_PICK_MAP &&
      (self->pairing.head >= 0 || self->pairing.layer >= 0 || pick->layer >= hl_attention_get_n_layers (attention) ||
       pick->head >= hl_attention_get_n_heads (attention, pick->layer)))
    return (HlPick){ HL_PICK_NONE };
  return hl_pick_on_other_side (comparison, pick, to_b);
}

static void
carry_pick (HlCompareLink *self,
            HlViewState   *from,
            gboolean       pinned)
{
  const gboolean to_b = from == self->a;
  HlViewState *to = to_b ? self->b : self->a;

  if (self->updating || hl_compare_link_get_difference (self) || hl_compare_link_get_comparison (self) == NULL)
    return;
  self->updating = TRUE;
  const HlPick *picked = pinned ? hl_view_state_get_pinned (from) : hl_view_state_get_hovered (from);
  const HlPick pick = map_pick (self, picked, to_b);
  if (pinned)
    hl_view_state_set_pinned (to, &pick);
  else
    hl_view_state_set_hovered (to, &pick);
  self->updating = FALSE;
}

static void
on_hovered (HlCompareLink *self,
            GParamSpec    *pspec,
            HlViewState   *from)
{
  carry_pick (self, from, FALSE);
}

static void
on_pinned (HlCompareLink *self,
           GParamSpec    *pspec,
           HlViewState   *from)
{
  carry_pick (self, from, TRUE);
}

/* Tokens that are hidden by hand, by their alignment too. */
static void
on_hidden (HlCompareLink *self,
           GParamSpec    *pspec,
           HlViewState   *from)
{
  if (self->updating)
    return;
  self->updating = TRUE;
  hl_view_state_hide_like (from == self->a ? self->b : self->a, from);
  self->updating = FALSE;
}

/* Long texts belong together only now. */
static void
on_aligned (HlCompareLink *self)
{
  compare_heads (self);
  on_hidden (self, NULL, self->a);
  carry_pick (self, self->a, TRUE);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* Other tokens, or other maps. */
static void
on_shown_attention (HlCompareLink *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
on_attention (HlCompareLink *self)
{
  const HlAttentionKind kind = hl_attention_get_kind (hl_view_state_get_attention (self->a));
  HlAttention *other = hl_example_find_attention (hl_view_state_get_example (self->b), kind);

  if (other != NULL)
    hl_view_state_set_attention (self->b, other);
  if (!hl_head_pairing_fits (&self->pairing, hl_view_state_get_attention (self->b)))
    self->pairing = (HlHeadPairing){ -1, -1 };
  update_heads (self);
  compare_heads (self);
}

static void
on_other_attention (HlCompareLink *self)
{
  HlAttention *attention = hl_view_state_get_attention (self->b);

  if (!hl_head_pairing_fits (&self->pairing, attention))
    self->pairing = (HlHeadPairing){ -1, -1 };
  update_heads (self);
  compare_heads (self);
  if (hl_compare_link_get_difference (self))
    hl_view_state_set_difference (self->a, attention, &self->pairing);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
hl_compare_link_dispose (GObject *object)
{
  hl_compare_link_close (HL_COMPARE_LINK (object));
  g_clear_object (&HL_COMPARE_LINK (object)->other_work);
  G_OBJECT_CLASS (hl_compare_link_parent_class)->dispose (object);
}

static void
hl_compare_link_class_init (HlCompareLinkClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_compare_link_dispose;

  /* Other heads belong together, or other tokens. */
  signals[CHANGED] =
    g_signal_new ("changed", HL_TYPE_COMPARE_LINK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hl_compare_link_init (HlCompareLink *self)
{
  self->bindings = g_ptr_array_new ();
  self->other_work = hl_head_work_new ();
}

HlCompareLink *
hl_compare_link_new (HlViewState         *a,
                     HlViewState         *b,
                     const HlHeadPairing *pairing)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (a) && HL_IS_VIEW_STATE (b), NULL);

  HlCompareLink *self = g_object_new (HL_TYPE_COMPARE_LINK, NULL);
  self->a = g_object_ref (a);
  self->b = g_object_ref (b);
  self->pairing = *pairing;
  self->aligner = hl_aligner_new ();
  hl_view_state_set_aligner (a, self->aligner);
  hl_view_state_set_aligner (b, self->aligner);
  g_signal_connect_swapped (self->aligner, "aligned", G_CALLBACK (on_aligned), self);
  on_attention (self);
  bind_properties (self);
  update_heads (self);
  for (guint i = 0; i < 2; i++)
    {
      HlViewState *state = i == 0 ? a : b;
      const GCallback on_heads = i == 0 ? G_CALLBACK (update_heads) : G_CALLBACK (on_other_heads);
      g_signal_connect_swapped (state, "notify::layer", on_heads, self);
      g_signal_connect_swapped (state, "notify::head", on_heads, self);
      g_signal_connect_swapped (state, "notify::heads", on_heads, self);
      g_signal_connect_swapped (state, "notify::hidden", G_CALLBACK (on_hidden), self);
      g_signal_connect_swapped (state, "notify::hovered", G_CALLBACK (on_hovered), self);
      g_signal_connect_swapped (state, "notify::pinned", G_CALLBACK (on_pinned), self);
      g_signal_connect_swapped (state, "notify::shown-attention", G_CALLBACK (on_shown_attention), self);
    }
  g_signal_connect_swapped (a, "notify::layers", G_CALLBACK (update_heads), self);
  g_signal_connect_swapped (a, "notify::attention", G_CALLBACK (on_attention), self);
  g_signal_connect_swapped (b, "notify::attention", G_CALLBACK (on_other_attention), self);
  on_hidden (self, NULL, a);
  set_beside (self, hl_compare_link_get_difference (self));
  carry_pick (self, a, TRUE);
  hl_head_work_set_view_state (self->other_work, b);
  return self;
}

/* Lets the two sides go, each as it is; the first no longer shows the difference. */
void
hl_compare_link_close (HlCompareLink *self)
{
  g_return_if_fail (HL_IS_COMPARE_LINK (self));

  if (self->a == NULL)
    return;
  hl_compare_link_set_difference (self, FALSE);
  hl_view_state_set_beside (self->a, NULL);
  hl_view_state_set_beside (self->b, NULL);
  hl_head_work_set_view_state (self->other_work, NULL);
  forget_compared_heads (self);
  for (guint i = 0; i < self->bindings->len; i++)
    g_binding_unbind (g_ptr_array_index (self->bindings, i));
  g_clear_pointer (&self->bindings, g_ptr_array_unref);
  g_signal_handlers_disconnect_by_data (self->a, self);
  g_signal_handlers_disconnect_by_data (self->b, self);
  g_signal_handlers_disconnect_by_data (self->aligner, self);
  hl_view_state_set_aligner (self->a, NULL);
  hl_view_state_set_aligner (self->b, NULL);
  hl_aligner_forget (self->aligner);
  g_clear_object (&self->aligner);
  g_clear_object (&self->a);
  g_clear_object (&self->b);
}

HlViewState *
hl_compare_link_get_a (HlCompareLink *self)
{
  g_return_val_if_fail (HL_IS_COMPARE_LINK (self), NULL);
  return self->a;
}

const HlHeadPairing *
hl_compare_link_get_pairing (HlCompareLink *self)
{
  g_return_val_if_fail (HL_IS_COMPARE_LINK (self), NULL);
  return &self->pairing;
}

void
hl_compare_link_set_pairing (HlCompareLink       *self,
                             const HlHeadPairing *pairing)
{
  g_return_if_fail (HL_IS_COMPARE_LINK (self));
  g_return_if_fail (hl_head_pairing_fits (pairing, hl_view_state_get_attention (self->b)));

  if (hl_head_pairing_equal (&self->pairing, pairing))
    return;
  self->pairing = *pairing;
  update_heads (self);
  compare_heads (self);
  if (hl_compare_link_get_difference (self))
    hl_view_state_set_difference (self->a, hl_view_state_get_attention (self->b), pairing);
  g_signal_emit (self, signals[CHANGED], 0);
}

gboolean
hl_compare_link_get_difference (HlCompareLink *self)
{
  g_return_val_if_fail (HL_IS_COMPARE_LINK (self), FALSE);
  return hl_view_state_get_sides (self->a)->other != NULL;
}

/* What is pinned stays pinned, wherever it is then. */
void
hl_compare_link_set_difference (HlCompareLink *self,
                                gboolean       difference)
{
  g_return_if_fail (HL_IS_COMPARE_LINK (self));

  if (hl_compare_link_get_difference (self) == !!difference)
    return;
  g_autoptr (HlComparison) before = NULL;
  if (!difference)
    g_set_object (&before, hl_view_state_get_shown (self->a)->comparison);
  const HlPick pinned = *hl_view_state_get_pinned (self->a);
  HlPick moved = pinned;

  self->updating = TRUE;
  /* Whoever hears that the difference is gone finds two sides. */
  if (!difference)
    set_beside (self, FALSE);
  hl_view_state_set_difference (self->a, difference ? hl_view_state_get_attention (self->b) : NULL,
                                difference ? &self->pairing : NULL);
  HlComparison *comparison = difference ? hl_view_state_get_shown (self->a)->comparison : before;
  if (comparison != NULL && difference)
    moved = hl_pick_in_common (comparison, &pinned, NULL);
  else if (comparison != NULL)
    moved = hl_pick_on_side (comparison, &pinned, FALSE);
  /* Half of a cell is another thing. */
  if (moved.kind != pinned.kind)
    moved = (HlPick){ HL_PICK_NONE };
  hl_view_state_set_pinned (self->a, &moved);
  self->updating = FALSE;
  set_beside (self, difference);
  carry_pick (self, self->a, TRUE);
  g_signal_emit (self, signals[CHANGED], 0);
}

HlComparison *
hl_compare_link_get_comparison (HlCompareLink *self)
{
  g_return_val_if_fail (HL_IS_COMPARE_LINK (self), NULL);

  return hl_view_state_get_shown_comparison (self->a);
}
