/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/hl-model.h"

G_BEGIN_DECLS

/**
 * HL_REPEATED_TEXT_PERIOD:
 *
 * How many tokens are written twice, unless somebody says how many or the model takes fewer.
 */
#define HL_REPEATED_TEXT_PERIOD 50

gsize    hl_repeated_text_get_period (HlModel         *model,
                                      gsize            period);
guint32 *hl_repeated_text_make       (HlModel         *model,
                                      HlAttentionKind  attention,
                                      guint64          seed,
                                      gsize            period,
                                      GError         **error);

G_END_DECLS
