/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/model/hub/hl-hub-name.h"
#include "core/model/hub/hl-hub-tree.h"

G_BEGIN_DECLS

char    *hl_hub_store_get_model    (const char       *repository);
char    *hl_hub_store_get_blob     (const char       *model,
                                    const HlHubFile  *file);
char    *hl_hub_store_get_lock     (const char       *model,
                                    const HlHubFile  *file);
gboolean hl_hub_store_has_file     (const char       *model,
                                    const char       *commit,
                                    const HlHubFile  *file);
guint64  hl_hub_store_measure      (const char       *model,
                                    const char       *commit,
                                    const HlHubFile  *file);
gboolean hl_hub_store_check_space  (guint64           needed,
                                    GError          **error);
gboolean hl_hub_store_make_folder  (const char       *path,
                                    GError          **error);
gboolean hl_hub_store_link         (const char       *model,
                                    const char       *commit,
                                    const HlHubFile  *file,
                                    gboolean          is_shared,
                                    GError          **error);
gboolean hl_hub_store_note         (const char       *model,
                                    const char       *revision,
                                    const char       *commit,
                                    GError          **error);
GFile   *hl_hub_store_get_file     (const char       *model,
                                    const char       *commit,
                                    const char       *path);
GFile   *hl_hub_store_find         (const HlHubName  *name);

G_END_DECLS
