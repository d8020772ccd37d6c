/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/model/hub/hl-hub-meter.h"
#include "core/model/hub/hl-hub-tree.h"

G_BEGIN_DECLS

/**
 * HlHubBlob:
 *
 * A file of the cache while it comes. One process at a time has it.
 */
typedef struct _HlHubBlob HlHubBlob;

HlHubBlob *hl_hub_blob_open        (const char       *model,
                                    const HlHubFile  *file,
                                    HlHubMeter       *meter,
                                    GCancellable     *cancellable,
                                    GError          **error);
guint64    hl_hub_blob_get_length  (HlHubBlob        *self);
gboolean   hl_hub_blob_is_complete (HlHubBlob        *self);
gboolean   hl_hub_blob_is_kept     (HlHubBlob        *self);
gboolean   hl_hub_blob_append      (HlHubBlob        *self,
                                    const void       *bytes,
                                    gsize             size,
                                    GError          **error);
gboolean   hl_hub_blob_restart     (HlHubBlob        *self,
                                    GError          **error);
gboolean   hl_hub_blob_is_right    (HlHubBlob        *self);
gboolean   hl_hub_blob_commit      (HlHubBlob        *self,
                                    GCancellable     *cancellable,
                                    GError          **error);
void       hl_hub_blob_free        (HlHubBlob        *self);
void       hl_hub_blob_sweep       (const char       *model);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlHubBlob, hl_hub_blob_free)

G_END_DECLS
