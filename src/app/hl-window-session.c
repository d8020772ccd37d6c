/* SPDX-License-Identifier: MIT */
/* How what makes a picture leaves a window, as a session file or as a command, and how a session finds a file that was moved. */
#include "config.h"

#include "app/hl-window-private.h"

#include "app/hl-session-name.h"
#include "app/hl-session-saved.h"
#include "core/base/hl-error.h"

#include <glib/gi18n.h>
#include <string.h>

/* As the figure that goes onto the clipboard. */
#define COMMAND_SCALE 2

/* What the system takes as one argument, and a bit less. */
#define MAX_COMMAND 100000

/* As it is now, alone or beside another. */
static HlSavedSession *
create_saved (HlWindow *self)
{
  HlScene *scene = hl_scene_view_get_scene (hl_document_page_get_scene_view (self->page));
  HlSavedSession *saved = hl_session_save (self->session, scene);

  hl_compare_view_save (hl_document_page_get_compare_view (self->page), saved);
  return saved;
}

static char *
dup_name (GFile *file)
{
  g_autofree char *basename = g_file_get_basename (file);

  return g_filename_display_name (basename);
}

typedef struct
{
  HlSavedSession *saved;
  GFile *target;
} Save;

static void
save_free (Save *save)
{
  hl_saved_session_free (save->saved);
  g_clear_object (&save->target);
  g_free (save);
}

static void
run_save (GTask        *task,
          gpointer      source,
          gpointer      data,
          GCancellable *cancellable)
{
  const Save *save = data;
  GError *error = NULL;

  if (hl_saved_session_save (save->saved, save->target, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_saved (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (HlWindow) self = data;
  const Save *save = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autofree char *name = dup_name (save->target);
  const gboolean saved = g_task_propagate_boolean (G_TASK (result), &error);
  g_autofree char *text = saved ? g_strdup_printf (_ ("Saved “%s”"), name)
                                : g_strdup_printf ("%s: %s", name, error->message);

  hl_window_say (self, text, saved ? save->target : NULL, HL_SENTENCE_SECONDS);
}

typedef struct
{
  HlWindow *window;
  HlSavedSession *saved;
} Choice;

static void
choice_free (Choice   *choice,
             GClosure *closure)
{
  g_object_unref (choice->window);
  g_clear_pointer (&choice->saved, hl_saved_session_free);
  g_free (choice);
}

static void
on_chosen (GtkFileChooserNative *chooser,
           int                   response,
           Choice               *choice)
{
  g_autoptr (GFile) chosen =
    response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser)) : NULL;
  g_autofree char *uri = chosen != NULL ? g_file_get_uri (chosen) : NULL;

  if (uri != NULL && !g_str_has_suffix (uri, HL_SAVED_SESSION_SUFFIX))
    {
      g_autofree char *whole = g_strconcat (uri, HL_SAVED_SESSION_SUFFIX, NULL);
      g_set_object (&chosen, NULL);
      chosen = g_file_new_for_uri (whole);
      /* That the name with the ending may be taken over was not asked. */
      if (g_file_query_exists (chosen, NULL))
        {
          g_autofree char *name = dup_name (chosen);
          g_autofree char *text =
            g_strdup_printf (_ ("“%s” is there already; nothing was saved"), name);
          hl_window_say (choice->window, text, NULL, HL_SENTENCE_SECONDS);
          g_clear_object (&chosen);
        }
    }
  if (chosen != NULL)
    {
      Save *save = g_new0 (Save, 1);
      save->saved = g_steal_pointer (&choice->saved);
      save->target = g_object_ref (chosen);
      /* The task does not own the window: tasks may be finalized in the worker, widgets may not. */
      g_autoptr (GTask) task = g_task_new (NULL, NULL, on_saved, g_object_ref (choice->window));
      g_task_set_source_tag (task, hl_window_install_session);
      g_task_set_task_data (task, save, (GDestroyNotify) save_free);
      g_task_run_in_thread (task, run_save);
    }
  g_object_unref (chooser);
}

/* Over the session that is open, or beside the file, where it finds it again. */
static void
suggest (HlWindow       *self,
         GtkFileChooser *chooser)
{
  GFile *session_file = hl_document_page_get_session_file (self->page);
  g_autoptr (GFile) folder = g_file_get_parent (
    session_file != NULL ? session_file : hl_document_page_get_file (self->page));
  g_autofree char *stem = hl_session_dup_document_name (self->session);
  g_autofree char *name = session_file != NULL ? dup_name (session_file)
                                               : g_strconcat (stem, HL_SAVED_SESSION_SUFFIX, NULL);

  gtk_file_chooser_set_current_name (chooser, name);
  if (folder != NULL)
    gtk_file_chooser_set_current_folder (chooser, folder, NULL);
}

static void
save_session (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  HlWindow *self = data;
  GtkFileChooserNative *chooser =
    gtk_file_chooser_native_new (_ ("Save Session"), GTK_WINDOW (self),
                                 GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), NULL);
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
  Choice *choice = g_new0 (Choice, 1);

  gtk_file_filter_set_name (filter, _ ("Sessions (*.headlight)"));
  gtk_file_filter_add_suffix (filter, HL_SAVED_SESSION_SUFFIX + 1);
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (chooser), filter);
  suggest (self, GTK_FILE_CHOOSER (chooser));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  choice->window = g_object_ref (self);
  /* It may change while somebody thinks of a name. */
  choice->saved = create_saved (self);
  g_signal_connect_data (chooser, "response", G_CALLBACK (on_chosen), choice,
                         (GClosureNotify) choice_free, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* Which others are chosen is not seen where one head is shown, and render takes one there. */
static void
leave_head_in_front (HlSavedSession *saved,
                     HlViewState    *state)
{
  g_autofree char *head = g_strdup_printf ("%u", hl_view_state_get_head (state));

  if (!hl_view_state_shows_one_head (state) ||
      (hl_view_state_merges_heads (state) && !hl_view_state_shows_steps (state)))
    return;
  hl_state_texts_set (&saved->state, "heads", hl_view_state_get_head (state) > 0 ? head : NULL);
  hl_state_texts_set (&saved->state, "head", NULL);
}

static void
copy_command (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  HlWindow *self = data;
  g_autoptr (HlScene) scene = hl_compare_view_create_scene (hl_document_page_get_compare_view (self->page));
  g_autoptr (HlSavedSession) saved = create_saved (self);
  g_autofree char *name = hl_session_dup_figure_name (self->session);
  g_autofree char *output = g_strconcat (name, ".png", NULL);
  double width, height;

  leave_head_in_front (saved, hl_session_get_view_state (self->session));
  hl_scene_get_viewport (scene, &width, &height, NULL);
  g_autofree char *command =
    hl_saved_session_to_command (saved, output, width, height, COMMAND_SCALE);
  if (strlen (command) > MAX_COMMAND)
    {
      hl_window_say (self,
                     _ ("This does not fit on a command line; save a session, which headlight-cli "
                        "render takes as well"),
                     NULL, HL_SENTENCE_SECONDS);
      return;
    }
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), command);
  hl_window_say (self, _ ("Command copied"), NULL, HL_WORD_SECONDS);
}

static const GActionEntry entries[] = {
  { "save-session", save_session },
  { "copy-command", copy_command },
};

void
hl_window_install_session (HlWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
hl_window_update_session (HlWindow *self)
{
  HlCompareView *view = self->page != NULL ? hl_document_page_get_compare_view (self->page) : NULL;
  /* What the second side will show is not known before it is there. */
  const gboolean waits = view != NULL && hl_compare_view_get_active (view) && hl_compare_view_get_link (view) == NULL;

  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    {
      GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), entries[i].name);
      g_simple_action_set_enabled (G_SIMPLE_ACTION (action), self->session != NULL && !waits);
    }
}

typedef struct
{
  HlWindow *window;
  GFile *session_file;
} Search;

static void
search_free (Search   *search,
             GClosure *closure)
{
  g_object_unref (search->window);
  g_object_unref (search->session_file);
  g_free (search);
}

static void
on_located (GtkFileChooserNative *chooser,
            int                   response,
            Search               *search)
{
  g_autoptr (GFile) located =
    response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser)) : NULL;

  if (located != NULL)
    hl_window_open_located (search->window, search->session_file, located);
  g_object_unref (chooser);
}

static void
on_search_response (Search     *search,
                    const char *response)
{
  g_autoptr (HlSavedSession) saved = g_str_equal (response, "locate")
                                       ? hl_saved_session_load (search->session_file, NULL, NULL)
                                       : NULL;

  if (saved == NULL)
    return;
  const HlSavedSession *missing = hl_saved_session_get_missing (saved, NULL);
  const gboolean is_folder = (missing != NULL ? missing : saved)->text != NULL;
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (
    is_folder ? _ ("Locate Model Folder") : _ ("Locate File"),
    GTK_WINDOW (search->window),
    is_folder ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER : GTK_FILE_CHOOSER_ACTION_OPEN,
    _ ("_Open"), NULL);
  g_autoptr (GFile) folder = g_file_get_parent (search->session_file);
  Search *copy = g_new0 (Search, 1);

  copy->window = g_object_ref (search->window);
  copy->session_file = g_object_ref (search->session_file);
  if (folder != NULL)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (chooser), folder, NULL);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_data (chooser, "response", G_CALLBACK (on_located), copy,
                         (GClosureNotify) search_free, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/**
 * hl_window_offer_locate:
 * @self: a window
 * @file: what could not be opened
 * @error: why not
 *
 * Asks where the file is that a session shows, if that is what is wrong.
 *
 * Returns: whether it does
 */
gboolean
hl_window_offer_locate (HlWindow     *self,
                        GFile        *file,
                        const GError *error)
{
  g_autofree char *name = dup_name (file);

  if (!g_error_matches (error, HL_ERROR, HL_ERROR_EXTERNAL) ||
      !g_str_has_suffix (name, HL_SAVED_SESSION_SUFFIX))
    return FALSE;
  g_autofree char *body = g_strdup_printf ("%s: %s", name, error->message);
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), _ ("File Not Found"), body);
  Search *search = g_new0 (Search, 1);

  search->window = g_object_ref (self);
  search->session_file = g_object_ref (file);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "locate",
                                    _ ("_Locate…"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "locate",
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "locate");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  gtk_window_set_title (GTK_WINDOW (dialog), _ ("File Not Found"));
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_search_response), search,
                         (GClosureNotify) search_free, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
  return TRUE;
}
