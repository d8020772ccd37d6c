/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/hl-document.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkStringList *hl_example_names_new (HlDocument *document);

G_END_DECLS
