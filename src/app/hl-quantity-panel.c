/* SPDX-License-Identifier: MIT */
/* What is made of the weights before they are shown: one map of several heads or layers, and which way round it is read. Not there in views
 * that show how weights are made. */
#include "app/hl-quantity-panel.h"

#include <glib/gi18n.h>

struct _HlQuantityPanel
{
  GtkWidget parent_instance;

  HlViewState *state;
  gulong state_notify_id;
  /* Set while controls follow the state, so that they do not answer back. */
  gboolean is_following;

  GtkWidget *content;
  GtkDropDown *combine;
  GtkWidget *over_row;
  GtkDropDown *over;
  GtkWidget *layers_row;
  GtkLabel *layers;
  GtkWidget *all_layers;
  GtkDropDown *direction;
};

enum
{
  PROP_VIEW_STATE = 1,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (HlQuantityPanel, hl_quantity_panel, GTK_TYPE_WIDGET)

static void
select_item (GtkDropDown *drop_down,
             guint        item)
{
  if (gtk_drop_down_get_selected (drop_down) != item)
    gtk_drop_down_set_selected (drop_down, item);
}

/* Which layers are combined, in the row's words. */
static void
follow_layers (HlQuantityPanel *self)
{
  const HlLayerSet *layers = hl_view_state_get_layers (self->state);
  const guint n_layers = hl_block_get_n_layers (hl_view_state_get_block (self->state));
  const guint n_chosen = hl_layer_set_count (layers);
  g_autofree char *list = hl_bits_format (layers->bits, n_layers);
  g_autofree char *text = n_chosen == n_layers && n_layers > 1
                            ? g_strdup_printf (ngettext ("All %u Layer", "All %u Layers", n_layers), n_layers)
                            : g_strdup_printf (ngettext ("Layer %s", "Layers %s", n_chosen), list);

  gtk_widget_set_visible (self->layers_row, hl_view_state_merges_layers (self->state));
  gtk_label_set_label (self->layers, text);
  gtk_widget_set_opacity (self->all_layers, n_chosen < n_layers ? 1 : 0);
  gtk_widget_set_sensitive (self->all_layers, n_chosen < n_layers);
}

/* Only where queries and keys are the same tokens is there an asymmetry. */
static void
follow_direction (HlQuantityPanel *self)
{
  static const char *const names[] = { N_ ("As It Is"), N_ ("Transposed"), N_ ("A − Aᵀ") };
  const guint n = hl_lens_has_asymmetry (hl_view_state_get_block (self->state)) ? 3 : 2;
  const guint direction = hl_view_state_get_direction (self->state);
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
follow (HlQuantityPanel *self)
{
  const gboolean is_shown = self->state != NULL && !hl_view_state_shows_steps (self->state);

  gtk_widget_set_visible (GTK_WIDGET (self), is_shown);
  if (!is_shown)
    return;
  self->is_following = TRUE;
  select_item (self->combine, hl_view_state_get_combine (self->state));
  gtk_widget_set_visible (self->over_row, hl_view_state_get_combine (self->state) != HL_COMBINE_NONE);
  select_item (self->over, hl_view_state_get_combine_over (self->state));
  follow_layers (self);
  follow_direction (self);
  self->is_following = FALSE;
}

/* Who asks for the mean of heads with one head chosen does not mean that one. */
static void
choose_enough_heads (HlQuantityPanel *self)
{
  if (hl_view_state_merges_heads (self->state) && hl_head_set_count (hl_view_state_get_heads (self->state)) <= 1)
    hl_view_state_select_all_heads (self->state);
}

static void
on_combine_selected (HlQuantityPanel *self)
{
  if (self->is_following || self->state == NULL)
    return;
  g_object_freeze_notify (G_OBJECT (self->state));
  hl_view_state_set_combine (self->state, gtk_drop_down_get_selected (self->combine));
  choose_enough_heads (self);
  g_object_thaw_notify (G_OBJECT (self->state));
}

static void
on_over_selected (HlQuantityPanel *self)
{
  if (self->is_following || self->state == NULL)
    return;
  g_object_freeze_notify (G_OBJECT (self->state));
  hl_view_state_set_combine_over (self->state, gtk_drop_down_get_selected (self->over));
  choose_enough_heads (self);
  g_object_thaw_notify (G_OBJECT (self->state));
}

static void
on_all_layers (HlQuantityPanel *self)
{
  const HlLayerSet all = { { 0 } };

  hl_view_state_set_layers (self->state, &all);
  /* The button is about to go. */
  gtk_widget_grab_focus (GTK_WIDGET (self->over));
}

static void
on_direction_selected (HlQuantityPanel *self)
{
  const guint selected = gtk_drop_down_get_selected (self->direction);

  if (!self->is_following && self->state != NULL && selected != GTK_INVALID_LIST_POSITION)
    hl_view_state_set_direction (self->state, selected);
}

static void
on_state_notify (HlQuantityPanel *self,
                 GParamSpec      *pspec)
{
  static const char *const of_interest[] = { "view", "block", "combine", "combine-over", "layers", "direction", NULL };

  if (g_strv_contains (of_interest, pspec->name))
    follow (self);
}

static void
hl_quantity_panel_get_property (GObject    *object,
                                guint       id,
                                GValue     *value,
                                GParamSpec *pspec)
{
  switch (id)
    {
    case PROP_VIEW_STATE:
      g_value_set_object (value, HL_QUANTITY_PANEL (object)->state);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_quantity_panel_set_property (GObject      *object,
                                guint         id,
                                const GValue *value,
                                GParamSpec   *pspec)
{
  switch (id)
    {
    case PROP_VIEW_STATE:
      hl_quantity_panel_set_view_state (HL_QUANTITY_PANEL (object), g_value_get_object (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_quantity_panel_dispose (GObject *object)
{
  HlQuantityPanel *self = HL_QUANTITY_PANEL (object);

  hl_quantity_panel_set_view_state (self, NULL);
  /* Dying controls still report changes. */
  self->is_following = TRUE;
  gtk_widget_dispose_template (GTK_WIDGET (self), HL_TYPE_QUANTITY_PANEL);
  G_OBJECT_CLASS (hl_quantity_panel_parent_class)->dispose (object);
}

static void
hl_quantity_panel_class_init (HlQuantityPanelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = hl_quantity_panel_get_property;
  object_class->set_property = hl_quantity_panel_set_property;
  object_class->dispose = hl_quantity_panel_dispose;

  /**
   * HlQuantityPanel:view-state: (nullable)
   *
   * Whose quantity is shown and changed.
   */
  properties[PROP_VIEW_STATE] =
    g_param_spec_object ("view-state", NULL, NULL, HL_TYPE_VIEW_STATE,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/quantity-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, content);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, combine);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, over_row);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, over);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, layers_row);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, layers);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, all_layers);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, direction);
  gtk_widget_class_bind_template_callback (widget_class, on_combine_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_over_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_all_layers);
  gtk_widget_class_bind_template_callback (widget_class, on_direction_selected);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "quantitypanel");
}

static void
hl_quantity_panel_init (HlQuantityPanel *self)
{
  self->is_following = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->is_following = FALSE;
}

/**
 * hl_quantity_panel_set_view_state:
 * @self: a panel
 * @state: (nullable): whose quantity to show and change
 */
void
hl_quantity_panel_set_view_state (HlQuantityPanel *self,
                                  HlViewState     *state)
{
  g_return_if_fail (HL_IS_QUANTITY_PANEL (self));
  g_return_if_fail (state == NULL || HL_IS_VIEW_STATE (state));

  if (self->state == state)
    return;
  if (self->state != NULL)
    g_clear_signal_handler (&self->state_notify_id, self->state);
  g_set_object (&self->state, state);
  if (state != NULL)
    {
      self->state_notify_id = g_signal_connect_swapped (state, "notify", G_CALLBACK (on_state_notify), self);
      follow (self);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_VIEW_STATE]);
}
