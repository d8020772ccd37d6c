/* SPDX-License-Identifier: MIT */
/* What is written or pasted is laid out while somebody waits: texts for which that would take seconds are refused, or have lines that
 * end elsewhere. What holds them goes when nobody uses it any more. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

char       *hl_text_guard_dup_refusal   (const char    *text);
char       *hl_text_guard_find_marks    (const char    *text);
GtkWrapMode hl_text_guard_get_wrap_mode (const char    *text);
void        hl_text_guard_entry         (GtkWidget     *entry);
void        hl_text_guard_buffer        (GtkTextBuffer *buffer);
void        hl_text_guard_view          (GtkTextView   *view);

G_END_DECLS
