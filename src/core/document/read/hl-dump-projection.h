/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/read/hl-dump-context.h"
#include "core/document/read/hl-dump-maps.h"

G_BEGIN_DECLS

gboolean hl_dump_project (const HlDumpContext *context,
                          const char          *name,
                          const char          *base_name,
                          HlDumpMaps          *maps,
                          gboolean            *projected,
                          GError             **error);

G_END_DECLS
