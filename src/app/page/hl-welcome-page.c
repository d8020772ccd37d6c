/* SPDX-License-Identifier: MIT */
/* What a window shows while nothing is open: ways to open something, and what went wrong with the last attempt. */
#include "config.h"

#include "app/page/hl-welcome-page.h"

#include "app/base/hl-accessible.h"
#include "app/base/hl-recent.h"
#include "core/base/hl-file-name.h"

#define MAX_RECENT 5

struct _HlWelcomePage
{
  AdwBin parent_instance;

  GtkWidget *error_bar;
  GtkLabel *error_label;
  GtkWidget *axes_button;
  GtkWidget *recent_group;
  GtkListBox *recent_list;
};

G_DEFINE_FINAL_TYPE (HlWelcomePage, hl_welcome_page, ADW_TYPE_BIN)

static GtkWidget *
create_row (GFile *file)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *uri = g_file_get_uri (file);
  g_autofree char *name = hl_file_dup_display_name (file);
  g_autofree char *place = hl_recent_dup_place (file);
  /* Rows read markup, names are not. */
  g_autofree char *title = g_markup_escape_text (name, -1);
  g_autofree char *subtitle = place != NULL ? g_markup_escape_text (place, -1) : NULL;

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 1);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle != NULL ? subtitle : "");
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.open-recent");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", uri);
  return row;
}

static void
update_recent (HlWelcomePage *self)
{
  g_autoptr (GPtrArray) files = hl_recent_list (MAX_RECENT);
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->recent_list))) != NULL)
    gtk_list_box_remove (self->recent_list, row);
  for (guint i = 0; i < files->len; i++)
    gtk_list_box_append (self->recent_list, create_row (g_ptr_array_index (files, i)));
  gtk_widget_set_visible (self->recent_group, files->len > 0);
}

static void
hl_welcome_page_map (GtkWidget *widget)
{
  update_recent (HL_WELCOME_PAGE (widget));
  GTK_WIDGET_CLASS (hl_welcome_page_parent_class)->map (widget);
}

static void
hl_welcome_page_class_init (HlWelcomePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->map = hl_welcome_page_map;

  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/welcome-page.ui");
  gtk_widget_class_bind_template_child (widget_class, HlWelcomePage, error_bar);
  gtk_widget_class_bind_template_child (widget_class, HlWelcomePage, error_label);
  gtk_widget_class_bind_template_child (widget_class, HlWelcomePage, axes_button);
  gtk_widget_class_bind_template_child (widget_class, HlWelcomePage, recent_group);
  gtk_widget_class_bind_template_child (widget_class, HlWelcomePage, recent_list);
}

static void
hl_welcome_page_init (HlWelcomePage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
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
