/* SPDX-License-Identifier: MIT */
/* A mask in the place of a token of a text, which a model is to guess. */
#pragma once

#include "core/model/hl-model.h"

G_BEGIN_DECLS

gboolean hl_live_mask_is_known (HlModel    *model);
char    *hl_live_mask_put      (HlModel    *model,
                                const char *text,
                                const char *second_text,
                                gsize       position,
                                gboolean   *in_second);

G_END_DECLS
