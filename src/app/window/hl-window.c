/* SPDX-License-Identifier: MIT */
/*
 * A window: tabs of documents, or the welcome page while there is none. A file that opens at once never shows a
 * loading page, and one that cannot be opened leaves everything as it was. What can be done in it are commands.
 */
#include "config.h"

#include "app/window/hl-window.h"

#include "app/base/hl-accessible.h"
#include "app/base/hl-focus.h"
#include "app/widgets/hl-adaptive.h"
#include "app/base/hl-motion.h"
#include "app/base/hl-recent.h"
#include "app/base/hl-settings.h"
#include "app/base/hl-toast.h"
#include "app/live/hl-image-file.h"
#include "app/page/hl-arrival.h"
#include "app/page/hl-view-switch.h"
#include "app/page/hl-welcome-page.h"
#include "app/session/hl-banner.h"
#include "app/session/hl-lost.h"
#include "app/window/hl-axes-offer.h"
#include "app/window/hl-locate.h"
#include "app/window/hl-lost-bar.h"
#include "core/base/hl-error.h"
#include "app/window/hl-header.h"
#include "core/base/file/hl-file-name.h"
#include "core/base/hl-utf8.h"
#include "view/session/hl-saved-session.h"

#include <glib/gi18n.h>

/* Before that, what was shown stays: a file opened sooner than this never shows a loading page. */
#define REVEAL_AFTER_MS 300
/* What a page has once it was on top, and once there was a picture in it. */
#define SEEN_KEY "hl-seen"
#define READ_KEY "hl-read"
/* One for each amount of room. */
#define N_VIEW_SWITCHES 4

struct _HlWindow
{
  AdwApplicationWindow parent_instance;

  HlAdaptive *adaptive;
  HlHeader *header;
  GtkWidget *top_bar;
  GtkWidget *bottom_bar;
  GtkWidget *view_switches[N_VIEW_SWITCHES];
  AdwToastOverlay *toast_overlay;
  GtkStack *stack;
  HlWelcomePage *welcome_page;
  AdwTabView *tab_view;

  GSettings *settings;
  /* What is on top: whose changes the title and the commands follow. */
  HlDocumentPage *page;
  /* A weak pointer: what was on top before a page that is still loading came there. */
  HlDocumentPage *left_page;
  HlSession *session;
  char *message;              /* that was said last of the window */
  gboolean selects_by_itself; /* a tab comes on top, and nobody asked for it */
  gboolean sidebar_visible;
  gboolean panel_visible;
  gboolean wants[HL_N_PAGE_PANELS]; /* what somebody chose, in a window with room */
};

enum
{
  PROP_SIDEBAR_VISIBLE = 1,
  PROP_PANEL_VISIBLE,
  N_PROPERTIES,
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static GParamSpec *properties[N_PROPERTIES];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlWindow, hl_window, ADW_TYPE_APPLICATION_WINDOW)

static HlDocumentPage *
get_top_page (HlWindow *self)
{
  AdwTabPage *tab = adw_tab_view_get_selected_page (self->tab_view);

  return tab != NULL ? HL_DOCUMENT_PAGE (adw_tab_page_get_child (tab)) : NULL;
}

/* What the window is about: that on top, or what is there in its place until it is known whether that can be read. */
static HlDocumentPage *
get_seen_page (HlWindow *self)
{
  const gboolean has_tabs = gtk_stack_get_visible_child (self->stack) == GTK_WIDGET (self->tab_view);

  return self->page != NULL ? self->page : has_tabs ? get_top_page (self) : NULL;
}

static void
update_title (HlWindow *self)
{
  HlDocumentPage *page = get_seen_page (self);
  const char *name = page != NULL ? hl_document_page_get_name (page) : _ ("Headlight");
  HlLiveModel *live = self->session != NULL ? hl_session_get_live (self->session) : NULL;
  /* Translators: %s is an adapter of a model that is shown as it is without */
  g_autofree char *title =
    live != NULL && hl_live_model_shows_bare (live) ? g_strdup_printf (_ ("%s (Adapter Off)"), name) : g_strdup (name);
  const char *subtitle = self->session != NULL ? hl_session_get_subtitle (self->session) : NULL;
  /* Translators: the window's title: a file's name, then the program's */
  g_autofree char *window_title = page != NULL ? g_strdup_printf (_ ("%s — Headlight"), title) : g_strdup (title);

  hl_header_set_titles (self->header, title, subtitle != NULL ? subtitle : "");
  gtk_window_set_title (GTK_WINDOW (self), window_title);
}

/* Views stand in the header where there is room, else in a bar below it, and on a narrow window at the bottom. */
static void
place_views (HlWindow *self)
{
  const gboolean has_page = get_seen_page (self) != NULL, narrow = hl_adaptive_get_narrow (self->adaptive);

  gtk_widget_set_visible (self->top_bar, has_page && !narrow && !hl_adaptive_get_wide (self->adaptive));
  gtk_widget_set_visible (self->bottom_bar, has_page && narrow);
}

static void
on_state_changed (HlWindow *self,
                  HlChanges changes)
{
  g_signal_emit (self, signals[CHANGED], 0, changes);
}

/* Another document, or more than how it is looked at. */
static void
emit_changed (HlWindow *self)
{
  on_state_changed (self, HL_CHANGED_ANYTHING);
}

static void
set_session (HlWindow  *self,
             HlSession *session)
{
  HlViewState *state = session != NULL ? hl_session_get_view_state (session) : NULL;

  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      g_signal_handlers_disconnect_by_data (hl_session_get_view_state (self->session), self);
      if (hl_session_get_live (self->session) != NULL)
        g_signal_handlers_disconnect_by_data (hl_session_get_live (self->session), self);
    }
  g_set_object (&self->session, session);
  for (guint i = 0; i < G_N_ELEMENTS (self->view_switches); i++)
    hl_state_panel_set_view_state (HL_STATE_PANEL (self->view_switches[i]), state);
  hl_header_set_view_state (self->header, state);
  if (session != NULL)
    {
      g_signal_connect_swapped (session, "notify::subtitle", G_CALLBACK (update_title), self);
      /* Of no text there is nothing to export. */
      g_signal_connect_swapped (session, "notify::subtitle", G_CALLBACK (emit_changed), self);
      g_signal_connect_swapped (session, "notify::document", G_CALLBACK (update_title), self);
      g_signal_connect_swapped (hl_session_get_view_state (session), "changed", G_CALLBACK (on_state_changed), self);
      if (hl_session_get_live (session) != NULL)
        g_signal_connect_swapped (hl_session_get_live (session), "notify::adapter", G_CALLBACK (emit_changed), self);
    }
}

static void
on_page_session (HlWindow *self)
{
  set_session (self, hl_document_page_get_session (self->page));
  update_title (self);
  emit_changed (self);
}

static AdwTabPage *
get_tab (HlWindow       *self,
         HlDocumentPage *page)
{
  return adw_tab_view_get_page (self->tab_view, GTK_WIDGET (page));
}

static gboolean
owns_page (HlWindow       *self,
           HlDocumentPage *page)
{
  return gtk_widget_is_ancestor (GTK_WIDGET (page), GTK_WIDGET (self->tab_view));
}

static AdwToastOverlay *
get_toasts (HlWindow       *self,
            HlDocumentPage *page)
{
  return page != NULL ? hl_document_page_get_toasts (page) : self->toast_overlay;
}

/* What is said of the window is said over the page that is on top, above its texts; what is said of a page stays there. */
static void
place_message (HlWindow       *self,
               HlDocumentPage *page)
{
  if (page == self->page)
    return;
  if (self->message != NULL && hl_toast_says (get_toasts (self, self->page), self->message))
    hl_toast_move (get_toasts (self, self->page), get_toasts (self, page));
  else if (self->page == NULL)
    hl_toast_dismiss (self->toast_overlay);
}

/* Says something of the window, over whatever is on top in it. */
void
hl_window_say (HlWindow   *self,
               const char *text)
{
  g_return_if_fail (HL_IS_WINDOW (self));
  g_return_if_fail (text != NULL);

  g_free (self->message);
  self->message = g_strdup (text);
  hl_toast_say (get_toasts (self, self->page), text, NULL, HL_TOAST_SENTENCE_SECONDS);
}

/* With a tab the focus comes back to where it was, which may be a menu that closed when the tab went: keys would end there. */
static void
leave_closed_menu (HlWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  if (self->page != NULL && focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->page)) &&
      gtk_widget_get_mapped (GTK_WIDGET (self->page)) && !gtk_widget_get_mapped (focus))
    hl_document_page_focus_scene (self->page);
}

typedef struct
{
  GWeakRef window;
  GWeakRef page;
} Visit;

static void
visit_free (Visit *visit)
{
  g_weak_ref_clear (&visit->window);
  g_weak_ref_clear (&visit->page);
  g_free (visit);
}

static Visit *
visit_new (HlWindow       *self,
           HlDocumentPage *page)
{
  Visit *visit = g_new0 (Visit, 1);

  g_weak_ref_init (&visit->window, self);
  g_weak_ref_init (&visit->page, page);
  return visit;
}

/* What folded away in a tab without room for it is there again in one that has it. */
static void
offer_panels (HlWindow *self)
{
  HlPagePanels *panels = hl_document_page_get_panels (self->page);

  if (hl_adaptive_get_narrow (self->adaptive))
    return;
  for (guint panel = 0; panel < HL_N_PAGE_PANELS; panel++)
    hl_page_panels_offer (panels, panel, self->wants[panel]);
  g_object_set (self, "sidebar-visible", hl_page_panels_get_visible (panels, HL_PAGE_PANEL_SIDEBAR), "panel-visible",
                hl_page_panels_get_visible (panels, HL_PAGE_PANEL_SIDE), NULL);
}

static void
follow_page (HlWindow       *self,
             HlDocumentPage *page)
{
  if (self->page != NULL)
    {
      g_signal_handlers_disconnect_by_func (self->page, on_page_session, self);
      g_signal_handlers_disconnect_by_func (self->page, emit_changed, self);
      g_signal_handlers_disconnect_by_data (hl_document_page_get_side_panel (self->page), self);
      g_signal_handlers_disconnect_by_data (hl_document_page_get_compare_view (self->page), self);
    }
  set_session (self, NULL);
  place_message (self, page);
  g_set_object (&self->page, page);
  if (page != NULL)
    {
      g_object_set_data (G_OBJECT (page), SEEN_KEY, page);
      g_signal_connect_swapped (page, "notify::session", G_CALLBACK (on_page_session), self);
      g_signal_connect_swapped (hl_document_page_get_compare_view (page), "notify", G_CALLBACK (emit_changed), self);
      g_signal_connect_swapped (hl_document_page_get_side_panel (page), "notify::shows-heads",
                                G_CALLBACK (emit_changed), self);
      g_signal_connect_swapped (page, "notify::loading", G_CALLBACK (emit_changed), self);
      set_session (self, hl_document_page_get_session (page));
      offer_panels (self);
    }
  hl_header_set_has_document (self->header, get_seen_page (self) != NULL);
  place_views (self);
  update_title (self);
  leave_closed_menu (self);
  emit_changed (self);
}

static gboolean
on_visit (gpointer data)
{
  Visit *visit = data;
  g_autoptr (HlWindow) self = g_weak_ref_get (&visit->window);
  g_autoptr (HlDocumentPage) page = g_weak_ref_get (&visit->page);

  if (self == NULL || page == NULL || page != get_top_page (self) || page == self->page)
    return G_SOURCE_REMOVE;
  hl_document_page_furnish (page);
  if (hl_document_page_get_put_off (page))
    hl_document_page_load (page);
  follow_page (self, page);
  return G_SOURCE_REMOVE;
}

/* Follows the tab that is on top; one that has no widgets yet when somebody comes to it, which nobody does who only passes by, or when it
 * is known that it can be read. */
static void
on_selected_page (HlWindow *self)
{
  HlDocumentPage *page = get_top_page (self);

  if (page != NULL && (hl_document_page_get_put_off (page) || !hl_document_page_get_furnished (page)))
    {
      if (self->page != NULL)
        g_set_weak_pointer (&self->left_page, self->page);
      /* Before the next frame. */
      if (!self->selects_by_itself)
        g_idle_add_full (G_PRIORITY_HIGH_IDLE, on_visit, visit_new (self, page), (GDestroyNotify) visit_free);
      page = NULL;
    }
  follow_page (self, page);
}

/* Has a page of the window on top. */
void
hl_window_show_page (HlWindow       *self,
                     HlDocumentPage *page)
{
  g_return_if_fail (HL_IS_WINDOW (self));
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (page) && owns_page (self, page));

  hl_welcome_page_set_error (self->welcome_page, NULL);
  if (!hl_document_page_get_put_off (page))
    hl_document_page_furnish (page);
  if (page != get_top_page (self))
    adw_tab_view_set_selected_page (self->tab_view, get_tab (self, page));
  else if (page != self->page)
    on_selected_page (self);
  gtk_stack_set_visible_child_name (self->stack, "tabs");
}

/* The tab that shows a file, if there is one. */
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

/* Whether somebody has gone from a page to another. */
static gboolean
is_left (HlWindow       *self,
         HlDocumentPage *page)
{
  return g_object_get_data (G_OBJECT (page), SEEN_KEY) != NULL && page != get_top_page (self);
}

static gboolean
on_reveal (gpointer data)
{
  Visit *visit = data;
  g_autoptr (HlWindow) self = g_weak_ref_get (&visit->window);
  g_autoptr (HlDocumentPage) page = g_weak_ref_get (&visit->page);

  if (self != NULL && page != NULL && page != self->page && hl_document_page_get_loading (page) &&
      owns_page (self, page) && (hl_arrival_is_first (page) || page == get_top_page (self)) && !is_left (self, page))
    {
      g_set_weak_pointer (&self->left_page, self->page);
      hl_window_show_page (self, page);
    }
  return G_SOURCE_REMOVE;
}

/* A new tab, below the others until it is shown. */
HlDocumentPage *
hl_window_add_page (HlWindow *self,
                    GFile    *file)
{
  g_return_val_if_fail (HL_IS_WINDOW (self), NULL);
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  GtkWidget *page = hl_document_page_new (file);
  /* That which comes first is on top at once, and not seen yet. */
  self->selects_by_itself = TRUE;
  AdwTabPage *tab = adw_tab_view_append (self->tab_view, page);
  self->selects_by_itself = FALSE;
  /* Tab titles and tooltips: the latter are markup. */
  g_autofree char *place = hl_file_dup_display_path (file);
  g_autofree char *tooltip = g_markup_escape_text (place, -1);

  adw_tab_page_set_tooltip (tab, tooltip);
  g_object_bind_property (page, "title", tab, "title", G_BINDING_SYNC_CREATE);
  g_object_bind_property (page, "loading", tab, "loading", G_BINDING_SYNC_CREATE);
  return HL_DOCUMENT_PAGE (page);
}

static void
reveal_later (HlWindow       *self,
              HlDocumentPage *page)
{
  g_timeout_add_full (G_PRIORITY_DEFAULT, REVEAL_AFTER_MS, on_reveal, visit_new (self, page),
                      (GDestroyNotify) visit_free);
}

/* Reads what a page of the window is of. The page comes on top once, when it has been read or takes long. */
void
hl_window_load_page (HlWindow       *self,
                     HlDocumentPage *page)
{
  g_return_if_fail (HL_IS_WINDOW (self));
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (page));

  /* Nothing was seen yet that should stay. */
  const gboolean is_seen = !gtk_widget_get_mapped (GTK_WIDGET (self)) && hl_arrival_is_first (page);

  if (is_seen)
    hl_document_page_furnish (page);
  hl_document_page_load (page);
  if (is_seen)
    hl_window_show_page (self, page);
  else if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    reveal_later (self, page);
}

/* A session whose file was found elsewhere. */
static void
open_located (HlWindow  *self,
              GFile     *session_file,
              GPtrArray *located)
{
  HlDocumentPage *page = hl_window_add_page (self, session_file);

  hl_document_page_set_located (page, located);
  hl_window_load_page (self, page);
}

static void
on_axes (GtkWidget  *widget,
         const char *text,
         const char *uri)
{
  HlWindow *self = HL_WINDOW (widget);
  AdwToastOverlay *toasts = get_toasts (self, self->page);

  if (hl_toast_says (toasts, text))
    hl_toast_offer (toasts, text, _ ("_Choose…"), "win.axes-of", uri, HL_TOAST_SENTENCE_SECONDS);
  hl_welcome_page_offer_axes (self->welcome_page, text, uri);
}

static void
on_n_pages (HlWindow *self)
{
  if (adw_tab_view_get_n_pages (self->tab_view) == 0)
    gtk_stack_set_visible_child_name (self->stack, "welcome");
  emit_changed (self);
}

static gboolean
focus_page (gpointer data)
{
  if (gtk_widget_get_mapped (data))
    hl_document_page_begin (data);
  return G_SOURCE_REMOVE;
}

/* The keyboard goes to a picture that came below another when it is first on top, after the tabs have let go of it, and before the next key is
 * read: that is meant for the picture. */
static void
on_first_map (HlDocumentPage *page,
              gpointer        data)
{
  g_signal_handlers_disconnect_by_func (page, on_first_map, data);
  g_idle_add_full (G_PRIORITY_HIGH, focus_page, g_object_ref (page), g_object_unref);
}

/* What is read again stays where it is, and so does the keyboard, unless it was at a button of what is said over the picture, or
 * at what has gone. */
static void
keep_keyboard (HlWindow       *self,
               HlDocumentPage *page)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  if (page == self->page &&
      (focus == NULL || !gtk_widget_get_mapped (focus) || gtk_widget_get_ancestor (focus, HL_TYPE_BANNER) != NULL))
    hl_document_page_focus_scene (page);
}

static void
on_page_ready (HlWindow       *self,
               HlDocumentPage *page)
{
  GFile *session_file = hl_document_page_get_session_file (page);
  HlSession *session = hl_document_page_get_session (page);
  HlLiveModel *live = session != NULL ? hl_session_get_live (session) : NULL;

  /* Without a session it is the folder of a model that waits for pixels. */
  if (session_file != NULL)
    hl_recent_add (session_file, FALSE);
  else
    hl_recent_add (hl_document_page_get_file (page),
                   session == NULL || (live != NULL && hl_live_model_is_folder (live)));
  update_title (self);
  const gboolean is_first = hl_arrival_settle (page);
  if (g_object_get_data (G_OBJECT (page), READ_KEY) != NULL)
    {
      keep_keyboard (self, page);
      return;
    }
  if (session != NULL)
    g_object_set_data (G_OBJECT (page), READ_KEY, page);
  if ((!is_first && page != get_top_page (self)) || is_left (self, page))
    {
      g_signal_connect (page, "map", G_CALLBACK (on_first_map), NULL);
      return;
    }
  hl_window_show_page (self, page);
  hl_document_page_begin (page);
}

static gboolean
on_turn (gpointer data)
{
  Visit *visit = data;
  g_autoptr (HlWindow) self = g_weak_ref_get (&visit->window);
  g_autoptr (HlDocumentPage) page = g_weak_ref_get (&visit->page);

  if (self != NULL && page != NULL && owns_page (self, page) && hl_document_page_get_put_off (page))
    hl_window_load_page (self, page);
  return G_SOURCE_REMOVE;
}

/* A page whose file was never read goes without a trace. What was read and came behind it takes its place, or is read for that. */
static void
drop_page (HlWindow       *self,
           HlDocumentPage *page)
{
  if (hl_document_page_get_session (page) != NULL || hl_document_page_takes_pixels (page))
    return;
  HlDocumentPage *next = hl_arrival_leave (page);
  if (page == get_top_page (self) && self->left_page != NULL && self->left_page != page &&
      owns_page (self, self->left_page))
    hl_window_show_page (self, self->left_page);
  self->selects_by_itself = TRUE;
  /* Where many tabs shrink away together, libadwaita 1.2 gives them less than no room. */
  hl_motion_hold (GTK_WIDGET (self));
  adw_tab_view_close_page (self->tab_view, get_tab (self, page));
  hl_motion_resume (GTK_WIDGET (self));
  self->selects_by_itself = FALSE;
  if (next == NULL && self->page == NULL)
    next = get_top_page (self);
  if (next == NULL || !owns_page (self, next))
    return;
  if (hl_document_page_get_put_off (next))
    {
      /* After the next frame: hundreds may have to be read for one that can be. */
      g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, on_turn, visit_new (self, next), (GDestroyNotify) visit_free);
    }
  else if (hl_document_page_get_loading (next))
    {
      reveal_later (self, next);
    }
  else if (hl_document_page_get_session (next) != NULL)
    {
      hl_window_show_page (self, next);
      hl_document_page_begin (next);
    }
}

static void
on_page_failed (HlWindow       *self,
                const GError   *error,
                HlDocumentPage *page)
{
  const gboolean is_image = g_error_matches (error, HL_ERROR, HL_ERROR_UNKNOWN_FORMAT) &&
                            hl_image_file_is_image (hl_document_page_get_file (page));
  g_autofree char *whole =
    g_strdup_printf ("%s: %s", hl_document_page_get_name (page),
                     is_image ? _ ("this is an image, and a model that sees takes one at a time") : error->message);
  g_autofree char *text = hl_utf8_bound (whole);

  g_object_ref (page);
  if (hl_locate_offer (self, page, error, open_located))
    {
      drop_page (self, page);
      g_object_unref (page);
      return;
    }
  if (error->domain == HL_ERROR && hl_document_page_get_session (page) == NULL)
    hl_axes_offer_make (GTK_WIDGET (self), hl_document_page_get_file (page), text, on_axes);
  drop_page (self, page);
  g_object_unref (page);
  /* Of the window, not of a page: of files that come together, another may be on top at once. */
  if (adw_tab_view_get_n_pages (self->tab_view) > 0)
    hl_window_say (self, text);
  else
    {
      /* What was said of the file before, of those that came together. */
      hl_toast_dismiss (self->toast_overlay);
      hl_welcome_page_set_error (self->welcome_page, text);
    }
}

static void
unbind (gpointer binding)
{
  g_binding_unbind (binding);
  g_object_unref (binding);
}

/* For as long as the page is in the window: it can be dragged to another one. */
static void
bind_page (HlDocumentPage *page,
           gpointer        source,
           const char     *property,
           GBindingFlags   flags)
{
  GBinding *binding = g_object_bind_property (source, property, page, property, flags);

  g_object_set_data_full (G_OBJECT (page), property, g_object_ref (binding), unbind);
}

static void
on_page_attached (HlWindow   *self,
                  AdwTabPage *tab)
{
  HlDocumentPage *page = HL_DOCUMENT_PAGE (adw_tab_page_get_child (tab));

  g_signal_connect_object (page, "ready", G_CALLBACK (on_page_ready), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (page, "failed", G_CALLBACK (on_page_failed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (page, "cancelled", G_CALLBACK (drop_page), self, G_CONNECT_SWAPPED);
  /* First, so that nothing comes up over a page that is narrow from the beginning. */
  bind_page (page, self->adaptive, "narrow", G_BINDING_SYNC_CREATE);
  bind_page (page, self, "sidebar-visible", G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  bind_page (page, self, "panel-visible", G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  /* From another window. */
  if (hl_document_page_get_session (page) != NULL)
    gtk_stack_set_visible_child_name (self->stack, "tabs");
}

static void
on_page_detached (HlWindow   *self,
                  AdwTabPage *tab)
{
  GtkWidget *page = adw_tab_page_get_child (tab);

  g_signal_handlers_disconnect_by_func (page, on_page_ready, self);
  g_signal_handlers_disconnect_by_func (page, on_page_failed, self);
  g_signal_handlers_disconnect_by_func (page, drop_page, self);
  g_object_set_data (G_OBJECT (page), "narrow", NULL);
  g_object_set_data (G_OBJECT (page), "sidebar-visible", NULL);
  g_object_set_data (G_OBJECT (page), "panel-visible", NULL);
}

static gboolean
take_apart (gpointer page)
{
  g_object_run_dispose (page);
  return G_SOURCE_REMOVE;
}

/* A window of GTK 4.8 keeps what the focus left, and loses its reference to that where the focus leaves something else before the next
 * frame: then the page would never go by itself, and the file stay open. Not at once, for the key may have come by way of it. */
static gboolean
on_close_page (HlWindow   *self,
               AdwTabPage *tab)
{
  GtkWidget *page = adw_tab_page_get_child (tab);
  const gboolean had_focus = hl_focus_leave (page);

  if (hl_document_page_get_furnished (HL_DOCUMENT_PAGE (page)))
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, take_apart, g_object_ref (page), g_object_unref);
  hl_document_page_close (HL_DOCUMENT_PAGE (page));
  adw_tab_view_close_page_finish (self->tab_view, tab, TRUE);
  if (had_focus && self->page != NULL)
    hl_document_page_focus_scene (self->page);
  else if (had_focus)
    gtk_widget_child_focus (GTK_WIDGET (self), GTK_DIR_TAB_FORWARD);
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

gboolean
hl_window_close_tab (HlWindow *self)
{
  AdwTabPage *tab = adw_tab_view_get_selected_page (self->tab_view);

  if (tab == NULL)
    return FALSE;
  adw_tab_view_close_page (self->tab_view, tab);
  return TRUE;
}

static void
on_document_menu_left (HlWindow *self)
{
  if (self->page != NULL)
    hl_document_page_focus_scene (self->page);
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
  emit_changed (self);
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

/* What comes up over a narrow window is asked for each time. */
static void
on_narrow (HlWindow *self)
{
  if (hl_adaptive_get_narrow (self->adaptive))
    g_object_set (self, "sidebar-visible", FALSE, "panel-visible", FALSE, NULL);
  if (hl_adaptive_get_narrow (self->adaptive))
    gtk_widget_add_css_class (GTK_WIDGET (self->adaptive), "hl-narrow");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->adaptive), "hl-narrow");
  place_views (self);
}

static void
hl_window_dispose (GObject *object)
{
  HlWindow *self = HL_WINDOW (object);

  if (self->page != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->page, self);
      g_signal_handlers_disconnect_by_data (hl_document_page_get_side_panel (self->page), self);
      g_signal_handlers_disconnect_by_data (hl_document_page_get_compare_view (self->page), self);
    }
  set_session (self, NULL);
  g_clear_object (&self->page);
  g_clear_weak_pointer (&self->left_page);
  g_clear_object (&self->settings);
  hl_toast_clear (self->toast_overlay);
  g_clear_pointer (&self->message, g_free);
  G_OBJECT_CLASS (hl_window_parent_class)->dispose (object);
}

static void
hl_window_class_init (HlWindowClass *klass)
{
  static const char *const switch_names[N_VIEW_SWITCHES] = { "switch_full", "switch_of_names", "switch_of_icons",
                                                             "switch_at_bottom" };
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags writable = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = hl_window_get_property;
  object_class->set_property = hl_window_set_property;
  object_class->dispose = hl_window_dispose;
  GTK_WINDOW_CLASS (klass)->close_request = hl_window_close_request;

  properties[PROP_SIDEBAR_VISIBLE] = g_param_spec_boolean ("sidebar-visible", NULL, NULL, TRUE, writable);
  properties[PROP_PANEL_VISIBLE] = g_param_spec_boolean ("panel-visible", NULL, NULL, TRUE, writable);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  /* What commands follow, as HlViewState::changed says it. */
  signals[CHANGED] =
    g_signal_new ("changed", HL_TYPE_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);

  g_type_ensure (HL_TYPE_ADAPTIVE);
  g_type_ensure (HL_TYPE_HEADER);
  g_type_ensure (HL_TYPE_LOST_BAR);
  g_type_ensure (HL_TYPE_VIEW_SWITCH);
  g_type_ensure (HL_TYPE_WELCOME_PAGE);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/window.ui");
  gtk_widget_class_bind_template_child (widget_class, HlWindow, adaptive);
  gtk_widget_class_bind_template_child (widget_class, HlWindow, header);
  gtk_widget_class_bind_template_child (widget_class, HlWindow, top_bar);
  gtk_widget_class_bind_template_child (widget_class, HlWindow, bottom_bar);
  for (guint i = 0; i < G_N_ELEMENTS (switch_names); i++)
    gtk_widget_class_bind_template_child_full (widget_class, switch_names[i], FALSE,
                                               G_STRUCT_OFFSET (HlWindow, view_switches) +
                                                 (gssize) (i * sizeof (GtkWidget *)));
  gtk_widget_class_bind_template_child (widget_class, HlWindow, toast_overlay);
  gtk_widget_class_bind_template_child (widget_class, HlWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, HlWindow, welcome_page);
  gtk_widget_class_bind_template_child (widget_class, HlWindow, tab_view);
  gtk_widget_class_bind_template_callback (widget_class, on_document_menu_left);
  gtk_widget_class_bind_template_callback (widget_class, on_narrow);
  gtk_widget_class_bind_template_callback (widget_class, place_views);
  gtk_widget_class_bind_template_callback (widget_class, on_selected_page);
  gtk_widget_class_bind_template_callback (widget_class, on_n_pages);
  gtk_widget_class_bind_template_callback (widget_class, on_page_attached);
  gtk_widget_class_bind_template_callback (widget_class, on_page_detached);
  gtk_widget_class_bind_template_callback (widget_class, on_close_page);
  gtk_widget_class_bind_template_callback (widget_class, on_create_window);
}

static void
hl_window_init (HlWindow *self)
{
  self->settings = hl_settings_new ();
  self->sidebar_visible = self->wants[HL_PAGE_PANEL_SIDEBAR] =
    g_settings_get_boolean (self->settings, "sidebar-visible");
  self->panel_visible = self->wants[HL_PAGE_PANEL_SIDE] = g_settings_get_boolean (self->settings, "panel-visible");
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_accessible_name_buttons (GTK_WIDGET (self));
  gtk_window_set_default_size (GTK_WINDOW (self), g_settings_get_int (self->settings, "window-width"),
                               g_settings_get_int (self->settings, "window-height"));
  if (g_settings_get_boolean (self->settings, "window-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));

  /* Home and End with Ctrl are the scene's. */
  adw_tab_view_remove_shortcuts (self->tab_view,
                                 ADW_TAB_VIEW_SHORTCUT_CONTROL_HOME | ADW_TAB_VIEW_SHORTCUT_CONTROL_END);
  hl_toast_share_escape (self->toast_overlay);
  hl_header_set_adaptive (self->header, self->adaptive);
  g_signal_connect_object (hl_lost_get (), "changed", G_CALLBACK (emit_changed), self, G_CONNECT_SWAPPED);
  update_title (self);
  place_views (self);
}

HlWindow *
hl_window_new (GtkApplication *application)
{
  g_return_val_if_fail (GTK_IS_APPLICATION (application), NULL);
  return g_object_new (HL_TYPE_WINDOW, "application", application, NULL);
}

/* That which was used last, or a new one. */
HlWindow *
hl_window_get_active (GtkApplication *application)
{
  GtkWindow *window = gtk_application_get_active_window (application);

  return HL_IS_WINDOW (window) ? HL_WINDOW (window) : hl_window_new (application);
}

HlDocumentPage *
hl_window_get_page (HlWindow *self)
{
  g_return_val_if_fail (HL_IS_WINDOW (self), NULL);
  return self->page;
}

/* Whether it is as narrow as a phone. */
gboolean
hl_window_get_narrow (HlWindow *self)
{
  g_return_val_if_fail (HL_IS_WINDOW (self), FALSE);
  return hl_adaptive_get_narrow (self->adaptive);
}

/* Only what somebody chose is remembered, not what comes over the scene, and goes again, where there is no room beside it. */
void
hl_window_choose_panel (HlWindow   *self,
                        HlPagePanel panel,
                        gboolean    visible)
{
  const char *property = panel == HL_PAGE_PANEL_SIDEBAR ? "sidebar-visible" : "panel-visible";

  g_return_if_fail (HL_IS_WINDOW (self));
  g_return_if_fail ((guint) panel < HL_N_PAGE_PANELS);

  g_object_set (self, property, visible, NULL);
  if (hl_window_get_narrow (self) ||
      (self->page != NULL && hl_page_panels_cover (hl_document_page_get_panels (self->page), panel)))
    return;
  self->wants[panel] = visible;
  g_settings_set_boolean (self->settings, property, visible);
}

GListModel *
hl_window_create_pages (HlWindow *self)
{
  GListStore *pages = g_list_store_new (HL_TYPE_DOCUMENT_PAGE);

  g_return_val_if_fail (HL_IS_WINDOW (self), G_LIST_MODEL (pages));

  for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++)
    g_list_store_append (pages, adw_tab_page_get_child (adw_tab_view_get_nth_page (self->tab_view, i)));
  return G_LIST_MODEL (pages);
}

AdwToastOverlay *
hl_window_get_toasts (HlWindow *self)
{
  g_return_val_if_fail (HL_IS_WINDOW (self), NULL);

  return get_toasts (self, self->page);
}

/* What has documents in it, and not what is above them. */
GtkWidget *
hl_window_get_drop_area (HlWindow *self)
{
  g_return_val_if_fail (HL_IS_WINDOW (self), NULL);

  return GTK_WIDGET (self->toast_overlay);
}

/* What was read from a file is shown in a new tab, or where the file is open; @stamp is as hl_document_page_show() has it. */
void
hl_window_show_document (HlWindow   *self,
                         HlDocument *document,
                         const char *stamp)
{
  GFile *file = hl_document_get_file (document);
  HlDocumentPage *page = hl_window_find_page (self, file);

  hl_document_page_show (page != NULL ? page : hl_window_add_page (self, file), document, stamp);
  if (page != NULL)
    hl_window_show_page (self, page);
}
