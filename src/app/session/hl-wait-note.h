/* SPDX-License-Identifier: MIT */
/* Says over a picture that the layer to be seen is not computed yet, or will not be. */
#pragma once

#include "app/session/hl-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_WAIT_NOTE (hl_wait_note_get_type ())
G_DECLARE_FINAL_TYPE (HlWaitNote, hl_wait_note, HL, WAIT_NOTE, AdwBin)

void hl_wait_note_set_session (HlWaitNote *self,
                               HlSession  *session);

G_END_DECLS
