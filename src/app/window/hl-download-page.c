/* SPDX-License-Identifier: MIT */
/* A model of the hub by its name: what it would take, then its download. One button does what comes next; nothing is asked of the hub, nor
 * downloaded, before it is pressed. */
#include "config.h"

#include "app/window/hl-download-page.h"

#include "app/base/hl-accessible.h"
#include "app/widgets/hl-text-guard.h"
#include "core/base/hl-progress.h"
#include "core/model/hub/hl-hub-download.h"
#include "core/model/hub/hl-hub-place.h"
#include "view/hl-sentence.h"

#include <glib/gi18n.h>

typedef enum
{
  STEP_NAME,
  STEP_ASKING,
  STEP_OFFERED,
  STEP_DOWNLOADING,
  STEP_DONE,
} Step;

struct _HlDownloadPage
{
  AdwBin parent_instance;

  AdwPreferencesGroup *name_group;
  AdwEntryRow *name_row;
  GtkWidget *offer_group;
  AdwComboRow *choice_row;
  AdwActionRow *size_row;
  GtkWidget *progress_box;
  GtkProgressBar *bar;
  GtkLabel *progress_label;
  GtkLabel *error_label;
  GtkButton *action_button;
  GtkButton *cancel_button;

  Step step;
  gboolean was_stopped;      /* some of it is there */
  HlHubOffer *offer;         /* nullable */
  GFile *file;               /* nullable: what was downloaded */
  HlProgress *progress;      /* nullable: of what is going on */
  GCancellable *cancellable; /* nullable: of what is going on */
};

enum
{
  CHOSEN,
  DOWNLOADED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlDownloadPage, hl_download_page, ADW_TYPE_BIN)

static const HlHubChoice *
get_choice (HlDownloadPage *self)
{
  const guint selected = adw_combo_row_get_selected (self->choice_row);

  return self->offer != NULL && selected < self->offer->choices->len ? hl_hub_offer_get_choice (self->offer, selected)
                                                                     : NULL;
}

static void
show_error (HlDownloadPage *self,
            const char     *sentence)
{
  gtk_label_set_label (self->error_label, sentence != NULL ? sentence : "");
  gtk_widget_set_visible (GTK_WIDGET (self->error_label), sentence != NULL);
}

/* What the choice takes, in words. */
static char *
describe_choice (const HlHubChoice *choice)
{
  g_autofree char *size = g_format_size (choice->size), *missing = g_format_size (choice->missing);

  if (choice->missing == 0)
    return g_strdup_printf (_ ("%s, on this computer already"), size);
  if (choice->missing == choice->size)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s in %u file", "%s in %u files", choice->files->len), size,
                            choice->files->len);
  return g_strdup_printf (_ ("%s, of which %s are to be downloaded"), size, missing);
}

static const char *
get_action (HlDownloadPage *self)
{
  const HlHubChoice *choice = get_choice (self);

  if (self->step == STEP_NAME)
    return _ ("_Look Up");
  if (self->step == STEP_DONE || (choice != NULL && choice->missing == 0))
    return _ ("_Open");
  return self->was_stopped ? _ ("_Resume") : _ ("_Download");
}

static void
update (HlDownloadPage *self)
{
  const gboolean is_busy = self->step == STEP_ASKING || self->step == STEP_DOWNLOADING;
  const HlHubChoice *choice = get_choice (self);
  g_autofree char *text = choice != NULL ? describe_choice (choice) : g_strdup ("");

  gtk_widget_set_visible (self->offer_group, choice != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->choice_row), self->offer != NULL && self->offer->choices->len > 1);
  gtk_widget_set_sensitive (GTK_WIDGET (self->choice_row), !is_busy);
  gtk_widget_set_sensitive (GTK_WIDGET (self->name_row), !is_busy);
  adw_action_row_set_subtitle (self->size_row, text);
  gtk_widget_set_visible (self->progress_box, is_busy);
  gtk_button_set_label (self->action_button, get_action (self));
  hl_accessible_name_buttons (GTK_WIDGET (self->action_button));
  gtk_widget_set_visible (GTK_WIDGET (self->action_button), !is_busy);
  gtk_widget_set_sensitive (GTK_WIDGET (self->action_button),
                            self->step != STEP_NAME || *gtk_editable_get_text (GTK_EDITABLE (self->name_row)) != '\0');
  gtk_widget_set_visible (GTK_WIDGET (self->cancel_button), is_busy);
}

/* Gives the keyboard to what comes next, unless it has left the page. */
static void
focus (HlDownloadPage *self,
       gpointer        widget)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *present = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (present == NULL || gtk_widget_is_ancestor (present, GTK_WIDGET (self)))
    gtk_widget_grab_focus (widget);
}

static void
set_step (HlDownloadPage *self,
          Step            step)
{
  self->step = step;
  update (self);
}

/* Another name, another model. */
static void
forget (HlDownloadPage *self)
{
  g_clear_pointer (&self->offer, hl_hub_offer_unref);
  g_clear_object (&self->file);
  self->was_stopped = FALSE;
  show_error (self, NULL);
  set_step (self, STEP_NAME);
}

static void
show_progress (HlProgress     *progress,
               GParamSpec     *pspec,
               HlDownloadPage *self)
{
  g_autofree char *message = hl_progress_dup_message (progress);

  if (progress != self->progress)
    return;
  gtk_progress_bar_set_fraction (self->bar, hl_progress_get_fraction (progress));
  gtk_label_set_label (self->progress_label, message != NULL ? message : "");
}

/* Begins something that can be cancelled. */
static void
start (HlDownloadPage *self,
       Step            step,
       const char     *message)
{
  show_error (self, NULL);
  self->cancellable = g_cancellable_new ();
  self->progress = hl_progress_new ();
  g_signal_connect_object (self->progress, "notify::fraction", G_CALLBACK (show_progress), self, 0);
  hl_progress_set (self->progress, 0, message);
  show_progress (self->progress, NULL, self);
  /* The keyboard leaves what can no longer be changed before it cannot. */
  gtk_widget_set_visible (GTK_WIDGET (self->cancel_button), TRUE);
  focus (self, self->cancel_button);
  set_step (self, step);
}

/* Whether it is the page's still that has ended, and not one that it has left. */
static gboolean
end (HlDownloadPage *self,
     GAsyncResult   *result)
{
  if (self->cancellable == NULL || g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    return FALSE;
  g_clear_object (&self->cancellable);
  g_clear_object (&self->progress);
  return TRUE;
}

static void
fail (HlDownloadPage *self,
      Step            step,
      const GError   *error)
{
  set_step (self, step);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_autofree char *sentence = hl_sentence_of_error (error);
  show_error (self, sentence);
}

static void
show_offer (HlDownloadPage *self)
{
  g_autoptr (GtkStringList) labels = gtk_string_list_new (NULL);

  for (guint i = 0; i < self->offer->choices->len; i++)
    {
      const HlHubChoice *choice = hl_hub_offer_get_choice (self->offer, i);
      g_autofree char *size = g_format_size (choice->size);
      g_autofree char *text = g_strdup_printf ("%s · %s", choice->label != NULL ? choice->label : "", size);
      gtk_string_list_append (labels, text);
    }
  adw_combo_row_set_model (self->choice_row, G_LIST_MODEL (labels));
  adw_combo_row_set_selected (self->choice_row, self->offer->preferred);
  set_step (self, STEP_OFFERED);
  focus (self, self->action_button);
}

static void
on_asked (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (HlDownloadPage) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (HlHubOffer) offer = hl_hub_offer_new_finish (result, &error);

  if (!end (self, result))
    return;
  if (offer == NULL)
    {
      fail (self, STEP_NAME, error);
      focus (self, self->name_row);
      return;
    }
  self->offer = g_steal_pointer (&offer);
  show_offer (self);
}

static void
ask (HlDownloadPage *self)
{
  g_autofree char *name = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->name_row))));

  if (*name == '\0')
    return;
  start (self, STEP_ASKING, _ ("Asking what there is"));
  hl_hub_offer_new_async (name, self->cancellable, on_asked, g_object_ref (self));
}

static void
on_downloaded (GObject      *source,
               GAsyncResult *result,
               gpointer      data)
{
  g_autoptr (HlDownloadPage) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = hl_hub_download_finish (result, &error);

  if (!end (self, result))
    return;
  if (file == NULL)
    {
      self->was_stopped = TRUE;
      fail (self, STEP_OFFERED, error);
      focus (self, self->action_button);
      return;
    }
  const HlHubChoice *choice = get_choice (self);
  const gboolean was_there = choice != NULL && choice->missing == 0;
  self->file = g_steal_pointer (&file);
  set_step (self, STEP_DONE);
  focus (self, self->action_button);
  g_signal_emit (self, signals[DOWNLOADED], 0);
  if (was_there)
    g_signal_emit (self, signals[CHOSEN], 0, self->file);
}

static void
download (HlDownloadPage *self)
{
  start (self, STEP_DOWNLOADING, _ ("Downloading"));
  hl_hub_download_async (self->offer, adw_combo_row_get_selected (self->choice_row), self->progress, self->cancellable,
                         on_downloaded, g_object_ref (self));
}

static void
on_action (HlDownloadPage *self)
{
  if (self->step == STEP_NAME)
    ask (self);
  else if (self->step == STEP_OFFERED)
    download (self);
  else if (self->step == STEP_DONE)
    g_signal_emit (self, signals[CHOSEN], 0, self->file);
}

/* Enter in the name does what the button does. */
static void
on_name_activated (HlDownloadPage *self)
{
  on_action (self);
}

static void
on_name_changed (HlDownloadPage *self)
{
  forget (self);
}

static void
on_choice_changed (HlDownloadPage *self)
{
  self->was_stopped = FALSE;
  g_clear_object (&self->file);
  show_error (self, NULL);
  set_step (self, self->step == STEP_DONE ? STEP_OFFERED : self->step);
}

/* Stops what is going on; what has come is kept. */
void
hl_download_page_stop (HlDownloadPage *self)
{
  g_return_if_fail (HL_IS_DOWNLOAD_PAGE (self));

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
}

/* Gives the keyboard to what is to be written. */
void
hl_download_page_begin (HlDownloadPage *self)
{
  g_return_if_fail (HL_IS_DOWNLOAD_PAGE (self));

  gtk_widget_grab_focus (GTK_WIDGET (self->name_row));
}

static void
describe_places (HlDownloadPage *self)
{
  g_autofree char *address = hl_hub_place_get_endpoint ();
  g_autoptr (GUri) uri = g_uri_parse (address, G_URI_FLAGS_NONE, NULL);
  g_autoptr (GFile) folder = hl_hub_place_get_folder ();
  g_autofree char *place = g_file_get_parse_name (folder);
  const char *host = uri != NULL && g_uri_get_host (uri) != NULL ? g_uri_get_host (uri) : address;
  /* Translators: the first %s is huggingface.co, the second a folder */
  g_autofree char *text =
    g_strdup_printf (_ ("From %s to %s, where Hugging Face’s own tools look for models and keep theirs"), host, place);
  g_autofree char *markup = g_markup_escape_text (text, -1);

  adw_preferences_group_set_description (self->name_group, markup);
}

static void
hl_download_page_dispose (GObject *object)
{
  HlDownloadPage *self = HL_DOWNLOAD_PAGE (object);

  hl_download_page_stop (self);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->progress);
  g_clear_object (&self->file);
  g_clear_pointer (&self->offer, hl_hub_offer_unref);
  G_OBJECT_CLASS (hl_download_page_parent_class)->dispose (object);
}

static void
hl_download_page_class_init (HlDownloadPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_download_page_dispose;

  /* With the folder or file of the model that was downloaded. */
  signals[CHOSEN] =
    g_signal_new ("chosen", HL_TYPE_DOWNLOAD_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_FILE);
  /* There is another model on the computer. */
  signals[DOWNLOADED] =
    g_signal_new ("downloaded", HL_TYPE_DOWNLOAD_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/download-page.ui");
  gtk_widget_class_bind_template_child (widget_class, HlDownloadPage, name_group);
  gtk_widget_class_bind_template_child (widget_class, HlDownloadPage, name_row);
  gtk_widget_class_bind_template_child (widget_class, HlDownloadPage, offer_group);
  gtk_widget_class_bind_template_child (widget_class, HlDownloadPage, choice_row);
  gtk_widget_class_bind_template_child (widget_class, HlDownloadPage, size_row);
  gtk_widget_class_bind_template_child (widget_class, HlDownloadPage, progress_box);
  gtk_widget_class_bind_template_child (widget_class, HlDownloadPage, bar);
  gtk_widget_class_bind_template_child (widget_class, HlDownloadPage, progress_label);
  gtk_widget_class_bind_template_child (widget_class, HlDownloadPage, error_label);
  gtk_widget_class_bind_template_child (widget_class, HlDownloadPage, action_button);
  gtk_widget_class_bind_template_child (widget_class, HlDownloadPage, cancel_button);
  gtk_widget_class_bind_template_callback (widget_class, on_action);
  gtk_widget_class_bind_template_callback (widget_class, on_name_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_name_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_choice_changed);
  gtk_widget_class_bind_template_callback (widget_class, hl_download_page_stop);
}

static void
hl_download_page_init (HlDownloadPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_text_guard_entry (GTK_WIDGET (self->name_row));
  hl_accessible_name_buttons (GTK_WIDGET (self));
  describe_places (self);
  update (self);
}
