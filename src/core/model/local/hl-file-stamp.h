/* SPDX-License-Identifier: MIT */
/* What tells a file, or the folder of a model, from itself after somebody wrote to it. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

gboolean hl_file_stamp_is_part           (const char   *name);
char    *hl_file_stamp_take              (GFile        *file,
                                          GPtrArray   **places,
                                          GCancellable *cancellable);
char    *hl_file_stamp_take_of_tokenizer (GFile        *file);

G_END_DECLS
