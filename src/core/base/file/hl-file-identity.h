/* SPDX-License-Identifier: MIT */
/* What tells a file from another one, and from itself after somebody wrote to it. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * HL_FILE_IDENTITY_ATTRIBUTES: (skip)
 *
 * What has to be asked for of a file whose identity is to be told.
 */
#define HL_FILE_IDENTITY_ATTRIBUTES                                                                                    \
  G_FILE_ATTRIBUTE_STANDARD_NAME "," G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE                 \
                                 "," G_FILE_ATTRIBUTE_TIME_MODIFIED "," G_FILE_ATTRIBUTE_TIME_MODIFIED_NSEC            \
                                 "," G_FILE_ATTRIBUTE_UNIX_INODE "," G_FILE_ATTRIBUTE_UNIX_DEVICE

char *hl_file_identity_describe (GFileInfo    *info);
char *hl_file_identity_take     (GFile        *file,
                                 GCancellable *cancellable);

G_END_DECLS
