/* SPDX-License-Identifier: MIT */
/* A window that says what is in a file: where it is, what it holds, and what looked odd about it. All of it can be
 * copied, to be put into a bug report or a lab book. */
#include "app/reading/hl-details-dialog.h"

#include "app/base/hl-toast.h"
#include "app/reading/hl-attention-text.h"
#include "app/widgets/hl-long-label.h"
#include "core/base/file/hl-file-name.h"
#include "core/base/hl-utf8.h"
#include "view/hl-sentence.h"

#include <glib/gi18n.h>

/* The most letters of a fact that are shown; more would take long to lay out, and nobody reads them here. */
#define MAX_LETTERS 3000

struct _HlDetailsDialog
{
  AdwWindow parent_instance;

  HlSession *session;
  gulong examining_id;
  gulong example_id;
  gulong checks_id;
  /* What the rows say, as it is copied. */
  GString *text;
  GPtrArray *rows;

  GtkWidget *copy_button;
  AdwPreferencesGroup *file;
  AdwPreferencesGroup *attentions;
  AdwPreferencesGroup *checks;
  GtkSpinner *examining;
  AdwToastOverlay *toasts;
  GtkSizeGroup *names;
};

G_DEFINE_FINAL_TYPE (HlDetailsDialog, hl_details_dialog, ADW_TYPE_WINDOW)

static void
add_row (HlDetailsDialog     *self,
         AdwPreferencesGroup *group,
         GtkWidget           *row)
{
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  /* What is in it can be selected; the row itself is nothing to stop at. */
  gtk_widget_set_focusable (row, FALSE);
  adw_preferences_group_add (group, row);
  g_ptr_array_add (self->rows, row);
}

/* As much as is shown of a text of a file, each of its lines as a line. */
static char *
dup_shown (const char *value)
{
  g_autofree char *start = hl_utf8_shorten (value, MAX_LETTERS);
  g_auto (GStrv) lines = g_strsplit (start, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    hl_utf8_flatten (lines[i]);
  return g_strjoinv ("\n", lines);
}

/* A name at the left, what it is beside it. Facts that the file does not tell have no row. */
static void
add_fact (HlDetailsDialog     *self,
          AdwPreferencesGroup *group,
          const char          *name,
          const char          *value)
{
  GtkWidget *row, *box, *name_label, *value_label;

  if (value == NULL || *value == '\0')
    return;

  g_autofree char *shown = dup_shown (value);
  row = adw_preferences_row_new ();
  box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  name_label = gtk_label_new (name);
  gtk_label_set_xalign (GTK_LABEL (name_label), 0);
  gtk_label_set_yalign (GTK_LABEL (name_label), 0);
  value_label = hl_long_label_new (shown);
  gtk_size_group_add_widget (self->names, name_label);
  gtk_widget_add_css_class (name_label, "dim-label");
  gtk_widget_add_css_class (value_label, "numeric");
  gtk_widget_add_css_class (box, "hl-fact");
  gtk_box_append (GTK_BOX (box), name_label);
  gtk_box_append (GTK_BOX (box), value_label);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  add_row (self, group, row);
  g_string_append_printf (self->text, "%s: %s\n", name, shown);
}

static void
add_file_facts (HlDetailsDialog *self)
{
  HlDocument *document = hl_session_get_document (self->session);
  HlExample *example = hl_view_state_get_example (hl_session_get_view_state (self->session));
  GFile *file = hl_document_get_file (document);
  const guint n_examples = hl_document_get_n_examples (document);
  g_autofree char *path = hl_file_dup_display_path (file);

  add_fact (self, self->file, _ ("File"), path);
  add_fact (self, self->file, _ ("Format"), hl_document_get_container (document));
  add_fact (self, self->file, _ ("Model"), hl_document_get_model (document));
  if (n_examples > 1)
    {
      g_autofree char *examples = g_strdup_printf ("%u", n_examples);
      add_fact (self, self->file, _ ("Examples"), examples);
      add_fact (self, self->file, _ ("Example Shown"), hl_example_get_name (example));
    }
  add_fact (self, self->file, _ ("Text"), hl_example_get_text (example));
  add_fact (self, self->file, _ ("Second Text"), hl_example_get_text_pair (example));
}

/* The file, the size of what is in it, and what the model makes of it. */
static void
add_pixel_facts (HlDetailsDialog *self)
{
  HlLiveModel *live = hl_session_get_live (self->session);
  GFile *file = live != NULL ? hl_live_model_get_pixels (live) : NULL;
  HlModelCall *call = hl_view_state_get_call (hl_session_get_view_state (self->session));
  const HlPixels *pixels = call != NULL ? hl_model_call_get_input (call)->pixels : NULL;

  if (file == NULL || pixels == NULL)
    return;
  g_autofree char *path = hl_file_dup_display_path (file);
  g_autofree char *size = g_strdup_printf ("%zu × %zu × %zu", pixels->n_channels, pixels->height, pixels->width);
  g_autofree char *grid = hl_model_describe_grid (hl_model_call_get_model (call), pixels);
  const gboolean is_image = hl_live_model_has_image (live);
  add_fact (self, self->file, is_image ? _ ("Image") : _ ("Pixels"), path);
  add_fact (self, self->file, is_image ? _ ("Pixels") : _ ("Size"), size);
  add_fact (self, self->file, _ ("Patches"), grid);
}

static void
add_attention_facts (HlDetailsDialog *self)
{
  HlExample *example = hl_view_state_get_example (hl_session_get_view_state (self->session));

  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    {
      HlAttention *attention = hl_example_get_attention (example, i);
      g_autofree char *sizes = hl_attention_text_sizes (attention);
      g_autofree char *traits = hl_attention_text_traits (attention);
      g_autofree char *text = g_strdup_printf ("%s\n%s", sizes, traits);
      add_fact (self, self->attentions, hl_attention_kind_get_label (hl_attention_get_kind (attention)), text);
    }
}

static void
add_check (HlDetailsDialog *self,
           HlCheck         *check)
{
  const gboolean is_warning = hl_check_get_severity (check) == HL_SEVERITY_WARNING;
  g_autofree char *sentence = hl_sentence_new (hl_check_get_message (check));
  GtkWidget *row = adw_preferences_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *icon =
    gtk_image_new_from_icon_name (is_warning ? "dialog-warning-symbolic" : "dialog-information-symbolic");

  gtk_accessible_update_property (GTK_ACCESSIBLE (icon), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  is_warning ? _ ("Warning") : _ ("Note"), -1);
  gtk_widget_add_css_class (icon, is_warning ? "warning" : "dim-label");
  gtk_widget_add_css_class (box, "hl-fact");
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), hl_long_label_new (sentence));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  add_row (self, self->checks, row);
  g_string_append_printf (self->text, "%s: %s\n", is_warning ? _ ("Warning") : _ ("Note"),
                          hl_check_get_message (check));
}

static void
add_checks (HlDetailsDialog *self)
{
  GListModel *checks = hl_session_get_checks (self->session);
  const guint n = g_list_model_get_n_items (checks);
  const gboolean is_examining = hl_session_get_examining (self->session);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (HlCheck) check = g_list_model_get_item (checks, i);
      add_check (self, check);
    }
  gtk_spinner_set_spinning (self->examining, is_examining);
  adw_preferences_group_set_description (self->checks, is_examining ? _ ("The numbers are being examined…")
                                                       : n == 0     ? _ ("Nothing looked odd")
                                                                    : NULL);
}

/* Which row has the focus; as many as there are rows for none. */
static guint
find_focus (HlDetailsDialog *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  guint i = 0;

  while (i < self->rows->len && (focus == NULL || !gtk_widget_is_ancestor (focus, self->rows->pdata[i])))
    i++;
  return i;
}

/* The focus is put back where it was. Meanwhile it is at what stays: from nowhere, GTK 4.8 would move it to the first text, with a
 * critical message about there having been none. */
static void
update (HlDetailsDialog *self)
{
  const guint focused = find_focus (self);
  const gboolean has_focus = focused < self->rows->len;

  if (has_focus)
    gtk_widget_grab_focus (self->copy_button);
  for (guint i = 0; i < self->rows->len; i++)
    {
      GtkWidget *row = g_ptr_array_index (self->rows, i);
      adw_preferences_group_remove (ADW_PREFERENCES_GROUP (gtk_widget_get_ancestor (row, ADW_TYPE_PREFERENCES_GROUP)),
                                    row);
    }
  g_ptr_array_set_size (self->rows, 0);
  g_string_truncate (self->text, 0);
  add_file_facts (self);
  add_pixel_facts (self);
  add_attention_facts (self);
  add_checks (self);
  if (has_focus && focused < self->rows->len)
    gtk_widget_child_focus (self->rows->pdata[focused], GTK_DIR_TAB_FORWARD);
}

static void
copy (GtkWidget  *widget,
      const char *action,
      GVariant   *parameter)
{
  HlDetailsDialog *self = HL_DETAILS_DIALOG (widget);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), self->text->str);
  hl_toast_say (self->toasts, _ ("Copied"), NULL, HL_TOAST_WORD_SECONDS);
}

static void
disconnect_session (HlDetailsDialog *self)
{
  if (self->session == NULL)
    return;
  g_clear_signal_handler (&self->examining_id, self->session);
  g_clear_signal_handler (&self->example_id, hl_session_get_view_state (self->session));
  g_clear_signal_handler (&self->checks_id, hl_session_get_checks (self->session));
  g_clear_object (&self->session);
}

static void
hl_details_dialog_dispose (GObject *object)
{
  HlDetailsDialog *self = HL_DETAILS_DIALOG (object);

  disconnect_session (self);
  hl_toast_clear (self->toasts);
  G_OBJECT_CLASS (hl_details_dialog_parent_class)->dispose (object);
}

static void
hl_details_dialog_finalize (GObject *object)
{
  HlDetailsDialog *self = HL_DETAILS_DIALOG (object);

  g_string_free (self->text, TRUE);
  g_ptr_array_unref (self->rows);
  G_OBJECT_CLASS (hl_details_dialog_parent_class)->finalize (object);
}

static void
hl_details_dialog_class_init (HlDetailsDialogClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = hl_details_dialog_dispose;
  object_class->finalize = hl_details_dialog_finalize;

  gtk_widget_class_install_action (widget_class, "details.copy", NULL, copy);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/details-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, HlDetailsDialog, copy_button);
  gtk_widget_class_bind_template_child (widget_class, HlDetailsDialog, file);
  gtk_widget_class_bind_template_child (widget_class, HlDetailsDialog, attentions);
  gtk_widget_class_bind_template_child (widget_class, HlDetailsDialog, checks);
  gtk_widget_class_bind_template_child (widget_class, HlDetailsDialog, examining);
  gtk_widget_class_bind_template_child (widget_class, HlDetailsDialog, toasts);
  gtk_widget_class_bind_template_child (widget_class, HlDetailsDialog, names);
}

static void
hl_details_dialog_init (HlDetailsDialog *self)
{
  self->text = g_string_new (NULL);
  self->rows = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
hl_details_dialog_new (HlSession *session)
{
  g_return_val_if_fail (HL_IS_SESSION (session), NULL);

  HlDetailsDialog *self = g_object_new (HL_TYPE_DETAILS_DIALOG, NULL);
  self->session = g_object_ref (session);
  self->examining_id = g_signal_connect_swapped (session, "notify::examining", G_CALLBACK (update), self);
  self->example_id =
    g_signal_connect_swapped (hl_session_get_view_state (session), "notify::example", G_CALLBACK (update), self);
  self->checks_id =
    g_signal_connect_swapped (hl_session_get_checks (session), "items-changed", G_CALLBACK (update), self);
  update (self);
  return GTK_WIDGET (self);
}
