/* SPDX-License-Identifier: MIT */
/*
 * What the pointer is over and what is pinned. Whoever changes them is told what of that changed. Picks outside of what
 * is shown would be invisible, yet still rule the picture: they go with it.
 */
#include "view/hl-view-picks.h"

#include "view/pick/hl-pick-sides.h"

void
hl_view_picks_clear (HlViewPicks *self)
{
  hl_focus_clear (&self->pin);
  *self = (HlViewPicks){ 0 };
}

HlChanges
hl_view_picks_hover (HlViewPicks  *self,
                     const HlPick *pick)
{
  if (hl_pick_equal (&self->hovered, pick))
    return 0;
  self->hovered = *pick;
  return HL_CHANGED_HOVER;
}

/* Takes over @pin. Of several tokens that are another set without another that leads, only the set changed. */
HlChanges
hl_view_picks_take_pin (HlViewPicks *self,
                        HlFocus      pin)
{
  g_auto (HlFocus) before = self->pin;

  self->pin = pin;
  return (hl_pick_equal (&before.pick, &pin.pick) ? 0 : HL_CHANGED_PIN) |
         (hl_token_set_equal (before.gathered, pin.gathered) ? 0 : HL_CHANGED_GATHERED);
}

/* What is hovered, and all that is pinned, is elsewhere now, or gone. */
static HlChanges
map (HlViewPicks  *self,
     HlFocusMap    where,
     gconstpointer data)
{
  const HlPick hovered = where (&self->hovered, data);
  const HlChanges changes = hl_view_picks_hover (self, &hovered);

  return changes | hl_view_picks_take_pin (self, hl_focus_map (&self->pin, where, data));
}

/* Where other tokens are shown in place of some: to those that they became. */
HlChanges
hl_view_picks_carry (HlViewPicks *self,
                     HlAttention *before,
                     HlAttention *after)
{
  const HlPick hovered = hl_pick_carried (&self->hovered, before, after);
  const HlChanges changes = hl_view_picks_hover (self, &hovered);

  return changes | hl_view_picks_take_pin (self, hl_focus_carried (&self->pin, before, after));
}

/* Only what is shown stays. */
HlChanges
hl_view_picks_keep_shown (HlViewPicks   *self,
                          const HlShown *shown)
{
  return map (self, hl_shown_keep_pick, shown);
}

typedef struct
{
  HlViewKind to;
  guint layer;
} Leave;

static HlPick
leave (const HlPick *pick,
       gconstpointer data)
{
  const Leave *where = data;
  HlPick left = *pick;

  if (left.kind == HL_PICK_MAP || left.kind == HL_PICK_LAYER || left.kind == HL_PICK_NUMBER)
    left = (HlPick){ HL_PICK_NONE };
  left.step = HL_STEP_NONE;
  left.feature = 0;
  /* Elsewhere it is of the layer that is shown. */
  left.layer = 0;
  hl_view_kind_put_in_layer (where->to, &left, where->layer);
  return left;
}

/* To another view, where @layer is shown. A matrix of one view is no place in another; the token is. */
HlChanges
hl_view_picks_leave_view (HlViewPicks *self,
                          HlViewKind   to,
                          guint        layer)
{
  return map (self, leave, &(Leave){ to, layer });
}

/* What rules the picture: what is pinned, or else hovered. Valid until either is another. */
const HlFocus *
hl_view_picks_get_in_focus (HlViewPicks *self)
{
  const HlPick none = { HL_PICK_NONE };

  if (self->pin.pick.kind != HL_PICK_NONE)
    return &self->pin;
  self->hovered_alone.pick = hl_pick_is_place (&self->hovered) ? none : self->hovered;
  return &self->hovered_alone;
}
