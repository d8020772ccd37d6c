/* SPDX-License-Identifier: MIT */
/* Names of files in a folder, said by somebody who is not trusted. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean hl_relative_path_is_safe (const char *path);

G_END_DECLS
