/* SPDX-License-Identifier: MIT */
/*
 * A tab. It opens its file or model in a worker and puts the panels around the scene. Opened again, it replaces the
 * session only when it could be read, and is looked at as before.
 */
#include "config.h"

#include "app/page/hl-document-page.h"

#include "app/base/hl-accessible.h"
#include "app/base/hl-heap.h"
#include "app/base/hl-settings.h"
#include "app/base/hl-toast.h"
#include "app/widgets/hl-waiting.h"
#include "app/canvas/hl-minimap.h"
#include "app/canvas/hl-reading-note.h"
#include "app/heads/hl-head-picker.h"
#include "app/live/hl-text-bar.h"
#include "app/page/hl-page-opening.h"
#include "app/page/hl-page-panels.h"
#include "app/page/hl-page-settings.h"
#include "app/page/hl-pixels-page.h"
#include "app/panels/hl-panel-group.h"
#include "app/panels/hl-late-panel.h"
#include "app/panels/hl-panels.h"
#include "app/session/hl-first-choice.h"
#include "app/session/hl-banner.h"
#include "app/session/hl-session.h"
#include "app/session/hl-pace-note.h"
#include "app/session/hl-wait-note.h"
#include "core/base/file/hl-file-name.h"
#include "view/hl-pinned-pair.h"
#include "view/hl-sentence.h"

#include <glib/gi18n.h>

struct _HlDocumentPage
{
  AdwBin parent_instance;

  GtkStack *stack;
  HlLoadingPage *loading_page;
  HlPixelsPage *pixels_page;
  AdwToastOverlay *toasts;
  HlHeadPicker *head_picker;
  HlExamplePanel *example_panel;
  HlSidePanel *side_panel;
  HlBanner *banner;
  HlTokenSearch *token_search;
  HlSceneView *scene_view;
  GtkWidget *minimap;
  GtkWidget *minimap_below;
  HlCompareView *compare_view;
  HlLateSpinner *spinner;
  HlWaitNote *wait_note;
  HlPaceNote *pace_note;
  HlHintBar *hint_bar;
  HlTextBar *text_bar;

  HlPagePanels *panels;
  HlPageOpening *opening;
  HlOpenRequest *request;
  gboolean is_put_off; /* it is not to be loaded before somebody looks at it */
  gboolean asks;       /* for pixels: there is a model that takes them, and no picture yet */
  gboolean is_typed;   /* a text was, when it was opened */
  GError *refusal;     /* of what was given to a tab that was saved, and is opened as it was saved */
  char *name;
  HlSession *session;
  HlViewHistory *history;
  HlPinnedPair *pinned_pair;
  GSettings *settings;
  gboolean narrow;
};

enum
{
  PROP_SESSION = 1,
  PROP_TITLE,
  PROP_LOADING,
  PROP_SIDEBAR_VISIBLE,
  PROP_PANEL_VISIBLE,
  PROP_NARROW,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (HlDocumentPage, hl_document_page, ADW_TYPE_BIN)

/* That of a comparison is what differs. */
static const char *
get_title (HlDocumentPage *self)
{
  const char *compared = hl_document_page_get_furnished (self) ? hl_compare_view_get_title (self->compare_view) : NULL;

  return compared != NULL ? compared : self->name;
}

static void
notify_title (HlDocumentPage *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TITLE]);
}

static void
update_spinner (HlDocumentPage *self)
{
  const gboolean is_busy = self->session != NULL &&
                           (hl_page_opening_get_busy (self->opening) || hl_session_get_busy (self->session) ||
                            hl_scene_view_get_busy (self->scene_view));

  if (!hl_document_page_get_furnished (self))
    return;
  hl_late_spinner_set_progress (self->spinner, hl_scene_view_get_progress (self->scene_view));
  hl_late_spinner_set_busy (self->spinner, is_busy);
}

static void
update_banner (HlDocumentPage *self)
{
  const gboolean is_empty = self->session != NULL && hl_session_is_empty (self->session);

  hl_banner_update (self->banner, is_empty ? NULL : self->session, hl_compare_view_get_other (self->compare_view),
                    hl_scene_view_get_error (self->scene_view));
}

static void
on_scene_finished (HlDocumentPage *self)
{
  if (self->session == NULL)
    return;
  /* What cannot be read may have been written to. */
  if (hl_scene_view_get_error (self->scene_view) != NULL && hl_session_get_watch (self->session) != NULL)
    hl_file_watch_check (hl_session_get_watch (self->session));
  update_banner (self);
  /* The first picture is there: now there is time to look for oddities. */
  hl_session_examine (self->session);
}

static void
on_session_failed (HlDocumentPage *self,
                   const GError   *error)
{
  g_signal_emit_by_name (self, "failed", error);
}

/* Of a text that was wiped out nothing is shown, nor any number, and all stays where it is for the next one. */
static void
update_picture (HlDocumentPage *self)
{
  const gboolean is_empty = hl_session_is_empty (self->session);
  GtkWidget *const parts[] = { GTK_WIDGET (self->compare_view), self->minimap, self->minimap_below,
                               GTK_WIDGET (self->head_picker), GTK_WIDGET (self->hint_bar) };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      gtk_widget_set_opacity (parts[i], is_empty ? 0 : 1);
      gtk_widget_set_sensitive (parts[i], !is_empty);
    }
  hl_side_panel_set_empty (self->side_panel, is_empty);
  gtk_widget_set_sensitive (hl_page_panels_get_panel (self->panels, HL_PAGE_PANEL_SIDEBAR), !is_empty);
  if (is_empty)
    hl_toast_dismiss (self->toasts);
  update_banner (self);
}

static void
leave_session (HlDocumentPage *self)
{
  if (hl_session_get_live (self->session) != NULL)
    g_signal_handlers_disconnect_by_func (hl_session_get_live (self->session), update_picture, self);
  if (hl_session_get_watch (self->session) != NULL)
    g_signal_handlers_disconnect_by_func (hl_session_get_watch (self->session), update_banner, self);
  hl_session_close (self->session);
  g_signal_handlers_disconnect_by_data (self->session, self);
  g_signal_handlers_disconnect_by_data (hl_session_get_checks (self->session), self);
  hl_page_settings_release (hl_session_get_view_state (self->session), self->settings);
}

static void
follow_session (HlDocumentPage *self)
{
  g_signal_connect_swapped (self->session, "notify::busy", G_CALLBACK (update_spinner), self);
  if (hl_session_get_watch (self->session) != NULL)
    g_signal_connect_object (hl_session_get_watch (self->session), "changed", G_CALLBACK (update_banner), self,
                             G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->session, "failed", G_CALLBACK (on_session_failed), self);
  g_signal_connect_swapped (hl_session_get_checks (self->session), "items-changed", G_CALLBACK (update_banner), self);
  if (hl_session_get_live (self->session) != NULL)
    g_signal_connect_object (hl_session_get_live (self->session), "notify::empty", G_CALLBACK (update_picture), self,
                             G_CONNECT_SWAPPED);
  update_picture (self);
}

typedef struct
{
  double zoom, scroll_x, scroll_y;
} Place;

static Place
get_place (HlDocumentPage *self)
{
  HlScene *scene = hl_scene_view_get_scene (self->scene_view);
  Place place = { .zoom = hl_scene_get_zoom (scene) };

  hl_scene_get_scroll (scene, &place.scroll_x, &place.scroll_y);
  return place;
}

static void
set_session (HlDocumentPage *self,
             HlSession      *session)
{
  HlViewState *before = self->session != NULL ? hl_session_get_view_state (self->session) : NULL;
  HlViewState *state = session != NULL ? hl_session_get_view_state (session) : NULL;
  const HlSavedSession *saved = session != NULL ? hl_session_get_saved (session) : NULL;
  const Place place = before != NULL ? get_place (self) : (Place){ 0 };
  HlViewKind view;

  /* What was compared with the session before is not compared with this one. */
  hl_compare_view_set_session (self->compare_view, NULL, NULL);
  if (self->session != NULL)
    leave_session (self);
  if (session != NULL)
    hl_page_settings_set_up (state, before, self->settings,
                             self->request->session_file != NULL || saved != NULL ||
                               hl_first_choice_find_view (session, &view),
                             self->request->session_file != NULL);

  hl_head_picker_set_view_state (self->head_picker, state);
  hl_example_panel_set_session (self->example_panel, session);
  hl_side_panel_set_view_state (self->side_panel, state);
  hl_scene_view_set_view_state (self->scene_view, state);
  if (saved != NULL)
    hl_scene_view_go_to (self->scene_view, saved->zoom, saved->scroll_x, saved->scroll_y);
  else if (before != NULL && session != NULL)
    hl_scene_view_go_to (self->scene_view, place.zoom, place.scroll_x, place.scroll_y);
  hl_compare_view_set_session (self->compare_view, session, self->scene_view);
  hl_wait_note_set_session (self->wait_note, session);
  hl_pace_note_set_session (self->pace_note, session);
  hl_text_bar_set_live (self->text_bar, session != NULL ? hl_session_get_live (session) : NULL);
  g_set_object (&self->session, session);
  g_clear_object (&self->history);
  g_clear_object (&self->pinned_pair);
  self->history = state != NULL ? hl_view_history_new (state) : NULL;
  self->pinned_pair = state != NULL ? hl_pinned_pair_new (state) : NULL;
  /* A model in one file knows a better name. */
  if (session != NULL && self->request->session_file == NULL)
    {
      g_free (self->name);
      self->name = g_strdup (hl_session_get_title (session));
      notify_title (self);
    }
  if (session != NULL)
    follow_session (self);
  g_object_notify (G_OBJECT (self), "session");
}

static void
start_loading_page (HlDocumentPage *self)
{
  HlProgress *progress = hl_page_opening_get_progress (self->opening);

  if (!hl_document_page_get_furnished (self) || self->session != NULL || progress == NULL)
    return;
  gtk_stack_set_visible_child_name (self->stack, "loading");
  hl_loading_page_start (self->loading_page, self->name, progress);
}

static void
end_loading (HlDocumentPage *self)
{
  if (hl_document_page_get_furnished (self))
    hl_loading_page_stop (self->loading_page);
  g_object_notify (G_OBJECT (self), "loading");
}

static void
stop_loading (HlDocumentPage *self)
{
  if (!hl_page_opening_get_busy (self->opening))
    return;
  hl_page_opening_stop (self->opening);
  update_spinner (self);
  end_loading (self);
}

/* There is no picture before there are pixels. */
static void
ask_for_pixels (HlDocumentPage *self,
                const char     *size)
{
  self->asks = TRUE;
  hl_document_page_furnish (self);
  hl_pixels_page_ask (self->pixels_page, size);
  gtk_stack_set_visible_child_name (self->stack, "pixels");
  g_object_notify (G_OBJECT (self), "session");
  g_signal_emit_by_name (self, "ready");
}

/* There is a session or not, because of an error. */
static void
take_session (HlDocumentPage *self,
              HlSession      *session,
              const GError   *error)
{
  if (session != NULL)
    {
      self->asks = FALSE;
      hl_document_page_furnish (self);
      hl_pixels_page_set_error (self->pixels_page, NULL);
      self->is_typed = self->request->texts[0] != NULL;
      hl_open_request_take_opened (self->request, session, self->session == NULL);
      if (self->session != NULL)
        {
          hl_session_take_over (session, self->session, hl_compare_view_get_other (self->compare_view));
          hl_compare_view_pass_on (self->compare_view, session);
        }
      set_session (self, session);
      gtk_stack_set_visible_child_name (self->stack, "document");
    }
  update_spinner (self);
  if (session != NULL)
    g_signal_emit_by_name (self, "ready");
  else
    g_signal_emit_by_name (self, "failed", error);
}

/* The user was not asked: it is said, and one click goes to where other tools begin. */
static void
say_choice (HlDocumentPage    *self,
            const HlFirstHead *choice)
{
  const guint first = hl_view_state_get_first_layer (hl_session_get_view_state (self->session));

  if (choice->layer == first && choice->head == 0)
    return;
  g_autofree char *sentence = hl_first_head_dup_sentence (choice);
  /* Translators: “layer 2 · head 8, attends to the next token” */
  g_autofree char *text = g_strdup_printf (_ ("Chosen for you: %s"), sentence);
  /* Translators: goes to a layer and a head, “0·0” */
  g_autofree char *button = g_strdup_printf (_ ("Show %u·0"), first);
  hl_hint_bar_set_notice (self->hint_bar, text, button, "win.first-head", NULL);
}

static void
on_opened (HlDocumentPage    *self,
           HlSession         *session,
           const HlFirstHead *choice)
{
  g_autoptr (GError) refusal = g_steal_pointer (&self->refusal);

  end_loading (self);
  take_session (self, session, NULL);
  if (choice != NULL)
    say_choice (self, choice);
  if (refusal != NULL)
    g_signal_emit_by_name (self, "failed", refusal);
}

/* An image or a text that its model does not take, given to a tab that was saved: all that was saved is worth more, and is opened without.
 * Returns whether it is. */
static gboolean
open_as_saved (HlDocumentPage *self,
               const GError   *error)
{
  HlOpenRequest *request = self->request;

  if (self->session != NULL || request->saved == NULL || (request->pixels == NULL && request->texts[0] == NULL))
    return FALSE;
  g_clear_object (&request->pixels);
  hl_open_request_set_texts (request, NULL, NULL);
  hl_document_page_load (self);
  self->refusal = g_error_copy (error);
  return TRUE;
}

/* Whether another image was saved than the one that was given, and is still there. */
static gboolean
has_saved_pixels (const HlOpenRequest *request)
{
  GFile *saved = request->saved != NULL ? request->saved->pixels : NULL;

  return saved != NULL && request->pixels != NULL && !g_file_equal (saved, request->pixels) &&
         g_file_query_exists (saved, NULL);
}

static void
on_opening_failed (HlDocumentPage *self,
                   const GError   *error,
                   const char     *wanted_pixels)
{
  const char *wanted = self->session == NULL ? wanted_pixels : NULL;

  end_loading (self);
  g_clear_error (&self->refusal);
  if ((wanted == NULL || self->request->pixels == NULL || has_saved_pixels (self->request)) && !self->asks &&
      open_as_saved (self, error))
    return;
  if (wanted != NULL && (!self->asks || self->request->pixels == NULL))
    ask_for_pixels (self, wanted);
  if (wanted != NULL && self->request->pixels == NULL)
    return;
  if (self->asks)
    {
      g_autofree char *sentence = hl_sentence_of_error (error);
      hl_pixels_page_set_error (self->pixels_page, sentence);
      gtk_stack_set_visible_child_name (self->stack, "pixels");
    }
  else
    {
      take_session (self, NULL, error);
    }
}

static void
on_cancel (HlDocumentPage *self)
{
  stop_loading (self);
  if (self->asks)
    gtk_stack_set_visible_child_name (self->stack, "pixels");
  else
    g_signal_emit_by_name (self, "cancelled");
}

/* The text of what is compared stands below the own, or in its place while sides are seen one at a time. */
static void
name_side (HlDocumentPage *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  const HlCompareSide side = hl_compare_view_get_side (self->compare_view);
  const gboolean is_aside = side == HL_COMPARE_SIDE_B;

  hl_text_bar_set_letter (self->text_bar, hl_compare_view_get_active (self->compare_view) ? "A" : NULL);
  if (is_aside && focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->text_bar)))
    hl_compare_view_focus (self->compare_view);
  hl_text_bar_set_aside (self->text_bar, is_aside);
  /* On a phone the picture has its room. */
  gtk_widget_set_visible (GTK_WIDGET (self->hint_bar), side == HL_COMPARE_SIDE_BOTH);
}

/* On a page as narrow as a phone, all stands one above the other. */
static void
place_panels (HlDocumentPage *self)
{
  hl_side_panel_set_narrow (self->side_panel, self->narrow);
  hl_compare_view_set_narrow (self->compare_view, self->narrow);
  hl_text_bar_set_stacked (self->text_bar, self->narrow);
  hl_page_panels_set_narrow (self->panels, self->narrow);
}

static void
set_narrow (HlDocumentPage *self,
            gboolean        narrow)
{
  if (self->narrow == narrow)
    return;
  self->narrow = narrow;
  if (hl_document_page_get_furnished (self))
    place_panels (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_NARROW]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SIDEBAR_VISIBLE]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PANEL_VISIBLE]);
}

static void
hl_document_page_dispose (GObject *object)
{
  HlDocumentPage *self = HL_DOCUMENT_PAGE (object);

  if (self->settings != NULL)
    hl_document_page_close (self);
  g_clear_object (&self->history);
  g_clear_object (&self->pinned_pair);
  g_clear_object (&self->settings);
  /* Somebody may still hold it. */
  if (hl_document_page_get_furnished (self))
    {
      hl_toast_clear (self->toasts);
      gtk_widget_dispose_template (GTK_WIDGET (self), HL_TYPE_DOCUMENT_PAGE);
      hl_page_panels_strip (self->panels);
      self->side_panel = NULL;
    }
  /* Here, too: what GTK 4.8 keeps of a page may keep it from being finalized. */
  hl_heap_give_back ();
  G_OBJECT_CLASS (hl_document_page_parent_class)->dispose (object);
}

static void
hl_document_page_finalize (GObject *object)
{
  g_free (HL_DOCUMENT_PAGE (object)->name);
  g_clear_pointer (&HL_DOCUMENT_PAGE (object)->request, hl_open_request_free);
  g_clear_error (&HL_DOCUMENT_PAGE (object)->refusal);
  g_clear_object (&HL_DOCUMENT_PAGE (object)->opening);
  g_clear_object (&HL_DOCUMENT_PAGE (object)->panels);
  hl_heap_give_back ();
  G_OBJECT_CLASS (hl_document_page_parent_class)->finalize (object);
}

static void
hl_document_page_get_property (GObject    *object,
                               guint       id,
                               GValue     *value,
                               GParamSpec *pspec)
{
  HlDocumentPage *self = HL_DOCUMENT_PAGE (object);

  switch (id)
    {
    case PROP_SESSION:
      g_value_set_object (value, self->session);
      break;
    case PROP_TITLE:
      g_value_set_string (value, get_title (self));
      break;
    case PROP_LOADING:
      g_value_set_boolean (value, hl_document_page_get_loading (self));
      break;
    case PROP_SIDEBAR_VISIBLE:
      g_value_set_boolean (value, hl_page_panels_get_visible (self->panels, HL_PAGE_PANEL_SIDEBAR));
      break;
    case PROP_PANEL_VISIBLE:
      g_value_set_boolean (value, hl_page_panels_get_visible (self->panels, HL_PAGE_PANEL_SIDE));
      break;
    case PROP_NARROW:
      g_value_set_boolean (value, self->narrow);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_document_page_set_property (GObject      *object,
                               guint         id,
                               const GValue *value,
                               GParamSpec   *pspec)
{
  HlDocumentPage *self = HL_DOCUMENT_PAGE (object);

  switch (id)
    {
    case PROP_SIDEBAR_VISIBLE:
      hl_page_panels_set_visible (self->panels, HL_PAGE_PANEL_SIDEBAR, g_value_get_boolean (value));
      break;
    case PROP_PANEL_VISIBLE:
      hl_page_panels_set_visible (self->panels, HL_PAGE_PANEL_SIDE, g_value_get_boolean (value));
      break;
    case PROP_NARROW:
      set_narrow (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
on_sidebar_revealed (HlDocumentPage *self)
{
  hl_page_panels_on_revealed (self->panels, HL_PAGE_PANEL_SIDEBAR);
}

static void
on_panel_revealed (HlDocumentPage *self)
{
  hl_page_panels_on_revealed (self->panels, HL_PAGE_PANEL_SIDE);
}

static void
tell_revealed (HlDocumentPage *self,
               guint           panel)
{
  g_object_notify_by_pspec (G_OBJECT (self),
                            properties[panel == HL_PAGE_PANEL_SIDEBAR ? PROP_SIDEBAR_VISIBLE : PROP_PANEL_VISIBLE]);
}

/* Escape stops the model that writes, wherever one is on the page. */
static gboolean
stop_writing (GtkWidget *widget,
              GVariant  *arguments,
              gpointer   data)
{
  HlDocumentPage *self = HL_DOCUMENT_PAGE (widget);
  HlLiveModel *live = self->session != NULL ? hl_session_get_live (self->session) : NULL;

  if (live == NULL || !hl_live_model_get_writing (live))
    return FALSE;
  hl_live_model_stop (live);
  return TRUE;
}

/* What the picture is drawn with, as a heading. */
static char *
name_drawing (HlDocumentPage *self,
              HlViewState    *state,
              int             view,
              int             thumbnails)
{
  return g_strdup (state != NULL && hl_shown_has_lines (hl_view_state_get_shown (state)) ? _ ("Lines") : _ ("Cells"));
}

static void
hl_document_page_class_init (HlDocumentPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  const GParamFlags writable = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  const GType in_template[] = {
    HL_TYPE_BANNER,       HL_TYPE_COLOUR_PANEL,   HL_TYPE_COMPARE_VIEW, HL_TYPE_EXAMPLE_PANEL, HL_TYPE_FILTER_PANEL,
    HL_TYPE_HEAD_PICKER,  HL_TYPE_HIDING_PANEL,   HL_TYPE_HINT_BAR,     HL_TYPE_LATE_PANEL,    HL_TYPE_LATE_SPINNER,
    HL_TYPE_LOADING_PAGE, HL_TYPE_QUANTITY_PANEL, HL_TYPE_MINIMAP,      HL_TYPE_PIXELS_PAGE,   HL_TYPE_READING_NOTE,
    HL_TYPE_SCENE_VIEW,   HL_TYPE_CHART_PANEL,    HL_TYPE_ORDER_PANEL,  HL_TYPE_SCORE_PANEL,   HL_TYPE_SIDE_PANEL,
    HL_TYPE_TEXT_BAR,     HL_TYPE_TOKEN_SEARCH,   HL_TYPE_PACE_NOTE,    HL_TYPE_WAIT_NOTE
  };

  object_class->dispose = hl_document_page_dispose;
  object_class->finalize = hl_document_page_finalize;
  object_class->get_property = hl_document_page_get_property;
  object_class->set_property = hl_document_page_set_property;

  properties[PROP_SESSION] = g_param_spec_object ("session", NULL, NULL, HL_TYPE_SESSION, readable);
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, readable);
  properties[PROP_LOADING] = g_param_spec_boolean ("loading", NULL, NULL, FALSE, readable);
  properties[PROP_SIDEBAR_VISIBLE] = g_param_spec_boolean ("sidebar-visible", NULL, NULL, TRUE, writable);
  properties[PROP_PANEL_VISIBLE] = g_param_spec_boolean ("panel-visible", NULL, NULL, TRUE, writable);
  properties[PROP_NARROW] = g_param_spec_boolean ("narrow", NULL, NULL, FALSE, writable);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  /* The file was opened, or opened again: there is a new session. */
  g_signal_new ("ready", HL_TYPE_DOCUMENT_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  /* The file, or an example in it, could not be read. A session that was there stays. */
  g_signal_new ("failed", HL_TYPE_DOCUMENT_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
  g_signal_new ("cancelled", HL_TYPE_DOCUMENT_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  for (guint i = 0; i < G_N_ELEMENTS (in_template); i++)
    g_type_ensure (in_template[i]);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, stop_writing, NULL);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/document-page.ui");
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, stack);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, loading_page);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, pixels_page);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, toasts);
  hl_page_panels_bind (widget_class);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, head_picker);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, example_panel);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, banner);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, token_search);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, scene_view);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, minimap);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, minimap_below);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, compare_view);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, spinner);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, wait_note);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, pace_note);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, hint_bar);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, text_bar);
  gtk_widget_class_bind_template_callback (widget_class, name_side);
  gtk_widget_class_bind_template_callback (widget_class, on_cancel);
  gtk_widget_class_bind_template_callback (widget_class, on_session_failed);
  gtk_widget_class_bind_template_callback (widget_class, on_scene_finished);
  gtk_widget_class_bind_template_callback (widget_class, hl_document_page_focus_scene);
  gtk_widget_class_bind_template_callback (widget_class, on_sidebar_revealed);
  gtk_widget_class_bind_template_callback (widget_class, on_panel_revealed);
  gtk_widget_class_bind_template_callback (widget_class, name_drawing);
  gtk_widget_class_bind_template_callback (widget_class, update_banner);
  gtk_widget_class_bind_template_callback (widget_class, update_spinner);
}

/* What the panel tells need not stand over the picture too. */
static void
on_details_shown (HlDocumentPage *self)
{
  hl_scene_view_set_has_cards (self->scene_view, !hl_side_panel_get_shows_details (self->side_panel));
}

static void
hl_document_page_init (HlDocumentPage *self)
{
  self->settings = hl_settings_new ();
  self->panels = hl_page_panels_new (GTK_WIDGET (self), self->settings);
  g_signal_connect_object (self->panels, "revealed", G_CALLBACK (tell_revealed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->panels, "left", G_CALLBACK (hl_document_page_focus_scene), self, G_CONNECT_SWAPPED);
  self->opening = hl_page_opening_new ();
  g_signal_connect_object (self->opening, "opened", G_CALLBACK (on_opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->opening, "failed", G_CALLBACK (on_opening_failed), self, G_CONNECT_SWAPPED);
}

/* Makes the widgets, when there is a picture for them or the first of them is asked for: of a hundred tabs that are opened again, most are
 * never looked at, and what cannot be read needs none. */
void
hl_document_page_furnish (HlDocumentPage *self)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));

  if (hl_document_page_get_furnished (self) || self->settings == NULL)
    return;
  const gboolean sidebar_visible = hl_page_panels_get_visible (self->panels, HL_PAGE_PANEL_SIDEBAR);
  const gboolean panel_visible = hl_page_panels_get_visible (self->panels, HL_PAGE_PANEL_SIDE);
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_page_panels_furnish (self->panels, HL_TYPE_DOCUMENT_PAGE);
  /* A template gives each child to one field. */
  self->side_panel = HL_SIDE_PANEL (hl_page_panels_get_panel (self->panels, HL_PAGE_PANEL_SIDE));
  hl_accessible_name_buttons (GTK_WIDGET (self));
  hl_toast_share_escape (self->toasts);
  g_signal_connect_object (self->side_panel, "notify::shows-details", G_CALLBACK (on_details_shown), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->compare_view, "notify::title", G_CALLBACK (notify_title), self, G_CONNECT_SWAPPED);
  if (self->narrow)
    place_panels (self);
  hl_page_panels_set_visible (self->panels, HL_PAGE_PANEL_SIDEBAR, sidebar_visible);
  hl_page_panels_set_visible (self->panels, HL_PAGE_PANEL_SIDE, panel_visible);
  /* Who comes to what is being read already waits long enough to see how far that is. */
  start_loading_page (self);
  hl_loading_page_reveal (self->loading_page);
}

GtkWidget *
hl_document_page_new (GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  HlDocumentPage *self = g_object_new (HL_TYPE_DOCUMENT_PAGE, NULL);
  self->request = hl_open_request_new (file);
  self->name = hl_file_dup_display_name (file);
  return GTK_WIDGET (self);
}

GFile *
hl_document_page_get_file (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);
  return self->request->file;
}

GFile *
hl_document_page_get_session_file (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);
  return self->request->session_file;
}

/* Of files, where those are that a session file names and that are missing; NULL once it is open. */
GPtrArray *
hl_document_page_get_located (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);
  return self->request->located;
}

void
hl_document_page_set_located (HlDocumentPage *self,
                              GPtrArray      *located)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));

  g_clear_pointer (&self->request->located, g_ptr_array_unref);
  self->request->located = g_ptr_array_ref (located);
}

/* Before it is loaded: nothing is read before somebody looks at it. */
void
hl_document_page_put_off (HlDocumentPage *self)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self) && self->session == NULL);
  self->is_put_off = TRUE;
}

/* Before it is loaded, which is put off: it is to show that, in place of its file as that opens by itself. */
void
hl_document_page_set_saved (HlDocumentPage       *self,
                            const HlSavedSession *saved)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self) && saved != NULL);

  hl_open_request_set_saved (self->request, saved);
  hl_document_page_put_off (self);
}

/* Whether it has its widgets, which take more time and memory than most documents. */
gboolean
hl_document_page_get_furnished (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), FALSE);
  return self->stack != NULL;
}

/* Whether nobody has loaded it yet who looks at it. */
gboolean
hl_document_page_get_put_off (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), FALSE);
  return self->is_put_off;
}

/* What somebody would have to open to see the same; as far as it is known before there is a picture. */
HlSavedSession *
hl_document_page_save (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);

  if (self->session != NULL)
    {
      HlSavedSession *saved = hl_session_save (self->session, hl_scene_view_get_scene (self->scene_view));
      hl_compare_view_save (self->compare_view, saved);
      return saved;
    }
  HlSavedSession *saved = hl_open_request_save (self->request);
  /* The image that was answered last may be none that the model can take. */
  if (self->asks && self->request->pixels != NULL && !hl_page_opening_get_busy (self->opening))
    g_clear_object (&saved->pixels);
  return saved;
}

const char *
hl_document_page_get_name (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);
  return self->name;
}

HlSession *
hl_document_page_get_session (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);
  return self->session;
}

HlSceneView *
hl_document_page_get_scene_view (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);

  hl_document_page_furnish (self);
  return self->scene_view;
}

HlSidePanel *
hl_document_page_get_side_panel (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);

  hl_document_page_furnish (self);
  return self->side_panel;
}

HlPagePanels *
hl_document_page_get_panels (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);
  return self->panels;
}

HlTokenSearch *
hl_document_page_get_token_search (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);

  hl_document_page_furnish (self);
  return self->token_search;
}

AdwToastOverlay *
hl_document_page_get_toasts (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);

  hl_document_page_furnish (self);
  return self->toasts;
}

HlHintBar *
hl_document_page_get_hint_bar (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);

  hl_document_page_furnish (self);
  return self->hint_bar;
}

HlCompareView *
hl_document_page_get_compare_view (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);

  hl_document_page_furnish (self);
  return self->compare_view;
}

/* Lets the keyboard go where one begins, which is the picture of what was typed before. */
void
hl_document_page_begin (HlDocumentPage *self)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));

  if (self->is_typed)
    hl_document_page_focus_scene (self);
  else
    hl_document_page_focus (self);
}

/* Lets the keyboard go to the text, where there is one to type, otherwise to the scene. */
void
hl_document_page_focus (HlDocumentPage *self)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));

  HlLiveModel *live = self->session != NULL ? hl_session_get_live (self->session) : NULL;

  if (self->asks)
    hl_pixels_page_focus (self->pixels_page);
  else if (live != NULL && hl_live_model_takes_texts (live))
    {
      /* Where sides are seen one at a time, it is the text of the one that is seen. */
      if (hl_compare_view_focus_text (self->compare_view))
        return;
      if (hl_compare_view_get_side (self->compare_view) == HL_COMPARE_SIDE_B)
        hl_compare_view_show_side (self->compare_view, FALSE);
      hl_text_bar_focus (self->text_bar);
    }
  else
    hl_document_page_focus_scene (self);
}

/* Whether it shows a model that takes pixels, or asks for them. */
gboolean
hl_document_page_takes_pixels (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), FALSE);

  HlLiveModel *live = self->session != NULL ? hl_session_get_live (self->session) : NULL;

  return live != NULL ? hl_live_model_takes_pixels (live) : self->asks;
}

/* Runs the model on the pixels in a file; the model that is still to be opened, if there is none yet. One that takes none says so. */
void
hl_document_page_set_pixels (HlDocumentPage *self,
                             GFile          *pixels)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));
  g_return_if_fail (G_IS_FILE (pixels));

  if (self->session != NULL)
    {
      g_return_if_fail (hl_session_get_live (self->session) != NULL);
      hl_live_model_set_pixels (hl_session_get_live (self->session), pixels);
      return;
    }
  g_set_object (&self->request->pixels, pixels);
  if (self->asks || hl_page_opening_get_busy (self->opening))
    hl_document_page_load (self);
}

/* Of a model with an adapter, switches that off; of one that is still to be opened, has it be off. */
void
hl_document_page_leave_adapter (HlDocumentPage *self)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));

  HlLiveModel *live = self->session != NULL ? hl_session_get_live (self->session) : NULL;

  if (live != NULL)
    hl_live_model_set_adapter (live, FALSE);
  if (self->session != NULL)
    return;
  self->request->adapter = HL_OPEN_ADAPTER_OFF;
  if (hl_page_opening_get_busy (self->opening))
    hl_document_page_load (self);
}

/* Runs the model on a text, or two; the model that is still to be opened, if there is none yet. */
void
hl_document_page_set_texts (HlDocumentPage *self,
                            const char     *text,
                            const char     *second_text)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));
  g_return_if_fail (text != NULL);

  if (self->session != NULL)
    {
      hl_text_bar_set_texts (self->text_bar, text, second_text);
      return;
    }
  hl_open_request_set_texts (self->request, text, second_text);
}

/* The bar with the text of the page itself. */
HlTextBar *
hl_document_page_get_text_bar (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);

  hl_document_page_furnish (self);
  return self->text_bar;
}

/* Goes on with the text, or stops that. */
void
hl_document_page_generate (HlDocumentPage *self)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));

  hl_document_page_furnish (self);
  hl_text_bar_generate (self->text_bar);
}

void
hl_document_page_space_letters (HlDocumentPage *self)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));

  hl_document_page_furnish (self);
  hl_text_bar_space_letters (self->text_bar);
}

void
hl_document_page_focus_scene (HlDocumentPage *self)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));

  hl_document_page_furnish (self);
  if (hl_compare_view_get_side (self->compare_view) != HL_COMPARE_SIDE_BOTH)
    hl_compare_view_focus (self->compare_view);
  else
    gtk_widget_grab_focus (GTK_WIDGET (self->scene_view));
}

/* Opens the file, or opens it again, and then as somebody chose before; of a comparison both sides. Ends with one of the signals. */
void
hl_document_page_load (HlDocumentPage *self)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));

  stop_loading (self);
  g_clear_error (&self->refusal);
  self->is_put_off = FALSE;
  g_autoptr (HlOpenRequest) request = hl_open_request_copy (self->request);
  if (hl_document_page_get_furnished (self) && hl_compare_view_get_sides (self->compare_view) != NULL)
    {
      g_clear_pointer (&request->saved, hl_saved_session_free);
      request->saved = hl_document_page_save (self);
    }
  g_autoptr (HlProgress) progress = hl_progress_new ();
  hl_page_opening_start (self->opening, request, self->session, progress);
  start_loading_page (self);
  update_spinner (self);
  g_object_notify (G_OBJECT (self), "loading");
}

/* Shows a document in place of the one that is shown, if there is one. @stamp is of its file before that was read; NULL for what is
 * there now. Ends with HlDocumentPage::ready or HlDocumentPage::failed. */
void
hl_document_page_show (HlDocumentPage *self,
                       HlDocument     *document,
                       const char     *stamp)
{
  g_autoptr (GError) error = NULL;

  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));
  g_return_if_fail (HL_IS_DOCUMENT (document));

  hl_document_page_furnish (self);
  stop_loading (self);
  g_autoptr (HlSession) session = hl_session_new (document, &error);
  if (session == NULL)
    {
      take_session (self, NULL, error);
      return;
    }
  hl_session_watch (session, stamp);
  if (self->session != NULL)
    hl_page_opening_resume (self->opening, session, self->session);
  else
    hl_page_opening_choose (self->opening, session);
}

gboolean
hl_document_page_get_loading (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), FALSE);
  return hl_page_opening_get_busy (self->opening);
}

/* Stops all work and lets the document go. No signal follows. */
void
hl_document_page_close (HlDocumentPage *self)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));

  stop_loading (self);
  self->asks = FALSE;
  if (self->session != NULL)
    set_session (self, NULL);
  update_spinner (self);
}

/* What was looked at before; %NULL before there is a picture. */
HlViewHistory *
hl_document_page_get_history (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);
  return self->history;
}
