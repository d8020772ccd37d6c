/* SPDX-License-Identifier: MIT */
/* The program: one instance, its windows, and what concerns all of them. */
#include "config.h"

#include "app/window/hl-application.h"

#include "app/base/hl-preferences.h"
#include "app/base/hl-recent.h"
#include "app/base/hl-settings.h"
#include "app/session/hl-session-open.h"
#include "app/window/hl-trace.h"

#include <glib/gi18n.h>

struct _HlApplication
{
  AdwApplication parent_instance;

  GSettings *settings;
  HlTrace *trace;
};

G_DEFINE_FINAL_TYPE (HlApplication, hl_application, ADW_TYPE_APPLICATION)

static HlWindow *
get_window (HlApplication *self)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (self));

  return HL_IS_WINDOW (window) ? HL_WINDOW (window) : hl_window_new (GTK_APPLICATION (self));
}

/* Opens a file or a model in a tab. One that is open already is shown where it is. */
void
hl_application_open_file (HlApplication *self,
                          HlWindow      *window,
                          GFile         *file)
{
  g_return_if_fail (HL_IS_APPLICATION (self));
  g_return_if_fail (G_IS_FILE (file));

  hl_application_open_files (self, window, &file, 1);
}

static void
open_file (HlApplication *self,
           HlWindow      *window,
           GFile         *file,
           HlArrival     *arrival)
{
  g_autoptr (GFile) resolved = hl_session_resolve_file (file);
  for (GList *item = gtk_application_get_windows (GTK_APPLICATION (self)); item != NULL; item = item->next)
    {
      HlDocumentPage *page = HL_IS_WINDOW (item->data) ? hl_window_find_page (item->data, resolved) : NULL;
      if (page == NULL)
        continue;
      hl_arrival_add (arrival, page);
      if (!hl_arrival_settle (page))
        return;
      hl_window_show_page (item->data, page);
      gtk_window_present (item->data);
      return;
    }

  if (window == NULL)
    window = get_window (self);
  hl_window_open (window, resolved, arrival);
  gtk_window_present (GTK_WINDOW (window));
}

/* Opens files that come together, each in a tab in their order; the first that can be read is on top. */
void
hl_application_open_files (HlApplication  *self,
                           HlWindow       *window,
                           GFile         **files,
                           guint           n_files)
{
  g_autoptr (HlArrival) arrival = hl_arrival_new ();

  g_return_if_fail (HL_IS_APPLICATION (self));

  for (guint i = 0; i < n_files; i++)
    open_file (self, window, files[i], arrival);
}

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
  adw_show_about_window (gtk_application_get_active_window (data), "application-name", _ ("Headlight"),
                         "application-icon", HL_APPLICATION_ID, "version", HL_VERSION, "comments",
                         _ ("See what the attention heads of transformers look at"), "license-type",
                         GTK_LICENSE_MIT_X11, "developer-name", _ ("The Headlight developers"), NULL);
}

static const GActionEntry entries[] = {
  { "quit", quit },
  { "new-window", open_window },
  { "preferences", show_preferences },
  { "about", show_about },
};

static void
set_accels (HlApplication *self)
{
  static const struct
  {
    const char *action;
    const char *const accels[4];
  } accels[] = {
    { "app.quit", { "<Control>q" } },
    { "app.new-window", { "<Control>n" } },
    { "app.preferences", { "<Control>comma" } },
    { "win.open", { "<Control>o" } },
    { "win.open-model", { "<Control><Shift>o" } },
    { "win.edit-text", { "<Control>l" } },
    { "win.reload", { "F5", "<Control>r" } },
    { "win.close-tab", { "<Control>w" } },
    { "win.details", { "<Control>i" } },
    { "win.axes", { "<Control><Shift>x" } },
    { "win.save-as", { "<Control><Shift>s" } },
    { "win.save-session", { "<Control>s" } },
    { "win.copy-command", { "<Control><Shift>k" } },
    { "win.export", { "<Control>e" } },
    { "win.export-csv", { "<Control><Shift>e" } },
    { "win.compare", { "<Control>d" } },
    { "win.difference", { "<Control>m" } },
    { "win.stop-comparing", { "<Control><Shift>d" } },
    { "win.find", { "<Control>f" } },
    { "win.find-next", { "<Control>g" } },
    { "win.find-previous", { "<Control><Shift>g" } },
    { "win.words", { "<Control><Shift>w" } },
    { "win.hide-special", { "<Control><Shift>t" } },
    { "win.head-table", { "<Control><Shift>h" } },
    { "win.find-heads", { "<Control><Shift>f" } },
    { "win.view::head-view", { "<Control>1" } },
    { "win.view::heatmap", { "<Control>2" } },
    { "win.view::model-view", { "<Control>3" } },
    { "win.view::steps", { "<Control>4" } },
    { "win.view::neuron", { "<Control>5" } },
    { "win.view::layers", { "<Control>6" } },
    { "win.zoom-in", { "<Control>plus", "<Control>equal", "<Control>KP_Add" } },
    { "win.zoom-out", { "<Control>minus", "<Control>KP_Subtract" } },
    { "win.zoom-fit", { "<Control>0", "<Control>KP_0" } },
    { "win.sidebar", { "F9" } },
    { "win.token-panel", { "<Control>F9" } },
    { "win.fullscreen", { "F11" } },
    { "win.show-help-overlay", { "<Control>question", "<Control>F1" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (accels); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (self), accels[i].action,
                                           (const char **) accels[i].accels);
}

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
  self->settings = hl_settings_new ();
  g_signal_connect_swapped (self->settings, "changed::style", G_CALLBACK (update_style), self);
  update_style (self);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  set_accels (self);
  gtk_window_set_default_icon_name (HL_APPLICATION_ID);
}

static void
hl_application_activate (GApplication *application)
{
  gtk_window_present (GTK_WINDOW (get_window (HL_APPLICATION (application))));
}

static void
hl_application_open (GApplication  *application,
                     GFile        **files,
                     int            n_files,
                     const char    *hint)
{
  HlApplication *self = HL_APPLICATION (application);

  hl_application_open_files (self, NULL, files, (guint) n_files);
  if (self->trace != NULL)
    hl_trace_start (self->trace, get_window (self));
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
      g_autoptr (GFile) sample = hl_sample_get_file ();
      if (!g_application_register (application, NULL, &error))
        {
          g_printerr ("headlight: %s\n", error->message);
          return 1;
        }
      g_application_open (application, &sample, 1, "");
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
  application_class->startup = hl_application_startup;
  application_class->activate = hl_application_activate;
  application_class->open = hl_application_open;
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
  g_application_set_option_context_summary (
    G_APPLICATION (self), _ ("See what the attention heads of transformers look at."));
}

HlApplication *
hl_application_new (void)
{
  return g_object_new (HL_TYPE_APPLICATION, "application-id", HL_APPLICATION_ID, "flags",
                       G_APPLICATION_HANDLES_OPEN, "resource-base-path", "/org/headlight/Headlight", NULL);
}

gboolean
hl_application_get_failed (HlApplication *self)
{
  g_return_val_if_fail (HL_IS_APPLICATION (self), TRUE);
  return self->trace != NULL && hl_trace_get_failed (self->trace);
}
