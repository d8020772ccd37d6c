/* SPDX-License-Identifier: MIT */
/* What several commands ask of what they are about. */
#pragma once

#include "app/window/hl-window.h"

G_BEGIN_DECLS

/* What a command is about: what is on top of a window, as far as there is anything; its own name, and its parameter, or
 * what it is to stand at. */
typedef struct
{
  HlWindow *window;
  HlDocumentPage *page;
  HlSession *session;
  HlViewState *state;
  HlCompareView *compare_view;
  const char *name;
  GVariant *value;
} HlCommandSubject;

void     hl_command_present          (const HlCommandSubject *on,
                                      GtkWidget              *dialog);
gboolean hl_command_shows_head_table (const HlCommandSubject *on);
gboolean hl_command_has_session      (const HlCommandSubject *on);
gboolean hl_command_is_live          (const HlCommandSubject *on);

G_END_DECLS
