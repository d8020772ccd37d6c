/* SPDX-License-Identifier: MIT */
/* What the heads of one picture do not see, which may be of several layers with a rule each. */
#pragma once

#include "view/shown/hl-shown.h"

G_BEGIN_DECLS

gboolean hl_shown_is_visible      (const HlShown *self,
                                   gsize          query,
                                   gsize          key);
gboolean hl_shown_is_masked_weight (const HlShown *self,
                                    float          weight);

G_END_DECLS
