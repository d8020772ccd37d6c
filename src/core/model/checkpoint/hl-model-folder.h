/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Where sentence-transformers names the folders of a model. */
#define HL_MODEL_FOLDER_MODULES "modules.json"

GFile *hl_model_folder_find (GFile *folder);

G_END_DECLS
