/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-temp-file.h"

G_BEGIN_DECLS

/**
 * HL_ZIP_ALIGNMENT:
 *
 * The offset of each member's first byte is a multiple of this, so that numbers can be used where
 * they lie.
 */
#define HL_ZIP_ALIGNMENT 64

/**
 * HlZipWriter:
 *
 * Writes a zip file whose members are stored as they are.
 */
typedef struct _HlZipWriter HlZipWriter;

HlZipWriter *hl_zip_writer_new          (GFile        *file,
                                         GError      **error);
gboolean     hl_zip_writer_begin_member (HlZipWriter  *self,
                                         const char   *name,
                                         guint64       size,
                                         GError      **error);
gboolean     hl_zip_writer_write        (HlZipWriter  *self,
                                         const void   *bytes,
                                         gsize         size,
                                         GError      **error);
gboolean     hl_zip_writer_close        (HlZipWriter  *self,
                                         GError      **error);
void         hl_zip_writer_free         (HlZipWriter  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlZipWriter, hl_zip_writer_free)

G_END_DECLS
