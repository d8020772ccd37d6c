/* SPDX-License-Identifier: MIT */
/* Names of files that are one dump together: `NAME.rank0.h5`, `NAME.rank1.h5` … */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

gboolean hl_shard_name_parse     (const char   *name,
                                  char        **stem,
                                  guint        *rank,
                                  char        **ending);
GFile   *hl_shard_name_get_file  (GFile        *file,
                                  guint         rank);
char    *hl_shard_name_dup_whole (const char   *name);

G_END_DECLS
