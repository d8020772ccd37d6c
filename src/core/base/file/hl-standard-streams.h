/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void hl_standard_streams_fill (void);

G_END_DECLS
