/* SPDX-License-Identifier: MIT */
/* One widget draws all cells, because a model may have a thousand heads. */
#include "config.h"

#include "app/details/hl-pair-grid.h"

#include "app/base/hl-high-contrast.h"
#include "draw/paint/hl-cairo.h"
#include "draw/paint/hl-value-cells.h"
#include "view/hl-weight-text.h"

#include <glib/gi18n.h>
#include <math.h>

#define MAX_CELL 16.0
#define MIN_CELL 3.0

/* So high the grid of a model of many layers is at most. */
#define MAX_HEIGHT 192.0

/* Room for the numbers of layers at the left and those of heads on top, and how far apart these are at least. */
#define LABEL_WIDTH 22
#define HEADER_HEIGHT 15
#define LABEL_PITCH 12
#define HEADER_PITCH 16

struct _HlPairGrid
{
  GtkWidget parent_instance;

  HlPairWeights *weights;
  HlColourMap map;
  gboolean dark;
  guint current[2]; /* layer, head */
  guint cursor[2];  /* where keys are */
};

enum
{
  CHOSEN,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlPairGrid, hl_pair_grid, GTK_TYPE_WIDGET)

/* The same for all pairs of a model, so that nothing jumps. */
static double
get_cell_height (HlPairGrid *self,
                 double      cell_width)
{
  const guint n_layers = hl_pair_weights_get_n_layers (self->weights);

  return CLAMP (floor (MIN (cell_width, MAX_HEIGHT / n_layers)), MIN_CELL, MAX_CELL);
}

static double
get_cell_width (HlPairGrid *self,
                int         width)
{
  const double room = (double) (width - LABEL_WIDTH) / hl_pair_weights_get_max_heads (self->weights);

  return room >= MIN_CELL ? MIN (floor (room), MAX_CELL) : room;
}

static void
hl_pair_grid_measure (GtkWidget     *widget,
                      GtkOrientation orientation,
                      int            for_size,
                      int           *minimum,
                      int           *natural,
                      int           *minimum_baseline,
                      int           *natural_baseline)
{
  HlPairGrid *self = HL_PAIR_GRID (widget);

  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? LABEL_WIDTH + 96 : HEADER_HEIGHT;
  if (orientation == GTK_ORIENTATION_VERTICAL && self->weights != NULL)
    {
      const double cell = get_cell_height (self, get_cell_width (self, for_size > 0 ? for_size : 236));
      *minimum = *natural = HEADER_HEIGHT + (int) ceil (cell * hl_pair_weights_get_n_layers (self->weights)) + 2;
    }
}

static GtkSizeRequestMode
hl_pair_grid_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/* Where a head is; FALSE where there is none. */
gboolean
hl_pair_grid_get_area (HlPairGrid      *self,
                       guint            layer,
                       guint            head,
                       graphene_rect_t *area)
{
  g_return_val_if_fail (HL_IS_PAIR_GRID (self), FALSE);

  if (self->weights == NULL || layer >= hl_pair_weights_get_n_layers (self->weights) ||
      head >= hl_pair_weights_get_n_heads (self->weights, layer))
    return FALSE;
  const double width = get_cell_width (self, gtk_widget_get_width (GTK_WIDGET (self)));
  const double height = get_cell_height (self, width);
  graphene_rect_init (area, (float) (LABEL_WIDTH + head * width), (float) (HEADER_HEIGHT + layer * height),
                      (float) width, (float) height);
  return TRUE;
}

static gboolean
find_cell (HlPairGrid *self,
           double      x,
           double      y,
           guint      *layer,
           guint      *head)
{
  if (self->weights == NULL || x < LABEL_WIDTH || y < HEADER_HEIGHT)
    return FALSE;
  const double width = get_cell_width (self, gtk_widget_get_width (GTK_WIDGET (self)));
  *layer = (guint) ((y - HEADER_HEIGHT) / get_cell_height (self, width));
  *head = (guint) ((x - LABEL_WIDTH) / width);
  return *layer < hl_pair_weights_get_n_layers (self->weights) &&
         *head < hl_pair_weights_get_n_heads (self->weights, *layer);
}

static void
draw_label (HlPairGrid *self,
            cairo_t    *cr,
            guint       number,
            double      x,
            double      y,
            double      alignment)
{
  g_autofree char *text = g_strdup_printf ("%u", number);
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  int width, height;

  pango_attr_list_insert (attributes, pango_attr_scale_new (0.75));
  pango_layout_set_attributes (layout, attributes);
  pango_layout_get_pixel_size (layout, &width, &height);
  cairo_move_to (cr, x - width * alignment, y - height / 2.0);
  pango_cairo_show_layout (cr, layout);
}

/* Every so many rows or columns that numbers do not touch. */
static guint
get_step (double cell,
          double pitch)
{
  static const guint steps[] = { 1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100 };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    if (steps[i] * cell >= pitch)
      return steps[i];
  return 128;
}

static void
draw_labels (HlPairGrid    *self,
             cairo_t       *cr,
             const HlTheme *theme)
{
  const double width = get_cell_width (self, gtk_widget_get_width (GTK_WIDGET (self)));
  const double height = get_cell_height (self, width);
  const guint rows = get_step (height, LABEL_PITCH), columns = get_step (width, HEADER_PITCH);

  hl_cairo_set_colour (cr, &theme->muted, 1);
  for (guint layer = 0; layer < hl_pair_weights_get_n_layers (self->weights); layer += rows)
    draw_label (self, cr, layer, LABEL_WIDTH - 5, HEADER_HEIGHT + (layer + 0.5) * height, 1);
  for (guint head = 0; head < hl_pair_weights_get_max_heads (self->weights); head += columns)
    draw_label (self, cr, head, LABEL_WIDTH + (head + 0.5) * width, HEADER_HEIGHT / 2.0 - 1, 0.5);
}

/* A cell of which there is no number is hollow. */
static void
draw_cells (HlPairGrid    *self,
            cairo_t       *cr,
            const HlTheme *theme,
            double         max)
{
  const HlValuePaint paint = { theme, hl_pair_weights_is_signed (self->weights), self->map, max };
  graphene_rect_t area;

  for (guint layer = 0; layer < hl_pair_weights_get_n_layers (self->weights); layer++)
    for (guint head = 0; head < hl_pair_weights_get_n_heads (self->weights, layer); head++)
      {
        const float weight = hl_pair_weights_get (self->weights, layer, head);
        const double gap = 1;

        hl_pair_grid_get_area (self, layer, head, &area);
        const double inner = area.size.width > 2 * MIN_CELL && area.size.height > 2 * MIN_CELL ? gap : 0;
        const double x = (double) area.origin.x, width = (double) area.size.width - inner;
        const double y = (double) area.origin.y, height = (double) area.size.height - inner;
        if (!isfinite (weight))
          {
            hl_cairo_set_colour (cr, &theme->muted, 1);
            cairo_set_line_width (cr, 1);
            cairo_rectangle (cr, x + 0.5, y + 0.5, width - 1, height - 1);
            cairo_stroke (cr);
            continue;
          }
        const guint32 pixel = hl_value_paint_get_pixel (&paint, weight);
        cairo_set_source_rgb (cr, (pixel >> 16 & 0xff) / 255.0, (pixel >> 8 & 0xff) / 255.0, (pixel & 0xff) / 255.0);
        cairo_rectangle (cr, x, y, width, height);
        cairo_fill (cr);
      }
}

/* A frame around a cell that stands out from any colour in it. */
static void
draw_frame (HlPairGrid     *self,
            cairo_t        *cr,
            const HlTheme  *theme,
            guint           layer,
            guint           head,
            const HlColour *colour,
            double          outset)
{
  graphene_rect_t area;

  if (!hl_pair_grid_get_area (self, layer, head, &area))
    return;
  cairo_rectangle (cr, (double) area.origin.x - outset - 0.5, (double) area.origin.y - outset - 0.5,
                   (double) area.size.width + 2 * outset, (double) area.size.height + 2 * outset);
  hl_cairo_set_colour (cr, &theme->background, 1);
  cairo_set_line_width (cr, 4);
  cairo_stroke_preserve (cr);
  hl_cairo_set_colour (cr, colour, 1);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
}

static void
hl_pair_grid_snapshot (GtkWidget   *widget,
                       GtkSnapshot *snapshot)
{
  HlPairGrid *self = HL_PAIR_GRID (widget);
  const HlTheme *theme = hl_high_contrast_get_theme (self->dark);
  guint layer, head;

  if (self->weights == NULL)
    return;
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget),
                                                                          (float) gtk_widget_get_height (widget)));
  const gboolean has_strongest = hl_pair_weights_find_strongest (self->weights, &layer, &head);
  draw_labels (self, cr, theme);
  draw_cells (self, cr, theme, has_strongest ? fabs ((double) hl_pair_weights_get (self->weights, layer, head)) : 0);
  draw_frame (self, cr, theme, self->current[0], self->current[1], &theme->foreground, 0);
  if (has_strongest)
    draw_frame (self, cr, theme, layer, head, &theme->accent, 0);
  if (gtk_widget_has_visible_focus (widget))
    draw_frame (self, cr, theme, self->cursor[0], self->cursor[1], &theme->accent, 2);
  cairo_destroy (cr);
}

/* "Layer 2 · Head 8: 0.34" */
static char *
describe (HlPairGrid *self,
          guint       layer,
          guint       head)
{
  char number[HL_WEIGHT_TEXT_SIZE];

  return g_strdup_printf (_ ("Layer %u · Head %u: %s"), layer, head,
                          hl_weight_text_format ((double) hl_pair_weights_get (self->weights, layer, head), number));
}

static gboolean
hl_pair_grid_query_tooltip (GtkWidget  *widget,
                            int         x,
                            int         y,
                            gboolean    keyboard,
                            GtkTooltip *tooltip)
{
  HlPairGrid *self = HL_PAIR_GRID (widget);
  guint layer = self->cursor[0], head = self->cursor[1];
  graphene_rect_t area;

  if (self->weights == NULL || (!keyboard && !find_cell (self, x, y, &layer, &head)) ||
      !hl_pair_grid_get_area (self, layer, head, &area))
    return FALSE;
  g_autofree char *text = describe (self, layer, head);
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle){ (int) area.origin.x, (int) area.origin.y, (int) area.size.width,
                                                      (int) area.size.height });
  return TRUE;
}

/* What a screen reader says of the cell that keys are at. */
static void
tell_cursor (HlPairGrid *self)
{
  graphene_rect_t area;

  if (!hl_pair_grid_get_area (self, self->cursor[0], self->cursor[1], &area))
    return;
  g_autofree char *text = describe (self, self->cursor[0], self->cursor[1]);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

static gboolean
move (GtkWidget *widget,
      GVariant  *arguments,
      gpointer   data)
{
  HlPairGrid *self = HL_PAIR_GRID (widget);
  gint32 layers, heads;

  if (self->weights == NULL)
    return FALSE;
  g_variant_get (arguments, "(ii)", &layers, &heads);
  const int layer = CLAMP ((int) self->cursor[0] + layers, 0, (int) hl_pair_weights_get_n_layers (self->weights) - 1);
  const int n_heads = (int) hl_pair_weights_get_n_heads (self->weights, (guint) layer);
  if (n_heads == 0)
    return TRUE;
  self->cursor[0] = (guint) layer;
  self->cursor[1] = (guint) CLAMP ((int) self->cursor[1] + heads, 0, n_heads - 1);
  tell_cursor (self);
  gtk_widget_queue_draw (widget);
  return TRUE;
}

static gboolean
choose (GtkWidget *widget,
        GVariant  *arguments,
        gpointer   data)
{
  HlPairGrid *self = HL_PAIR_GRID (widget);
  graphene_rect_t area;

  if (hl_pair_grid_get_area (self, self->cursor[0], self->cursor[1], &area))
    g_signal_emit (self, signals[CHOSEN], 0, self->cursor[0], self->cursor[1]);
  return TRUE;
}

static void
on_pressed (HlPairGrid *self,
            int         n_press,
            double      x,
            double      y)
{
  guint layer, head;

  if (!find_cell (self, x, y, &layer, &head))
    return;
  self->cursor[0] = layer;
  self->cursor[1] = head;
  gtk_widget_grab_focus (GTK_WIDGET (self));
  g_signal_emit (self, signals[CHOSEN], 0, layer, head);
}

static void
hl_pair_grid_dispose (GObject *object)
{
  g_clear_object (&HL_PAIR_GRID (object)->weights);
  G_OBJECT_CLASS (hl_pair_grid_parent_class)->dispose (object);
}

static void
add_key (GtkWidgetClass *widget_class,
         guint           key,
         guint           keypad,
         int             layers,
         int             heads)
{
  gtk_widget_class_add_binding (widget_class, key, 0, move, "(ii)", layers, heads);
  gtk_widget_class_add_binding (widget_class, keypad, 0, move, "(ii)", layers, heads);
}

static void
hl_pair_grid_class_init (HlPairGridClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_pair_grid_dispose;
  widget_class->measure = hl_pair_grid_measure;
  widget_class->get_request_mode = hl_pair_grid_get_request_mode;
  widget_class->snapshot = hl_pair_grid_snapshot;
  widget_class->query_tooltip = hl_pair_grid_query_tooltip;

  /* A head was chosen: its layer, and which of that. */
  signals[CHOSEN] = g_signal_new ("chosen", HL_TYPE_PAIR_GRID, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                  G_TYPE_UINT, G_TYPE_UINT);
  add_key (widget_class, GDK_KEY_Left, GDK_KEY_KP_Left, 0, -1);
  add_key (widget_class, GDK_KEY_Right, GDK_KEY_KP_Right, 0, 1);
  add_key (widget_class, GDK_KEY_Up, GDK_KEY_KP_Up, -1, 0);
  add_key (widget_class, GDK_KEY_Down, GDK_KEY_KP_Down, 1, 0);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Return, 0, choose, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Enter, 0, choose, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_space, 0, choose, NULL);
  gtk_widget_class_set_css_name (widget_class, "pairgrid");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
hl_pair_grid_init (HlPairGrid *self)
{
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "pointer");
  hl_high_contrast_follow (GTK_WIDGET (self));
}

/* Before they were read all cells are hollow; NULL for no cells. */
void
hl_pair_grid_set_weights (HlPairGrid    *self,
                          HlPairWeights *weights)
{
  HlPairWeights *before = self->weights;

  g_return_if_fail (HL_IS_PAIR_GRID (self));

  if (before == weights)
    return;
  if (before == NULL || weights == NULL ||
      hl_pair_weights_get_n_layers (before) != hl_pair_weights_get_n_layers (weights) ||
      hl_pair_weights_get_max_heads (before) != hl_pair_weights_get_max_heads (weights))
    gtk_widget_queue_resize (GTK_WIDGET (self));
  g_set_object (&self->weights, weights);
  tell_cursor (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
hl_pair_grid_set_looks (HlPairGrid *self,
                        HlColourMap map,
                        gboolean    dark)
{
  g_return_if_fail (HL_IS_PAIR_GRID (self));

  self->map = map;
  self->dark = dark;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* The head that is looked at; keys begin there. */
void
hl_pair_grid_set_current (HlPairGrid *self,
                          guint       layer,
                          guint       head)
{
  g_return_if_fail (HL_IS_PAIR_GRID (self));

  if (self->current[0] == layer && self->current[1] == head)
    return;
  self->current[0] = self->cursor[0] = layer;
  self->current[1] = self->cursor[1] = head;
  tell_cursor (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
