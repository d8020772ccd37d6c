/* SPDX-License-Identifier: MIT */
/* Says in the corner of a picture how fast its model is, while a run takes its time. */
#pragma once

#include "app/session/hl-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_PACE_NOTE (hl_pace_note_get_type ())
G_DECLARE_FINAL_TYPE (HlPaceNote, hl_pace_note, HL, PACE_NOTE, AdwBin)

void hl_pace_note_set_session (HlPaceNote *self,
                               HlSession  *session);

G_END_DECLS
