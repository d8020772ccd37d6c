/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <sys/stat.h>

G_BEGIN_DECLS

/**
 * HlFileVersion:
 * @size: its bytes
 * @time: when it was last written
 * @is_ours: whether it is a file without a name, into which only this program writes, and nothing that somebody reads already
 *
 * What a file was like when it was opened. Who reads of it later compares, so that nobody is shown numbers of two versions.
 */
typedef struct
{
  guint64         size;
  struct timespec time;
  gboolean        is_ours;
} HlFileVersion;

HlFileVersion hl_file_version_of    (const struct stat   *info);
gboolean      hl_file_version_check (const HlFileVersion *self,
                                     int                  fd,
                                     GError             **error);

G_END_DECLS
