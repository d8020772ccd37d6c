/* SPDX-License-Identifier: MIT */
/* Which files a model that sees may be meant to see. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

const char *const *hl_image_file_get_endings (void);
gboolean           hl_image_file_is_such     (GFile        *file);
gboolean           hl_image_file_is_image    (GFile        *file);
int               *hl_image_file_find_models (GFile *const *files,
                                              guint         n_files);

G_END_DECLS
