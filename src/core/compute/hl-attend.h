/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void hl_attend_softmax (float *scores,
                        gsize  n);

G_END_DECLS
