/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * HlMappedFile:
 *
 * A whole file in memory, which is not read before it is looked at. When another program shortens the file meanwhile,
 * zeros are found in its place; when it writes to the file, what is found may be of two versions. hl_mapped_file_check() fails from then
 * on; so whoever has looked asks that before anybody sees the result. Reference counted; from any thread.
 */
typedef struct _HlMappedFile HlMappedFile;

HlMappedFile *hl_mapped_file_open       (GFile         *file,
                                         GError       **error);
HlMappedFile *hl_mapped_file_new_for_fd (int            fd,
                                         GError       **error);
HlMappedFile *hl_mapped_file_new_for_scratch (int       fd,
                                         GError       **error);
HlMappedFile *hl_mapped_file_ref        (HlMappedFile  *self);
void          hl_mapped_file_unref      (HlMappedFile  *self);
const char   *hl_mapped_file_get_data   (HlMappedFile  *self);
gsize         hl_mapped_file_get_size   (HlMappedFile  *self);
GBytes       *hl_mapped_file_get_bytes  (HlMappedFile  *self);
gboolean      hl_mapped_file_check      (HlMappedFile  *self,
                                         GError       **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlMappedFile, hl_mapped_file_unref)

G_END_DECLS
