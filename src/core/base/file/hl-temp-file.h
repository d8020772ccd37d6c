/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * HlTempFile:
 *
 * A file that is being written beside the place where it will be.
 */
typedef struct _HlTempFile HlTempFile;

HlTempFile *hl_temp_file_new      (GFile         *target,
                                   GError       **error);
int         hl_temp_file_get_fd   (HlTempFile    *self);
gboolean    hl_temp_file_write    (HlTempFile    *self,
                                   const void    *bytes,
                                   gsize          size,
                                   GError       **error);
gboolean    hl_temp_file_seek     (HlTempFile    *self,
                                   guint64        offset,
                                   GError       **error);
gboolean    hl_temp_file_commit   (HlTempFile    *self,
                                   GError       **error);
void        hl_temp_file_free     (HlTempFile    *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlTempFile, hl_temp_file_free)

G_END_DECLS
