/* SPDX-License-Identifier: MIT */
/* What GTK keeps of widgets that have gone. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void hl_leftovers_watch (void);

G_END_DECLS
