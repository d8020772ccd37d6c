/* SPDX-License-Identifier: MIT */
/* What libFuzzer calls, and the replay of its corpus too. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

int LLVMFuzzerTestOneInput (const guint8 *bytes,
                            gsize         size);

G_END_DECLS
