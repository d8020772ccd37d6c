/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-span.h"

G_BEGIN_DECLS

#define HL_TYPE_ZIP_STORE (hl_zip_store_get_type ())
/**
 * HlZipStore:
 *
 * Where the packed members of a zip file are once they are unpacked. From any thread, but for hl_zip_store_reserve().
 */
G_DECLARE_FINAL_TYPE (HlZipStore, hl_zip_store, HL, ZIP_STORE, GObject)

HlZipStore *hl_zip_store_new     (HlSpan        *zip);
guint64     hl_zip_store_reserve (HlZipStore    *self,
                                  guint64        size);
HlSpan     *hl_zip_store_unpack  (HlZipStore    *self,
                                  HlSpan        *packed,
                                  guint64        place,
                                  guint64        size,
                                  guint32        crc,
                                  GCancellable  *cancellable,
                                  GError       **error);
HlSpan     *hl_zip_store_get_file (HlZipStore   *self);

G_END_DECLS
