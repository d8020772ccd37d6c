/* SPDX-License-Identifier: MIT */
/* The cells of the picker: a row per layer, a column per head. One widget draws them all, because a model may have a
 * thousand; row and column numbers stay in sight while the cells scroll under them. */
#include "app/heads/hl-head-grid.h"

#include "core/base/hl-limits.h"
#include "app/heads/hl-head-grid-paint.h"

#include "draw/model-view/hl-model-view-order.h"
#include "draw/paint/hl-colour-map.h"
#include "view/hl-gap-text.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define MIN_CELL 12
#define NATURAL_CELL 22
#define MAX_CELL 32
/* Smaller than this, a picture tells nothing. */
#define LEAST_PICTURE 14
#define MIN_VISIBLE_ROWS 4
#define MIN_VISIBLE_COLUMNS 8
/* A sidebar's worth: a model of many heads shall not push the picture away. */
#define MAX_NATURAL_WIDTH 284

struct _HlHeadGrid
{
  GtkWidget parent_instance;

  HlViewState *state;
  gulong changed_id;
  GtkAdjustment *adjustments[2];
  GtkScrollablePolicy policies[2];
  HlHeadGridLayout layout;
  HlHeadGridLook look;
  HlHeadPictures *pictures;
  int hovered_layer;
  int hovered_head;
};

enum
{
  PROP_HADJUSTMENT = 1,
  PROP_VADJUSTMENT,
  PROP_HSCROLL_POLICY,
  PROP_VSCROLL_POLICY,
};

enum
{
  LEGEND_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE_WITH_CODE (HlHeadGrid,
                               hl_head_grid,
                               GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL))

/* Keeps the heads. Where layers are combined, it is that layer alone, unless layers are gathered. */
static void
choose_layer (HlViewState *state,
              guint        layer,
              gboolean     gather)
{
  HlLayerSet only = { { 0 } };

  g_object_freeze_notify (G_OBJECT (state));
  hl_layer_set_add (&only, layer);
  if (hl_view_state_get_shown (state)->merges_layers && gather)
    hl_view_state_toggle_layer (state, layer);
  else if (hl_view_state_get_shown (state)->merges_layers)
    hl_view_state_set_layers (state, &only);
  if (!hl_view_state_get_shown (state)->merges_layers || !gather)
    hl_view_state_set_layer (state, layer);
  g_object_thaw_notify (G_OBJECT (state));
}

/* Heads gather, of whatever layers unless several are combined. The second press of a double click leaves the head
 * alone. */
static void
choose_head (HlViewState *state,
             guint        layer,
             guint        head,
             gboolean     gather,
             int          n_press)
{
  const gboolean is_same_layer = layer == hl_view_state_get_layer (state);
  const gboolean combines = hl_view_state_get_shown (state)->merges_heads ||
                            hl_view_state_get_shown (state)->merges_layers;

  if (gather && !combines)
    hl_view_state_toggle_head_of (state, layer, head);
  else if (gather && is_same_layer)
    hl_view_state_toggle_head (state, head);
  else if (n_press == 1)
    hl_view_state_go_to (state, layer, head);
  else if (n_press == 2 && is_same_layer)
    hl_view_state_go_to (state, hl_view_state_get_layer (state), head);
}

/* The layer that is so many away, or the last one on that side; one without attention is passed over. */
static guint
get_layer_by (HlViewState *state,
              int          layers)
{
  HlAttention *attention = hl_view_state_get_attention (state);
  const int n = (int) hl_attention_get_n_layers (attention), now = (int) hl_view_state_get_layer (state);
  const int step = layers < 0 ? -1 : 1, wanted = CLAMP (now + layers, 0, n - 1);

  for (int layer = wanted; layer >= 0 && layer < n; layer += step)
    if (hl_attention_get_n_heads (attention, (guint) layer) > 0)
      return (guint) layer;
  /* The last ones on that side have none. */
  for (int layer = wanted; layer != now; layer -= step)
    if (hl_attention_get_n_heads (attention, (guint) layer) > 0)
      return (guint) layer;
  return (guint) now;
}

static guint
get_head_by (HlViewState *state,
             int          heads)
{
  const int n = (int) hl_view_state_get_n_heads (state);

  return (guint) CLAMP ((int) hl_view_state_get_head (state) + heads, 0, n - 1);
}

/* As far as there are any. Across layers the chosen heads stay, so that they can be compared; another head is shown
 * alone. */
void
hl_head_grid_move (HlViewState *state,
                   int          layers,
                   int          heads)
{
  g_return_if_fail (HL_IS_VIEW_STATE (state));

  if (layers != 0)
    hl_view_state_set_layer (state, get_layer_by (state, layers));
  if (heads != 0)
    hl_view_state_go_to (state, hl_view_state_get_layer (state), get_head_by (state, heads));
}

/* Keeps what is chosen: another head is added to the others; another layer to those that are combined. */
static void
extend (HlViewState *state,
        int          layers,
        int          heads)
{
  const guint layer = get_layer_by (state, layers);

  g_object_freeze_notify (G_OBJECT (state));
  if (hl_view_state_get_shown (state)->merges_layers)
    {
      HlLayerSet chosen = *hl_view_state_get_layers (state);
      hl_layer_set_add (&chosen, layer);
      hl_view_state_set_layers (state, &chosen);
    }
  hl_view_state_set_layer (state, layer);
  if (heads != 0)
    {
      const guint head = get_head_by (state, heads);
      g_auto (HlHeadSelection) selection = hl_head_selection_copy (hl_view_state_get_selection (state));
      HlHeadSet chosen = *hl_view_state_get_chosen_heads (state);
      hl_head_set_add (&chosen, head);
      hl_head_selection_set_heads (&selection, hl_view_state_get_attention (state), &chosen);
      selection.head = head;
      hl_view_state_set_selection (state, &selection);
    }
  g_object_thaw_notify (G_OBJECT (state));
}

/* What a screen reader says. */
static char *
describe (HlViewState *state)
{
  const HlShown *picture = hl_view_state_get_shown (state);
  HlHeadSet heads = picture->merges_heads ? *hl_head_selection_get_combined (hl_view_state_get_selection (state))
                                          : picture->heads;
  hl_head_set_truncate (&heads, hl_attention_get_max_heads (hl_view_state_get_attention (state)));
  const guint n_heads = hl_head_set_count (&heads) + picture->n_others;
  const guint n_layers = hl_layer_set_count (hl_view_state_get_layers (state));
  g_autofree char *shown = g_strdup_printf (picture->merges_heads
                                              ? ngettext ("%u head combined", "%u heads combined", n_heads)
                                              : ngettext ("%u head shown", "%u heads shown", n_heads),
                                            n_heads);
  g_autofree char *layers = g_strdup_printf (ngettext ("%u layer combined", "%u layers combined", n_layers), n_layers);
  /* Translators: the last is “3 heads shown”. Layers and heads count from 0. */
  g_autofree char *text = g_strdup_printf (_ ("Layer %u, head %u of %u; %s"), hl_view_state_get_layer (state),
                                           hl_view_state_get_head (state), hl_view_state_get_n_heads (state), shown);

  g_autofree char *name =
    hl_view_state_dup_head_name (state, hl_view_state_get_layer (state), hl_view_state_get_head (state));
  g_autofree char *named = name != NULL ? g_strdup_printf ("%s; %s", text, name) : g_strdup (text);

  return picture->merges_layers ? g_strdup_printf ("%s, %s", named, layers) : g_steal_pointer (&named);
}

/* By so many layers and heads; whether what is chosen stays so. */
static gboolean
on_move (GtkWidget *widget,
         GVariant  *arguments,
         gpointer   user_data)
{
  HlViewState *state = hl_head_grid_get_view_state (HL_HEAD_GRID (widget));
  int layers, heads;
  gboolean extends;

  if (state == NULL)
    return FALSE;
  g_variant_get (arguments, "(iib)", &layers, &heads, &extends);
  if (extends)
    extend (state, layers, heads);
  else
    hl_head_grid_move (state, layers, heads);
  return TRUE;
}

static gboolean
on_select_all (GtkWidget *widget,
               GVariant  *argument,
               gpointer   user_data)
{
  HlViewState *state = hl_head_grid_get_view_state (HL_HEAD_GRID (widget));

  if (state == NULL)
    return FALSE;
  hl_view_state_select_all_heads (state);
  return TRUE;
}

static void
add_move (GtkWidgetClass *klass,
          guint           key,
          guint           keypad_key,
          int             layers,
          int             heads)
{
  gtk_widget_class_add_binding (klass, key, 0, on_move, "(iib)", layers, heads, FALSE);
  gtk_widget_class_add_binding (klass, keypad_key, 0, on_move, "(iib)", layers, heads, FALSE);
  gtk_widget_class_add_binding (klass, key, GDK_SHIFT_MASK, on_move, "(iib)", layers, heads, TRUE);
}

static void
install_keys (GtkWidgetClass *widget_class)
{
  /* With Shift, what is chosen stays chosen. */
  add_move (widget_class, GDK_KEY_Left, GDK_KEY_KP_Left, 0, -1);
  add_move (widget_class, GDK_KEY_Right, GDK_KEY_KP_Right, 0, 1);
  add_move (widget_class, GDK_KEY_Up, GDK_KEY_KP_Up, -1, 0);
  add_move (widget_class, GDK_KEY_Down, GDK_KEY_KP_Down, 1, 0);
  add_move (widget_class, GDK_KEY_Home, GDK_KEY_KP_Home, 0, -HL_LIMIT_HEADS);
  add_move (widget_class, GDK_KEY_End, GDK_KEY_KP_End, 0, HL_LIMIT_HEADS);
  add_move (widget_class, GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up, -HL_LIMIT_LAYERS, 0);
  add_move (widget_class, GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down, HL_LIMIT_LAYERS, 0);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_a, GDK_CONTROL_MASK, on_select_all, NULL);
}

/* Fits an axis to another size, and stays where it is as far as that is possible. */
static void
configure_scroll (GtkAdjustment *adjustment,
                  double         content,
                  double         page,
                  double         step)
{
  if (adjustment == NULL)
    return;

  const double upper = MAX (content, page);
  const double value = CLAMP (gtk_adjustment_get_value (adjustment), 0, upper - page);
  gtk_adjustment_configure (adjustment, value, 0, upper, step, MAX (page - step, step), page);
}

/* Scrolls as little as it takes to have a cell in sight, not hidden by the numbers. */
static void
reveal (GtkAdjustment *adjustment,
        double         header,
        double         start,
        double         size)
{
  if (adjustment == NULL)
    return;

  const double value = gtk_adjustment_get_value (adjustment);
  const double page = gtk_adjustment_get_page_size (adjustment) - header;
  if (start < value)
    gtk_adjustment_set_value (adjustment, start);
  else if (start + size > value + page)
    gtk_adjustment_set_value (adjustment, start + size - page);
}

static void
set_hovered (HlHeadGrid *self,
             int         layer,
             int         head)
{
  if (self->hovered_layer == layer && self->hovered_head == head)
    return;
  self->hovered_layer = layer;
  self->hovered_head = head;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_pressed (GtkGestureClick *gesture,
            int              n_press,
            double           x,
            double           y,
            HlHeadGrid      *self)
{
  const GdkModifierType modifiers = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  const gboolean gather = (modifiers & (GDK_CONTROL_MASK | GDK_SHIFT_MASK)) != 0;
  guint layer, head;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (self->state == NULL)
    return;
  const guint n_layers = hl_attention_get_n_layers (hl_view_state_get_attention (self->state));
  if (n_press == 1 && hl_head_grid_layout_find_layer (&self->layout, x, y, n_layers, &layer) &&
      hl_attention_get_n_heads (hl_view_state_get_attention (self->state), layer) > 0)
    choose_layer (self->state, layer, gather);
  if (!hl_head_grid_find_cell (self, x, y, &layer, &head))
    return;

  choose_head (self->state, layer, head, gather, n_press);
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
on_motion (HlHeadGrid *self,
           double      x,
           double      y)
{
  guint layer, head;

  if (hl_head_grid_find_cell (self, x, y, &layer, &head))
    set_hovered (self, (int) layer, (int) head);
  else
    set_hovered (self, -1, -1);
}

static void
on_leave (HlHeadGrid *self)
{
  set_hovered (self, -1, -1);
}

/* Anywhere in the row of a layer without attention. */
static gboolean
query_gap (HlHeadGrid *self,
           int         y,
           GtkTooltip *tooltip)
{
  const guint n_layers = self->state != NULL ? hl_attention_get_n_layers (hl_view_state_get_attention (self->state))
                                             : 0;
  guint layer;

  if (!hl_head_grid_layout_find_layer (&self->layout, 0, y, n_layers, &layer) ||
      hl_attention_get_n_heads (hl_view_state_get_attention (self->state), layer) > 0)
    return FALSE;
  g_autofree char *gaps = hl_gap_text_new (hl_view_state_get_attention (self->state));
  /* Translators: a layer, and why it has no heads */
  g_autofree char *where =
    g_strdup_printf (_ ("Layer %u: %s"), layer, hl_gap_text_get (hl_view_state_get_attention (self->state), layer));
  g_autofree char *text = g_strdup_printf ("%s · %s", where, gaps);
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle){ 0, y - 1, gtk_widget_get_width (GTK_WIDGET (self)), 2 });
  return TRUE;
}

/* Which head, what it is called, and the number that its colour tells. */
static char *
describe_cell (HlHeadGrid *self,
               guint       layer,
               guint       head)
{
  g_autofree char *name = hl_view_state_dup_head_name (self->state, layer, head);
  HlHeadNumbers *numbers = hl_view_state_get_numbers (self->state);
  GString *text = g_string_new (NULL);

  g_string_printf (text, _ ("Layer %u, head %u"), layer, head);
  if (name != NULL)
    g_string_append_printf (text, "\n%s", name);
  if (!self->look.is_known || numbers == NULL)
    return g_string_free (text, FALSE);
  const double value =
    hl_head_numbers_get (numbers, self->look.measure, hl_head_numbers_get_index (numbers, layer, head));
  g_autofree char *number =
    hl_model_view_format_measure (hl_view_state_get_shown (self->state), self->look.measure, value);
  g_string_append_printf (text, "\n%s %s", hl_head_measure_get_label (self->look.measure), number);
  return g_string_free (text, FALSE);
}

static gboolean
hl_head_grid_query_tooltip (GtkWidget  *widget,
                            int         x,
                            int         y,
                            gboolean    keyboard,
                            GtkTooltip *tooltip)
{
  HlHeadGrid *self = HL_HEAD_GRID (widget);
  guint layer, head;
  graphene_rect_t area;

  if (!keyboard && query_gap (self, y, tooltip))
    return TRUE;
  if (keyboard || !hl_head_grid_find_cell (self, x, y, &layer, &head) ||
      !hl_head_grid_get_cell_area (self, layer, head, &area))
    return FALSE;

  g_autofree char *text = describe_cell (self, layer, head);
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle){ (int) area.origin.x, (int) area.origin.y, (int) area.size.width,
                                                      (int) area.size.height });
  return TRUE;
}

static void
init_pointer (HlHeadGrid *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();

  self->hovered_layer = self->hovered_head = -1;
  gtk_widget_set_has_tooltip (widget, TRUE);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  g_signal_connect_swapped (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, motion);
}

static guint
get_n_layers (HlHeadGrid *self)
{
  return self->state != NULL ? hl_attention_get_n_layers (hl_view_state_get_attention (self->state)) : 0;
}

static guint
get_n_columns (HlHeadGrid *self)
{
  return self->state != NULL ? hl_attention_get_max_heads (hl_view_state_get_attention (self->state)) : 0;
}

/* The size of cells that use a width best; the numbers' room comes off first. */
static int
get_cell_size (HlHeadGrid *self,
               int         width)
{
  const guint n = MAX (get_n_columns (self), 1);

  return CLAMP ((width - self->layout.label_width) / (int) n, MIN_CELL, MAX_CELL);
}

/* How much room row and column numbers take: as much as the widest of them. */
static void
measure_labels (HlHeadGrid *self)
{
  g_autofree char *widest = g_strdup_printf ("%u", MAX (get_n_layers (self), 1) - 1);
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), widest);
  int width, height;

  pango_layout_get_pixel_size (layout, &width, &height);
  self->layout.label_width = width + 8;
  self->layout.header_height = height + 4;
}

/* The least and the greatest number. Before all are known there are no colours, so that none changes once it is there. */
static void
find_range (HlHeadGridLook *look,
            HlHeadNumbers  *numbers)
{
  look->is_known = look->measure != HL_HEAD_MEASURE_NONE && numbers != NULL &&
                   hl_head_numbers_knows (numbers, look->measure);
  look->min = INFINITY;
  look->max = -INFINITY;
  for (guint i = 0; look->is_known && i < hl_head_numbers_get_n (numbers); i++)
    {
      const double value = hl_head_numbers_get (numbers, look->measure, i);
      if (!isfinite (value))
        continue;
      look->min = MIN (look->min, value);
      look->max = MAX (look->max, value);
    }
  if (look->min > look->max)
    look->min = look->max = 0;
}

/* Follows the size of cells and what is known of heads. */
static void
update_look (HlHeadGrid *self)
{
  const HlHeadGridLook before = self->look;
  const int cell = self->layout.cell;
  HlHeadGridLook look = { .measure = HL_HEAD_MEASURE_NONE };

  if (self->state != NULL && cell > 0)
    {
      const HlHeadMeasure chosen = hl_view_state_get_options (self->state)->colour_by;
      const gboolean is_small = cell < LEAST_PICTURE;
      const gboolean can_tell = hl_head_pictures_can_follow (self->state);

      look.measure = chosen != HL_HEAD_MEASURE_NONE ? chosen
                     : is_small && can_tell         ? HL_HEAD_GRID_SMALL_MEASURE
                                                    : HL_HEAD_MEASURE_NONE;
      if (look.measure == HL_HEAD_MEASURE_NONE && can_tell)
        look.pictures = self->pictures;
    }
  find_range (&look, self->state != NULL ? hl_view_state_get_numbers (self->state) : NULL);
  self->look = look;
  hl_head_pictures_follow (self->pictures, look.pictures != NULL ? self->state : NULL,
                           (guint) ((cell - 2) * gtk_widget_get_scale_factor (GTK_WIDGET (self))));
  if (before.measure == look.measure && before.is_known == look.is_known && before.min == look.min &&
      before.max == look.max && before.pictures == look.pictures)
    return;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[LEGEND_CHANGED], 0);
}

static GtkSizeRequestMode
hl_head_grid_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
hl_head_grid_measure (GtkWidget     *widget,
                      GtkOrientation orientation,
                      int            for_size,
                      int           *minimum,
                      int           *natural,
                      int           *minimum_baseline,
                      int           *natural_baseline)
{
  HlHeadGrid *self = HL_HEAD_GRID (widget);

  measure_labels (self);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      const int n = (int) get_n_columns (self);
      *minimum = self->layout.label_width + MIN (n, MIN_VISIBLE_COLUMNS) * MIN_CELL;
      *natural = self->layout.label_width + n * NATURAL_CELL;
      *natural = MAX (MIN (*natural, MAX_NATURAL_WIDTH), *minimum);
    }
  else
    {
      const int n = (int) get_n_layers (self);
      /* The least of any width is that of the narrowest, or GTK is told two things. */
      const int least = for_size < 0 ? MIN_CELL : get_cell_size (self, for_size);
      const int cell = for_size < 0 ? NATURAL_CELL : least;
      *minimum = self->layout.header_height + MIN (n, MIN_VISIBLE_ROWS) * least;
      *natural = self->layout.header_height + n * cell;
    }
}

static void
reveal_current (HlHeadGrid *self)
{
  const int cell = self->layout.cell;

  if (self->state == NULL || cell == 0)
    return;

  reveal (self->adjustments[GTK_ORIENTATION_HORIZONTAL], self->layout.label_width,
          (double) hl_view_state_get_head (self->state) * cell, cell);
  reveal (self->adjustments[GTK_ORIENTATION_VERTICAL], self->layout.header_height,
          (double) hl_view_state_get_layer (self->state) * cell, cell);
}

static void
hl_head_grid_size_allocate (GtkWidget *widget,
                            int        width,
                            int        height,
                            int        baseline)
{
  HlHeadGrid *self = HL_HEAD_GRID (widget);
  const gboolean is_first = self->layout.cell == 0;

  self->layout.cell = get_cell_size (self, width);
  configure_scroll (self->adjustments[GTK_ORIENTATION_HORIZONTAL],
                    self->layout.label_width + (double) get_n_columns (self) * self->layout.cell, width,
                    self->layout.cell);
  configure_scroll (self->adjustments[GTK_ORIENTATION_VERTICAL],
                    self->layout.header_height + (double) get_n_layers (self) * self->layout.cell, height,
                    self->layout.cell);
  if (is_first)
    reveal_current (self);
  update_look (self);
}

static void
update_scroll (HlHeadGrid *self)
{
  GtkAdjustment **adjustments = self->adjustments;

  self->layout.scroll_x = adjustments[0] != NULL ? (int) gtk_adjustment_get_value (adjustments[0]) : 0;
  self->layout.scroll_y = adjustments[1] != NULL ? (int) gtk_adjustment_get_value (adjustments[1]) : 0;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
hl_head_grid_snapshot (GtkWidget   *widget,
                       GtkSnapshot *snapshot)
{
  HlHeadGrid *self = HL_HEAD_GRID (widget);

  if (self->state != NULL)
    hl_head_grid_paint (widget, snapshot, self->state, &self->layout, &self->look, self->hovered_layer,
                        self->hovered_head);
}

static void
update_accessible (HlHeadGrid *self)
{
  g_autofree char *text = self->state != NULL ? describe (self->state) : NULL;

  if (text != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

static void
on_state_changed (HlHeadGrid *self,
                  HlChanges   changes)
{
  const HlChanges choosing = HL_CHANGED_LAYER | HL_CHANGED_HEAD | HL_CHANGED_HEADS;

  if (changes & HL_CHANGED_ATTENTION)
    {
      gtk_widget_queue_resize (GTK_WIDGET (self));
      self->layout.cell = 0;
    }
  if (changes & choosing)
    reveal_current (self);
  if (changes & (HL_CHANGED_ATTENTION | HL_CHANGED_ORDER | HL_CHANGED_NUMBERS))
    update_look (self);
  if (changes & HL_CHANGED_COMPARED)
    g_signal_emit (self, signals[LEGEND_CHANGED], 0);
  if (!(changes & (HL_CHANGED_ORDER | HL_CHANGED_NUMBERS | choosing | HL_CHANGED_ATTENTION | HL_CHANGED_THEME |
                   HL_CHANGED_VIEW | HL_CHANGED_CHART | HL_CHANGED_SHOWN_ATTENTION | HL_CHANGED_LAYERS)))
    return;
  update_accessible (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
set_adjustment (HlHeadGrid    *self,
                GtkOrientation orientation,
                GtkAdjustment *adjustment)
{
  GtkAdjustment **slot = &self->adjustments[orientation];

  if (*slot == adjustment)
    return;
  if (*slot != NULL)
    g_signal_handlers_disconnect_by_func (*slot, update_scroll, self);
  g_set_object (slot, adjustment);
  if (adjustment != NULL)
    g_signal_connect_swapped (adjustment, "value-changed", G_CALLBACK (update_scroll), self);
  update_scroll (self);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
hl_head_grid_get_property (GObject    *object,
                           guint       id,
                           GValue     *value,
                           GParamSpec *pspec)
{
  HlHeadGrid *self = HL_HEAD_GRID (object);

  switch (id)
    {
    case PROP_HADJUSTMENT:
      g_value_set_object (value, self->adjustments[GTK_ORIENTATION_HORIZONTAL]);
      break;
    case PROP_VADJUSTMENT:
      g_value_set_object (value, self->adjustments[GTK_ORIENTATION_VERTICAL]);
      break;
    case PROP_HSCROLL_POLICY:
      g_value_set_enum (value, self->policies[GTK_ORIENTATION_HORIZONTAL]);
      break;
    case PROP_VSCROLL_POLICY:
      g_value_set_enum (value, self->policies[GTK_ORIENTATION_VERTICAL]);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_head_grid_set_property (GObject      *object,
                           guint         id,
                           const GValue *value,
                           GParamSpec   *pspec)
{
  HlHeadGrid *self = HL_HEAD_GRID (object);

  switch (id)
    {
    case PROP_HADJUSTMENT:
      set_adjustment (self, GTK_ORIENTATION_HORIZONTAL, g_value_get_object (value));
      break;
    case PROP_VADJUSTMENT:
      set_adjustment (self, GTK_ORIENTATION_VERTICAL, g_value_get_object (value));
      break;
    case PROP_HSCROLL_POLICY:
      self->policies[GTK_ORIENTATION_HORIZONTAL] = g_value_get_enum (value);
      break;
    case PROP_VSCROLL_POLICY:
      self->policies[GTK_ORIENTATION_VERTICAL] = g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_head_grid_dispose (GObject *object)
{
  HlHeadGrid *self = HL_HEAD_GRID (object);

  hl_head_grid_set_view_state (self, NULL);
  set_adjustment (self, GTK_ORIENTATION_HORIZONTAL, NULL);
  set_adjustment (self, GTK_ORIENTATION_VERTICAL, NULL);
  g_clear_object (&self->pictures);
  G_OBJECT_CLASS (hl_head_grid_parent_class)->dispose (object);
}

static void
hl_head_grid_class_init (HlHeadGridClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = hl_head_grid_get_property;
  object_class->set_property = hl_head_grid_set_property;
  object_class->dispose = hl_head_grid_dispose;
  widget_class->get_request_mode = hl_head_grid_get_request_mode;
  widget_class->measure = hl_head_grid_measure;
  widget_class->size_allocate = hl_head_grid_size_allocate;
  widget_class->snapshot = hl_head_grid_snapshot;
  widget_class->query_tooltip = hl_head_grid_query_tooltip;

  g_object_class_override_property (object_class, PROP_HADJUSTMENT, "hadjustment");
  g_object_class_override_property (object_class, PROP_VADJUSTMENT, "vadjustment");
  g_object_class_override_property (object_class, PROP_HSCROLL_POLICY, "hscroll-policy");
  g_object_class_override_property (object_class, PROP_VSCROLL_POLICY, "vscroll-policy");

  /* Which number, or whether there are pictures, or from which to which value it goes, or what can be chosen. */
  signals[LEGEND_CHANGED] =
    g_signal_new ("legend-changed", HL_TYPE_HEAD_GRID, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  install_keys (widget_class);
  gtk_widget_class_set_css_name (widget_class, "headgrid");
  /* AT-SPI has no table interface for cells that are only drawn: a group that says where it stands is honest. */
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
hl_head_grid_init (HlHeadGrid *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->pictures = hl_head_pictures_new ();
  g_signal_connect_object (self->pictures, "changed", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (update_look), NULL);
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class (widget, "caption");
  gtk_widget_add_css_class (widget, "numeric");
  init_pointer (self);
}

HlViewState *
hl_head_grid_get_view_state (HlHeadGrid *self)
{
  g_return_val_if_fail (HL_IS_HEAD_GRID (self), NULL);

  return self->state;
}

void
hl_head_grid_set_view_state (HlHeadGrid  *self,
                             HlViewState *state)
{
  g_return_if_fail (HL_IS_HEAD_GRID (self));
  g_return_if_fail (state == NULL || HL_IS_VIEW_STATE (state));

  if (self->state == state)
    return;
  if (self->state != NULL)
    g_clear_signal_handler (&self->changed_id, self->state);
  g_set_object (&self->state, state);
  if (state != NULL)
    self->changed_id = g_signal_connect_swapped (state, "changed", G_CALLBACK (on_state_changed), self);
  self->layout.cell = 0;
  update_look (self);
  set_hovered (self, -1, -1);
  update_accessible (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

gboolean
hl_head_grid_find_cell (HlHeadGrid *self,
                        double      x,
                        double      y,
                        guint      *layer,
                        guint      *head)
{
  g_return_val_if_fail (HL_IS_HEAD_GRID (self), FALSE);

  return self->state != NULL &&
         hl_head_grid_layout_find_cell (&self->layout, hl_view_state_get_attention (self->state), x, y, layer, head);
}

gboolean
hl_head_grid_get_cell_area (HlHeadGrid      *self,
                            guint            layer,
                            guint            head,
                            graphene_rect_t *area)
{
  g_return_val_if_fail (HL_IS_HEAD_GRID (self), FALSE);

  if (layer >= get_n_layers (self) || self->layout.cell == 0 ||
      head >= hl_attention_get_n_heads (hl_view_state_get_attention (self->state), layer))
    return FALSE;
  hl_head_grid_layout_get_cell (&self->layout, layer, head, area);
  return TRUE;
}

/* What the colours of cells tell, and of which numbers the palest and the strongest are; NULL where they tell nothing. */
char *
hl_head_grid_dup_legend (HlHeadGrid *self,
                         char      **least,
                         char      **greatest)
{
  g_return_val_if_fail (HL_IS_HEAD_GRID (self), NULL);
  g_return_val_if_fail (least != NULL && greatest != NULL, NULL);

  const HlHeadGridLook *look = &self->look;
  *least = *greatest = NULL;
  if (look->pictures != NULL)
    {
      *least = g_strdup ("0");
      *greatest = g_strdup ("1");
      return g_strdup (_ ("Weights"));
    }
  if (look->measure == HL_HEAD_MEASURE_NONE)
    return NULL;
  if (look->is_known)
    {
      *least = hl_model_view_format_measure (hl_view_state_get_shown (self->state), look->measure, look->min);
      *greatest = hl_model_view_format_measure (hl_view_state_get_shown (self->state), look->measure, look->max);
    }
  HlHeadNumbers *numbers = hl_view_state_get_numbers (self->state);
  return numbers != NULL ? hl_head_numbers_dup_label (numbers, look->measure)
                         : g_strdup (hl_head_measure_get_label (look->measure));
}

/* Whether heads look like pictures while no number is chosen to be told by colours. */
gboolean
hl_head_grid_has_pictures (HlHeadGrid *self)
{
  g_return_val_if_fail (HL_IS_HEAD_GRID (self), FALSE);

  return self->state != NULL && self->layout.cell >= LEAST_PICTURE && hl_head_pictures_can_follow (self->state);
}

/* Whether there is no room for pictures, and colours tell a number in their place. */
gboolean
hl_head_grid_get_is_small (HlHeadGrid *self)
{
  g_return_val_if_fail (HL_IS_HEAD_GRID (self), FALSE);

  return self->state != NULL && self->layout.cell > 0 && self->layout.cell < LEAST_PICTURE &&
         hl_head_pictures_can_follow (self->state);
}

/* The colours from the least to the greatest as one reads, so many pixels wide and high. */
GdkTexture *
hl_head_grid_make_ramp (HlHeadGrid *self,
                        guint       n,
                        guint       height)
{
  g_return_val_if_fail (HL_IS_HEAD_GRID (self), NULL);
  g_return_val_if_fail (n > 1 && height > 0, NULL);

  const gboolean dark = self->state != NULL && hl_view_state_get_options (self->state)->dark;
  const gboolean from_right = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  guint8 *pixels = g_malloc ((gsize) n * height * 4);
  GdkRGBA ink;

  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self)), &ink);
  for (guint i = 0; i < n; i++)
    {
      const double t = (double) (from_right ? n - 1 - i : i) / (n - 1);
      const guint32 pixel = hl_colour_map_lookup (HL_COLOUR_MAP_PAPER, dark, t);
      const double alpha = self->look.pictures != NULL ? 0.05 + 0.95 * sqrt (t) * ink.alpha : 1;
      const double channels[] = {
        self->look.pictures != NULL ? 255 * ink.red : (double) (pixel >> 16 & 0xFF),
        self->look.pictures != NULL ? 255 * ink.green : (double) (pixel >> 8 & 0xFF),
        self->look.pictures != NULL ? 255 * ink.blue : (double) (pixel & 0xFF),
      };
      for (guint channel = 0; channel < 3; channel++)
        pixels[4 * i + channel] = (guint8) lround (channels[channel] * alpha);
      pixels[4 * i + 3] = (guint8) lround (255 * alpha);
    }
  for (guint row = 1; row < height; row++)
    memcpy (pixels + (gsize) row * n * 4, pixels, (gsize) n * 4);
  g_autoptr (GBytes) bytes = g_bytes_new_take (pixels, (gsize) n * height * 4);
  return gdk_memory_texture_new ((int) n, (int) height, GDK_MEMORY_R8G8B8A8_PREMULTIPLIED, bytes, (gsize) n * 4);
}

/* Where not all cells fit: which layers and heads are in sight. NULL where all are. */
char *
hl_head_grid_dup_part (HlHeadGrid *self)
{
  g_return_val_if_fail (HL_IS_HEAD_GRID (self), NULL);

  GtkAdjustment **adjustments = self->adjustments;
  const HlHeadGridLayout *layout = &self->layout;
  const int headers[] = { layout->label_width, layout->header_height };
  const guint n[] = { get_n_columns (self), get_n_layers (self) };
  g_autofree char *heads = NULL;
  g_autofree char *layers = NULL;

  for (guint axis = 0; axis < 2 && layout->cell > 0; axis++)
    {
      GtkAdjustment *adjustment = adjustments[axis];
      if (adjustment == NULL || gtk_adjustment_get_upper (adjustment) <= gtk_adjustment_get_page_size (adjustment))
        continue;
      const double value = gtk_adjustment_get_value (adjustment);
      const double room = gtk_adjustment_get_page_size (adjustment) - headers[axis];
      const guint first = (guint) (value / layout->cell + 0.5);
      const guint last = (guint) CLAMP ((value + room) / layout->cell - 0.5, first, n[axis] - 1);
      /* Translators: which of all are in sight: “Heads 0–10 of 32” */
      *(axis == 0 ? &heads : &layers) =
        g_strdup_printf (axis == 0 ? _ ("Heads %u–%u of %u") : _ ("Layers %u–%u of %u"), first, last, n[axis]);
    }
  if (heads != NULL && layers != NULL)
    return g_strdup_printf ("%s · %s", layers, heads);
  return g_strdup (layers != NULL ? layers : heads);
}
