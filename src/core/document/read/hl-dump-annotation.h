/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/read/base/hl-dump-context.h"
#include "core/document/tokens/hl-annotation.h"

G_BEGIN_DECLS

HlAnnotation *hl_dump_read_annotation (const HlDumpContext *context);

G_END_DECLS
