/* SPDX-License-Identifier: MIT */
/* HlDocumentPage: the session goes to all that is around the scene, and what it does is told. */
#include "app/page/hl-document-page-private.h"

#include "app/page/hl-page-state.h"
#include "app/session/hl-session-banner.h"
#include "app/session/hl-session-saved.h"

void
hl_document_page_update_spinner (HlDocumentPage *self)
{
  const gboolean is_busy = self->session != NULL && (self->cancellable != NULL || hl_session_get_busy (self->session) ||
                                                     hl_scene_view_get_busy (self->scene_view));

  hl_late_spinner_set_busy (self->spinner, is_busy);
}

void
hl_document_page_update_banner (HlDocumentPage *self)
{
  hl_session_banner_update (self->banner, self->session, hl_scene_view_get_error (self->scene_view));
}

void
hl_document_page_scene_finished (HlDocumentPage *self)
{
  if (self->session == NULL)
    return;
  hl_document_page_update_banner (self);
  /* The first picture is there: now there is time to look for oddities. */
  hl_session_examine (self->session);
}

void
hl_document_page_session_failed (HlDocumentPage *self,
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
  hl_page_state_release (hl_session_get_view_state (self->session), self->settings);
}

static void
follow_session (HlDocumentPage *self)
{
  g_signal_connect_swapped (self->session, "notify::busy", G_CALLBACK (hl_document_page_update_spinner), self);
  g_signal_connect_swapped (self->session, "failed", G_CALLBACK (hl_document_page_session_failed), self);
  g_signal_connect_swapped (hl_session_get_checks (self->session), "items-changed",
                            G_CALLBACK (hl_document_page_update_banner), self);
  hl_document_page_update_banner (self);
}

void
hl_document_page_set_session (HlDocumentPage *self,
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
    hl_page_state_set_up (session, before, self->settings, self->session_file != NULL);

  hl_head_picker_set_view_state (self->head_picker, state);
  hl_example_panel_set_session (self->example_panel, session);
  hl_side_panel_set_view_state (self->side_panel, state);
  hl_scene_view_set_view_state (self->scene_view, state);
  if (saved != NULL)
    hl_scene_view_go_to (self->scene_view, saved->zoom, saved->scroll_x, saved->scroll_y);
  hl_compare_view_set_session (self->compare_view, session, self->scene_view);
  hl_wait_note_set_session (self->wait_note, session);
  hl_text_bar_set_live (self->text_bar, session != NULL ? hl_session_get_live (session) : NULL);
  g_set_object (&self->session, session);
  if (session != NULL)
    follow_session (self);
  g_object_notify (G_OBJECT (self), "session");
}
