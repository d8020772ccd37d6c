/* SPDX-License-Identifier: MIT */
#include "app/panels/hl-panel-group.h"

struct _HlPanelGroup
{
  GtkBox parent_instance;

  GtkLabel *heading;
  GListModel *children;
};

enum
{
  PROP_TITLE = 1,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (HlPanelGroup, hl_panel_group, GTK_TYPE_BOX)

static void
update_visible (HlPanelGroup *self)
{
  GtkWidget *panel = gtk_widget_get_next_sibling (GTK_WIDGET (self->heading));

  while (panel != NULL && !gtk_widget_get_visible (panel))
    panel = gtk_widget_get_next_sibling (panel);
  gtk_widget_set_visible (GTK_WIDGET (self), panel != NULL);
}

static void
on_children_changed (HlPanelGroup *self,
                     guint         position,
                     guint         n_removed,
                     guint         n_added)
{
  for (guint i = 0; i < n_added; i++)
    {
      g_autoptr (GtkWidget) child = g_list_model_get_item (self->children, position + i);

      if (child != GTK_WIDGET (self->heading))
        g_signal_connect_object (child, "notify::visible", G_CALLBACK (update_visible), self, G_CONNECT_SWAPPED);
    }
  update_visible (self);
}

static void
hl_panel_group_get_property (GObject    *object,
                             guint       id,
                             GValue     *value,
                             GParamSpec *pspec)
{
  switch (id)
    {
    case PROP_TITLE:
      g_value_set_string (value, gtk_label_get_label (HL_PANEL_GROUP (object)->heading));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_panel_group_set_property (GObject      *object,
                             guint         id,
                             const GValue *value,
                             GParamSpec   *pspec)
{
  HlPanelGroup *self = HL_PANEL_GROUP (object);
  const char *title = g_value_get_string (value);

  switch (id)
    {
    case PROP_TITLE:
      gtk_label_set_label (self->heading, title != NULL ? title : "");
      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      gtk_label_get_label (self->heading), -1);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_panel_group_dispose (GObject *object)
{
  HlPanelGroup *self = HL_PANEL_GROUP (object);

  if (self->children != NULL)
    g_signal_handlers_disconnect_by_func (self->children, on_children_changed, self);
  g_clear_object (&self->children);
  G_OBJECT_CLASS (hl_panel_group_parent_class)->dispose (object);
}

static void
hl_panel_group_class_init (HlPanelGroupClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = hl_panel_group_get_property;
  object_class->set_property = hl_panel_group_set_property;
  object_class->dispose = hl_panel_group_dispose;

  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, "", G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
hl_panel_group_init (HlPanelGroup *self)
{
  GtkWidget *heading = gtk_label_new (NULL);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 12);
  gtk_label_set_xalign (GTK_LABEL (heading), 0);
  gtk_widget_add_css_class (heading, "heading");
  gtk_box_append (GTK_BOX (self), heading);
  self->heading = GTK_LABEL (heading);
  self->children = gtk_widget_observe_children (GTK_WIDGET (self));
  g_signal_connect_swapped (self->children, "items-changed", G_CALLBACK (on_children_changed), self);
  update_visible (self);
}
