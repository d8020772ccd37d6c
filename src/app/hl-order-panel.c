/* SPDX-License-Identifier: MIT */
/* By which number the model view sorts its heads, and which one their frames tell. Only there in the model view. */
#include "config.h"

#include "app/hl-order-panel.h"

#include <glib/gi18n.h>

struct _HlOrderPanel
{
  GtkWidget parent_instance;

  HlViewState *state;
  gulong notify_id;
  /* Set while controls follow the state, so that they do not answer back. */
  gboolean is_following;

  GtkWidget *content;
  GtkDropDown *sort;
  GtkDropDown *colour_by;
};

G_DEFINE_FINAL_TYPE (HlOrderPanel, hl_order_panel, GTK_TYPE_WIDGET)

static void
follow (HlOrderPanel *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self), self->state != NULL && hl_view_state_get_view (self->state) == HL_VIEW_MODEL);
  if (self->state == NULL)
    return;
  self->is_following = TRUE;
  gtk_drop_down_set_selected (self->sort, hl_view_state_get_sort (self->state));
  gtk_drop_down_set_selected (self->colour_by, hl_view_state_get_colour_by (self->state));
  self->is_following = FALSE;
}

static void
on_state_notify (HlOrderPanel *self,
                 GParamSpec   *pspec)
{
  static const char *const of_interest[] = { "view", "sort", "colour-by", NULL };

  if (g_strv_contains (of_interest, pspec->name))
    follow (self);
}

static void
on_sort_selected (HlOrderPanel *self)
{
  if (!self->is_following && self->state != NULL)
    hl_view_state_set_sort (self->state, gtk_drop_down_get_selected (self->sort));
}

static void
on_colour_by_selected (HlOrderPanel *self)
{
  if (!self->is_following && self->state != NULL)
    hl_view_state_set_colour_by (self->state, gtk_drop_down_get_selected (self->colour_by));
}

/* As HlHeadMeasure counts them; what “none” means depends on what it is for. */
static void
fill (GtkDropDown *choice,
      const char  *none)
{
  const char *const names[] = {
    none, _ ("Entropy"), _ ("Distance"), _ ("First Token"), _ ("Special Tokens"),
    _ ("Previous Token"), _ ("Next Token"), _ ("Self"), _ ("Pair of Words"), NULL,
  };
  g_autoptr (GtkStringList) list = gtk_string_list_new (names);

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == HL_N_HEAD_MEASURES + 1);
  gtk_drop_down_set_model (choice, G_LIST_MODEL (list));
}

static void
hl_order_panel_dispose (GObject *object)
{
  HlOrderPanel *self = HL_ORDER_PANEL (object);

  hl_order_panel_set_view_state (self, NULL);
  /* Dying controls still report changes. */
  self->is_following = TRUE;
  gtk_widget_dispose_template (GTK_WIDGET (self), HL_TYPE_ORDER_PANEL);
  G_OBJECT_CLASS (hl_order_panel_parent_class)->dispose (object);
}

static void
hl_order_panel_class_init (HlOrderPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_order_panel_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/order-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HlOrderPanel, content);
  gtk_widget_class_bind_template_child (widget_class, HlOrderPanel, sort);
  gtk_widget_class_bind_template_child (widget_class, HlOrderPanel, colour_by);
  gtk_widget_class_bind_template_callback (widget_class, on_sort_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_colour_by_selected);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "orderpanel");
}

static void
hl_order_panel_init (HlOrderPanel *self)
{
  self->is_following = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  /* Translators: heads in the order of their layers; then: no frames around heads */
  fill (self->sort, _ ("Layer"));
  fill (self->colour_by, _ ("None"));
  self->is_following = FALSE;
}

/**
 * hl_order_panel_set_view_state:
 * @self: a panel
 * @state: (nullable): whose order and frames to show and change
 */
void
hl_order_panel_set_view_state (HlOrderPanel *self,
                               HlViewState  *state)
{
  g_return_if_fail (HL_IS_ORDER_PANEL (self));
  g_return_if_fail (state == NULL || HL_IS_VIEW_STATE (state));

  if (self->state == state)
    return;
  if (self->state != NULL)
    g_clear_signal_handler (&self->notify_id, self->state);
  g_set_object (&self->state, state);
  if (state != NULL)
    self->notify_id = g_signal_connect_swapped (state, "notify", G_CALLBACK (on_state_notify), self);
  follow (self);
}
