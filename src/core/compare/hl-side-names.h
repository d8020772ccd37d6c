/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/hl-document.h"

G_BEGIN_DECLS

void hl_side_names_make (HlDocument  *document_a,
                         HlExample   *example_a,
                         HlDocument  *document_b,
                         HlExample   *example_b,
                         char       **name_a,
                         char       **name_b);

G_END_DECLS
