/* SPDX-License-Identifier: MIT */
/* Stands in place of a picture that would read far more numbers than the file holds, and asks whether it may. */
#pragma once

#include "app/canvas/hl-scene-view.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_READING_NOTE (hl_reading_note_get_type ())
G_DECLARE_FINAL_TYPE (HlReadingNote, hl_reading_note, HL, READING_NOTE, AdwBin)

G_END_DECLS
