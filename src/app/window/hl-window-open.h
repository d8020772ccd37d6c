/* SPDX-License-Identifier: MIT */
/* What comes to be opened, from wherever it comes: in which window, in which of its tabs, and what belongs together. */
#pragma once

#include "app/window/hl-window.h"
#include "view/session/hl-saved-window.h"

G_BEGIN_DECLS

void hl_window_open_files  (GtkApplication      *application,
                            HlWindow            *self,
                            GFile              **files,
                            guint                n_files);
void hl_window_open_text   (GtkApplication      *application,
                            HlWindow            *self,
                            GFile               *model,
                            const char          *text,
                            const char          *second_text);
void hl_window_open_sample (GtkApplication      *application,
                            HlWindow            *self);
void hl_window_open_saved  (HlWindow            *self,
                            const HlSavedWindow *saved);

G_END_DECLS
