/* SPDX-License-Identifier: MIT */
/* How much memory the program keeps that it does not use. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void hl_heap_limit     (void);
void hl_heap_give_back (void);

G_END_DECLS
