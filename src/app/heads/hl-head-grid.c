/* SPDX-License-Identifier: MIT */
/* The cells of the picker: a row per layer, a column per head. One widget draws them all, because a model may have a
 * thousand; row and column numbers stay in sight while the cells scroll under them. */
#include "app/heads/hl-head-grid-private.h"

#include "app/heads/hl-head-grid-choice.h"
#include "app/heads/hl-head-grid-keys.h"
#include "app/heads/hl-head-grid-paint.h"
#include "app/heads/hl-head-grid-scroll.h"

#define MIN_CELL 12
#define NATURAL_CELL 18
#define MAX_CELL 28
#define MIN_VISIBLE_ROWS 4
#define MIN_VISIBLE_COLUMNS 8
/* A sidebar's worth: a model of many heads shall not push the picture away. */
#define MAX_NATURAL_WIDTH 236

enum
{
  PROP_VIEW_STATE = 1,
  N_PROPERTIES,
  PROP_HADJUSTMENT = N_PROPERTIES,
  PROP_VADJUSTMENT,
  PROP_HSCROLL_POLICY,
  PROP_VSCROLL_POLICY,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE_WITH_CODE (HlHeadGrid,
                               hl_head_grid,
                               GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL))

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
      const int cell = for_size < 0 ? NATURAL_CELL : get_cell_size (self, for_size);
      *minimum = self->layout.header_height + MIN (n, MIN_VISIBLE_ROWS) * cell;
      *natural = self->layout.header_height + n * cell;
    }
}

static void
reveal_current (HlHeadGrid *self)
{
  const int cell = self->layout.cell;

  if (self->state == NULL || cell == 0)
    return;

  hl_head_grid_scroll_reveal (self->adjustments[GTK_ORIENTATION_HORIZONTAL], self->layout.label_width,
                              (double) hl_view_state_get_head (self->state) * cell, cell);
  hl_head_grid_scroll_reveal (self->adjustments[GTK_ORIENTATION_VERTICAL], self->layout.header_height,
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
  hl_head_grid_scroll_configure (self->adjustments[GTK_ORIENTATION_HORIZONTAL],
                                 self->layout.label_width + (double) get_n_columns (self) * self->layout.cell, width,
                                 self->layout.cell);
  hl_head_grid_scroll_configure (self->adjustments[GTK_ORIENTATION_VERTICAL],
                                 self->layout.header_height + (double) get_n_layers (self) * self->layout.cell, height,
                                 self->layout.cell);
  if (is_first)
    reveal_current (self);
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
    hl_head_grid_paint (widget, snapshot, self->state, &self->layout, self->hovered_layer,
                        self->hovered_head);
}

static void
update_accessible (HlHeadGrid *self)
{
  g_autofree char *text = self->state != NULL ? hl_head_grid_describe (self->state) : NULL;

  if (text != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

static void
on_state_notify (HlHeadGrid *self,
                 GParamSpec *pspec)
{
  static const char *const repainting[] = { "dark", "view", "shown-attention", "layers", NULL };
  const char *name = g_param_spec_get_name (pspec);

  if (g_str_equal (name, "attention"))
    {
      gtk_widget_queue_resize (GTK_WIDGET (self));
      self->layout.cell = 0;
    }
  else if (g_str_equal (name, "layer") || g_str_equal (name, "head") || g_str_equal (name, "heads"))
    reveal_current (self);
  else if (!g_strv_contains (repainting, name))
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
    case PROP_VIEW_STATE:
      g_value_set_object (value, self->state);
      break;
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
    case PROP_VIEW_STATE:
      hl_head_grid_set_view_state (self, g_value_get_object (value));
      break;
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

  /**
   * HlHeadGrid:view-state: (nullable)
   *
   * What the cells show and change.
   */
  properties[PROP_VIEW_STATE] =
    g_param_spec_object ("view-state", NULL, NULL, HL_TYPE_VIEW_STATE,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  g_object_class_override_property (object_class, PROP_HADJUSTMENT, "hadjustment");
  g_object_class_override_property (object_class, PROP_VADJUSTMENT, "vadjustment");
  g_object_class_override_property (object_class, PROP_HSCROLL_POLICY, "hscroll-policy");
  g_object_class_override_property (object_class, PROP_VSCROLL_POLICY, "vscroll-policy");

  hl_head_grid_install_keys (widget_class);
  gtk_widget_class_set_css_name (widget_class, "headgrid");
  /* AT-SPI has no table interface for cells that are only drawn: a group that says where it stands is honest. */
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
hl_head_grid_init (HlHeadGrid *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class (widget, "caption");
  gtk_widget_add_css_class (widget, "numeric");
  hl_head_grid_init_pointer (self);
}

/**
 * hl_head_grid_new:
 *
 * Returns: (transfer floating): cells with nothing to show yet
 */
GtkWidget *
hl_head_grid_new (void)
{
  return g_object_new (HL_TYPE_HEAD_GRID, NULL);
}

/**
 * hl_head_grid_get_view_state:
 * @self: the cells
 *
 * Returns: (transfer none) (nullable): what they show and change
 */
HlViewState *
hl_head_grid_get_view_state (HlHeadGrid *self)
{
  g_return_val_if_fail (HL_IS_HEAD_GRID (self), NULL);

  return self->state;
}

/**
 * hl_head_grid_set_view_state:
 * @self: the cells
 * @state: (nullable): what they show and change
 */
void
hl_head_grid_set_view_state (HlHeadGrid  *self,
                             HlViewState *state)
{
  g_return_if_fail (HL_IS_HEAD_GRID (self));
  g_return_if_fail (state == NULL || HL_IS_VIEW_STATE (state));

  if (self->state == state)
    return;
  if (self->state != NULL)
    g_clear_signal_handler (&self->notify_id, self->state);
  g_set_object (&self->state, state);
  if (state != NULL)
    self->notify_id =
      g_signal_connect_swapped (state, "notify", G_CALLBACK (on_state_notify), self);
  self->layout.cell = 0;
  hl_head_grid_set_hovered (self, -1, -1);
  update_accessible (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_VIEW_STATE]);
}

/**
 * hl_head_grid_find_cell:
 * @self: the cells
 * @x: across, in the widget's pixels
 * @y: down
 * @layer: (out): the layer whose row it is
 * @head: (out): the head
 *
 * Returns: whether there is a head at that point
 */
gboolean
hl_head_grid_find_cell (HlHeadGrid *self,
                        double      x,
                        double      y,
                        guint      *layer,
                        guint      *head)
{
  g_return_val_if_fail (HL_IS_HEAD_GRID (self), FALSE);

  return self->state != NULL && hl_head_grid_layout_find_cell (&self->layout, hl_view_state_get_attention (self->state),
                                                               x, y, layer, head);
}

/**
 * hl_head_grid_get_cell_area:
 * @self: the cells
 * @layer: a layer
 * @head: a head
 * @area: (out): where its cell is now, in the widget's pixels; may lie outside of what is in sight
 *
 * Returns: whether the layer has that head, and the cells have been given their place
 */
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
