/* SPDX-License-Identifier: MIT */
/* Which way tokens run and from which side they are read: the actions, and their part of the menu of views. */
#include "config.h"

#include "app/window/hl-window-private.h"

#include <glib/gi18n.h>

typedef struct
{
  const char *action;
  const char *property;
  GType (*get_type) (void);
} Choice;

static const Choice choices[] = {
  { "orientation", "orientation", hl_orientation_get_type },
  { "reading", "reading", hl_reading_get_type },
};

static void
change (GSimpleAction *action,
        GVariant      *value,
        gpointer       data)
{
  HlWindow *self = data;

  for (guint i = 0; self->session != NULL && i < G_N_ELEMENTS (choices); i++)
    {
      g_autoptr (GEnumClass) klass = g_type_class_ref (choices[i].get_type ());
      const GEnumValue *found = g_enum_get_value_by_nick (klass, g_variant_get_string (value, NULL));

      if (found != NULL && g_str_equal (choices[i].action, g_action_get_name (G_ACTION (action))))
        g_object_set (hl_session_get_view_state (self->session), choices[i].property, found->value, NULL);
    }
}

static const GActionEntry entries[] = {
  { "orientation", NULL, "s", "'vertical'", change },
  { "reading", NULL, "s", "'auto'", change },
};

void
hl_window_install_reading_actions (HlWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
hl_window_update_reading_actions (HlWindow *self)
{
  HlViewState *state = self->session != NULL ? hl_session_get_view_state (self->session) : NULL;
  const HlViewTraits *view = state != NULL ? hl_view_kind_get_traits (hl_view_state_get_options (state)->view) : NULL;
  const gboolean enabled[] = { view != NULL && view->can_turn, view != NULL && view->offers_reading };

  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    {
      g_autoptr (GEnumClass) klass = g_type_class_ref (choices[i].get_type ());
      int value;

      hl_window_enable_action (self, choices[i].action, enabled[i]);
      if (state == NULL)
        continue;
      g_object_get (state, choices[i].property, &value, NULL);
      hl_window_set_action_state (self, choices[i].action,
                                  g_variant_new_string (g_enum_get_value (klass, value)->value_nick));
    }
}

static void
append (GMenu      *menu,
        const char *label,
        const char *action,
        const char *value)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, action, "s", value);
  g_menu_append_item (menu, item);
}

/* To the menu of views, below them. */
void
hl_window_append_reading_menu (GMenu *menu)
{
  g_autoptr (GMenu) section = g_menu_new ();
  g_autoptr (GMenu) reading = g_menu_new ();

  append (section, _ ("Tokens Run Down"), "win.orientation", "vertical");
  append (section, _ ("Tokens Run Across"), "win.orientation", "horizontal");
  append (reading, _ ("As the Letters Say"), "win.reading", "auto");
  append (reading, _ ("Left to Right"), "win.reading", "ltr");
  append (reading, _ ("Right to Left"), "win.reading", "rtl");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  g_menu_append_section (menu, _ ("Reading Direction"), G_MENU_MODEL (reading));
}
