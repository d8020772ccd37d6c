/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void hl_worker_give_way (void);

G_END_DECLS
