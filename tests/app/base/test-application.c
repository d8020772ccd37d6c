/* SPDX-License-Identifier: MIT */
/* The program's windows, whichever of them has the keyboard: none lets GTK's inspector in. What can be done in them. */
#include "panel-support.h"

#include "app/base/hl-preferences.h"
#include "app/window/hl-application.h"
#include "app/window/hl-commands.h"

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
  assert_no_inspector (GTK_WIDGET (window));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      assert_no_inspector (others[i]);
      gtk_window_destroy (GTK_WINDOW (others[i]));
    }
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (50);
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

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/application/inspector", test_inspector);
  g_test_add_func ("/application/commands", test_commands);
  return g_test_run ();
}
