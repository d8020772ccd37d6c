/* SPDX-License-Identifier: MIT */
/* The preferences: what of the program is a matter of taste, and the same for all documents. An AdwPreferencesWindow of libadwaita 1.2
 * never frees the groups that were in it, a megabyte each time it is opened. */
#include "config.h"

#include "app/base/hl-preferences.h"

#include "app/base/hl-accessible.h"
#include "app/base/hl-settings.h"
#include "draw/paint/hl-colour-map.h"

#include <glib/gi18n.h>

struct _HlPreferences
{
  AdwWindow parent_instance;

  AdwComboRow *style;
  AdwComboRow *colour_map;

  GSettings *settings;
};

G_DEFINE_FINAL_TYPE (HlPreferences, hl_preferences, ADW_TYPE_WINDOW)

/* In the order of the list in the .ui file. */
static const char *const styles[] = { "system", "light", "dark" };

static gboolean
map_style (GValue   *value,
           GVariant *variant,
           gpointer  data)
{
  for (guint i = 0; i < G_N_ELEMENTS (styles); i++)
    if (g_str_equal (styles[i], g_variant_get_string (variant, NULL)))
      {
        g_value_set_uint (value, i);
        return TRUE;
      }
  return FALSE;
}

static GVariant *
map_from_style (const GValue       *value,
                const GVariantType *type,
                gpointer            data)
{
  const guint i = g_value_get_uint (value);

  return i < G_N_ELEMENTS (styles) ? g_variant_new_string (styles[i]) : NULL;
}

static void
hl_preferences_dispose (GObject *object)
{
  HlPreferences *self = HL_PREFERENCES (object);

  g_clear_object (&self->settings);
  G_OBJECT_CLASS (hl_preferences_parent_class)->dispose (object);
}

static void
hl_preferences_class_init (HlPreferencesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_preferences_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/preferences.ui");
  gtk_widget_class_bind_template_child (widget_class, HlPreferences, style);
  gtk_widget_class_bind_template_child (widget_class, HlPreferences, colour_map);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
hl_preferences_init (HlPreferences *self)
{
  g_autoptr (GtkStringList) maps = gtk_string_list_new (NULL);

  gtk_widget_init_template (GTK_WIDGET (self));
  hl_accessible_name_buttons (GTK_WIDGET (self));
  for (HlColourMap map = 0; map < HL_N_COLOUR_MAPS; map++)
    gtk_string_list_append (maps, hl_colour_map_get_display_name (map));
  adw_combo_row_set_model (self->colour_map, G_LIST_MODEL (maps));

  self->settings = hl_settings_new ();
  g_settings_bind_with_mapping (self->settings, "style", self->style, "selected", G_SETTINGS_BIND_DEFAULT, map_style,
                                map_from_style, NULL, NULL);
  hl_settings_bind_colour_map (self->settings, self->colour_map, "selected");
}

GtkWidget *
hl_preferences_new (void)
{
  return g_object_new (HL_TYPE_PREFERENCES, NULL);
}
