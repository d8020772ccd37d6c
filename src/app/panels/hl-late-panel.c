/* SPDX-License-Identifier: MIT */
#include "app/panels/hl-late-panel.h"

#include "app/base/hl-accessible.h"

struct _HlLatePanel
{
  GtkWidget parent_instance;

  HlStatePanelClass *panel_class;
  HlStatePanel *panel; /* NULL before it is wanted */
  HlViewState *state;
  gulong changed_id;
};

enum
{
  PROP_PANEL_TYPE = 1,
  PROP_VIEW_STATE,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (HlLatePanel, hl_late_panel, GTK_TYPE_WIDGET)

static void
make_panel (HlLatePanel *self)
{
  self->panel = g_object_new (G_TYPE_FROM_CLASS (self->panel_class), NULL);
  gtk_widget_set_parent (GTK_WIDGET (self->panel), GTK_WIDGET (self));
  hl_accessible_name_buttons (GTK_WIDGET (self->panel));
  hl_state_panel_set_view_state (self->panel, self->state);
  g_object_bind_property (self->panel, "visible", self, "visible", G_BINDING_SYNC_CREATE);
}

static void
on_state_changed (HlLatePanel *self,
                  HlChanges    changes)
{
  if (self->panel == NULL && changes & self->panel_class->changes && self->panel_class->is_shown (self->state))
    make_panel (self);
}

static void
set_view_state (HlLatePanel *self,
                HlViewState *state)
{
  if (self->state != NULL)
    g_clear_signal_handler (&self->changed_id, self->state);
  g_set_object (&self->state, state);
  if (self->panel != NULL)
    hl_state_panel_set_view_state (self->panel, state);
  if (state == NULL)
    return;
  self->changed_id = g_signal_connect_swapped (state, "changed", G_CALLBACK (on_state_changed), self);
  on_state_changed (self, HL_CHANGED_STATE);
}

static void
hl_late_panel_get_property (GObject    *object,
                            guint       id,
                            GValue     *value,
                            GParamSpec *pspec)
{
  HlLatePanel *self = HL_LATE_PANEL (object);

  switch (id)
    {
    case PROP_PANEL_TYPE:
      g_value_set_gtype (value, G_TYPE_FROM_CLASS (self->panel_class));
      break;
    case PROP_VIEW_STATE:
      g_value_set_object (value, self->state);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_late_panel_set_property (GObject      *object,
                            guint         id,
                            const GValue *value,
                            GParamSpec   *pspec)
{
  HlLatePanel *self = HL_LATE_PANEL (object);

  switch (id)
    {
    case PROP_PANEL_TYPE:
      self->panel_class = g_type_class_ref (g_value_get_gtype (value));
      break;
    case PROP_VIEW_STATE:
      set_view_state (self, g_value_get_object (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_late_panel_dispose (GObject *object)
{
  HlLatePanel *self = HL_LATE_PANEL (object);

  if (self->state != NULL)
    g_clear_signal_handler (&self->changed_id, self->state);
  g_clear_object (&self->state);
  if (self->panel != NULL)
    gtk_widget_unparent (GTK_WIDGET (g_steal_pointer (&self->panel)));
  G_OBJECT_CLASS (hl_late_panel_parent_class)->dispose (object);
}

static void
hl_late_panel_finalize (GObject *object)
{
  g_type_class_unref (HL_LATE_PANEL (object)->panel_class);
  G_OBJECT_CLASS (hl_late_panel_parent_class)->finalize (object);
}

static void
hl_late_panel_class_init (HlLatePanelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = hl_late_panel_get_property;
  object_class->set_property = hl_late_panel_set_property;
  object_class->dispose = hl_late_panel_dispose;
  object_class->finalize = hl_late_panel_finalize;

  /* Of a class that says when it is shown. */
  properties[PROP_PANEL_TYPE] =
    g_param_spec_gtype ("panel-type", NULL, NULL, HL_TYPE_STATE_PANEL,
                        G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  properties[PROP_VIEW_STATE] =
    g_param_spec_object ("view-state", NULL, NULL, HL_TYPE_VIEW_STATE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
hl_late_panel_init (HlLatePanel *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}
