/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GMappedFile *hl_mapped_file_open (GFile   *file,
                                  GError **error);

G_END_DECLS
