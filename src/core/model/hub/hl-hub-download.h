/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-progress.h"
#include "core/model/hub/hl-hub-offer.h"

G_BEGIN_DECLS

GFile *hl_hub_download        (HlHubOffer           *offer,
                               guint                 choice,
                               HlProgress           *progress,
                               GCancellable         *cancellable,
                               GError              **error);
void   hl_hub_download_async  (HlHubOffer           *offer,
                               guint                 choice,
                               HlProgress           *progress,
                               GCancellable         *cancellable,
                               GAsyncReadyCallback   callback,
                               gpointer              data);
GFile *hl_hub_download_finish (GAsyncResult         *result,
                               GError              **error);

G_END_DECLS
