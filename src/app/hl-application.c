/* SPDX-License-Identifier: MIT */
/* The program: one instance, its windows, and what concerns all of them. */
#include "config.h"

#include "app/hl-application.h"

#include "app/base/hl-leftovers.h"
#include "app/base/hl-preferences.h"
#include "app/base/hl-press-guard.h"
#include "app/base/hl-sample.h"
#include "app/base/hl-settings.h"
#include "app/widgets/hl-into-view.h"
#include "app/window/hl-autosave.h"
#include "app/commands/hl-command-set.h"
#include "app/hl-about.h"
#include "app/hl-trace.h"
#include "app/window/hl-window-drop.h"
#include "app/window/hl-window-open.h"
#include "core/base/hl-utf8.h"
#include "core/model/local/hl-model-place.h"

#include <glib/gi18n.h>

/* What is opened is the sample, whichever files are named beside. */
#define SAMPLE "sample"

struct _HlApplication
{
  AdwApplication parent_instance;

  GSettings *settings;
  HlTrace *trace;
};

G_DEFINE_FINAL_TYPE (HlApplication, hl_application, ADW_TYPE_APPLICATION)

static void
quit (GSimpleAction *action,
      GVariant      *parameter,
      gpointer       data)
{
  GList *windows = g_list_copy (gtk_application_get_windows (data));

  /* Each window remembers its size and stops its work. */
  for (GList *item = windows; item != NULL; item = item->next)
    gtk_window_close (item->data);
  g_list_free (windows);
}

static void
open_window (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  gtk_window_present (GTK_WINDOW (hl_window_new (data)));
}

static void
show_preferences (GSimpleAction *action,
                  GVariant      *parameter,
                  gpointer       data)
{
  GtkWidget *preferences = hl_preferences_new ();

  gtk_window_set_transient_for (GTK_WINDOW (preferences), gtk_application_get_active_window (data));
  gtk_window_present (GTK_WINDOW (preferences));
}

static void
show_about (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  GtkWidget *about = hl_about_new ();

  gtk_window_set_transient_for (GTK_WINDOW (about), gtk_application_get_active_window (data));
  gtk_window_present (GTK_WINDOW (about));
}

static const GActionEntry entries[] = {
  { "quit", quit },
  { "new-window", open_window },
  { "preferences", show_preferences },
  { "about", show_about },
};

static gboolean
refuse_inspector (GtkWindow *window,
                  gboolean   toggle)
{
  return TRUE;
}

/*
 * GTK takes Ctrl+Shift+D for its inspector wherever the action that has it cannot be used, and Ctrl+Shift+I, which is
 * next to our Ctrl+I, everywhere. All classes of windows, dialogs of GTK among them, are made after this one and inherit
 * from it. Who wants the inspector starts the program with GTK_DEBUG=interactive.
 */
static void
keep_inspector_out (void)
{
  GtkWindowClass *window_class = g_type_class_ref (GTK_TYPE_WINDOW);

  window_class->enable_debugging = refuse_inspector;
  g_type_class_unref (window_class);
}

static void
update_style (HlApplication *self)
{
  g_autofree char *style = g_settings_get_string (self->settings, "style");
  AdwColorScheme scheme = ADW_COLOR_SCHEME_DEFAULT;

  if (g_str_equal (style, "light"))
    scheme = ADW_COLOR_SCHEME_FORCE_LIGHT;
  else if (g_str_equal (style, "dark"))
    scheme = ADW_COLOR_SCHEME_FORCE_DARK;
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), scheme);
}

static void
hl_application_startup (GApplication *application)
{
  HlApplication *self = HL_APPLICATION (application);

  G_APPLICATION_CLASS (hl_application_parent_class)->startup (application);
  keep_inspector_out ();
  hl_into_view_watch ();
  hl_leftovers_watch ();
  self->settings = hl_settings_new ();
  g_signal_connect_swapped (self->settings, "changed::style", G_CALLBACK (update_style), self);
  update_style (self);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  hl_command_set_install_keys (GTK_APPLICATION (self));
  /* What is replayed is nobody's work. */
  if (self->trace == NULL)
    hl_autosave_start ();
  gtk_window_set_default_icon_name (HL_APPLICATION_ID);
}

static void
hl_application_shutdown (GApplication *application)
{
  hl_autosave_end ();
  G_APPLICATION_CLASS (hl_application_parent_class)->shutdown (application);
}

static void
hl_application_activate (GApplication *application)
{
  gtk_window_present (GTK_WINDOW (hl_window_get_active (GTK_APPLICATION (application))));
}

static void
hl_application_open (GApplication *application,
                     GFile       **files,
                     int           n_files,
                     const char   *hint)
{
  HlApplication *self = HL_APPLICATION (application);

  if (g_str_equal (hint, SAMPLE))
    hl_window_open_sample (GTK_APPLICATION (self), NULL);
  else
    hl_window_open_files (GTK_APPLICATION (self), NULL, files, (guint) n_files);
  if (self->trace != NULL)
    hl_trace_start (self->trace, hl_window_get_active (GTK_APPLICATION (self)));
}

static void
hl_application_window_added (GtkApplication *application,
                             GtkWindow      *window)
{
  GTK_APPLICATION_CLASS (hl_application_parent_class)->window_added (application, window);
  hl_press_guard_attach (GTK_WIDGET (window));
  if (HL_IS_WINDOW (window))
    {
      hl_command_set_attach (HL_WINDOW (window));
      hl_autosave_follow (HL_WINDOW (window));
      hl_window_drop_init (HL_WINDOW (window));
    }
}

/* Names of models become their folders and files here, where a path that goes first would be. */
static gboolean
hl_application_local_command_line (GApplication *application,
                                   char       ***arguments,
                                   int          *status)
{
  gboolean has_options = TRUE;

  for (char **argument = *arguments; *argument != NULL && *++argument != NULL;)
    {
      g_autoptr (GError) error = NULL;
      gboolean is_bare;

      if (has_options && **argument == '-')
        {
          has_options = !g_str_equal (*argument, "--");
          continue;
        }
      g_autoptr (GFile) given = g_file_new_for_commandline_arg (*argument);
      g_autoptr (GFile) file = hl_model_place_locate (*argument, &is_bare, NULL, &error);
      if (file == NULL)
        {
          g_autofree char *whole = g_strdup_printf ("%s: %s", *argument, error->message);
          g_autofree char *line = hl_utf8_bound_line (whole);
          g_printerr ("headlight: %s\n", line);
          *status = 1;
          return TRUE;
        }
      if (g_file_equal (file, given))
        continue;
      g_autofree char *path = g_file_get_path (file);
      g_free (*argument);
      *argument = g_strconcat (path, is_bare ? HL_MODEL_PLACE_BASE : NULL, NULL);
    }
  return G_APPLICATION_CLASS (hl_application_parent_class)->local_command_line (application, arguments, status);
}

/* Options that the first instance could not carry out for this one end here; the rest is files. */
static int
hl_application_handle_local_options (GApplication *application,
                                     GVariantDict *options)
{
  HlApplication *self = HL_APPLICATION (application);
  g_autoptr (GError) error = NULL;

  if (g_variant_dict_contains (options, "version"))
    {
      g_print ("headlight %s\n", HL_VERSION);
      return 0;
    }
  if (g_variant_dict_contains (options, "trace"))
    {
      g_application_set_flags (application, g_application_get_flags (application) | G_APPLICATION_NON_UNIQUE);
      self->trace = hl_trace_new ();
    }
  if (g_variant_dict_contains (options, "sample"))
    {
      guint n_texts;
      g_autoptr (GFile) sample = hl_sample_get_dump (hl_sample_get_texts (&n_texts));
      if (!g_application_register (application, NULL, &error))
        {
          g_autofree char *line = hl_utf8_bound_line (error->message);
          g_printerr ("headlight: %s\n", line);
          return 1;
        }
      g_application_open (application, &sample, 1, SAMPLE);
      return g_application_get_is_remote (application) ? 0 : -1;
    }
  return -1;
}

static void
hl_application_dispose (GObject *object)
{
  HlApplication *self = HL_APPLICATION (object);

  g_clear_object (&self->settings);
  g_clear_object (&self->trace);
  G_OBJECT_CLASS (hl_application_parent_class)->dispose (object);
}

static void
hl_application_class_init (HlApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_application_dispose;
  GTK_APPLICATION_CLASS (klass)->window_added = hl_application_window_added;
  application_class->startup = hl_application_startup;
  application_class->activate = hl_application_activate;
  application_class->open = hl_application_open;
  application_class->shutdown = hl_application_shutdown;
  application_class->local_command_line = hl_application_local_command_line;
  application_class->handle_local_options = hl_application_handle_local_options;
}

static void
hl_application_init (HlApplication *self)
{
  static const GOptionEntry options[] = {
    { "sample", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Open the sample"), NULL },
    { "trace", 0, 0, G_OPTION_ARG_NONE, NULL,
      N_ ("Replay a built-in sequence on FILE, print how long things took, and quit"), NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Show the version"), NULL },
    { NULL },
  };

  g_application_add_main_option_entries (G_APPLICATION (self), options);
  g_application_set_option_context_parameter_string (G_APPLICATION (self), _ ("[FILE…]"));
  g_application_set_option_context_summary (G_APPLICATION (self),
                                            _ ("See what the attention heads of transformers look at."));
}

HlApplication *
hl_application_new (void)
{
  return g_object_new (HL_TYPE_APPLICATION, "application-id", HL_APPLICATION_ID, "flags", G_APPLICATION_HANDLES_OPEN,
                       "resource-base-path", "/org/headlight/Headlight", NULL);
}

gboolean
hl_application_get_failed (HlApplication *self)
{
  g_return_val_if_fail (HL_IS_APPLICATION (self), TRUE);
  return self->trace != NULL && hl_trace_get_failed (self->trace);
}
