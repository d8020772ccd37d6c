/* SPDX-License-Identifier: MIT */
/* A row for everything that can be the second side: of the document itself, of the other tabs, of a file. */
#include "config.h"

#include "app/window/hl-compare-dialog.h"

#include "app/base/hl-accessible.h"
#include "app/base/hl-file-choice.h"
#include "app/session/hl-example-names.h"

#include <glib/gi18n.h>

struct _HlCompareDialog
{
  AdwWindow parent_instance;

  AdwActionRow *head_row;
  AdwActionRow *layer_row;
  AdwComboRow *example_row;
  GtkWidget *example_button;
  AdwActionRow *text_row;
  AdwActionRow *adapter_row;
  AdwPreferencesGroup *pages_group;

  HlDocumentPage *page;
};

G_DEFINE_FINAL_TYPE (HlCompareDialog, hl_compare_dialog, ADW_TYPE_WINDOW)

static HlSession *
get_session (HlCompareDialog *self)
{
  return hl_document_page_get_session (self->page);
}

static HlCompareView *
get_compare_view (HlCompareDialog *self)
{
  return hl_document_page_get_compare_view (self->page);
}

static void
show_error (HlCompareDialog *self,
            const GError    *error)
{
  g_signal_emit_by_name (get_compare_view (self), "failed", error);
}

/* The same document once more; what it shows may differ in example and heads. */
static void
start (HlCompareDialog     *self,
       HlSession           *of,
       guint                example,
       const HlHeadPairing *pairing)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSession) other = hl_session_new (hl_session_get_document (of), &error);

  if (other == NULL)
    show_error (self, error);
  else
    {
      hl_session_set_example_index (other, example);
      /* Of the same document the first side looks whether it changes, at what was opened. */
      if (of != get_session (self) && hl_session_get_watch (of) != NULL)
        hl_session_watch (other, hl_file_watch_get_stamp (hl_session_get_watch (of)));
      hl_compare_view_start (get_compare_view (self), other, pairing);
    }
  gtk_window_destroy (GTK_WINDOW (self));
}

/* What a model computes changes with what is typed: the second side is a run of its own. */
static void
start_with (HlCompareDialog     *self,
            HlDocumentPage      *page,
            guint                example,
            const HlHeadPairing *pairing)
{
  HlSession *session = hl_document_page_get_session (page);

  if (hl_session_get_live (session) == NULL || page == self->page)
    start (self, session, example, pairing);
  else
    {
      hl_compare_view_open (get_compare_view (self), hl_document_page_get_file (page), session);
      gtk_window_destroy (GTK_WINDOW (self));
    }
}

static guint
get_next (guint index,
          guint n)
{
  return index + 1 < n ? index + 1 : index > 0 ? index - 1 : 0;
}

static void
on_head (HlCompareDialog *self)
{
  HlViewState *state = hl_session_get_view_state (get_session (self));
  const HlHeadPairing pairing = { (int) hl_view_state_get_layer (state),
                                  (int) get_next (hl_view_state_get_head (state), hl_view_state_get_n_heads (state)) };

  start_with (self, self->page, hl_session_get_example_index (get_session (self)), &pairing);
}

/* Of those that have attention: the next, or, behind the last, the one before. */
static guint
get_next_layer (HlViewState *state)
{
  HlAttention *attention = hl_view_state_get_attention (state);
  const guint layer = hl_view_state_get_layer (state);
  guint before = layer;

  for (guint next = layer + 1; next < hl_attention_get_n_layers (attention); next++)
    if (hl_attention_get_n_heads (attention, next) > 0)
      return next;
  while (before > 0 && hl_attention_get_n_heads (attention, --before) == 0)
    ;
  return before;
}

static void
on_layer (HlCompareDialog *self)
{
  HlViewState *state = hl_session_get_view_state (get_session (self));
  const HlHeadPairing pairing = { (int) get_next_layer (state), -1 };

  start_with (self, self->page, hl_session_get_example_index (get_session (self)), &pairing);
}

static void
on_example (HlCompareDialog *self)
{
  start_with (self, self->page, adw_combo_row_get_selected (self->example_row), &(HlHeadPairing){ -1, -1 });
}

static void
on_text (HlCompareDialog *self)
{
  hl_compare_view_open (get_compare_view (self), hl_document_page_get_file (self->page), get_session (self));
  gtk_window_destroy (GTK_WINDOW (self));
}

static void
on_adapter (HlCompareDialog *self)
{
  hl_compare_view_open_counterpart (get_compare_view (self));
  gtk_window_destroy (GTK_WINDOW (self));
}

static void
on_page (HlCompareDialog *self,
         AdwActionRow    *row)
{
  HlDocumentPage *page = g_object_get_data (G_OBJECT (row), "page");
  HlSession *session = hl_document_page_get_session (page);

  /* It may have been closed in the meantime. */
  if (session != NULL)
    start_with (self, page, hl_session_get_example_index (session), &(HlHeadPairing){ -1, -1 });
}

static void
on_file_chosen (HlCompareDialog      *self,
                int                   response,
                GtkFileChooserNative *chooser)
{
  g_autoptr (GFile) file = hl_file_choice_get_file (chooser, response);

  if (file == NULL)
    return;
  GtkWindow *parent = gtk_window_get_transient_for (GTK_WINDOW (self));
  hl_compare_view_open (get_compare_view (self), file, NULL);
  gtk_window_destroy (GTK_WINDOW (self));
  /* Two windows over it go at once, and not every window manager finds what is left below. */
  gtk_window_present (parent);
}

static void
choose (HlCompareDialog     *self,
        GtkFileChooserAction action,
        const char          *title)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (title, GTK_WINDOW (self), action, _ ("_Compare"), NULL);

  g_signal_connect_object (chooser, "response", G_CALLBACK (on_file_chosen), self, G_CONNECT_SWAPPED);
  hl_file_choice_show (chooser, hl_document_page_get_file (self->page));
}

static void
on_file (HlCompareDialog *self)
{
  choose (self, GTK_FILE_CHOOSER_ACTION_OPEN, _ ("Compare with a File"));
}

static void
on_folder (HlCompareDialog *self)
{
  choose (self, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _ ("Compare with a Model"));
}

static void
hl_compare_dialog_dispose (GObject *object)
{
  g_clear_object (&HL_COMPARE_DIALOG (object)->page);
  G_OBJECT_CLASS (hl_compare_dialog_parent_class)->dispose (object);
}

static void
hl_compare_dialog_class_init (HlCompareDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_compare_dialog_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/compare-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, HlCompareDialog, head_row);
  gtk_widget_class_bind_template_child (widget_class, HlCompareDialog, layer_row);
  gtk_widget_class_bind_template_child (widget_class, HlCompareDialog, example_row);
  gtk_widget_class_bind_template_child (widget_class, HlCompareDialog, example_button);
  gtk_widget_class_bind_template_child (widget_class, HlCompareDialog, text_row);
  gtk_widget_class_bind_template_child (widget_class, HlCompareDialog, adapter_row);
  gtk_widget_class_bind_template_child (widget_class, HlCompareDialog, pages_group);
  gtk_widget_class_bind_template_callback (widget_class, on_head);
  gtk_widget_class_bind_template_callback (widget_class, on_layer);
  gtk_widget_class_bind_template_callback (widget_class, on_example);
  gtk_widget_class_bind_template_callback (widget_class, on_text);
  gtk_widget_class_bind_template_callback (widget_class, on_adapter);
  gtk_widget_class_bind_template_callback (widget_class, on_file);
  gtk_widget_class_bind_template_callback (widget_class, on_folder);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
hl_compare_dialog_init (HlCompareDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_accessible_name_buttons (GTK_WIDGET (self));
}

static void
fill_examples (HlCompareDialog *self)
{
  HlDocument *document = hl_session_get_document (get_session (self));
  const guint n = hl_document_get_n_examples (document);
  const guint shown = hl_session_get_example_index (get_session (self));
  g_autoptr (GtkStringList) names = hl_example_names_new (document);

  gtk_widget_set_visible (GTK_WIDGET (self->example_row), n > 1);
  adw_combo_row_set_model (self->example_row, G_LIST_MODEL (names));
  adw_combo_row_set_selected (self->example_row, get_next (shown, n));
}

static void
fill_pages (HlCompareDialog *self,
            GListModel      *pages)
{
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (pages); i++)
    {
      g_autoptr (HlDocumentPage) page = g_list_model_get_item (pages, i);
      HlSession *session = hl_document_page_get_session (page);
      if (page == self->page || session == NULL)
        continue;
      GtkWidget *row = adw_action_row_new ();
      const char *subtitle = hl_session_get_subtitle (session);
      adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), hl_document_page_get_name (page));
      adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle != NULL ? subtitle : "");
      adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
      gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
      g_object_set_data_full (G_OBJECT (row), "page", g_object_ref (page), g_object_unref);
      g_signal_connect_swapped (row, "activated", G_CALLBACK (on_page), self);
      adw_preferences_group_add (self->pages_group, row);
      n++;
    }
  gtk_widget_set_visible (GTK_WIDGET (self->pages_group), n > 0);
}

static void
fill_adapter (HlCompareDialog *self)
{
  HlLiveModel *live = hl_session_get_live (get_session (self));
  const gboolean has_adapter = live != NULL && hl_live_model_has_adapter (live);

  gtk_widget_set_visible (GTK_WIDGET (self->adapter_row), has_adapter);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->adapter_row), has_adapter && !hl_live_model_is_bare (live)
                                                                            ? _ ("The Same Text, _without the Adapter")
                                                                            : _ ("The Same Text, _with the Adapter"));
}

GtkWidget *
hl_compare_dialog_new (HlDocumentPage *page,
                       GListModel     *pages)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (page), NULL);
  g_return_val_if_fail (G_IS_LIST_MODEL (pages), NULL);

  HlCompareDialog *self = g_object_new (HL_TYPE_COMPARE_DIALOG, NULL);
  self->page = g_object_ref (page);
  HlViewState *state = hl_session_get_view_state (get_session (self));
  gtk_widget_set_visible (GTK_WIDGET (self->head_row), hl_view_state_get_n_heads (state) > 1);
  gtk_widget_set_visible (GTK_WIDGET (self->layer_row),
                          hl_attention_get_n_layers (hl_view_state_get_attention (state)) > 1);
  HlLiveModel *live = hl_session_get_live (get_session (self));
  gtk_widget_set_visible (GTK_WIDGET (self->text_row), live != NULL);
  if (live != NULL && hl_live_model_get_pixels (live) != NULL)
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->text_row), _ ("Another _Image"));
  fill_adapter (self);
  fill_examples (self);
  fill_pages (self, pages);
  /* What it offers is of what was shown when it came. */
  g_signal_connect_object (page, "notify::session", G_CALLBACK (gtk_window_destroy), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
