/* SPDX-License-Identifier: MIT */
/* The manual page says of every key of the window what it does. */
#include "app/commands/hl-commands.h"

#include <string.h>

static char *
spell_key (guint key)
{
  static const struct
  {
    guint key;
    const char *name;
  } names[] = {
    { GDK_KEY_Return, "Enter" },    { GDK_KEY_space, "Space" },
    { GDK_KEY_comma, "Comma" },     { GDK_KEY_question, "?" },
    { GDK_KEY_plus, "+" },          { GDK_KEY_minus, "-" },
    { GDK_KEY_Page_Up, "Page Up" }, { GDK_KEY_Page_Down, "Page Down" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (names[i].key == key)
      return g_strdup (names[i].name);
  const char *name = gdk_keyval_name (key);
  return name[1] == '\0' ? g_ascii_strup (name, -1) : g_strdup (name);
}

/* "Ctrl + Shift + N", as the page has it. */
static char *
spell (const char *accelerator)
{
  guint key;
  GdkModifierType modifiers;

  g_assert_true (gtk_accelerator_parse (accelerator, &key, &modifiers));
  g_autofree char *name = spell_key (key);
  return g_strconcat (modifiers & GDK_CONTROL_MASK ? "Ctrl + " : "", modifiers & GDK_ALT_MASK ? "Alt + " : "",
                      modifiers & GDK_SHIFT_MASK ? "Shift + " : "", name, NULL);
}

/* The keys that stand at the head of a paragraph. */
static GHashTable *
read_page (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "..", "data", "man", "headlight.1", NULL);
  GHashTable *keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 1; lines[i] != NULL; i++)
    {
      if (!g_str_equal (lines[i - 1], ".TP") || !g_str_has_prefix (lines[i], ".B"))
        continue;
      g_auto (GStrv) pieces = g_strsplit_set (strchr (lines[i], ' '), "\"\\", -1);
      g_autofree char *line = g_strjoinv ("", pieces);
      g_auto (GStrv) parts = g_strsplit (line, ",", -1);
      for (guint part = 0; parts[part] != NULL; part++)
        g_hash_table_add (keys, g_strdup (g_strstrip (parts[part])));
    }
  return keys;
}

static void
test_manual (void)
{
  g_autoptr (GHashTable) page = read_page ();
  guint n;
  const HlCommand *commands = hl_commands_get (&n);
  guint n_checked = 0;

  for (guint i = 0; i < n; i++)
    {
      const HlCommand *command = &commands[i];
      const char *first = command->keys[0] != NULL ? command->keys[0] : command->late_keys[0];
      if (command->title == NULL)
        continue;
      g_auto (GStrv) shown = g_strsplit (command->shown != NULL ? command->shown : first, " ", -1);
      for (guint key = 0; shown[key] != NULL; key++, n_checked++)
        {
          g_autofree char *name = spell (shown[key]);
          if (!g_hash_table_contains (page, name))
            g_test_message ("%s: %s is not in the manual page", command->title, name);
          g_assert_true (g_hash_table_contains (page, name));
        }
    }
  g_assert_cmpuint (n_checked, >, 50);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/commands/manual", test_manual);
  return g_test_run ();
}
