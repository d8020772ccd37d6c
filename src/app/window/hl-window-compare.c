/* SPDX-License-Identifier: MIT */
/* How a window begins to compare, and ends. */
#include "config.h"

#include "app/window/hl-window-private.h"

#include "app/window/hl-compare-dialog.h"

static HlCompareView *
get_compare_view (HlWindow *self)
{
  return self->page != NULL ? hl_document_page_get_compare_view (self->page) : NULL;
}

static void
compare (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       data)
{
  HlWindow *self = data;
  g_autoptr (GListStore) pages = g_list_store_new (HL_TYPE_DOCUMENT_PAGE);

  for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++)
    g_list_store_append (pages, adw_tab_page_get_child (adw_tab_view_get_nth_page (self->tab_view, i)));
  GtkWidget *dialog = hl_compare_dialog_new (self->page, G_LIST_MODEL (pages));
  gtk_window_set_transient_for (GTK_WINDOW (dialog), GTK_WINDOW (self));
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
stop_comparing (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       data)
{
  hl_compare_view_stop (get_compare_view (data));
}

static void
change_difference (GSimpleAction *action,
                   GVariant      *value,
                   gpointer       data)
{
  hl_compare_view_set_difference (get_compare_view (data), g_variant_get_boolean (value));
}

static const GActionEntry entries[] = {
  { "compare", compare },
  { "stop-comparing", stop_comparing },
  { "difference", NULL, NULL, "false", change_difference },
};

void
hl_window_install_compare (HlWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
hl_window_update_compare (HlWindow *self)
{
  HlCompareView *view = get_compare_view (self);
  const gboolean has_link = view != NULL && hl_compare_view_get_link (view) != NULL;
  const gboolean difference = view != NULL && hl_compare_view_get_difference (view);
  const gboolean enabled[] = { self->session != NULL, view != NULL && hl_compare_view_get_active (view), has_link };

  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    hl_window_enable_action (self, entries[i].name, enabled[i]);
  hl_window_set_action_state (self, "difference", g_variant_new_boolean (difference));
}
