/* SPDX-License-Identifier: MIT */
#pragma once

#include "view/session/hl-saved-session.h"

G_BEGIN_DECLS

/**
 * HlSavedTab:
 * @session: what it shows
 * @session_file: (nullable): the session file that it was opened from
 */
typedef struct
{
  HlSavedSession *session;
  GFile          *session_file;
} HlSavedTab;

/**
 * HlSavedWindow:
 * @tabs: (element-type HlSavedTab): in their order
 * @selected: the one that is on top
 * @n_unread: how many more were in the bytes, and could not be read
 * @rest: (nullable): those of them that are not damaged, as bytes of a window: a newer program may read them
 *
 * What is open in a window. As bytes it is a sequence of JSON texts as RFC 7464 has it: which tab is on top and where tabs are
 * from, then a session for each.
 */
typedef struct
{
  GPtrArray *tabs;
  guint      selected;
  guint      n_unread;
  GBytes    *rest;
} HlSavedWindow;

HlSavedWindow *hl_saved_window_new        (void);
void           hl_saved_window_add        (HlSavedWindow       *self,
                                           HlSavedSession      *session,
                                           GFile               *session_file);
void           hl_saved_window_take_tabs  (HlSavedWindow       *self,
                                           HlSavedWindow       *other);
HlSavedWindow *hl_saved_window_parse      (const char          *text,
                                           gsize                size,
                                           GError             **error);
HlSavedWindow *hl_saved_window_load       (GFile               *file,
                                           gsize               *budget,
                                           guint               *n_values,
                                           GError             **error);
gboolean       hl_saved_window_is_damaged (const GError        *error);
GBytes        *hl_saved_window_to_bytes   (const HlSavedWindow *self);
void           hl_saved_window_free       (HlSavedWindow       *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlSavedWindow, hl_saved_window_free)

G_END_DECLS
