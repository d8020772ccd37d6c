/* SPDX-License-Identifier: MIT */
/*
 * A window: tabs of documents, or the welcome page while there is none. A file that opens at once never shows a
 * loading page, and one that cannot be opened leaves everything as it was.
 */
#include "config.h"

#include "app/window/hl-window-private.h"

#include "app/base/hl-accessible.h"
#include "app/base/hl-recent.h"
#include "app/base/hl-settings.h"
#include "core/base/hl-error.h"

#include <glib/gi18n.h>

enum
{
  PROP_SIDEBAR_VISIBLE = 1,
  PROP_PANEL_VISIBLE,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (HlWindow, hl_window, ADW_TYPE_APPLICATION_WINDOW)

static void
update_title (HlWindow *self)
{
  const char *title = self->page != NULL ? hl_document_page_get_name (self->page) : _ ("Headlight");
  const char *subtitle = self->session != NULL ? hl_session_get_subtitle (self->session) : NULL;
  /* Translators: the window's title: a file's name, then the program's */
  g_autofree char *window_title =
    self->page != NULL ? g_strdup_printf (_ ("%s — Headlight"), title) : g_strdup (title);

  adw_window_title_set_title (self->title, title);
  adw_window_title_set_subtitle (self->title, subtitle != NULL ? subtitle : "");
  gtk_window_set_title (GTK_WINDOW (self), window_title);
}

static void
set_session (HlWindow  *self,
             HlSession *session)
{
  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      g_signal_handlers_disconnect_by_data (hl_session_get_view_state (self->session), self);
    }
  g_set_object (&self->session, session);
  if (session != NULL)
    {
      g_signal_connect_swapped (session, "notify::subtitle", G_CALLBACK (update_title), self);
      g_signal_connect_swapped (hl_session_get_view_state (session), "notify",
                                G_CALLBACK (hl_window_update_actions), self);
    }
}

static void
on_page_session (HlWindow *self)
{
  set_session (self, hl_document_page_get_session (self->page));
  update_title (self);
  hl_window_update_actions (self);
}

/* Follows the tab that is on top. */
static void
on_selected_page (HlWindow *self)
{
  AdwTabPage *tab = adw_tab_view_get_selected_page (self->tab_view);
  HlDocumentPage *page = tab != NULL ? HL_DOCUMENT_PAGE (adw_tab_page_get_child (tab)) : NULL;

  if (self->page != NULL)
    {
      g_signal_handlers_disconnect_by_func (self->page, on_page_session, self);
      g_signal_handlers_disconnect_by_data (hl_document_page_get_compare_view (self->page), self);
    }
  set_session (self, NULL);
  g_set_object (&self->page, page);
  if (page != NULL)
    {
      g_signal_connect_swapped (page, "notify::session", G_CALLBACK (on_page_session), self);
      g_signal_connect_swapped (hl_document_page_get_compare_view (page), "notify",
                                G_CALLBACK (hl_window_update_actions), self);
      g_signal_connect_swapped (page, "notify::loading", G_CALLBACK (hl_window_update_actions), self);
      set_session (self, hl_document_page_get_session (page));
    }
  update_title (self);
  hl_window_update_actions (self);
}

static AdwTabPage *
get_tab (HlWindow       *self,
         HlDocumentPage *page)
{
  return adw_tab_view_get_page (self->tab_view, GTK_WIDGET (page));
}

/* Brings a tab to the top. */
void
hl_window_show_page (HlWindow       *self,
                     HlDocumentPage *page)
{
  g_return_if_fail (HL_IS_WINDOW (self));
  g_return_if_fail (gtk_widget_is_ancestor (GTK_WIDGET (page), GTK_WIDGET (self->tab_view)));

  hl_welcome_page_set_error (self->welcome_page, NULL);
  adw_tab_view_set_selected_page (self->tab_view, get_tab (self, page));
  gtk_stack_set_visible_child_name (self->stack, "tabs");
}

static void
on_n_pages (HlWindow *self)
{
  if (adw_tab_view_get_n_pages (self->tab_view) == 0)
    gtk_stack_set_visible_child_name (self->stack, "welcome");
}

static gboolean
focus_page (gpointer data)
{
  if (gtk_widget_get_mapped (data))
    hl_document_page_focus (data);
  return G_SOURCE_REMOVE;
}

/* The keyboard goes to a picture that came below another when it is first on top, after the tabs have let go of it. */
static void
on_first_map (HlDocumentPage *page,
              gpointer        data)
{
  g_signal_handlers_disconnect_by_func (page, on_first_map, data);
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, focus_page, g_object_ref (page), g_object_unref);
}

static void
on_page_ready (HlWindow       *self,
               HlDocumentPage *page)
{
  GFile *session_file = hl_document_page_get_session_file (page);

  if (session_file != NULL)
    hl_recent_add (session_file, FALSE);
  else
    hl_recent_add (hl_document_page_get_file (page), hl_session_get_live (hl_document_page_get_session (page)) != NULL);
  if (!hl_arrival_settle (page))
    {
      g_signal_connect (page, "map", G_CALLBACK (on_first_map), NULL);
      return;
    }
  hl_window_show_page (self, page);
  hl_document_page_focus (page);
}

/* A page whose file was never read goes without a trace. What was read and came behind it takes its place. */
static void
drop_page (HlWindow       *self,
           HlDocumentPage *page)
{
  if (hl_document_page_get_session (page) != NULL)
    return;
  HlDocumentPage *next = hl_arrival_leave (page);
  adw_tab_view_close_page (self->tab_view, get_tab (self, page));
  if (next != NULL && hl_document_page_get_session (next) != NULL &&
      gtk_widget_is_ancestor (GTK_WIDGET (next), GTK_WIDGET (self->tab_view)))
    {
      hl_window_show_page (self, next);
      hl_document_page_focus (next);
    }
}

static void
on_page_failed (HlWindow       *self,
                const GError   *error,
                HlDocumentPage *page)
{
  g_autofree char *text =
    g_strdup_printf ("%s: %s", hl_document_page_get_name (page), error->message);

  g_object_ref (page);
  if (hl_window_offer_locate (self, hl_document_page_get_file (page), error))
    {
      drop_page (self, page);
      g_object_unref (page);
      return;
    }
  if (error->domain == HL_ERROR && hl_document_page_get_session (page) == NULL)
    hl_window_offer_axes (self, hl_document_page_get_file (page), text);
  drop_page (self, page);
  g_object_unref (page);
  if (adw_tab_view_get_n_pages (self->tab_view) > 0)
    hl_window_say (self, text, NULL, HL_SENTENCE_SECONDS);
  else
    hl_welcome_page_set_error (self->welcome_page, text);
}

static void
on_page_attached (HlWindow   *self,
                  AdwTabPage *tab)
{
  HlDocumentPage *page = HL_DOCUMENT_PAGE (adw_tab_page_get_child (tab));

  g_signal_connect_object (page, "ready", G_CALLBACK (on_page_ready), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (page, "failed", G_CALLBACK (on_page_failed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (page, "cancelled", G_CALLBACK (drop_page), self, G_CONNECT_SWAPPED);
  g_object_bind_property (self, "sidebar-visible", page, "sidebar-visible",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  g_object_bind_property (self, "panel-visible", page, "panel-visible",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
}

static void
on_page_detached (HlWindow   *self,
                  AdwTabPage *tab)
{
  GtkWidget *page = adw_tab_page_get_child (tab);

  g_signal_handlers_disconnect_by_func (page, on_page_ready, self);
  g_signal_handlers_disconnect_by_func (page, on_page_failed, self);
  g_signal_handlers_disconnect_by_func (page, drop_page, self);
}

static gboolean
on_close_page (HlWindow   *self,
               AdwTabPage *tab)
{
  hl_document_page_close (HL_DOCUMENT_PAGE (adw_tab_page_get_child (tab)));
  adw_tab_view_close_page_finish (self->tab_view, tab, TRUE);
  return GDK_EVENT_STOP;
}

static AdwTabView *
on_create_window (HlWindow *self)
{
  HlWindow *window = hl_window_new (gtk_window_get_application (GTK_WINDOW (self)));

  gtk_stack_set_visible_child_name (window->stack, "tabs");
  gtk_window_present (GTK_WINDOW (window));
  return window->tab_view;
}

HlDocumentPage *
hl_window_get_page (HlWindow *self)
{
  g_return_val_if_fail (HL_IS_WINDOW (self), NULL);
  return self->page;
}

HlDocumentPage *
hl_window_find_page (HlWindow *self,
                     GFile    *file)
{
  g_return_val_if_fail (HL_IS_WINDOW (self), NULL);
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  /* Sessions of one file can be open side by side; that on top comes first. */
  if (self->page != NULL && g_file_equal (hl_document_page_get_file (self->page), file))
    return self->page;
  for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++)
    {
      AdwTabPage *tab = adw_tab_view_get_nth_page (self->tab_view, i);
      HlDocumentPage *page = HL_DOCUMENT_PAGE (adw_tab_page_get_child (tab));
      if (g_file_equal (hl_document_page_get_file (page), file))
        return page;
    }
  return NULL;
}

gboolean
hl_window_close_tab (HlWindow *self)
{
  AdwTabPage *tab = adw_tab_view_get_selected_page (self->tab_view);

  if (tab == NULL)
    return FALSE;
  adw_tab_view_close_page (self->tab_view, tab);
  return TRUE;
}

/* Keys after a view was chosen are for its picture, not for the button of the menu. */
static void
on_view_menu_closed (HlWindow *self)
{
  if (self->page != NULL)
    hl_document_page_focus_scene (self->page);
}

static void
fill_view_menu (HlWindow *self)
{
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint i = 0; i < HL_N_VIEW_KINDS; i++)
    {
      const HlViewTraits *view = hl_view_kind_get_traits (i);
      g_autoptr (GMenuItem) item = g_menu_item_new (_ (view->label), NULL);
      g_menu_item_set_action_and_target (item, "win.view", "s", view->nick);
      g_menu_append_item (menu, item);
    }
  hl_window_append_reading_menu (menu);
  gtk_menu_button_set_menu_model (self->view_button, G_MENU_MODEL (menu));
  g_signal_connect_swapped (gtk_menu_button_get_popover (self->view_button), "closed",
                            G_CALLBACK (on_view_menu_closed), self);
}

static gboolean
hl_window_close_request (GtkWindow *window)
{
  HlWindow *self = HL_WINDOW (window);
  int width, height;

  gtk_window_get_default_size (window, &width, &height);
  g_settings_set_int (self->settings, "window-width", CLAMP (width, 360, 32767));
  g_settings_set_int (self->settings, "window-height", CLAMP (height, 240, 32767));
  g_settings_set_boolean (self->settings, "window-maximized", gtk_window_is_maximized (window));
  while (hl_window_close_tab (self))
    ;
  return GTK_WINDOW_CLASS (hl_window_parent_class)->close_request (window);
}

static void
hl_window_get_property (GObject    *object,
                        guint       id,
                        GValue     *value,
                        GParamSpec *pspec)
{
  HlWindow *self = HL_WINDOW (object);

  switch (id)
    {
    case PROP_SIDEBAR_VISIBLE:
      g_value_set_boolean (value, self->sidebar_visible);
      break;
    case PROP_PANEL_VISIBLE:
      g_value_set_boolean (value, self->panel_visible);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
set_visible (HlWindow *self,
             gboolean *slot,
             gboolean  visible,
             guint     id)
{
  if (*slot == visible)
    return;
  *slot = visible;
  g_object_notify_by_pspec (G_OBJECT (self), properties[id]);
  hl_window_update_actions (self);
}

static void
hl_window_set_property (GObject      *object,
                        guint         id,
                        const GValue *value,
                        GParamSpec   *pspec)
{
  HlWindow *self = HL_WINDOW (object);

  switch (id)
    {
    case PROP_SIDEBAR_VISIBLE:
      set_visible (self, &self->sidebar_visible, g_value_get_boolean (value), id);
      break;
    case PROP_PANEL_VISIBLE:
      set_visible (self, &self->panel_visible, g_value_get_boolean (value), id);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_window_dispose (GObject *object)
{
  HlWindow *self = HL_WINDOW (object);

  if (self->page != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->page, self);
      g_signal_handlers_disconnect_by_data (hl_document_page_get_compare_view (self->page), self);
    }
  set_session (self, NULL);
  g_clear_object (&self->page);
  g_clear_object (&self->settings);
  hl_window_clear_toast (self);
  G_OBJECT_CLASS (hl_window_parent_class)->dispose (object);
}

static void
hl_window_class_init (HlWindowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags writable = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = hl_window_get_property;
  object_class->set_property = hl_window_set_property;
  object_class->dispose = hl_window_dispose;
  GTK_WINDOW_CLASS (klass)->close_request = hl_window_close_request;

  properties[PROP_SIDEBAR_VISIBLE] =
    g_param_spec_boolean ("sidebar-visible", NULL, NULL, TRUE, writable);
  properties[PROP_PANEL_VISIBLE] = g_param_spec_boolean ("panel-visible", NULL, NULL, TRUE, writable);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  g_type_ensure (HL_TYPE_WELCOME_PAGE);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/window.ui");
  gtk_widget_class_bind_template_child (widget_class, HlWindow, title);
  gtk_widget_class_bind_template_child (widget_class, HlWindow, view_button);
  gtk_widget_class_bind_template_child (widget_class, HlWindow, recent_menu);
  gtk_widget_class_bind_template_child (widget_class, HlWindow, toast_overlay);
  gtk_widget_class_bind_template_child (widget_class, HlWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, HlWindow, welcome_page);
  gtk_widget_class_bind_template_child (widget_class, HlWindow, tab_view);
  gtk_widget_class_bind_template_callback (widget_class, on_selected_page);
  gtk_widget_class_bind_template_callback (widget_class, on_n_pages);
  gtk_widget_class_bind_template_callback (widget_class, on_page_attached);
  gtk_widget_class_bind_template_callback (widget_class, on_page_detached);
  gtk_widget_class_bind_template_callback (widget_class, on_close_page);
  gtk_widget_class_bind_template_callback (widget_class, on_create_window);
  hl_window_install_keys (widget_class);
}

static void
hl_window_init (HlWindow *self)
{
  self->settings = hl_settings_new ();
  self->sidebar_visible = g_settings_get_boolean (self->settings, "sidebar-visible");
  self->panel_visible = g_settings_get_boolean (self->settings, "panel-visible");
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_accessible_name_buttons (GTK_WIDGET (self));
  gtk_window_set_default_size (GTK_WINDOW (self),
                               g_settings_get_int (self->settings, "window-width"),
                               g_settings_get_int (self->settings, "window-height"));
  if (g_settings_get_boolean (self->settings, "window-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));

  /* Home and End with Ctrl are the scene's. */
  adw_tab_view_remove_shortcuts (
    self->tab_view, ADW_TAB_VIEW_SHORTCUT_CONTROL_HOME | ADW_TAB_VIEW_SHORTCUT_CONTROL_END);
  fill_view_menu (self);
  hl_window_install_actions (self);
  hl_window_init_drop (self);
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed",
                           G_CALLBACK (hl_window_update_recent), self, G_CONNECT_SWAPPED);
  hl_window_update_recent (self);
  update_title (self);
  hl_window_update_actions (self);
}

HlWindow *
hl_window_new (GtkApplication *application)
{
  g_return_val_if_fail (GTK_IS_APPLICATION (application), NULL);
  return g_object_new (HL_TYPE_WINDOW, "application", application, NULL);
}
