/* SPDX-License-Identifier: MIT */
/*
 * The dialog in which somebody says how a file of attention is to be read: which dataset, what its axes are, whether it
 * holds scores, and where tokens come from. With every change the file is read so in a worker; what is shown is what
 * one gets. What was asked for and is stale is dropped.
 */
#include "config.h"

#include "app/reading/hl-axes-dialog.h"

#include "app/widgets/hl-fold-box.h"
#include "app/base/hl-accessible.h"
#include "app/widgets/hl-waiting.h"
#include "app/reading/hl-axes-group.h"
#include "app/reading/hl-axes-preview.h"
#include "app/reading/hl-axes-survey.h"
#include "app/reading/hl-dataset-chooser.h"
#include "app/tokens/hl-token-group.h"
#include "core/base/file/hl-file-name.h"
#include "view/hl-sentence.h"

#include <glib/gi18n.h>
#include <string.h>

/* The file is read again when the choice has rested for a moment. */
#define READ_AFTER_MS 80

struct _HlAxesDialog
{
  AdwWindow parent_instance;

  AdwWindowTitle *title;
  GtkButton *apply_button;
  HlLateSpinner *spinner;
  GtkStack *stack;
  AdwStatusPage *status_page;
  GtkWidget *chooser_box;
  HlDatasetChooser *chooser;
  HlAxesPreview *preview;
  HlAxesGroup *axes_group;
  AdwActionRow *softmax_row;
  GtkSwitch *softmax;
  HlTokenGroup *token_group;

  GFile *file;
  HlDocument *document; /* as it is open; NULL if it could not be read */
  char *stamp;          /* of the file before that was read */
  HlAxesSurvey *survey;
  GCancellable *survey_cancellable;

  guint read_timeout;
  GCancellable *read_cancellable;
  HlAxesReading *reading; /* of the choice as it stands */
  GCancellable *examine_cancellable;
  gboolean is_examined;       /* the numbers, under the axes as they stand */
  gboolean is_softmax_chosen; /* by somebody, not by what the numbers look like */
  gboolean is_updating;
  gboolean wants_apply; /* as soon as it is read */
};

enum
{
  APPLIED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlAxesDialog, hl_axes_dialog, ADW_TYPE_WINDOW)

static void update (HlAxesDialog *self);

static void
update_spinner (HlAxesDialog *self)
{
  hl_late_spinner_set_busy (self->spinner, self->survey_cancellable != NULL || self->read_cancellable != NULL);
}

static void
stop_examining (HlAxesDialog *self)
{
  g_cancellable_cancel (self->examine_cancellable);
  g_clear_object (&self->examine_cancellable);
}

static void
stop_reading (HlAxesDialog *self)
{
  g_clear_handle_id (&self->read_timeout, g_source_remove);
  g_cancellable_cancel (self->read_cancellable);
  g_clear_object (&self->read_cancellable);
  g_clear_object (&self->reading);
  stop_examining (self);
}

static void
apply (HlAxesDialog *self)
{
  g_signal_emit (self, signals[APPLIED], 0, hl_axes_reading_get_document (self->reading),
                 self->document != NULL ? self->stamp : self->survey->stamp);
  gtk_window_close (GTK_WINDOW (self));
}

static void
set_softmax (HlAxesDialog *self,
             gboolean      softmax)
{
  self->is_updating = TRUE;
  gtk_switch_set_active (self->softmax, softmax);
  self->is_updating = FALSE;
}

static void
on_examined (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  g_autoptr (HlAxesDialog) self = data;
  HlAxesReading *reading = HL_AXES_READING (source);
  gboolean look_like_scores = FALSE;

  if (g_task_get_cancellable (G_TASK (result)) != self->examine_cancellable)
    return;
  g_clear_object (&self->examine_cancellable);
  /* What cannot be read of other heads is said when they are looked at. */
  if (!hl_axes_reading_examine_finish (reading, result, NULL))
    return;
  self->is_examined = TRUE;
  const char *numbers = hl_axes_reading_get_numbers (reading, &look_like_scores);
  adw_action_row_set_subtitle (self->softmax_row, numbers);
  if (self->is_softmax_chosen || gtk_switch_get_active (self->softmax) == look_like_scores)
    return;
  set_softmax (self, look_like_scores);
  update (self);
}

static void
examine (HlAxesDialog *self)
{
  const gboolean has_numbers = hl_attention_get_weights (hl_axes_reading_get_attention (self->reading), 0) != NULL;

  gtk_widget_set_sensitive (GTK_WIDGET (self->softmax_row), has_numbers);
  if (!has_numbers)
    adw_action_row_set_subtitle (self->softmax_row, _ ("Weights are computed from queries and keys"));
  if (!has_numbers || self->is_examined)
    return;
  self->examine_cancellable = g_cancellable_new ();
  hl_axes_reading_examine_async (self->reading, self->examine_cancellable, on_examined, g_object_ref (self));
}

static void
show_problem (HlAxesDialog *self,
              const GError *error)
{
  g_autofree char *problem = hl_sentence_of_error (error);

  self->wants_apply = FALSE;
  hl_axes_preview_show_problem (self->preview, problem);
  gtk_widget_set_sensitive (GTK_WIDGET (self->apply_button), FALSE);
}

static void
on_read (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr (HlAxesDialog) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (HlAxesReading) reading = hl_axes_reading_make_finish (result, &error);
  g_auto (HlTokenChoice) tokens = { 0 };

  if (g_task_get_cancellable (G_TASK (result)) != self->read_cancellable)
    return;
  g_clear_object (&self->read_cancellable);
  update_spinner (self);
  if (reading == NULL)
    {
      show_problem (self, error);
      return;
    }
  self->reading = g_steal_pointer (&reading);
  hl_axes_preview_show (self->preview, self->reading);
  hl_token_group_get_choice (self->token_group, &tokens);
  if (tokens.folder != NULL)
    hl_token_group_set_tokenizer (self->token_group, hl_axes_reading_get_tokenizer (self->reading), tokens.folder);
  if (self->wants_apply)
    apply (self);
  else
    examine (self);
}

/* Axes that are certain need not be told, and are not, so that all else in the file keeps its meaning. */
static void
get_options (HlAxesDialog  *self,
             HlOpenOptions *options)
{
  HlDatasetItem *item = hl_dataset_chooser_get_selected (self->chooser);
  const HlLayoutAxes axes = hl_axes_group_get_axes (self->axes_group);

  *options = (HlOpenOptions){ .dataset = g_strdup (hl_dataset_item_get_path (item)),
                              .softmax = gtk_switch_get_active (self->softmax) };
  if (!hl_dataset_item_is_certain (item) || !hl_layout_axes_equal (&axes, hl_dataset_item_get_axes (item)))
    options->axes = axes;
}

static gboolean
start_reading (gpointer data)
{
  HlAxesDialog *self = data;
  g_auto (HlOpenOptions) options = { 0 };
  g_auto (HlTokenChoice) tokens = { 0 };
  HlThumbnailStyle style;

  self->read_timeout = 0;
  get_options (self, &options);
  hl_token_group_get_choice (self->token_group, &tokens);
  hl_axes_preview_get_style (self->preview, &style);
  self->read_cancellable = g_cancellable_new ();
  hl_axes_reading_make_async (self->file, self->survey->archive, &options, &tokens, &style, self->read_cancellable,
                              on_read, g_object_ref (self));
  update_spinner (self);
  return G_SOURCE_REMOVE;
}

/* The choice is another: the old picture stays for the moment until there is a new one. */
static void
update (HlAxesDialog *self)
{
  const HlLayoutAxes axes = hl_axes_group_get_axes (self->axes_group);
  g_autoptr (GError) error = NULL;

  stop_reading (self);
  if (axes.letters[0] != '\0' && !hl_layout_axes_check (&axes, &error))
    {
      show_problem (self, error);
      return;
    }
  gtk_widget_set_sensitive (GTK_WIDGET (self->apply_button), TRUE);
  self->read_timeout = g_timeout_add (READ_AFTER_MS, start_reading, self);
}

static void
on_axes_changed (HlAxesDialog *self)
{
  self->is_examined = FALSE;
  update (self);
}

static void
on_softmax_changed (HlAxesDialog *self)
{
  if (self->is_updating)
    return;
  self->is_softmax_chosen = TRUE;
  update (self);
}

static void
show_item (HlAxesDialog       *self,
           const HlLayoutAxes *axes,
           gboolean            softmax)
{
  HlDatasetItem *item = hl_dataset_chooser_get_selected (self->chooser);
  /* Descriptions are markup, names are not. */
  g_autofree char *title = g_markup_escape_text (hl_dataset_item_get_title (item), -1);

  hl_axes_group_set_axes (self->axes_group, hl_dataset_item_get_shape (item), axes);
  gtk_widget_set_visible (GTK_WIDGET (self->axes_group), hl_dataset_item_get_shape (item)->rank > 0);
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (self->axes_group), title);
  set_softmax (self, softmax);
  self->is_examined = FALSE;
  update (self);
}

static void
on_dataset_changed (HlAxesDialog *self)
{
  self->is_softmax_chosen = FALSE;
  show_item (self, hl_dataset_item_get_axes (hl_dataset_chooser_get_selected (self->chooser)), FALSE);
}

static void
show_failure (HlAxesDialog *self,
              const char   *text)
{
  /* It quotes what the file has. */
  g_autofree char *description = g_markup_escape_text (text, -1);

  adw_status_page_set_description (self->status_page, description);
  gtk_stack_set_visible_child_name (self->stack, "failure");
}

/* As the document is read, if it is; otherwise as is likeliest. */
static void
show_choice (HlAxesDialog *self)
{
  const HlOpenOptions *options = self->document != NULL ? hl_document_get_options (self->document) : NULL;
  const guint selected = hl_axes_survey_find (self->survey, self->document);
  HlDatasetItem *item = self->survey->items->pdata[selected];
  HlLayoutAxes axes = *hl_dataset_item_get_axes (item);

  if (options != NULL && strlen (options->axes.letters) == hl_dataset_item_get_shape (item)->rank)
    axes = options->axes;
  hl_dataset_chooser_set_items (self->chooser, self->survey->items, selected);
  gtk_widget_set_visible (self->chooser_box, self->survey->items->len > 1);
  hl_token_group_set_tokens (self->token_group, options != NULL ? options->tokens : NULL);
  self->is_softmax_chosen = options != NULL;
  show_item (self, &axes, options != NULL && options->softmax);
  gtk_stack_set_visible_child_name (self->stack, "choice");
  /* What one came for, rather than the way out. */
  gtk_widget_child_focus (GTK_WIDGET (self->stack), GTK_DIR_TAB_FORWARD);
}

static void
on_survey (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (HlAxesDialog) self = data;
  g_autoptr (GError) error = NULL;
  HlAxesSurvey *survey = hl_axes_survey_make_finish (result, &error);

  if (g_task_get_cancellable (G_TASK (result)) != self->survey_cancellable)
    {
      g_clear_pointer (&survey, hl_axes_survey_free);
      return;
    }
  g_clear_object (&self->survey_cancellable);
  update_spinner (self);
  self->survey = survey;
  if (survey == NULL)
    {
      g_autofree char *sentence = hl_sentence_of_error (error);
      show_failure (self, sentence);
    }
  else if (survey->items->len == 0)
    show_failure (self, _ ("There is nothing in the file that could be attention"));
  else
    show_choice (self);
}

static void
on_apply (HlAxesDialog *self)
{
  if (self->reading != NULL)
    {
      apply (self);
      return;
    }
  self->wants_apply = TRUE;
  if (self->read_timeout == 0)
    return;
  g_clear_handle_id (&self->read_timeout, g_source_remove);
  start_reading (self);
}

static gboolean
hl_axes_dialog_close_request (GtkWindow *window)
{
  HlAxesDialog *self = HL_AXES_DIALOG (window);

  stop_reading (self);
  g_cancellable_cancel (self->survey_cancellable);
  g_clear_object (&self->survey_cancellable);
  return GTK_WINDOW_CLASS (hl_axes_dialog_parent_class)->close_request (window);
}

static void
hl_axes_dialog_dispose (GObject *object)
{
  HlAxesDialog *self = HL_AXES_DIALOG (object);

  stop_reading (self);
  g_cancellable_cancel (self->survey_cancellable);
  g_clear_object (&self->survey_cancellable);
  g_clear_pointer (&self->survey, hl_axes_survey_free);
  g_clear_object (&self->document);
  g_clear_object (&self->file);
  G_OBJECT_CLASS (hl_axes_dialog_parent_class)->dispose (object);
}

static void
hl_axes_dialog_finalize (GObject *object)
{
  g_free (HL_AXES_DIALOG (object)->stamp);
  G_OBJECT_CLASS (hl_axes_dialog_parent_class)->finalize (object);
}

static void
hl_axes_dialog_class_init (HlAxesDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_axes_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_axes_dialog_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = hl_axes_dialog_close_request;

  /* With the file as it is to be read, and its stamp before it was opened. */
  signals[APPLIED] = g_signal_new ("applied", HL_TYPE_AXES_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                   2, HL_TYPE_DOCUMENT, G_TYPE_STRING);

  g_type_ensure (HL_TYPE_AXES_GROUP);
  g_type_ensure (HL_TYPE_AXES_PREVIEW);
  g_type_ensure (HL_TYPE_DATASET_CHOOSER);
  g_type_ensure (HL_TYPE_LATE_SPINNER);
  g_type_ensure (HL_TYPE_TOKEN_GROUP);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/axes-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, HlAxesDialog, title);
  gtk_widget_class_bind_template_child (widget_class, HlAxesDialog, apply_button);
  gtk_widget_class_bind_template_child (widget_class, HlAxesDialog, spinner);
  gtk_widget_class_bind_template_child (widget_class, HlAxesDialog, stack);
  gtk_widget_class_bind_template_child (widget_class, HlAxesDialog, status_page);
  gtk_widget_class_bind_template_child (widget_class, HlAxesDialog, chooser_box);
  gtk_widget_class_bind_template_child (widget_class, HlAxesDialog, chooser);
  gtk_widget_class_bind_template_child (widget_class, HlAxesDialog, preview);
  gtk_widget_class_bind_template_child (widget_class, HlAxesDialog, axes_group);
  gtk_widget_class_bind_template_child (widget_class, HlAxesDialog, softmax_row);
  gtk_widget_class_bind_template_child (widget_class, HlAxesDialog, softmax);
  gtk_widget_class_bind_template_child (widget_class, HlAxesDialog, token_group);
  gtk_widget_class_bind_template_callback (widget_class, on_apply);
  gtk_widget_class_bind_template_callback (widget_class, on_axes_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_dataset_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_softmax_changed);
  gtk_widget_class_bind_template_callback (widget_class, update);
}

static void
hl_axes_dialog_init (HlAxesDialog *self)
{
  g_type_ensure (HL_TYPE_FOLD_BOX);
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_accessible_name_buttons (GTK_WIDGET (self));
}

/* @document: (nullable): the file as it is open; @stamp: (nullable): that of the file before it was opened. */
GtkWidget *
hl_axes_dialog_new (GFile      *file,
                    HlDocument *document,
                    const char *stamp)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);
  g_return_val_if_fail (document == NULL || HL_IS_DOCUMENT (document), NULL);

  HlAxesDialog *self = g_object_new (HL_TYPE_AXES_DIALOG, NULL);
  g_autofree char *name = hl_file_dup_display_name (file);
  adw_window_title_set_subtitle (self->title, name);
  self->file = g_object_ref (file);
  hl_token_group_set_beside (self->token_group, file);
  self->document = document != NULL ? g_object_ref (document) : NULL;
  self->stamp = g_strdup (stamp);
  self->survey_cancellable = g_cancellable_new ();
  hl_axes_survey_make_async (file, document, self->survey_cancellable, on_survey, g_object_ref (self));
  update_spinner (self);
  return GTK_WIDGET (self);
}
