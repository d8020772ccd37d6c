/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"

G_BEGIN_DECLS

gboolean hl_dataset_look_at   (HlArchive  *archive,
                               const char *path,
                               HlShape    *shape,
                               HlDType    *dtype);
gboolean hl_dataset_is_matlab (HlArchive  *archive,
                               const char *path);

G_END_DECLS
