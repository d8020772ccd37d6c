/* SPDX-License-Identifier: MIT */
/* The program's windows, whichever of them has the keyboard: none lets GTK's inspector in. What can be done in them. */
#include "config.h"

#include "panel-support.h"

#include "app/base/hl-preferences.h"
#include "app/base/hl-toast.h"
#include "app/hl-about.h"
#include "app/hl-application.h"
#include "app/commands/hl-commands.h"

#include <glib/gi18n.h>
#include <locale.h>

static void
assert_no_inspector (GtkWidget *window)
{
  const guint n = g_list_model_get_n_items (gtk_window_get_toplevels ());

  gtk_window_present (GTK_WINDOW (window));
  g_assert_true (panel_press (window, GDK_KEY_D, GDK_CONTROL_MASK | GDK_SHIFT_MASK));
  g_assert_true (panel_press (window, GDK_KEY_I, GDK_CONTROL_MASK | GDK_SHIFT_MASK));
  panel_wait (50);
  g_assert_cmpuint (g_list_model_get_n_items (gtk_window_get_toplevels ()), ==, n);
}

static void
note_gone (gpointer is_gone,
           GObject *object)
{
  *(gboolean *) is_gone = TRUE;
}

static void
test_inspector (void)
{
  g_autoptr (HlApplication) application = hl_application_new ();
  g_autoptr (GError) error = NULL;

  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, &error));
  g_assert_no_error (error);
  HlWindow *window = hl_window_new (GTK_APPLICATION (application));
  GtkWidget *others[] = {
    hl_preferences_new (),
    adw_message_dialog_new (GTK_WINDOW (window), "?", NULL),
    g_object_new (ADW_TYPE_ABOUT_WINDOW, NULL),
    g_object_new (GTK_TYPE_DIALOG, "transient-for", window, NULL),
    g_object_new (GTK_TYPE_SHORTCUTS_WINDOW, NULL),
  };

  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "stop-comparing"));
  /* Other programs may set states on the bus, whatever can be used. */
  g_action_group_change_action_state (G_ACTION_GROUP (window), "adapter", g_variant_new_boolean (TRUE));
  g_action_group_change_action_state (G_ACTION_GROUP (window), "difference", g_variant_new_boolean (TRUE));
  assert_no_inspector (GTK_WIDGET (window));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      assert_no_inspector (others[i]);
      gtk_window_destroy (GTK_WINDOW (others[i]));
    }
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (50);
}

/* Each time they are opened they are made anew. */
static void
test_preferences (void)
{
  GtkWidget *preferences = hl_preferences_new ();
  GtkWidget *group = gtk_widget_get_ancestor (panel_get_child (preferences, "style"), ADW_TYPE_PREFERENCES_GROUP);
  gboolean is_gone = FALSE;

  g_assert_nonnull (group);
  g_object_weak_ref (G_OBJECT (group), note_gone, &is_gone);
  gtk_window_present (GTK_WINDOW (preferences));
  PANEL_WAIT_UNTIL (gtk_widget_get_height (group) > 0);
  gtk_window_destroy (GTK_WINDOW (preferences));
  PANEL_WAIT_UNTIL (is_gone);
}

/* Whoever copies the version three times is told so once, and may take that away and copy again as fast as they like: two toasts of
 * libadwaita 1.2 that wait for each other and are dismissed at once end the program. */
static void
test_about (void)
{
  GtkWidget *about = hl_about_new ();
  g_autoptr (GPtrArray) toasts = g_ptr_array_new ();
  gboolean is_gone = FALSE;

  g_object_weak_ref (G_OBJECT (about), note_gone, &is_gone);
  gtk_window_present (GTK_WINDOW (about));
  panel_find_all (about, "AdwToastOverlay", toasts);
  g_assert_cmpuint (toasts->len, ==, 1);
  AdwToastOverlay *overlay = toasts->pdata[0];
  g_autoptr (GPtrArray) buttons = g_ptr_array_new ();
  panel_find_all (about, "GtkButton", buttons);
  GtkWidget *version = NULL;
  for (guint i = 0; i < buttons->len; i++)
    if (gtk_widget_has_css_class (buttons->pdata[i], "app-version"))
      version = buttons->pdata[i];
  g_assert_nonnull (version);
  PANEL_WAIT_UNTIL (gtk_widget_get_mapped (version));
  g_assert_true (gtk_widget_is_sensitive (version));
  for (guint round = 0; round < 3; round++)
    {
      for (guint i = 0; i < 3; i++)
        g_signal_emit_by_name (version, "clicked");
      g_ptr_array_set_size (toasts, 0);
      panel_find_all (GTK_WIDGET (overlay), "AdwToastWidget", toasts);
      g_assert_cmpuint (toasts->len, ==, round + 1);
      hl_toast_dismiss (overlay);
    }
  /* Longer than any of them comes or goes. */
  panel_wait (600);
  g_ptr_array_set_size (toasts, 0);
  panel_find_all (GTK_WIDGET (overlay), "AdwToastWidget", toasts);
  g_assert_cmpuint (toasts->len, ==, 0);
  gtk_window_destroy (GTK_WINDOW (about));
  PANEL_WAIT_UNTIL (is_gone);
}

static void
take_key (GHashTable *keys,
          const char *key)
{
  guint keyval;
  GdkModifierType modifiers;

  g_assert_true (gtk_accelerator_parse (key, &keyval, &modifiers));
  if (!g_hash_table_add (keys, gtk_accelerator_name (keyval, modifiers)))
    g_error ("%s is the key of two commands", key);
}

/* A row is a command or keys to list; whoever reads the window of shortcuts finds keys that work, and each but once. */
static void
test_commands (void)
{
  guint n;
  const HlCommand *commands = hl_commands_get (&n);
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < n; i++)
    {
      const HlCommand *command = &commands[i];
      g_auto (GStrv) shown = g_strsplit (command->shown != NULL ? command->shown : "", " ", -1);

      for (char **key = shown; *key != NULL; key++)
        g_assert_true (gtk_accelerator_parse (*key, &(guint){ 0 }, &(GdkModifierType){ 0 }));
      if (command->title != NULL)
        g_assert_true (command->shown != NULL || command->keys[0] != NULL || command->late_keys[0] != NULL);
      if (command->name == NULL)
        {
          g_assert_nonnull (command->shown);
          continue;
        }
      g_assert_true (g_hash_table_add (names, (gpointer) command->name));
      for (const char *const *key = command->keys; *key != NULL; key++)
        take_key (keys, *key);
      for (const char *const *key = command->late_keys; *key != NULL; key++)
        take_key (keys, *key);
    }
}

static GtkWidget *
find_shortcuts (HlWindow *window)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *item = windows; item != NULL; item = item->next)
    if (GTK_IS_SHORTCUTS_WINDOW (item->data) && gtk_window_get_transient_for (item->data) == GTK_WINDOW (window))
      return item->data;
  return NULL;
}

/* As wide as a small laptop at most, in every language that there is. */
static void
test_shortcuts_width (void)
{
  static const char *const languages[] = { "de", "zh_CN" };
  g_autofree char *folder = g_build_filename (g_getenv ("G_TEST_BUILDDIR"), "..", "..", "po", NULL);
  g_autoptr (HlApplication) application = hl_application_new ();

  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
  /* GTK's tests have one in which nothing is translated. */
  g_assert_nonnull (setlocale (LC_ALL, "C.UTF-8"));
  for (guint i = 0; i < G_N_ELEMENTS (languages); i++)
    {
      g_autofree char *catalogue = g_build_filename (folder, languages[i], "LC_MESSAGES", "headlight.mo", NULL);
      int minimum, natural;
      if (!g_file_test (catalogue, G_FILE_TEST_EXISTS))
        {
          g_test_skip ("the translations are not built");
          return;
        }
      g_setenv ("LANGUAGE", languages[i], TRUE);
      bindtextdomain (GETTEXT_PACKAGE, folder);
      bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
      textdomain (GETTEXT_PACKAGE);
      g_assert_cmpstr (_ ("Head View"), !=, "Head View");
      HlWindow *window = hl_window_new (GTK_APPLICATION (application));
      g_action_group_activate_action (G_ACTION_GROUP (window), "show-help-overlay", NULL);
      GtkWidget *shortcuts = find_shortcuts (window);
      g_assert_nonnull (shortcuts);
      panel_wait (100);
      gtk_widget_measure (shortcuts, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
      g_test_message ("%s: %d to %d pixels", languages[i], minimum, natural);
      g_assert_cmpint (minimum, <=, 1280);
      g_assert_cmpint (gtk_widget_get_width (shortcuts), <=, 1280);
      gtk_window_destroy (GTK_WINDOW (window));
      panel_wait (50);
    }
  g_unsetenv ("LANGUAGE");
}

/* What is said moves with what it offers, and goes with what it is about. */
static void
test_toast (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  AdwToastOverlay *first = ADW_TOAST_OVERLAY (adw_toast_overlay_new ()),
                  *second = ADW_TOAST_OVERLAY (adw_toast_overlay_new ());
  g_autoptr (GSimpleAction) subject = g_simple_action_new ("subject", NULL);

  gtk_box_append (GTK_BOX (box), GTK_WIDGET (first));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (second));
  adw_toast_overlay_set_child (first, gtk_label_new ("first"));
  adw_toast_overlay_set_child (second, gtk_label_new ("second"));
  GtkWidget *window = panel_show (box, 500, 400);
  hl_toast_say (first, "a sentence", NULL, 60);
  hl_toast_move (first, second);
  panel_wait (400);
  g_assert_false (hl_toast_says (first, "a sentence"));
  g_assert_true (hl_toast_says (second, "a sentence"));
  hl_toast_say (second, "another", NULL, 60);
  g_assert_false (hl_toast_says (second, "a sentence"));
  hl_toast_end_with (second, subject, "activate");
  panel_wait (50);
  g_assert_true (hl_toast_says (second, "another"));
  g_action_activate (G_ACTION (subject), NULL);
  panel_wait (400);
  g_assert_false (hl_toast_says (second, "another"));
  /* What is said later has nothing to do with it. */
  hl_toast_say (second, "a third", NULL, 60);
  g_action_activate (G_ACTION (subject), NULL);
  panel_wait (400);
  g_assert_true (hl_toast_says (second, "a third"));
  hl_toast_dismiss (second);
  panel_wait (400);
  g_assert_false (hl_toast_says (second, "a third"));
  hl_toast_clear (first);
  hl_toast_clear (second);
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/application/inspector", test_inspector);
  g_test_add_func ("/application/preferences", test_preferences);
  g_test_add_func ("/application/about", test_about);
  g_test_add_func ("/application/commands", test_commands);
  g_test_add_func ("/application/toast", test_toast);
  g_test_add_func ("/application/shortcuts-width", test_shortcuts_width);
  return g_test_run ();
}
