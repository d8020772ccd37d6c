/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint hl_image_orientation_find (const guint8 *data,
                                 gsize         size);

G_END_DECLS
