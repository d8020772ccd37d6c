/* SPDX-License-Identifier: MIT */
#pragma once

#include "view/shown/hl-shown.h"

G_BEGIN_DECLS

gboolean hl_map_read (HlAttentionSource *source,
                      const HlShownHead *head,
                      HlRange            queries,
                      HlRange            keys,
                      float             *target,
                      GCancellable      *cancellable,
                      GError           **error);

G_END_DECLS
