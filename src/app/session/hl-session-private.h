/* SPDX-License-Identifier: MIT */
/* What the files of HlSession share. */
#pragma once

#include "app/session/hl-session.h"

G_BEGIN_DECLS

struct _HlSession
{
  GObject parent_instance;

  HlDocument *document;
  HlLiveModel *live; /* NULL for a file */
  HlViewState *view_state;
  char *title;
  char *subtitle;

  guint example_index;
  guint shown_index;
  GCancellable *example_cancellable;

  GListStore *checks;
  gboolean examined;
  GCancellable *examine_cancellable;
};

void hl_session_show_example   (HlSession *self,
                                HlExample *example);
void hl_session_stop_reading   (HlSession *self);
void hl_session_stop_examining (HlSession *self);

G_END_DECLS
