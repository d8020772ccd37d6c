/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/local/hl-model-listing.h"

G_BEGIN_DECLS

void hl_hub_folder_list (HlModelListing *listing,
                         GFile          *folder);

G_END_DECLS
