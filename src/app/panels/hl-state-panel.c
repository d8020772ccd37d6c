/* SPDX-License-Identifier: MIT */
/* HlStatePanel: the controls of a panel follow a view state, and do not answer back while they do. */
#include "app/panels/hl-state-panel.h"

#include <glib/gi18n.h>

/* A control that is what an option is. */
typedef struct
{
  HlStatePanel *panel;
  const HlViewOption *option;
  GtkWidget *control;
} Binding;

typedef struct
{
  HlViewState *state;
  gulong changed_id;
  gboolean is_following;
  GPtrArray *bindings;
} HlStatePanelPrivate;

enum
{
  PROP_VIEW_STATE = 1,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (HlStatePanel, hl_state_panel, GTK_TYPE_WIDGET)

static void
show_bound (const Binding *self,
            HlViewState   *state)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_object_get_property (G_OBJECT (state), self->option->name, &value);
  if (GTK_IS_SWITCH (self->control))
    gtk_switch_set_active (GTK_SWITCH (self->control), g_value_get_boolean (&value));
  else if (GTK_IS_RANGE (self->control))
    gtk_range_set_value (GTK_RANGE (self->control), g_value_get_double (&value));
  else
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->control), (guint) g_value_get_enum (&value));
}

static void
on_bound_changed (Binding *self)
{
  HlViewState *state = hl_state_panel_get_changed (self->panel);

  if (state != NULL && GTK_IS_SWITCH (self->control))
    g_object_set (state, self->option->name, gtk_switch_get_active (GTK_SWITCH (self->control)), NULL);
  else if (state != NULL && GTK_IS_RANGE (self->control))
    g_object_set (state, self->option->name, gtk_range_get_value (GTK_RANGE (self->control)), NULL);
  else if (state != NULL)
    g_object_set (state, self->option->name, gtk_drop_down_get_selected (GTK_DROP_DOWN (self->control)), NULL);
}

static void
follow (HlStatePanel *self,
        HlChanges     changes)
{
  HlStatePanelPrivate *priv = hl_state_panel_get_instance_private (self);
  HlStatePanelClass *klass = HL_STATE_PANEL_GET_CLASS (self);
  const gboolean was_following = priv->is_following;

  priv->is_following = TRUE;
  for (guint i = 0; priv->state != NULL && i < priv->bindings->len; i++)
    {
      const Binding *binding = g_ptr_array_index (priv->bindings, i);
      if (changes & binding->option->changes)
        show_bound (binding, priv->state);
    }
  const gboolean is_shown = klass->is_shown == NULL || (priv->state != NULL && klass->is_shown (priv->state));
  if (changes & klass->changes && klass->is_shown != NULL)
    gtk_widget_set_visible (GTK_WIDGET (self), is_shown);
  if (changes & klass->changes && is_shown)
    klass->follow (self, priv->state, changes);
  priv->is_following = was_following;
}

static void
hl_state_panel_get_property (GObject    *object,
                             guint       id,
                             GValue     *value,
                             GParamSpec *pspec)
{
  switch (id)
    {
    case PROP_VIEW_STATE:
      g_value_set_object (value, hl_state_panel_get_view_state (HL_STATE_PANEL (object)));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_state_panel_set_property (GObject      *object,
                             guint         id,
                             const GValue *value,
                             GParamSpec   *pspec)
{
  switch (id)
    {
    case PROP_VIEW_STATE:
      hl_state_panel_set_view_state (HL_STATE_PANEL (object), g_value_get_object (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

/* The wheel is for the panel, which is longer than the window: a slider that happens to come under the pointer would be moved, unnoticed. */
static void
leave_wheel (GtkWidget *widget)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    leave_wheel (child);
  if (!GTK_IS_RANGE (widget) && !GTK_IS_SPIN_BUTTON (widget))
    return;
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_NONE);
    }
}

static void
hl_state_panel_constructed (GObject *object)
{
  G_OBJECT_CLASS (hl_state_panel_parent_class)->constructed (object);
  leave_wheel (GTK_WIDGET (object));
}

static void
hl_state_panel_dispose (GObject *object)
{
  HlStatePanelPrivate *priv = hl_state_panel_get_instance_private (HL_STATE_PANEL (object));

  /* Dying controls still report changes; without a state nobody is changed by them. */
  if (priv->state != NULL)
    g_clear_signal_handler (&priv->changed_id, priv->state);
  g_clear_object (&priv->state);
  gtk_widget_dispose_template (GTK_WIDGET (object), G_OBJECT_TYPE (object));
  G_OBJECT_CLASS (hl_state_panel_parent_class)->dispose (object);
}

static void
hl_state_panel_finalize (GObject *object)
{
  HlStatePanelPrivate *priv = hl_state_panel_get_instance_private (HL_STATE_PANEL (object));

  g_ptr_array_unref (priv->bindings);
  G_OBJECT_CLASS (hl_state_panel_parent_class)->finalize (object);
}

static void
hl_state_panel_class_init (HlStatePanelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = hl_state_panel_get_property;
  object_class->set_property = hl_state_panel_set_property;
  object_class->constructed = hl_state_panel_constructed;
  object_class->dispose = hl_state_panel_dispose;
  object_class->finalize = hl_state_panel_finalize;

  properties[PROP_VIEW_STATE] =
    g_param_spec_object ("view-state", NULL, NULL, HL_TYPE_VIEW_STATE,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
hl_state_panel_init (HlStatePanel *self)
{
  HlStatePanelPrivate *priv = hl_state_panel_get_instance_private (self);

  priv->bindings = g_ptr_array_new_with_free_func (g_free);
}

HlViewState *
hl_state_panel_get_view_state (HlStatePanel *self)
{
  g_return_val_if_fail (HL_IS_STATE_PANEL (self), NULL);

  return ((HlStatePanelPrivate *) hl_state_panel_get_instance_private (self))->state;
}

void
hl_state_panel_set_view_state (HlStatePanel *self,
                               HlViewState  *state)
{
  HlStatePanelPrivate *priv = hl_state_panel_get_instance_private (self);

  g_return_if_fail (HL_IS_STATE_PANEL (self));
  g_return_if_fail (state == NULL || HL_IS_VIEW_STATE (state));

  if (priv->state == state)
    return;
  if (priv->state != NULL)
    g_clear_signal_handler (&priv->changed_id, priv->state);
  g_set_object (&priv->state, state);
  if (state != NULL)
    priv->changed_id = g_signal_connect_swapped (state, "changed", G_CALLBACK (follow), self);
  follow (self, HL_CHANGED_STATE);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_VIEW_STATE]);
}

/* Whom a control changes that reports a change; NULL while it is the control that follows. */
HlViewState *
hl_state_panel_get_changed (HlStatePanel *self)
{
  HlStatePanelPrivate *priv = hl_state_panel_get_instance_private (self);

  g_return_val_if_fail (HL_IS_STATE_PANEL (self), NULL);

  return priv->is_following ? NULL : priv->state;
}

static const HlViewOption *
find_option (const char *name)
{
  guint n;
  const HlViewOption *table = hl_view_options_get_table (&n);

  for (guint i = 0; i < n; i++)
    if (g_str_equal (table[i].name, name))
      return &table[i];
  g_return_val_if_reached (NULL);
}

/* The tooltip of a control is what --help says of the option. */
void
hl_state_panel_explain (GtkWidget  *control,
                        const char *option)
{
  g_return_if_fail (GTK_IS_WIDGET (control));

  gtk_widget_set_tooltip_text (control, _ (find_option (option)->description));
}

/* From now on they are the same: a switch and a flag, a range and a number, a drop-down and a choice, whose values it lists in their order. */
void
hl_state_panel_bind (HlStatePanel *self,
                     const char   *option,
                     GtkWidget    *control)
{
  HlStatePanelPrivate *priv = hl_state_panel_get_instance_private (self);
  Binding *binding = g_new (Binding, 1);

  g_return_if_fail (HL_IS_STATE_PANEL (self));
  g_return_if_fail (GTK_IS_SWITCH (control) || GTK_IS_RANGE (control) || GTK_IS_DROP_DOWN (control));

  *binding = (Binding){ self, find_option (option), control };
  hl_state_panel_explain (control, option);
  g_ptr_array_add (priv->bindings, binding);
  g_signal_connect_swapped (control,
                            GTK_IS_SWITCH (control)  ? "notify::active"
                            : GTK_IS_RANGE (control) ? "value-changed"
                                                     : "notify::selected",
                            G_CALLBACK (on_bound_changed), binding);
}
