/* SPDX-License-Identifier: MIT */
/* After what changes many lines at once GtkTextView sets out to where it reckons the cursor to be by the lines of before, and may end where
 * there are none. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void hl_text_follow_view (GtkTextView *view);

G_END_DECLS
