/* SPDX-License-Identifier: MIT */
/*
 * A tab. It opens its file or model in a worker and puts the panels around the scene. Opened again, it replaces the
 * session only when it could be read, and is looked at as before.
 */
#include "config.h"

#include "app/page/hl-document-page.h"

#include "app/base/hl-settings.h"
#include "app/base/hl-waiting.h"
#include "app/canvas/hl-minimap.h"
#include "app/heads/hl-head-picker.h"
#include "app/live/hl-text-bar.h"
#include "app/page/hl-pixels-page.h"
#include "app/panels/hl-panels.h"
#include "app/session/hl-banner.h"
#include "app/session/hl-session-open.h"
#include "app/session/hl-session.h"
#include "app/session/hl-pace-note.h"
#include "app/session/hl-wait-note.h"
#include "core/base/hl-file-name.h"
#include "view/hl-sentence.h"
#include "view/spelling/hl-state-text.h"

struct _HlDocumentPage
{
  AdwBin parent_instance;

  GtkStack *stack;
  HlLoadingPage *loading_page;
  HlPixelsPage *pixels_page;
  AdwFlap *sidebar_flap;
  AdwFlap *panel_flap;
  HlHeadPicker *head_picker;
  HlExamplePanel *example_panel;
  HlSidePanel *side_panel;
  HlBanner *banner;
  HlTokenSearch *token_search;
  HlSceneView *scene_view;
  HlCompareView *compare_view;
  HlLateSpinner *spinner;
  HlWaitNote *wait_note;
  HlPaceNote *pace_note;
  HlTextBar *text_bar;

  GFile *file;
  GFile *session_file; /* if it was opened from one */
  GFile *located;
  gboolean asks; /* for pixels: there is a model that takes them, and no picture yet */
  GFile *pixels; /* what was answered */
  char *name;
  HlSession *session;
  GCancellable *cancellable;
  GSettings *settings;
};

enum
{
  PROP_SESSION = 1,
  PROP_LOADING,
  PROP_SIDEBAR_VISIBLE,
  PROP_PANEL_VISIBLE,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (HlDocumentPage, hl_document_page, ADW_TYPE_BIN)

static void
on_view_changed (GSettings   *settings,
                 GParamSpec  *pspec,
                 HlViewState *state)
{
  g_settings_set_string (settings, "last-view",
                         hl_view_kind_get_traits (hl_view_state_get_options (state)->view)->nick);
}

static void
take_last_view (HlViewState *state,
                GSettings   *settings)
{
  g_autofree char *last_view = g_settings_get_string (settings, "last-view");
  HlViewKind view;

  if (hl_view_kind_from_nick (last_view, &view))
    hl_view_state_set_option (state, view, view);
}

static void
set_up_state (HlSession   *session,
              HlViewState *before,
              GSettings   *settings,
              gboolean     is_saved)
{
  HlViewState *state = hl_session_get_view_state (session);
  if (before != NULL)
    hl_state_copy (state, before);
  else if (!is_saved)
    take_last_view (state, settings);
  /* A file should not open with a notice in place of a picture, unless it was saved so: then the notice says why. */
  if (!is_saved && hl_view_state_get_shown (state)->shows_steps &&
      !hl_head_steps_are_known (hl_view_state_get_attention (state)))
    hl_view_state_set_option (state, view, HL_VIEW_DEFAULT);
  g_object_bind_property (adw_style_manager_get_default (), "dark", state, "dark", G_BINDING_SYNC_CREATE);
  if (is_saved)
    return;
  hl_settings_bind_colour_map (settings, state, "colour-map");
  g_settings_bind (settings, "orientation", state, "orientation", G_SETTINGS_BIND_DEFAULT);
  g_signal_connect_object (state, "notify::view", G_CALLBACK (on_view_changed), settings, G_CONNECT_SWAPPED);
}

static void
release_state (HlViewState *state,
               GSettings   *settings)
{
  g_signal_handlers_disconnect_by_func (state, on_view_changed, settings);
  g_settings_unbind (state, "colour-map");
  g_settings_unbind (state, "orientation");
}

static void
update_spinner (HlDocumentPage *self)
{
  const gboolean is_busy = self->session != NULL && (self->cancellable != NULL || hl_session_get_busy (self->session) ||
                                                     hl_scene_view_get_busy (self->scene_view));

  hl_late_spinner_set_progress (self->spinner, hl_scene_view_get_progress (self->scene_view));
  hl_late_spinner_set_busy (self->spinner, is_busy);
}

static void
update_banner (HlDocumentPage *self)
{
  hl_banner_update (self->banner, self->session, hl_scene_view_get_error (self->scene_view));
}

static void
on_scene_finished (HlDocumentPage *self)
{
  if (self->session == NULL)
    return;
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

static void
leave_session (HlDocumentPage *self)
{
  hl_session_close (self->session);
  g_signal_handlers_disconnect_by_data (self->session, self);
  g_signal_handlers_disconnect_by_data (hl_session_get_checks (self->session), self);
  release_state (hl_session_get_view_state (self->session), self->settings);
}

static void
follow_session (HlDocumentPage *self)
{
  g_signal_connect_swapped (self->session, "notify::busy", G_CALLBACK (update_spinner), self);
  g_signal_connect_swapped (self->session, "failed", G_CALLBACK (on_session_failed), self);
  g_signal_connect_swapped (hl_session_get_checks (self->session), "items-changed", G_CALLBACK (update_banner), self);
  update_banner (self);
}

static void
set_session (HlDocumentPage *self,
             HlSession      *session)
{
  HlViewState *before = self->session != NULL ? hl_session_get_view_state (self->session) : NULL;
  HlViewState *state = session != NULL ? hl_session_get_view_state (session) : NULL;
  const HlSavedSession *saved = session != NULL ? hl_session_get_saved (session) : NULL;

  /* What was compared with the session before is not compared with this one. */
  hl_compare_view_set_session (self->compare_view, NULL, NULL);
  if (self->session != NULL)
    leave_session (self);
  if (session != NULL)
    set_up_state (session, before, self->settings, self->session_file != NULL);

  hl_head_picker_set_view_state (self->head_picker, state);
  hl_example_panel_set_session (self->example_panel, session);
  hl_side_panel_set_view_state (self->side_panel, state);
  hl_scene_view_set_view_state (self->scene_view, state);
  if (saved != NULL)
    hl_scene_view_go_to (self->scene_view, saved->zoom, saved->scroll_x, saved->scroll_y);
  hl_compare_view_set_session (self->compare_view, session, self->scene_view);
  hl_wait_note_set_session (self->wait_note, session);
  hl_pace_note_set_session (self->pace_note, session);
  hl_text_bar_set_live (self->text_bar, session != NULL ? hl_session_get_live (session) : NULL);
  g_set_object (&self->session, session);
  /* A model in one file knows a better name. */
  if (session != NULL && self->session_file == NULL)
    {
      g_free (self->name);
      self->name = g_strdup (hl_session_get_title (session));
    }
  if (session != NULL)
    follow_session (self);
  g_object_notify (G_OBJECT (self), "session");
}

static void
stop_loading (HlDocumentPage *self)
{
  if (self->cancellable == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  hl_loading_page_stop (self->loading_page);
  update_spinner (self);
  g_object_notify (G_OBJECT (self), "loading");
}

typedef struct
{
  HlDocumentPage *page;
  GCancellable *cancellable;
} Loading;

static void
loading_free (Loading *loading)
{
  g_object_unref (loading->page);
  g_object_unref (loading->cancellable);
  g_free (loading);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Loading, loading_free)

/* There is no picture before there are pixels. */
static void
ask_for_pixels (HlDocumentPage *self,
                const char     *size)
{
  self->asks = TRUE;
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
      g_clear_object (&self->pixels);
      if (hl_session_get_saved (session) != NULL)
        {
          g_set_object (&self->session_file, self->file);
          g_set_object (&self->file, hl_document_get_file (hl_session_get_document (session)));
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

static void
on_loaded (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (Loading) loading = data;
  HlDocumentPage *self = loading->page;
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSession) session = hl_session_open_finish (result, &error);

  /* Closed, cancelled, or opened once more in the meantime. */
  if (loading->cancellable != self->cancellable)
    return;

  g_clear_object (&self->cancellable);
  hl_loading_page_stop (self->loading_page);
  g_object_notify (G_OBJECT (self), "loading");
  g_autofree char *wanted = session == NULL && self->session == NULL ? hl_session_open_dup_wanted_pixels (result)
                                                                     : NULL;
  if (wanted != NULL)
    {
      ask_for_pixels (self, wanted);
    }
  else if (session == NULL && self->asks)
    {
      g_autofree char *sentence = hl_sentence_of_error (error);
      hl_pixels_page_set_error (self->pixels_page, sentence);
      gtk_stack_set_visible_child_name (self->stack, "pixels");
    }
  else
    {
      take_session (self, session, error);
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

static void
hl_document_page_dispose (GObject *object)
{
  HlDocumentPage *self = HL_DOCUMENT_PAGE (object);

  if (self->file != NULL)
    hl_document_page_close (self);
  g_clear_object (&self->file);
  g_clear_object (&self->session_file);
  g_clear_object (&self->located);
  g_clear_object (&self->pixels);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (hl_document_page_parent_class)->dispose (object);
}

static void
hl_document_page_finalize (GObject *object)
{
  g_free (HL_DOCUMENT_PAGE (object)->name);
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
    case PROP_LOADING:
      g_value_set_boolean (value, hl_document_page_get_loading (self));
      break;
    case PROP_SIDEBAR_VISIBLE:
      g_value_set_boolean (value, adw_flap_get_reveal_flap (self->sidebar_flap));
      break;
    case PROP_PANEL_VISIBLE:
      g_value_set_boolean (value, adw_flap_get_reveal_flap (self->panel_flap));
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
      adw_flap_set_reveal_flap (self->sidebar_flap, g_value_get_boolean (value));
      break;
    case PROP_PANEL_VISIBLE:
      adw_flap_set_reveal_flap (self->panel_flap, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
on_sidebar_revealed (HlDocumentPage *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SIDEBAR_VISIBLE]);
}

static void
on_panel_revealed (HlDocumentPage *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PANEL_VISIBLE]);
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

static void
hl_document_page_class_init (HlDocumentPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  const GParamFlags writable = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->dispose = hl_document_page_dispose;
  object_class->finalize = hl_document_page_finalize;
  object_class->get_property = hl_document_page_get_property;
  object_class->set_property = hl_document_page_set_property;

  properties[PROP_SESSION] = g_param_spec_object ("session", NULL, NULL, HL_TYPE_SESSION, readable);
  properties[PROP_LOADING] = g_param_spec_boolean ("loading", NULL, NULL, FALSE, readable);
  properties[PROP_SIDEBAR_VISIBLE] = g_param_spec_boolean ("sidebar-visible", NULL, NULL, TRUE, writable);
  properties[PROP_PANEL_VISIBLE] = g_param_spec_boolean ("panel-visible", NULL, NULL, TRUE, writable);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  /* The file was opened, or opened again: there is a new session. */
  g_signal_new ("ready", HL_TYPE_DOCUMENT_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  /* The file, or an example in it, could not be read. A session that was there stays. */
  g_signal_new ("failed", HL_TYPE_DOCUMENT_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
  g_signal_new ("cancelled", HL_TYPE_DOCUMENT_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  g_type_ensure (HL_TYPE_BANNER);
  g_type_ensure (HL_TYPE_COLOUR_PANEL);
  g_type_ensure (HL_TYPE_COMPARE_VIEW);
  g_type_ensure (HL_TYPE_EXAMPLE_PANEL);
  g_type_ensure (HL_TYPE_FILTER_PANEL);
  g_type_ensure (HL_TYPE_HEAD_PICKER);
  g_type_ensure (HL_TYPE_HIDING_PANEL);
  g_type_ensure (HL_TYPE_LATE_SPINNER);
  g_type_ensure (HL_TYPE_LOADING_PAGE);
  g_type_ensure (HL_TYPE_QUANTITY_PANEL);
  g_type_ensure (HL_TYPE_MINIMAP);
  g_type_ensure (HL_TYPE_PIXELS_PAGE);
  g_type_ensure (HL_TYPE_SCENE_VIEW);
  g_type_ensure (HL_TYPE_CHART_PANEL);
  g_type_ensure (HL_TYPE_ORDER_PANEL);
  g_type_ensure (HL_TYPE_SCORE_PANEL);
  g_type_ensure (HL_TYPE_SIDE_PANEL);
  g_type_ensure (HL_TYPE_TEXT_BAR);
  g_type_ensure (HL_TYPE_TOKEN_SEARCH);
  g_type_ensure (HL_TYPE_PACE_NOTE);
  g_type_ensure (HL_TYPE_WAIT_NOTE);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, stop_writing, NULL);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/document-page.ui");
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, stack);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, loading_page);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, pixels_page);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, sidebar_flap);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, panel_flap);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, head_picker);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, example_panel);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, side_panel);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, banner);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, token_search);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, scene_view);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, compare_view);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, spinner);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, wait_note);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, pace_note);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, text_bar);
  gtk_widget_class_bind_template_callback (widget_class, on_cancel);
  gtk_widget_class_bind_template_callback (widget_class, on_session_failed);
  gtk_widget_class_bind_template_callback (widget_class, on_scene_finished);
  gtk_widget_class_bind_template_callback (widget_class, hl_document_page_focus_scene);
  gtk_widget_class_bind_template_callback (widget_class, on_sidebar_revealed);
  gtk_widget_class_bind_template_callback (widget_class, on_panel_revealed);
  gtk_widget_class_bind_template_callback (widget_class, update_banner);
  gtk_widget_class_bind_template_callback (widget_class, update_spinner);
}

static void
hl_document_page_init (HlDocumentPage *self)
{
  self->settings = hl_settings_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
hl_document_page_new (GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  HlDocumentPage *self = g_object_new (HL_TYPE_DOCUMENT_PAGE, NULL);
  self->file = g_object_ref (file);
  self->name = hl_file_dup_display_name (file);
  return GTK_WIDGET (self);
}

GFile *
hl_document_page_get_file (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);
  return self->file;
}

GFile *
hl_document_page_get_session_file (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);
  return self->session_file;
}

void
hl_document_page_set_located (HlDocumentPage *self,
                              GFile          *located)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));
  g_set_object (&self->located, located);
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
  return self->scene_view;
}

HlSidePanel *
hl_document_page_get_side_panel (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);
  return self->side_panel;
}

HlTokenSearch *
hl_document_page_get_token_search (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);
  return self->token_search;
}

HlCompareView *
hl_document_page_get_compare_view (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);
  return self->compare_view;
}

/* Lets the keyboard go where one begins: to the text, where there is one to type, otherwise to the scene. */
void
hl_document_page_focus (HlDocumentPage *self)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));

  HlLiveModel *live = self->session != NULL ? hl_session_get_live (self->session) : NULL;

  if (self->asks)
    hl_pixels_page_focus (self->pixels_page);
  else if (live != NULL && hl_live_model_takes_texts (live))
    hl_text_bar_focus (self->text_bar);
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

/* Runs the model on the pixels in a file. */
void
hl_document_page_set_pixels (HlDocumentPage *self,
                             GFile          *pixels)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self) && hl_document_page_takes_pixels (self));
  g_return_if_fail (G_IS_FILE (pixels));

  if (self->session != NULL)
    {
      hl_live_model_set_pixels (hl_session_get_live (self->session), pixels);
      return;
    }
  g_set_object (&self->pixels, pixels);
  hl_document_page_load (self);
}

/* Goes on with the text, or stops that. */
void
hl_document_page_generate (HlDocumentPage *self)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));

  hl_text_bar_generate (self->text_bar);
}

void
hl_document_page_space_letters (HlDocumentPage *self)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));

  hl_text_bar_space_letters (self->text_bar);
}

void
hl_document_page_focus_scene (HlDocumentPage *self)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));

  gtk_widget_grab_focus (GTK_WIDGET (self->scene_view));
}

/* Opens the file, or opens it again, and then as somebody chose before. Ends with one of the signals. */
void
hl_document_page_load (HlDocumentPage *self)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));

  stop_loading (self);
  g_autoptr (HlProgress) progress = hl_progress_new ();
  Loading *loading = g_new0 (Loading, 1);
  self->cancellable = g_cancellable_new ();
  loading->page = g_object_ref (self);
  loading->cancellable = g_object_ref (self->cancellable);
  if (self->session == NULL)
    {
      gtk_stack_set_visible_child_name (self->stack, "loading");
      hl_loading_page_start (self->loading_page, self->name, progress);
    }
  update_spinner (self);
  g_object_notify (G_OBJECT (self), "loading");
  hl_session_open_async (self->file, self->located, self->session, self->pixels, progress, self->cancellable, on_loaded,
                         loading);
}

/* Shows a document in place of the one that is shown, if there is one. Ends with HlDocumentPage::ready or
 * HlDocumentPage::failed. */
void
hl_document_page_show (HlDocumentPage *self,
                       HlDocument     *document)
{
  g_autoptr (GError) error = NULL;

  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));
  g_return_if_fail (HL_IS_DOCUMENT (document));

  stop_loading (self);
  g_autoptr (HlSession) session = hl_session_new (document, &error);
  take_session (self, session, error);
}

gboolean
hl_document_page_get_loading (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), FALSE);
  return self->cancellable != NULL;
}

/* Stops all work and lets the document go. No signal follows. */
void
hl_document_page_close (HlDocumentPage *self)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));

  stop_loading (self);
  if (self->session != NULL)
    set_session (self, NULL);
  hl_late_spinner_set_busy (self->spinner, FALSE);
}
