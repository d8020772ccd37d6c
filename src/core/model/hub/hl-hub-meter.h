/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-progress.h"

G_BEGIN_DECLS

/**
 * HlHubMeter:
 * @progress: (nullable): what is told
 * @total: bytes of all there is to do
 * @done: bytes of them that are there
 *
 * How far a download is, how fast it goes, and how long it takes still.
 */
typedef struct
{
  HlProgress *progress;
  guint64     total;
  guint64     done;
  /*< private >*/
  guint64     received;
  gint64      since;
  gint64      shown;
  double      rate;
} HlHubMeter;

void hl_hub_meter_init    (HlHubMeter *self,
                           HlProgress *progress,
                           guint64     total);
void hl_hub_meter_add     (HlHubMeter *self,
                           guint64     bytes,
                           gboolean    received);
void hl_hub_meter_remove  (HlHubMeter *self,
                           guint64     bytes);

G_END_DECLS
