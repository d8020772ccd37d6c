/* SPDX-License-Identifier: MIT */
/* A pair of tokens in words, in the room of one line or two. */
#pragma once

#include "app/details/hl-head-facts.h"

G_BEGIN_DECLS

gboolean hl_pair_text_needs_two_lines (const HlShown      *shown,
                                       const HlStrongPair *pairs,
                                       guint               n);
void     hl_pair_text_append          (GString            *markup,
                                       GString            *spoken,
                                       const HlShown      *shown,
                                       const HlStrongPair *pair,
                                       gboolean            two_lines);

G_END_DECLS
