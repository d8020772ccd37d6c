/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint hl_text_hash (gconstpointer text);

G_END_DECLS
