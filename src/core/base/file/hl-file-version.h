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
 * @is_fresh: whether somebody wrote it so lately that its time may be that of the next write too
 *
 * What a file was like when it was opened. Who reads of it later compares, so that nobody is shown numbers of two versions.
 */
typedef struct
{
  guint64         size;
  struct timespec time;
  gboolean        is_ours;
  gboolean        is_fresh;
} HlFileVersion;

HlFileVersion hl_file_version_of          (const struct stat   *info);
HlFileVersion hl_file_version_take        (int                  fd,
                                           struct stat         *info);
gboolean      hl_file_version_has_writer  (int                  fd);
gboolean      hl_file_version_check       (const HlFileVersion *self,
                                           int                  fd,
                                           GError             **error);
gboolean      hl_file_version_set_changed (GError             **error);

G_END_DECLS
