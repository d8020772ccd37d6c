/* SPDX-License-Identifier: MIT */
/* What a window shows while nothing is open: the sample, ways to open something, and what went wrong with the last attempt. */
#include "config.h"

#include "app/page/hl-welcome-page.h"

#include "app/base/hl-accessible.h"
#include "app/base/hl-recent.h"
#include "app/base/hl-sample.h"
#include "app/page/hl-sample-picture.h"
#include "app/widgets/hl-text-guard.h"
#include "app/widgets/hl-wrap-box.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_RECENT 5

struct _HlWelcomePage
{
  AdwBin parent_instance;

  GtkWidget *error_bar;
  GtkLabel *error_label;
  GtkWidget *axes_button;
  GtkWidget *sentence_box;
  GtkEditable *sentence;
  GtkWidget *sentence_button;
  GtkWidget *texts_box;
  GtkListBox *texts_list;
  GtkWidget *recent_group;
  GtkListBox *recent_list;
  GStrv recent; /* what its rows say, three texts each: their files, names and what stands below */
  gboolean follows_recent;
};

G_DEFINE_FINAL_TYPE (HlWelcomePage, hl_welcome_page, ADW_TYPE_BIN)

/* In one line a label asks for room for “…”, and GTK complains where that is more than its text needs. */
static gboolean
can_be_cut (const char *text)
{
  return g_utf8_strlen (text, -1) > 8;
}

/* A row that opens a file. */
static GtkWidget *
create_row (GFile      *file,
            const char *title,
            const char *subtitle)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *uri = g_file_get_uri (file);
  /* Rows read markup, names are not. */
  g_autofree char *title_markup = g_markup_escape_text (title, -1);
  g_autofree char *subtitle_markup = g_markup_escape_text (subtitle, -1);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title_markup);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle_markup);
  if (can_be_cut (subtitle))
    adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.open-recent");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", uri);
  return row;
}

/* Where a file is and when it was opened. */
static char *
dup_place_and_time (GFile *file)
{
  g_autofree char *place = hl_recent_dup_place (file);
  g_autofree char *time = hl_recent_dup_time (file);
  const char *const parts[] = { place != NULL ? place : time, place != NULL ? time : NULL, NULL };

  return g_strjoinv (" · ", (char **) parts);
}

static GtkWidget *
create_recent_row (const char *uri,
                   const char *name,
                   const char *subtitle)
{
  g_autoptr (GFile) file = g_file_new_for_uri (uri);
  GtkWidget *row = create_row (file, name, subtitle);
  GtkWidget *remove = gtk_button_new_from_icon_name ("window-close-symbolic");
  /* Translators: %s is the name of a file */
  g_autofree char *label = g_strdup_printf (_ ("Remove “%s” from the List"), name);

  if (can_be_cut (name))
    adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 1);
  gtk_widget_add_css_class (remove, "flat");
  gtk_widget_set_valign (remove, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (remove, _ ("Remove from the List"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (remove), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (remove), "win.forget-recent");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (remove), "s", uri);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), remove);
  return row;
}

static void
clear_list (GtkListBox *list)
{
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (list))) != NULL)
    gtk_list_box_remove (list, row);
}

static GStrv
list_recent (void)
{
  g_autoptr (GPtrArray) files = hl_recent_list (MAX_RECENT);
  g_auto (GStrv) names = hl_recent_list_names (files);
  g_autoptr (GStrvBuilder) texts = g_strv_builder_new ();

  for (guint i = 0; i < files->len; i++)
    {
      GFile *file = files->pdata[i];
      g_autofree char *uri = g_file_get_uri (file);
      g_autofree char *subtitle = dup_place_and_time (file);
      g_strv_builder_add_many (texts, uri, names[i], subtitle, NULL);
    }
  return g_strv_builder_end (texts);
}

/* Gives the keyboard to a row, or to the button in it, where there is such a row. */
static void
focus_recent (HlWelcomePage *self,
              int            index,
              gboolean       in_button)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (self->recent_list, index);

  if (row == NULL)
    return;
  gtk_widget_grab_focus (GTK_WIDGET (row));
  if (in_button)
    gtk_widget_child_focus (GTK_WIDGET (row), GTK_DIR_TAB_FORWARD);
}

/* The desktop says that the list changed when it is written, too: rows that say the same stay, and who is on one of them. */
static void
update_recent (HlWelcomePage *self)
{
  g_auto (GStrv) recent = list_recent ();
  const int n_files = (int) g_strv_length (recent) / 3;
  GtkWidget *focused = gtk_widget_get_focus_child (GTK_WIDGET (self->recent_list));
  const int index = focused != NULL ? gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (focused)) : -1;
  const gboolean in_button = focused != NULL && gtk_widget_get_focus_child (focused) != NULL;

  if (self->recent != NULL && g_strv_equal ((const char *const *) recent, (const char *const *) self->recent))
    return;
  clear_list (self->recent_list);
  for (int i = 0; i < n_files; i++)
    gtk_list_box_append (self->recent_list, create_recent_row (recent[3 * i], recent[3 * i + 1], recent[3 * i + 2]));
  gtk_widget_set_visible (self->recent_group, n_files > 0);
  /* Who removes one by the keyboard goes on with the next. */
  if (index >= 0)
    focus_recent (self, MIN (index, n_files - 1), in_button);
  g_strfreev (self->recent);
  self->recent = g_steal_pointer (&recent);
}

/* While it is not seen, what is opened goes there; it is looked at when the page is shown. */
static void
on_recent_changed (HlWelcomePage *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    update_recent (self);
}

static void
update_sample (HlWelcomePage *self)
{
  g_autoptr (GFile) model = hl_sample_find_model ();
  guint n_texts;
  const HlSampleText *texts = hl_sample_get_texts (&n_texts);

  gtk_widget_set_visible (self->sentence_box, model != NULL);
  gtk_widget_set_visible (self->texts_box, model == NULL);
  clear_list (self->texts_list);
  for (guint i = 0; model == NULL && i < n_texts; i++)
    {
      g_autoptr (GFile) dump = hl_sample_get_dump (&texts[i]);
      const char *second = texts[i].second_text;
      gtk_list_box_append (self->texts_list, create_row (dump, texts[i].text, second != NULL ? second : ""));
    }
}

/* Not spaces alone: they are no text. */
static char *
dup_sentence (HlWelcomePage *self)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (self->sentence)));
}

static void
on_sentence_changed (HlWelcomePage *self)
{
  g_autofree char *sentence = dup_sentence (self);

  gtk_widget_set_sensitive (self->sentence_button, *sentence != '\0');
}

static void
on_sentence (HlWelcomePage *self)
{
  g_autofree char *sentence = dup_sentence (self);

  if (*sentence != '\0')
    gtk_widget_activate_action (GTK_WIDGET (self), "win.open-sentence", "s", sentence);
}

static void
hl_welcome_page_map (GtkWidget *widget)
{
  HlWelcomePage *self = HL_WELCOME_PAGE (widget);
  GtkRecentManager *manager = hl_recent_get_manager ();

  if (!self->follows_recent && manager != NULL)
    {
      g_signal_connect_object (manager, "changed", G_CALLBACK (on_recent_changed), self, G_CONNECT_SWAPPED);
      self->follows_recent = TRUE;
    }
  update_recent (self);
  update_sample (self);
  GTK_WIDGET_CLASS (hl_welcome_page_parent_class)->map (widget);
  gtk_widget_grab_focus (GTK_WIDGET (self->sentence));
}

static void
hl_welcome_page_finalize (GObject *object)
{
  g_strfreev (HL_WELCOME_PAGE (object)->recent);
  G_OBJECT_CLASS (hl_welcome_page_parent_class)->finalize (object);
}

static void
hl_welcome_page_class_init (HlWelcomePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = hl_welcome_page_finalize;
  widget_class->map = hl_welcome_page_map;

  g_type_ensure (HL_TYPE_SAMPLE_PICTURE);
  g_type_ensure (HL_TYPE_WRAP_BOX);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/welcome-page.ui");
  gtk_widget_class_bind_template_child (widget_class, HlWelcomePage, error_bar);
  gtk_widget_class_bind_template_child (widget_class, HlWelcomePage, error_label);
  gtk_widget_class_bind_template_child (widget_class, HlWelcomePage, axes_button);
  gtk_widget_class_bind_template_child (widget_class, HlWelcomePage, sentence_box);
  gtk_widget_class_bind_template_child (widget_class, HlWelcomePage, sentence);
  gtk_widget_class_bind_template_child (widget_class, HlWelcomePage, sentence_button);
  gtk_widget_class_bind_template_child (widget_class, HlWelcomePage, texts_box);
  gtk_widget_class_bind_template_child (widget_class, HlWelcomePage, texts_list);
  gtk_widget_class_bind_template_child (widget_class, HlWelcomePage, recent_group);
  gtk_widget_class_bind_template_child (widget_class, HlWelcomePage, recent_list);
  gtk_widget_class_bind_template_callback (widget_class, on_sentence);
  gtk_widget_class_bind_template_callback (widget_class, on_sentence_changed);
}

static void
hl_welcome_page_init (HlWelcomePage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_text_guard_entry (GTK_WIDGET (self->sentence));
  hl_accessible_name_buttons (GTK_WIDGET (self));
}

void
hl_welcome_page_set_error (HlWelcomePage *self,
                           const char    *error)
{
  g_return_if_fail (HL_IS_WELCOME_PAGE (self));

  gtk_label_set_label (self->error_label, error != NULL ? error : "");
  gtk_widget_set_visible (self->error_bar, error != NULL);
  gtk_widget_set_visible (self->axes_button, FALSE);
}

/* Offers to say how a file is to be read, if the error is still shown. */
void
hl_welcome_page_offer_axes (HlWelcomePage *self,
                            const char    *error,
                            const char    *uri)
{
  g_return_if_fail (HL_IS_WELCOME_PAGE (self));

  if (!g_str_equal (gtk_label_get_label (self->error_label), error))
    return;
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->axes_button), "s", uri);
  gtk_widget_set_visible (self->axes_button, TRUE);
}
