/* SPDX-License-Identifier: MIT */
/* The models that other programs have put on this computer. They are listed by a worker; their rows, of which there can be thousands, come
 * little by little. */
#include "config.h"

#include "app/window/hl-models-dialog.h"

#include "app/base/hl-accessible.h"
#include "app/widgets/hl-text-guard.h"
#include "app/widgets/hl-two-lines.h"
#include "app/widgets/hl-waiting.h"
#include "app/window/hl-download-page.h"
#include "core/base/hl-utf8.h"
#include "core/model/local/hl-local-models.h"

#include <glib/gi18n.h>

/* As HlDatasetChooser does: so many take two milliseconds. */
#define ROWS_AT_ONCE 16

/* Of the dialog's own stack. */
#define LIST_PAGE "list"

struct _HlModelsDialog
{
  AdwWindow parent_instance;

  GtkStack *pages;
  GtkWidget *back_button;
  GtkWidget *download_button;
  HlDownloadPage *download_page;
  GtkSearchEntry *search;
  GtkStack *stack;
  HlLateSpinner *spinner;
  GtkListView *list;
  GListStore *found;
  AdwStatusPage *empty_page;
  GtkWidget *notes_bar;
  GtkLabel *notes_label;

  HlLocalModels *models; /* none while they are being listed */
  guint n_compared;
  guint fill_id;
  GCancellable *cancellable;
};

enum
{
  CHOSEN,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlModelsDialog, hl_models_dialog, ADW_TYPE_WINDOW)

static void
on_setup (GtkSignalListItemFactory *factory,
          GtkListItem              *item)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *size = gtk_label_new (NULL);

  gtk_widget_add_css_class (size, "numeric");
  gtk_widget_add_css_class (size, "dim-label");
  gtk_box_append (GTK_BOX (row), hl_two_lines_new (8));
  gtk_box_append (GTK_BOX (row), size);
  gtk_list_item_set_child (item, row);
}

/* Names are those of folders and files that others made. */
static char *
dup_flat (const char *text)
{
  char *flat = g_strdup (text);

  if (flat != NULL)
    hl_utf8_flatten (flat);
  return flat;
}

/* What it is called where it lies, where it calls itself otherwise; where that is; its family, or why it cannot be opened. */
static char *
make_subtitle (HlLocalModel *model)
{
  const HlFamily *family = hl_local_model_get_family (model);
  const char *name = hl_local_model_get_name (model);
  const gboolean has_title = !g_str_equal (hl_local_model_get_title (model), name);

  g_autofree char *subtitle = g_strconcat (has_title ? name : "", has_title ? " · " : "",
                                           _ (hl_local_model_get_cache (model)->label), " · ",
                                           family != NULL ? family->label : hl_local_model_get_problem (model), NULL);
  return dup_flat (subtitle);
}

static void
on_bind (GtkSignalListItemFactory *factory,
         GtkListItem              *item)
{
  HlLocalModel *model = gtk_list_item_get_item (item);
  GtkWidget *row = gtk_list_item_get_child (item);
  GtkWidget *lines = gtk_widget_get_first_child (row);
  g_autofree char *title = dup_flat (hl_local_model_get_title (model));
  g_autofree char *problem = dup_flat (hl_local_model_get_problem (model));
  const gboolean can_open = problem == NULL;
  g_autofree char *subtitle = make_subtitle (model);
  g_autofree char *bytes = hl_local_model_get_size (model) > 0 ? g_format_size (hl_local_model_get_size (model))
                                                               : g_strdup ("");
  g_autofree char *label = g_strjoin (", ", title, subtitle, *bytes != '\0' ? bytes : NULL, NULL);

  hl_two_lines_set (lines, title, subtitle);
  hl_two_lines_set_dim (lines, can_open);
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_last_child (row)), bytes);
  gtk_widget_set_sensitive (row, can_open);
  gtk_list_item_set_activatable (item, can_open);
  gtk_list_item_set_selectable (item, can_open);
  /* The row of the list itself, which is there whatever can be done with it, has the pointer. */
  GtkWidget *parent = gtk_widget_get_parent (row);
  gtk_widget_set_tooltip_text (parent, problem);
  gtk_accessible_update_property (GTK_ACCESSIBLE (parent), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_accessible_update_state (GTK_ACCESSIBLE (parent), GTK_ACCESSIBLE_STATE_DISABLED, !can_open, -1);
}

static void
update_page (HlModelsDialog *self)
{
  const char *page = g_list_model_get_n_items (G_LIST_MODEL (self->found)) > 0 ? "list"
                     : self->models == NULL                                    ? "waiting"
                     : self->models->models->len == 0                          ? "empty"
                                                                               : "nothing";

  gtk_stack_set_visible_child_name (self->stack, page);
}

/* Adds some of what is to be seen. */
static gboolean
fill (gpointer data)
{
  HlModelsDialog *self = data;
  GPtrArray *models = self->models->models;
  const char *wanted = gtk_editable_get_text (GTK_EDITABLE (self->search));
  g_autoptr (GPtrArray) some = g_ptr_array_new ();

  for (; self->n_compared < models->len && some->len < ROWS_AT_ONCE; self->n_compared++)
    if (hl_local_model_matches (models->pdata[self->n_compared], wanted))
      g_ptr_array_add (some, models->pdata[self->n_compared]);
  g_list_store_splice (self->found, g_list_model_get_n_items (G_LIST_MODEL (self->found)), 0, some->pdata, some->len);
  if (self->n_compared < models->len)
    return G_SOURCE_CONTINUE;
  self->fill_id = 0;
  update_page (self);
  return G_SOURCE_REMOVE;
}

static void
show_found (HlModelsDialog *self)
{
  if (self->models == NULL)
    return;
  self->n_compared = 0;
  g_list_store_remove_all (self->found);
  g_clear_handle_id (&self->fill_id, g_source_remove);
  /* The first are there at once, or the list would flicker. */
  if (fill (self) == G_SOURCE_CONTINUE)
    {
      update_page (self);
      self->fill_id = g_idle_add_full (GDK_PRIORITY_REDRAW + 1, fill, self, NULL);
    }
}

static void
show_notes (HlModelsDialog *self)
{
  const guint n = self->models->notes->len;

  gtk_widget_set_visible (self->notes_bar, n > 0);
  if (n == 0)
    return;
  g_autofree char *first = dup_flat (self->models->notes->pdata[0]);
  g_autofree char *more =
    g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s, and %u other folder", "%s, and %u other folders", n - 1), first,
                     n - 1);
  gtk_label_set_label (self->notes_label, n > 1 ? more : first);
}

static void
show_places (HlModelsDialog *self)
{
  g_autoptr (GString) text = g_string_new (
    _ ("What Hugging Face’s tools, Ollama, llama.cpp and LM Studio download is listed here. Headlight looked in:"));

  for (guint i = 0; i < self->models->places->len; i++)
    {
      g_autofree char *place = dup_flat (self->models->places->pdata[i]);
      g_string_append_printf (text, "\n%s", place);
    }
  /* Descriptions are markup, paths are not. */
  g_autofree char *description = g_markup_escape_text (text->str, -1);
  adw_status_page_set_description (self->empty_page, description);
}

static gboolean
is_list (HlModelsDialog *self)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (self->pages), LIST_PAGE) == 0;
}

static void
on_listed (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (HlModelsDialog) self = data;
  HlLocalModels *models = hl_local_models_list_finish (result, NULL);

  /* There is none only when the dialog is closed. */
  if (models == NULL)
    return;
  g_clear_handle_id (&self->fill_id, g_source_remove);
  g_clear_pointer (&self->models, hl_local_models_free);
  self->models = models;
  hl_late_spinner_set_busy (self->spinner, FALSE);
  show_notes (self);
  show_places (self);
  gtk_widget_set_sensitive (GTK_WIDGET (self->search), models->models->len > 0);
  show_found (self);
  if (models->models->len > 0 && is_list (self))
    gtk_widget_grab_focus (GTK_WIDGET (self->search));
}

static void
list_models (HlModelsDialog *self)
{
  hl_local_models_list_async (self->cancellable, on_listed, g_object_ref (self));
}

static void
choose_file (HlModelsDialog *self,
             GFile          *file)
{
  g_object_ref (self);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_signal_emit (self, signals[CHOSEN], 0, file);
  gtk_window_destroy (GTK_WINDOW (self));
  g_object_unref (self);
}

static void
choose (HlModelsDialog *self,
        guint           position)
{
  g_autoptr (HlLocalModel) model = g_list_model_get_item (G_LIST_MODEL (self->found), position);

  if (model != NULL && hl_local_model_get_problem (model) == NULL)
    choose_file (self, hl_local_model_get_file (model));
}

static void
on_downloaded_chosen (HlModelsDialog *self,
                      GFile          *file)
{
  choose_file (self, file);
}

static void
show_page (HlModelsDialog *self,
           const char     *name,
           const char     *title)
{
  const gboolean is_first = g_str_equal (name, LIST_PAGE);

  gtk_stack_set_visible_child_name (self->pages, name);
  gtk_widget_set_visible (self->back_button, !is_first);
  gtk_widget_set_visible (self->download_button, is_first);
  /* What is typed is not searched for elsewhere. */
  gtk_search_entry_set_key_capture_widget (self->search, is_first ? GTK_WIDGET (self) : NULL);
  gtk_window_set_title (GTK_WINDOW (self), title);
}

static void
show_download (HlModelsDialog *self)
{
  show_page (self, "download", _ ("Download a Model"));
  hl_download_page_begin (self->download_page);
}

/* What is being downloaded stops, and goes on another time. */
static void
show_list (HlModelsDialog *self)
{
  hl_download_page_stop (self->download_page);
  show_page (self, LIST_PAGE, _ ("Models on This Computer"));
  gtk_widget_grab_focus (gtk_widget_get_sensitive (GTK_WIDGET (self->search)) ? GTK_WIDGET (self->search)
                                                                              : self->download_button);
}

/* Escape leads back, and then closes the dialog. */
static gboolean
leave (GtkWidget *widget,
       GVariant  *arguments,
       gpointer   data)
{
  HlModelsDialog *self = HL_MODELS_DIALOG (widget);

  if (is_list (self))
    gtk_window_close (GTK_WINDOW (self));
  else
    show_list (self);
  return TRUE;
}

static void
on_search_activate (HlModelsDialog *self)
{
  choose (self, 0);
}

/* From the search, the arrow leads to what was found. */
static gboolean
on_search_key (HlModelsDialog *self,
               guint           key)
{
  if (key != GDK_KEY_Down && key != GDK_KEY_KP_Down)
    return GDK_EVENT_PROPAGATE;
  return gtk_widget_grab_focus (GTK_WIDGET (self->list));
}

/* Escape clears a search, and closes the dialog when there is none. */
static void
on_stop_search (HlModelsDialog *self)
{
  if (*gtk_editable_get_text (GTK_EDITABLE (self->search)) != '\0')
    gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  else
    gtk_window_close (GTK_WINDOW (self));
}

/* Not only once it is disposed of: what is listed and what is downloaded hold it. */
static gboolean
hl_models_dialog_close_request (GtkWindow *window)
{
  HlModelsDialog *self = HL_MODELS_DIALOG (window);

  hl_download_page_stop (self->download_page);
  g_cancellable_cancel (self->cancellable);
  return GTK_WINDOW_CLASS (hl_models_dialog_parent_class)->close_request (window);
}

static void
hl_models_dialog_dispose (GObject *object)
{
  HlModelsDialog *self = HL_MODELS_DIALOG (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_handle_id (&self->fill_id, g_source_remove);
  g_clear_pointer (&self->models, hl_local_models_free);
  G_OBJECT_CLASS (hl_models_dialog_parent_class)->dispose (object);
}

static void
hl_models_dialog_class_init (HlModelsDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_models_dialog_dispose;
  GTK_WINDOW_CLASS (klass)->close_request = hl_models_dialog_close_request;

  /* With the folder or file of a model; the dialog is closed behind it. */
  signals[CHOSEN] =
    g_signal_new ("chosen", HL_TYPE_MODELS_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_FILE);

  g_type_ensure (HL_TYPE_DOWNLOAD_PAGE);
  g_type_ensure (HL_TYPE_LATE_SPINNER);
  g_type_ensure (HL_TYPE_LOCAL_MODEL);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/models-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, HlModelsDialog, pages);
  gtk_widget_class_bind_template_child (widget_class, HlModelsDialog, back_button);
  gtk_widget_class_bind_template_child (widget_class, HlModelsDialog, download_button);
  gtk_widget_class_bind_template_child (widget_class, HlModelsDialog, download_page);
  gtk_widget_class_bind_template_child (widget_class, HlModelsDialog, search);
  gtk_widget_class_bind_template_child (widget_class, HlModelsDialog, stack);
  gtk_widget_class_bind_template_child (widget_class, HlModelsDialog, spinner);
  gtk_widget_class_bind_template_child (widget_class, HlModelsDialog, list);
  gtk_widget_class_bind_template_child (widget_class, HlModelsDialog, found);
  gtk_widget_class_bind_template_child (widget_class, HlModelsDialog, empty_page);
  gtk_widget_class_bind_template_child (widget_class, HlModelsDialog, notes_bar);
  gtk_widget_class_bind_template_child (widget_class, HlModelsDialog, notes_label);
  gtk_widget_class_bind_template_callback (widget_class, on_setup);
  gtk_widget_class_bind_template_callback (widget_class, on_bind);
  gtk_widget_class_bind_template_callback (widget_class, choose);
  gtk_widget_class_bind_template_callback (widget_class, show_found);
  gtk_widget_class_bind_template_callback (widget_class, on_search_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_search_key);
  gtk_widget_class_bind_template_callback (widget_class, on_stop_search);
  gtk_widget_class_bind_template_callback (widget_class, on_downloaded_chosen);
  gtk_widget_class_bind_template_callback (widget_class, list_models);
  gtk_widget_class_bind_template_callback (widget_class, show_download);
  gtk_widget_class_bind_template_callback (widget_class, show_list);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, leave, NULL);
}

static void
hl_models_dialog_init (HlModelsDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_text_guard_entry (GTK_WIDGET (self->search));
  hl_accessible_name_buttons (GTK_WIDGET (self));
  gtk_search_entry_set_key_capture_widget (self->search, GTK_WIDGET (self));
  hl_late_spinner_set_busy (self->spinner, TRUE);
  self->cancellable = g_cancellable_new ();
  list_models (self);
}

GtkWidget *
hl_models_dialog_new (void)
{
  return g_object_new (HL_TYPE_MODELS_DIALOG, NULL);
}
