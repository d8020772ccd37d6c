/* SPDX-License-Identifier: MIT */
/* What kinds of files there are, as the desktop knows them. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void hl_content_types_settle (void);

G_END_DECLS
