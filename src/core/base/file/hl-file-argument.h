/* SPDX-License-Identifier: MIT */
/* Files as people name them on a command line. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GFile *hl_file_new_for_argument (const char *name);

G_END_DECLS
