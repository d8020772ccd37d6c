/* SPDX-License-Identifier: MIT */
/* By which number the model view sorts its heads. Only there in the model view; what its frames tell is what colours the map of heads. */
#include "config.h"

#include "app/panels/hl-measure-choice.h"
#include "app/panels/hl-panels.h"

#include <glib/gi18n.h>

struct _HlOrderPanel
{
  HlStatePanel parent_instance;

  GtkWidget *content;
  GtkDropDown *sort;
  /* Whether there is a choice for what only a comparison tells. */
  gboolean compares;
};

G_DEFINE_FINAL_TYPE (HlOrderPanel, hl_order_panel, HL_TYPE_STATE_PANEL)

static void
fill (HlOrderPanel *self,
      gboolean      compares)
{
  /* Translators: heads in the order of their layers */
  hl_measure_choice_fill (self->sort, _ ("Layer"), compares);
  self->compares = compares;
}

static gboolean
hl_order_panel_is_shown (HlViewState *state)
{
  return hl_view_kind_get_traits (hl_view_state_get_options (state)->view)->shows_all_heads;
}

static void
hl_order_panel_follow (HlStatePanel *panel,
                       HlViewState  *state,
                       HlChanges     changes)
{
  HlOrderPanel *self = HL_ORDER_PANEL (panel);

  if (self->compares != (hl_view_state_get_compared (state) != NULL))
    fill (self, !self->compares);
  hl_measure_choice_select (self->sort, hl_view_state_get_options (state)->sort);
}

static void
on_sort_selected (HlOrderPanel *self)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));

  if (state != NULL)
    hl_view_state_set_option (state, sort, hl_measure_choice_get (self->sort));
}

static void
hl_order_panel_class_init (HlOrderPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  HL_STATE_PANEL_CLASS (klass)->changes = HL_CHANGED_VIEW | HL_CHANGED_ORDER | HL_CHANGED_COMPARED;
  HL_STATE_PANEL_CLASS (klass)->is_shown = hl_order_panel_is_shown;
  HL_STATE_PANEL_CLASS (klass)->follow = hl_order_panel_follow;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/order-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HlOrderPanel, content);
  gtk_widget_class_bind_template_child (widget_class, HlOrderPanel, sort);
  gtk_widget_class_bind_template_callback (widget_class, on_sort_selected);
  gtk_widget_class_set_css_name (widget_class, "orderpanel");
}

static void
hl_order_panel_init (HlOrderPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fill (self, FALSE);
  hl_state_panel_explain (GTK_WIDGET (self->sort), "sort");
}
