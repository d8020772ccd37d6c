/* SPDX-License-Identifier: MIT */
/* What two sides that are compared are called: what differs, and nothing else. */
#pragma once

#include "view/hl-sides.h"

G_BEGIN_DECLS

void hl_side_names_make         (HlSides     *sides,
                                 HlDocument  *document_a,
                                 HlDocument  *document_b,
                                 char       **name_a,
                                 char       **name_b);
void hl_side_names_differ_texts (const char  *text_a,
                                 const char  *text_b,
                                 char       **name_a,
                                 char       **name_b);

G_END_DECLS
