/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

GtkWidget *hl_about_new (void);
