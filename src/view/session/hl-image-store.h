/* SPDX-License-Identifier: MIT */
#pragma once

#include "view/session/hl-saved-session.h"

G_BEGIN_DECLS

/*
 * A folder of images that came without a file, as from the clipboard, so that they can be seen again. An image has the name of what is in
 * it: it is there once, however often it comes. Those that no session refers to are removed after a day. From any thread and any process;
 * all functions block, but for no longer than some seconds on one another.
 */
char    *hl_image_store_dup_path     (void);
GFile   *hl_image_store_add          (const char           *path,
                                      GBytes               *png,
                                      GError              **error);
gboolean hl_image_store_save_session (const char           *path,
                                      const HlSavedSession *saved,
                                      GFile                *session_file,
                                      GError              **error);
guint    hl_image_store_prune        (const char           *path,
                                      const char           *windows,
                                      const char           *recent,
                                      gint64                now);

G_END_DECLS
