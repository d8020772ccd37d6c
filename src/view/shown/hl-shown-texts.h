/* SPDX-License-Identifier: MIT */
/* Which tokens are of which of two texts, as far as what is shown tells; where the second begins, hl_shown_get_sentence_b() says. */
#pragma once

#include "view/shown/hl-shown.h"

G_BEGIN_DECLS

gboolean hl_shown_tells_texts_apart (const HlShown *self);

G_END_DECLS
