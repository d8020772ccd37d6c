/* SPDX-License-Identifier: MIT */
/* What is made of the weights before they are shown: one map of several heads or layers, and which way round it is
 * read. Not there in views that show how weights are made. */
#include "app/panels/hl-panels.h"

#include <glib/gi18n.h>

struct _HlQuantityPanel
{
  HlStatePanel parent_instance;

  GtkWidget *content;
  GtkDropDown *quantity;
  GtkLabel *about;
  GtkDropDown *combine;
  GtkWidget *over_row;
  GtkDropDown *over;
  GtkWidget *layers_row;
  GtkLabel *layers;
  GtkWidget *all_layers;
  GtkDropDown *direction;
};

G_DEFINE_FINAL_TYPE (HlQuantityPanel, hl_quantity_panel, HL_TYPE_STATE_PANEL)

static void
select_item (GtkDropDown *drop_down,
             guint        item)
{
  if (gtk_drop_down_get_selected (drop_down) != item)
    gtk_drop_down_set_selected (drop_down, item);
}

/* What it tells, or what it needs where it cannot be had. */
static void
follow_quantity (HlQuantityPanel *self,
                 HlViewState     *state)
{
  const HlQuantity quantity = hl_view_state_get_options (state)->quantity;
  const HlQuantityClass *klass = hl_quantity_get (quantity);
  g_autoptr (GError) error = NULL;

  select_item (self->quantity, quantity);
  if (hl_quantity_check (quantity, hl_view_state_get_attention (state), &error))
    gtk_label_set_label (self->about, _ (klass->sentence));
  else
    {
      g_autofree char *text = g_strdup_printf ("%s: %s", _ (klass->label), error->message);
      gtk_label_set_label (self->about, text);
    }
}

/* Which layers are combined, in the row's words. */
static void
follow_layers (HlQuantityPanel *self,
               HlViewState     *state)
{
  const HlLayerSet *layers = hl_view_state_get_layers (state);
  const guint n_layers = hl_attention_get_n_layers (hl_view_state_get_attention (state));
  const guint n_chosen = hl_layer_set_count (layers);
  g_autofree char *list = hl_bits_format (layers->bits, n_layers);
  g_autofree char *text = n_chosen == n_layers && n_layers > 1
                            ? g_strdup_printf (ngettext ("All %u Layer", "All %u Layers", n_layers), n_layers)
                            : g_strdup_printf (ngettext ("Layer %s", "Layers %s", n_chosen), list);

  gtk_widget_set_visible (self->layers_row, hl_view_state_get_shown (state)->merges_layers);
  gtk_label_set_label (self->layers, text);
  gtk_widget_set_opacity (self->all_layers, n_chosen < n_layers ? 1 : 0);
  gtk_widget_set_sensitive (self->all_layers, n_chosen < n_layers);
}

/* Only where queries and keys are the same tokens is there an asymmetry. */
static void
follow_direction (HlQuantityPanel *self,
                  HlViewState     *state)
{
  static const char *const names[] = { N_ ("As It Is"), N_ ("Transposed"), N_ ("A − Aᵀ") };
  const guint n = hl_lens_has_asymmetry (hl_view_state_get_attention (state)) ? 3 : 2;
  const guint direction = hl_view_state_get_options (state)->direction;
  GListModel *model = gtk_drop_down_get_model (self->direction);

  if (model == NULL || g_list_model_get_n_items (model) != n)
    {
      g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
      for (guint i = 0; i < n; i++)
        gtk_string_list_append (list, _ (names[i]));
      gtk_drop_down_set_model (self->direction, G_LIST_MODEL (list));
    }
  select_item (self->direction, direction < n ? direction : HL_DIRECTION_AS_IS);
}

static void
hl_quantity_panel_follow (HlStatePanel *panel,
                          HlViewState  *state,
                          HlChanges     changes)
{
  HlQuantityPanel *self = HL_QUANTITY_PANEL (panel);
  const gboolean is_shown = state != NULL && !hl_view_state_get_shown (state)->is_plain;

  gtk_widget_set_visible (GTK_WIDGET (self), is_shown);
  if (!is_shown)
    return;
  follow_quantity (self, state);
  select_item (self->combine, hl_view_state_get_options (state)->combine);
  gtk_widget_set_visible (self->over_row, hl_view_state_get_options (state)->combine != HL_COMBINE_NONE);
  select_item (self->over, hl_view_state_get_options (state)->combine_over);
  follow_layers (self, state);
  follow_direction (self, state);
}

/* Who asks for the mean of heads with one head chosen does not mean that one. */
static void
choose_enough_heads (HlViewState *state)
{
  if (hl_view_state_get_shown (state)->merges_heads && hl_head_set_count (hl_view_state_get_heads (state)) <= 1)
    hl_view_state_select_all_heads (state);
}

static void
on_quantity_selected (HlQuantityPanel *self)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));

  if (state != NULL)
    hl_view_state_set_option (state, quantity, gtk_drop_down_get_selected (self->quantity));
}

static void
on_combine_selected (HlQuantityPanel *self)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));

  if (state == NULL)
    return;
  g_object_freeze_notify (G_OBJECT (state));
  hl_view_state_set_option (state, combine, gtk_drop_down_get_selected (self->combine));
  choose_enough_heads (state);
  g_object_thaw_notify (G_OBJECT (state));
}

static void
on_over_selected (HlQuantityPanel *self)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));

  if (state == NULL)
    return;
  g_object_freeze_notify (G_OBJECT (state));
  hl_view_state_set_option (state, combine_over, gtk_drop_down_get_selected (self->over));
  choose_enough_heads (state);
  g_object_thaw_notify (G_OBJECT (state));
}

static void
on_all_layers (HlQuantityPanel *self)
{
  const HlLayerSet all = { { 0 } };

  hl_view_state_set_layers (hl_state_panel_get_view_state (HL_STATE_PANEL (self)), &all);
  /* The button is about to go. */
  gtk_widget_grab_focus (GTK_WIDGET (self->over));
}

static void
on_direction_selected (HlQuantityPanel *self)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));
  const guint selected = gtk_drop_down_get_selected (self->direction);

  if (state != NULL && selected != GTK_INVALID_LIST_POSITION)
    hl_view_state_set_option (state, direction, selected);
}

static void
hl_quantity_panel_class_init (HlQuantityPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  HL_STATE_PANEL_CLASS (klass)->changes = HL_CHANGED_VIEW | HL_CHANGED_ATTENTION | HL_CHANGED_DERIVATION |
                                          HL_CHANGED_LAYERS;
  HL_STATE_PANEL_CLASS (klass)->follow = hl_quantity_panel_follow;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/quantity-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, content);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, quantity);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, about);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, combine);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, over_row);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, over);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, layers_row);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, layers);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, all_layers);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, direction);
  gtk_widget_class_bind_template_callback (widget_class, on_quantity_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_combine_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_over_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_all_layers);
  gtk_widget_class_bind_template_callback (widget_class, on_direction_selected);
  gtk_widget_class_set_css_name (widget_class, "quantitypanel");
}

static void
hl_quantity_panel_init (HlQuantityPanel *self)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  gtk_widget_init_template (GTK_WIDGET (self));
  for (HlQuantity i = 0; i < HL_N_QUANTITIES; i++)
    gtk_string_list_append (list, _ (hl_quantity_get (i)->label));
  gtk_drop_down_set_model (self->quantity, G_LIST_MODEL (list));
}
