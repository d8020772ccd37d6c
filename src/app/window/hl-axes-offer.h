/* SPDX-License-Identifier: MIT */
/* Looks in a file in which no attention was found whether there is something to choose from. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* There is; @text is what was said of the file. */
typedef void (*HlAxesFound) (GtkWidget  *widget,
                             const char *text,
                             const char *uri);

void hl_axes_offer_make (GtkWidget   *widget,
                         GFile       *file,
                         const char  *text,
                         HlAxesFound  found);

G_END_DECLS
