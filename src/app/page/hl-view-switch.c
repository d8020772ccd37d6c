/* SPDX-License-Identifier: MIT */
/* The views as buttons. Who has room shows their icons and names, who has less one of them. */
#include "config.h"

#include "app/page/hl-view-switch.h"

#include "app/base/hl-tooltip.h"

#include <glib/gi18n.h>

struct _HlViewSwitch
{
  HlStatePanel parent_instance;

  GtkBox *content;
  GtkToggleButton *buttons[HL_N_VIEW_KINDS];
  gboolean shows_icons;
  gboolean shows_names;
};

enum
{
  PROP_SHOWS_ICONS = 1,
  PROP_SHOWS_NAMES,
  N_PROPERTIES,
};

G_DEFINE_FINAL_TYPE (HlViewSwitch, hl_view_switch, HL_TYPE_STATE_PANEL)

static void
on_toggled (HlViewSwitch    *self,
            GtkToggleButton *button)
{
  if (hl_state_panel_get_changed (HL_STATE_PANEL (self)) == NULL || !gtk_toggle_button_get_active (button))
    return;
  for (guint i = 0; i < HL_N_VIEW_KINDS; i++)
    if (self->buttons[i] == button)
      gtk_widget_activate_action (GTK_WIDGET (self), "win.view", "s", hl_view_kind_get_traits (i)->nick);
}

/* Of a view that has nothing to show, why. */
static void
show_lack (HlViewSwitch *self,
           HlViewKind    kind,
           HlViewState  *state)
{
  const HlViewTraits *view = hl_view_kind_get_traits (kind);
  const char *lack = state != NULL ? hl_view_kind_get_lack (kind, hl_view_state_get_attention (state)) : NULL;
  g_autofree char *key = gtk_accelerator_get_label (GDK_KEY_1 + kind, GDK_CONTROL_MASK);
  /* Translators: the tooltip of a view: its name and its key, and what it shows */
  g_autofree char *text =
    g_strdup_printf (_ ("%s (%s)\n%s"), _ (view->label), key, lack != NULL ? lack : _ (view->summary));

  gtk_widget_set_sensitive (GTK_WIDGET (self->buttons[kind]), state != NULL && lack == NULL);
  hl_tooltip_set (GTK_WIDGET (self->buttons[kind]), text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->buttons[kind]), GTK_ACCESSIBLE_PROPERTY_LABEL, _ (view->label),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, lack != NULL ? lack : _ (view->summary), -1);
}

static void
hl_view_switch_follow (HlStatePanel *panel,
                       HlViewState  *state,
                       HlChanges     changes)
{
  HlViewSwitch *self = HL_VIEW_SWITCH (panel);

  for (guint i = 0; i < HL_N_VIEW_KINDS && (changes & (HL_CHANGED_EXAMPLE | HL_CHANGED_ATTENTION)) != 0; i++)
    show_lack (self, i, state);
  if (state != NULL)
    gtk_toggle_button_set_active (self->buttons[hl_view_state_get_options (state)->view], TRUE);
}

static void
add_button (HlViewSwitch *self,
            HlViewKind    kind)
{
  const HlViewTraits *view = hl_view_kind_get_traits (kind);
  GtkWidget *button = gtk_toggle_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  g_autofree char *icon = g_strdup_printf ("hl-%s-symbolic", view->nick);

  if (self->shows_icons)
    gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (icon));
  if (self->shows_names)
    gtk_box_append (GTK_BOX (box), gtk_label_new (_ (view->label)));
  gtk_button_set_child (GTK_BUTTON (button), box);
  /* Until it has a tooltip: setting one is slow on what can be seen. */
  gtk_widget_set_visible (button, FALSE);
  /* Keys after a click are for the picture. */
  gtk_widget_set_focus_on_click (button, FALSE);
  if (kind > 0)
    gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button), self->buttons[0]);
  g_signal_connect_object (button, "toggled", G_CALLBACK (on_toggled), self, G_CONNECT_SWAPPED);
  gtk_box_append (self->content, button);
  self->buttons[kind] = GTK_TOGGLE_BUTTON (button);
}

static void
hl_view_switch_constructed (GObject *object)
{
  HlViewSwitch *self = HL_VIEW_SWITCH (object);

  G_OBJECT_CLASS (hl_view_switch_parent_class)->constructed (object);
  for (guint i = 0; i < HL_N_VIEW_KINDS; i++)
    {
      add_button (self, i);
      show_lack (self, i, NULL);
      gtk_widget_set_visible (GTK_WIDGET (self->buttons[i]), TRUE);
    }
}

static void
hl_view_switch_set_property (GObject      *object,
                             guint         id,
                             const GValue *value,
                             GParamSpec   *pspec)
{
  HlViewSwitch *self = HL_VIEW_SWITCH (object);

  switch (id)
    {
    case PROP_SHOWS_ICONS:
      self->shows_icons = g_value_get_boolean (value);
      break;
    case PROP_SHOWS_NAMES:
      self->shows_names = g_value_get_boolean (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_view_switch_class_init (HlViewSwitchClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->constructed = hl_view_switch_constructed;
  object_class->set_property = hl_view_switch_set_property;
  HL_STATE_PANEL_CLASS (klass)->changes = HL_CHANGED_VIEW | HL_CHANGED_EXAMPLE | HL_CHANGED_ATTENTION;
  HL_STATE_PANEL_CLASS (klass)->follow = hl_view_switch_follow;

  g_object_class_install_property (object_class, PROP_SHOWS_ICONS,
                                   g_param_spec_boolean ("shows-icons", NULL, NULL, TRUE, flags));
  g_object_class_install_property (object_class, PROP_SHOWS_NAMES,
                                   g_param_spec_boolean ("shows-names", NULL, NULL, TRUE, flags));
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/view-switch.ui");
  gtk_widget_class_bind_template_child (widget_class, HlViewSwitch, content);
  gtk_widget_class_set_css_name (widget_class, "viewswitch");
}

static void
hl_view_switch_init (HlViewSwitch *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
