/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void hl_attend_scores  (const float *query,
                        const float *keys,
                        gsize        n_keys,
                        gsize        n_features,
                        float        scale,
                        float       *scores);
void hl_attend_softmax (float       *scores,
                        gsize        n);

G_END_DECLS
