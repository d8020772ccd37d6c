/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GFile *hl_model_folder_find (GFile *folder);

G_END_DECLS
