/* SPDX-License-Identifier: MIT */
/* What fuzz targets do with examples once they are open. */
#pragma once

#include "core/document/hl-document.h"

G_BEGIN_DECLS

void fuzz_read_example (HlExample *example);

G_END_DECLS
