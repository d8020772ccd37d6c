/* SPDX-License-Identifier: MIT */
#pragma once

#include "view/session/hl-saved-window.h"

G_BEGIN_DECLS

/**
 * HlSessionStore:
 *
 * A folder in which a running program keeps what is open in its windows, a file a window, readable by its user alone. The
 * program holds a lock on it, which the system lets go of however the program ends: a folder that nobody holds is of one that
 * did not end by itself. Reference counted; from any thread. All functions that touch the disk block.
 */
typedef struct _HlSessionStore HlSessionStore;

/**
 * HlSessionStoreFunc:
 * @window: what is kept of a window, until the function returns
 * @user_data: of the caller
 */
typedef void (*HlSessionStoreFunc) (const HlSavedWindow *window,
                                    gpointer             user_data);

HlSessionStore *hl_session_store_new       (const char           *parent,
                                            GError              **error);
GPtrArray      *hl_session_store_find_lost (const char           *parent);
HlSessionStore *hl_session_store_ref       (HlSessionStore       *self);
void            hl_session_store_unref     (HlSessionStore       *self);
gboolean        hl_session_store_save      (HlSessionStore       *self,
                                            guint                 window,
                                            const HlSavedWindow  *saved,
                                            GError              **error);
void            hl_session_store_forget    (HlSessionStore       *self,
                                            guint                 window);
GPtrArray      *hl_session_store_load      (GPtrArray            *stores);
gboolean        hl_session_store_peek      (const char           *parent,
                                            HlSessionStoreFunc    func,
                                            gpointer              user_data);
void            hl_session_store_leave     (HlSessionStore       *self,
                                            const guint          *windows,
                                            guint                 n_windows);
void            hl_session_store_remove    (HlSessionStore       *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlSessionStore, hl_session_store_unref)

G_END_DECLS
