/* SPDX-License-Identifier: MIT */
/* A name, a bar from 0 to 1 and a number: how a row of the predictions looks, as those of the token panel do. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_CHANCE_BAR (hl_chance_bar_get_type ())
G_DECLARE_FINAL_TYPE (HlChanceBar, hl_chance_bar, HL, CHANCE_BAR, GtkWidget)

GtkWidget *hl_chance_bar_new (const char  *lead);
void       hl_chance_bar_set (HlChanceBar *self,
                              const char  *name,
                              double       chance);

G_END_DECLS
