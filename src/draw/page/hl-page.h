/* SPDX-License-Identifier: MIT */
/* A web page that shows attention by itself: for readers who have a browser and no Headlight. */
#pragma once

#include "view/hl-view-state.h"

G_BEGIN_DECLS

GBytes *hl_page_make (HlViewState   *state,
                      const char    *title,
                      const char    *model,
                      GCancellable  *cancellable,
                      GError       **error);

G_END_DECLS
