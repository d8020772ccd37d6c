/* SPDX-License-Identifier: MIT */
/* The picker of layers and heads in the sidebar: the cells, which scroll when there are many, between a line with the commands that concern
 * all heads and one that says what the cells tell. As tall as the cells need at the width there is, which GtkScrolledWindow by itself
 * cannot say. */
#include "config.h"

#include "app/heads/hl-head-picker.h"

#include "app/base/hl-tooltip.h"
#include "app/heads/hl-head-grid.h"
#include "app/panels/hl-measure-choice.h"
#include "view/hl-sentence.h"

#include <glib/gi18n.h>

/* Rows of the grid up to this height are always in view. */
#define KEPT_HEIGHT 240

#define RAMP_WIDTH 28
#define RAMP_HEIGHT 8

struct _HlHeadPicker
{
  GtkWidget parent_instance;

  GtkWidget *header;
  GtkWidget *scroller;
  HlHeadGrid *grid;
  GtkWidget *footer;
  GtkLabel *part;
  GtkWidget *legend;
  GtkDropDown *colour_by;
  GtkLabel *legend_name; /* in the drop-down: what is chosen, in full */
  GtkLabel *least;
  GtkPicture *ramp;
  GtkLabel *greatest;
  guint idle;
  /* What can be chosen. */
  const char *none;
  gboolean compares;
  /* Set while the drop-down follows, so that it does not answer back. */
  gboolean is_following;
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
  int header_minimum, header_natural, grid_minimum, grid_natural, scroller_minimum, footer_minimum, footer_natural;
  int least_natural;

  gtk_widget_measure (self->header, orientation, for_size, &header_minimum, &header_natural, NULL, NULL);
  /* Cells grow with the width: any height at all is that of the least. */
  const gboolean is_any = orientation == GTK_ORIENTATION_VERTICAL && for_size < 0;
  gtk_widget_measure (GTK_WIDGET (self->grid), orientation, for_size, &grid_minimum, &grid_natural, NULL, NULL);
  if (is_any)
    gtk_widget_measure (GTK_WIDGET (self->grid), orientation, 0, NULL, &least_natural, NULL, NULL);
  else
    least_natural = grid_natural;
  gtk_widget_measure (self->scroller, orientation, for_size, &scroller_minimum, NULL, NULL, NULL);
  gtk_widget_measure (self->footer, orientation, for_size, &footer_minimum, &footer_natural, NULL, NULL);
  grid_minimum = MAX (grid_minimum, scroller_minimum);
  grid_natural = MAX (grid_natural, grid_minimum);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = MAX (MAX (header_minimum, footer_minimum), grid_minimum);
      /* A long name in the legend is cut: it does not make the sidebar wider. */
      *natural = MAX (MAX (header_natural, footer_minimum), grid_natural);
    }
  else
    {
      /* Where a panel is too short for all that is in it, it scrolls before the grid is cut. */
      *minimum = header_minimum + footer_minimum + MAX (grid_minimum, MIN (least_natural, KEPT_HEIGHT));
      *natural = header_natural + footer_natural + grid_natural;
    }
}

static void
hl_head_picker_size_allocate (GtkWidget *widget,
                              int        width,
                              int        height,
                              int        baseline)
{
  HlHeadPicker *self = HL_HEAD_PICKER (widget);
  int header_height, footer_height;

  gtk_widget_measure (self->header, GTK_ORIENTATION_VERTICAL, width, NULL, &header_height, NULL, NULL);
  gtk_widget_measure (self->footer, GTK_ORIENTATION_VERTICAL, width, NULL, &footer_height, NULL, NULL);
  gtk_widget_size_allocate (self->header, &(GtkAllocation){ 0, 0, width, header_height }, -1);
  gtk_widget_size_allocate (self->scroller,
                            &(GtkAllocation){ 0, header_height, width, height - header_height - footer_height }, -1);
  gtk_widget_size_allocate (self->footer, &(GtkAllocation){ 0, height - footer_height, width, footer_height }, -1);
}

static gboolean
hl_head_picker_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (HL_HEAD_PICKER (widget)->grid));
}

static void
on_setup_chosen (GtkSignalListItemFactory *factory,
                 GtkListItem              *item,
                 HlHeadPicker             *self)
{
  g_set_weak_pointer (&self->legend_name, GTK_LABEL (gtk_label_new (NULL)));
  gtk_label_set_xalign (self->legend_name, 0);
  gtk_label_set_ellipsize (self->legend_name, PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (self->legend_name, 8);
  gtk_list_item_set_child (item, GTK_WIDGET (self->legend_name));
}

/* What it is called in one line: what the drop-down has chosen, or what follows from not choosing. */
static void
init_choice (HlHeadPicker *self)
{
  g_autoptr (GtkListItemFactory) chosen = gtk_signal_list_item_factory_new ();

  g_signal_connect (chosen, "setup", G_CALLBACK (on_setup_chosen), self);
  gtk_drop_down_set_factory (self->colour_by, chosen);
}

/* Follows what there is to choose from, and what is chosen. */
static void
update_choice (HlHeadPicker *self)
{
  HlViewState *state = hl_head_grid_get_view_state (self->grid);
  const gboolean compares = state != NULL && hl_view_state_get_compared (state) != NULL;
  const char *none = hl_head_grid_has_pictures (self->grid) ? _ ("Weights")
                     /* Translators: of what colours in the grid of heads tell */
                     : hl_head_grid_get_is_small (self->grid) ? _ ("Automatic")
                                                              : C_ ("colours of the grid of heads", "Nothing");

  self->is_following = TRUE;
  if (self->none != none || self->compares != compares)
    {
      self->none = none;
      self->compares = compares;
      hl_measure_choice_fill (self->colour_by, none, compares);
      init_choice (self);
    }
  hl_measure_choice_select (self->colour_by,
                            state != NULL ? hl_view_state_get_options (state)->colour_by : HL_HEAD_MEASURE_NONE);
  self->is_following = FALSE;
}

static void
on_colour_by_selected (HlHeadPicker *self)
{
  HlViewState *state = self->grid != NULL ? hl_head_grid_get_view_state (self->grid) : NULL;

  if (state != NULL && !self->is_following)
    hl_view_state_set_option (state, colour_by, hl_measure_choice_get (self->colour_by));
}

static void
update_legend (HlHeadPicker *self)
{
  g_autofree char *least = NULL;
  g_autofree char *greatest = NULL;
  g_autofree char *legend = hl_head_grid_dup_legend (self->grid, &least, &greatest);
  g_autofree char *name = legend != NULL ? hl_sentence_new (legend) : NULL;
  g_autoptr (GdkTexture) ramp = hl_head_grid_make_ramp (self->grid, RAMP_WIDTH, RAMP_HEIGHT);

  update_choice (self);
  if (self->legend_name != NULL)
    gtk_label_set_label (self->legend_name, name != NULL ? name : self->none);
  /* The button in it is what has the keyboard. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_first_child (GTK_WIDGET (self->colour_by))),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Colour Heads By"),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, name != NULL ? name : self->none, -1);
  /* Its room stays, so that nothing moves. */
  gtk_widget_set_opacity (GTK_WIDGET (self->ramp), name != NULL ? 1 : 0);
  gtk_label_set_label (self->least, least != NULL ? least : "");
  gtk_label_set_label (self->greatest, greatest != NULL ? greatest : "");
  gtk_picture_set_paintable (self->ramp, GDK_PAINTABLE (ramp));
}

/* Beside the heading, where there is room: nothing moves when it comes. */
static void
update_part (HlHeadPicker *self)
{
  g_autofree char *part = hl_head_grid_dup_part (self->grid);

  gtk_label_set_label (self->part, part != NULL ? part : "");
  hl_tooltip_set (GTK_WIDGET (self->part), part);
}

static gboolean
on_idle (gpointer data)
{
  HlHeadPicker *self = data;

  self->idle = 0;
  update_legend (self);
  update_part (self);
  return G_SOURCE_REMOVE;
}

/* What the grid tells while it gets its place is written when all have theirs. Nothing more is written for one that goes. */
static void
queue_update (HlHeadPicker *self)
{
  if (self->idle == 0 && self->grid != NULL)
    self->idle = g_idle_add_full (G_PRIORITY_DEFAULT, on_idle, self, NULL);
}

static void
hl_head_picker_dispose (GObject *object)
{
  g_clear_handle_id (&HL_HEAD_PICKER (object)->idle, g_source_remove);
  g_clear_weak_pointer (&HL_HEAD_PICKER (object)->legend_name);
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
  gtk_widget_class_bind_template_child (widget_class, HlHeadPicker, footer);
  gtk_widget_class_bind_template_child (widget_class, HlHeadPicker, part);
  gtk_widget_class_bind_template_child (widget_class, HlHeadPicker, legend);
  gtk_widget_class_bind_template_child (widget_class, HlHeadPicker, colour_by);
  gtk_widget_class_bind_template_child (widget_class, HlHeadPicker, least);
  gtk_widget_class_bind_template_child (widget_class, HlHeadPicker, ramp);
  gtk_widget_class_bind_template_child (widget_class, HlHeadPicker, greatest);
  gtk_widget_class_bind_template_callback (widget_class, queue_update);
  gtk_widget_class_bind_template_callback (widget_class, on_colour_by_selected);
  gtk_widget_class_set_css_name (widget_class, "headpicker");
}

static void
hl_head_picker_init (HlHeadPicker *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  GtkScrolledWindow *scroller = GTK_SCROLLED_WINDOW (self->scroller);
  GtkAdjustment *adjustments[] = { gtk_scrolled_window_get_hadjustment (scroller),
                                   gtk_scrolled_window_get_vadjustment (scroller) };
  for (guint i = 0; i < G_N_ELEMENTS (adjustments); i++)
    {
      g_signal_connect_object (adjustments[i], "changed", G_CALLBACK (queue_update), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (adjustments[i], "value-changed", G_CALLBACK (queue_update), self, G_CONNECT_SWAPPED);
    }
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->colour_by), _ ("Colour Heads By"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->colour_by), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Colour Heads By"), -1);
  update_legend (self);
}

void
hl_head_picker_set_view_state (HlHeadPicker *self,
                               HlViewState  *state)
{
  g_return_if_fail (HL_IS_HEAD_PICKER (self));
  g_return_if_fail (state == NULL || HL_IS_VIEW_STATE (state));

  hl_head_grid_set_view_state (self->grid, state);
}
