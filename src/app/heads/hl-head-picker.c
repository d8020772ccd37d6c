/* SPDX-License-Identifier: MIT */
/* The picker of layers and heads in the sidebar: the cells, which scroll when there are many, under a line with the
 * commands that concern all heads. As tall as the cells need at the width there is, which GtkScrolledWindow by itself
 * cannot say. */
#include "app/heads/hl-head-picker.h"

#include "app/heads/hl-head-grid.h"

/* Rows of the grid up to this height are always in view. */
#define KEPT_HEIGHT 240

struct _HlHeadPicker
{
  GtkWidget parent_instance;

  GtkWidget *header;
  GtkWidget *scroller;
  HlHeadGrid *grid;
};

G_DEFINE_FINAL_TYPE (HlHeadPicker, hl_head_picker, GTK_TYPE_WIDGET)

static GtkSizeRequestMode
hl_head_picker_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
hl_head_picker_measure (GtkWidget     *widget,
                        GtkOrientation orientation,
                        int            for_size,
                        int           *minimum,
                        int           *natural,
                        int           *minimum_baseline,
                        int           *natural_baseline)
{
  HlHeadPicker *self = HL_HEAD_PICKER (widget);
  int header_minimum, header_natural, grid_minimum, grid_natural, scroller_minimum;

  gtk_widget_measure (self->header, orientation, for_size, &header_minimum, &header_natural, NULL, NULL);
  gtk_widget_measure (GTK_WIDGET (self->grid), orientation, for_size, &grid_minimum, &grid_natural, NULL, NULL);
  gtk_widget_measure (self->scroller, orientation, for_size, &scroller_minimum, NULL, NULL, NULL);
  grid_minimum = MAX (grid_minimum, scroller_minimum);
  grid_natural = MAX (grid_natural, grid_minimum);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = MAX (header_minimum, grid_minimum);
      *natural = MAX (header_natural, grid_natural);
    }
  else
    {
      /* Where a panel is too short for all that is in it, it scrolls before the grid is cut. */
      *minimum = header_minimum + MAX (grid_minimum, MIN (grid_natural, KEPT_HEIGHT));
      *natural = header_natural + grid_natural;
    }
}

static void
hl_head_picker_size_allocate (GtkWidget *widget,
                              int        width,
                              int        height,
                              int        baseline)
{
  HlHeadPicker *self = HL_HEAD_PICKER (widget);
  int header_height;

  gtk_widget_measure (self->header, GTK_ORIENTATION_VERTICAL, width, NULL, &header_height, NULL, NULL);
  gtk_widget_size_allocate (self->header, &(GtkAllocation){ 0, 0, width, header_height }, -1);
  gtk_widget_size_allocate (self->scroller, &(GtkAllocation){ 0, header_height, width, height - header_height }, -1);
}

static gboolean
hl_head_picker_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (HL_HEAD_PICKER (widget)->grid));
}

static void
hl_head_picker_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), HL_TYPE_HEAD_PICKER);
  G_OBJECT_CLASS (hl_head_picker_parent_class)->dispose (object);
}

static void
hl_head_picker_class_init (HlHeadPickerClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_head_picker_dispose;
  widget_class->get_request_mode = hl_head_picker_get_request_mode;
  widget_class->measure = hl_head_picker_measure;
  widget_class->size_allocate = hl_head_picker_size_allocate;
  widget_class->grab_focus = hl_head_picker_grab_focus;

  g_type_ensure (HL_TYPE_HEAD_GRID);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/head-picker.ui");
  gtk_widget_class_bind_template_child (widget_class, HlHeadPicker, header);
  gtk_widget_class_bind_template_child (widget_class, HlHeadPicker, scroller);
  gtk_widget_class_bind_template_child (widget_class, HlHeadPicker, grid);
  gtk_widget_class_set_css_name (widget_class, "headpicker");
}

static void
hl_head_picker_init (HlHeadPicker *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
hl_head_picker_set_view_state (HlHeadPicker *self,
                               HlViewState  *state)
{
  g_return_if_fail (HL_IS_HEAD_PICKER (self));
  g_return_if_fail (state == NULL || HL_IS_VIEW_STATE (state));

  hl_head_grid_set_view_state (self->grid, state);
}
