/* SPDX-License-Identifier: MIT */
/* What a window says in passing. */
#pragma once

#include <adwaita.h>

/* How long a sentence stays that takes a moment to read, and a word. */
#define HL_TOAST_SENTENCE_SECONDS 10
#define HL_TOAST_WORD_SECONDS 2

G_BEGIN_DECLS

void     hl_toast_say          (AdwToastOverlay *overlay,
                                const char      *text,
                                GFile           *file,
                                guint            seconds);
void     hl_toast_say_error    (AdwToastOverlay *overlay,
                                const GError    *error);
void     hl_toast_say_saved    (AdwToastOverlay *overlay,
                                GFile           *target,
                                const GError    *error);
void     hl_toast_offer        (AdwToastOverlay *overlay,
                                const char      *text,
                                const char      *label,
                                const char      *action,
                                const char      *target,
                                guint            seconds);
gboolean hl_toast_says         (AdwToastOverlay *overlay,
                                const char      *text);
void     hl_toast_share_escape (AdwToastOverlay *overlay);
void     hl_toast_end_with     (AdwToastOverlay *overlay,
                                gpointer         object,
                                const char      *signal);
void     hl_toast_move         (AdwToastOverlay *overlay,
                                AdwToastOverlay *target);
void     hl_toast_dismiss      (AdwToastOverlay *overlay);
void     hl_toast_clear        (AdwToastOverlay *overlay);

G_END_DECLS
