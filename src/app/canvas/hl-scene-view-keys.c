/* SPDX-License-Identifier: MIT */
/*
 * What the keyboard does in a scene view. It moves what is in focus: the pinned token or cell if there is one, else the
 * hovered one. In the heatmap and in steps that is a cell, elsewhere a token, which left and right take from queries to
 * keys and back; in the neuron view the keys of a query are its cells. In the model view it is a head, which Enter
 * opens and space chooses.
 */
#include "config.h"

#include "app/canvas/hl-scene-view-private.h"

#include <math.h>

typedef enum
{
  STEP,
  PAGE,
  END,
} MoveKind;

#define PAGE_TOKENS 10

/* The first of those that pin. */
#define N_ENTER_KEYS 3

static gsize
move_index (gsize          index,
            const HlRange *range,
            int            direction,
            MoveKind       kind)
{
  const gsize last = range->first + range->n - 1;
  const gsize step = kind == PAGE ? PAGE_TOKENS : 1;

  index = CLAMP (index, range->first, last);
  if (direction == 0)
    return index;
  if (kind == END)
    return direction < 0 ? range->first : last;
  if (direction < 0)
    return index - range->first > step ? index - step : range->first;
  return last - index > step ? index + step : last;
}

static gboolean
has_cells (HlSceneView *self)
{
  const HlViewKind view = hl_view_state_get_view (self->view_state);

  return view == HL_VIEW_HEATMAP || view == HL_VIEW_STEPS;
}

/* From where a key moves on. */
static HlPick
get_start (HlSceneView   *self,
           const HlRange *queries,
           const HlRange *keys,
           gboolean      *is_new)
{
  HlPick pick = *hl_view_state_get_focus (self->view_state);

  *is_new = pick.kind == HL_PICK_NONE;
  if (pick.kind != HL_PICK_QUERY && pick.kind != HL_PICK_KEY && pick.kind != HL_PICK_CELL)
    pick = (HlPick){ HL_PICK_QUERY, queries->first, .layer = hl_view_state_get_view (self->view_state) == HL_VIEW_LAYERS
                                                               ? hl_view_state_get_shown_layer (self->view_state)
                                                               : 0 };
  if (has_cells (self))
    {
      /* From a matrix of features to the weights. */
      if (!hl_step_is_map (pick.step))
        pick.step = hl_view_state_get_view (self->view_state) == HL_VIEW_STEPS ? HL_STEP_WEIGHTS : HL_STEP_NONE;
      pick.feature = 0;
      if (pick.kind == HL_PICK_QUERY)
        pick.key = keys->first;
      else if (pick.kind == HL_PICK_KEY)
        pick.query = queries->first;
      pick.kind = HL_PICK_CELL;
    }
  else if (hl_view_state_get_view (self->view_state) == HL_VIEW_NEURON)
    pick = (HlPick){ pick.kind, pick.query, pick.key, 0 };
  else if (pick.kind == HL_PICK_CELL)
    pick = (HlPick){ HL_PICK_QUERY, pick.query, .layer = pick.layer };
  return pick;
}

/* Up and down along the keys of a query; to the left back to the queries. */
static void
move_neuron (HlPick        *pick,
             const HlRange *queries,
             const HlRange *keys,
             int            dx,
             int            dy,
             MoveKind       kind)
{
  if (pick->kind == HL_PICK_QUERY && dx <= 0)
    pick->query = move_index (pick->query, queries, dy, kind);
  else if (pick->kind == HL_PICK_QUERY)
    *pick = (HlPick){ HL_PICK_CELL, pick->query, keys->first, 0 };
  else if (pick->kind == HL_PICK_KEY)
    *pick = (HlPick){ HL_PICK_CELL, queries->first, move_index (pick->key, keys, dy, kind), 0 };
  else if (dx < 0)
    *pick = (HlPick){ HL_PICK_QUERY, pick->query, 0, 0 };
  else
    pick->key = move_index (pick->key, keys, dy, kind);
}

static void
move_token (HlPick        *pick,
            const HlRange *queries,
            const HlRange *keys,
            int            dx,
            int            dy,
            MoveKind       kind)
{
  const gsize index = pick->kind == HL_PICK_QUERY ? pick->query : pick->key;
  const gboolean to_keys = dx > 0 || (dx == 0 && pick->kind == HL_PICK_KEY);

  if (to_keys)
    *pick = (HlPick){ HL_PICK_KEY, 0, move_index (index, keys, dy, kind), 0 };
  else
    *pick = (HlPick){ HL_PICK_QUERY, move_index (index, queries, dy, kind), 0, 0 };
}

/* To the side from layer to layer; before the lowest is the input. */
static void
move_through_layers (HlSceneView   *self,
                     HlPick        *pick,
                     const HlRange *range,
                     int            dx,
                     int            dy,
                     MoveKind       kind)
{
  const int n_layers = (int) hl_attention_get_n_layers (hl_view_state_get_shown_attention (self->view_state));
  const int column = pick->kind == HL_PICK_QUERY ? (int) pick->layer + 1 : 0;
  const int next = CLAMP (column + (kind == STEP ? dx : 0), 0, n_layers);
  const gsize token = move_index (pick->kind == HL_PICK_QUERY ? pick->query : pick->key, range,
                                  kind == END && dy == 0 ? dx : dy, kind);

  if (next == 0)
    *pick = (HlPick){ HL_PICK_KEY, .key = token };
  else
    *pick = (HlPick){ HL_PICK_QUERY, .query = token, .layer = (guint) next - 1 };
}

/* How far to scroll along one axis so that a stretch is in view, with some room around it. */
static double
get_correction (double position,
                double size,
                double page)
{
  const double room = MIN (2 * size, page / 4);

  /* A whole row or column is in view from side to side. */
  if (position <= 0 && position + size >= page)
    return 0;
  /* Far away, to the middle, where one sees what is around it. */
  if (position + size < -page / 2 || position > 1.5 * page)
    return position + size / 2 - page / 2;
  if (position - room < 0)
    return position - room;
  if (position + size + room > page)
    return position + size + room - page;
  return 0;
}

/**
 * hl_scene_view_scroll_to:
 * @self: a scene view with a view state
 * @pick: what to bring into view; nothing happens where the scene does not show it
 */
void
hl_scene_view_scroll_to (HlSceneView  *self,
                         const HlPick *pick)
{
  cairo_rectangle_t window;
  double x, y, width, height, scroll_x, scroll_y;

  g_return_if_fail (HL_IS_SCENE_VIEW (self));

  if (!hl_scene_locate (self->scene, pick, &x, &y, &width, &height))
    return;
  hl_scene_get_window (self->scene, &window);
  hl_scene_get_scroll (self->scene, &scroll_x, &scroll_y);
  hl_scene_set_scroll (self->scene, round (scroll_x + get_correction (x - window.x, width, window.width)),
                       round (scroll_y + get_correction (y - window.y, height, window.height)));
}

/* Keys point on the screen, where tokens may run across or from right to left. */
static void
turn_step (HlSceneView *self,
           int         *dx,
           int         *dy)
{
  const HlViewKind view = hl_view_state_get_view (self->view_state);

  if (view != HL_VIEW_HEAD_VIEW && view != HL_VIEW_HEATMAP && view != HL_VIEW_LAYERS)
    return;
  if (hl_view_state_reads_right_to_left (self->view_state))
    *dx = -*dx;
  if (view == HL_VIEW_HEAD_VIEW &&
      hl_view_state_get_orientation (self->view_state) == HL_ORIENTATION_HORIZONTAL)
    {
      const int down = *dy;
      *dy = *dx;
      *dx = down;
    }
}

static gboolean
move (GtkWidget *widget,
      GVariant  *arguments,
      gpointer   data)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);
  int dx, dy, kind;
  gboolean is_new;

  g_variant_get (arguments, "(iii)", &dx, &dy, &kind);
  if (self->scene == NULL)
    return FALSE;
  if (hl_view_state_get_view (self->view_state) == HL_VIEW_MODEL)
    return hl_scene_view_move_map (self, dx, dy, kind == END);

  const HlRange queries = hl_view_state_get_shown_queries (self->view_state);
  const HlRange keys = hl_view_state_get_shown_keys (self->view_state);
  if (queries.n == 0 || keys.n == 0)
    return TRUE;

  if (kind == STEP)
    turn_step (self, &dx, &dy);
  HlPick pick = get_start (self, &queries, &keys, &is_new);
  if (is_new && kind == STEP)
    /* The first key only shows where the focus is. */
    ;
  else if (hl_view_state_get_view (self->view_state) == HL_VIEW_LAYERS)
    move_through_layers (self, &pick, &queries, dx, dy, kind);
  else if (hl_view_state_get_view (self->view_state) == HL_VIEW_NEURON)
    move_neuron (&pick, &queries, &keys, kind == END ? 0 : dx, kind == END && dy == 0 ? dx : dy, kind);
  else if (pick.kind == HL_PICK_CELL)
    {
      pick.query = move_index (pick.query, &queries, dy, kind);
      pick.key = move_index (pick.key, &keys, dx, kind);
    }
  else
    move_token (&pick, &queries, &keys, kind == END ? 0 : dx, kind == END && dy == 0 ? dx : dy, kind);

  hl_scene_view_let_keyboard_lead (self);
  if (hl_view_state_get_pinned (self->view_state)->kind != HL_PICK_NONE)
    hl_view_state_set_pinned (self->view_state, &pick);
  else
    hl_view_state_set_hovered (self->view_state, &pick);
  hl_scene_view_scroll_to (self, &pick);
  return TRUE;
}

static gboolean
pin (GtkWidget *widget,
     GVariant  *arguments,
     gpointer   data)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);

  int opens;

  g_variant_get (arguments, "(i)", &opens);
  if (self->scene == NULL)
    return FALSE;
  const HlPick *hovered = hl_view_state_get_hovered (self->view_state);
  if (hovered->kind == HL_PICK_MAP)
    {
      (opens ? hl_scene_view_open_map : hl_scene_view_choose_map) (self, hovered);
      return TRUE;
    }
  /* With nothing in focus, what is chosen is meant. */
  if (opens && hl_view_state_get_view (self->view_state) == HL_VIEW_MODEL)
    {
      const HlPick chosen = { HL_PICK_MAP, .head = hl_view_state_get_shown_head (self->view_state),
                              .layer = hl_view_state_get_shown_layer (self->view_state) };
      hl_scene_view_open_map (self, &chosen);
      return TRUE;
    }
  const HlPick pick = *hl_view_state_get_focus (self->view_state);
  if (pick.kind == HL_PICK_NONE)
    return FALSE;
  /* Freed by key, it stays in focus. */
  hl_scene_view_let_keyboard_lead (self);
  hl_view_state_set_hovered (self->view_state, &pick);
  hl_scene_view_toggle_pin (self, &pick);
  return TRUE;
}

static void
bind_move (GtkWidgetClass  *widget_class,
           guint            key,
           guint            keypad_key,
           GdkModifierType  modifiers,
           int              dx,
           int              dy,
           MoveKind         kind)
{
  gtk_widget_class_add_binding (widget_class, key, modifiers, move, "(iii)", dx, dy, (int) kind);
  gtk_widget_class_add_binding (widget_class, keypad_key, modifiers, move, "(iii)", dx, dy, (int) kind);
}

void
hl_scene_view_install_keys (GtkWidgetClass *widget_class)
{
  static const guint pin_keys[]
    = { GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter, GDK_KEY_space, GDK_KEY_KP_Space };

  bind_move (widget_class, GDK_KEY_Up, GDK_KEY_KP_Up, 0, 0, -1, STEP);
  bind_move (widget_class, GDK_KEY_Down, GDK_KEY_KP_Down, 0, 0, 1, STEP);
  bind_move (widget_class, GDK_KEY_Left, GDK_KEY_KP_Left, 0, -1, 0, STEP);
  bind_move (widget_class, GDK_KEY_Right, GDK_KEY_KP_Right, 0, 1, 0, STEP);
  bind_move (widget_class, GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up, 0, 0, -1, PAGE);
  bind_move (widget_class, GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down, 0, 0, 1, PAGE);
  bind_move (widget_class, GDK_KEY_Home, GDK_KEY_KP_Home, 0, -1, 0, END);
  bind_move (widget_class, GDK_KEY_End, GDK_KEY_KP_End, 0, 1, 0, END);
  bind_move (widget_class, GDK_KEY_Home, GDK_KEY_KP_Home, GDK_CONTROL_MASK, -1, -1, END);
  bind_move (widget_class, GDK_KEY_End, GDK_KEY_KP_End, GDK_CONTROL_MASK, 1, 1, END);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_h, 0, "win.hide-token", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Delete, 0, "win.hide-token", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (pin_keys); i++)
    gtk_widget_class_add_binding (widget_class, pin_keys[i], 0, pin, "(i)", i < N_ENTER_KEYS);
}

/**
 * hl_scene_view_go_to:
 * @self: a scene view that shows something
 * @zoom: as hl_scene_get_zoom() gives it
 * @scroll_x: how far the content is scrolled, logical pixels
 * @scroll_y: likewise
 *
 * Goes back to where a scene of the same view was.
 */
void
hl_scene_view_go_to (HlSceneView *self,
                     double       zoom,
                     double       scroll_x,
                     double       scroll_y)
{
  g_return_if_fail (HL_IS_SCENE_VIEW (self));
  g_return_if_fail (self->scene != NULL);

  hl_scene_set_zoom (self->scene, zoom);
  hl_scene_set_scroll (self->scene, scroll_x, scroll_y);
}
