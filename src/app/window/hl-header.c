/* SPDX-License-Identifier: MIT */
/*
 * The width decides what is in it: with room the views have the middle and the title stands before them, and on a narrow
 * window buttons are icons and the rest is in a bar at the bottom. How wide is wide follows from what it holds.
 */
#include "app/window/hl-header.h"

#include "app/base/hl-accessible.h"
#include "app/base/hl-focus.h"
#include "app/base/hl-recent.h"
#include "app/base/hl-tooltip.h"
#include "app/page/hl-view-switch.h"
#include "core/base/hl-utf8.h"

#define MAX_RECENT 10
/* Of a name in a menu, which is as wide as the longest; the last tell files of one kind apart. */
#define MAX_LETTERS 48
#define END_LETTERS 20
/* What a title has at most. */
#define TITLE_WIDTH 320
#define SPARE_WIDTH 20

struct _HlHeader
{
  AdwBin parent_instance;

  AdwHeaderBar *bar;
  AdwWindowTitle *title;
  GtkWidget *title_in_middle;
  GtkWidget *title_at_start;
  GtkWidget *sidebar_button;
  GtkWidget *open_button;
  GtkWidget *narrow_open_button;
  GtkWidget *views_place;
  GtkWidget *views;
  GtkWidget *find_place;
  GtkWidget *find_button;
  GtkWidget *panel_button;
  GtkWidget *export_button;
  GtkWidget *narrow_export_button;
  GtkWidget *document_button;
  GtkWidget *primary_button;
  GMenuModel *open_menu;
  GMenuModel *document_menu;
  GMenuModel *primary_menu;
  GMenu *recent_menu;

  HlAdaptive *adaptive; /* not owned: it stands in there */
  gboolean has_document;
};

G_DEFINE_FINAL_TYPE (HlHeader, hl_header, ADW_TYPE_BIN)

static int
measure_width (GtkWidget *widget)
{
  int nat;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &nat, NULL, NULL);
  return nat;
}

/* What is needed with the views in it, whether they are or not: with room for any title, so that another one does not
 * move them. */
static int
measure_wide (gpointer user_data)
{
  HlHeader *self = user_data;
  const int start = measure_width (gtk_widget_get_parent (self->sidebar_button));
  const int end = measure_width (gtk_widget_get_parent (self->export_button));

  if (!self->has_document)
    return G_MAXINT;
  /* What is between them is only measured once it is there: they come with more to spare than they go. */
  return start + end + measure_width (self->views) + TITLE_WIDTH +
         (hl_adaptive_get_wide (self->adaptive) ? SPARE_WIDTH - measure_width (self->title_at_start)
                                                : 2 * SPARE_WIDTH + measure_width (self->find_button));
}

/* On a narrow window the title has the room of the buttons that make it smaller or larger. */
static void
place_decoration (HlHeader *self,
                  gboolean  narrow)
{
  g_autofree char *layout = NULL;
  g_autoptr (GString) shorter = g_string_new (NULL);

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-decoration-layout", &layout, NULL);
  g_string_append (shorter, layout);
  g_string_replace (shorter, "minimize", "", 0);
  g_string_replace (shorter, "maximize", "", 0);
  adw_header_bar_set_decoration_layout (self->bar, narrow ? shorter->str : NULL);
}

/* Without a document there is nothing that the views and what stands beside them could be for. */
static void
arrange (HlHeader *self)
{
  const gboolean narrow = hl_adaptive_get_narrow (self->adaptive), wide = hl_adaptive_get_wide (self->adaptive);

  gtk_widget_set_visible (self->open_button, !narrow);
  gtk_widget_set_visible (self->narrow_open_button, narrow);
  gtk_widget_set_visible (self->title_at_start, wide);
  gtk_widget_set_visible (self->title_in_middle, !wide);
  gtk_widget_set_visible (self->views_place, wide);
  gtk_widget_set_visible (self->find_place, wide);
  gtk_widget_set_visible (self->sidebar_button, self->has_document && !narrow);
  gtk_widget_set_visible (self->panel_button, self->has_document && !narrow);
  gtk_widget_set_visible (self->export_button, self->has_document && !narrow);
  gtk_widget_set_visible (self->narrow_export_button, self->has_document && narrow);
  gtk_widget_set_visible (self->document_button, self->has_document);
}

static void
on_narrow (HlHeader *self)
{
  arrange (self);
  place_decoration (self, hl_adaptive_get_narrow (self->adaptive));
}

static void
update_recent (HlHeader *self)
{
  g_autoptr (GPtrArray) files = hl_recent_list (MAX_RECENT);
  g_auto (GStrv) names = hl_recent_list_names (files);

  g_menu_remove_all (self->recent_menu);
  for (guint i = 0; i < files->len; i++)
    {
      GFile *file = g_ptr_array_index (files, i);
      g_autofree char *uri = g_file_get_uri (file);
      g_autofree char *name = hl_utf8_shorten_middle (names[i], MAX_LETTERS, END_LETTERS);
      /* An underline in a name is no mnemonic. */
      g_auto (GStrv) parts = g_strsplit (name, "_", -1);
      g_autofree char *label = g_strjoinv ("__", parts);
      g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
      g_menu_item_set_action_and_target (item, "win.open-recent", "s", uri);
      g_menu_append_item (self->recent_menu, item);
    }
}

/* Keys after something was chosen are for the picture, not for the button of the menu. */
static void
on_document_menu_closed (HlHeader *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus == NULL || hl_focus_is_in (self->document_button))
    g_signal_emit_by_name (self, "document-menu-left");
}

/* Menus are made when they are first asked for: of their widgets nobody sees one before. */
static void
make_open_menu (GtkMenuButton *button,
                gpointer       data)
{
  HlHeader *self = data;
  AdwSplitButton *split = ADW_SPLIT_BUTTON (gtk_widget_get_ancestor (GTK_WIDGET (button), ADW_TYPE_SPLIT_BUTTON));

  update_recent (self);
  if (adw_split_button_get_menu_model (split) == NULL)
    adw_split_button_set_menu_model (split, self->open_menu);
}

static void
make_primary_menu (GtkMenuButton *button,
                   gpointer       data)
{
  if (gtk_menu_button_get_menu_model (button) == NULL)
    gtk_menu_button_set_menu_model (button, HL_HEADER (data)->primary_menu);
}

static void
hl_header_class_init (HlHeaderClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  /* The document's menu was closed, and nothing else has taken the keyboard from it. */
  g_signal_new ("document-menu-left", HL_TYPE_HEADER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  g_type_ensure (HL_TYPE_VIEW_SWITCH);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/header.ui");
  gtk_widget_class_bind_template_child (widget_class, HlHeader, bar);
  gtk_widget_class_bind_template_child (widget_class, HlHeader, title);
  gtk_widget_class_bind_template_child (widget_class, HlHeader, title_in_middle);
  gtk_widget_class_bind_template_child (widget_class, HlHeader, title_at_start);
  gtk_widget_class_bind_template_child (widget_class, HlHeader, sidebar_button);
  gtk_widget_class_bind_template_child (widget_class, HlHeader, open_button);
  gtk_widget_class_bind_template_child (widget_class, HlHeader, narrow_open_button);
  gtk_widget_class_bind_template_child (widget_class, HlHeader, views_place);
  gtk_widget_class_bind_template_child (widget_class, HlHeader, views);
  gtk_widget_class_bind_template_child (widget_class, HlHeader, find_place);
  gtk_widget_class_bind_template_child (widget_class, HlHeader, find_button);
  gtk_widget_class_bind_template_child (widget_class, HlHeader, panel_button);
  gtk_widget_class_bind_template_child (widget_class, HlHeader, export_button);
  gtk_widget_class_bind_template_child (widget_class, HlHeader, narrow_export_button);
  gtk_widget_class_bind_template_child (widget_class, HlHeader, document_button);
  gtk_widget_class_bind_template_child (widget_class, HlHeader, primary_button);
  gtk_widget_class_bind_template_child (widget_class, HlHeader, recent_menu);
  gtk_widget_class_bind_template_child (widget_class, HlHeader, open_menu);
  gtk_widget_class_bind_template_child (widget_class, HlHeader, document_menu);
  gtk_widget_class_bind_template_child (widget_class, HlHeader, primary_menu);
}

static void
hl_header_init (HlHeader *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_menu_button_set_create_popup_func (hl_accessible_find_menu_part (ADW_SPLIT_BUTTON (self->open_button)),
                                         make_open_menu, self, NULL);
  gtk_menu_button_set_create_popup_func (hl_accessible_find_menu_part (ADW_SPLIT_BUTTON (self->narrow_open_button)),
                                         make_open_menu, self, NULL);
  /* Of an item that is in a window a screen reader is not told any more that it is a choice (GTK 4.8): a menu with choices is
   * made before. */
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->document_button), self->document_menu);
  g_signal_connect_object (gtk_menu_button_get_popover (GTK_MENU_BUTTON (self->document_button)), "closed",
                           G_CALLBACK (on_document_menu_closed), self, G_CONNECT_SWAPPED);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->primary_button), make_primary_menu, self, NULL);
}

/* Whose width it follows, and asks to be wide for the views. */
void
hl_header_set_adaptive (HlHeader   *self,
                        HlAdaptive *adaptive)
{
  g_return_if_fail (HL_IS_HEADER (self) && self->adaptive == NULL);
  g_return_if_fail (HL_IS_ADAPTIVE (adaptive) && gtk_widget_is_ancestor (GTK_WIDGET (self), GTK_WIDGET (adaptive)));

  self->adaptive = adaptive;
  g_signal_connect_object (adaptive, "notify::narrow", G_CALLBACK (on_narrow), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adaptive, "notify::wide", G_CALLBACK (arrange), self, G_CONNECT_SWAPPED);
  arrange (self);
  hl_adaptive_set_measure_wide (adaptive, measure_wide, self);
}

void
hl_header_set_titles (HlHeader   *self,
                      const char *title,
                      const char *subtitle)
{
  g_return_if_fail (HL_IS_HEADER (self));
  g_return_if_fail (title != NULL && subtitle != NULL);

  adw_window_title_set_title (self->title, title);
  adw_window_title_set_subtitle (self->title, subtitle);
  /* On a narrow window either is cut. */
  g_autofree char *whole = *subtitle != '\0' ? g_strdup_printf ("%s\n%s", title, subtitle) : g_strdup (title);
  hl_tooltip_set_passing (GTK_WIDGET (self->title), whole);
}

/* Whether there is one, be it that it is still being opened. */
void
hl_header_set_has_document (HlHeader *self,
                            gboolean  has_document)
{
  g_return_if_fail (HL_IS_HEADER (self) && self->adaptive != NULL);

  self->has_document = has_document;
  arrange (self);
}

void
hl_header_set_view_state (HlHeader    *self,
                          HlViewState *state)
{
  g_return_if_fail (HL_IS_HEADER (self));

  hl_state_panel_set_view_state (HL_STATE_PANEL (self->views), state);
}
