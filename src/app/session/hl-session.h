/* SPDX-License-Identifier: MIT */
/*
 * An open document, how it is looked at, and the work that runs for it: reading another example, looking for what is
 * odd about the numbers, computing what was typed. Lives on the main thread.
 */
#pragma once

#include "app/live/hl-live-model.h"
#include "app/session/hl-file-watch.h"
#include "core/document/hl-document.h"
#include "draw/scene/hl-scene.h"
#include "view/hl-view-state.h"
#include "view/session/hl-saved-session.h"

G_BEGIN_DECLS

#define HL_TYPE_SESSION (hl_session_get_type ())
G_DECLARE_FINAL_TYPE (HlSession, hl_session, HL, SESSION, GObject)

HlSession            *hl_session_new               (HlDocument           *document,
                                                    GError              **error);
HlSession            *hl_session_new_live          (HlLiveModel          *live,
                                                    GError              **error);
void                  hl_session_close             (HlSession            *self);

HlLiveModel          *hl_session_get_live          (HlSession            *self);
gboolean              hl_session_is_empty          (HlSession            *self);
HlDocument           *hl_session_get_document      (HlSession            *self);
GFile                *hl_session_get_file          (HlSession            *self);
HlViewState          *hl_session_get_view_state    (HlSession            *self);
const char           *hl_session_get_title         (HlSession            *self);
const char           *hl_session_get_subtitle      (HlSession            *self);

guint                 hl_session_get_example_index (HlSession            *self);
void                  hl_session_set_example_index (HlSession            *self,
                                                    guint                 index);
gboolean              hl_session_get_busy          (HlSession            *self);

void                  hl_session_watch             (HlSession            *self,
                                                    const char           *stamp);
HlFileWatch          *hl_session_get_watch         (HlSession            *self);

GListModel           *hl_session_get_checks        (HlSession            *self);
void                  hl_session_examine           (HlSession            *self);
gboolean              hl_session_get_examining     (HlSession            *self);

HlSavedSession       *hl_session_save              (HlSession            *self,
                                                    HlScene              *scene);
void                  hl_session_restore           (HlSession            *self,
                                                    const HlSavedSession *saved,
                                                    GAsyncReadyCallback   callback,
                                                    gpointer              user_data);
gboolean              hl_session_restore_finish    (HlSession            *self,
                                                    GAsyncResult         *result,
                                                    GError              **error);
void                  hl_session_resume_async      (HlSession            *self,
                                                    HlSession            *before,
                                                    GAsyncReadyCallback   callback,
                                                    gpointer              user_data);
gboolean              hl_session_resume_finish     (HlSession            *self,
                                                    GAsyncResult         *result,
                                                    GError              **error);
void                  hl_session_take_over         (HlSession            *self,
                                                    HlSession            *before,
                                                    HlSession            *other);
const HlSavedSession *hl_session_get_saved         (HlSession            *self);
void                  hl_session_set_other         (HlSession            *self,
                                                    HlSession            *other,
                                                    const HlSavedSession *saved);
HlSession            *hl_session_steal_other       (HlSession            *self);

G_END_DECLS
