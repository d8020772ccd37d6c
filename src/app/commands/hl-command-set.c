/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/commands/hl-command-set.h"

#include "app/widgets/hl-wrap-box.h"
#include "app/commands/hl-commands.h"

#include <glib/gi18n.h>
#include <string.h>

/* What is hovered changes all the time, and few commands follow it. */
#define RARE (~(HlChanges) (HL_CHANGED_HOVER | HL_CHANGED_PIN | HL_CHANGED_GATHERED | HL_CHANGED_NUMBERS))

/* Characters of a title in the window of shortcuts before it goes on below. */
#define TITLE_WIDTH 30

/* Pixels of a screen that has room for two columns of them. */
#define COLUMNS_WIDTH 1000

static const struct
{
  const char *title;
  const char *section; /* that it begins */
  const char *name;
  guint max_height;
} groups[HL_N_COMMAND_GROUPS] = {
  [HL_COMMANDS_HEADS] = { N_ ("Layers and Heads"), N_ ("Exploring"), "exploring", 17 },
  [HL_COMMANDS_VIEW] = { N_ ("View") },
  [HL_COMMANDS_COMPARISON] = { N_ ("Comparison") },
  [HL_COMMANDS_PICTURE] = { N_ ("In the Picture"), N_ ("In the Picture"), "picture", 15 },
  [HL_COMMANDS_FILES] = { N_ ("Files"), N_ ("Files and Results"), "files", 15 },
  [HL_COMMANDS_TEXT] = { N_ ("Text of a Model") },
  [HL_COMMANDS_RESULTS] = { N_ ("Results") },
  [HL_COMMANDS_GENERAL] = { N_ ("General") },
};

static char *
make_action_name (const HlCommand *command)
{
  return strchr (command->name, '.') != NULL ? g_strdup (command->name) : g_strconcat ("win.", command->name, NULL);
}

static void
install_late_keys (const HlCommand *command,
                   const char      *action)
{
  GtkWidgetClass *widget_class = g_type_class_ref (HL_TYPE_WINDOW);

  for (const char *const *key = command->late_keys; *key != NULL; key++)
    {
      GdkModifierType modifiers;
      guint keyval;

      gtk_accelerator_parse (*key, &keyval, &modifiers);
      gtk_widget_class_add_binding_action (widget_class, keyval, modifiers, action, NULL);
    }
  g_type_class_unref (widget_class);
}

/* To be called once, before there is a window. */
void
hl_command_set_install_keys (GtkApplication *application)
{
  guint n;
  const HlCommand *commands = hl_commands_get (&n);

  for (guint i = 0; i < n; i++)
    {
      const HlCommand *command = &commands[i];
      g_autofree char *action = command->name != NULL ? make_action_name (command) : NULL;

      if (command->keys[0] != NULL)
        gtk_application_set_accels_for_action (application, action, (const char **) command->keys);
      install_late_keys (command, action);
      for (guint view = 0; command->of_views && view < HL_N_VIEW_KINDS; view++)
        {
          g_autofree char *choice = g_strdup_printf ("%s::%s", action, hl_view_kind_get_traits (view)->nick);
          g_autofree char *key = g_strdup_printf ("<Control>%u", view + 1);
          gtk_application_set_accels_for_action (application, choice, (const char *[]){ key, NULL });
        }
    }
}

static HlCommandSubject
get_subject (HlWindow   *window,
             const char *name,
             GVariant   *value)
{
  HlDocumentPage *page = hl_window_get_page (window);
  HlSession *session = page != NULL ? hl_document_page_get_session (page) : NULL;

  return (HlCommandSubject){ window,
                             page,
                             session,
                             session != NULL ? hl_session_get_view_state (session) : NULL,
                             page != NULL ? hl_document_page_get_compare_view (page) : NULL,
                             name,
                             value };
}

static void
on_activate (GSimpleAction *action,
             GVariant      *value,
             gpointer       window)
{
  const char *name = g_action_get_name (G_ACTION (action));
  const HlCommandSubject subject = get_subject (window, name, value);
  guint n;
  const HlCommand *commands = hl_commands_get (&n);

  /* Other programs may set the state of what cannot be used. */
  for (guint i = 0; i < n && g_action_get_enabled (G_ACTION (action)); i++)
    if (g_strcmp0 (commands[i].name, name) == 0)
      commands[i].activate (&subject);
}

static void
update (HlWindow *window,
        HlChanges changes)
{
  HlCommandSubject subject = get_subject (window, NULL, NULL);
  guint n;
  const HlCommand *commands = hl_commands_get (&n);

  for (guint i = 0; i < n; i++)
    {
      const HlCommand *command = &commands[i];
      if (command->activate == NULL || !(changes & (command->follows != 0 ? command->follows : RARE)))
        continue;
      GSimpleAction *action = G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (window), command->name));
      subject.name = command->name;
      g_simple_action_set_enabled (action, command->needs == NULL || command->needs (&subject));
      if (command->get_state != NULL)
        g_simple_action_set_state (action, command->get_state (&subject));
    }
}

static void
update_all (HlWindow *window)
{
  update (window, HL_CHANGED_ANYTHING);
}

/* GtkShortcutsWindow (4.8) takes what it shows from builders alone. */
static void
add_to (GtkWidget *parent,
        GtkWidget *child)
{
  GTK_BUILDABLE_GET_IFACE (parent)->add_child (GTK_BUILDABLE (parent), NULL, G_OBJECT (child), NULL);
}

static void
add_shortcut (GtkWidget  *group,
              const char *title,
              const char *keys)
{
  add_to (group, g_object_new (GTK_TYPE_SHORTCUTS_SHORTCUT, "title", title, "accelerator", keys, NULL));
}

/* GTK has titles on one line, and the window as wide as the longest of any language. */
static void
wrap_titles (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget) &&
      GTK_IS_SHORTCUTS_SHORTCUT (gtk_widget_get_ancestor (widget, GTK_TYPE_SHORTCUTS_SHORTCUT)) &&
      gtk_widget_get_ancestor (widget, GTK_TYPE_SHORTCUT_LABEL) == NULL)
    {
      gtk_label_set_wrap (GTK_LABEL (widget), TRUE);
      gtk_label_set_max_width_chars (GTK_LABEL (widget), TITLE_WIDTH);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    wrap_titles (child);
}

static void
add_row (GtkWidget  *list,
         const char *title,
         const char *keys)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *label = gtk_label_new (title);
  GtkWidget *labels_of_keys = g_object_new (HL_TYPE_WRAP_BOX, "spacing", 12, NULL);
  g_auto (GStrv) alternatives = g_strsplit (keys, " ", -1);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), labels_of_keys);
  for (char **alternative = alternatives; *alternative != NULL; alternative++)
    gtk_widget_set_parent (gtk_shortcut_label_new (*alternative), labels_of_keys);
  gtk_widget_add_css_class (row, "hl-fact");
  gtk_list_box_append (GTK_LIST_BOX (list), row);
}

/* Each shortcut of a group is added to what shows them. */
static void
fill_group (HlCommandGroup which, GtkWidget *group, void (*add) (GtkWidget *group, const char *title, const char *keys))
{
  guint n;
  const HlCommand *commands = hl_commands_get (&n);

  for (guint i = 0; i < n; i++)
    {
      const HlCommand *command = &commands[i];
      if (command->group != which)
        continue;
      for (guint view = 0; command->of_views && view < HL_N_VIEW_KINDS; view++)
        {
          g_autofree char *key = g_strdup_printf ("<Control>%u", view + 1);
          add (group, _ (hl_view_kind_get_traits (view)->label), key);
        }
      if (command->title == NULL)
        continue;
      const char *first = command->keys[0] != NULL ? command->keys[0] : command->late_keys[0];
      add (group, _ (command->title), command->shown != NULL ? command->shown : first);
    }
}

/* GtkShortcutsWindow (4.8) is wider than a phone. */
static GtkWidget *
create_narrow_window (void)
{
  GtkWidget *window = g_object_new (ADW_TYPE_WINDOW, "modal", TRUE, "title", _ ("Keyboard Shortcuts"), "default-width",
                                    360, "default-height", 600, NULL);
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *page = adw_preferences_page_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();

  for (guint i = 0; i < HL_N_COMMAND_GROUPS; i++)
    {
      GtkWidget *group = g_object_new (ADW_TYPE_PREFERENCES_GROUP, "title", _ (groups[i].title), NULL);
      GtkWidget *list = g_object_new (GTK_TYPE_LIST_BOX, "selection-mode", GTK_SELECTION_NONE, NULL);

      gtk_widget_add_css_class (list, "boxed-list");
      fill_group (i, list, add_row);
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), list);
      adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (group));
    }
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                          gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (window, keys);
  gtk_box_append (GTK_BOX (content), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (content), page);
  adw_window_set_content (ADW_WINDOW (window), content);
  return window;
}

static GtkWidget *
create_shortcuts_window (void)
{
  GtkWidget *window = g_object_new (GTK_TYPE_SHORTCUTS_WINDOW, "modal", TRUE, NULL);
  GtkWidget *section = NULL;

  for (guint i = 0; i < HL_N_COMMAND_GROUPS; i++)
    {
      GtkWidget *group = g_object_new (GTK_TYPE_SHORTCUTS_GROUP, "title", _ (groups[i].title), NULL);
      fill_group (i, group, add_shortcut);
      if (groups[i].section != NULL)
        {
          section = g_object_new (GTK_TYPE_SHORTCUTS_SECTION, "section-name", groups[i].name, "title",
                                  _ (groups[i].section), "max-height", groups[i].max_height, NULL);
          add_to (window, section);
        }
      add_to (section, group);
      wrap_titles (group);
    }
  return window;
}

/* Whether the columns that GtkShortcutsWindow has for it stand side by side without touching, in the longest of the languages. */
static gboolean
has_room_for_columns (HlWindow *window)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));
  GdkMonitor *monitor =
    surface != NULL ? gdk_display_get_monitor_at_surface (gdk_surface_get_display (surface), surface) : NULL;
  GdkRectangle screen;

  if (monitor == NULL)
    return TRUE;
  gdk_monitor_get_geometry (monitor, &screen);
  return screen.width >= COLUMNS_WIDTH;
}

static void
show_shortcuts (HlWindow *window)
{
  const gboolean wide = !hl_window_get_narrow (window) && has_room_for_columns (window);
  GtkWidget *shortcuts = wide ? create_shortcuts_window () : create_narrow_window ();

  gtk_window_set_transient_for (GTK_WINDOW (shortcuts), GTK_WINDOW (window));
  gtk_window_present (GTK_WINDOW (shortcuts));
}

static void
add_action (HlWindow               *window,
            const HlCommand        *command,
            const HlCommandSubject *on)
{
  const GVariantType *type = command->parameter != NULL ? G_VARIANT_TYPE (command->parameter) : NULL;
  g_autoptr (GSimpleAction) action = command->get_state != NULL
                                       ? g_simple_action_new_stateful (command->name, type, command->get_state (on))
                                       : g_simple_action_new (command->name, type);

  g_signal_connect (action, command->get_state != NULL ? "change-state" : "activate", G_CALLBACK (on_activate), window);
  g_action_map_add_action (G_ACTION_MAP (window), G_ACTION (action));
}

/* Gives a new window its actions, which are possible whenever what they need is there. */
void
hl_command_set_attach (HlWindow *window)
{
  HlCommandSubject subject = get_subject (window, NULL, NULL);
  guint n;
  const HlCommand *commands = hl_commands_get (&n);

  for (guint i = 0; i < n; i++)
    {
      subject.name = commands[i].name;
      if (commands[i].activate != NULL)
        add_action (window, &commands[i], &subject);
    }
  update (window, HL_CHANGED_ANYTHING);
  g_signal_connect (window, "changed", G_CALLBACK (update), NULL);
  g_signal_connect (window, "notify::fullscreened", G_CALLBACK (update_all), NULL);

  g_autoptr (GSimpleAction) shortcuts = g_simple_action_new ("show-help-overlay", NULL);
  g_signal_connect_swapped (shortcuts, "activate", G_CALLBACK (show_shortcuts), window);
  g_action_map_add_action (G_ACTION_MAP (window), G_ACTION (shortcuts));
}
