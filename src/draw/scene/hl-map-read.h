/* SPDX-License-Identifier: MIT */
#pragma once

#include "view/shown/hl-shown.h"

G_BEGIN_DECLS

/* Where hl_map_copy_row() takes it from: [queries, keys] numbers, and which of both its tokens are. */
typedef struct
{
  const float *map;
  HlRange queries;
  HlRange keys;
  HlSide side;
} HlMapRow;

gboolean hl_map_copy_row (gsize    token,
                          float   *target,
                          gpointer data);
gboolean hl_map_read (HlAttentionSource *source,
                      const HlShownHead *head,
                      HlRange            queries,
                      HlRange            keys,
                      float             *target,
                      GCancellable      *cancellable,
                      GError           **error);

G_END_DECLS
