/* SPDX-License-Identifier: MIT */
/* Where tokens come from: the file, lines that are typed, pasted or taken from a file, or a tokenizer and a text. */
#include "config.h"

#include "app/tokens/hl-token-group.h"

#include "app/base/hl-accessible.h"
#include "app/base/hl-file-choice.h"
#include "app/widgets/hl-text-guard.h"
#include "core/base/file/hl-file-name.h"
#include "core/tokenizer/hl-token-file.h"
#include "view/hl-sentence.h"

#include <glib/gi18n.h>

struct _HlTokenGroup
{
  AdwPreferencesGroup parent_instance;

  AdwComboRow *origin_row;
  GtkWidget *lines_row;
  GtkTextBuffer *lines;
  GtkWidget *lines_view;
  GtkLabel *problem;
  AdwActionRow *folder_row;
  GtkEditable *text_row;
  GtkEditable *second_text_row;

  GFile *beside; /* the file that the tokens are for */
  GFile *folder;
  HlTokenizer *tokenizer; /* that of the folder, once it was read */
  GCancellable *cancellable;
  gboolean updating;
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlTokenGroup, hl_token_group, ADW_TYPE_PREFERENCES_GROUP)

static void
on_changed (HlTokenGroup *self)
{
  const HlTokenOrigin origin = (HlTokenOrigin) adw_combo_row_get_selected (self->origin_row);
  const gboolean by_tokenizer = origin == HL_TOKEN_ORIGIN_TOKENIZER;

  gtk_widget_set_visible (self->lines_row, origin == HL_TOKEN_ORIGIN_LINES);
  gtk_widget_set_visible (GTK_WIDGET (self->folder_row), by_tokenizer);
  gtk_widget_set_visible (GTK_WIDGET (self->text_row), by_tokenizer);
  gtk_widget_set_visible (GTK_WIDGET (self->second_text_row), by_tokenizer);
  gtk_widget_set_visible (GTK_WIDGET (self->problem), FALSE);
  if (!self->updating)
    g_signal_emit (self, signals[CHANGED], 0);
}

static void
read_file (GTask        *task,
           gpointer      source,
           gpointer      data,
           GCancellable *cancellable)
{
  GError *error = NULL;
  g_auto (GStrv) tokens = hl_token_file_load (data, cancellable, &error);

  if (tokens != NULL)
    g_task_return_pointer (task, hl_token_choice_write (tokens), g_free);
  else
    g_task_return_error (task, error);
}

static void
on_file_read (GObject      *source,
              GAsyncResult *result,
              gpointer      data)
{
  g_autoptr (HlTokenGroup) self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_task_propagate_pointer (G_TASK (result), &error);

  if (g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    return;
  g_clear_object (&self->cancellable);
  g_autofree char *refusal = text != NULL ? hl_text_guard_find_marks (text) : hl_sentence_of_error (error);
  if (refusal == NULL)
    {
      gtk_text_buffer_set_text (self->lines, text, -1);
      return;
    }
  g_autofree char *name = hl_file_dup_display_name (g_task_get_task_data (G_TASK (result)));
  g_autofree char *problem = g_strdup_printf ("%s: %s", name, refusal);
  gtk_label_set_label (self->problem, problem);
  gtk_widget_set_visible (GTK_WIDGET (self->problem), TRUE);
}

static void
on_file_chosen (HlTokenGroup         *self,
                int                   response,
                GtkFileChooserNative *chooser)
{
  g_autoptr (GFile) file = hl_file_choice_get_file (chooser, response);

  if (file == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  /* The task does not own the group: tasks may be finalized in the worker, widgets may not. */
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, on_file_read, g_object_ref (self));
  g_task_set_source_tag (task, on_file_chosen);
  g_task_set_task_data (task, g_steal_pointer (&file), g_object_unref);
  g_task_run_in_thread (task, read_file);
}

static void
on_folder_chosen (HlTokenGroup         *self,
                  int                   response,
                  GtkFileChooserNative *chooser)
{
  g_autoptr (GFile) folder = hl_file_choice_get_file (chooser, response);

  if (folder == NULL)
    return;
  g_autofree char *name = hl_file_dup_display_name (folder);
  g_set_object (&self->folder, folder);
  g_clear_object (&self->tokenizer);
  adw_action_row_set_subtitle (self->folder_row, name);
  on_changed (self);
  if (*gtk_editable_get_text (self->text_row) == '\0')
    gtk_widget_grab_focus (GTK_WIDGET (self->text_row));
}

static void
show_chooser (HlTokenGroup        *self,
              const char          *title,
              GtkFileChooserAction action,
              GCallback            callback)
{
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (title, window, action, _ ("_Open"), NULL);

  g_signal_connect_object (chooser, "response", callback, self, G_CONNECT_SWAPPED);
  hl_file_choice_show (chooser, self->beside);
}

static void
on_choose_file (HlTokenGroup *self)
{
  show_chooser (self, _ ("Open Tokens"), GTK_FILE_CHOOSER_ACTION_OPEN, G_CALLBACK (on_file_chosen));
}

static void
on_choose_folder (HlTokenGroup *self)
{
  show_chooser (self, _ ("Open Tokenizer Folder"), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                G_CALLBACK (on_folder_chosen));
}

static void
on_choose_tokenizer_file (HlTokenGroup *self)
{
  show_chooser (self, _ ("Open Tokenizer File"), GTK_FILE_CHOOSER_ACTION_OPEN, G_CALLBACK (on_folder_chosen));
}

static void
hl_token_group_dispose (GObject *object)
{
  HlTokenGroup *self = HL_TOKEN_GROUP (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->beside);
  g_clear_object (&self->folder);
  g_clear_object (&self->tokenizer);
  G_OBJECT_CLASS (hl_token_group_parent_class)->dispose (object);
}

static void
hl_token_group_class_init (HlTokenGroupClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_token_group_dispose;

  signals[CHANGED] =
    g_signal_new ("changed", HL_TYPE_TOKEN_GROUP, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/token-group.ui");
  gtk_widget_class_bind_template_child (widget_class, HlTokenGroup, origin_row);
  gtk_widget_class_bind_template_child (widget_class, HlTokenGroup, lines_row);
  gtk_widget_class_bind_template_child (widget_class, HlTokenGroup, lines);
  gtk_widget_class_bind_template_child (widget_class, HlTokenGroup, lines_view);
  gtk_widget_class_bind_template_child (widget_class, HlTokenGroup, problem);
  gtk_widget_class_bind_template_child (widget_class, HlTokenGroup, folder_row);
  gtk_widget_class_bind_template_child (widget_class, HlTokenGroup, text_row);
  gtk_widget_class_bind_template_child (widget_class, HlTokenGroup, second_text_row);
  gtk_widget_class_bind_template_callback (widget_class, on_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_choose_file);
  gtk_widget_class_bind_template_callback (widget_class, on_choose_folder);
  gtk_widget_class_bind_template_callback (widget_class, on_choose_tokenizer_file);
}

static void
hl_token_group_init (HlTokenGroup *self)
{
  self->updating = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_text_guard_entry (GTK_WIDGET (self->text_row));
  hl_text_guard_entry (GTK_WIDGET (self->second_text_row));
  hl_text_guard_view (GTK_TEXT_VIEW (self->lines_view));
  hl_accessible_name_buttons (GTK_WIDGET (self));
  on_changed (self);
  self->updating = FALSE;
}

/* Of what the tokens are: files are looked for in its folder. */
void
hl_token_group_set_beside (HlTokenGroup *self,
                           GFile        *beside)
{
  g_return_if_fail (HL_IS_TOKEN_GROUP (self));
  g_return_if_fail (G_IS_FILE (beside));

  g_set_object (&self->beside, beside);
}

/* What was written in place of the file's tokens. “changed” does not follow. */
void
hl_token_group_set_tokens (HlTokenGroup *self,
                           char        **tokens)
{
  g_return_if_fail (HL_IS_TOKEN_GROUP (self));

  g_autofree char *text = hl_token_choice_write (tokens != NULL ? tokens : (char *[]){ NULL });
  self->updating = TRUE;
  gtk_text_buffer_set_text (self->lines, text, -1);
  adw_combo_row_set_selected (self->origin_row, tokens != NULL ? HL_TOKEN_ORIGIN_LINES : HL_TOKEN_ORIGIN_FILE);
  self->updating = FALSE;
}

/* Also when something is missing. */
void
hl_token_group_get_choice (HlTokenGroup  *self,
                           HlTokenChoice *choice)
{
  GtkTextIter start, end;

  g_return_if_fail (HL_IS_TOKEN_GROUP (self));

  *choice = (HlTokenChoice){ .origin = (HlTokenOrigin) adw_combo_row_get_selected (self->origin_row) };
  gtk_text_buffer_get_bounds (self->lines, &start, &end);
  if (choice->origin == HL_TOKEN_ORIGIN_LINES)
    choice->text = gtk_text_buffer_get_text (self->lines, &start, &end, TRUE);
  if (choice->origin != HL_TOKEN_ORIGIN_TOKENIZER)
    return;
  choice->text = g_strdup (gtk_editable_get_text (self->text_row));
  choice->second_text = g_strdup (gtk_editable_get_text (self->second_text_row));
  g_set_object (&choice->folder, self->folder);
  g_set_object (&choice->tokenizer, self->tokenizer);
}

/* Keeps it for the next choice, if that is of the same folder. */
void
hl_token_group_set_tokenizer (HlTokenGroup *self,
                              HlTokenizer  *tokenizer,
                              GFile        *folder)
{
  g_return_if_fail (HL_IS_TOKEN_GROUP (self));

  if (self->folder != NULL && g_file_equal (folder, self->folder))
    g_set_object (&self->tokenizer, tokenizer);
}
