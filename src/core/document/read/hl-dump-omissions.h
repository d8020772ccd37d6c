/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/read/hl-dump-context.h"

G_BEGIN_DECLS

void hl_dump_note_omissions (const HlDumpContext *context);

G_END_DECLS
