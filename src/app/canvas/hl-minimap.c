/* SPDX-License-Identifier: MIT */
/*
 * A miniature of the whole picture beside what is in view of it: its lines, or its cells pressed into a strip, and a frame around what is
 * seen. It is made in a worker, after the picture. A drag moves the frame, and so the scene; so do the wheel and keys.
 */
#include "config.h"

#include "app/canvas/hl-minimap.h"

#include "app/base/hl-high-contrast.h"
#include "core/base/hl-worker.h"
#include "draw/model-view/hl-thumbnail.h"
#include "draw/paint/hl-cairo.h"

#include <glib/gi18n.h>
#include <math.h>

#define THICKNESS 40
#define PADDING 5
#define MIN_FRAME 10
/* How much of what is not in view is seen through what covers it. */
#define VEIL 0.55

typedef enum
{
  LINE,
  PAGE,
  END,
} MoveKind;

/* Of more heads, or more numbers, only the head that leads is seen: what would take longer than the picture itself is no help. */
#define MAX_HEADS 4
#define MAX_CELLS (64.0 * 1024 * 1024)

struct _HlMinimap
{
  GtkWidget parent_instance;

  GtkOrientation orientation;
  HlSceneView *scene_view;
  HlScene *scene;
  HlViewState *state;

  GPtrArray *wanted;   /* thumbnails of heads, made or being made */
  GPtrArray *pictures; /* those that are there, perhaps of another size */
  GCancellable *cancellable;
  /* Of the scene view, while that is realized. */
  GdkFrameClock *clock;
  gulong after_layout;
  gboolean updates_later;
  /* The part of the text that is in view, 0 to 1 along the strip. */
  double begin;
  double end;
  /* From the begin of the frame to where it is held. */
  double grip;
};

enum
{
  PROP_SCENE_VIEW = 1,
  N_PROPERTIES,
  PROP_ORIENTATION = N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE_WITH_CODE (HlMinimap,
                               hl_minimap,
                               GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_ORIENTABLE, NULL))

static gboolean
is_vertical (HlMinimap *self)
{
  return self->orientation == GTK_ORIENTATION_VERTICAL;
}

/* Whether one strip is of queries and the other of keys. */
static gboolean
crosses_sides (HlMinimap *self)
{
  return hl_view_kind_get_traits (hl_view_state_get_options (self->state)->view)->crosses_sides;
}

/* The heatmap has queries downwards and keys across; where lines join tokens, both run the same way. */
static HlSide
get_side (HlMinimap *self)
{
  return crosses_sides (self) && is_vertical (self) ? HL_QUERIES : HL_KEYS;
}

/* Where the first and the last token lie along the strip's axis, in the viewport. */
static gboolean
get_extent (HlMinimap *self,
            double    *begin,
            double    *end)
{
  const HlRange *ranges = hl_view_state_get_shown (self->state)->ranges;
  const gboolean crosses = crosses_sides (self);

  *begin = G_MAXDOUBLE;
  *end = -G_MAXDOUBLE;
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    for (guint last = 0; last < 2; last++)
      {
        const gsize token = ranges[side].first + (last ? ranges[side].n - 1 : 0);
        const HlPick pick = hl_pick_of (side, token);
        double x, y, width, height;

        if (ranges[side].n == 0 || (crosses && side != get_side (self)) ||
            !hl_scene_locate (self->scene, &pick, &x, &y, &width, &height))
          continue;
        *begin = MIN (*begin, is_vertical (self) ? y : x);
        *end = MAX (*end, is_vertical (self) ? y + height : x + width);
      }
  return *end > *begin;
}

static void
get_window (HlMinimap *self,
            double    *begin,
            double    *length)
{
  cairo_rectangle_t window;

  hl_scene_get_window (self->scene, &window);
  *begin = is_vertical (self) ? window.y : window.x;
  *length = is_vertical (self) ? window.height : window.width;
}

static double
get_length (HlMinimap *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  return MAX (is_vertical (self) ? gtk_widget_get_height (widget) : gtk_widget_get_width (widget), 1);
}

/* Says which tokens are in view. Only where there is a scene. */
static void
update_accessible (HlMinimap *self)
{
  const HlRange range = hl_view_state_get_shown (self->state)->ranges[get_side (self)];
  const gboolean from_end = !is_vertical (self) && hl_scene_is_mirrored (self->scene);
  const double begin = from_end ? 1 - self->end : self->begin;
  const double end = from_end ? 1 - self->begin : self->end;
  /* Translators: which tokens are in view, and how many there are */
  g_autofree char *text = g_strdup_printf (_ ("Tokens %zu to %zu of %zu"), (gsize) (begin * range.n) + 1,
                                           MAX ((gsize) (end * range.n), 1), range.n);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, 0.0,
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, 100.0, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW,
                                  100 * begin, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

/* Whether the scene is one that is read along this strip. */
static gboolean
is_along (HlMinimap *self)
{
  const HlViewTraits *view = hl_view_kind_get_traits (hl_view_state_get_options (self->state)->view);
  const gboolean is_turned = view->can_turn &&
                             hl_view_state_get_options (self->state)->orientation == HL_ORIENTATION_HORIZONTAL;

  return view->has_minimap && (view->crosses_sides || is_vertical (self) != is_turned);
}

/* As the picture has it. Where tokens run across, it is one of those that run down, and turned when it is painted. */
static HlThumbnailStyle
get_style (HlMinimap *self)
{
  const HlShown *shown = hl_view_state_get_shown (self->state);
  const gboolean is_map = crosses_sides (self);
  const gboolean from_right = hl_view_state_reads_right_to_left (self->state);
  const double scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  const guint length = (guint) MAX (1, lround (get_length (self) * scale));
  const guint thickness = (guint) lround ((THICKNESS - 2 * PADDING) * scale);

  return (HlThumbnailStyle){
    .kind = is_map ? HL_THUMBNAIL_HEATMAP : HL_THUMBNAIL_LINES,
    .map = shown->options.colour_map,
    .value_scale = shown->value_scale,
    .relative = TRUE,
    .least_whole = hl_shown_get_least_whole (shown),
    .dark = shown->options.dark,
    /* With all layers, queries are on the side away from the input. */
    .mirrored = is_map
                  ? from_right
                  : is_vertical (self) && from_right != hl_view_kind_get_traits (shown->options.view)->shows_all_layers,
    .width = is_map && !is_vertical (self) ? length : thickness,
    .height = is_map && !is_vertical (self) ? thickness : length,
    .scale = scale,
  };
}

static GPtrArray *
list_pictures (HlMinimap *self)
{
  const HlShown *shown = hl_view_state_get_shown (self->state);
  const HlThumbnailStyle style = get_style (self);
  const HlShownHead lead = { shown->layer, shown->head, shown->head };
  GPtrArray *pictures = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_thumbnail_unref);
  guint n;
  g_autofree HlShownHead *heads = hl_shown_list_heads (shown, &n);

  if (shown->shows_one_head || n > MAX_HEADS || (double) shown->queries.n * shown->keys.n * n > MAX_CELLS)
    {
      heads[0] = lead;
      n = 1;
    }
  for (guint i = 0; i < n && shown->queries.n > 0 && shown->keys.n > 0; i++)
    g_ptr_array_add (pictures, hl_thumbnail_new (shown->filtered, heads[i].layer, heads[i].head, shown->queries,
                                                 shown->keys, &style));
  return pictures;
}

static gboolean
are_of_same (const GPtrArray *a,
             const GPtrArray *b)
{
  if (a == NULL || b == NULL || a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    {
      const HlThumbnail *x = a->pdata[i], *y = b->pdata[i];
      if (x->source != y->source || x->layer != y->layer || x->head != y->head ||
          !hl_range_equal (x->queries, y->queries) || !hl_range_equal (x->keys, y->keys) ||
          x->style.kind != y->style.kind || x->style.dark != y->style.dark || x->style.mirrored != y->style.mirrored)
        return FALSE;
    }
  return TRUE;
}

static gboolean
look_alike (const GPtrArray *a,
            const GPtrArray *b)
{
  return are_of_same (a, b) &&
         (a->len == 0 || hl_thumbnail_looks (a->pdata[0], &((const HlThumbnail *) b->pdata[0])->style));
}

static void
on_made (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr (HlMinimap) self = data;
  GTask *task = G_TASK (result);
  const gboolean is_newest = g_task_get_cancellable (task) == self->cancellable;

  if (!is_newest)
    return;
  g_clear_object (&self->cancellable);
  /* Without numbers the frame is there all the same. What is wrong with the file the scene says. */
  if (g_task_propagate_boolean (task, NULL))
    {
      g_clear_pointer (&self->pictures, g_ptr_array_unref);
      self->pictures = g_ptr_array_ref (g_task_get_task_data (task));
      gtk_widget_queue_draw (GTK_WIDGET (self));
    }
}

static void
run (GTask        *task,
     gpointer      source,
     gpointer      data,
     GCancellable *cancellable)
{
  GPtrArray *pictures = data;
  GError *error = NULL;

  hl_worker_give_way ();
  for (guint i = 0; i < pictures->len; i++)
    if (!hl_thumbnail_make (pictures->pdata[i], NULL, cancellable, &error))
      {
        g_task_return_error (task, error);
        return;
      }
  g_task_return_boolean (task, TRUE);
}

static void
stop_reading (HlMinimap *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->wanted, g_ptr_array_unref);
}

/* Not before the picture is there, which people wait for. What only has another size stays until the new one is made. */
static void
read_if_needed (HlMinimap *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  if (self->state == NULL || !gtk_widget_get_visible (widget) || gtk_widget_get_height (widget) == 0 ||
      hl_scene_view_get_busy (self->scene_view) || !hl_view_state_check_picture (self->state, NULL))
    return;

  g_autoptr (GPtrArray) wanted = list_pictures (self);
  if (look_alike (self->wanted, wanted))
    return;
  stop_reading (self);
  if (!are_of_same (self->pictures, wanted))
    g_clear_pointer (&self->pictures, g_ptr_array_unref);
  self->wanted = g_steal_pointer (&wanted);
  self->cancellable = g_cancellable_new ();

  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, on_made, g_object_ref (self));
  g_task_set_source_tag (task, read_if_needed);
  g_task_set_name (task, "minimap");
  g_task_set_task_data (task, g_ptr_array_ref (self->wanted), (GDestroyNotify) g_ptr_array_unref);
  g_task_run_in_thread (task, run);
  gtk_widget_queue_draw (widget);
}

/*
 * The room that a picture has is known after the layout, when others do not give room away any more. What comes or goes then is laid
 * out before the frame is drawn: nothing that was seen moves.
 */
static void
on_layout_done (HlMinimap *self)
{
  double first, last, window, length;
  gboolean needed = FALSE;

  if (!self->updates_later)
    return;
  self->updates_later = FALSE;
  if (self->scene != NULL && is_along (self) && get_extent (self, &first, &last))
    {
      get_window (self, &window, &length);
      self->begin = CLAMP ((window - first) / (last - first), 0, 1);
      self->end = CLAMP ((window + length - first) / (last - first), self->begin, 1);
      /* Less than a pixel hangs over where content just fits. */
      needed = last - first > length + 1;
    }
  gtk_widget_set_visible (GTK_WIDGET (self), needed);
  if (needed)
    {
      update_accessible (self);
      read_if_needed (self);
      gtk_widget_queue_draw (GTK_WIDGET (self));
    }
  else
    stop_reading (self);
}

static void
queue_update (HlMinimap *self)
{
  self->updates_later = TRUE;
  if (self->clock != NULL)
    gdk_frame_clock_request_phase (self->clock, GDK_FRAME_CLOCK_PHASE_LAYOUT);
}

static void
leave_clock (HlMinimap *self)
{
  if (self->clock != NULL)
    g_clear_signal_handler (&self->after_layout, self->clock);
  g_clear_object (&self->clock);
}

static void
on_realize (HlMinimap *self)
{
  leave_clock (self);
  g_set_object (&self->clock, gtk_widget_get_frame_clock (GTK_WIDGET (self->scene_view)));
  self->after_layout = g_signal_connect_data (self->clock, "layout", G_CALLBACK (on_layout_done), self, NULL,
                                              G_CONNECT_AFTER | G_CONNECT_SWAPPED);
  queue_update (self);
}

static void
on_state_changed (HlMinimap *self,
                  HlChanges  changes)
{
  if (changes & (HL_CHANGED_PIN | HL_CHANGED_THEME))
    queue_update (self);
}

static void
leave_scene (HlMinimap *self)
{
  if (self->scene != NULL)
    g_signal_handlers_disconnect_by_data (self->scene, self);
  g_clear_object (&self->scene);
  if (self->state != NULL)
    g_signal_handlers_disconnect_by_data (self->state, self);
  g_clear_object (&self->state);
}

static void
on_scene (HlMinimap *self)
{
  leave_scene (self);
  stop_reading (self);
  g_clear_pointer (&self->pictures, g_ptr_array_unref);
  g_set_object (&self->scene, hl_scene_view_get_scene (self->scene_view));
  g_set_object (&self->state, hl_scene_view_get_view_state (self->scene_view));
  if (self->scene != NULL)
    g_signal_connect_swapped (self->scene, "measured", G_CALLBACK (queue_update), self);
  if (self->state != NULL)
    g_signal_connect_swapped (self->state, "changed", G_CALLBACK (on_state_changed), self);
  queue_update (self);
}

static void
draw_pictures (HlMinimap *self,
               cairo_t   *cr,
               double     length)
{
  const double thickness = THICKNESS - 2 * PADDING;
  const gboolean is_turned = !is_vertical (self) && !crosses_sides (self);
  const cairo_rectangle_t box = is_vertical (self) || is_turned ? (cairo_rectangle_t){ PADDING, 0, thickness, length }
                                                                : (cairo_rectangle_t){ 0, PADDING, length, thickness };

  cairo_save (cr);
  if (is_turned)
    {
      const gboolean from_end = hl_scene_is_mirrored (self->scene);
      cairo_transform (cr, &(cairo_matrix_t){ .yx = 1, .xy = from_end ? -1 : 1, .x0 = from_end ? length : 0 });
    }
  for (guint i = 0; self->pictures != NULL && i < self->pictures->len; i++)
    hl_thumbnail_paint (self->pictures->pdata[i], &box, cr);
  cairo_restore (cr);
}

static void
add_stretch (HlMinimap *self,
             cairo_t   *cr,
             double     begin,
             double     length,
             double     radius)
{
  if (is_vertical (self))
    hl_cairo_rounded_rectangle (cr, 1, begin + 1, THICKNESS - 2, length - 2, radius);
  else
    hl_cairo_rounded_rectangle (cr, begin + 1, 1, length - 2, THICKNESS - 2, radius);
}

/* Whether a pick is a token, or a cell of one, of those along the strip. */
static gboolean
has_place (HlMinimap    *self,
           const HlPick *pick)
{
  if (crosses_sides (self))
    return hl_pick_has (pick, get_side (self));
  return hl_pick_is_token (pick) || pick->kind == HL_PICK_CELL;
}

/* Where a pinned token is. */
static void
draw_pin (HlMinimap     *self,
          cairo_t       *cr,
          const HlTheme *theme,
          double         length,
          const HlPick  *pinned)
{
  double first, last, x, y, width, height;

  if (!has_place (self, pinned) || !get_extent (self, &first, &last) ||
      !hl_scene_locate (self->scene, pinned, &x, &y, &width, &height))
    return;
  const double at = is_vertical (self) ? y + height / 2 : x + width / 2;
  const double place = round ((at - first) / (last - first) * length);
  hl_cairo_set_colour (cr, &theme->accent, 1);
  if (is_vertical (self))
    cairo_rectangle (cr, 0, place - 1, THICKNESS, 2);
  else
    cairo_rectangle (cr, place - 1, 0, 2, THICKNESS);
  cairo_fill (cr);
}

static void
draw_pins (HlMinimap     *self,
           cairo_t       *cr,
           const HlTheme *theme,
           double         length)
{
  const HlFocus *pin = hl_view_state_get_pin (self->state);
  const HlSide side = hl_pick_get_side (&pin->pick);
  gsize n;
  g_autofree gsize *tokens = hl_focus_list_tokens (pin, side, &n);

  for (gsize i = 0; i < n; i++)
    {
      HlPick pick = pin->pick;
      pick.tokens[side] = tokens[i];
      draw_pin (self, cr, theme, length, &pick);
    }
}

/* Moves the view so that it begins at a part of the text. */
static void
move_to (HlMinimap *self,
         double     fraction)
{
  double first, last, window, length, x, y;

  if (self->scene == NULL || !get_extent (self, &first, &last))
    return;
  get_window (self, &window, &length);
  const double change = round (first + fraction * (last - first) - window);
  hl_scene_get_scroll (self->scene, &x, &y);
  if (is_vertical (self))
    hl_scene_set_scroll (self->scene, x, y + change);
  else
    hl_scene_set_scroll (self->scene, x + change, y);
}

static void
on_drag_begin (HlMinimap *self,
               double     x,
               double     y)
{
  const double at = (is_vertical (self) ? y : x) / get_length (self);

  /* Outside of the frame, its middle comes to where the pointer is. */
  self->grip = at >= self->begin && at <= self->end ? at - self->begin : (self->end - self->begin) / 2;
  move_to (self, at - self->grip);
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
on_drag_update (HlMinimap      *self,
                double          dx,
                double          dy,
                GtkGestureDrag *drag)
{
  double x, y;

  gtk_gesture_drag_get_start_point (drag, &x, &y);
  move_to (self, (is_vertical (self) ? y + dy : x + dx) / get_length (self) - self->grip);
}

static gboolean
on_scroll (HlMinimap *self,
           double     dx,
           double     dy)
{
  move_to (self, self->begin + (dx + dy) * (self->end - self->begin) * 0.2);
  return TRUE;
}

static gboolean
move (GtkWidget *widget,
      GVariant  *arguments,
      gpointer   data)
{
  HlMinimap *self = HL_MINIMAP (widget);
  int direction, kind;

  g_variant_get (arguments, "(ii)", &direction, &kind);
  const double page = self->end - self->begin;
  if (kind == END)
    move_to (self, direction < 0 ? 0 : 1);
  else
    move_to (self, self->begin + direction * page * (kind == PAGE ? 0.9 : 0.1));
  return TRUE;
}

static void
bind_move (GtkWidgetClass *widget_class,
           guint           key,
           guint           keypad_key,
           int             direction,
           MoveKind        kind)
{
  gtk_widget_class_add_binding (widget_class, key, 0, move, "(ii)", direction, (int) kind);
  gtk_widget_class_add_binding (widget_class, keypad_key, 0, move, "(ii)", direction, (int) kind);
}

static void
install_keys (GtkWidgetClass *widget_class)
{
  bind_move (widget_class, GDK_KEY_Up, GDK_KEY_KP_Up, -1, LINE);
  bind_move (widget_class, GDK_KEY_Left, GDK_KEY_KP_Left, -1, LINE);
  bind_move (widget_class, GDK_KEY_Down, GDK_KEY_KP_Down, 1, LINE);
  bind_move (widget_class, GDK_KEY_Right, GDK_KEY_KP_Right, 1, LINE);
  bind_move (widget_class, GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up, -1, PAGE);
  bind_move (widget_class, GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down, 1, PAGE);
  bind_move (widget_class, GDK_KEY_Home, GDK_KEY_KP_Home, -1, END);
  bind_move (widget_class, GDK_KEY_End, GDK_KEY_KP_End, 1, END);
}

static void
init_input (HlMinimap *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);

  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
}

static void
hl_minimap_snapshot (GtkWidget   *widget,
                     GtkSnapshot *snapshot)
{
  HlMinimap *self = HL_MINIMAP (widget);
  const int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  if (self->scene == NULL || width <= 0 || height <= 0)
    return;

  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  const HlTheme *theme = hl_high_contrast_get_theme (hl_view_state_get_options (self->state)->dark);
  const double length = get_length (self);
  const double frame = MAX ((self->end - self->begin) * length, MIN_FRAME);
  const double begin = CLAMP ((self->begin + self->end) / 2 * length - frame / 2, 0, MAX (0, length - frame));

  hl_cairo_set_colour (cr, &theme->background, 1);
  cairo_paint (cr);
  draw_pictures (self, cr, length);
  /* What is not in view stands back. */
  cairo_rectangle (cr, 0, 0, width, height);
  add_stretch (self, cr, begin, frame, 4);
  cairo_set_fill_rule (cr, CAIRO_FILL_RULE_EVEN_ODD);
  hl_cairo_set_colour (cr, &theme->grid, VEIL);
  cairo_fill (cr);
  draw_pins (self, cr, theme, length);
  add_stretch (self, cr, begin, frame, 4);
  hl_cairo_set_colour (cr, &theme->accent, 1);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

/* Its picture is as long as it is. */
static void
hl_minimap_size_allocate (GtkWidget *widget,
                          int        width,
                          int        height,
                          int        baseline)
{
  queue_update (HL_MINIMAP (widget));
}

static void
hl_minimap_measure (GtkWidget     *widget,
                    GtkOrientation orientation,
                    int            for_size,
                    int           *minimum,
                    int           *natural,
                    int           *minimum_baseline,
                    int           *natural_baseline)
{
  *minimum = *natural = orientation == HL_MINIMAP (widget)->orientation ? 2 * MIN_FRAME : THICKNESS;
}

static void
hl_minimap_dispose (GObject *object)
{
  HlMinimap *self = HL_MINIMAP (object);

  leave_clock (self);
  leave_scene (self);
  stop_reading (self);
  g_clear_pointer (&self->pictures, g_ptr_array_unref);
  if (self->scene_view != NULL)
    g_signal_handlers_disconnect_by_data (self->scene_view, self);
  g_clear_object (&self->scene_view);
  G_OBJECT_CLASS (hl_minimap_parent_class)->dispose (object);
}

static void
hl_minimap_get_property (GObject    *object,
                         guint       id,
                         GValue     *value,
                         GParamSpec *pspec)
{
  if (id == PROP_ORIENTATION)
    g_value_set_enum (value, HL_MINIMAP (object)->orientation);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
hl_minimap_set_property (GObject      *object,
                         guint         id,
                         const GValue *value,
                         GParamSpec   *pspec)
{
  HlMinimap *self = HL_MINIMAP (object);

  switch (id)
    {
    case PROP_SCENE_VIEW:
      self->scene_view = g_value_dup_object (value);
      g_signal_connect_swapped (self->scene_view, "notify::scene", G_CALLBACK (on_scene), self);
      g_signal_connect_swapped (self->scene_view, "notify::view-state", G_CALLBACK (on_scene), self);
      g_signal_connect_swapped (self->scene_view, "finished", G_CALLBACK (read_if_needed), self);
      g_signal_connect_swapped (self->scene_view, "realize", G_CALLBACK (on_realize), self);
      g_signal_connect_swapped (self->scene_view, "unrealize", G_CALLBACK (leave_clock), self);
      if (gtk_widget_get_realized (GTK_WIDGET (self->scene_view)))
        on_realize (self);
      break;
    case PROP_ORIENTATION:
      self->orientation = g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_minimap_class_init (HlMinimapClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = hl_minimap_dispose;
  object_class->get_property = hl_minimap_get_property;
  object_class->set_property = hl_minimap_set_property;
  widget_class->measure = hl_minimap_measure;
  widget_class->size_allocate = hl_minimap_size_allocate;
  widget_class->snapshot = hl_minimap_snapshot;

  /* What it is a map of. Set once, by a .ui file. */
  properties[PROP_SCENE_VIEW] =
    g_param_spec_object ("scene-view", NULL, NULL, HL_TYPE_SCENE_VIEW, G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  g_object_class_override_property (object_class, PROP_ORIENTATION, "orientation");

  install_keys (widget_class);
  gtk_widget_class_set_css_name (widget_class, "minimap");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_SCROLLBAR);
}

static void
hl_minimap_init (HlMinimap *self)
{
  self->orientation = GTK_ORIENTATION_VERTICAL;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "pointer");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Map of the Text"), -1);
  hl_high_contrast_follow (GTK_WIDGET (self));
  init_input (self);
}
