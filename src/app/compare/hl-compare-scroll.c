/* SPDX-License-Identifier: MIT */
/* The side where the pointer or the keyboard is leads. What is in the middle of it is brought to the same place on the
 * other side. */
#include "config.h"

#include "app/compare/hl-compare-scroll.h"

#include <math.h>

struct _HlCompareScroll
{
  GObject parent_instance;

  HlSides *sides;
  HlSceneView *views[2];
  HlScene *scenes[2];
  GtkEventController *controllers[2][2];
  guint leader;
  gboolean updating;
  gboolean alone;
  /* Where both were put; they stay there until one of them is moved. */
  gboolean settled;
  double places[2][3];
  /* Of the first view, while the other is to follow once both have their room. */
  guint tick;
  guint follows;
};

G_DEFINE_FINAL_TYPE (HlCompareScroll, hl_compare_scroll, G_TYPE_OBJECT)

static double
locate_middle (HlScene      *scene,
               const HlPick *pick,
               gboolean      vertical)
{
  double x, y, width, height;

  if (!hl_scene_locate (scene, pick, &x, &y, &width, &height))
    return NAN;
  return vertical ? y + height / 2 : x + width / 2;
}

/* The token in the middle of a scene: they stand in order, so that halving finds it. */
static gsize
find_middle (HlScene *scene,
             HlPick  *pick,
             gsize   *index,
             HlRange  range,
             gboolean vertical)
{
  gsize low = range.first, high = range.first + range.n - 1;
  double width, height;

  hl_scene_get_viewport (scene, &width, &height, NULL);
  while (low < high)
    {
      const gsize middle = low + (high - low) / 2;
      *index = middle;
      if (locate_middle (scene, pick, vertical) < (vertical ? height : width) / 2)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* The nearest token of the leader that the other has too; whether there is any. */
static gboolean
find_common (const HlTokenAlignment *alignment,
             gboolean                from_a,
             gsize                   start,
             HlRange                 range,
             gsize                  *own,
             gsize                  *other)
{
  for (gsize distance = 0; distance < range.n; distance++)
    for (guint back = 0; back < 2; back++)
      {
        const gsize index = back ? start - distance : start + distance;
        if (index < range.first || index >= range.first + range.n)
          continue;
        *own = index;
        *other = from_a ? hl_token_alignment_a_to_b (alignment, index) : hl_token_alignment_b_to_a (alignment, index);
        if (*other != HL_TOKEN_NONE)
          return TRUE;
      }
  return FALSE;
}

/* How far the other side must scroll along one axis. */
static gboolean
find_shift (HlCompareScroll *self,
            guint            from,
            gboolean         vertical,
            double          *shift)
{
  HlComparison *comparison = hl_sides_get_comparison (self->sides);
  if (comparison == NULL)
    return FALSE;
  HlScene *scene = self->scenes[from];
  HlViewState *state = hl_scene_get_state (scene);
  const HlSide side = vertical ? HL_QUERIES : HL_KEYS;
  const HlRange range = hl_view_state_get_shown (state)->ranges[side];
  const HlTokenAlignment *alignment = hl_comparison_get_alignment (comparison, side);
  HlPick pick = hl_pick_of (side, range.first);
  HlPick other_pick = pick;
  gsize *const index = &pick.tokens[side];
  gsize *const other = &other_pick.tokens[side];

  if (range.n == 0 || isnan (locate_middle (scene, &pick, vertical)))
    return FALSE;
  const gsize middle = find_middle (scene, &pick, index, range, vertical);
  if (!find_common (alignment, from == 0, middle, range, index, other))
    return FALSE;
  *shift = locate_middle (self->scenes[1 - from], &other_pick, vertical) - locate_middle (scene, &pick, vertical);
  return !isnan (*shift);
}

static void
follow (HlCompareScroll *self,
        guint            from)
{
  HlScene *scene = self->scenes[from];
  HlScene *other = self->scenes[1 - from];
  double x, y, other_x, other_y, dx, dy;

  if (self->updating || scene == NULL || other == NULL || G_OBJECT_TYPE (scene) != G_OBJECT_TYPE (other) ||
      hl_sides_get_difference (self->sides))
    return;
  self->updating = TRUE;
  hl_scene_set_zoom (other, hl_scene_get_zoom (scene));
  hl_scene_get_scroll (scene, &x, &y);
  hl_scene_get_scroll (other, &other_x, &other_y);
  /* Layers side by side are not tokens: labels of another width would push the longer ones out of the picture. */
  if (!hl_view_kind_get_traits (hl_view_state_get_options (hl_scene_get_state (scene))->view)->shows_all_layers &&
      find_shift (self, from, FALSE, &dx))
    x = other_x + dx;
  if (find_shift (self, from, TRUE, &dy))
    y = other_y + dy;
  hl_scene_set_scroll (other, round (x), round (y));
  self->updating = FALSE;
}

static void
get_place (HlScene *scene,
           double   place[3])
{
  hl_scene_get_scroll (scene, &place[0], &place[1]);
  place[2] = hl_scene_get_zoom (scene);
}

static gboolean
is_settled (HlCompareScroll *self)
{
  for (guint side = 0; side < 2 && self->settled; side++)
    {
      double place[3];
      if (self->scenes[side] == NULL)
        return FALSE;
      get_place (self->scenes[side], place);
      for (guint i = 0; i < G_N_ELEMENTS (place); i++)
        self->settled = self->settled && place[i] == self->places[side][i];
    }
  return self->settled;
}

/* The room that both have says how high rows are and where they begin, or those of one picture would lie lower than the other's. */
static void
tell_sizes (HlCompareScroll *self)
{
  double widths[2], heights[2];

  if (self->scenes[0] == NULL || self->scenes[1] == NULL)
    return;
  for (guint side = 0; side < 2; side++)
    hl_scene_get_viewport (self->scenes[side], &widths[side], &heights[side], NULL);
  for (guint side = 0; side < 2; side++)
    hl_scene_set_beside_size (self->scenes[side], self->alone ? 0 : widths[1 - side],
                              self->alone ? 0 : heights[1 - side]);
}

static gboolean
on_tick (GtkWidget     *widget,
         GdkFrameClock *clock,
         gpointer       data)
{
  HlCompareScroll *self = data;

  self->tick = 0;
  tell_sizes (self);
  if (!is_settled (self))
    follow (self, self->follows);
  return G_SOURCE_REMOVE;
}

static void
follow_soon (HlCompareScroll *self,
             guint            from)
{
  self->follows = from;
  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self->views[0]), on_tick, self, NULL);
}

static void
on_measured (HlCompareScroll *self,
             HlScene         *scene)
{
  const guint side = scene == self->scenes[1];

  if (hl_scene_view_get_allocating (self->views[side]))
    follow_soon (self, self->leader);
  else
    tell_sizes (self);
  if (self->updating || is_settled (self))
    return;
  /* Only somebody who looks at a side zooms it; it moves also when its labels turn out longer. */
  if (side == self->leader ||
      (self->scenes[1 - side] != NULL && hl_scene_get_zoom (scene) != hl_scene_get_zoom (self->scenes[1 - side])))
    {
      if (hl_scene_view_get_allocating (self->views[side]))
        follow_soon (self, side);
      else
        follow (self, side);
    }
}

static void
leave_scene (HlCompareScroll *self,
             guint            side)
{
  if (self->scenes[side] != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->scenes[side], self);
      hl_scene_set_beside_size (self->scenes[side], 0, 0);
    }
  g_clear_object (&self->scenes[side]);
}

static void
on_scene (HlCompareScroll *self,
          GParamSpec      *pspec,
          HlSceneView     *view)
{
  const guint side = view == self->views[1];

  leave_scene (self, side);
  g_set_object (&self->scenes[side], hl_scene_view_get_scene (view));
  if (self->scenes[side] == NULL)
    return;
  g_signal_connect_swapped (self->scenes[side], "measured", G_CALLBACK (on_measured), self);
  tell_sizes (self);
  follow (self, 0);
}

/* Long texts belong together only now. */
static void
on_aligned (HlCompareScroll *self)
{
  if (!is_settled (self))
    follow (self, self->leader);
}

static void
on_lead (HlCompareScroll    *self,
         GtkEventController *controller)
{
  self->leader = gtk_event_controller_get_widget (controller) == GTK_WIDGET (self->views[1]);
}

static void
on_enter (HlCompareScroll    *self,
          double              x,
          double              y,
          GtkEventController *controller)
{
  on_lead (self, controller);
}

static void
hl_compare_scroll_dispose (GObject *object)
{
  HlCompareScroll *self = HL_COMPARE_SCROLL (object);

  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self->views[0]), self->tick);
  self->tick = 0;
  for (guint side = 0; side < 2; side++)
    {
      leave_scene (self, side);
      if (self->views[side] == NULL)
        continue;
      g_signal_handlers_disconnect_by_data (self->views[side], self);
      for (guint i = 0; i < 2; i++)
        gtk_widget_remove_controller (GTK_WIDGET (self->views[side]), self->controllers[side][i]);
      g_clear_object (&self->views[side]);
    }
  g_clear_object (&self->sides);
  G_OBJECT_CLASS (hl_compare_scroll_parent_class)->dispose (object);
}

static void
hl_compare_scroll_class_init (HlCompareScrollClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_compare_scroll_dispose;
}

static void
hl_compare_scroll_init (HlCompareScroll *self)
{
}

HlCompareScroll *
hl_compare_scroll_new (HlSides     *sides,
                       HlSceneView *a,
                       HlSceneView *b)
{
  g_return_val_if_fail (HL_IS_SIDES (sides), NULL);
  g_return_val_if_fail (HL_IS_SCENE_VIEW (a) && HL_IS_SCENE_VIEW (b), NULL);

  HlCompareScroll *self = g_object_new (HL_TYPE_COMPARE_SCROLL, NULL);
  self->sides = g_object_ref (sides);
  g_signal_connect_object (hl_view_state_get_counterpart (hl_sides_get_a (sides))->aligner, "aligned",
                           G_CALLBACK (on_aligned), self, G_CONNECT_SWAPPED);
  self->views[0] = g_object_ref (a);
  self->views[1] = g_object_ref (b);
  for (guint side = 0; side < 2; side++)
    {
      self->controllers[side][0] = gtk_event_controller_motion_new ();
      self->controllers[side][1] = gtk_event_controller_focus_new ();
      g_signal_connect_swapped (self->controllers[side][0], "enter", G_CALLBACK (on_enter), self);
      g_signal_connect_swapped (self->controllers[side][1], "enter", G_CALLBACK (on_lead), self);
      for (guint i = 0; i < 2; i++)
        gtk_widget_add_controller (GTK_WIDGET (self->views[side]), self->controllers[side][i]);
      g_signal_connect_swapped (self->views[side], "notify::scene", G_CALLBACK (on_scene), self);
      on_scene (self, NULL, self->views[side]);
    }
  return self;
}

/* Whether they are seen one at a time: each has all the room then, and what the other had last is no matter. */
void
hl_compare_scroll_set_alone (HlCompareScroll *self,
                             gboolean         alone)
{
  g_return_if_fail (HL_IS_COMPARE_SCROLL (self));

  if (self->alone == alone)
    return;
  self->alone = alone;
  tell_sizes (self);
}

/* Puts the second view where it was when the first was where it is. What of theirs is side by side then may depend
 * on how they came there. */
void
hl_compare_scroll_go_to (HlCompareScroll *self,
                         double           x,
                         double           y)
{
  g_return_if_fail (HL_IS_COMPARE_SCROLL (self));
  g_return_if_fail (self->scenes[0] != NULL && self->scenes[1] != NULL);

  self->updating = TRUE;
  hl_scene_view_go_to (self->views[1], hl_scene_get_zoom (self->scenes[0]), x, y);
  for (guint side = 0; side < 2; side++)
    get_place (self->scenes[side], self->places[side]);
  self->settled = TRUE;
  self->updating = FALSE;
}
