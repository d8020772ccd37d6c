/* SPDX-License-Identifier: MIT */
/* HlStatePanel: the controls of a panel follow a view state, and do not answer back while they do. */
#include "app/panels/hl-state-panel.h"

typedef struct
{
  HlViewState *state;
  gulong notify_id;
  gboolean is_following;
} HlStatePanelPrivate;

enum
{
  PROP_VIEW_STATE = 1,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (HlStatePanel, hl_state_panel, GTK_TYPE_WIDGET)

static void
follow (HlStatePanel *self,
        const char   *property)
{
  HlStatePanelPrivate *priv = hl_state_panel_get_instance_private (self);
  const gboolean was_following = priv->is_following;

  priv->is_following = TRUE;
  HL_STATE_PANEL_GET_CLASS (self)->follow (self, priv->state, property);
  priv->is_following = was_following;
}

static void
on_state_notify (HlStatePanel *self,
                 GParamSpec   *pspec)
{
  const char *const *of_interest = HL_STATE_PANEL_GET_CLASS (self)->properties;

  if (of_interest == NULL || g_strv_contains (of_interest, pspec->name))
    follow (self, pspec->name);
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

static void
hl_state_panel_dispose (GObject *object)
{
  HlStatePanelPrivate *priv = hl_state_panel_get_instance_private (HL_STATE_PANEL (object));

  /* Dying controls still report changes; without a state nobody is changed by them. */
  if (priv->state != NULL)
    g_clear_signal_handler (&priv->notify_id, priv->state);
  g_clear_object (&priv->state);
  gtk_widget_dispose_template (GTK_WIDGET (object), G_OBJECT_TYPE (object));
  G_OBJECT_CLASS (hl_state_panel_parent_class)->dispose (object);
}

static void
hl_state_panel_class_init (HlStatePanelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = hl_state_panel_get_property;
  object_class->set_property = hl_state_panel_set_property;
  object_class->dispose = hl_state_panel_dispose;

  properties[PROP_VIEW_STATE] =
    g_param_spec_object ("view-state", NULL, NULL, HL_TYPE_VIEW_STATE,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
hl_state_panel_init (HlStatePanel *self)
{
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
    g_clear_signal_handler (&priv->notify_id, priv->state);
  g_set_object (&priv->state, state);
  if (state != NULL)
    priv->notify_id = g_signal_connect_swapped (state, "notify", G_CALLBACK (on_state_notify), self);
  follow (self, NULL);
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
