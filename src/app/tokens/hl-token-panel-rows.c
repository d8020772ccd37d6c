/* SPDX-License-Identifier: MIT */
/* HlTokenPanel: its rows, and what pointing at them and choosing one does. */
#include "app/tokens/hl-token-panel-private.h"

#include "app/tokens/hl-weight-bar.h"

static void
copy (GtkWidget  *widget,
      const char *action,
      GVariant   *parameter)
{
  HlTokenPanel *self = HL_TOKEN_PANEL (widget);
  HlTokenWeights *weights = hl_token_list_get_weights (self->list);

  if (weights == NULL)
    return;
  g_autofree char *text = hl_token_weights_to_text (weights);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

static void
on_pin_clicked (HlTokenPanel *self)
{
  hl_view_state_set_pinned (hl_state_panel_get_view_state (HL_STATE_PANEL (self)), NULL);
}

/* The pair that a row stands for. */
static gboolean
get_pair (HlTokenPanel *self,
          HlTokenRow   *row,
          HlPick       *pair)
{
  const HlTokenWeight *weight = row != NULL ? hl_token_row_get_weight (row) : NULL;

  return weight != NULL && hl_token_weights_get_pair (hl_token_list_get_weights (self->list), weight, pair);
}

static void
on_activate (HlTokenPanel *self,
             guint         position)
{
  HlViewState *state = hl_state_panel_get_view_state (HL_STATE_PANEL (self));
  g_autoptr (HlTokenRow) row = g_list_model_get_item (G_LIST_MODEL (self->list), position);
  HlPick pair;

  if (get_pair (self, row, &pair))
    hl_view_state_set_pinned (state, &pair);
}

static void
on_motion (HlTokenPanel *self,
           double        x,
           double        y)
{
  HlViewState *state = hl_state_panel_get_view_state (HL_STATE_PANEL (self));
  GtkWidget *child = gtk_widget_pick (self->view, x, y, GTK_PICK_DEFAULT);
  HlPick pair;

  /* The list's row is a little larger than what is in it. */
  if (child != NULL && !HL_IS_WEIGHT_BAR (child))
    child = gtk_widget_get_first_child (child);
  /* Without a pin the rows are those of what the pointer is over: to point elsewhere would take them away. */
  if (state == NULL || hl_view_state_get_pinned (state)->kind == HL_PICK_NONE)
    return;
  if (child != NULL && HL_IS_WEIGHT_BAR (child) &&
      get_pair (self, hl_weight_bar_get_row (HL_WEIGHT_BAR (child)), &pair))
    hl_view_state_set_hovered (state, &pair);
}

static void
on_leave (HlTokenPanel *self)
{
  HlViewState *state = hl_state_panel_get_view_state (HL_STATE_PANEL (self));

  if (state != NULL && hl_view_state_get_pinned (state)->kind != HL_PICK_NONE)
    hl_view_state_set_hovered (state, NULL);
}

static void
on_setup (HlTokenPanel *self,
          GtkListItem  *item)
{
  gtk_list_item_set_child (item, hl_weight_bar_new ());
}

static void
on_bind (HlTokenPanel *self,
         GtkListItem  *item)
{
  hl_weight_bar_set_row (HL_WEIGHT_BAR (gtk_list_item_get_child (item)),
                         gtk_list_item_get_item (item));
}

static void
on_unbind (HlTokenPanel *self,
           GtkListItem  *item)
{
  hl_weight_bar_set_row (HL_WEIGHT_BAR (gtk_list_item_get_child (item)), NULL);
}

/* What the template says of the rows, and how they are copied. */
void
hl_token_panel_install_rows (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "panel.copy", NULL, copy);
  gtk_widget_class_bind_template_callback (widget_class, on_pin_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_motion);
  gtk_widget_class_bind_template_callback (widget_class, on_leave);
  gtk_widget_class_bind_template_callback (widget_class, on_setup);
  gtk_widget_class_bind_template_callback (widget_class, on_bind);
  gtk_widget_class_bind_template_callback (widget_class, on_unbind);
}
