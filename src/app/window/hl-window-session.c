/* SPDX-License-Identifier: MIT */
/* How what makes a picture leaves a window, as a session file or as a command. */
#include "config.h"

#include "app/window/hl-window-private.h"

#include "app/base/hl-file-choice.h"
#include "app/session/hl-session-name.h"
#include "app/session/hl-session.h"
#include "core/base/hl-file-name.h"

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

  g_task_propagate_boolean (G_TASK (result), &error);
  hl_window_say_saved (self, save->target, error);
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
start_save (HlWindow       *self,
            HlSavedSession *saved,
            GFile          *target)
{
  Save *save = g_new0 (Save, 1);
  /* The task does not own the window: tasks may be finalized in the worker, widgets may not. */
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_saved, g_object_ref (self));

  save->saved = saved;
  save->target = g_object_ref (target);
  g_task_set_source_tag (task, start_save);
  g_task_set_task_data (task, save, (GDestroyNotify) save_free);
  g_task_run_in_thread (task, run_save);
}

static void
on_chosen (GtkFileChooserNative *chooser,
           int                   response,
           Choice               *choice)
{
  g_autoptr (GFile) target = hl_file_choice_get_file (chooser, response);
  g_autofree char *name = target != NULL ? g_file_get_basename (target) : NULL;

  if (name != NULL && !g_str_has_suffix (name, HL_SAVED_SESSION_SUFFIX))
    {
      g_autoptr (GFile) chosen = g_steal_pointer (&target);
      g_autoptr (GError) error = NULL;

      target = hl_file_choice_add_ending (chosen, HL_SAVED_SESSION_SUFFIX, &error);
      if (target == NULL)
        hl_window_say (choice->window, error->message, NULL, HL_SENTENCE_SECONDS);
    }
  if (target != NULL)
    start_save (choice->window, g_steal_pointer (&choice->saved), target);
}

static void
save_session (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  HlWindow *self = data;
  GFile *session_file = hl_document_page_get_session_file (self->page);
  g_autofree char *stem = hl_session_dup_document_name (self->session);
  g_autofree char *name = session_file != NULL ? hl_file_dup_display_name (session_file)
                                               : g_strconcat (stem, HL_SAVED_SESSION_SUFFIX, NULL);
  GtkFileChooserNative *chooser =
    gtk_file_chooser_native_new (_ ("Save Session"), data, GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), NULL);
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
  Choice *choice = g_new0 (Choice, 1);

  gtk_file_filter_set_name (filter, _ ("Sessions (*.headlight)"));
  gtk_file_filter_add_suffix (filter, HL_SAVED_SESSION_SUFFIX + 1);
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (chooser), filter);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
  choice->window = g_object_ref (self);
  /* It may change while somebody thinks of a name. */
  choice->saved = create_saved (self);
  g_signal_connect_data (chooser, "response", G_CALLBACK (on_chosen), choice, (GClosureNotify) choice_free, 0);
  /* Over the session that is open, or beside the file, where it finds it again. */
  hl_file_choice_show (chooser, session_file != NULL ? session_file : hl_document_page_get_file (self->page));
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
    hl_window_enable_action (self, entries[i].name, self->session != NULL && !waits);
}
